//! Rows of the queue: unique keys, claims, lease tokens, limits.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use store::{
    Db, Error, JobId, LeaseToken,
    jobs::{
        self, AttemptEnd, Cancelled, ClaimedJob, ConcurrencyLimits, Enqueued, FinishedAttempt, JobClaim, JobRecord,
        JobStatus, KeyScope, NewJob, Retried, RetryFilter,
    },
};
use testkit::{TestDb, on_both_databases};

pub fn new_job(kind: &str) -> NewJob {
    NewJob {
        kind: kind.to_owned(),
        key: None,
        key_scope: KeyScope::Active,
        lane: None,
        payload: "{}".to_owned(),
        priority: 2,
        max_attempts: 3,
        run_at: start(),
    }
}

pub fn start() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap()
}

fn keyed(kind: &str, key: &str, key_scope: KeyScope) -> NewJob {
    NewJob { key: Some(key.to_owned()), key_scope, ..new_job(kind) }
}

fn claim_at(now: DateTime<Utc>) -> JobClaim {
    JobClaim { now, worker: "w".to_owned(), token: LeaseToken::new(), expires_at: now + TimeDelta::seconds(60) }
}

async fn add(db: &Db, job: &NewJob) -> Enqueued {
    let mut tx = db.begin().await.unwrap();
    let outcome = jobs::enqueue(&mut tx, start(), job).await.unwrap();
    tx.commit().await.unwrap();
    outcome
}

async fn get(db: &Db, id: JobId) -> JobRecord {
    jobs::get(db, id).await.unwrap().unwrap()
}

async fn finish(db: &Db, id: JobId, token: LeaseToken, end: AttemptEnd) -> u64 {
    jobs::mark_finished(db, start(), &[FinishedAttempt { id, token, end }]).await.unwrap()
}

on_both_databases!(key_is_unique_while_its_job_is_active);
async fn key_is_unique_while_its_job_is_active(db: TestDb) {
    let job = keyed("k", "one", KeyScope::Active);
    let Enqueued::Added(first) = add(&db, &job).await else { panic!("the key is free") };
    assert_eq!(add(&db, &job).await, Enqueued::Exists(first));
    let claim = claim_at(start());
    assert_eq!(jobs::claim(&db, &claim, "k", 2, 10).await.unwrap().len(), 1);
    assert_eq!(add(&db, &job).await, Enqueued::Exists(first), "still taken while it runs");
    assert_eq!(finish(&db, first, claim.token, AttemptEnd::Succeeded).await, 0);
    assert!(matches!(add(&db, &job).await, Enqueued::Added(second) if second != first));
    assert!(matches!(add(&db, &keyed("other", "one", KeyScope::Active)).await, Enqueued::Added(_)), "by kind");
    assert!(matches!(add(&db, &new_job("k")).await, Enqueued::Added(_)), "no key, no uniqueness");
    assert!(matches!(add(&db, &new_job("k")).await, Enqueued::Added(_)), "no key, no uniqueness");
}

on_both_databases!(permanent_key_stays_taken);
async fn permanent_key_stays_taken(db: TestDb) {
    let job = keyed("k", "one", KeyScope::Forever);
    let first = add(&db, &job).await.id();
    let claim = claim_at(start());
    jobs::claim(&db, &claim, "k", 2, 10).await.unwrap();
    finish(&db, first, claim.token, AttemptEnd::Succeeded).await;
    assert_eq!(add(&db, &job).await, Enqueued::Exists(first));
    let later = start() + TimeDelta::days(4_000);
    assert_eq!(jobs::prune(&db, JobStatus::Succeeded, later, 100).await.unwrap(), 0, "the row keeps the key");
    assert_eq!(add(&db, &job).await, Enqueued::Exists(first));
}

