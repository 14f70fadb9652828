//! The keys of a page: scope × filter × order, each from its own index.
//!
//! Each combination of scope and database has a template. The filter and the order fill its holes. In all of them `$1` is the
//! user, `$2` and `$3` are the position where the previous page ended, `$4` is the limit and `$5` is the feed or folder. `x` is the
//! table that is read.

use super::{Filter, ItemScope, Order, PageQuery, Position};
use crate::{Db, Query, Result, UserId, sql::Sql};

/// How many pages of all items are searched for a page of a folder.
const SEARCHED_PAGES: i64 = 4;

/// First the remaining items with the time where the previous page ended, then the items beyond. With one condition,
/// `(a, b) < (x, y)`, SQLite seeks by the time alone and reads all items with that time, which may be thousands. The index is named,
/// because SQLite has no statistics and may choose one that reads every item already read.
const SQLITE: &str = "select published_at, item_id, feed_id from (
        select x.feed_id, x.published_at, x.{id} as item_id from {table} x indexed by {index}
        where {scope}{mine} and x.published_at = $2 and x.{id} {beyond} $3
        order by x.{id} {direction} limit $4) as moment
    union all
    select published_at, item_id, feed_id from (
        select x.feed_id, x.published_at, x.{id} as item_id from {table} x indexed by {index}
        where {scope}{mine} and x.published_at {beyond} $2
        order by x.published_at {direction}, x.{id} {direction} limit $4) as beyond
    order by published_at {direction}, item_id {direction} limit $4";

const POSTGRES: &str = "select x.feed_id, x.published_at, x.{id} as item_id from {table} x
    where {scope}{mine} and (x.published_at, x.{id}) {beyond} ($2, $3)
    order by x.published_at {direction}, x.{id} {direction} limit $4";

/// Wraps one of the two above: selects the keys that belong to a folder.
const IN_FOLDER: [&str; 2] = [
    "select k.published_at, k.item_id from (",
    ") as k join subscriptions s on s.user_id = $1 and s.feed_id = k.feed_id and s.folder_id = $5
     order by k.published_at {direction}, k.item_id {direction}",
];

/// Merges the lists of a folder's feeds. SQLite has no LATERAL, but its recursive queries have an ordered queue: it holds the
/// head of each feed, and each row taken from it adds that feed's next one. That is one seek for each feed and each key.
const FOLDER_SQLITE: &str = "with recursive heads (feed_id, published_at, item_id) as (
        select s.feed_id, n.published_at, n.{id} from subscriptions s
        join {table} n on {own} and n.{id} = coalesce(
            (select x.{id} from {table} x indexed by {index}
             where x.feed_id = s.feed_id and {mine} and x.published_at = $2 and x.{id} {beyond} $3
             order by x.{id} {direction} limit 1),
            (select x.{id} from {table} x indexed by {index}
             where x.feed_id = s.feed_id and {mine} and x.published_at {beyond} $2
             order by x.published_at {direction}, x.{id} {direction} limit 1))
        where s.user_id = $1 and s.folder_id = $5
    union all
        select h.feed_id, n.published_at, n.{id} from heads h
        join {table} n on {own} and n.{id} = coalesce(
            (select x.{id} from {table} x indexed by {index}
             where x.feed_id = h.feed_id and {mine} and x.published_at = h.published_at and x.{id} {beyond} h.item_id
             order by x.{id} {direction} limit 1),
            (select x.{id} from {table} x indexed by {index}
             where x.feed_id = h.feed_id and {mine} and x.published_at {beyond} h.published_at
             order by x.published_at {direction}, x.{id} {direction} limit 1))
        order by 2 {direction}, 3 {direction} limit $4)
    select published_at, item_id from heads";

/// The same on PostgreSQL: a page of each feed, sorted.
const FOLDER_POSTGRES: &str = "select k.published_at, k.item_id from subscriptions s
    cross join lateral (
        select x.published_at, x.{id} as item_id from {table} x
        where x.feed_id = s.feed_id and {mine} and (x.published_at, x.{id}) {beyond} ($2, $3)
        order by x.published_at {direction}, x.{id} {direction} limit $4) k
    where s.user_id = $1 and s.folder_id = $5
    order by k.published_at {direction}, k.item_id {direction} limit $4";

/// The rows that a filter selects, and the index to find them with.
#[derive(Clone, Copy)]
struct Rows {
    table: &'static str,
    index: &'static str,
    id: &'static str,
    /// The condition on `x`. It repeats the condition of a partial index word for word, or SQLite cannot use the index.
    mine: &'static str,
    /// The condition on a row `n` found by its id.
    own: &'static str,
    /// The condition for a single feed.
    in_feed: &'static str,
}

/// The rows of a filter, over all feeds and in one feed.
struct Selection {
    all: Rows,
    in_feed: Rows,
    /// Whether few items match, so that a folder is merged without searching all items first.
    is_rare: bool,
}

