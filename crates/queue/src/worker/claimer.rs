//! Claims one job for each free slot. While jobs are short, it also claims jobs ahead of the slots.

use std::{collections::HashMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use store::{
    LeaseToken, Topic,
    jobs::{self, DueKind, JobClaim},
};
use tokio::time::Instant;

use super::Shared;
use crate::{handler::Registered, time::later};

/// The maximum number of jobs claimed ahead of free slots. Larger batches are not faster.
const MAX_AHEAD: usize = 512;
/// A batch that is used up faster than this may grow.
const SHORT_BATCH: Duration = Duration::from_millis(100);
/// A batch that lasts longer than this shrinks: it keeps jobs from idle workers.
const LONG_BATCH: Duration = Duration::from_millis(500);
/// The pause after a database error, doubling up to the maximum.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// The polling interval is this many times longer while signals of other processes arrive. A signal can still be lost with the
/// process that should send it.
const LISTENING_FACTOR: u32 = 5;

/// The result of one round of claims.
struct Round {
    claimed: usize,
    /// Due jobs may be left.
    more: bool,
    /// The next job that is not due yet.
    next_due: Option<DateTime<Utc>>,
}

pub(super) async fn run(shared: Arc<Shared>) {
    let mut claimer = Claimer { ahead: 0, full_at: None, lanes: HashMap::new(), shared };
    let mut signal = claimer.shared.db.signals().subscribe(Topic::Jobs);
    let mut pause = FIRST_PAUSE;
    while !claimer.shared.stop.is_cancelled() {
        let room = claimer.room();
        if room == 0 {
            tokio::select! {
                () = claimer.shared.room.notified() => {}
                () = claimer.shared.stop.cancelled() => {}
            }
            continue;
        }
        signal.mark_unchanged();
        let wait = match claimer.round(room).await {
            Ok(round) => {
                pause = FIRST_PAUSE;
                if round.claimed > 0 && round.more {
                    continue;
                }
                claimer.until_next(round.next_due)
            }
            Err(error) => {
                tracing::warn!(%error, error_kind = error.kind(), "cannot claim jobs; retrying");
                pause = (pause * 2).min(MAX_PAUSE);
                pause
            }
        };
        let freed = claimer.shared.room.notified();
        tokio::select! {
            _ = signal.changed() => {}
            () = freed => {}
            () = tokio::time::sleep(wait) => {}
            () = claimer.shared.stop.cancelled() => {}
        }
    }
}

struct Claimer {
    shared: Arc<Shared>,
    /// How many jobs to claim beyond the free slots: more while batches are used up fast, fewer when they last.
    ahead: usize,
    /// When the last full batch was claimed, until it has been timed.
    full_at: Option<Instant>,
    /// The last lane that had a turn, by kind.
    lanes: HashMap<&'static str, String>,
}

impl Claimer {
    /// How many jobs to claim now. None until half of the jobs claimed ahead are used up: a small claim costs as much as a large one.
    fn room(&mut self) -> usize {
        let (waiting, free) = self.shared.leases.waiting_and_free();
        if waiting > self.ahead / 2 {
            return 0;
        }
        match self.full_at.take().map(|at| at.elapsed()) {
            Some(lasted) if lasted < SHORT_BATCH => {
                self.ahead = (self.ahead * 2).clamp(self.shared.settings.concurrency, MAX_AHEAD);
            }
            Some(lasted) if lasted > LONG_BATCH => self.ahead /= 2,
            _ => {}
        }
        self.shared.leases.set_low_water(self.ahead / 2);
        (free + self.ahead).saturating_sub(waiting)
    }

    async fn round(&mut self, room: usize) -> store::Result<Round> {
        let now = self.shared.clock.now();
        let mut due = jobs::list_due(&self.shared.db).await?;
        due.retain(|due| self.shared.registry.contains_key(due.kind.as_str()));
        let next_due = due.iter().map(|due| due.run_at).filter(|at| *at > now).min();
        due.retain(|due| due.run_at <= now);
        due.sort_by_key(|due| (due.priority, due.run_at));
        let mut round = Round { claimed: 0, more: false, next_due };
        let mut limited = Vec::new();
        for due in due {
            let left = room - round.claimed;
            if left == 0 {
                round.more = true;
                break;
            }
            let Some(registered) = self.shared.registry.get(due.kind.as_str()).cloned() else { continue };
            if limited.contains(&registered.kind.name) {
                continue;
            }
            let claimed = match registered.kind.limits() {
                None => self.claim(&due, left).await?,
                Some(_) => {
                    limited.push(registered.kind.name);
                    self.claim_limited(&registered, left).await?
                }
            };
            round.claimed += claimed;
            round.more |= claimed == left;
        }
        if round.claimed == room {
            self.full_at = Some(Instant::now());
        }
        Ok(round)
    }

    fn lease(&self) -> JobClaim {
        let now = self.shared.clock.now();
        let expires_at = later(now, self.shared.settings.lease);
        JobClaim { now, worker: self.shared.id.clone(), token: LeaseToken::new(), expires_at }
    }

    async fn claim(&mut self, due: &DueKind, limit: usize) -> store::Result<usize> {
        let claim = self.lease();
        let jobs = jobs::claim(&self.shared.db, &claim, &due.kind, due.priority, count(limit)).await?;
        Ok(self.add(jobs, &claim))
    }

    async fn claim_limited(&mut self, registered: &Registered, limit: usize) -> store::Result<usize> {
        let Some(limits) = registered.kind.limits() else { return Ok(0) };
        let claim = self.lease();
        let name = registered.kind.name;
        let after = self.lanes.get(name).cloned().unwrap_or_default();
        let (jobs, last) = jobs::claim_limited(&self.shared.db, &claim, name, limits, count(limit), &after).await?;
        self.lanes.insert(name, last);
        Ok(self.add(jobs, &claim))
    }

    fn add(&self, jobs: Vec<jobs::ClaimedJob>, claim: &JobClaim) -> usize {
        let claimed = jobs.len();
        if claimed > 0 {
            self.shared.leases.add(jobs, claim);
        }
        claimed
    }

    /// How long to sleep: until the next job is due, at most the polling interval, with jitter so that workers do not poll in step.
    fn until_next(&self, next_due: Option<DateTime<Utc>>) -> Duration {
        let factor = if self.shared.db.signals().is_listening() { LISTENING_FACTOR } else { 1 };
        let poll = (self.shared.settings.poll * factor).mul_f64(0.75 + rand::random::<f64>() / 2.0);
        let due = next_due.map(|at| (at - self.shared.clock.now()).to_std().unwrap_or_default());
        due.map_or(poll, |due| due.min(poll))
    }
}

fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
