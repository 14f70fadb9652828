//! The jobs this process has leased: waiting for a slot, running in one, or ended and not yet written down.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};
use store::{
    JobId, LeaseToken,
    jobs::{Claim, ClaimedJob},
};
use tokio::{sync::Notify, time::Instant};

/// A job with the proof that it is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lease {
    pub id: JobId,
    pub token: LeaseToken,
}

/// A job waiting for a slot.
pub(super) struct Waiting {
    pub job: ClaimedJob,
    pub lease: Lease,
    pub taken_at: DateTime<Utc>,
    pub since: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Running { slot: usize },
    Ended,
}

/// What a slot learns when its job has ended.
pub(super) struct Ended {
    /// The end is to be written; otherwise the lease was lost before.
    pub still_ours: bool,
    /// It is time to take more jobs.
    pub low: bool,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    stages: HashMap<JobId, (LeaseToken, Stage)>,
    running: usize,
    /// So few waiting jobs that it is time to take more.
    low_water: usize,
}

pub(super) struct Leases {
    state: Mutex<State>,
    /// There is something for a slot to take.
    filled: Notify,
    /// One for each slot: look whether your job is still yours.
    look: Vec<Notify>,
}

impl Leases {
    pub fn new(slots: usize) -> Leases {
        Leases { state: Mutex::default(), filled: Notify::new(), look: (0..slots).map(|_| Notify::new()).collect() }
    }

    /// A panic while the lock is held leaves counts at worst one off; losing the worker would be worse.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Jobs waiting for a slot, and free slots.
    pub fn waiting_and_free(&self) -> (usize, usize) {
        let state = self.state();
        (state.waiting.len(), self.look.len().saturating_sub(state.running))
    }

    pub fn set_low_water(&self, waiting: usize) {
        self.state().low_water = waiting;
    }

    pub fn add(&self, jobs: Vec<ClaimedJob>, claim: &Claim) {
        let token = claim.token;
        let since = Instant::now();
        let mut state = self.state();
        for job in jobs {
            let lease = Lease { id: job.id, token };
            state.stages.insert(job.id, (token, Stage::Waiting));
            state.waiting.push_back(Waiting { job, lease, taken_at: claim.now, since });
        }
        drop(state);
        self.filled.notify_waiters();
    }

    /// The next job for a slot.
    pub async fn take(&self, slot: usize) -> Waiting {
        loop {
            let filled = self.filled.notified();
            tokio::pin!(filled);
            // Registered before looking, so that nothing added in between is missed.
            filled.as_mut().enable();
            if let Some(waiting) = self.try_take(slot) {
                return waiting;
            }
            filled.await;
        }
    }

    fn try_take(&self, slot: usize) -> Option<Waiting> {
        let mut state = self.state();
        let waiting = state.waiting.pop_front()?;
        state.stages.insert(waiting.lease.id, (waiting.lease.token, Stage::Running { slot }));
        state.running += 1;
        Some(waiting)
    }

    /// Waits until this slot's job is no longer ours.
    pub async fn lost(&self, slot: usize, lease: Lease) {
        loop {
            if !self.is_held(lease) {
                return;
            }
            match self.look.get(slot) {
                Some(look) => look.notified().await,
                None => std::future::pending().await,
            }
        }
    }

    fn is_held(&self, lease: Lease) -> bool {
        self.state().stages.get(&lease.id).is_some_and(|(token, _)| *token == lease.token)
    }

    /// The slot has let go of the job.
    pub fn end(&self, lease: Lease) -> Ended {
        let mut state = self.state();
        state.running = state.running.saturating_sub(1);
        let still_ours = match state.stages.get_mut(&lease.id) {
            Some((token, stage)) if *token == lease.token => {
                *stage = Stage::Ended;
                true
            }
            _ => false,
        };
        Ended { still_ours, low: state.waiting.len() <= state.low_water }
    }

    /// The slot gives up its place but the job stays unfinished, to be handed back.
    pub fn cut_off(&self) {
        let mut state = self.state();
        state.running = state.running.saturating_sub(1);
    }

    /// Ends that were written down.
    pub fn forget(&self, leases: impl IntoIterator<Item = Lease>) {
        let mut state = self.state();
        for lease in leases {
            if state.stages.get(&lease.id).is_some_and(|(token, _)| *token == lease.token) {
                state.stages.remove(&lease.id);
            }
        }
    }

    /// All leases that must be renewed.
    pub fn leases(&self) -> Vec<Lease> {
        self.state().stages.iter().map(|(&id, &(token, _))| Lease { id, token }).collect()
    }

    /// Takes note that these are no longer ours, unless their end is already on its way; returns how many.
    pub fn lose(&self, leases: impl IntoIterator<Item = Lease>) -> u64 {
        let mut state = self.state();
        let mut lost = 0;
        for lease in leases {
            match state.stages.get(&lease.id) {
                Some(&(token, stage)) if token == lease.token && stage != Stage::Ended => {
                    state.stages.remove(&lease.id);
                    state.waiting.retain(|waiting| waiting.lease != lease);
                    if let Stage::Running { slot } = stage
                        && let Some(look) = self.look.get(slot)
                    {
                        look.notify_one();
                    }
                    lost += 1;
                }
                _ => {}
            }
        }
        lost
    }

    /// Takes out jobs that have waited since before `moment`.
    pub fn take_waiting_since_before(&self, moment: Instant) -> Vec<Lease> {
        self.take_waiting_if(|waiting| waiting.since < moment)
    }

    /// Takes out all jobs that wait for a slot.
    pub fn take_waiting(&self) -> Vec<Lease> {
        self.take_waiting_if(|_| true)
    }

    fn take_waiting_if(&self, wanted: impl Fn(&Waiting) -> bool) -> Vec<Lease> {
        let mut state = self.state();
        let (taken, kept): (VecDeque<_>, VecDeque<_>) = state.waiting.drain(..).partition(wanted);
        state.waiting = kept;
        for waiting in &taken {
            state.stages.remove(&waiting.lease.id);
        }
        taken.into_iter().map(|waiting| waiting.lease).collect()
    }

    /// Takes out everything that has not ended.
    pub fn take_unfinished(&self) -> Vec<Lease> {
        let mut state = self.state();
        state.waiting.clear();
        let unfinished: Vec<Lease> = state
            .stages
            .iter()
            .filter(|(_, (_, stage))| *stage != Stage::Ended)
            .map(|(&id, &(token, _))| Lease { id, token })
            .collect();
        for lease in &unfinished {
            state.stages.remove(&lease.id);
        }
        unfinished
    }
}
