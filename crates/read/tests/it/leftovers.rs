//! What no foreign key looks after: states belong to a subscriber and to an item, and so does what waits to be indexed.

use store::Db;

/// There is no state of nobody or of nothing, and nothing waits for an item that is gone.
pub async fn assert_none(db: &Db) {
    for sql in [
        "select count(*) from item_states t where not exists (select 1 from items i where i.id = t.item_id)",
        "select count(*) from item_states t where not exists
            (select 1 from subscriptions s where s.user_id = t.user_id and s.feed_id = t.feed_id)",
        "select count(*) from search_pending p where not exists (select 1 from items i where i.id = p.item_id)",
    ] {
        assert_eq!(db.read(sql).scalar::<i64>().await.unwrap(), 0, "left over: {sql}");
    }
}
