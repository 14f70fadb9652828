//! What the stories about reading share: two people, feeds whose items arrive without a network, and a clock moved by hand.

use chrono::{DateTime, TimeDelta, Utc};
use read::{ListQuery, MarkRead, Reader, Settings};
use store::{
    Clock, Db, FeedId, ItemId, SubscriptionId, UserId, feeds,
    feeds::NewFeed,
    item_lists::{Filter, ItemScope, Order},
    items::{self, NewItem},
    subscriptions,
};

use crate::{
    desk::{client, now, person},
    leftovers,
};

/// A reader with two people.
pub struct ReadingRoom {
    pub db: Db,
    pub clock: Clock,
    pub reader: Reader,
    pub a: UserId,
    pub b: UserId,
}

pub const FIRST_PAGE: ListQuery = ListQuery {
    scope: ItemScope::All,
    filter: Filter::All,
    order: Order::Newest,
    after: None,
    most: 50,
    with_content: false,
};
pub const EVERYTHING: MarkRead =
    MarkRead { scope: ItemScope::All, is_starred: false, as_of: None, up_to: None, older_than: None };

impl ReadingRoom {
    pub async fn new(db: &Db) -> ReadingRoom {
        let clock = Clock::manual(now());
        let reader = Reader::new(db.clone(), client(), clock.clone(), Settings::default());
        // Names that nobody has: some tests make many rooms in one database.
        let somebody = || format!("{}@example.org", UserId::new());
        let (a, b) = (person(db, &somebody()).await, person(db, &somebody()).await);
        ReadingRoom { db: db.clone(), clock, reader, a, b }
    }

    pub async fn feed(&self, title: &str) -> FeedId {
        let new = NewFeed {
            feed_url: format!("https://example.org/{title}"),
            host: "example.org".to_owned(),
            site_url: None,
            title: title.to_owned(),
            kind: "feed",
            next_fetch_at: now() + TimeDelta::minutes(60),
        };
        let mut tx = self.db.begin().await.unwrap();
        let (feed, _) = feeds::add(&mut tx, &new, now()).await.unwrap();
        tx.commit().await.unwrap();
        feed
    }

    pub async fn subscribe(&self, user: UserId, feed: FeedId) -> SubscriptionId {
        let mut tx = self.db.begin().await.unwrap();
        let added = subscriptions::create(&mut tx, user, feed, 100, self.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        match added {
            subscriptions::SubscriptionCreated::New(id) | subscriptions::SubscriptionCreated::Present(id) => id,
            subscriptions::SubscriptionCreated::Full => panic!("there is room"),
        }
    }

    /// Items with these ages in minutes arrive with one fetch.
    pub async fn arrive(&self, feed: FeedId, ages: &[i64]) -> Vec<ItemId> {
        let item = |age: &i64| NewItem {
            title: format!("{age} minutes old"),
            summary: Some(format!("<p>Text of <b>{age}</b></p>")),
            published_at: now() - TimeDelta::minutes(*age),
            content_hash: "-".to_owned(),
            digest: "-".to_owned(),
            categories: "[]".to_owned(),
            enclosures: "[]".to_owned(),
            ..NewItem::default()
        };
        let new: Vec<NewItem> = ages.iter().map(item).collect();
        let mut tx = self.db.begin().await.unwrap();
        assert!(feeds::lock(&mut tx, feed).await.unwrap());
        let ids = items::insert(&mut tx, feed, &new, self.clock.now()).await.unwrap();
        items::fan_out(&mut tx, feed, &ids, subscriptions::UNREAD_AT_FIRST, self.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        ids
    }

    pub async fn unread(&self, user: UserId) -> Vec<ItemId> {
        let mut query = ListQuery { filter: Filter::Unread, order: Order::Oldest, ..FIRST_PAGE };
        let mut all = Vec::new();
        loop {
            let page = self.reader.list_items(user, &query).await.unwrap();
            all.extend(page.items.iter().map(|item| item.row.id));
            match page.next {
                Some(next) => query.after = Some(next),
                None => break,
            }
        }
        all.sort_unstable();
        all
    }

    pub fn minutes_ago(&self, minutes: i64) -> DateTime<Utc> {
        now() - TimeDelta::minutes(minutes)
    }

    /// Every counter is what counting gives, and nothing is left over.
    pub async fn assert_counters(&self) {
        type Counted = (UserId, FeedId, i64, i64);
        let counted: Vec<Counted> = self
            .db
            .read(
                "select s.user_id, s.feed_id, s.unread_count,
                    (select count(*) from item_states t where t.user_id = s.user_id and t.feed_id = s.feed_id
                        and t.is_read = false) as counted
                 from subscriptions s",
            )
            .all()
            .await
            .unwrap();
        let wrong: Vec<Counted> = counted.into_iter().filter(|(_, _, kept, counted)| kept != counted).collect();
        assert_eq!(wrong, [], "person, feed, counter, counted");
        leftovers::assert_none(&self.db).await;
    }
}
