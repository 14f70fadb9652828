//! The job that asks Hatena how many bookmarks items have, round by round, with the manners that all workers share.
//!
//! Counts are a courtesy: whatever goes wrong, what was known stays, and the next round tries again.

mod ask;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use queue::{Attempt, Job, Kind, Outcome, Priority, Schedule};
use serde::{Deserialize, Serialize};
use store::{
    ItemId,
    bookmarks::{self, CallLimits, CallPermit, UncountedItem},
};
use tokio_util::sync::CancellationToken;

use self::ask::{Batch, Failure};
use crate::{HatebuSettings, Reader};

/// How many items are read ahead: as many as a round of the usual size can ask about.
const READ_AHEAD: i64 = 5_000;
/// How long a round may last; it ends by itself before the queue takes it for stuck.
const LONGEST_ROUND: TimeDelta = TimeDelta::minutes(55);

/// Counts bookmarks for one round.
#[derive(Debug, Serialize, Deserialize)]
pub struct CountBookmarks {}

impl Job for CountBookmarks {
    const KIND: Kind = Kind {
        priority: Priority::Low,
        limit: Some(1),
        timeout: Duration::from_secs(60 * 60),
        ..Kind::new("count_bookmarks")
    };
    type Context = Reader;

    fn key(&self) -> Option<String> {
        Some("all".to_owned())
    }

    fn periodic(reader: &Reader) -> Option<(Schedule, Self)> {
        reader.hatebu().map(|hatebu| (Schedule::Every(hatebu.batch_interval), CountBookmarks {}))
    }

    async fn run(self, reader: &Reader, attempt: Attempt) -> Outcome {
        let Some(hatebu) = reader.hatebu() else { return Outcome::Done };
        match reader.count_round(hatebu, tokio::time::sleep, &attempt.stopping).await {
            Ok(round) => {
                if round.calls > 0 {
                    let Round { calls, failures, counted, ended } = round;
                    tracing::info!(calls, failures, counted, ?ended, "counted bookmarks");
                }
                Outcome::Done
            }
            Err(error) => Outcome::retry(format!("could not count bookmarks: {error}")),
        }
    }
}

/// What a round came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// How often Hatena was asked.
    pub calls: u32,
    /// How many of these calls failed.
    pub failures: u32,
    /// How many items have a fresh count.
    pub counted: usize,
    pub ended: Ended,
}

/// Why a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every count is fresh.
    AllFresh,
    /// It has made as many calls as it may.
    RoundIsFull,
    /// All rounds of the day together have.
    DayIsFull,
    /// Too many calls failed; calls begin again at this time.
    Paused(DateTime<Utc>),
    /// It took too long, or the process stops; the next one goes on.
    OutOfTime,
}

impl Reader {
    /// How bookmarks are counted, if they are.
    pub(crate) fn hatebu(&self) -> Option<&HatebuSettings> {
        self.settings.hatebu.as_ref()
    }

    /// One round: items never asked about first, then the stalest. `wait` passes the time between calls.
    pub async fn count_round<W, F>(
        &self,
        hatebu: &HatebuSettings,
        wait: W,
        stopping: &CancellationToken,
    ) -> store::Result<Round>
    where
        W: Fn(Duration) -> F,
        F: Future<Output = ()>,
    {
        let mut round = Round { calls: 0, failures: 0, counted: 0, ended: Ended::AllFresh };
        let started_at = self.clock.now();
        let deadline = started_at + LONGEST_ROUND;
        bookmarks::clear_future_counts(&self.db, started_at, READ_AHEAD).await?;
        let mut backlog = Backlog::new(started_at, hatebu.ttl);
        loop {
            let items = backlog.next(self).await?;
            if items.is_empty() {
                return Ok(round);
            }
            let (batches, unaskable) = ask::batches(&hatebu.api_url, items);
            if !unaskable.is_empty() {
                // Off the list, or they would be its first entries for ever.
                bookmarks::mark_uncountable(&self.db, unaskable, self.clock.now()).await?;
            }
            for batch in batches {
                if round.calls >= hatebu.max_calls_per_cycle {
                    return Ok(Round { ended: Ended::RoundIsFull, ..round });
                }
                if let Some(ended) = self.wait_for_leave(hatebu, &wait, stopping, deadline).await? {
                    return Ok(Round { ended, ..round });
                }
                round.calls += 1;
                match ask::ask(&self.net, &batch).await {
                    Ok(counts) => {
                        round.counted += counts.len();
                        bookmarks::mark_counted(&self.db, &counts, self.clock.now()).await?;
                    }
                    Err(failure) => {
                        round.failures += 1;
                        if let Some(until) = self.note_failure(&batch, &failure).await? {
                            return Ok(Round { ended: Ended::Paused(until), ..round });
                        }
                    }
                }
            }
        }
    }

