//! Read, unread and starred: for one item, for many, for all items up to a point; and undo.

use chrono::{DateTime, TimeDelta, Utc};
use store::{
    Change, ItemId, Revised, Tx, UndoId, UserId,
    item_lists::{self, ItemScope, Position},
    states::{self, ItemState, MarkedItems, UnreadQuery},
    undos::{self, NewUndoChunk},
    users,
};

use crate::{Error, Reader, Result};

/// The maximum number of items in one transaction. Larger transactions block other writers longer; smaller ones write the
/// same index pages more often.
const MAX_CHUNK: i64 = 20_000;
/// How long marking can be undone.
const UNDO_MINUTES: i64 = 10;

/// Changes to a state; `None` leaves a field unchanged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatePatch {
    pub is_read: Option<bool>,
    pub is_starred: Option<bool>,
}

/// Which items to mark as read; all conditions must hold.
#[derive(Debug, Clone, Copy)]
pub struct MarkRead {
    pub scope: ItemScope,
    pub is_starred: bool,
    /// Only items that did not arrive after this one, whatever their dates: the user has not seen later arrivals.
    pub as_of: Option<ItemId>,
    /// This item and those after it in a list with the newest first.
    pub up_to: Option<ItemId>,
    pub older_than: Option<DateTime<Utc>>,
}

/// The result of marking items as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkedAsRead {
    pub undo: UndoId,
    pub items: usize,
}

impl Reader {
    /// Changes the state of one item. The operation is idempotent.
    pub async fn update_state(&self, user: UserId, item: ItemId, patch: StatePatch) -> Result<Revised<ItemState>> {
        let Revised { mut value, revision } = self.update_states(user, &[item], patch).await?;
        value.pop().map(|value| Revised { value, revision }).ok_or(Error::NotFound)
    }

    /// Changes the states of many items. Returns the states of those items that the user has.
    pub async fn update_states(
        &self,
        user: UserId,
        items: &[ItemId],
        patch: StatePatch,
    ) -> Result<Revised<Vec<ItemState>>> {
        let now = self.clock.now();
        let mut items = items.to_vec();
        // All transactions lock rows in this order, which prevents deadlocks.
        items.sort_unstable();
        let changed = self.db.transact(async |tx| {
            if let Some(is_read) = patch.is_read {
                let changed = states::mark_read(tx, user, &items, is_read, now).await?;
                announce_if(!changed.is_empty(), tx, user);
            }
            if let Some(is_starred) = patch.is_starred {
                let changed = states::mark_starred(tx, user, &items, is_starred, now).await?;
                announce_if(changed > 0, tx, user);
            }
            Ok::<_, Error>(users::get_revision(tx, user).await?)
        });
        let revision = changed.await?;
        Ok(Revised { value: states::list(&self.db, user, &items).await?, revision })
    }

    /// Marks all items that match the request as read, in chunks. One undo reverts all of them.
    pub async fn mark_as_read(&self, user: UserId, request: &MarkRead) -> Result<Revised<MarkedAsRead>> {
        self.check_scope(user, request.scope).await?;
        let latest = item_lists::latest_arrival(&self.db).await?;
        let mut unread = UnreadQuery {
            scope: request.scope,
            is_starred: request.is_starred,
            // Items that arrive meanwhile stay unread, so the loop ends.
            as_of: request.as_of.map_or(latest, |as_of| as_of.min(latest)),
            after: self.start_position(user, request).await?,
            limit: MAX_CHUNK,
        };
        let undo = UndoId::new();
        let (mut items, mut revision) = (0, 0);
        for chunk in 0.. {
            let chunk = self.db.transact(async |tx| self.mark_chunk(tx, user, &unread, undo, chunk).await).await?;
            let marked = chunk.value;
            revision = chunk.revision;
            items += marked.items.len();
            match marked.last {
                Some(last) if marked.items.len() >= usize::try_from(MAX_CHUNK).unwrap_or_default() => {
                    unread.after = last
                }
                _ => break,
            }
        }
        undos::extend(&self.db, user, undo, self.undo_until()).await?;
        Ok(Revised { value: MarkedAsRead { undo, items }, revision })
    }

    /// Marks the items of a [`MarkedAsRead`] unread that are still read. Returns their number. It works once.
    pub async fn undo(&self, user: UserId, undo: UndoId) -> Result<Revised<usize>> {
        let now = self.clock.now();
        let mut done: Option<Revised<usize>> = None;
        loop {
            let taken = self.db.transact(async |tx| {
                let Some(chunk) = undos::claim(tx, user, undo, now).await? else { return Ok(None) };
                let unread = states::mark_read(tx, user, &chunk, false, now).await?.len();
                announce_if(unread > 0, tx, user);
                Ok::<_, Error>(Some(Revised { value: unread, revision: users::get_revision(tx, user).await? }))
            });
            let Some(chunk) = taken.await? else { return done.ok_or(Error::UndoExpired { minutes: UNDO_MINUTES }) };
            done = Some(Revised { value: done.map_or(0, |done| done.value) + chunk.value, ..chunk });
        }
    }

    /// The position after which all items to mark are, in a list with the newest first.
    async fn start_position(&self, user: UserId, request: &MarkRead) -> Result<Position> {
        let mut start = Position::newest();
        if let Some(item) = request.up_to {
            let position = item_lists::find_position(&self.db, user, item).await?.ok_or(Error::NotFound)?;
            start = Position { id: ItemId(position.id.0.saturating_add(1)), ..position };
        }
        if let Some(published_at) = request.older_than {
            start = start.min(Position { published_at, id: ItemId(0) });
        }
        Ok(start.max(Position::oldest()))
    }

    /// Marks the next chunk and stores it for undo.
    async fn mark_chunk(
        &self,
        tx: &mut Tx,
        user: UserId,
        unread: &UnreadQuery,
        undo: UndoId,
        chunk: i64,
    ) -> Result<Revised<MarkedItems>> {
        let marked = states::mark_next_read(tx, user, unread, self.clock.now()).await?;
        // The first chunk is stored even if it is empty: undoing an empty mark is not an error.
        if chunk == 0 || !marked.items.is_empty() {
            let new = NewUndoChunk { undo, chunk, items: &marked.items, expires_at: self.undo_until() };
            undos::create(tx, user, &new).await?;
        }
        announce_if(!marked.items.is_empty(), tx, user);
        Ok(Revised { value: marked, revision: users::get_revision(tx, user).await? })
    }

    fn undo_until(&self) -> DateTime<Utc> {
        self.clock.now() + TimeDelta::minutes(UNDO_MINUTES)
    }
}

fn announce_if(has_changed: bool, tx: &mut Tx, user: UserId) {
    if has_changed {
        tx.changed(Change::User(user));
    }
}
