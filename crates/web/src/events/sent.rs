//! What a stream has sent, and how it tells the rest.

use std::{collections::BTreeMap, time::Duration};

use axum::response::sse::Event;
use chrono::{DateTime, Utc};
use serde::Serialize;
use store::{FeedId, SubscriptionId, feeds::FetchStatus, subscription_status::SubscriptionStatus};
use utoipa::ToSchema;

use crate::{Language, admin::FetchStatusView, error::feed_problem_text};

/// How long browsers wait before they connect again.
const RETRY: Duration = Duration::from_secs(3);

/// An event of the stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: axum writes events")]
pub(crate) struct SentEvent {
    /// What happened: `hello`, `counters`, `items`, `feed` or `subscriptions`. More may come.
    event: String,
    /// The rest of it as JSON, in the view that belongs to the event.
    data: String,
    /// Counts the events of this stream.
    id: String,
    /// After how many milliseconds to connect again; only in the first event.
    #[schema(nullable = false)]
    retry: Option<u64>,
}

/// Event `hello`: everything, at the beginning of a stream.
#[derive(Serialize, ToSchema)]
pub(crate) struct HelloView {
    /// How much is unread in all feeds together.
    unread_count: i64,
    /// How much is unread in each.
    subscriptions: Vec<CounterView>,
    /// The feeds that are not fetched as they should be; all others are.
    troubled: Vec<FeedStateView>,
}

/// Event `counters`: how much of a feed is unread now.
#[derive(Serialize, ToSchema)]
pub(crate) struct CounterView {
    /// The subscription.
    #[schema(value_type = Uuid)]
    subscription_id: SubscriptionId,
    /// Its feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// How much of it is unread.
    unread_count: i64,
    /// How many items the feed has had so far.
    items_added: i64,
}

/// Event `items`: a feed has new items.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewItemsView {
    /// The feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// How many.
    new_items: i64,
    /// How many it has had so far, these among them.
    items_added: i64,
}

/// Event `feed`: a feed was fetched, or its status changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedStateView {
    /// The feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// Whether it is fetched.
    fetch_status: FetchStatusView,
    /// What is wrong with it, for programs.
    error_code: Option<String>,
    /// What is wrong with it and what to do, for people.
    error_message: Option<String>,
    /// When it was last asked for.
    last_fetched_at: Option<DateTime<Utc>>,
    /// When it will be asked for next.
    next_fetch_at: DateTime<Utc>,
}

/// Event `subscriptions`: there are others than before, added or removed in another window.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubscriptionChangesView {
    /// New ones.
    #[schema(value_type = Vec<Uuid>)]
    added: Vec<SubscriptionId>,
    /// Those that are gone.
    #[schema(value_type = Vec<Uuid>)]
    removed: Vec<SubscriptionId>,
}

/// What a stream has sent so far.
pub(super) struct Sent {
    language: Language,
    subscriptions: BTreeMap<SubscriptionId, SubscriptionStatus>,
    events: u64,
}

impl Sent {
    /// Begins with everything.
    pub(super) fn hello(subscriptions: Vec<SubscriptionStatus>, language: Language) -> (Sent, Event) {
        let view = HelloView {
            unread_count: subscriptions.iter().map(|live| live.unread_count).sum(),
            subscriptions: subscriptions.iter().map(CounterView::from).collect(),
            troubled: subscriptions
                .iter()
                .filter(|live| live.fetch_status != FetchStatus::Active || live.error_code.is_some())
                .map(|live| FeedStateView::new(live, language))
                .collect(),
        };
        let mut sent = Sent { language, subscriptions: by_id(subscriptions), events: 0 };
        let hello = sent.event("hello", &view).retry(RETRY);
        (sent, hello)
    }

    /// Whether the person reads this feed.
    pub(super) fn has_feed(&self, feed: FeedId) -> bool {
        self.subscriptions.values().any(|live| live.feed_id == feed)
    }

    /// What is different from what was sent; afterwards it is sent.
    pub(super) fn difference(&mut self, subscriptions: Vec<SubscriptionStatus>) -> Vec<Event> {
        let before = std::mem::replace(&mut self.subscriptions, by_id(subscriptions));
        let now: Vec<SubscriptionStatus> = self.subscriptions.values().cloned().collect();
        let mut events = Vec::new();
        let added: Vec<_> = now.iter().map(|live| live.subscription_id).filter(|id| !before.contains_key(id)).collect();
        let removed: Vec<_> = before.keys().copied().filter(|id| !self.subscriptions.contains_key(id)).collect();
        if !added.is_empty() || !removed.is_empty() {
            events.push(self.event("subscriptions", &SubscriptionChangesView { added, removed }));
        }
        for live in &now {
            let old = before.get(&live.subscription_id).filter(|old| old.feed_id == live.feed_id);
            if old.is_none_or(|old| old.unread_count != live.unread_count) {
                events.push(self.event("counters", &CounterView::from(live)));
            }
            let Some(old) = old else { continue };
            if live.items_added > old.items_added {
                let items_added = live.items_added;
                let new_items = items_added - old.items_added;
                events.push(self.event("items", &NewItemsView { feed_id: live.feed_id, new_items, items_added }));
            }
            if state_of(live) != state_of(old) {
                let view = FeedStateView::new(live, self.language);
                events.push(self.event("feed", &view));
            }
        }
        events
    }

    fn event(&mut self, name: &str, view: &impl Serialize) -> Event {
        self.events += 1;
        // Views always serialize.
        let data = serde_json::to_string(view).unwrap_or_default();
        Event::default().event(name).id(self.events.to_string()).data(data)
    }
}

fn by_id(subscriptions: Vec<SubscriptionStatus>) -> BTreeMap<SubscriptionId, SubscriptionStatus> {
    subscriptions.into_iter().map(|live| (live.subscription_id, live)).collect()
}

/// What makes an event of its own. The next time does not: it moves whenever a fetch begins.
fn state_of(live: &SubscriptionStatus) -> impl PartialEq + use<'_> {
    (live.fetch_status, &live.error_code, live.last_fetched_at)
}

impl From<&SubscriptionStatus> for CounterView {
    fn from(live: &SubscriptionStatus) -> Self {
        CounterView {
            subscription_id: live.subscription_id,
            feed_id: live.feed_id,
            unread_count: live.unread_count,
            items_added: live.items_added,
        }
    }
}

impl FeedStateView {
    fn new(live: &SubscriptionStatus, language: Language) -> Self {
        FeedStateView {
            feed_id: live.feed_id,
            fetch_status: live.fetch_status.into(),
            error_code: live.error_code.clone(),
            error_message: feed_problem_text(live.error_code.as_deref(), live.fetch_status, language),
            last_fetched_at: live.last_fetched_at,
            next_fetch_at: live.next_fetch_at,
        }
    }
}
