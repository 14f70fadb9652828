//! Whose data changed, told to everybody who shows it.

use std::{
    collections::HashSet,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::broadcast;
use uuid::Uuid;

use crate::{FeedId, UserId};

/// How many changes somebody may be behind before they have to look at everything.
const BACKLOG: usize = 1_024;
/// More than this many at once are told as "everything".
const MOST_UNTOLD: usize = 2_000;
/// PostgreSQL takes notes of less than 8,000 bytes; a change has 38.
const PER_NOTE: usize = 150;

/// Whose data is no longer what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// A feed: its items, its status.
    Feed(FeedId),
    /// A person: their subscriptions, what they have read.
    User(UserId),
    /// Perhaps everybody's.
    Everything,
}

/// The changes of one process.
pub(super) struct Changes {
    heard: broadcast::Sender<Change>,
    /// What other processes have still to be told.
    untold: Mutex<HashSet<Change>>,
    /// Marks our own notes, which come back to us.
    own: Uuid,
}

impl Changes {
    pub fn new() -> Self {
        Changes { heard: broadcast::Sender::new(BACKLOG), untold: Mutex::default(), own: Uuid::new_v4() }
    }

    pub fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.heard.subscribe()
    }

    pub fn publish(&self, change: Change) {
        self.hear(change);
        let mut untold = self.untold();
        if untold.len() < MOST_UNTOLD {
            untold.insert(change);
        } else {
            *untold = HashSet::from([Change::Everything]);
        }
    }

    /// Tells the listeners of this process.
    pub fn hear(&self, change: Change) {
        // Nobody may be listening.
        let _ = self.heard.send(change);
    }

    /// What to tell other processes: `changes OWN f:ID u:ID`.
    pub fn take_notes(&self) -> Vec<String> {
        let untold: Vec<Change> = mem::take(&mut *self.untold()).into_iter().collect();
        let own = self.own.simple();
        let words = |changes: &[Change]| changes.iter().map(word).collect::<Vec<_>>().join(" ");
        untold.chunks(PER_NOTE).map(|changes| format!("changes {own} {}", words(changes))).collect()
    }

    /// Tells the listeners of this process what another one noted.
    pub fn hear_note(&self, note: &str) {
        let mut words = note.split(' ');
        if words.next() != Some("changes") || words.next() == Some(&self.own.simple().to_string()) {
            return;
        }
        words.filter_map(change).for_each(|change| self.hear(change));
    }

    fn untold(&self) -> MutexGuard<'_, HashSet<Change>> {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn a_note_reaches_others_and_not_oneself() {
        let (here, there) = (Changes::new(), Changes::new());
        let (feed, user) = (Change::Feed(FeedId::new()), Change::User(UserId::new()));
        here.publish(feed);
        here.publish(user);
        here.publish(user);
        let notes = here.take_notes();
        assert_eq!(notes.len(), 1);
        let (mut own, mut others) = (here.subscribe(), there.subscribe());
        here.hear_note(&notes[0]);
        there.hear_note(&notes[0]);
        there.hear_note("jobs");
        there.hear_note("changes x nonsense f:nonsense");
        assert!(own.try_recv().is_err());
        let heard = HashSet::from([others.try_recv().unwrap(), others.try_recv().unwrap()]);
        assert_eq!(heard, HashSet::from([feed, user]));
        assert!(others.try_recv().is_err());
        assert!(here.take_notes().is_empty());
    }

    #[test]
    fn notes_are_short_enough_and_a_flood_becomes_one_word() {
        let changes = Changes::new();
        (0..1_000).for_each(|_| changes.publish(Change::Feed(FeedId::new())));
        let notes = changes.take_notes();
        assert_eq!(notes.len(), 7);
        assert!(notes.iter().all(|note| note.len() < 7_000));
        (0..5_000).for_each(|_| changes.publish(Change::Feed(FeedId::new())));
        let others = Changes::new();
        let mut heard = others.subscribe();
        changes.take_notes().iter().for_each(|note| others.hear_note(note));
        assert!(std::iter::from_fn(|| heard.try_recv().ok()).any(|change| change == Change::Everything));
    }
}
