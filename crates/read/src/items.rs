//! Lists of items and single items, as one person sees them.

use store::{
    ItemId, UserId,
    item_lists::{self, Filter, ItemContent, ItemDetail, ItemRow, ItemScope, Order, PageQuery, Position},
};

use crate::{Error, Reader, Result};

/// How much of its text an item in a list shows, in characters.
const EXCERPT: usize = 160;

/// A list and where to begin in it.
#[derive(Debug, Clone, Copy)]
pub struct ListQuery {
    pub scope: ItemScope,
    pub filter: Filter,
    pub order: Order,
    /// The last item of the page before.
    pub after: Option<Position>,
    /// The most items of a page.
    pub most: i64,
    /// Whether to read their texts too.
    pub with_content: bool,
}

/// A page of a list.
#[derive(Debug, Clone)]
pub struct ItemPage {
    pub items: Vec<ListedItem>,
    /// What the next page comes after, if there is one.
    pub next: Option<Position>,
    /// The latest arrival that can be on the page: see [`crate::MarkRead::as_of`].
    pub as_of: ItemId,
}

/// An item in a list.
#[derive(Debug, Clone)]
pub struct ListedItem {
    pub row: ItemRow,
    /// How its text begins, on one line.
    pub excerpt: String,
    /// All there is to read, if it was asked for.
    pub content: Option<ItemContent>,
}

impl ListedItem {
    /// The item with the beginning of its text.
    pub fn of(row: ItemRow) -> ListedItem {
        let excerpt = row.excerpt.clone().unwrap_or_else(|| excerpt(row.beginning.as_deref()));
        ListedItem { row, excerpt, content: None }
    }
}

/// How some HTML begins, as lists show it.
pub(crate) fn excerpt(html: Option<&str>) -> String {
    html.map(|html| feed::excerpt(html, EXCERPT)).unwrap_or_default()
}

impl Reader {
    /// A page of items.
    pub async fn list_items(&self, user: UserId, query: &ListQuery) -> Result<ItemPage> {
        // Asked for first: what arrives while the page is read is not on it for sure.
        let as_of = item_lists::latest_arrival(&self.db).await?;
        let ListQuery { scope, filter, order, after, most, with_content } = *query;
        let page = PageQuery { scope, filter, order, after, limit: most };
        let listed = item_lists::list(&self.db, user, &page).await?;
        if listed.items.is_empty() {
            self.check_scope(user, scope).await?;
        }
        let mut items: Vec<ListedItem> = listed.items.into_iter().map(ListedItem::of).collect();
        if with_content {
            let ids: Vec<ItemId> = items.iter().map(|item| item.row.id).collect();
            let mut contents = item_lists::list_contents(&self.db, user, &ids).await?;
            items.iter_mut().for_each(|item| item.content = contents.remove(&item.row.id));
        }
        Ok(ItemPage { items, next: listed.next, as_of })
    }

    /// The item with all there is to read.
    pub async fn item(&self, user: UserId, item: ItemId) -> Result<ItemDetail> {
        item_lists::get(&self.db, user, item).await?.ok_or(Error::NotFound)
    }

    /// Refuses a feed or folder that is not the person's.
    pub(crate) async fn check_scope(&self, user: UserId, scope: ItemScope) -> Result<()> {
        let known = match scope {
            ItemScope::All => true,
            ItemScope::Feed(feed) => store::subscriptions::find(&self.db, user, feed).await?.is_some(),
            ItemScope::Folder(folder) => store::folders::get(&self.db, user, folder).await?.is_some(),
        };
        known.then_some(()).ok_or(Error::NotFound)
    }
}
