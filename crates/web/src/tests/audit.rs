//! Failed sign-ins are audited with the client's address and the reason.

use std::num::NonZeroU32;

use testkit::CapturedLog;

use super::{
    browser::{Browser, create_member},
    *,
};

/// The audit lines since the last call: event, method, reason and address. Checks that the log does not contain `hunter2`.
pub(super) fn audit_lines(log: &CapturedLog) -> Vec<[String; 4]> {
    let text = log.take();
    assert!(!text.contains("hunter2"), "{text}");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let audit = lines.filter(|line| line["target"] == "audit");
    let field = |line: &Value, name: &str| line["fields"][name].as_str().unwrap_or_default().to_owned();
    audit.map(|line| ["event", "method", "reason", "address"].map(|name| field(&line, name))).collect()
}

/// An audit line with the address of the test browser.
pub(super) fn line(event: &str, method: &str, reason: &str) -> [String; 4] {
    [event, method, reason, "192.0.2.7"].map(str::to_owned)
}

on_both_databases!(failed_sign_ins_are_audited);
async fn failed_sign_ins_are_audited(db: TestDb) {
    let app = app(&db);
    let ann = create_member(&app, "ann@example.com").await;
    let mut browser = Browser::new(&main_router(app.clone()));
    let log = CapturedLog::start("info");
    for (email, password) in [("ann@example.com", "hunter2"), ("hunter2@example.com", "x"), ("hunter2", "x")] {
        browser.try_password(email, password).await;
        assert_eq!(audit_lines(&log), [line("sign_in_failed", "password", "wrong_credentials")], "{email}");
    }
    let account = json!({ "token": "hunter2", "email": "eve@example.com", "password": "hunter2-hunter2" });
    browser.send("POST", "/auth/setup", account.clone()).await;
    assert_eq!(audit_lines(&log), [line("sign_in_failed", "setup", "setup_link_invalid")]);
    let taken = json!({ "email": "ann@example.com", "password": "hunter2-hunter2" });
    browser.send("POST", "/auth/local/register", taken).await;
    assert_eq!(audit_lines(&log), [line("sign_in_failed", "registration", "email_taken")]);

    let other_site = [("sec-fetch-site", "cross-site"), ("content-type", "application/json")];
    browser.call(request("POST", "/auth/local/login", &other_site, "{}")).await;
    assert_eq!(audit_lines(&log), [line("sign_in_failed", "password", "cross_site")]);
    browser.call(request("POST", "/auth/logout", &other_site, "")).await;
    assert!(audit_lines(&log).is_empty(), "signing out is not a sign-in");

    let (token, secret) = app.accounts.create_token(ann.id, "script", ::accounts::Scope::Read).await.unwrap();
    app.accounts.delete_token(ann.id, token.id).await.unwrap();
    audit_lines(&log);
    for bearer in [secret.expose(), "kwb_hunter2", "hunter2"] {
        let authorization = format!("Bearer {bearer}");
        browser.call(request("GET", "/api/users/me", &[("authorization", &authorization)], "")).await;
        let text = log.take();
        assert!(text.contains("sign_in_failed") && !text.contains(bearer), "{text}");
        assert!(text.contains("\"method\":\"token\",\"reason\":\"invalid_token\",\"address\":\"192.0.2.7\""), "{text}");
    }
    browser.get("/api/users/me").await;
    assert!(audit_lines(&log).is_empty(), "a request without a credential is not a sign-in");
}

on_both_databases!(failed_passwords_name_the_account_if_it_exists);
async fn failed_passwords_name_the_account_if_it_exists(db: TestDb) {
    let app = app(&db);
    let ann = create_member(&app, "ann@example.com").await;
    let mut browser = Browser::new(&main_router(app));
    let log = CapturedLog::start("info");
    let named = |text: &str| text.contains(&format!("\"user_id\":\"{}\"", ann.id));
    for round in 0..11 {
        browser.try_password("ann@example.com", "x").await;
        let text = log.take();
        let event = if round < 10 { "sign_in_failed" } else { "throttled" };
        assert!(named(&text) && text.contains(&format!("\"event\":\"{event}\"")), "{text}");
        assert_eq!(text.matches("\"target\":\"audit\"").count(), 1, "{text}");
    }
    browser.address = [192, 0, 2, 8].into();
    browser.try_password("unknown@example.com", "x").await;
    let text = log.take();
    assert!(text.contains("sign_in_failed") && !text.contains("user_id"), "{text}");
}

on_both_databases!(requests_that_fail_before_a_handler_are_audited);
async fn requests_that_fail_before_a_handler_are_audited(db: TestDb) {
    let mut browser = Browser::new(&main_router(app(&db)));
    let log = CapturedLog::start("info");
    for (path, method, reason) in [
        ("/auth/oidc/callback?state=a&state=b", "oidc", "invalid_request"),
        ("/auth/oidc/callback?code=%00", "oidc", "invalid_request"),
        ("/auth/google/login?return_to=a&return_to=b", "google", "invalid_request"),
        ("/auth/google/login", "google", "not_found"),
        ("/auth/%6fidc/callback", "oidc", "not_found"),
        ("/auth/local/login", "password", "method_not_allowed"),
    ] {
        browser.get(path).await;
        assert_eq!(audit_lines(&log), [line("sign_in_failed", method, reason)], "{path}");
    }
    browser.send("POST", "/auth/local/register", json!({ "email": "ann@example.com" })).await;
    assert_eq!(audit_lines(&log), [line("sign_in_failed", "registration", "invalid_request")]);
    browser.send("POST", "/auth/local/login", json!({ "email": "x".repeat(2_000_000) })).await;
    assert_eq!(audit_lines(&log), [line("sign_in_failed", "password", "body_too_large")]);
    for path in ["/auth/x/login", "/auth/oidc/elsewhere", "/auth/providers"] {
        browser.get(path).await;
        assert!(audit_lines(&log).is_empty(), "{path} is not a sign-in path");
    }
}

