//! Providers that are down, slow, broken or misconfigured. No error message contains a secret.

use std::time::Duration;

use accounts::openid::OpenIdError;
use serde_json::{Value, json};
use testkit::origin::{Origin, answer, hostile, ok, redirect};

use super::fake_provider::{ACCESS_TOKEN, CLIENT_SECRET, FakeProvider};

type Result<T = ()> = std::result::Result<T, OpenIdError>;

const WELL_KNOWN: &str = "/.well-known/openid-configuration";
const HOUR: Duration = Duration::from_secs(3600);

fn kind(outcome: &std::result::Result<impl std::fmt::Debug, OpenIdError>) -> String {
    let shown = format!("{outcome:?}");
    shown.trim_start_matches("Err(").split(|letter: char| !letter.is_alphabetic()).next().unwrap().to_owned()
}

#[tokio::test]
async fn invalid_metadata_is_rejected() {
    let fake = FakeProvider::start().await;
    for (bytes, expected) in [
        (ok("<html>sign in here</html>"), "ProviderFailed"),
        (ok("{}"), "ProviderFailed"),
        (ok(" ".repeat(600_000)), "ProviderFailed"),
        (answer("HTTP/1.1 500 Oops\r\n", ""), "ProviderFailed"),
        (answer("HTTP/1.1 404 Not Found\r\n", ""), "ProviderMisconfigured"),
        (redirect(302, "http://127.0.0.1:1/"), "ProviderMisconfigured"),
        (redirect(302, "http://169.254.169.254/latest/meta-data"), "ProviderMisconfigured"),
        (redirect(301, "file:///etc/passwd"), "ProviderMisconfigured"),
        (redirect(302, WELL_KNOWN), "ProviderFailed"),
        (b"garbage".to_vec(), "ProviderFailed"),
    ] {
        fake.state().instead.insert(WELL_KNOWN, bytes);
        let outcome = fake.provider().begin().await;
        assert_eq!(kind(&outcome), expected, "{outcome:?}");
    }
}

#[tokio::test]
async fn metadata_of_another_provider_is_rejected() {
    let fake = FakeProvider::start().await;
    let lies: [fn(&mut Value); 9] = [
        |it| it["issuer"] = json!("https://accounts.google.com"),
        |it| it["issuer"] = json!(format!("{}//", it["issuer"].as_str().unwrap())),
        |it| it["issuer"] = json!(it["issuer"].as_str().unwrap().replace("http:", "HTTP:")),
        |it| it["issuer"] = json!(format!("{}#", it["issuer"].as_str().unwrap())),
        |it| it["authorization_endpoint"] = json!("javascript:alert(1)"),
        |it| it["authorization_endpoint"] = json!("/authorize"),
        |it| it["token_endpoint"] = json!("file:///etc/passwd"),
        |it| it["jwks_uri"] = json!("data:application/json,{}"),
        |it| it["userinfo_endpoint"] = json!("ftp://127.0.0.1/"),
    ];
    for lie in lies {
        fake.state().describe = lie;
        let outcome = fake.provider().begin().await;
        assert_eq!(kind(&outcome), "ProviderMisconfigured", "{outcome:?}");
    }
}

#[tokio::test]
async fn redirects_carry_no_secret() {
    let fake = FakeProvider::start().await;
    // The response there would be valid without the redirect.
    let keys = [fake.state().keys[0].jwk()];
    let bait = json!({"keys": keys, "sub": "user-1", "email": "owner@news.test", "email_verified": true}).to_string();
    let elsewhere = Origin::serve(move |_| ok(&bait)).await;
    let open =
        || net::ClientSettings { allow_nets: vec!["127.0.0.0/8".parse().unwrap()], ..net::ClientSettings::default() };
    fake.forge(|draft| draft.claims["email"] = json!(null));
    for (path, status, expected) in [
        ("/token", 302, "ProviderMisconfigured"),
        ("/token", 307, "ProviderFailed"),
        ("/userinfo", 302, "ProviderMisconfigured"),
        ("/userinfo", 307, "ProviderMisconfigured"),
        ("/jwks", 302, "ProviderMisconfigured"),
        ("/jwks", 308, "ProviderMisconfigured"),
    ] {
        fake.state().instead.clear();
        fake.state().instead.insert(path, redirect(status, &elsewhere.url("/take")));
        let outcome = fake.sign_in_with(&fake.provider_with(open())).await;
        assert_eq!(kind(&outcome), expected, "{path}: {outcome:?}");
    }
    assert_eq!(elsewhere.seen().len(), 5);
    for seen in elsewhere.seen() {
        assert_eq!(seen.header("authorization"), None);
        assert!(seen.body.is_empty(), "{seen:?}");
    }
}

