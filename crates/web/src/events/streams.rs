//! Limits the open event streams of each user.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use store::UserId;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Streams per user. Browsers open one for each tab.
const MAX_STREAMS: usize = 10;

type Tokens = HashMap<UserId, VecDeque<(Uuid, CancellationToken)>>;

/// The open event streams of this process. Cheap to clone.
#[derive(Clone, Default)]
pub struct EventStreams(Arc<Mutex<Tokens>>);

/// An open stream. Dropping it frees its slot.
pub(super) struct OpenStream {
    streams: EventStreams,
    user: UserId,
    id: Uuid,
    replaced: CancellationToken,
}

impl EventStreams {
    /// Opens a stream of a user. Beyond the limit, the oldest stream of the user ends.
    pub(super) fn open(&self, user: UserId) -> OpenStream {
        let (id, replaced) = (Uuid::new_v4(), CancellationToken::new());
        let mut tokens = self.tokens();
        let own = tokens.entry(user).or_default();
        own.push_back((id, replaced.clone()));
        if own.len() > MAX_STREAMS
            && let Some((_, oldest)) = own.pop_front()
        {
            oldest.cancel();
        }
        OpenStream { streams: self.clone(), user, id, replaced }
    }

    fn tokens(&self) -> MutexGuard<'_, Tokens> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenStream {
    /// Cancelled when a newer stream replaces this one.
    pub(super) fn replaced(&self) -> CancellationToken {
        self.replaced.clone()
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut tokens = self.streams.tokens();
        if let Some(own) = tokens.get_mut(&self.user) {
            own.retain(|(id, _)| *id != self.id);
            if own.is_empty() {
                tokens.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_stream_ends_and_slots_are_freed() {
        let (streams, one, other) = (EventStreams::default(), UserId::new(), UserId::new());
        let mut open: Vec<OpenStream> = (0..MAX_STREAMS).map(|_| streams.open(one)).collect();
        let others = streams.open(other);
        assert!(open.iter().all(|open| !open.replaced.is_cancelled()));
        open.push(streams.open(one));
        let ended: Vec<bool> = open.iter().map(|open| open.replaced.is_cancelled()).collect();
        assert_eq!(ended.iter().position(|ended| *ended), Some(0));
        assert_eq!(ended.iter().filter(|ended| **ended).count(), 1);
        assert!(!others.replaced.is_cancelled(), "another user's stream");
        drop((open, others));
        assert!(streams.tokens().is_empty());
    }
}
