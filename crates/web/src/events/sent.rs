//! The state that a stream has sent, and the events for the difference to a newer state.

use std::{collections::BTreeMap, time::Duration};

use axum::response::sse::Event;
use chrono::{DateTime, Utc};
use serde::Serialize;
use store::{FeedId, SubscriptionId, feeds::FetchStatus, subscription_status::SubscriptionStatus};
use utoipa::ToSchema;

use crate::{Language, admin::FetchStatusView, error::feed_problem_text};

/// How long browsers wait before they reconnect.
const RETRY: Duration = Duration::from_secs(3);

/// An event of the stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: axum writes events")]
pub(crate) struct SentEvent {
    /// The name: `hello`, `counters`, `items`, `feed` or `subscriptions`. New names may be added.
    event: String,
    /// JSON of the view of this event.
    data: String,
    /// The number of the event in this stream.
    id: String,
    /// The delay in milliseconds before reconnecting. Only in the first event.
    #[schema(nullable = false)]
    retry: Option<u64>,
}

/// Event `hello`: the full state at the beginning of a stream.
#[derive(Serialize, ToSchema)]
pub(crate) struct HelloView {
    /// The number of unread items in all feeds.
    unread_count: i64,
    /// The number of your last write that the counts contain; 0 without subscriptions.
    revision: i64,
    /// The counters of all subscriptions.
    subscriptions: Vec<CounterView>,
    /// The feeds whose last fetch failed or that are stopped.
    troubled: Vec<FeedStateView>,
}

/// Event `counters`: the unread count of a subscription has changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct CounterView {
    /// The id of the subscription.
    #[schema(value_type = Uuid)]
    subscription_id: SubscriptionId,
    /// The id of the feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// The number of unread items.
    unread_count: i64,
    /// The number of your last write that the count contains.
    revision: i64,
    /// The number of items that the feed has ever had.
    items_added: i64,
}

/// Event `items`: a feed has new items.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewItemsView {
    /// The id of the feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// The number of new items.
    new_items: i64,
    /// The number of items that the feed has ever had, including the new ones.
    items_added: i64,
}

/// Event `feed`: a feed was fetched, or its status changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedStateView {
    /// The id of the feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// The fetch status.
    fetch_status: FetchStatusView,
    /// The error code of the last failure.
    error_code: Option<String>,
    /// The last failure and what to do about it, in the language of the request.
    error_message: Option<String>,
    /// The time of the last fetch.
    last_fetched_at: Option<DateTime<Utc>>,
    /// The time of the next fetch.
    next_fetch_at: DateTime<Utc>,
}

/// Event `subscriptions`: subscriptions were added or removed.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubscriptionChangesView {
    /// The ids of new subscriptions.
    #[schema(value_type = Vec<Uuid>)]
    added: Vec<SubscriptionId>,
    /// The ids of removed subscriptions.
    #[schema(value_type = Vec<Uuid>)]
    removed: Vec<SubscriptionId>,
}

/// The state that a stream has sent.
pub(super) struct Sent {
    language: Language,
    subscriptions: BTreeMap<SubscriptionId, SubscriptionStatus>,
    events: u64,
}

impl Sent {
    /// The initial state and its `hello` event.
    pub(super) fn hello(subscriptions: Vec<SubscriptionStatus>, language: Language) -> (Sent, Event) {
        let view = HelloView {
            unread_count: subscriptions.iter().map(|live| live.unread_count).sum(),
            revision: subscriptions.first().map_or(0, |live| live.revision),
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

    /// Whether the user subscribes to this feed.
    pub(super) fn has_feed(&self, feed: FeedId) -> bool {
        self.subscriptions.values().any(|live| live.feed_id == feed)
    }

    /// The events for the difference to the state that was sent. Updates that state.
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

/// The fields whose change sends a `feed` event. `next_fetch_at` is not one: it moves when a fetch begins.
fn state_of(live: &SubscriptionStatus) -> impl PartialEq + use<'_> {
    (live.fetch_status, &live.error_code, live.last_fetched_at)
}

impl From<&SubscriptionStatus> for CounterView {
    fn from(live: &SubscriptionStatus) -> Self {
        CounterView {
            subscription_id: live.subscription_id,
            feed_id: live.feed_id,
            unread_count: live.unread_count,
            revision: live.revision,
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
