//! What changes by itself, sent to open pages as it happens: server-sent events.
//!
//! A stream keeps what it has sent, looks at the person's subscriptions when a signal concerns them (and every 30 seconds
//! anyway, because a signal is only a hint), and tells the difference. Nothing is replayed: whoever connects again gets a
//! `hello` with everything.

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

/// However much happens, a page is sent so often at the most.
const PAUSE: Duration = Duration::from_millis(300);
/// Without any signal it is looked so often.
const LOOK: Duration = Duration::from_secs(30);
/// A sign of life, so that proxies do not close the connection.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Follow what changes
///
/// Server-sent events, until either side ends it. First `hello` (`HelloView`) with all unread counts and the feeds that
/// cannot be fetched; then `counters` (`CounterView`), `items` (`NewItemsView`), `feed` (`FeedStateView`) and `subscriptions`
/// (`SubscriptionChangesView`) as they happen, and a comment every 15 seconds. Nothing is replayed: after connecting again there
/// is another `hello`. One person has ten streams at the most; the eleventh ends the oldest. A stream ends with the session
/// or the token that opened it.
#[utoipa::path(get, path = "/api/events", tag = "events", responses(
    (status = 200, description = "The stream", content_type = "text/event-stream", body = SentEvent),
))]
pub(crate) async fn stream_events(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let open = app.streams.open(caller.user_id);
    // Before the first look: what happens in between is heard.
    let changes = app.db.signals().changes();
    let subscriptions = subscription_status::list(&app.db, caller.user_id).await?;
    let (sent, hello) = Sent::hello(subscriptions, language);
    let watch = EventStream {
        db: app.db,
        accounts: app.accounts,
        caller,
        stopping: app.stopping,
        open,
        changes,
        sent,
        waiting: VecDeque::from([hello]),
        looked_at: Instant::now(),
    };
    let events = stream::unfold(watch, |mut watch| async move { watch.next().await.map(|event| (Ok(event), watch)) });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
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
    /// Events that are found but not sent.
    waiting: VecDeque<Event>,
    looked_at: Instant,
}

impl EventStream {
    /// The next event; none when the server stops, the person is signed out or a newer stream takes this one's place.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
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
            self.look().await;
        }
    }

    /// Whether the session or the token that opened the stream is still good. That a page is open does not prolong it.
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
        // A database that does not answer says nothing; the next look will tell.
        is_still_signed_in.unwrap_or(true)
    }

    /// Returns when it is time to look.
    async fn wait_for_change(&mut self) {
        let _time_or_signal = tokio::time::timeout_at(self.looked_at + LOOK, self.signal()).await;
        tokio::time::sleep_until(self.looked_at + PAUSE).await;
    }

    async fn signal(&mut self) {
        loop {
            match self.changes.recv().await {
                Ok(change) if self.concerns(change) => return,
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => return,
                // The database is closed; the server is about to stop.
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

    async fn look(&mut self) {
        self.looked_at = Instant::now();
        // Whatever was said until now is in what is read below.
        self.changes = self.changes.resubscribe();
        match subscription_status::list(&self.db, self.caller.user_id).await {
            Ok(subscriptions) => self.waiting.extend(self.sent.difference(subscriptions)),
            Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "cannot look for what changed"),
        }
    }
}
