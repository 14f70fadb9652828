//! Read, unread and starred: for one item, for many, for everything up to a point, and back again.

use chrono::{DateTime, TimeDelta, Utc};
use store::{
    Change, ItemId, Tx, UndoId, UserId,
    item_lists::{self, ItemScope, Position},
    states::{self, ItemState, MarkedItems, UnreadQuery},
    undos::{self, NewUndoChunk},
};

use crate::{Error, Reader, Result};

/// The most items in one transaction: others wait for it. Fewer would write the same pages of the indexes more often.
const CHUNK: i64 = 5_000;
/// How long marking can be taken back.
const UNDO_MINUTES: i64 = 10;

/// What to change about a state; the rest stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatePatch {
    pub is_read: Option<bool>,
    /// With a star or without.
    pub is_starred: Option<bool>,
}

/// What to mark as read: all conditions hold.
#[derive(Debug, Clone, Copy)]
pub struct MarkRead {
    pub scope: ItemScope,
    /// Only those with a star.
    pub is_starred: bool,
    /// Nothing that arrived later than this, whatever its date: what the person cannot have seen.
    pub as_of: Option<ItemId>,
    /// This item and those behind it in a list that begins with the newest.
    pub up_to: Option<ItemId>,
    /// Only what was published before.
    pub older_than: Option<DateTime<Utc>>,
}

/// What was marked as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked {
    pub undo: UndoId,
    pub items: usize,
}

impl Reader {
    /// Changes the state of one item. Doing it twice is the same as once.
    pub async fn change_state(&self, user: UserId, item: ItemId, patch: StatePatch) -> Result<ItemState> {
        self.change_states(user, &[item], patch).await?.pop().ok_or(Error::NotFound)
    }

    /// Changes the states of many items; tells those of the items that the person has.
    pub async fn change_states(&self, user: UserId, items: &[ItemId], patch: StatePatch) -> Result<Vec<ItemState>> {
        let now = self.clock.now();
        let mut items = items.to_vec();
        // In this order for everybody, so that no two wait for each other.
        items.sort_unstable();
        let changed = self.db.transact(async |tx| {
            if let Some(is_read) = patch.is_read {
                let changed = states::mark_read(tx, user, &items, is_read, now).await?;
                tell(tx, user, !changed.is_empty());
            }
            if let Some(is_starred) = patch.is_starred {
                let changed = states::mark_starred(tx, user, &items, is_starred, now).await?;
                tell(tx, user, changed > 0);
            }
            Ok::<_, Error>(())
        });
        changed.await?;
        Ok(states::list(&self.db, user, &items).await?)
    }

    /// Marks everything as read that the request describes, in chunks; all of it can be taken back.
    pub async fn mark_as_read(&self, user: UserId, request: &MarkRead) -> Result<Marked> {
        self.check_scope(user, request.scope).await?;
        let latest = item_lists::latest_arrival(&self.db).await?;
        let mut unread = UnreadQuery {
            scope: request.scope,
            is_starred: request.is_starred,
            // What arrives while this runs stays unread at any rate, and so it ends.
            as_of: request.as_of.map_or(latest, |as_of| as_of.min(latest)),
            after: self.beginning(user, request).await?,
            limit: CHUNK,
        };
        let undo = UndoId::new();
        let mut items = 0;
        for chunk in 0.. {
            let marked = self.db.transact(async |tx| self.mark_chunk(tx, user, &unread, undo, chunk).await).await?;
            items += marked.items.len();
            match marked.last {
                Some(last) if marked.items.len() >= usize::try_from(CHUNK).unwrap_or_default() => unread.after = last,
                _ => break,
            }
        }
        undos::extend(&self.db, user, undo, self.undo_until()).await?;
        Ok(Marked { undo, items })
    }

    /// Makes unread again what was marked and is still read; tells how many items. It works once.
    pub async fn undo(&self, user: UserId, undo: UndoId) -> Result<usize> {
        let now = self.clock.now();
        let mut items = None;
        loop {
            let taken = self.db.transact(async |tx| {
                let Some(chunk) = undos::claim(tx, user, undo, now).await? else { return Ok(None) };
                let unread = states::mark_read(tx, user, &chunk, false, now).await?.len();
                tell(tx, user, unread > 0);
                Ok::<_, Error>(Some(unread))
            });
            let Some(unread) = taken.await? else { return items.ok_or(Error::UndoExpired { minutes: UNDO_MINUTES }) };
            items = Some(items.unwrap_or_default() + unread);
        }
    }

    /// The place that everything to be marked comes after in a list that begins with the newest.
    async fn beginning(&self, user: UserId, request: &MarkRead) -> Result<Position> {
        let mut beginning = Position::newest();
        if let Some(item) = request.up_to {
            let place = item_lists::find_position(&self.db, user, item).await?.ok_or(Error::NotFound)?;
            beginning = Position { id: ItemId(place.id.0.saturating_add(1)), ..place };
        }
        if let Some(published_at) = request.older_than {
            beginning = beginning.min(Position { published_at, id: ItemId(0) });
        }
        Ok(beginning.max(Position::oldest()))
    }

    /// Marks the next chunk, and notes it for undo.
    async fn mark_chunk(
        &self,
        tx: &mut Tx,
        user: UserId,
        unread: &UnreadQuery,
        undo: UndoId,
        chunk: i64,
    ) -> Result<MarkedItems> {
        let marked = states::mark_next_read(tx, user, unread, self.clock.now()).await?;
        // The first also when it is empty: taking back nothing is no fault.
        if chunk == 0 || !marked.items.is_empty() {
            let new = NewUndoChunk { undo, chunk, items: &marked.items, expires_at: self.undo_until() };
            undos::create(tx, user, &new).await?;
        }
        tell(tx, user, !marked.items.is_empty());
        Ok(marked)
    }

    fn undo_until(&self) -> DateTime<Utc> {
        self.clock.now() + TimeDelta::minutes(UNDO_MINUTES)
    }
}

/// Announces that the user's counts changed, if they did.
fn tell(tx: &mut Tx, user: UserId, changed: bool) {
    if changed {
        tx.changed(Change::User(user));
    }
}