on_both_databases!(sign_ins_without_a_database_are_audited);
async fn sign_ins_without_a_database_are_audited(db: TestDb) {
    let mut browser = Browser::new(&main_router(app(&db)));
    db.close().await;
    let log = CapturedLog::start("info");
    let answer = browser.try_password("ann@example.com", "x").await;
    assert_eq!(answer.json()["code"], "database_unavailable");
    assert_eq!(audit_lines(&log), [line("sign_in_failed", "password", "database_unavailable")]);
}

#[tokio::test]
async fn attempts_that_are_cut_off_are_audited() {
    let routes = Router::new().route("/auth/local/login", post(std::future::pending::<()>)).route(
        "/auth/local/register",
        post(async || {
            if true {
                panic!("a fault")
            }
        }),
    );
    let site = site("http://localhost:8080", None);
    let with_timeout = |timeout| Browser::new(&with_layers(routes.clone(), timeout, Some(&site)));
    let log = CapturedLog::start("info");
    with_timeout(Duration::from_millis(10)).try_password("ann@example.com", "x").await;
    assert_eq!(audit_lines(&log), [line("sign_in_failed", "password", "timed_out")]);
    let mut browser = with_timeout(Duration::from_secs(600));
    {
        let mut disconnecting = std::pin::pin!(browser.try_password("ann@example.com", "x"));
        assert!(futures_util::poll!(&mut disconnecting).is_pending());
        assert!(audit_lines(&log).is_empty());
    }
    assert_eq!(audit_lines(&log), [line("sign_in_failed", "password", "cancelled")]);
    browser.send("POST", "/auth/local/register", json!({})).await;
    assert_eq!(audit_lines(&log), [line("sign_in_failed", "registration", "internal")]);
}

on_both_databases!(attempts_beyond_a_limit_are_audited);
async fn attempts_beyond_a_limit_are_audited(db: TestDb) {
    let app = app(&db);
    let limited =
        |limits: RateLimits| Browser::new(&main_router(ApiState { limiter: RateLimiter::new(limits), ..app.clone() }));
    let one = NonZeroU32::new(1);
    let log = CapturedLog::start("info");
    for limits in
        [RateLimits { sign_ins: one, ..RateLimits::default() }, RateLimits { anonymous: one, ..RateLimits::default() }]
    {
        let mut browser = limited(limits);
        browser.try_password("ann@example.com", "x").await;
        audit_lines(&log);
        for (path, method) in [("login", "password"), ("register", "registration")] {
            let refused = browser.send("POST", &format!("/auth/local/{path}"), json!({})).await;
            assert_eq!(refused.status.as_u16(), 429);
            assert_eq!(audit_lines(&log), [line("throttled", method, "too_many_requests")]);
        }
    }
    let mut browser = limited(RateLimits { anonymous: one, ..RateLimits::default() });
    let bearer = [("authorization", "Bearer kwb_x")];
    browser.call(request("GET", "/api/users/me", &bearer, "")).await;
    assert_eq!(audit_lines(&log).len(), 1);
    browser.call(request("GET", "/api/users/me", &bearer, "")).await;
    assert!(audit_lines(&log).is_empty(), "a flood of wrong tokens does not fill the log");
}

on_both_databases!(audited_address_is_the_clients);
async fn audited_address_is_the_clients(db: TestDb) {
    let trusting = Site::new(SiteSettings {
        base_url: "http://localhost:8080".parse().unwrap(),
        frontend_url: "http://localhost:8080".parse().unwrap(),
        allowed_origin: None,
        trusted_proxies: vec!["192.0.2.0/24".parse().unwrap()],
        session_secret: "a secret for tests of thirty-two bytes or more".to_owned(),
    });
    let log = CapturedLog::start("info");
    for (site, address) in [(site("http://localhost:8080", None), "192.0.2.7"), (trusting, "198.51.100.3")] {
        let mut browser = Browser::new(&main_router(ApiState { site, ..app(&db) }));
        let headers = [("x-forwarded-for", "1.2.3.4, 198.51.100.3"), ("content-type", "application/json")];
        let body = json!({ "email": "ann@example.com", "password": "x" }).to_string();
        browser.call(request("POST", "/auth/local/login", &headers, body)).await;
        browser.call(request("GET", "/api/users/me", &[headers[0], ("authorization", "Bearer kwb_x")], "")).await;
        let addresses: Vec<String> = audit_lines(&log).into_iter().map(|[.., address]| address).collect();
        assert_eq!(addresses, [address, address]);
    }
}
