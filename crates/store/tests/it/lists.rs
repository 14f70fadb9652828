//! Item lists: every scope, filter and order, page by page, compared with a list computed in the test.

use chrono::{DateTime, TimeDelta, Utc};
use store::{
    Db, FeedId, FolderId, ItemId, UserId, folders,
    item_lists::{self, Filter, ItemRow, ItemScope, Order, PageQuery, Position},
    states::{self, MarkedItems, UnreadQuery},
    subscriptions::{self, SubscriptionPatch},
    users,
};
use testkit::{TestDb, on_both_databases};

use crate::jobs::start;

/// Two users and five feeds. The first user reads four of them, two in a folder; the second reads two.
struct Fixture {
    user: UserId,
    other: UserId,
    feeds: Vec<FeedId>,
    folder: FolderId,
}

impl Fixture {
    async fn new(db: &Db) -> Fixture {
        let user = users::create_unclaimed(db, "a@example.org", "A", start()).await.unwrap();
        let other = users::create_unclaimed(db, "b@example.org", "B", start()).await.unwrap();
        let mut feeds = Vec::new();
        for n in 0..5 {
            feeds.push(add_feed(db, n).await);
        }
        // Many items with one date, so that pages end among them.
        for n in 0..120_i64 {
            add_item(db, feeds[usize::try_from(n * 7 % 5).unwrap()], start() + TimeDelta::minutes(n * 37 % 11), n)
                .await;
        }
        let mut tx = db.begin().await.unwrap();
        let folders::FolderCreated::New(folder) = folders::create(&mut tx, user, "Folder", 9, start()).await.unwrap()
        else {
            panic!("the folder is new")
        };
        let patch = SubscriptionPatch { folder_id: Some(Some(folder)), ..SubscriptionPatch::default() };
        for (n, feed) in feeds.iter().take(4).enumerate() {
            let added = subscriptions::create(&mut tx, user, *feed, 9, start()).await.unwrap();
            let subscriptions::SubscriptionCreated::New(id) = added else { panic!("new") };
            if n < 2 {
                subscriptions::update(&mut tx, user, id, &patch, start()).await.unwrap().unwrap();
            }
        }
        for feed in &feeds[3..] {
            subscriptions::create(&mut tx, other, *feed, 9, start()).await.unwrap();
        }
        let numbers = |keep: fn(&i64) -> bool| (1..=120_i64).filter(keep).map(ItemId).collect::<Vec<_>>();
        states::mark_read(&mut tx, user, &numbers(|n| n % 3 == 0), true, start()).await.unwrap();
        states::mark_starred(&mut tx, user, &numbers(|n| n % 4 == 0), true, start()).await.unwrap();
        tx.commit().await.unwrap();
        Fixture { user, other, feeds, folder }
    }

    /// The expected items of a list, in order.
    async fn expected(&self, db: &Db, page: &PageQuery) -> Vec<ItemId> {
        let ids: Vec<ItemId> = (1..=120).map(ItemId).collect();
        let mut rows = item_lists::list_by_ids(db, self.user, &ids).await.unwrap();
        let in_scope = |row: &ItemRow| match page.scope {
            ItemScope::All => true,
            ItemScope::Feed(feed) => row.feed_id == feed,
            ItemScope::Folder(_) => self.feeds[..2].contains(&row.feed_id),
        };
        let kept = |row: &ItemRow| match page.filter {
            Filter::All => true,
            Filter::Unread => !row.is_read,
            Filter::Starred => row.is_starred,
        };
        rows.retain(|row| in_scope(row) && kept(row));
        rows.sort_by_key(|row| (row.published_at, row.id));
        if page.order == Order::Newest {
            rows.reverse();
        }
        rows.into_iter().map(|row| row.id).collect()
    }
}

async fn add_feed(db: &Db, n: i64) -> FeedId {
    let id = FeedId::new();
    let insert = db.write("insert into feeds (id, feed_url, title) values ($1, $2, 'Feed')");
    insert.bind(id).bind(format!("https://example.org/{n}")).execute().await.unwrap();
    id
}

async fn add_item(db: &Db, feed: FeedId, published_at: DateTime<Utc>, n: i64) -> ItemId {
    db.write(
        "insert into items (feed_id, guid_or_id, title, content, published_at) values ($1, $2, 'Item', '<p>Text', $3)
         returning id",
    )
    .bind(feed)
    .bind(n.to_string())
    .bind(published_at)
    .scalar()
    .await
    .unwrap()
}

/// All pages of a list, one after the other.
async fn read_through(db: &Db, user: UserId, mut page: PageQuery) -> Vec<ItemId> {
    let mut all = Vec::new();
    loop {
        let listed = item_lists::list(db, user, &page).await.unwrap();
        assert!(i64::try_from(listed.items.len()).unwrap() <= page.limit);
        all.extend(listed.items.iter().map(|row| row.id));
        match listed.next {
            Some(next) => page.after = Some(next),
            None => return all,
        }
    }
}

