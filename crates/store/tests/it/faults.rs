//! A full disk, and clocks that were wrong.

use chrono::TimeDelta;
use store::{
    Error, LeaseToken,
    feeds::{self, Claim, FetchRecord},
    jobs::{self, AttemptEnd},
    schedules::{self, ScheduleClaim},
    users,
};
use testkit::{TestDb, on_both_databases};
use uuid::Uuid;

use crate::{
    jobs::{new_job, start},
    locked_rows::due_feeds,
};

on_both_databases!(full_disk_has_its_own_error);
async fn full_disk_has_its_own_error(db: TestDb) {
    db.check_writable(start()).await.unwrap();
    db.fill_disk().await;
    let mut failed = None;
    for number in 0..1_000 {
        let email = format!("{number}@example.org");
        if let Err(error) = users::create_unclaimed(&db, &email, &"x".repeat(200), start()).await {
            failed = Some(error);
            break;
        }
    }
    assert!(matches!(failed, Some(Error::Full(_))), "{failed:?}");
    db.check().await.expect("reads still work");
}

on_both_databases!(connection_survives_a_full_disk);
async fn connection_survives_a_full_disk(db: TestDb) {
    db.fill_disk().await;
    let mut tx = db.begin().await.unwrap();
    let mut grow = async || {
        for number in 0..1_000 {
            let insert = "insert into users (id, email, name) values ($1, $2, $3)";
            let insert = tx.query(insert).bind(Uuid::now_v7()).bind(format!("{number}@example.org"));
            insert.bind("x".repeat(200)).execute().await?;
        }
        Ok(())
    };
    assert!(matches!(grow().await, Err(Error::Full(_))));
    drop(tx);
    db.free_disk().await;
    db.begin().await.unwrap().commit().await.unwrap();
    for number in 0..1_000 {
        users::create_unclaimed(&db, &format!("{number}@example.org"), &"x".repeat(200), start()).await.unwrap();
    }
}

on_both_databases!(feeds_planned_far_ahead_are_due);
async fn feeds_planned_far_ahead_are_due(db: TestDb) {
    let ids = due_feeds(&db, 4).await;
    let plan = async |feed: usize, ahead: TimeDelta, is_leased: bool| {
        let token = is_leased.then(LeaseToken::new);
        db.write("update feeds set next_fetch_at = $2, lease_token = $3 where id = $1")
            .bind(ids[feed])
            .bind(start() + ahead)
            .bind(token)
            .execute()
            .await
            .unwrap();
    };
    plan(0, TimeDelta::days(30), false).await;
    plan(1, TimeDelta::days(30), true).await;
    plan(2, TimeDelta::hours(47), false).await;
    plan(3, TimeDelta::hours(47), true).await;
    let claim = Claim {
        now: start(),
        lease_until: start() + TimeDelta::minutes(5),
        token: LeaseToken::new(),
        most: 10,
        per_host: 2,
        kinds: vec!["feed".to_owned()],
    };
    let mut claimed: Vec<_> = feeds::claim(&db, &claim).await.unwrap().into_iter().map(|feed| feed.id).collect();
    claimed.sort();
    assert_eq!(claimed, ids[..2]);
    assert!(feeds::claim(&db, &claim).await.unwrap().is_empty(), "they are no longer due");
}

on_both_databases!(refresh_dated_ahead_does_not_repeat);
async fn refresh_dated_ahead_does_not_repeat(db: TestDb) {
    let ids = due_feeds(&db, 2).await;
    let claim = Claim {
        now: start(),
        lease_until: start() + TimeDelta::minutes(5),
        token: LeaseToken::new(),
        most: 10,
        per_host: 2,
        kinds: vec!["feed".to_owned()],
    };
    let claimed = feeds::claim(&db, &claim).await.unwrap();
    let (now, next_fetch_at) = (start() + TimeDelta::seconds(2), start() + TimeDelta::hours(1));
    for (feed, asked_at, expected) in
        [(ids[0], start() + TimeDelta::seconds(1), now), (ids[1], start() + TimeDelta::days(30), next_fetch_at)]
    {
        db.write("update feeds set refresh_asked_at = $2 where id = $1")
            .bind(feed)
            .bind(asked_at)
            .execute()
            .await
            .unwrap();
        let claimed = claimed.iter().find(|claimed| claimed.id == feed).unwrap();
        let record = FetchRecord::of(claimed, claim.token, start(), now, next_fetch_at);
        let mut tx = db.begin().await.unwrap();
        assert_eq!(feeds::mark_fetched(&mut tx, &[record]).await.unwrap().held, [feed].into());
        tx.commit().await.unwrap();
        assert_eq!(feeds::get(&db, feed).await.unwrap().unwrap().next_fetch_at, expected);
    }
}

on_both_databases!(schedules_claimed_far_ahead_continue);
async fn schedules_claimed_far_ahead_continue(db: TestDb) {
    let take = async |due_at, now| {
        let mut tx = db.begin().await.unwrap();
        let taken = schedules::claim(&mut tx, "tidy", due_at, now).await.unwrap();
        tx.commit().await.unwrap();
        taken
    };
    let (now, ahead) = (start(), start() + TimeDelta::days(30));
    assert_eq!(take(now, now).await, ScheduleClaim::First);
    assert_eq!(take(ahead, ahead).await, ScheduleClaim::Claimed);
    assert_eq!(take(now, now).await, ScheduleClaim::Claimed, "the clock was set back");
    assert_eq!(take(now, now).await, ScheduleClaim::AlreadyClaimed);
}

on_both_databases!(jobs_dated_far_ahead_run);
async fn jobs_dated_far_ahead_run(db: TestDb) {
    let ahead = start() + TimeDelta::days(30);
    let mut tx = db.begin().await.unwrap();
    let mut wrong = new_job("wrong");
    wrong.run_at = ahead;
    jobs::enqueue(&mut tx, ahead, &wrong).await.unwrap();
    // Returned after the clock was corrected: only its due time is wrong.
    let mut handed_back = new_job("returned");
    handed_back.run_at = ahead;
    jobs::enqueue(&mut tx, start(), &handed_back).await.unwrap();
    let mut planned = new_job("planned");
    planned.run_at = start() + TimeDelta::hours(47);
    jobs::enqueue(&mut tx, start(), &planned).await.unwrap();
    jobs::enqueue(&mut tx, start(), &new_job("held")).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(jobs::requeue_far_ahead(&db, start()).await.unwrap(), 2, "a job planned normally stays");
    assert_eq!(jobs::requeue_far_ahead(&db, start()).await.unwrap(), 0);
    let mut due: Vec<String> = jobs::list_due(&db)
        .await
        .unwrap()
        .into_iter()
        .filter(|due| due.run_at <= start())
        .map(|due| due.kind)
        .collect();
    due.sort();
    assert_eq!(due, ["held", "returned", "wrong"]);

    let held = jobs::JobClaim { now: ahead, worker: "dead".to_owned(), token: LeaseToken::new(), expires_at: ahead };
    assert_eq!(jobs::claim(&db, &held, "held", 2, 1).await.unwrap().len(), 1);
    let lapsed = jobs::release_lapsed(&db, start(), 10, |_| AttemptEnd::Returned).await.unwrap();
    assert_eq!(lapsed.len(), 1, "no lease lasts for days");
}
