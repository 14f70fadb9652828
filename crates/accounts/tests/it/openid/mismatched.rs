//! Valid callbacks of another browser, another attempt, another provider or another time.

use std::time::Duration;

use accounts::openid::{Callback, Forgery, OpenIdError, Provider, ProviderId, ProviderSettings};
use serde_json::json;

use super::fake_provider::FakeProvider;

type Result<T = ()> = std::result::Result<T, OpenIdError>;

#[tokio::test]
async fn state_of_another_attempt_is_rejected() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    let (mine, _) = fake.begin_and_visit(&provider).await?;
    let (_, theirs) = fake.begin_and_visit(&provider).await?;
    let outcome = provider.finish(&mine, &theirs).await;
    assert!(matches!(outcome, Err(OpenIdError::SignInMismatch)), "{outcome:?}");
    for state in [None, Some(String::new()), Some(mine.nonce.expose().to_owned())] {
        let outcome = provider.finish(&mine, &Callback { state, ..theirs.clone() }).await;
        assert!(matches!(outcome, Err(OpenIdError::SignInMismatch)), "{outcome:?}");
    }
    assert_eq!(fake.request_count("/token"), 0, "the code of another must not be spent");
    Ok(())
}

/// An injected code with the right state: its PKCE challenge and its nonce belong to another attempt.
#[tokio::test]
async fn code_of_another_attempt_is_rejected() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    let (mine, callback) = fake.begin_and_visit(&provider).await?;
    let (_, theirs) = fake.begin_and_visit(&provider).await?;
    let outcome = provider.finish(&mine, &Callback { code: theirs.code, ..callback }).await;
    assert!(
        matches!(&outcome, Err(OpenIdError::ProviderFailed(reason)) if reason.contains("invalid_grant")),
        "{outcome:?}"
    );
    Ok(())
}

#[tokio::test]
async fn callback_works_once() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    let (attempt, callback) = fake.begin_and_visit(&provider).await?;
    provider.finish(&attempt, &callback).await?;
    let outcome = provider.finish(&attempt, &callback).await;
    assert!(
        matches!(&outcome, Err(OpenIdError::ProviderFailed(reason)) if reason.contains("invalid_grant")),
        "{outcome:?}"
    );
    Ok(())
}

#[tokio::test]
async fn attempt_at_another_provider_is_rejected() -> Result {
    let fake = FakeProvider::start().await;
    let (attempt, callback) = fake.begin_and_visit(&fake.provider()).await?;
    let settings = ProviderSettings { id: ProviderId::Google, ..fake.settings() };
    let google = Provider::new(settings, net::Client::new(net::ClientSettings::default()).unwrap(), fake.clock.clone());
    let outcome = google.finish(&attempt, &callback).await;
    assert!(matches!(outcome, Err(OpenIdError::SignInMismatch)), "{outcome:?}");
    assert_eq!(fake.request_count("/token"), 0);
    Ok(())
}

/// RFC 9207: the parameter `iss` must be right, and must be there if the metadata promise it.
#[tokio::test]
async fn callback_of_another_issuer_is_rejected() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    for issuer in ["https://evil.test", "", "accounts.google.com"] {
        let (attempt, callback) = fake.begin_and_visit(&provider).await?;
        let outcome = provider.finish(&attempt, &Callback { iss: Some(issuer.to_owned()), ..callback }).await;
        assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::CallbackIssuer))), "{outcome:?}");
    }
    assert_eq!(fake.request_count("/token"), 0, "a code of one provider must not be given to another");
    let (attempt, callback) = fake.begin_and_visit(&provider).await?;
    provider.finish(&attempt, &Callback { iss: Some(fake.issuer()), ..callback }).await?;

    fake.state().describe = |it| it["authorization_response_iss_parameter_supported"] = json!(true);
    let outcome = fake.sign_in().await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::CallbackIssuer))), "{outcome:?}");
    Ok(())
}

#[tokio::test]
async fn attempt_expires_after_10_minutes() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    let (attempt, callback) = fake.begin_and_visit(&provider).await?;
    fake.clock.advance(Duration::from_secs(601));
    assert!(matches!(provider.finish(&attempt, &callback).await, Err(OpenIdError::SignInExpired)));
    let (attempt, callback) = fake.begin_and_visit(&provider).await?;
    fake.clock.advance(Duration::from_secs(600));
    provider.finish(&attempt, &callback).await?;
    Ok(())
}

#[tokio::test]
async fn attempt_from_the_future_is_rejected() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    let (mut attempt, callback) = fake.begin_and_visit(&provider).await?;
    attempt.started_at += chrono::TimeDelta::seconds(61);
    assert!(matches!(provider.finish(&attempt, &callback).await, Err(OpenIdError::SignInExpired)));
    Ok(())
}

#[tokio::test]
async fn callback_errors_are_told_apart() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    for (error, expected) in [
        ("access_denied", "SignInRefused"),
        ("invalid_scope", "ProviderMisconfigured"),
        ("unauthorized_client", "ProviderMisconfigured"),
        ("server_error", "ProviderFailed"),
        ("temporarily_unavailable", "ProviderFailed"),
        ("\u{1b}[31mred\r\nline", "ProviderFailed"),
    ] {
        let (attempt, callback) = fake.begin_and_visit(&provider).await?;
        let description = Some("no\u{7}\n".repeat(1000));
        let callback = Callback { error: Some(error.to_owned()), error_description: description, ..callback };
        let outcome = provider.finish(&attempt, &callback).await.unwrap_err();
        assert!(format!("{outcome:?}").starts_with(expected), "{error}: {outcome:?}");
        let words = outcome.to_string();
        assert!(words.len() < 600 && !words.contains(char::is_control), "{words:?}");
        // An attacker who does not know the state cannot fake an error either.
        let forged = Callback { state: Some("guess".to_owned()), ..callback };
        assert!(matches!(provider.finish(&attempt, &forged).await, Err(OpenIdError::SignInMismatch)));
    }
    assert_eq!(fake.request_count("/token"), 0);
    Ok(())
}

#[tokio::test]
async fn callback_without_code_or_error_fails() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    let (attempt, callback) = fake.begin_and_visit(&provider).await?;
    let outcome = provider.finish(&attempt, &Callback { code: None, ..callback }).await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderFailed(_))), "{outcome:?}");
    Ok(())
}