on_both_databases!(key_may_repeat_within_a_batch);
async fn key_may_repeat_within_a_batch(db: TestDb) {
    let existing = add(&db, &keyed("k", "b", KeyScope::Active)).await.id();
    let batch = ["a", "a", "b", "c"].map(|key| keyed("k", key, KeyScope::Active));
    let mut tx = db.begin().await.unwrap();
    let outcomes = jobs::enqueue_many(&mut tx, start(), &batch).await.unwrap();
    tx.commit().await.unwrap();
    assert!(matches!(outcomes[0], Enqueued::Added(_)));
    assert_eq!(outcomes[1], Enqueued::Exists(outcomes[0].id()));
    assert_eq!(outcomes[2], Enqueued::Exists(existing));
    assert!(matches!(outcomes[3], Enqueued::Added(_)));
}

on_both_databases!(jobs_are_claimed_by_time_within_a_priority);
async fn jobs_are_claimed_by_time_within_a_priority(db: TestDb) {
    let mut expected = Vec::new();
    for (seconds, priority) in [(-3, 2), (-2, 1), (-5, 2), (5, 1), (0, 2)] {
        let job = NewJob { run_at: start() + TimeDelta::seconds(seconds), priority, ..new_job("k") };
        expected.push((priority, seconds, add(&db, &job).await.id()));
    }
    let due = jobs::list_due(&db).await.unwrap();
    let heads: Vec<_> = due.iter().map(|due| (due.priority, (due.run_at - start()).num_seconds())).collect();
    assert_eq!(heads, [(1, -2), (2, -5)]);
    let urgent = jobs::claim(&db, &claim_at(start()), "k", 1, 10).await.unwrap();
    assert_eq!(urgent.iter().map(|job| job.id).collect::<Vec<_>>(), [expected[1].2], "the other is not due");
    let rest = jobs::claim(&db, &claim_at(start()), "k", 2, 2).await.unwrap();
    assert_eq!(rest.iter().map(|job| job.id).collect::<Vec<_>>(), [expected[2].2, expected[0].2]);
    assert!(rest.iter().all(|job| job.attempts == 1));
    let held = get(&db, rest[0].id).await;
    assert_eq!((held.status, held.attempts, held.locked_by.as_deref()), (JobStatus::Processing, 1, Some("w")));
    assert!(jobs::claim(&db, &claim_at(start()), "other", 2, 2).await.unwrap().is_empty());
}

on_both_databases!(concurrent_workers_claim_each_job_once);
async fn concurrent_workers_claim_each_job_once(db: TestDb) {
    let batch = vec![new_job("k"); 500];
    let mut tx = db.begin().await.unwrap();
    jobs::enqueue_many(&mut tx, start(), &batch).await.unwrap();
    tx.commit().await.unwrap();
    let workers: Vec<_> = (0..6)
        .map(|_| {
            let db = db.db();
            tokio::spawn(async move {
                let mut taken = Vec::new();
                loop {
                    let jobs = jobs::claim(&db, &claim_at(start()), "k", 2, 7).await.unwrap();
                    if jobs.is_empty() {
                        return taken;
                    }
                    taken.extend(jobs.into_iter().map(|job| job.id));
                }
            })
        })
        .collect();
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    // A claim may be empty while other workers lock the rows, so claim the rest now.
    all.extend(jobs::claim(&db, &claim_at(start()), "k", 2, 500).await.unwrap().into_iter().map(|job| job.id));
    assert_eq!(all.len(), 500);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 500, "no job was claimed twice");
}

on_both_databases!(write_with_a_lost_lease_changes_nothing);
async fn write_with_a_lost_lease_changes_nothing(db: TestDb) {
    let id = add(&db, &new_job("k")).await.id();
    let old = claim_at(start());
    jobs::claim(&db, &old, "k", 2, 1).await.unwrap();
    let later = start() + TimeDelta::seconds(61);
    let retry = AttemptEnd::Retry { run_at: later, error: "the worker is gone".into() };
    let released = |db: Db, retry: AttemptEnd| async move {
        let jobs = jobs::release_lapsed(&db, later, 10, |_| retry.clone()).await.unwrap();
        jobs.into_iter().map(|job| job.id).collect::<Vec<_>>()
    };
    assert_eq!(released(db.db(), retry.clone()).await, [id]);
    assert_eq!(released(db.db(), retry.clone()).await, [], "only once");
    let new = claim_at(later);
    assert_eq!(jobs::claim(&db, &new, "k", 2, 1).await.unwrap()[0].attempts, 2);

    for ending in [AttemptEnd::Succeeded, AttemptEnd::Returned, retry, AttemptEnd::Failed { error: "stale".into() }] {
        assert_eq!(finish(&db, id, old.token, ending).await, 1, "the lease is lost");
    }
    assert_eq!(jobs::renew(&db, later, later + TimeDelta::hours(1), [old.token]).await.unwrap(), []);
    let job = get(&db, id).await;
    assert_eq!((job.status, job.attempts, job.lease_token), (JobStatus::Processing, 2, Some(new.token)));
    assert_eq!(job.lease_expires_at, Some(new.expires_at));

    assert_eq!(finish(&db, id, new.token, AttemptEnd::Succeeded).await, 0);
    assert_eq!(get(&db, id).await.status, JobStatus::Succeeded);
}

