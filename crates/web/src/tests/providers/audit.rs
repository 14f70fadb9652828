//! Failed sign-ins with a provider are audited.

use testkit::CapturedLog;

use super::{
    super::audit::{audit_lines, line},
    *,
};

fn failed(reason: &str) -> [[String; 4]; 1] {
    [line("sign_in_failed", "oidc", reason)]
}

/// Begins an attempt and returns its state.
async fn begin(browser: &mut Browser, fake: &FakeProvider) -> String {
    let away = browser.get(LOGIN).await;
    fake.visit(location(&away)).split_once("&state=").unwrap().1.to_owned()
}

on_both_databases!(failed_sign_ins_with_a_provider_are_audited);
async fn failed_sign_ins_with_a_provider_are_audited(db: TestDb) {
    let (clock, fake) = (clock(), FakeProvider::start().await);
    let app = app_with(&db, &fake, &clock);
    let mut browser = Browser::new(&main_router(app.clone()));
    let log = CapturedLog::start("info");
    browser.get("/auth/oidc/callback?code=hunter2&state=hunter2").await;
    assert_eq!(audit_lines(&log), failed("sign_in_mismatch"), "without an attempt");
    begin(&mut browser, &fake).await;
    browser.get("/auth/oidc/callback?code=hunter2&state=hunter2").await;
    assert_eq!(audit_lines(&log), failed("sign_in_mismatch"), "another state");
    for (error, reason) in [
        ("access_denied", "sign_in_refused"),
        ("server_error", "provider_failed"),
        ("invalid_scope", "provider_misconfigured"),
    ] {
        let state = begin(&mut browser, &fake).await;
        browser.get(&format!("/auth/oidc/callback?error={error}&state={state}")).await;
        assert_eq!(audit_lines(&log), failed(reason));
    }
    let state = begin(&mut browser, &fake).await;
    clock.advance(Duration::from_secs(11 * 60));
    browser.get(&format!("/auth/oidc/callback?code=1&state={state}")).await;
    assert_eq!(audit_lines(&log), failed("sign_in_expired"));

    let settings = AccountSettings {
        signup_allowed: "example.org".parse::<SignupAllowed>().unwrap(),
        ..AccountSettings::default()
    };
    let closed = ApiState { accounts: Accounts::new(db.db(), clock.clone(), settings), ..app };
    let mut outsider = Browser::new(&main_router(closed));
    go_and_return(&mut outsider, &fake, LOGIN).await;
    assert_eq!(audit_lines(&log), failed("sign_up_not_allowed"));
    fake.set_user(json!({ "sub": "2", "email": "eve@example.com", "email_verified": false }));
    go_and_return(&mut browser, &fake, LOGIN).await;
    assert_eq!(audit_lines(&log), failed("email_not_verified"));
    fake.sign_badly();
    go_and_return(&mut browser, &fake, LOGIN).await;
    assert_eq!(audit_lines(&log), failed("provider_forged"));

    fake.refuse_exchange();
    go_and_return(&mut browser, &fake, LOGIN).await;
    assert_eq!(audit_lines(&log), failed("provider_failed"));
    let fake = FakeProvider::start().await;
    let app = app_with(&db, &fake, &clock);
    drop(fake);
    Browser::new(&main_router(app)).get(LOGIN).await;
    assert_eq!(audit_lines(&log), failed("provider_unreachable"));
}

on_both_databases!(failed_links_are_audited);
async fn failed_links_are_audited(db: TestDb) {
    let (clock, fake) = (clock(), FakeProvider::start().await);
    let app = app_with(&db, &fake, &clock);
    let bob = create_member(&app, "bob@example.com").await;
    let mut browser = Browser::new(&main_router(app));
    browser.sign_in("bob@example.com").await;
    fake.sign_badly();
    let log = CapturedLog::start("info");
    let failed = |reason: &str| {
        let text = log.take();
        assert!(text.contains(&format!("\"user_id\":\"{}\"", bob.id)), "{text}");
        assert!(text.contains("\"event\":\"identity_link_failed\""), "{text}");
        assert!(text.contains(&format!("\"reason\":\"{reason}\",\"address\":\"192.0.2.7\"")), "{text}");
        assert_eq!(text.matches("\"target\":\"audit\"").count(), 1, "{text}");
    };
    link(&mut browser, &fake).await;
    failed("provider_forged");

    let start = browser.send("POST", &format!("{IDENTITIES}/oidc"), json!({})).await;
    assert_eq!(start.status.as_u16(), 200);
    browser.get("/auth/oidc/callback?state=a&state=b").await;
    failed("invalid_request");

    let fake = FakeProvider::start().await;
    let app = app_with(&db, &fake, &clock);
    drop(fake);
    let cookies = browser.cookies;
    let mut browser = Browser::new(&main_router(app));
    browser.cookies = cookies;
    let start = browser.send("POST", &format!("{IDENTITIES}/oidc"), json!({})).await;
    assert_eq!(status_and_code(&start), error(502, "provider_unreachable"));
    failed("provider_unreachable");
}