on_both_databases!(every_list_is_complete_and_in_order);
async fn every_list_is_complete_and_in_order(db: TestDb) {
    let fixture = Fixture::new(&db).await;
    let scopes = [ItemScope::All, ItemScope::Feed(fixture.feeds[2]), ItemScope::Folder(fixture.folder)];
    for scope in scopes {
        for filter in [Filter::All, Filter::Unread, Filter::Starred] {
            for order in [Order::Newest, Order::Oldest] {
                let page = PageQuery { scope, filter, order, after: None, limit: 3 };
                let expected = fixture.expected(&db, &page).await;
                assert!(expected.len() > 4, "{page:?} has several pages");
                assert_eq!(read_through(&db, fixture.user, page).await, expected, "{page:?}");
            }
        }
    }
}

on_both_databases!(lists_exclude_items_of_others);
async fn lists_exclude_items_of_others(db: TestDb) {
    let fixture = Fixture::new(&db).await;
    let page = |scope| PageQuery { scope, filter: Filter::All, order: Order::Newest, after: None, limit: 200 };
    for scope in [ItemScope::Feed(fixture.feeds[0]), ItemScope::Folder(fixture.folder)] {
        for filter in [Filter::All, Filter::Unread, Filter::Starred] {
            let listed = item_lists::list(&db, fixture.other, &PageQuery { filter, ..page(scope) }).await.unwrap();
            assert_eq!(listed.items, [], "{scope:?} {filter:?}");
        }
    }
    let all = item_lists::list(&db, fixture.other, &page(ItemScope::All)).await.unwrap();
    assert_eq!(all.items.len(), 48);
    assert!(all.items.iter().all(|row| fixture.feeds[3..].contains(&row.feed_id) && !row.is_read && !row.is_starred));
    let foreign =
        item_lists::list(&db, fixture.user, &page(ItemScope::Feed(fixture.feeds[0]))).await.unwrap().items[0].id;
    assert!(item_lists::get(&db, fixture.user, foreign).await.unwrap().is_some());
    assert_eq!(item_lists::get(&db, fixture.other, foreign).await.unwrap(), None);
    assert_eq!(item_lists::find_position(&db, fixture.other, foreign).await.unwrap(), None);
    assert_eq!(item_lists::list_by_ids(&db, fixture.other, &[foreign]).await.unwrap(), []);
    assert_eq!(states::list(&db, fixture.other, &[foreign]).await.unwrap(), []);
}

on_both_databases!(items_follow_the_given_ids);
async fn items_follow_the_given_ids(db: TestDb) {
    let fixture = Fixture::new(&db).await;
    let mine = read_through(
        &db,
        fixture.user,
        PageQuery { scope: ItemScope::All, filter: Filter::All, order: Order::Newest, after: None, limit: 50 },
    )
    .await;
    let mut asked = vec![mine[5], ItemId(99_999), mine[1], mine[9]];
    let rows = item_lists::list_by_ids(&db, fixture.user, &asked).await.unwrap();
    asked.remove(1);
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), asked);
    assert_eq!(rows[0].beginning.as_deref(), Some("<p>Text"));
}

on_both_databases!(only_the_beginning_of_a_text_is_read);
async fn only_the_beginning_of_a_text_is_read(db: TestDb) {
    let fixture = Fixture::new(&db).await;
    let item = read_through(
        &db,
        fixture.user,
        PageQuery { scope: ItemScope::All, filter: Filter::All, order: Order::Oldest, after: None, limit: 50 },
    )
    .await[0];
    let set = |column: &'static str, text: String| db.write(column).bind(item).bind(text).execute();
    set("update items set content = $2 where id = $1", "語".repeat(5_000)).await.unwrap();
    set("update items set summary = $2 where id = $1", String::new()).await.unwrap();
    let row = item_lists::list_by_ids(&db, fixture.user, &[item]).await.unwrap().remove(0);
    assert_eq!(row.beginning.as_deref(), Some("語".repeat(800).as_str()), "an empty summary is skipped");
    set("update items set summary = $2 where id = $1", "Short".to_owned()).await.unwrap();
    let detail = item_lists::get(&db, fixture.user, item).await.unwrap().unwrap();
    assert_eq!(detail.row.beginning.as_deref(), Some("Short"));
    assert_eq!(detail.content.map(|text| text.chars().count()), Some(5_000));
}