on_both_databases!(a_renewed_lease_is_not_released);
async fn a_renewed_lease_is_not_released(db: TestDb) {
    let id = add(&db, &new_job("k")).await.id();
    let claim = claim_at(start());
    jobs::claim(&db, &claim, "k", 2, 1).await.unwrap();
    assert_eq!(jobs::next_lapse_at(&db).await.unwrap(), Some(claim.expires_at));
    let later = start() + TimeDelta::seconds(61);
    let kept = jobs::renew(&db, later, later + TimeDelta::seconds(60), [claim.token, LeaseToken::new()]).await.unwrap();
    assert_eq!(kept, [(id, claim.token)]);
    let failed = |_: &JobRecord| AttemptEnd::Failed { error: "gone".into() };
    assert!(jobs::release_lapsed(&db, later, 10, failed).await.unwrap().is_empty());
    assert_eq!(get(&db, id).await.status, JobStatus::Processing);
}

on_both_databases!(concurrent_rescuers_release_each_job_once);
async fn concurrent_rescuers_release_each_job_once(db: TestDb) {
    let batch = vec![new_job("k"); 300];
    let mut tx = db.begin().await.unwrap();
    jobs::enqueue_many(&mut tx, start(), &batch).await.unwrap();
    tx.commit().await.unwrap();
    jobs::claim(&db, &claim_at(start()), "k", 2, 300).await.unwrap();
    let later = start() + TimeDelta::seconds(61);
    let rescuers: Vec<_> = (0..4)
        .map(|_| {
            let db = db.db();
            tokio::spawn(async move {
                let again = |_: &JobRecord| AttemptEnd::Retry { run_at: later, error: "gone".into() };
                let mut total = 0;
                loop {
                    match jobs::release_lapsed(&db, later, 20, again).await.unwrap().len() {
                        0 => return total,
                        some => total += some,
                    }
                }
            })
        })
        .collect();
    let mut total = 0;
    for rescuer in rescuers {
        total += rescuer.await.unwrap();
    }
    assert_eq!(total, 300);
}

on_both_databases!(each_end_sets_its_columns);
async fn each_end_sets_its_columns(db: TestDb) {
    let batch = vec![new_job("k"); 4];
    let mut tx = db.begin().await.unwrap();
    let ids: Vec<JobId> =
        jobs::enqueue_many(&mut tx, start(), &batch).await.unwrap().into_iter().map(Enqueued::id).collect();
    tx.commit().await.unwrap();
    let claim = claim_at(start());
    jobs::claim(&db, &claim, "k", 2, 4).await.unwrap();
    let again = start() + TimeDelta::minutes(5);
    let nasty = format!("NUL \0 and {}", "長".repeat(10_000));
    let endings = [
        AttemptEnd::Succeeded,
        AttemptEnd::Retry { run_at: again, error: nasty },
        AttemptEnd::Failed { error: "no such page".into() },
        AttemptEnd::Returned,
    ];
    let finishes: Vec<FinishedAttempt> =
        ids.iter().zip(endings).map(|(&id, end)| FinishedAttempt { id, token: claim.token, end }).collect();
    assert_eq!(jobs::mark_finished(&db, start(), &finishes).await.unwrap(), 0);

    assert_eq!(get(&db, ids[0]).await.status, JobStatus::Succeeded);
    let retried = get(&db, ids[1]).await;
    assert_eq!((retried.status, retried.run_at, retried.attempts), (JobStatus::Queued, again, 1));
    assert!(retried.last_error.unwrap().chars().count() <= 4_000);
    let failed = get(&db, ids[2]).await;
    assert_eq!((failed.status, failed.last_error.as_deref()), (JobStatus::Failed, Some("no such page")));
    let returned = get(&db, ids[3]).await;
    assert_eq!((returned.status, returned.attempts), (JobStatus::Queued, 0), "it was never started");
    for id in ids {
        let job = get(&db, id).await;
        assert_eq!((job.locked_at, job.locked_by, job.lease_token, job.lease_expires_at), (None, None, None, None));
    }
}

