//! The job that asks Hatena for the bookmark counts of items, in rounds, with limits shared by all workers.
//!
//! A failed call keeps the old counts; the next round retries.

mod hatena;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use queue::{Attempt, Job, JobKind, Outcome, Priority, Schedule};
use serde::{Deserialize, Serialize};
use store::{
    ItemId,
    bookmarks::{self, CallLimits, CallPermit, UncountedItem},
};
use tokio_util::sync::CancellationToken;

use self::hatena::{Batch, CallError};
use crate::{HatebuSettings, Reader};

/// Items per query. A round with the default settings asks about this many.
const READ_AHEAD: i64 = 5_000;
/// The maximum duration of a round, shorter than the job's timeout.
const MAX_ROUND: TimeDelta = TimeDelta::minutes(55);

/// Counts bookmarks for one round.
#[derive(Debug, Serialize, Deserialize)]
pub struct CountBookmarks {}

impl Job for CountBookmarks {
    const KIND: JobKind = JobKind {
        priority: Priority::Low,
        limit: Some(1),
        timeout: Duration::from_secs(60 * 60),
        ..JobKind::new("count_bookmarks")
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

/// The result of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    pub calls: u32,
    pub failures: u32,
    /// The number of items with a new count.
    pub counted: usize,
    pub ended: RoundEnd,
}

/// Why a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundEnd {
    /// Every count is fresh.
    AllFresh,
    /// The round has reached its limit of calls.
    RoundIsFull,
    /// The rounds of the day have reached their limit of calls.
    DayIsFull,
    /// Too many calls failed; calls resume at this time.
    Paused(DateTime<Utc>),
    /// It took too long, or the process is stopping; the next round continues.
    OutOfTime,
}

impl Reader {
    /// Whether bookmark counts are shown to a user without a choice; `None` if this server has none.
    pub fn bookmark_counts_default(&self, is_japanese: bool) -> Option<bool> {
        self.hatebu().map(|hatebu| hatebu.for_all || is_japanese)
    }

    /// The settings, if bookmark counts are on.
    pub(crate) fn hatebu(&self) -> Option<&HatebuSettings> {
        self.settings.hatebu.as_ref()
    }

    /// Runs one round: first new items, then the items with the oldest counts. `wait` sleeps between calls.
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
        let mut round = Round { calls: 0, failures: 0, counted: 0, ended: RoundEnd::AllFresh };
        let started_at = self.clock.now();
        let deadline = started_at + MAX_ROUND;
        bookmarks::clear_future_counts(&self.db, started_at, READ_AHEAD).await?;
        let mut backlog = Backlog::new(started_at, hatebu);
        loop {
            let items = backlog.next(self).await?;
            if items.is_empty() {
                return Ok(round);
            }
            let (batches, unaskable) = hatena::batches(&hatebu.api_url, items);
            if !unaskable.is_empty() {
                // Otherwise they would stay at the top of the list for ever.
                bookmarks::mark_uncountable(&self.db, unaskable, self.clock.now()).await?;
            }
            for batch in batches {
                if round.calls >= hatebu.max_calls_per_cycle {
                    return Ok(Round { ended: RoundEnd::RoundIsFull, ..round });
                }
                if let Some(ended) = self.wait_for_permit(hatebu, &wait, stopping, deadline).await? {
                    return Ok(Round { ended, ..round });
                }
                round.calls += 1;
                match hatena::fetch_counts(&self.net, &batch).await {
                    Ok(counts) => {
                        round.counted += counts.len();
                        bookmarks::mark_counted(&self.db, &counts, self.clock.now()).await?;
                    }
                    Err(failure) => {
                        round.failures += 1;
                        if let Some(until) = self.record_failure(&batch, &failure).await? {
                            return Ok(Round { ended: RoundEnd::Paused(until), ..round });
                        }
                    }
                }
            }
        }
    }

    /// Waits until a call is permitted. Returns why the round ends if no more calls are permitted.
    async fn wait_for_permit<W, F>(
        &self,
        hatebu: &HatebuSettings,
        wait: &W,
        stopping: &CancellationToken,
        deadline: DateTime<Utc>,
    ) -> store::Result<Option<RoundEnd>>
    where
        W: Fn(Duration) -> F,
        F: Future<Output = ()>,
    {
        let limits = CallLimits {
            interval: TimeDelta::from_std(hatebu.api_interval).unwrap_or(MAX_ROUND),
            calls_per_day: i64::from(hatebu.max_calls_per_day),
        };
        loop {
            let now = self.clock.now();
            if stopping.is_cancelled() || now >= deadline {
                return Ok(Some(RoundEnd::OutOfTime));
            }
            match bookmarks::claim_call(&self.db, &limits, now).await? {
                CallPermit::Granted => return Ok(None),
                CallPermit::DailyLimitReached => return Ok(Some(RoundEnd::DayIsFull)),
                CallPermit::Paused(until) => return Ok(Some(RoundEnd::Paused(until))),
                CallPermit::NotBefore(at) if at >= deadline => return Ok(Some(RoundEnd::OutOfTime)),
                CallPermit::NotBefore(at) => {
                    stopping.run_until_cancelled(wait((at - now).to_std().unwrap_or_default())).await;
                }
            }
        }
    }

    async fn record_failure(&self, batch: &Batch, failure: &CallError) -> store::Result<Option<DateTime<Utc>>> {
        let now = self.clock.now();
        let wanted = failure.retry_after(now);
        let (in_a_row, paused_until) =
            bookmarks::mark_call_failed(&self.db, |failures| pause(failures).max(wanted), now).await?;
        tracing::warn!(%failure, urls = batch.len(), in_a_row, ?paused_until, "could not fetch bookmark counts from Hatena");
        Ok(paused_until)
    }
}

