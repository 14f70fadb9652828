//! Settings of the site, as seen by browsers and proxies.

use serde_json::json;

use crate::{
    browser::{Browser, PASSWORD, add_user},
    process::{Program, Running, ask, get, send},
};

const JSON: (&str, &str) = ("content-type", "application/json");

/// The status of a sign-in with a wrong password and an unknown account, with this `X-Forwarded-For`.
async fn guess(running: &Running, email: &str, forwarded_for: &str) -> u16 {
    let body = json!({ "email": email, "password": "a wrong guess" }).to_string();
    let headers = [JSON, ("x-forwarded-for", forwarded_for)];
    send(running.main(), "POST", "/auth/local/login", &headers, &body).await.status
}

/// Guesses until the limit: ten guesses, or a few more on a slow machine.
async fn guess_too_often(running: &Running, forwarded_for: &str) {
    let mut guesses = 0;
    while guess(running, &format!("unknown{guesses}@example.org"), forwarded_for).await != 429 {
        guesses += 1;
        assert!(guesses < 100, "guesses are never limited");
    }
    assert!(guesses >= 10, "{guesses}");
}

#[tokio::test]
async fn only_trusted_proxies_set_the_client_address() {
    let behind_proxy = Program::new().with("TRUSTED_PROXIES", "127.0.0.0/8").start(&["serve"]).await;
    guess_too_often(&behind_proxy, "203.0.113.1").await;
    assert_eq!(
        guess(&behind_proxy, "unknown@example.org", "203.0.113.9, 203.0.113.1").await,
        429,
        "the last one counts"
    );
    assert_eq!(guess(&behind_proxy, "unknown@example.org", "203.0.113.2").await, 401, "another address, another count");

    let open = Program::new().start(&["serve"]).await;
    guess_too_often(&open, "203.0.113.1").await;
    assert_eq!(guess(&open, "unknown@example.org", "203.0.113.2").await, 429, "the header is not trusted");
}

#[tokio::test]
async fn https_cookies_are_secure() {
    let program = Program::new().with("BASE_URL", "https://news.example.org");
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    let answer = Browser::new(running.main()).sign_in("me@example.org", PASSWORD).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let session = answer.head.lines().find(|line| line.starts_with("set-cookie: __host-kawaraban_session=")).unwrap();
    for attribute in ["; secure", "; httponly", "; samesite=lax", "; path=/"] {
        assert!(session.contains(attribute), "{session}");
    }
    assert!(answer.head.contains("strict-transport-security: max-age="), "{answer:?}");

    let plain = get(Program::new().start(&["serve"]).await.main(), "/auth/providers").await;
    assert!(!plain.head.contains("strict-transport-security"), "{plain:?}");
}

#[tokio::test]
async fn one_other_origin_may_use_the_api() {
    let running = Program::new().with("CORS_ALLOWED_ORIGIN", "https://ui.example.org").start(&["serve"]).await;
    let preflight = async |origin: &str| {
        let headers = [("origin", origin), ("access-control-request-method", "PUT")];
        ask(running.main(), "OPTIONS", "/api/users/me/settings", &headers).await
    };
    let allowed = preflight("https://ui.example.org").await;
    assert_eq!(allowed.status, 204, "{allowed:?}");
    assert!(allowed.head.contains("access-control-allow-origin: https://ui.example.org\r\n"), "{allowed:?}");
    assert!(allowed.head.contains("access-control-allow-credentials: true"), "{allowed:?}");
    for other in ["https://evil.example", "https://ui.example.org.evil.example", "http://ui.example.org", "null"] {
        let refused = preflight(other).await;
        assert!(!refused.head.contains("access-control-allow-origin"), "{other} {refused:?}");
    }
}

#[tokio::test]
async fn limits_follow_the_settings() {
    let program = Program::new().with("RATE_LIMIT_GENERAL", "3").with("RATE_LIMIT_SIGN_IN", "2");
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    let mut browser = Browser::signed_in(running.main(), "me@example.org").await;
    let mut answers = Vec::new();
    for _ in 0..4 {
        answers.push(browser.get("/api/users/me").await.status);
    }
    assert_eq!(answers, [200, 200, 200, 429], "for the user");
    assert_eq!(browser.sign_in("me@example.org", PASSWORD).await.status, 200);
    let limited = browser.sign_in("me@example.org", PASSWORD).await;
    assert_eq!(limited.status, 429, "for signing in, however right the password is");
    assert!(limited.head.contains("retry-after: ") && limited.json()["code"].is_string(), "{limited:?}");
}
