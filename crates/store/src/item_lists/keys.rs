//! The keys of a page: scope × filter × order, each from its own index.
//!
//! A text is a template for the scope and the database, filled with what the filter and the order say. In all of them `$1`
//! is the user, `$2` and `$3` are the place where the page before ended, `$4` is how many there may be and `$5` is the feed or
//! folder. `x` is the table that is read.

use super::{Filter, Order, Page, Position, Scope};
use crate::{Db, Query, Result, UserId, sql::Sql};

/// How many pages of all items are looked through for one of a folder.
const GLANCE_PAGES: i64 = 4;

/// First the rest of the moment where the page before ended, then what lies beyond. As one condition, `(a, b) < (x, y)`,
/// SQLite would seek by the time alone and walk through the whole moment, which may have thousands of items. The index is
/// named, because SQLite has no figures to choose by and may choose one that walks through everything that was read.
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

/// Around one of the two above: those of its keys that belong to a folder.
const GLANCE: [&str; 2] = [
    "select k.published_at, k.item_id from (",
    ") as k join subscriptions s on s.user_id = $1 and s.feed_id = k.feed_id and s.folder_id = $5
     order by k.published_at {direction}, k.item_id {direction}",
];

/// The lists of a folder's feeds, merged. SQLite has no LATERAL, but its recursive queries have a queue in order: it holds
/// the head of each feed, and taking one out puts that feed's next in. That is one seek for each feed and each key.
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

/// The rows that a filter selects, and where they are.
#[derive(Clone, Copy)]
struct Rows {
    table: &'static str,
    index: &'static str,
    /// The column with the item's id.
    id: &'static str,
    /// Which rows. It repeats the condition of a partial index word for word, or SQLite cannot use the index.
    mine: &'static str,
    /// The same for a row `n` that was found by its id.
    own: &'static str,
    /// The condition of a list of one feed.
    in_feed: &'static str,
}

/// What a filter reads: over all feeds, and in one feed.
struct Selection {
    all: Rows,
    in_feed: Rows,
    /// Whether so few items match that a folder is merged at once.
    is_rare: bool,
}

/// A new filter is an arm here, and its indexes.
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
            // A subscriber has a state of every item of the feed, so the feed's own index will do.
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
pub(super) async fn list(db: &Db, user: UserId, page: &Page) -> Result<Vec<Position>> {
    let most = usize::try_from(page.most).unwrap_or(0);
    let mut found: Vec<Position> = Vec::new();
    for statement in statements(db, user, page, "") {
        found = statement.all().await?;
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    Ok(found)
}

/// The query plans of the statements of a page.
pub async fn explain(db: &Db, user: UserId, page: &Page) -> Result<String> {
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
fn statements<'a>(db: &'a Db, user: UserId, page: &Page, prefix: &'static str) -> Vec<Query<'a>> {
    let selection = selection(page.filter);
    let [keys, folder] = if db.is_postgres() { [POSTGRES, FOLDER_POSTGRES] } else { [SQLITE, FOLDER_SQLITE] };
    let of =
        |rows: Rows, templates: &[&'static str], scope| rows.fill(&[&[prefix], templates].concat(), page.order, scope);
    match page.scope {
        Scope::All => vec![read(db, user, page, of(selection.all, &[keys], ""))],
        Scope::Feed(feed) => {
            let rows = selection.in_feed;
            vec![read(db, user, page, of(rows, &[keys], rows.in_feed)).bind(feed)]
        }
        Scope::Folder(folder_id) => {
            // Most of a large folder's next items are among the next of all; a look at those saves a seek for each of its feeds.
            let glance = (!selection.is_rare).then(|| {
                let wide = Page { most: page.most * GLANCE_PAGES, ..*page };
                read(db, user, &wide, of(selection.all, &[GLANCE[0], keys, GLANCE[1]], ""))
            });
            let merge = read(db, user, page, of(selection.in_feed, &[folder], ""));
            glance.into_iter().chain([merge]).map(|query| query.bind(folder_id)).collect()
        }
    }
}

fn read<'a>(db: &'a Db, user: UserId, page: &Page, sql: Sql) -> Query<'a> {
    let after = page.after.unwrap_or_else(|| match page.order {
        Order::Newest => Position::newest(),
        Order::Oldest => Position::oldest(),
    });
    db.read_built(sql).bind(user).bind(after.published_at).bind(after.id).bind(page.most)
}