/// A new filter is an arm here and its indexes.
fn selection(filter: Filter) -> Selection {
    let states = |index, mine| Rows {
        table: "item_states",
        index,
        id: "item_id",
        mine,
        own: "n.user_id = $1",
        in_feed: "x.feed_id = $5 and ",
    };
    match filter {
        Filter::All => Selection {
            all: states("item_states_all", "x.user_id = $1"),
            // A subscriber has a state for every item of the feed, so the index of `items` is enough.
            in_feed: Rows {
                table: "items",
                index: "items_published",
                id: "id",
                mine: "true",
                own: "true",
                in_feed: "x.feed_id = $5 and exists (
                    select 1 from subscriptions s where s.user_id = $1 and s.feed_id = $5) and ",
            },
            is_rare: false,
        },
        Filter::Unread => {
            let mine = "x.user_id = $1 and x.is_read = false";
            let (all, in_feed) = (states("item_states_unread", mine), states("item_states_unread_in_feed", mine));
            Selection { all, in_feed, is_rare: false }
        }
        Filter::Starred => {
            let mine = "x.user_id = $1 and x.is_starred = true";
            let (all, in_feed) = (states("item_states_starred", mine), states("item_states_starred_in_feed", mine));
            Selection { all, in_feed, is_rare: true }
        }
    }
}

impl Rows {
    fn fill(&self, templates: &[&'static str], order: Order, scope: &'static str) -> Sql {
        let (beyond, direction) = match order {
            Order::Newest => ("<", "desc"),
            Order::Oldest => (">", "asc"),
        };
        let Rows { table, index, id, mine, own, .. } = *self;
        let rows = [("table", table), ("index", index), ("id", id), ("mine", mine), ("own", own)];
        let page = [("scope", scope), ("beyond", beyond), ("direction", direction)];
        Sql::fill(templates, &[&rows[..], &page[..]].concat())
    }
}

/// The keys of a page, in its order.
pub(super) async fn list(db: &Db, user: UserId, page: &PageQuery) -> Result<Vec<Position>> {
    let limit = usize::try_from(page.limit).unwrap_or(0);
    let mut found: Vec<Position> = Vec::new();
    for statement in statements(db, user, page, "") {
        found = statement.all().await?;
        if found.len() >= limit {
            break;
        }
    }
    found.truncate(limit);
    Ok(found)
}

/// The query plans of the statements of a page.
pub async fn explain(db: &Db, user: UserId, page: &PageQuery) -> Result<String> {
    let prefix = if db.is_postgres() { "explain " } else { "explain query plan " };
    let mut plan = String::new();
    for statement in statements(db, user, page, prefix) {
        let lines: Vec<String> = if db.is_postgres() {
            statement.all::<(String,)>().await?.into_iter().map(|(line,)| line).collect()
        } else {
            statement.all::<(i64, i64, i64, String)>().await?.into_iter().map(|(_, _, _, line)| line).collect()
        };
        plan = plan + &lines.join("\n") + "\n";
    }
    Ok(plan)
}

/// The statements that are tried one after another until one fills the page, each after `prefix`.
fn statements<'a>(db: &'a Db, user: UserId, page: &PageQuery, prefix: &'static str) -> Vec<Query<'a>> {
    let selection = selection(page.filter);
    let [keys, folder] = if db.is_postgres() { [POSTGRES, FOLDER_POSTGRES] } else { [SQLITE, FOLDER_SQLITE] };
    let of =
        |rows: Rows, templates: &[&'static str], scope| rows.fill(&[&[prefix], templates].concat(), page.order, scope);
    match page.scope {
        ItemScope::All => vec![read(db, user, page, of(selection.all, &[keys], ""))],
        ItemScope::Feed(feed) => {
            let rows = selection.in_feed;
            vec![read(db, user, page, of(rows, &[keys], rows.in_feed)).bind(feed)]
        }
        ItemScope::Folder(folder_id) => {
            // Most of a large folder's next items are among the next items of all. Reading those saves a seek for each feed.
            let in_all_feeds = (!selection.is_rare).then(|| {
                let wider = PageQuery { limit: page.limit * SEARCHED_PAGES, ..*page };
                read(db, user, &wider, of(selection.all, &[IN_FOLDER[0], keys, IN_FOLDER[1]], ""))
            });
            let merged = read(db, user, page, of(selection.in_feed, &[folder], ""));
            in_all_feeds.into_iter().chain([merged]).map(|query| query.bind(folder_id)).collect()
        }
    }
}

fn read<'a>(db: &'a Db, user: UserId, page: &PageQuery, sql: Sql) -> Query<'a> {
    let after = page.after.unwrap_or_else(|| match page.order {
        Order::Newest => Position::newest(),
        Order::Oldest => Position::oldest(),
    });
    db.read_built(sql).bind(user).bind(after.published_at).bind(after.id).bind(page.limit)
}