#[tokio::test]
async fn token_endpoint_errors_are_classified() -> Result {
    let fake = FakeProvider::start().await;
    // Some providers echo the request; the first code has the number 0.
    let echo =
        json!({"error": "invalid_grant", "error_description": format!("{CLIENT_SECRET} code-hunter2-0 \u{1b}[0m")});
    for (bytes, expected) in [
        (answer("HTTP/1.1 400 Bad\r\n", echo.to_string()), "ProviderFailed"),
        (answer("HTTP/1.1 500 Oops\r\n", "stack trace"), "ProviderFailed"),
        (answer("HTTP/1.1 503 Busy\r\n", ""), "ProviderFailed"),
        (answer("HTTP/1.1 401 No\r\n", ""), "ProviderMisconfigured"),
        (answer("HTTP/1.1 401 No\r\n", r#"{"error":"invalid_client"}"#), "ProviderMisconfigured"),
        (answer("HTTP/1.1 400 No\r\n", r#"{"error":"unauthorized_client"}"#), "ProviderMisconfigured"),
        (ok("id_token=x&access_token=y"), "ProviderFailed"),
        (ok(r#"{"error":"bad_verification_code"}"#), "ProviderFailed"),
        (ok(" ".repeat(600_000)), "ProviderFailed"),
    ] {
        fake.state().instead.insert("/token", bytes);
        let outcome = fake.sign_in().await;
        assert_eq!(kind(&outcome), expected, "{outcome:?}");
        let words = format!("{outcome:?} {}", outcome.as_ref().unwrap_err());
        for secret in [CLIENT_SECRET, "hunter2", ACCESS_TOKEN, "\u{1b}"] {
            assert!(!words.contains(secret), "{words}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn unreachable_provider_is_reported() {
    let fake = FakeProvider::start().await;
    let mut settings = fake.settings();
    settings.issuer = hostile::cut_at_accept().await.url("").parse().unwrap();
    let net = net::Client::new(net::ClientSettings::default()).unwrap();
    let provider = accounts::openid::Provider::new(settings, net, fake.clock.clone());
    let outcome = provider.begin().await;
    assert_eq!(kind(&outcome), "ProviderUnreachable", "{outcome:?}");
}

#[tokio::test]
async fn slow_provider_times_out_once_for_all() {
    let fake = FakeProvider::start().await;
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";
    for slow in [hostile::silent().await, hostile::trickle(head, b' ', Duration::from_millis(10)).await] {
        let mut settings = fake.settings();
        settings.issuer = slow.url("").parse().unwrap();
        let net = net::ClientSettings { timeout: Duration::from_millis(300), ..net::ClientSettings::default() };
        let net = net::Client::new(net).unwrap();
        let provider = accounts::openid::Provider::new(settings, net, fake.clock.clone());
        // Concurrent callers wait for one request, not one after the other.
        let crowd: Vec<_> = (0..20)
            .map(|_| {
                let provider = provider.clone();
                tokio::spawn(async move { provider.begin().await })
            })
            .collect();
        for one in crowd {
            let outcome = one.await.unwrap();
            assert_eq!(kind(&outcome), "ProviderUnreachable", "{outcome:?}");
        }
        assert_eq!(slow.connections().accepted, 1);
    }
}

#[tokio::test]
async fn recovered_provider_is_used_after_5_seconds() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    fake.state().instead.insert(WELL_KNOWN, answer("HTTP/1.1 503 Busy\r\n", ""));
    assert_eq!(kind(&provider.begin().await), "ProviderFailed");
    fake.state().instead.clear();
    assert_eq!(kind(&provider.begin().await), "ProviderFailed", "within five seconds the answer is the same");
    fake.clock.advance(Duration::from_secs(5));
    fake.sign_in_with(&provider).await?;
    Ok(())
}

#[tokio::test]
async fn metadata_is_cached_and_used_while_provider_is_down() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    provider.begin().await?;
    fake.clock.advance(HOUR - Duration::from_secs(1));
    provider.begin().await?;
    assert_eq!(fake.request_count(WELL_KNOWN), 1);
    fake.clock.advance(Duration::from_secs(1));
    provider.begin().await?;
    assert_eq!(fake.request_count(WELL_KNOWN), 2);

    fake.state().instead.insert(WELL_KNOWN, answer("HTTP/1.1 503 Busy\r\n", ""));
    fake.clock.advance(HOUR);
    for _ in 0..5 {
        fake.sign_in_with(&provider).await?;
    }
    assert_eq!(fake.request_count(WELL_KNOWN), 3, "a provider that is down is asked once a minute");
    fake.clock.advance(23 * HOUR);
    assert_eq!(kind(&provider.begin().await), "ProviderFailed", "a day is enough");
    Ok(())
}

/// Metadata with another issuer are not an outage.
#[tokio::test]
async fn changed_issuer_is_not_trusted() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    fake.sign_in_with(&provider).await?;
    fake.state().describe = |it| it["issuer"] = json!("https://evil.test");
    fake.clock.advance(HOUR);
    assert_eq!(kind(&provider.begin().await), "ProviderMisconfigured");
    Ok(())
}
