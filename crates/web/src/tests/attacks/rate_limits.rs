//! Too many requests, from one client and from a million.

use std::num::NonZeroU32;

use super::*;

fn limits(n: u32) -> RateLimits {
    let n = NonZeroU32::new(n);
    RateLimits { requests: n, registrations: n, anonymous: n, sign_ins: n }
}

fn noon() -> Clock {
    Clock::manual("2026-03-02T12:00:00Z".parse().unwrap())
}

#[tokio::test]
async fn rate_limits_are_per_address_or_per_user() {
    let db = TestDb::sqlite().await;
    let clock = noon();
    let app = ApiState { limiter: RateLimiter::new(limits(5)), ..app_at(&db, clock.clone()) };
    create_member(&app, "ann@example.com").await;
    let router = main_router(app);
    let mut ann = Browser::at(&router, [192, 0, 2, 1]);
    assert_eq!(ann.sign_in("ann@example.com").await.status.as_u16(), 200);
    clock.advance(Duration::from_secs(60));
    let mut anonymous = Browser::at(&router, [192, 0, 2, 1]);
    for path in ["/auth/providers", ME, "/api/folders", "/auth/providers", ME] {
        assert_ne!(anonymous.get(path).await.status.as_u16(), 429, "{path}");
    }
    for path in ["/auth/providers", ME, "/api/folders"] {
        let refused = anonymous.get(path).await;
        assert_eq!(status_and_code(&refused), error(429, "too_many_requests"), "{path}");
        assert!((1..=13).contains(&refused.header("retry-after").parse::<u64>().unwrap()));
    }
    let token = ("authorization", "Bearer kwb_made-up");
    assert_eq!(
        anonymous.call(request("GET", ME, &[token], "")).await.status.as_u16(),
        429,
        "an invalid token does not help"
    );
    assert_eq!(ann.get(ME).await.status.as_u16(), 200, "a user at the same address is not limited");
    assert_eq!(Browser::at(&router, [192, 0, 2, 2]).get(ME).await.status.as_u16(), 401, "another address");
    assert_eq!(get_with(&router, "/healthz", &[]).await.status.as_u16(), 200, "monitors are not limited");
    for _ in 0..4 {
        assert_eq!(ann.get(ME).await.status.as_u16(), 200);
    }
    assert_eq!(status_and_code(&ann.get(ME).await), error(429, "too_many_requests"));
    let mut elsewhere = ann.clone();
    elsewhere.address = [192, 0, 2, 3].into();
    assert_eq!(elsewhere.get(ME).await.status.as_u16(), 429, "another address does not help");
}

#[tokio::test]
async fn sign_in_has_its_own_bucket() {
    let db = TestDb::sqlite().await;
    let sign_ins = RateLimits { sign_ins: NonZeroU32::new(3), ..RateLimits::default() };
    let app = ApiState { limiter: RateLimiter::new(sign_ins), ..app_at(&db, noon()) };
    create_member(&app, "ann@example.com").await;
    let router = main_router(app);
    let mut browser = Browser::new(&router);
    for _ in 0..3 {
        assert_eq!(browser.sign_in("ann@example.com").await.status.as_u16(), 200);
    }
    assert_eq!(status_and_code(&browser.sign_in("ann@example.com").await), error(429, "too_many_requests"));
    for (method, path) in [
        ("POST", "/auth/local/register"),
        ("POST", "/auth/setup"),
        ("GET", "/auth/oidc/login"),
        ("GET", "/auth/oidc/callback"),
    ] {
        let answer = browser.send(method, path, json!({})).await;
        assert_eq!(answer.status.as_u16(), 429, "{path}");
    }
    assert_eq!(browser.get("/auth/providers").await.status.as_u16(), 200);
    assert_eq!(browser.send("POST", "/auth/logout", json!({})).await.status.as_u16(), 204, "sign-out is not limited");
    assert_eq!(Browser::at(&router, [192, 0, 2, 99]).sign_in("ann@example.com").await.status.as_u16(), 200);
}

#[test]
fn a_million_keys_use_bounded_memory() {
    let (limiter, now) = (RateLimiter::new(limits(60)), noon().now());
    let address = |n: u32| -> std::net::IpAddr { std::net::Ipv6Addr::from((u128::from(n) << 64) | 1).into() };
    let heavy = address(u32::MAX);
    while limiter.take(RateLimit::Anonymous(heavy), now).is_ok() {}
    for n in 0..500_000 {
        limiter.take(RateLimit::Anonymous(address(n)), now).unwrap();
        limiter.take(RateLimit::Request(UserId(uuid::Uuid::from_u128(u128::from(n)))), now).unwrap();
    }
    assert!(limiter.buckets() <= 2 * 16 * 1_024, "{}", limiter.buckets());
    assert!(limiter.take(RateLimit::Anonymous(heavy), now).is_err(), "the flood does not evict it");
}
