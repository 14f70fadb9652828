//! Changes of data, sent to the receivers of this and other processes.

use std::{
    collections::HashSet,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::broadcast;
use uuid::Uuid;

use crate::{FeedId, UserId};

/// A receiver that lags by more changes has to re-read everything.
const CHANNEL_CAPACITY: usize = 1_024;
/// More unsent changes than this are sent as [`Change::Everything`].
const MAX_UNSENT: usize = 2_000;
/// PostgreSQL's limit for a notification is 8,000 bytes; a change has 38.
const CHANGES_PER_NOTE: usize = 150;

/// Whose data changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// The items or the status of a feed.
    Feed(FeedId),
    /// The subscriptions or item states of a user.
    User(UserId),
    /// Possibly everything.
    Everything,
}

/// The changes of one process.
pub(super) struct ChangeFeed {
    heard: broadcast::Sender<Change>,
    /// Changes not yet sent to other processes.
    unsent: Mutex<HashSet<Change>>,
    /// Identifies the notifications of this process, which PostgreSQL sends back to it.
    own: Uuid,
}

impl ChangeFeed {
    pub fn new() -> Self {
        ChangeFeed { heard: broadcast::Sender::new(CHANNEL_CAPACITY), unsent: Mutex::default(), own: Uuid::new_v4() }
    }

    pub fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.heard.subscribe()
    }

    pub fn publish(&self, change: Change) {
        self.deliver(change);
        let mut unsent = self.unsent();
        if unsent.len() < MAX_UNSENT {
            unsent.insert(change);
        } else {
            *unsent = HashSet::from([Change::Everything]);
        }
    }

    /// Sends a change to the receivers of this process.
    pub fn deliver(&self, change: Change) {
        // There may be no receiver.
        let _ = self.heard.send(change);
    }

    /// The unsent changes as notifications: `changes OWN f:ID u:ID`.
    pub fn take_notes(&self) -> Vec<String> {
        let unsent: Vec<Change> = mem::take(&mut *self.unsent()).into_iter().collect();
        let own = self.own.simple();
        let words = |changes: &[Change]| changes.iter().map(word).collect::<Vec<_>>().join(" ");
        unsent.chunks(CHANGES_PER_NOTE).map(|changes| format!("changes {own} {}", words(changes))).collect()
    }

    /// Sends the changes in a notification of another process to the receivers of this one.
    pub fn deliver_note(&self, note: &str) {
        let mut words = note.split(' ');
        if words.next() != Some("changes") || words.next() == Some(&self.own.simple().to_string()) {
            return;
        }
        words.filter_map(change).for_each(|change| self.deliver(change));
    }

    fn unsent(&self) -> MutexGuard<'_, HashSet<Change>> {
        self.unsent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn word(change: &Change) -> String {
    match change {
        Change::Feed(id) => format!("f:{}", id.0.simple()),
        Change::User(id) => format!("u:{}", id.0.simple()),
        Change::Everything => "*".to_owned(),
    }
}

fn change(word: &str) -> Option<Change> {
    match word.split_once(':') {
        Some(("f", id)) => id.parse().ok().map(Change::Feed),
        Some(("u", id)) => id.parse().ok().map(Change::User),
        _ => (word == "*").then_some(Change::Everything),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_reaches_only_other_processes() {
        let (here, there) = (ChangeFeed::new(), ChangeFeed::new());
        let (feed, user) = (Change::Feed(FeedId::new()), Change::User(UserId::new()));
        here.publish(feed);
        here.publish(user);
        here.publish(user);
        let notes = here.take_notes();
        assert_eq!(notes.len(), 1);
        let (mut own, mut others) = (here.subscribe(), there.subscribe());
        here.deliver_note(&notes[0]);
        there.deliver_note(&notes[0]);
        there.deliver_note("jobs");
        there.deliver_note("changes x nonsense f:nonsense");
        assert!(own.try_recv().is_err());
        let heard = HashSet::from([others.try_recv().unwrap(), others.try_recv().unwrap()]);
        assert_eq!(heard, HashSet::from([feed, user]));
        assert!(others.try_recv().is_err());
        assert!(here.take_notes().is_empty());
    }

    #[test]
    fn notes_are_split_and_a_flood_is_merged() {
        let changes = ChangeFeed::new();
        (0..1_000).for_each(|_| changes.publish(Change::Feed(FeedId::new())));
        let notes = changes.take_notes();
        assert_eq!(notes.len(), 7);
        assert!(notes.iter().all(|note| note.len() < 7_000));
        (0..5_000).for_each(|_| changes.publish(Change::Feed(FeedId::new())));
        let others = ChangeFeed::new();
        let mut heard = others.subscribe();
        changes.take_notes().iter().for_each(|note| others.deliver_note(note));
        assert!(std::iter::from_fn(|| heard.try_recv().ok()).any(|change| change == Change::Everything));
    }
}