on_both_databases!(kind_limit_is_respected);
async fn kind_limit_is_respected(db: TestDb) {
    let batch = vec![new_job("k"); 10];
    let mut tx = db.begin().await.unwrap();
    jobs::enqueue_many(&mut tx, start(), &batch).await.unwrap();
    tx.commit().await.unwrap();
    let limits = ConcurrencyLimits { per_kind: Some(3), per_lane: None };
    let claim = claim_at(start());
    let (first, _) = jobs::claim_limited(&db, &claim, "k", limits, 10, "").await.unwrap();
    assert_eq!(first.len(), 3);
    assert!(jobs::claim_limited(&db, &claim_at(start()), "k", limits, 10, "").await.unwrap().0.is_empty());
    finish(&db, first[0].id, claim.token, AttemptEnd::Succeeded).await;
    assert_eq!(jobs::claim_limited(&db, &claim_at(start()), "k", limits, 10, "").await.unwrap().0.len(), 1);
}

on_both_databases!(concurrent_workers_respect_a_limit);
async fn concurrent_workers_respect_a_limit(db: TestDb) {
    let batch = vec![new_job("k"); 50];
    let mut tx = db.begin().await.unwrap();
    jobs::enqueue_many(&mut tx, start(), &batch).await.unwrap();
    tx.commit().await.unwrap();
    let limits = ConcurrencyLimits { per_kind: Some(5), per_lane: None };
    let claims: Vec<_> = (0..8)
        .map(|_| {
            let db = db.db();
            tokio::spawn(async move {
                jobs::claim_limited(&db, &claim_at(start()), "k", limits, 2, "").await.unwrap().0.len()
            })
        })
        .collect();
    let mut total = 0;
    for claim in claims {
        total += claim.await.unwrap();
    }
    assert_eq!(total, 5);
}

on_both_databases!(lanes_respect_limits_and_take_turns);
async fn lanes_respect_limits_and_take_turns(db: TestDb) {
    // A thousand jobs of one host must not delay the others.
    let lane = |lane: &str| NewJob { lane: Some(lane.to_owned()), ..new_job("k") };
    let mut batch = vec![lane("a.example"); 1_000];
    batch.extend(["b.example", "c.example", "d.example"].map(lane));
    let mut tx = db.begin().await.unwrap();
    jobs::enqueue_many(&mut tx, start(), &batch).await.unwrap();
    tx.commit().await.unwrap();
    let limits = ConcurrencyLimits { per_kind: None, per_lane: Some(2) };
    let (first, last) = jobs::claim_limited(&db, &claim_at(start()), "k", limits, 3, "").await.unwrap();
    let lanes = |jobs: &[ClaimedJob]| {
        let mut l: Vec<_> = jobs.iter().filter_map(|j| j.lane.clone()).collect();
        l.sort();
        l
    };
    assert_eq!(lanes(&first), ["a.example", "a.example", "b.example"]);
    assert_eq!(last, "b.example");
    let (second, last) = jobs::claim_limited(&db, &claim_at(start()), "k", limits, 3, &last).await.unwrap();
    assert_eq!(lanes(&second), ["c.example", "d.example"], "a is full");
    let (none, _) = jobs::claim_limited(&db, &claim_at(start()), "k", limits, 3, &last).await.unwrap();
    assert!(none.is_empty());
}

