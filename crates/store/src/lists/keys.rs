//! The keys of a page, each kind of list from its own index.
//!
//! In all texts `$1` is the person, `$2` and `$3` are the place where the page before ended, `$4` is how many there may be and
//! `$5` is the feed or folder.

use super::{Filter, Order, Page, Position, Scope, folder};
use crate::{Db, Query, Result, UserId};

/// The texts for each order, for SQLite and for PostgreSQL.
struct Texts {
    newest: (&'static str, &'static str),
    oldest: (&'static str, &'static str),
}

/// How many pages of all items are looked through for one of a folder.
const AT_A_GLANCE: i64 = 4;

/// First the rest of the moment where the page before ended, then what lies beyond. As one condition, `(a, b) < (x, y)`,
/// SQLite would seek by the time alone and walk through the whole moment, which may have thousands of items. The index is
/// named, because SQLite has no figures to choose by and may choose one that walks through everything that was read.
macro_rules! sqlite {
    ($table:literal, $index:literal, $mine:literal, $id:literal, $beyond:literal, $direction:literal) => {
        concat!(
            "select published_at, item_id, feed_id from (
                select feed_id, published_at, ",
            $id,
            " as item_id from ",
            $table,
            " indexed by ",
            $index,
            "
                where ",
            $mine,
            " and published_at = $2 and ",
            $id,
            " ",
            $beyond,
            " $3
                order by ",
            $id,
            " ",
            $direction,
            " limit $4) as moment
             union all
             select published_at, item_id, feed_id from (
                select feed_id, published_at, ",
            $id,
            " as item_id from ",
            $table,
            " indexed by ",
            $index,
            "
                where ",
            $mine,
            " and published_at ",
            $beyond,
            " $2
                order by published_at ",
            $direction,
            ", ",
            $id,
            " ",
            $direction,
            " limit $4) as beyond
             order by published_at ",
            $direction,
            ", item_id ",
            $direction,
            " limit $4"
        )
    };
}

macro_rules! postgres {
    ($table:literal, $mine:literal, $id:literal, $beyond:literal, $direction:literal) => {
        concat!(
            "select feed_id, published_at, ",
            $id,
            " as item_id from ",
            $table,
            " where ",
            $mine,
            "
                and (published_at, ",
            $id,
            ") ",
            $beyond,
            " ($2, $3)
             order by published_at ",
            $direction,
            ", ",
            $id,
            " ",
            $direction,
            " limit $4"
        )
    };
}

/// Those keys of a page that belong to a folder.
macro_rules! in_folder {
    ($keys:expr, $direction:literal) => {
        concat!(
            "select k.published_at, k.item_id from (",
            $keys,
            ") as k join subscriptions s on s.user_id = $1 and s.feed_id = k.feed_id and s.folder_id = $5
             order by k.published_at ",
            $direction,
            ", k.item_id ",
            $direction
        )
    };
}

/// A list that reads those rows of `$table` that are `$mine`, from `$index`; `$id` is the name of the item's id there.
macro_rules! texts {
    ($table:literal, $index:literal, $mine:literal, $id:literal) => {
        Texts {
            newest: (sqlite!($table, $index, $mine, $id, "<", "desc"), postgres!($table, $mine, $id, "<", "desc")),
            oldest: (sqlite!($table, $index, $mine, $id, ">", "asc"), postgres!($table, $mine, $id, ">", "asc")),
        }
    };
}

/// The same list, and of its page those of one folder.
macro_rules! glance {
    ($table:literal, $index:literal, $mine:literal, $id:literal) => {
        Texts {
            newest: (
                in_folder!(sqlite!($table, $index, $mine, $id, "<", "desc"), "desc"),
                in_folder!(postgres!($table, $mine, $id, "<", "desc"), "desc"),
            ),
            oldest: (
                in_folder!(sqlite!($table, $index, $mine, $id, ">", "asc"), "asc"),
                in_folder!(postgres!($table, $mine, $id, ">", "asc"), "asc"),
            ),
        }
    };
}

// The conditions repeat those of the partial indexes word for word, or SQLite cannot use them.
const ALL: Texts = texts!("item_states", "item_states_all", "user_id = $1", "item_id");
const UNREAD: Texts = texts!("item_states", "item_states_unread", "user_id = $1 and is_read = false", "item_id");
const STARRED: Texts = texts!("item_states", "item_states_starred", "user_id = $1 and is_starred = true", "item_id");
const ALL_AT_A_GLANCE: Texts = glance!("item_states", "item_states_all", "user_id = $1", "item_id");
const UNREAD_AT_A_GLANCE: Texts =
    glance!("item_states", "item_states_unread", "user_id = $1 and is_read = false", "item_id");
// A subscriber has a state of every item of the feed, so the feed's own index will do.
const ALL_IN_FEED: Texts = texts!(
    "items",
    "items_published",
    "feed_id = $5 and exists (select 1 from subscriptions s where s.user_id = $1 and s.feed_id = $5)",
    "id"
);
const UNREAD_IN_FEED: Texts =
    texts!("item_states", "item_states_unread_in_feed", "user_id = $1 and feed_id = $5 and is_read = false", "item_id");
const STARRED_IN_FEED: Texts = texts!(
    "item_states",
    "item_states_starred_in_feed",
    "user_id = $1 and feed_id = $5 and is_starred = true",
    "item_id"
);

/// The keys of a page, in its order.
pub(super) async fn list(db: &Db, user: UserId, page: &Page) -> Result<Vec<Position>> {
    let after = page.after.unwrap_or_else(|| match page.order {
        Order::Newest => Position::newest(),
        Order::Oldest => Position::oldest(),
    });
    fn bind<'a>(query: Query<'a>, user: UserId, after: Position, most: i64) -> Query<'a> {
        query.bind(user).bind(after.published_at).bind(after.id).bind(most)
    }
    match page.scope {
        Scope::All => bind(read(db, texts(page.filter), page.order), user, after, page.most).all().await,
        Scope::Feed(feed) => {
            bind(read(db, feed_texts(page.filter), page.order), user, after, page.most).bind(feed).all().await
        }
        Scope::Folder(folder) => {
            // Most of a large folder's next items are among the next of all; a look at those saves a seek for each of its feeds.
            if let Some(glance) = glance_texts(page.filter) {
                let query = bind(read(db, glance, page.order), user, after, page.most * AT_A_GLANCE);
                let mut found: Vec<Position> = query.bind(folder).all().await?;
                let most = usize::try_from(page.most).unwrap_or(0);
                if found.len() >= most {
                    found.truncate(most);
                    return Ok(found);
                }
            }
            bind(folder::read(db, page.filter, page.order), user, after, page.most).bind(folder).all().await
        }
    }
}

fn texts(filter: Filter) -> Texts {
    match filter {
        Filter::All => ALL,
        Filter::Unread => UNREAD,
        Filter::Starred => STARRED,
    }
}

/// Starred items are few: their folders are merged at once.
fn glance_texts(filter: Filter) -> Option<Texts> {
    match filter {
        Filter::All => Some(ALL_AT_A_GLANCE),
        Filter::Unread => Some(UNREAD_AT_A_GLANCE),
        Filter::Starred => None,
    }
}

fn feed_texts(filter: Filter) -> Texts {
    match filter {
        Filter::All => ALL_IN_FEED,
        Filter::Unread => UNREAD_IN_FEED,
        Filter::Starred => STARRED_IN_FEED,
    }
}

fn read(db: &Db, texts: Texts, order: Order) -> Query<'_> {
    let (sqlite, postgres) = match order {
        Order::Newest => texts.newest,
        Order::Oldest => texts.oldest,
    };
    db.read_either(sqlite, postgres)
}
