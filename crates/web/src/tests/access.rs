//! Cross-site checks, rate limits and caching of the API.

use std::num::NonZeroU32;

use super::*;

const PATH: &str = "/api/admin/jobs";

#[tokio::test]
async fn unsafe_cross_site_requests_are_rejected() {
    let db = TestDb::sqlite().await;
    let (router, owner) = (main_router(app(&db)), new_owner(&db).await);
    let path = format!("{PATH}/{}/retry", store::JobId::new());
    let send = |site: &'static str| call_as(&router, owner, request("POST", &path, &[("sec-fetch-site", site)], ""));
    let refused = send("cross-site").await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (403, Some("cross_site")));
    assert_eq!(send("same-origin").await.status.as_u16(), 404);
}

#[tokio::test]
async fn rate_limited_requests_have_retry_after() {
    let db = TestDb::sqlite().await;
    let clock = Clock::manual(chrono::DateTime::UNIX_EPOCH);
    let limits = RateLimits { requests: NonZeroU32::new(2), ..RateLimits::default() };
    let router = main_router(ApiState { limiter: RateLimiter::new(limits), ..app_at(&db, clock.clone()) });
    let (one, other) = (new_owner(&db).await, Caller { is_owner: true, ..new_user(&db, "other@example.com").await });
    for _ in 0..2 {
        assert_eq!(get_as(&router, one, PATH).await.status.as_u16(), 200);
    }
    let refused = get_as(&router, one, PATH).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (429, Some("too_many_requests")));
    let seconds: u64 = refused.header("retry-after").parse().unwrap();
    assert!((30..=31).contains(&seconds), "{seconds}");
    assert!(refused.text().contains(&seconds.to_string()), "the message has the seconds: {}", refused.text());
    assert_eq!(get_as(&router, other, PATH).await.status.as_u16(), 200, "other users are not limited");
    clock.advance(Duration::from_secs(seconds));
    assert_eq!(get_as(&router, one, PATH).await.status.as_u16(), 200);
}

#[tokio::test]
async fn responses_are_not_cached() {
    let db = TestDb::sqlite().await;
    let answer = get_as(&main_router(app(&db)), new_owner(&db).await, PATH).await;
    assert_eq!(answer.header("cache-control"), "no-store");
}