on_both_databases!(jobs_can_be_retried_and_cancelled);
async fn jobs_can_be_retried_and_cancelled(db: TestDb) {
    let waiting = add(&db, &keyed("k", "one", KeyScope::Active)).await.id();
    assert_eq!(jobs::retry(&db, start(), waiting).await.unwrap(), Retried::NotFailed(JobStatus::Queued));
    assert_eq!(jobs::cancel(&db, start(), waiting, "not needed").await.unwrap(), Cancelled::Failed);
    let cancelled = get(&db, waiting).await;
    assert_eq!((cancelled.status, cancelled.last_error.as_deref()), (JobStatus::Failed, Some("not needed")));
    assert_eq!(jobs::cancel(&db, start(), waiting, "again").await.unwrap(), Cancelled::NotQueued(JobStatus::Failed));
    let other = add(&db, &keyed("k", "one", KeyScope::Active)).await.id();
    assert_eq!(jobs::retry(&db, start(), waiting).await.unwrap(), Retried::KeyTaken);
    jobs::cancel(&db, start(), other, "not needed").await.unwrap();
    assert_eq!(jobs::retry(&db, start(), waiting).await.unwrap(), Retried::Queued);
    assert_eq!(jobs::retry(&db, start(), JobId::new()).await.unwrap(), Retried::Unknown);
    assert_eq!(jobs::cancel(&db, start(), JobId::new(), "x").await.unwrap(), Cancelled::Unknown);
}

on_both_databases!(retry_all_skips_taken_keys);
async fn retry_all_skips_taken_keys(db: TestDb) {
    let cancelled = |job: NewJob| {
        let db = db.db();
        async move {
            let id = add(&db, &job).await.id();
            jobs::cancel(&db, start(), id, "50% of!it_all").await.unwrap();
            id
        }
    };
    let old = cancelled(keyed("k", "one", KeyScope::Active)).await;
    let new = cancelled(keyed("k", "one", KeyScope::Active)).await;
    let taken = cancelled(keyed("k", "two", KeyScope::Active)).await;
    add(&db, &keyed("k", "two", KeyScope::Active)).await;
    let plain = cancelled(new_job("k")).await;
    let other_kind = cancelled(new_job("other")).await;
    let filter = |kind: Option<&str>, error: Option<&str>| RetryFilter {
        kind: kind.map(str::to_owned),
        error: error.map(str::to_owned),
    };
    assert_eq!(jobs::retry_all(&db, start(), &filter(Some("k"), Some("50_"))).await.unwrap(), 0, "taken literally");
    assert_eq!(jobs::retry_all(&db, start(), &filter(Some("k"), Some("50% of!it_"))).await.unwrap(), 2);
    for (id, status) in [
        (old, JobStatus::Failed),
        (new, JobStatus::Queued),
        (taken, JobStatus::Failed),
        (plain, JobStatus::Queued),
        (other_kind, JobStatus::Failed),
    ] {
        assert_eq!(get(&db, id).await.status, status);
    }
    assert_eq!(jobs::retry_all(&db, start(), &RetryFilter::default()).await.unwrap(), 1, "the other kind");
}

on_both_databases!(old_history_is_pruned_in_chunks);
async fn old_history_is_pruned_in_chunks(db: TestDb) {
    for n in 0..5 {
        let id = add(&db, &new_job("k")).await.id();
        let at = start() + TimeDelta::hours(n);
        jobs::cancel(&db, at, id, "old").await.unwrap();
    }
    let waiting = add(&db, &new_job("k")).await.id();
    let before = start() + TimeDelta::hours(3);
    assert_eq!(jobs::prune(&db, JobStatus::Succeeded, before, 100).await.unwrap(), 0);
    assert_eq!(jobs::prune(&db, JobStatus::Failed, before, 2).await.unwrap(), 2);
    assert_eq!(jobs::prune(&db, JobStatus::Failed, before, 2).await.unwrap(), 1);
    assert_eq!(jobs::prune(&db, JobStatus::Failed, before, 2).await.unwrap(), 0);
    assert_eq!(
        jobs::prune(&db, JobStatus::Queued, before + TimeDelta::days(99), 100).await.unwrap(),
        0,
        "queued jobs stay"
    );
    assert_eq!(get(&db, waiting).await.status, JobStatus::Queued);
}

