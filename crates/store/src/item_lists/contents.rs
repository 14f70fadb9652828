//! The texts of the items of a page.

use std::collections::HashMap;

use crate::{Db, ItemId, Result, UserId};

/// What there is to read of an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemContent {
    pub id: ItemId,
    /// The whole text as HTML, sanitised.
    pub content: Option<String>,
    /// The summary as HTML, sanitised.
    pub summary: Option<String>,
    /// What it is filed under at its publisher's, a JSON list.
    pub categories: String,
    /// What is attached to it, a JSON list.
    pub enclosures: String,
    /// Where it is talked about.
    pub comments_url: Option<String>,
}

/// What there is to read of these items, as far as the person has them.
pub async fn list_contents(db: &Db, user: UserId, items: &[ItemId]) -> Result<HashMap<ItemId, ItemContent>> {
    let rows: Vec<ItemContent> = db
        .read(
            "select i.id, i.content, i.summary, i.categories, i.enclosures, i.comments_url
             from item_states s join items i on i.id = s.item_id
             where s.user_id = $1 and s.item_id in (select value from json_each($2))",
        )
        .bind(user)
        .bind_numbers(items.iter().copied())
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