/// The pause after this many consecutive failures.
fn pause(failures: i64) -> Option<TimeDelta> {
    match failures {
        ..3 => None,
        3..5 => Some(TimeDelta::minutes(30)),
        5..10 => Some(TimeDelta::hours(1)),
        10.. => Some(TimeDelta::hours(6)),
    }
}

/// The items to ask about, in order. The items of a failed call are skipped until the next round, so that one bad address
/// does not block the others.
struct Backlog {
    position: BacklogPosition,
    stale_until: DateTime<Utc>,
    for_all: bool,
}

enum BacklogPosition {
    /// Among the items without a count, below this one.
    NeverAsked(ItemId),
    /// Among the items with old counts, after this one.
    Stale(DateTime<Utc>, ItemId),
}

impl Backlog {
    fn new(now: DateTime<Utc>, hatebu: &HatebuSettings) -> Backlog {
        let ttl = TimeDelta::from_std(hatebu.ttl).unwrap_or(TimeDelta::MAX);
        let stale_until = now.checked_sub_signed(ttl).unwrap_or(DateTime::UNIX_EPOCH);
        Backlog { position: BacklogPosition::NeverAsked(ItemId(i64::MAX)), stale_until, for_all: hatebu.for_all }
    }

    /// The next items; empty at the end.
    async fn next(&mut self, reader: &Reader) -> store::Result<Vec<UncountedItem>> {
        if let BacklogPosition::NeverAsked(before) = self.position {
            let items = bookmarks::list_never_counted(&reader.db, before, self.for_all, READ_AHEAD).await?;
            match items.last() {
                Some(last) => {
                    self.position = BacklogPosition::NeverAsked(last.id);
                    return Ok(items);
                }
                None => self.position = BacklogPosition::Stale(DateTime::UNIX_EPOCH, ItemId(0)),
            }
        }
        let BacklogPosition::Stale(after, id) = self.position else { return Ok(Vec::new()) };
        let items = bookmarks::list_stale(&reader.db, (after, id), self.stale_until, self.for_all, READ_AHEAD).await?;
        if let Some(UncountedItem { id, hatebu_fetched_at: Some(at), .. }) = items.last() {
            self.position = BacklogPosition::Stale(*at, *id);
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_with_consecutive_failures() {
        let minutes = |failures| pause(failures).map(|pause| pause.num_minutes());
        let ladder: Vec<_> = (1..=11).map(minutes).collect();
        let (half, one, six) = (Some(30), Some(60), Some(360));
        assert_eq!(ladder, [None, None, half, half, one, one, one, one, one, six, six]);
    }
}