on_both_databases!(lists_and_counts_agree);
async fn lists_and_counts_agree(db: TestDb) {
    for (kind, seconds) in [("a", -10), ("a", -20), ("a", 30), ("b", -5)] {
        add(&db, &NewJob { run_at: start() + TimeDelta::seconds(seconds), ..new_job(kind) }).await;
    }
    jobs::claim(&db, &claim_at(start()), "b", 2, 1).await.unwrap();
    let stats = jobs::count_by_kind(&db, start()).await.unwrap();
    let figures: Vec<_> = stats.iter().map(|s| (s.kind.as_str(), s.ready, s.scheduled, s.running)).collect();
    assert_eq!(figures, [("a", 2, 1, 0), ("b", 0, 0, 1)]);
    assert_eq!(stats[0].oldest_ready_at, Some(start() - TimeDelta::seconds(20)));
    assert_eq!(stats[1].oldest_ready_at, None);
    let count = |status, kind| {
        let db = db.db();
        async move { jobs::list(&db, status, kind, 100).await.unwrap().len() }
    };
    assert_eq!(count(None, None).await, 4);
    assert_eq!(count(None, Some("a")).await, 3);
    assert_eq!(count(Some(JobStatus::Queued), None).await, 3);
    assert_eq!(count(Some(JobStatus::Processing), Some("b")).await, 1);
    assert_eq!(count(Some(JobStatus::Failed), None).await, 0);
    assert_eq!(count(Some(JobStatus::Succeeded), None).await, 0);
    assert_eq!(jobs::table_health(&db).await.unwrap().is_some(), db.is_postgres());
}

on_both_databases!(due_time_is_claimed_once);
async fn due_time_is_claimed_once(db: TestDb) {
    use store::schedules::{ScheduleClaim, claim};
    let ask = |at: DateTime<Utc>| {
        let db = db.db();
        async move {
            let mut tx = db.begin().await.unwrap();
            let taken = claim(&mut tx, "daily", at, at).await.unwrap();
            tx.commit().await.unwrap();
            taken
        }
    };
    assert_eq!(ask(start()).await, ScheduleClaim::First);
    assert_eq!(ask(start()).await, ScheduleClaim::AlreadyClaimed);
    let asked: Vec<_> = (0..8).map(|_| tokio::spawn(ask(start() + TimeDelta::days(1)))).collect();
    let mut yes = 0;
    for taken in asked {
        yes += i32::from(taken.await.unwrap() == ScheduleClaim::Claimed);
    }
    assert_eq!(yes, 1);
    assert_eq!(ask(start()).await, ScheduleClaim::AlreadyClaimed, "an earlier due time is not claimed again");
}

on_both_databases!(invalid_rows_are_rejected);
async fn invalid_rows_are_rejected(db: TestDb) {
    add(&db, &new_job("k")).await;
    for bad in [
        "update jobs set status = 'asleep'",
        "update jobs set status = 'processing'",
        "update jobs set priority = 9",
        "update jobs set max_attempts = 0",
        "update jobs set attempts = -1",
        "update jobs set kind = ''",
        "update jobs set key = ''",
        "update jobs set key_scope = 'forever'",
    ] {
        assert!(matches!(db.write(bad).execute().await, Err(Error::Query(_))), "{bad}");
    }
}

on_both_databases!(enqueue_alone_adds_and_signals);
async fn enqueue_alone_adds_and_signals(db: TestDb) {
    let mut signal = db.signals().subscribe(store::Topic::Jobs);
    let job = NewJob { key: Some("one".to_owned()), ..new_job("alone") };
    let added = jobs::enqueue_alone(&db, start(), &job).await.unwrap();
    assert!(matches!(added, Enqueued::Added(_)));
    assert!(signal.has_changed().unwrap(), "workers are woken");
    signal.mark_unchanged();
    let again = jobs::enqueue_alone(&db, start(), &job).await.unwrap();
    assert_eq!(again, Enqueued::Exists(added.id()));
    assert!(!signal.has_changed().unwrap());
}
