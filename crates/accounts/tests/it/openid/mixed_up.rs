//! Good answers to the wrong question: of another browser, another attempt, another provider, another time.

use std::time::Duration;

use accounts::openid::{Callback, Forgery, OpenIdError, Provider, ProviderId, ProviderSettings};
use serde_json::json;

use super::double::Double;

type Result<T = ()> = std::result::Result<T, OpenIdError>;

#[tokio::test]
async fn the_state_of_another_attempt() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    let (mine, _) = double.come_back(&provider).await?;
    let (_, theirs) = double.come_back(&provider).await?;
    let outcome = provider.finish(&mine, &theirs).await;
    assert!(matches!(outcome, Err(OpenIdError::SignInMismatch)), "{outcome:?}");
    for state in [None, Some(String::new()), Some(mine.nonce.expose().to_owned())] {
        let outcome = provider.finish(&mine, &Callback { state, ..theirs.clone() }).await;
        assert!(matches!(outcome, Err(OpenIdError::SignInMismatch)), "{outcome:?}");
    }
    assert_eq!(double.asked("/token"), 0, "the code of another must not be spent");
    Ok(())
}

/// A code that was slipped in with the right state: its challenge, or at last its nonce, is another's.
#[tokio::test]
async fn the_code_of_another_attempt() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    let (mine, callback) = double.come_back(&provider).await?;
    let (_, theirs) = double.come_back(&provider).await?;
    let outcome = provider.finish(&mine, &Callback { code: theirs.code, ..callback }).await;
    assert!(
        matches!(&outcome, Err(OpenIdError::ProviderFailed(reason)) if reason.contains("invalid_grant")),
        "{outcome:?}"
    );
    Ok(())
}

#[tokio::test]
async fn the_same_answer_twice() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    let (attempt, callback) = double.come_back(&provider).await?;
    provider.finish(&attempt, &callback).await?;
    let outcome = provider.finish(&attempt, &callback).await;
    assert!(
        matches!(&outcome, Err(OpenIdError::ProviderFailed(reason)) if reason.contains("invalid_grant")),
        "{outcome:?}"
    );
    Ok(())
}

#[tokio::test]
async fn an_attempt_at_another_provider() -> Result {
    let double = Double::start().await;
    let (attempt, callback) = double.come_back(&double.provider()).await?;
    let settings = ProviderSettings { id: ProviderId::Google, ..double.settings() };
    let google = Provider::new(settings, net::Client::new(net::Settings::default()).unwrap(), double.clock.clone());
    let outcome = google.finish(&attempt, &callback).await;
    assert!(matches!(outcome, Err(OpenIdError::SignInMismatch)), "{outcome:?}");
    assert_eq!(double.asked("/token"), 0);
    Ok(())
}

/// RFC 9207: who sent the browser back is checked when it is said, and missed when it was promised.
#[tokio::test]
async fn the_answer_of_another_provider() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    for issuer in ["https://evil.test", "", "accounts.google.com"] {
        let (attempt, callback) = double.come_back(&provider).await?;
        let outcome = provider.finish(&attempt, &Callback { iss: Some(issuer.to_owned()), ..callback }).await;
        assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::CallbackIssuer))), "{outcome:?}");
    }
    assert_eq!(double.asked("/token"), 0, "a code of one provider must not be given to another");
    let (attempt, callback) = double.come_back(&provider).await?;
    provider.finish(&attempt, &Callback { iss: Some(double.issuer()), ..callback }).await?;

    double.book().describe = |it| it["authorization_response_iss_parameter_supported"] = json!(true);
    let outcome = double.sign_in().await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::CallbackIssuer))), "{outcome:?}");
    Ok(())
}

#[tokio::test]
async fn an_attempt_that_took_too_long() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    let (attempt, callback) = double.come_back(&provider).await?;
    double.clock.advance(Duration::from_secs(601));
    assert!(matches!(provider.finish(&attempt, &callback).await, Err(OpenIdError::SignInExpired)));
    let (attempt, callback) = double.come_back(&provider).await?;
    double.clock.advance(Duration::from_secs(600));
    provider.finish(&attempt, &callback).await?;
    Ok(())
}

#[tokio::test]
async fn an_attempt_that_has_not_begun() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    let (mut attempt, callback) = double.come_back(&provider).await?;
    attempt.started_at += chrono::TimeDelta::seconds(61);
    assert!(matches!(provider.finish(&attempt, &callback).await, Err(OpenIdError::SignInExpired)));
    Ok(())
}

#[tokio::test]
async fn a_refusal_is_told_from_a_mistake() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    for (error, expected) in [
        ("access_denied", "SignInRefused"),
        ("invalid_scope", "ProviderMisconfigured"),
        ("unauthorized_client", "ProviderMisconfigured"),
        ("server_error", "ProviderFailed"),
        ("temporarily_unavailable", "ProviderFailed"),
        ("\u{1b}[31mred\r\nline", "ProviderFailed"),
    ] {
        let (attempt, callback) = double.come_back(&provider).await?;
        let description = Some("no\u{7}\n".repeat(1000));
        let callback = Callback { error: Some(error.to_owned()), error_description: description, ..callback };
        let outcome = provider.finish(&attempt, &callback).await.unwrap_err();
        assert!(format!("{outcome:?}").starts_with(expected), "{error}: {outcome:?}");
        let words = outcome.to_string();
        assert!(words.len() < 600 && !words.contains(char::is_control), "{words:?}");
        // Whoever does not know the state cannot even make it look like a refusal.
        let stranger = Callback { state: Some("guess".to_owned()), ..callback };
        assert!(matches!(provider.finish(&attempt, &stranger).await, Err(OpenIdError::SignInMismatch)));
    }
    assert_eq!(double.asked("/token"), 0);
    Ok(())
}

#[tokio::test]
async fn neither_a_code_nor_a_refusal() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    let (attempt, callback) = double.come_back(&provider).await?;
    let outcome = provider.finish(&attempt, &Callback { code: None, ..callback }).await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderFailed(_))), "{outcome:?}");
    Ok(())
}
