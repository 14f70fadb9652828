//! Server-sent events about changes to a user's subscriptions.
//!
//! A stream remembers what it has sent. When a signal concerns the user, and every 30 seconds, it reads the user's
//! subscriptions and sends the difference. Signals can be lost, so they only trigger a read. Events are not replayed: a new
//! stream begins with a `hello` event that has the full state.

mod sent;
mod streams;

use std::{collections::VecDeque, convert::Infallible, time::Duration};

use accounts::Accounts;
use axum::{
    extract::State,
    response::{
        Sse,
        sse::{Event, KeepAlive},
    },
};
use futures_util::{Stream, stream};
use store::{Change, Db, subscription_status};
use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

pub(crate) use self::sent::{CounterView, FeedStateView, HelloView, NewItemsView, SentEvent, SubscriptionChangesView};
pub use self::streams::EventStreams;
use self::{sent::Sent, streams::OpenStream};
use crate::{
    ApiError, ApiState, Language,
    caller::{AuthMethod, Caller},
};

/// Minimum interval between two reads of one stream.
const MIN_INTERVAL: Duration = Duration::from_millis(300);
/// Interval of reads without a signal.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// Interval of keep-alive comments, so that proxies do not close the connection.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(15);

/// Stream changes
///
/// Server-sent events. The first event is `hello` (`HelloView`) with all unread counts and the feeds that cannot be fetched.
/// After it, the server sends `counters` (`CounterView`), `items` (`NewItemsView`), `feed` (`FeedStateView`) and
/// `subscriptions` (`SubscriptionChangesView`) as they happen, and a comment every 15 seconds. Events are not replayed: after
/// reconnecting there is another `hello`. A user has at most ten streams; the eleventh ends the oldest. A stream ends with
/// the session or the token that opened it.
#[utoipa::path(get, path = "/api/events", tag = "events", responses(
    (status = 200, description = "The stream", content_type = "text/event-stream", body = SentEvent),
))]
pub(crate) async fn stream_events(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let open = app.streams.open(caller.user_id);
    // Subscribed before the first read, so that no change is missed.
    let changes = app.db.signals().changes();
    let subscriptions = subscription_status::list(&app.db, caller.user_id).await?;
    let (sent, hello) = Sent::hello(subscriptions, language);
    let stream = EventStream {
        db: app.db,
        accounts: app.accounts,
        caller,
        stopping: app.stopping,
        open,
        changes,
        sent,
        queue: VecDeque::from([hello]),
        read_at: Instant::now(),
    };
    let events =
        stream::unfold(stream, |mut stream| async move { stream.next().await.map(|event| (Ok(event), stream)) });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT_INTERVAL)))
}

/// One open stream.
struct EventStream {
    db: Db,
    accounts: Accounts,
    caller: Caller,
    stopping: CancellationToken,
    open: OpenStream,
    changes: Receiver<Change>,
    sent: Sent,
    /// Events to send.
    queue: VecDeque<Event>,
    read_at: Instant,
}

impl EventStream {
    /// The next event; `None` when the server stops, the user is signed out, or a newer stream replaces this one.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            let (stopping, replaced) = (self.stopping.clone(), self.open.replaced());
            tokio::select! {
                () = stopping.cancelled() => return None,
                () = replaced.cancelled() => return None,
                () = self.wait_for_change() => {}
            }
            if !self.is_still_signed_in().await {
                return None;
            }
            self.read_changes().await;
        }
    }

    /// Whether the session or the token that opened the stream is still valid. An open stream does not extend it.
    async fn is_still_signed_in(&self) -> bool {
        let user = self.caller.user_id;
        let is_still_signed_in = match self.caller.auth {
            AuthMethod::Session(id) => {
                self.accounts.list_sessions(user).await.map(|sessions| sessions.iter().any(|session| session.id == id))
            }
            AuthMethod::Token(id, _) => {
                self.accounts.list_tokens(user).await.map(|tokens| tokens.iter().any(|token| token.id == id))
            }
        };
        // If the database fails, the stream stays open until the next check.
        is_still_signed_in.unwrap_or(true)
    }

    /// Waits for a signal or the poll interval, and at least for the minimum interval.
    async fn wait_for_change(&mut self) {
        let _time_or_signal = tokio::time::timeout_at(self.read_at + POLL_INTERVAL, self.signal()).await;
        tokio::time::sleep_until(self.read_at + MIN_INTERVAL).await;
    }

    async fn signal(&mut self) {
        loop {
            match self.changes.recv().await {
                Ok(change) if self.concerns(change) => return,
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => return,
                // The database is closed because the server is stopping.
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }

    fn concerns(&self, change: Change) -> bool {
        match change {
            Change::Feed(feed) => self.sent.has_feed(feed),
            Change::User(user) => user == self.caller.user_id,
            Change::Everything => true,
        }
    }

    async fn read_changes(&mut self) {
        self.read_at = Instant::now();
        // The read below covers all signals so far.
        self.changes = self.changes.resubscribe();
        match subscription_status::list(&self.db, self.caller.user_id).await {
            Ok(subscriptions) => self.queue.extend(self.sent.difference(subscriptions)),
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "cannot read changes for an event stream")
            }
        }
    }
}
