//! The keys of a page of a folder: the lists of its feeds, merged.
//!
//! Walking the person's whole stream for the feeds of a small folder would take as long as the stream is; only a glance at its
//! beginning comes first (`keys.rs`). PostgreSQL takes
//! a page of each feed and sorts. SQLite has no LATERAL, but its recursive queries have a queue in order: it holds the
//! head of each feed, and taking one out puts that feed's next in. That is one seek for each feed and each key.

use super::{Filter, Order};
use crate::{Db, Query};

/// The id of the next item of feed `$feed` beyond the place (`$time`, `$last`).
macro_rules! next {
    ($feed:literal, $time:literal, $last:literal: $table:literal, $index:literal, $mine:literal, $id:literal, $beyond:literal, $direction:literal) => {
        concat!(
            "coalesce(
                (select x.",
            $id,
            " from ",
            $table,
            " x indexed by ",
            $index,
            " where x.feed_id = ",
            $feed,
            " and ",
            $mine,
            "
                    and x.published_at = ",
            $time,
            " and x.",
            $id,
            " ",
            $beyond,
            " ",
            $last,
            "
                order by x.",
            $id,
            " ",
            $direction,
            " limit 1),
                (select x.",
            $id,
            " from ",
            $table,
            " x indexed by ",
            $index,
            " where x.feed_id = ",
            $feed,
            " and ",
            $mine,
            "
                    and x.published_at ",
            $beyond,
            " ",
            $time,
            "
                order by x.published_at ",
            $direction,
            ", x.",
            $id,
            " ",
            $direction,
            " limit 1))"
        )
    };
}

/// `$table` has the items of a feed in `$index` and names their ids `$id`; `$own` and `$mine` say which of its rows count.
macro_rules! sqlite {
    ($table:literal, $index:literal, $own:literal, $mine:literal, $id:literal, $beyond:literal, $direction:literal) => {
        concat!(
            "with recursive heads (feed_id, published_at, item_id) as (
                select s.feed_id, n.published_at, n.", $id, " from subscriptions s
                join ", $table, " n on ", $own, " and n.", $id, " = ",
                next!("s.feed_id", "$2", "$3": $table, $index, $mine, $id, $beyond, $direction),
                " where s.user_id = $1 and s.folder_id = $5
             union all
                select h.feed_id, n.published_at, n.", $id, " from heads h
                join ", $table, " n on ", $own, " and n.", $id, " = ",
                next!("h.feed_id", "h.published_at", "h.item_id": $table, $index, $mine, $id, $beyond, $direction),
             " order by 2 ", $direction, ", 3 ", $direction, " limit $4)
             select published_at, item_id from heads"
        )
    };
}

macro_rules! postgres {
    ($table:literal, $mine:literal, $id:literal, $beyond:literal, $direction:literal) => {
        concat!(
            "select k.published_at, k.item_id from subscriptions s
             cross join lateral (
                select x.published_at, x.",
            $id,
            " as item_id from ",
            $table,
            " x where x.feed_id = s.feed_id and ",
            $mine,
            "
                    and (x.published_at, x.",
            $id,
            ") ",
            $beyond,
            " ($2, $3)
                order by x.published_at ",
            $direction,
            ", x.",
            $id,
            " ",
            $direction,
            " limit $4) k
             where s.user_id = $1 and s.folder_id = $5
             order by k.published_at ",
            $direction,
            ", k.item_id ",
            $direction,
            " limit $4"
        )
    };
}

/// The texts for SQLite and PostgreSQL of one filter and order.
macro_rules! either {
    (all, $beyond:literal, $direction:literal) => {
        either!("items", "items_published", "true", "true", "id", $beyond, $direction)
    };
    (unread, $beyond:literal, $direction:literal) => {
        either!(
            "item_states",
            "item_states_unread_in_feed",
            "n.user_id = $1",
            "x.user_id = $1 and x.is_read = false",
            "item_id",
            $beyond,
            $direction
        )
    };
    (starred, $beyond:literal, $direction:literal) => {
        either!(
            "item_states",
            "item_states_starred_in_feed",
            "n.user_id = $1",
            "x.user_id = $1 and x.is_starred = true",
            "item_id",
            $beyond,
            $direction
        )
    };
    ($table:literal, $index:literal, $own:literal, $mine:literal, $id:literal, $beyond:literal, $direction:literal) => {
        (
            sqlite!($table, $index, $own, $mine, $id, $beyond, $direction),
            postgres!($table, $mine, $id, $beyond, $direction),
        )
    };
}

/// The query of a page, still without its values.
pub(super) fn read(db: &Db, filter: Filter, order: Order) -> Query<'_> {
    let (sqlite, postgres) = match (filter, order) {
        (Filter::All, Order::Newest) => either!(all, "<", "desc"),
        (Filter::All, Order::Oldest) => either!(all, ">", "asc"),
        (Filter::Unread, Order::Newest) => either!(unread, "<", "desc"),
        (Filter::Unread, Order::Oldest) => either!(unread, ">", "asc"),
        (Filter::Starred, Order::Newest) => either!(starred, "<", "desc"),
        (Filter::Starred, Order::Oldest) => either!(starred, ">", "asc"),
    };
    db.read_either(sqlite, postgres)
}