on_both_databases!(unread_items_respect_position_and_arrival);
async fn unread_items_respect_position_and_arrival(db: TestDb) {
    let fixture = Fixture::new(&db).await;
    let scopes = [ItemScope::All, ItemScope::Feed(fixture.feeds[2]), ItemScope::Folder(fixture.folder)];
    let after = Position { published_at: start() + TimeDelta::minutes(7), id: ItemId(60) };
    for (scope, is_starred) in scopes.into_iter().flat_map(|scope| [(scope, false), (scope, true)]) {
        let page = PageQuery { scope, filter: Filter::Unread, order: Order::Newest, after: None, limit: 1 };
        let mut expected = fixture.expected(&db, &page).await;
        let rows = item_lists::list_by_ids(&db, fixture.user, &expected).await.unwrap();
        expected = rows
            .iter()
            .filter(|row| row.id <= ItemId(90) && (row.published_at, row.id) < (after.published_at, after.id))
            .filter(|row| row.is_starred || !is_starred)
            .map(|row| row.id)
            .collect();
        assert!(!expected.is_empty());
        let unread = UnreadQuery { scope, is_starred, as_of: ItemId(90), after, limit: 200 };
        let mark = async |unread: UnreadQuery| {
            let mut tx = db.begin().await.unwrap();
            let marked = states::mark_next_read(&mut tx, fixture.user, &unread, start()).await.unwrap();
            tx.rollback().await.unwrap();
            marked.items
        };
        let mut found = mark(unread).await;
        assert_eq!(mark(UnreadQuery { limit: 1, ..unread }).await, expected[..1], "newest first");
        found.sort_unstable();
        let first = expected[0];
        expected.sort_unstable();
        assert_eq!(found, expected, "{unread:?}");
        // Chunk by chunk: none twice, none left out.
        let mut tx = db.begin().await.unwrap();
        let mut one_by_one = Vec::new();
        let mut next = UnreadQuery { limit: 1, ..unread };
        while let MarkedItems { items, last: Some(last) } =
            states::mark_next_read(&mut tx, fixture.user, &next, start()).await.unwrap()
        {
            one_by_one.extend(items);
            next.after = last;
        }
        assert_eq!(one_by_one[0], first);
        one_by_one.sort_unstable();
        assert_eq!(one_by_one, expected, "{unread:?}");
        tx.rollback().await.unwrap();
    }
}

on_both_databases!(lists_are_read_from_their_indexes);
async fn lists_are_read_from_their_indexes(db: TestDb) {
    let fixture = Fixture::new(&db).await;
    add_copies(&db, fixture.user).await;
    let scopes = [ItemScope::All, ItemScope::Feed(fixture.feeds[0]), ItemScope::Folder(fixture.folder)];
    let cases = [
        (Filter::All, ["item_states_all", "items_published", "items_published"]),
        (Filter::Unread, ["item_states_unread", "item_states_unread_in_feed", "item_states_unread_in_feed"]),
        (Filter::Starred, ["item_states_starred", "item_states_starred_in_feed", "item_states_starred_in_feed"]),
    ];
    for (filter, indexes) in cases {
        for (scope, index) in scopes.into_iter().zip(indexes) {
            for order in [Order::Newest, Order::Oldest] {
                let page = PageQuery { scope, filter, order, after: None, limit: 50 };
                let plan = item_lists::explain(&db, fixture.user, &page).await.unwrap();
                let seek = if db.is_postgres() {
                    format!(" using {index} on ")
                } else {
                    format!("SEARCH x USING COVERING INDEX {index} (")
                };
                assert!(plan.contains(&seek), "{page:?} does not seek in {index}:\n{plan}");
                let whole = ["Seq Scan", "Bitmap", "SCAN x"].iter().any(|word| plan.contains(word));
                assert!(!whole, "{page:?} reads a whole table:\n{plan}");
                // A folder's feeds are merged by sorting one page of each.
                let sorts = !matches!(scope, ItemScope::Folder(_)) && plan.contains("Sort");
                assert!(!sorts, "{page:?} sorts more than a page:\n{plan}");
            }
        }
    }
}

/// So many items that the planner of PostgreSQL chooses as it does in a large database.
async fn add_copies(db: &Db, user: UserId) {
    for sql in [
        "insert into items (feed_id, guid_or_id, title, published_at)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < 150)
         select feed_id, guid_or_id || '-' || n.i, title, published_at from items cross join n",
        "insert into item_states (user_id, item_id, feed_id, published_at, is_read, is_starred)
         select s.user_id, i.id, i.feed_id, i.published_at, i.id % 10 > 0, i.id % 97 = 0
         from items i join subscriptions s on s.feed_id = i.feed_id where s.user_id = $1 and i.id > 120",
    ] {
        let query = db.write(sql);
        (if sql.contains("$1") { query.bind(user) } else { query }).execute().await.unwrap();
    }
    db.write(if db.is_postgres() { "vacuum analyze" } else { "analyze" }).execute().await.unwrap();
}
