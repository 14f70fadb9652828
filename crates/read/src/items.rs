//! Lists of items and single items, as one user sees them.

use store::{
    ItemId, UserId,
    item_lists::{self, Filter, ItemContent, ItemDetail, ItemRow, ItemScope, Order, PageQuery, Position},
};

use crate::{Error, Reader, Result};

/// Length of the excerpts in lists.
const EXCERPT_CHARS: usize = 160;

/// Which page of which list.
#[derive(Debug, Clone, Copy)]
pub struct ListQuery {
    pub scope: ItemScope,
    pub filter: Filter,
    pub order: Order,
    /// The last item of the previous page.
    pub after: Option<Position>,
    /// The maximum number of items on the page.
    pub limit: i64,
    /// Whether to load the content too.
    pub with_content: bool,
}

/// A page of a list.
#[derive(Debug, Clone)]
pub struct ItemPage {
    pub items: Vec<ListedItem>,
    /// The `after` of the next page, if there is one.
    pub next: Option<Position>,
    /// The newest item that can be on the page: see [`crate::MarkRead::as_of`].
    pub as_of: ItemId,
}

/// An item in a list.
#[derive(Debug, Clone)]
pub struct ListedItem {
    pub row: ItemRow,
    /// The beginning of its text, on one line.
    pub excerpt: String,
    /// Present if [`ListQuery::with_content`] was set.
    pub content: Option<ItemContent>,
}

impl ListedItem {
    /// The item with its stored excerpt, or one made from its text.
    pub fn of(row: ItemRow) -> ListedItem {
        let excerpt = row.excerpt.clone().unwrap_or_else(|| excerpt(row.beginning.as_deref()));
        ListedItem { row, excerpt, content: None }
    }
}

/// The beginning of the text of some HTML, as lists show it.
pub(crate) fn excerpt(html: Option<&str>) -> String {
    html.map(|html| feed::excerpt(html, EXCERPT_CHARS)).unwrap_or_default()
}

impl Reader {
    /// A page of items.
    pub async fn list_items(&self, user: UserId, query: &ListQuery) -> Result<ItemPage> {
        // Read before the page: an item that arrives in between may be missing from the page.
        let as_of = item_lists::latest_arrival(&self.db).await?;
        let ListQuery { scope, filter, order, after, limit, with_content } = *query;
        let page = PageQuery { scope, filter, order, after, limit };
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

    /// One item with its content.
    pub async fn get_item(&self, user: UserId, item: ItemId) -> Result<ItemDetail> {
        item_lists::get(&self.db, user, item).await?.ok_or(Error::NotFound)
    }

    /// Fails if the feed or folder is not the user's.
    pub(crate) async fn check_scope(&self, user: UserId, scope: ItemScope) -> Result<()> {
        let exists = match scope {
            ItemScope::All => true,
            ItemScope::Feed(feed) => store::subscriptions::find(&self.db, user, feed).await?.is_some(),
            ItemScope::Folder(folder) => store::folders::get(&self.db, user, folder).await?.is_some(),
        };
        exists.then_some(()).ok_or(Error::NotFound)
    }
}