    /// Waits until a call may be made; tells why if none may be made any more.
    async fn wait_for_leave<W, F>(
        &self,
        hatebu: &HatebuSettings,
        wait: &W,
        stopping: &CancellationToken,
        deadline: DateTime<Utc>,
    ) -> store::Result<Option<Ended>>
    where
        W: Fn(Duration) -> F,
        F: Future<Output = ()>,
    {
        let manners = CallLimits {
            interval: TimeDelta::from_std(hatebu.api_interval).unwrap_or(LONGEST_ROUND),
            calls_per_day: i64::from(hatebu.max_calls_per_day),
        };
        loop {
            let now = self.clock.now();
            if stopping.is_cancelled() || now >= deadline {
                return Ok(Some(Ended::OutOfTime));
            }
            match bookmarks::claim_call(&self.db, &manners, now).await? {
                CallPermit::Granted => return Ok(None),
                CallPermit::DailyLimitReached => return Ok(Some(Ended::DayIsFull)),
                CallPermit::Paused(until) => return Ok(Some(Ended::Paused(until))),
                CallPermit::NotBefore(at) if at >= deadline => return Ok(Some(Ended::OutOfTime)),
                CallPermit::NotBefore(at) => {
                    stopping.run_until_cancelled(wait((at - now).to_std().unwrap_or_default())).await;
                }
            }
        }
    }

    async fn note_failure(&self, batch: &Batch, failure: &Failure) -> store::Result<Option<DateTime<Utc>>> {
        let now = self.clock.now();
        let wanted = failure.retry_after(now);
        let (in_a_row, paused_until) =
            bookmarks::mark_call_failed(&self.db, |failures| pause(failures).max(wanted), now).await?;
        tracing::warn!(%failure, urls = batch.len(), in_a_row, ?paused_until, "Hatena gave no bookmark counts");
        Ok(paused_until)
    }
}

/// How long calls rest after so many failures in a row.
fn pause(failures: i64) -> Option<TimeDelta> {
    match failures {
        ..3 => None,
        3..5 => Some(TimeDelta::minutes(30)),
        5..10 => Some(TimeDelta::hours(1)),
        10.. => Some(TimeDelta::hours(6)),
    }
}

/// What is to be asked about, read ahead in order. What a failed call was about is passed over until the next round, so
/// that one bad address cannot hold up all others.
struct Backlog {
    place: Place,
    stale_until: DateTime<Utc>,
}

enum Place {
    /// Among those never asked about, below this one.
    NeverAsked(ItemId),
    /// Among the stale ones, after this one.
    Stale(DateTime<Utc>, ItemId),
}

impl Backlog {
    fn new(now: DateTime<Utc>, ttl: Duration) -> Backlog {
        let ttl = TimeDelta::from_std(ttl).unwrap_or(TimeDelta::MAX);
        let stale_until = now.checked_sub_signed(ttl).unwrap_or(DateTime::UNIX_EPOCH);
        Backlog { place: Place::NeverAsked(ItemId(i64::MAX)), stale_until }
    }

    /// The next items; none at the end.
    async fn next(&mut self, reader: &Reader) -> store::Result<Vec<UncountedItem>> {
        if let Place::NeverAsked(before) = self.place {
            let items = bookmarks::list_never_counted(&reader.db, before, READ_AHEAD).await?;
            match items.last() {
                Some(last) => {
                    self.place = Place::NeverAsked(last.id);
                    return Ok(items);
                }
                None => self.place = Place::Stale(DateTime::UNIX_EPOCH, ItemId(0)),
            }
        }
        let Place::Stale(after, id) = self.place else { return Ok(Vec::new()) };
        let items = bookmarks::list_stale(&reader.db, (after, id), self.stale_until, READ_AHEAD).await?;
        if let Some(UncountedItem { id, hatebu_fetched_at: Some(at), .. }) = items.last() {
            self.place = Place::Stale(*at, *id);
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_with_failures_in_a_row() {
        let minutes = |failures| pause(failures).map(|pause| pause.num_minutes());
        let ladder: Vec<_> = (1..=11).map(minutes).collect();
        let (half, one, six) = (Some(30), Some(60), Some(360));
        assert_eq!(ladder, [None, None, half, half, one, one, one, one, one, six, six]);
    }
}
