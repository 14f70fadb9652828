//! Background jobs, for owners.

use store::{
    JobId, LeaseToken,
    jobs::{AttemptEnd, FinishedAttempt, JobClaim, KeyScope, NewJob},
};

use super::*;

const PATH: &str = "/api/admin/jobs";

fn job(kind: &str) -> NewJob {
    NewJob {
        kind: kind.to_owned(),
        key: None,
        key_scope: KeyScope::Active,
        lane: None,
        payload: r#"{"a":1}"#.to_owned(),
        priority: 2,
        max_attempts: 3,
        run_at: Clock::system().now(),
    }
}

async fn add(db: &TestDb, jobs: &[NewJob]) -> Vec<JobId> {
    let mut tx = db.begin().await.unwrap();
    let added = store::jobs::enqueue_many(&mut tx, Clock::system().now(), jobs).await.unwrap();
    tx.commit().await.unwrap();
    added.into_iter().map(|added| added.id()).collect()
}

/// Claims a job of this kind and marks it as failed.
async fn fail(db: &TestDb, kind: &str) -> JobId {
    let (now, token) = (Clock::system().now(), LeaseToken::new());
    let claim = JobClaim { now, worker: "w".to_owned(), token, expires_at: now + chrono::TimeDelta::minutes(1) };
    let id = store::jobs::claim(&db.db(), &claim, kind, 2, 1).await.unwrap()[0].id;
    let finish = FinishedAttempt { id, token, end: AttemptEnd::Failed { error: "the reason".to_owned() } };
    store::jobs::mark_finished(&db.db(), now, &[finish]).await.unwrap();
    id
}

fn ids(page: &Value) -> Vec<String> {
    page["jobs"].as_array().unwrap().iter().map(|job| job["id"].as_str().unwrap().to_owned()).collect()
}

on_both_databases!(jobs_are_paged_without_gaps_or_repeats);
async fn jobs_are_paged_without_gaps_or_repeats(db: TestDb) {
    let (router, owner) = (main_router(app(&db)), new_owner(&db).await);
    let jobs: Vec<NewJob> = (0..120).map(|_| job("many")).chain([job("other")]).collect();
    let mut expected: Vec<String> = add(&db, &jobs).await.iter().map(JobId::to_string).collect();
    expected.sort();
    for filter in ["", "status=queued&"] {
        let (mut found, mut cursor, mut pages) = (Vec::new(), String::new(), 0);
        loop {
            let page = get_as(&router, owner, &format!("{PATH}?{filter}{cursor}")).await.json();
            found.extend(ids(&page));
            pages += 1;
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("cursor={next}"),
                None => break,
            }
        }
        found.sort();
        assert_eq!((pages, &found), (3, &expected), "{filter}");
    }
    let page = get_as(&router, owner, &format!("{PATH}?kind=other")).await.json();
    assert_eq!(ids(&page).len(), 1);
    let kinds = page["kinds"].as_array().unwrap();
    let ready = |kind: &str| kinds.iter().find(|row| row["kind"] == kind).unwrap()["ready"].as_i64().unwrap();
    assert_eq!((ready("many"), ready("other")), (120, 1));
}

on_both_databases!(failed_jobs_are_retried_and_queued_ones_cancelled);
async fn failed_jobs_are_retried_and_queued_ones_cancelled(db: TestDb) {
    let (router, owner) = (main_router(app(&db)), new_owner(&db).await);
    add(&db, &[job("work")]).await;
    let failed = fail(&db, "work").await;
    let waiting = add(&db, &[job("wait")]).await[0];
    let send = |id: JobId, what: &'static str| {
        call_as(&router, owner, request("POST", &format!("{PATH}/{id}/{what}"), &[], ""))
    };
    let listed = get_as(&router, owner, &format!("{PATH}?status=failed")).await.json();
    assert_eq!(ids(&listed), [failed.to_string()]);
    assert_eq!(listed["jobs"][0]["last_error"], "the reason");

    let refused = send(waiting, "retry").await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (409, Some("job_not_failed")));
    let retried = send(failed, "retry").await;
    assert_eq!((retried.status.as_u16(), retried.json()["status"].as_str()), (200, Some("queued")));

    let cancelled = send(waiting, "cancel").await;
    assert_eq!((cancelled.status.as_u16(), cancelled.json()["status"].as_str()), (200, Some("failed")));
    let again = send(waiting, "cancel").await;
    assert_eq!((again.status.as_u16(), again.json()["code"].as_str()), (409, Some("job_not_queued")));
    assert_eq!(send(JobId::new(), "retry").await.status.as_u16(), 404);
    assert_eq!(send(JobId::new(), "cancel").await.status.as_u16(), 404);
}

#[tokio::test]
async fn retry_fails_if_another_job_has_the_key() {
    let db = TestDb::sqlite().await;
    let keyed = NewJob { key: Some("one".to_owned()), ..job("keyed") };
    add(&db, std::slice::from_ref(&keyed)).await;
    let failed = fail(&db, "keyed").await;
    add(&db, &[keyed]).await;
    let request = request("POST", &format!("{PATH}/{failed}/retry"), &[], "");
    let refused = call_as(&main_router(app(&db)), new_owner(&db).await, request).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (409, Some("job_key_taken")));
}

#[tokio::test]
async fn job_routes_need_an_owner_and_valid_parameters() {
    let db = TestDb::sqlite().await;
    let (router, owner, other) = (main_router(app(&db)), new_owner(&db).await, new_user(&db, "a@example.com").await);
    let id = JobId::new();
    for (method, path) in
        [("GET", PATH.to_owned()), ("POST", format!("{PATH}/{id}/retry")), ("POST", format!("{PATH}/{id}/cancel"))]
    {
        let refused = call_as(&router, other, request(method, &path, &[], "")).await;
        assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (403, Some("owner_only")), "{path}");
    }
    for (query, field) in [("status=lost", "status"), ("cursor=x", "cursor"), ("kind=a%00b", "kind")] {
        let refused = get_as(&router, owner, &format!("{PATH}?{query}")).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["fields"][0]["field"]), (400, &field.into()), "{query}");
    }
}
