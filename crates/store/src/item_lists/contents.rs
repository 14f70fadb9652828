//! The contents of the items of a page.

use std::collections::HashMap;

use super::{ItemFullText, full_text_columns};
use crate::{Db, ItemId, Result, UserId};

/// The content of an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemContent {
    pub id: ItemId,
    /// Sanitised HTML.
    pub content: Option<String>,
    /// Sanitised HTML.
    pub summary: Option<String>,
    /// A JSON array.
    pub categories: String,
    /// A JSON array.
    pub enclosures: String,
    pub comments_url: Option<String>,
    #[sqlx(flatten)]
    pub full_text: ItemFullText,
}

/// The contents of the user's items among `items`.
pub async fn list_contents(db: &Db, user: UserId, items: &[ItemId]) -> Result<HashMap<ItemId, ItemContent>> {
    let rows: Vec<ItemContent> = db
        .read(concat!(
            "select i.id, i.content, i.summary, i.categories, i.enclosures, i.comments_url, ",
            full_text_columns!(),
            " from item_states s join items i on i.id = s.item_id
             where s.user_id = $1 and s.item_id in (select value from json_each($2))"
        ))
        .bind(user)
        .bind_numbers(items.iter().copied())
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
