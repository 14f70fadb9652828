//! The jobs leased by this process: waiting for a slot, running, or ended and not stored yet.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};
use store::{
    JobId, LeaseToken,
    jobs::{ClaimedJob, JobClaim},
};
use tokio::{sync::Notify, time::Instant};

/// A job with its lease token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lease {
    pub id: JobId,
    pub token: LeaseToken,
}

/// A job waiting for a slot.
pub(super) struct WaitingJob {
    pub job: ClaimedJob,
    pub lease: Lease,
    pub claimed_at: DateTime<Utc>,
    pub since: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Waiting,
    Running { slot: usize },
    Ended,
}

/// The result of [`Leases::end`].
pub(super) struct EndedJob {
    /// Whether the lease is still held, so that the result can be stored.
    pub is_held: bool,
    /// Whether it is time to claim more jobs.
    pub is_low: bool,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<WaitingJob>,
    phases: HashMap<JobId, (LeaseToken, Phase)>,
    running: usize,
    /// With this many waiting jobs or fewer, it is time to claim more.
    low_water: usize,
}

pub(super) struct Leases {
    state: Mutex<State>,
    /// Notified when jobs were added.
    filled: Notify,
    /// One for each slot: its lease may be lost.
    lost_notify: Vec<Notify>,
}

impl Leases {
    pub fn new(slots: usize) -> Leases {
        Leases {
            state: Mutex::default(),
            filled: Notify::new(),
            lost_notify: (0..slots).map(|_| Notify::new()).collect(),
        }
    }

    /// After a panic under the lock, a count may be off by one. Losing the worker would be worse.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of jobs waiting for a slot, and of free slots.
    pub fn waiting_and_free(&self) -> (usize, usize) {
        let state = self.state();
        (state.waiting.len(), self.lost_notify.len().saturating_sub(state.running))
    }

    pub fn set_low_water(&self, waiting: usize) {
        self.state().low_water = waiting;
    }

    pub fn add(&self, jobs: Vec<ClaimedJob>, claim: &JobClaim) {
        let token = claim.token;
        let since = Instant::now();
        let mut state = self.state();
        for job in jobs {
            let lease = Lease { id: job.id, token };
            state.phases.insert(job.id, (token, Phase::Waiting));
            state.waiting.push_back(WaitingJob { job, lease, claimed_at: claim.now, since });
        }
        drop(state);
        self.filled.notify_waiters();
    }

    /// The next job for a slot.
    pub async fn take(&self, slot: usize) -> WaitingJob {
        loop {
            let filled = self.filled.notified();
            tokio::pin!(filled);
            // Registered before the check, so that no notification is missed.
            filled.as_mut().enable();
            if let Some(waiting) = self.try_take(slot) {
                return waiting;
            }
            filled.await;
        }
    }

    fn try_take(&self, slot: usize) -> Option<WaitingJob> {
        let mut state = self.state();
        let waiting = state.waiting.pop_front()?;
        state.phases.insert(waiting.lease.id, (waiting.lease.token, Phase::Running { slot }));
        state.running += 1;
        Some(waiting)
    }

    /// Waits until the lease of this slot's job is lost.
    pub async fn lost(&self, slot: usize, lease: Lease) {
        loop {
            if !self.is_held(lease) {
                return;
            }
            match self.lost_notify.get(slot) {
                Some(notify) => notify.notified().await,
                None => std::future::pending().await,
            }
        }
    }

    fn is_held(&self, lease: Lease) -> bool {
        self.state().phases.get(&lease.id).is_some_and(|(token, _)| *token == lease.token)
    }

    /// Ends the job in its slot.
    pub fn end(&self, lease: Lease) -> EndedJob {
        let mut state = self.state();
        state.running = state.running.saturating_sub(1);
        let is_held = match state.phases.get_mut(&lease.id) {
            Some((token, phase)) if *token == lease.token => {
                *phase = Phase::Ended;
                true
            }
            _ => false,
        };
        EndedJob { is_held, is_low: state.waiting.len() <= state.low_water }
    }

    /// Frees the slot of an interrupted job, which [`Leases::take_unfinished`] returns later.
    pub fn release_slot(&self) {
        let mut state = self.state();
        state.running = state.running.saturating_sub(1);
    }

    /// Removes jobs whose results are stored.
    pub fn remove(&self, leases: impl IntoIterator<Item = Lease>) {
        let mut state = self.state();
        for lease in leases {
            if state.phases.get(&lease.id).is_some_and(|(token, _)| *token == lease.token) {
                state.phases.remove(&lease.id);
            }
        }
    }

    /// All leases to renew.
    pub fn leases(&self) -> Vec<Lease> {
        self.state().phases.iter().map(|(&id, &(token, _))| Lease { id, token }).collect()
    }

    /// Removes lost leases, unless their result is already being stored. Returns how many.
    pub fn lose(&self, leases: impl IntoIterator<Item = Lease>) -> u64 {
        let mut state = self.state();
        let mut lost = 0;
        for lease in leases {
            match state.phases.get(&lease.id) {
                Some(&(token, phase)) if token == lease.token && phase != Phase::Ended => {
                    state.phases.remove(&lease.id);
                    state.waiting.retain(|waiting| waiting.lease != lease);
                    if let Phase::Running { slot } = phase
                        && let Some(notify) = self.lost_notify.get(slot)
                    {
                        notify.notify_one();
                    }
                    lost += 1;
                }
                _ => {}
            }
        }
        lost
    }

    /// Removes jobs that have waited since before `time`.
    pub fn take_waiting_before(&self, time: Instant) -> Vec<Lease> {
        self.take_waiting_if(|waiting| waiting.since < time)
    }

    /// Removes all jobs that wait for a slot.
    pub fn take_waiting(&self) -> Vec<Lease> {
        self.take_waiting_if(|_| true)
    }

    fn take_waiting_if(&self, wanted: impl Fn(&WaitingJob) -> bool) -> Vec<Lease> {
        let mut state = self.state();
        let (taken, kept): (VecDeque<_>, VecDeque<_>) = state.waiting.drain(..).partition(wanted);
        state.waiting = kept;
        for waiting in &taken {
            state.phases.remove(&waiting.lease.id);
        }
        taken.into_iter().map(|waiting| waiting.lease).collect()
    }

    /// Removes all jobs that have not ended.
    pub fn take_unfinished(&self) -> Vec<Lease> {
        let mut state = self.state();
        state.waiting.clear();
        let unfinished: Vec<Lease> = state
            .phases
            .iter()
            .filter(|(_, (_, phase))| *phase != Phase::Ended)
            .map(|(&id, &(token, _))| Lease { id, token })
            .collect();
        for lease in &unfinished {
            state.phases.remove(&lease.id);
        }
        unfinished
    }
}
