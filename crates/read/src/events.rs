//! Domain events: changes of items and feeds, delivered to capabilities inside the transaction that makes them.
//!
//! A capability registers an [`EventHandler`] at the reader ([`Reader::on_events`]) and enqueues its jobs there. All
//! handlers are called once for each transaction that has an event, as its last step before the commit. A transaction that
//! is rolled back takes their jobs with it, and one that is retried calls them again: each event has its effect
//! exactly once. A handler that fails with a database error fails the transaction.
//!
//! | event | fires when | does not fire when |
//! |---|---|---|
//! | items arrived | a fetch stores new items; the first fetch, by a subscriber or an import, stores the new feed's items | another user subscribes to a known feed; feeds merge or a subscription moves (copies of starred items arrived before) |
//! | items changed | a fetch stores another title, text, link, date or attachment for a known item | a user marks an item; its bookmarks are counted; it is only noted as still there |
//! | feed stopped | a fetch ends with a problem that stops the feed; an import stores a feed that is stopped from the start | a fetch fails and is tried again; a feed without subscribers rests |
//! | feed resumed | a subscriber resumes a stopped feed; a user subscribes to a stopped feed that answers again | a failing feed recovers, a resting feed gets a subscriber |

use std::{future::Future, pin::Pin, sync::Arc};

use queue::EnqueueError;
use store::{FeedId, ItemId, Tx};

use crate::Reader;

/// The events of one transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Events {
    /// New items. On PostgreSQL, no other transaction sees them yet.
    pub items_arrived: Vec<FeedItem>,
    /// Items that their publisher changed.
    pub items_changed: Vec<FeedItem>,
    /// Feeds that are not fetched until a subscriber resumes them.
    pub feeds_stopped: Vec<FeedId>,
    /// Feeds that were stopped and are fetched again.
    pub feeds_resumed: Vec<FeedId>,
}

/// An item and its feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedItem {
    pub feed: FeedId,
    pub item: ItemId,
}

impl Events {
    /// Whether there is no event.
    pub fn is_empty(&self) -> bool {
        *self == Events::default()
    }
}

/// A capability's reaction to events. It enqueues jobs and writes its own rows in the transaction, with few statements for
/// all items, and never uses the network.
pub trait EventHandler: Send + Sync + 'static {
    /// Called once for each transaction with an event.
    fn handle(&self, tx: &mut Tx, events: &Events) -> impl Future<Output = Result<(), EnqueueError>> + Send;
}

type Handled<'a> = Pin<Box<dyn Future<Output = Result<(), EnqueueError>> + Send + 'a>>;

/// [`EventHandler`] behind a pointer.
trait AnyHandler: Send + Sync {
    fn handle_boxed<'a>(&'a self, tx: &'a mut Tx, events: &'a Events) -> Handled<'a>;
}

impl<H: EventHandler> AnyHandler for H {
    fn handle_boxed<'a>(&'a self, tx: &'a mut Tx, events: &'a Events) -> Handled<'a> {
        Box::pin(self.handle(tx, events))
    }
}

/// The registered handlers.
#[derive(Clone, Default)]
pub(crate) struct Handlers(Arc<Vec<Arc<dyn AnyHandler>>>);

impl Handlers {
    pub fn add(&mut self, handler: impl EventHandler) {
        Arc::make_mut(&mut self.0).push(Arc::new(handler));
    }
}

impl Reader {
    /// Calls `handler` in every transaction of this reader that has an event. Clones made earlier do not call it.
    pub fn on_events(&mut self, handler: impl EventHandler) {
        self.handlers.add(handler);
    }

    /// Calls all handlers, as the last step before the commit.
    pub(crate) async fn publish(&self, tx: &mut Tx, events: &Events) -> store::Result<()> {
        if events.is_empty() {
            return Ok(());
        }
        for handler in self.handlers.0.iter() {
            only_store_errors(handler.handle_boxed(tx, events).await)?;
        }
        Ok(())
    }
}

/// Fails only if the database does. Any other error is a bug in the job's type, which must not prevent items from being stored.
pub(crate) fn only_store_errors(result: Result<(), EnqueueError>) -> store::Result<()> {
    match result {
        Err(EnqueueError::Store(error)) => Err(error),
        Err(error) => {
            tracing::error!(%error, "a job for an event could not be enqueued");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}
