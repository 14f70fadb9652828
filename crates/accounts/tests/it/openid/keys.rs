//! The provider's keys: changed, withdrawn, and not worth the name.

use std::sync::Arc;
use std::time::Duration;

use accounts::openid::{Forgery, OpenIdError};
use serde_json::json;
use testkit::origin::{answer, ok};

use super::double::Double;
use super::signer::{Signature, Signer};

type Result<T = ()> = std::result::Result<T, OpenIdError>;

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn new_keys_are_fetched_when_they_are_needed() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    double.sign_in_by(&provider).await?;
    double.sign_in_by(&provider).await?;
    assert_eq!(double.asked("/jwks"), 1);
    double.book().keys = vec![Arc::new(Signer::rsa_b())];
    double.clock.advance(MINUTE);
    double.sign_in_by(&provider).await?;
    assert_eq!(double.asked("/jwks"), 2);
    Ok(())
}

#[tokio::test]
async fn unknown_keys_make_us_ask_once_a_minute_at_most() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    double.sign_in_by(&provider).await?;
    double.clock.advance(MINUTE);
    double.forge(|draft| draft.header["kid"] = json!("made-up"));
    for _ in 0..20 {
        let outcome = double.sign_in_by(&provider).await;
        assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::UnknownKey))), "{outcome:?}");
    }
    assert_eq!(double.asked("/jwks"), 2);
    // Even a change of keys waits for its minute.
    double.forge(|_| ());
    double.book().keys = vec![Arc::new(Signer::rsa_b())];
    assert!(double.sign_in_by(&provider).await.is_err());
    double.clock.advance(MINUTE);
    double.sign_in_by(&provider).await?;
    assert_eq!(double.asked("/jwks"), 3);
    Ok(())
}

#[tokio::test]
async fn many_who_wait_share_one_question() -> Result {
    let double = Arc::new(Double::start().await);
    let provider = double.provider();
    let crowd = async || {
        let one = || {
            let (double, provider) = (Arc::clone(&double), provider.clone());
            tokio::spawn(async move { double.sign_in_by(&provider).await })
        };
        let all: Vec<_> = (0..10).map(|_| one()).collect();
        for one in all {
            one.await.unwrap()?;
        }
        Ok::<(), OpenIdError>(())
    };
    crowd().await?;
    assert_eq!((double.asked("/.well-known/openid-configuration"), double.asked("/jwks")), (1, 1));
    // And what the first of them learns of new keys is for all.
    double.book().keys = vec![Arc::new(Signer::rsa_b())];
    double.clock.advance(MINUTE);
    crowd().await?;
    assert_eq!(double.asked("/jwks"), 2);
    Ok(())
}

/// A key that was withdrawn is not believed for longer than an hour.
#[tokio::test]
async fn withdrawn_keys_are_forgotten() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    double.sign_in_by(&provider).await?;
    double.book().keys = vec![Arc::new(Signer::rsa_b())];
    let stolen = Arc::new(Signer::rsa_a());
    double.forge(move |draft| {
        draft.header["kid"] = json!("rsa-a");
        draft.signature = Signature::With(Arc::clone(&stolen));
    });
    double.sign_in_by(&provider).await?;
    double.clock.advance(60 * MINUTE);
    let outcome = double.sign_in_by(&provider).await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::UnknownKey))), "{outcome:?}");
    Ok(())
}

#[tokio::test]
async fn a_token_without_a_key_id_is_checked_with_every_key() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    double.forge(|draft| draft.header = json!({"alg": "RS256"}));
    double.book().keys = vec![Arc::new(Signer::rsa_a()), Arc::new(Signer::p256()), Arc::new(Signer::rsa_b())];
    double.sign_in_by(&provider).await?;
    double.book().keys = vec![Arc::new(Signer::rsa_b())];
    double.sign_in_by(&provider).await?;
    assert_eq!(double.asked("/jwks"), 1);
    let stranger = Arc::new(Signer::p256());
    double.forge(move |draft| {
        draft.header = json!({"alg": "ES256"});
        draft.signature = Signature::With(Arc::clone(&stranger));
    });
    let outcome = double.sign_in_by(&provider).await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::Signature))), "{outcome:?}");
    Ok(())
}

/// A wrong signature may then mean that the key was changed: nothing else tells.
#[tokio::test]
async fn keys_without_an_id_are_changed_too() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    double.forge(|draft| draft.header = json!({"alg": "RS256"}));
    double.sign_in_by(&provider).await?;
    double.book().keys = vec![Arc::new(Signer::rsa_b())];
    double.clock.advance(MINUTE);
    double.sign_in_by(&provider).await?;
    assert_eq!(double.asked("/jwks"), 2);
    Ok(())
}

/// Keys for something else, and keys that we cannot read, are passed over; one good key among them is enough.
#[tokio::test]
async fn only_keys_for_signatures_count() -> Result {
    let double = Double::start().await;
    let good = Signer::rsa_a().jwk();
    let with = |name: &str, value: serde_json::Value| {
        let mut key = good.clone();
        key[name] = value;
        key
    };
    let useless = [
        with("use", json!("enc")),
        with("key_ops", json!(["encrypt"])),
        with("alg", json!("RS512")),
        with("kty", json!("oct")),
        with("kty", json!(7)),
        with("n", json!("!!!")),
        with("n", json!(null)),
        with("kid", json!(null)),
        json!(null),
        json!("key"),
        json!({"kty": "EC", "kid": "rsa-a", "crv": "P-256", "x": "AA", "y": "AA"}),
        json!({"kty": "oct", "kid": "rsa-a", "k": "c2VjcmV0", "alg": "HS256"}),
    ];
    for key in &useless {
        double.book().instead.insert("/jwks", ok(json!({"keys": [key]}).to_string()));
        let outcome = double.sign_in().await;
        assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::UnknownKey))), "{key}: {outcome:?}");
    }
    let mut all = useless.to_vec();
    all.push(with("alg", json!("RS256")));
    all.push(with("key_ops", json!(["verify"])));
    double.book().instead.insert("/jwks", ok(json!({"keys": all}).to_string()));
    double.sign_in().await?;
    // The sign byte that some providers write before the number.
    let n = good["n"].as_str().unwrap();
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, n).unwrap();
    let signed = super::signer::encode([&[0], bytes.as_slice()].concat());
    double.book().instead.insert("/jwks", ok(json!({"keys": [with("n", json!(signed))]}).to_string()));
    double.sign_in().await?;
    Ok(())
}

#[tokio::test]
async fn keys_that_are_none() {
    let double = Double::start().await;
    let huge = format!("{{\"keys\":[{}1]}}", "1,".repeat(300_000));
    for (body, expected) in [
        ("<html>".to_owned(), "makes no sense"),
        ("{}".to_owned(), "makes no sense"),
        ("{\"keys\":{}}".to_owned(), "makes no sense"),
        ("[".repeat(100_000), "makes no sense"),
        (huge, "larger than"),
    ] {
        double.book().instead.insert("/jwks", ok(&body));
        let outcome = double.sign_in().await;
        assert!(
            matches!(&outcome, Err(OpenIdError::ProviderFailed(reason)) if reason.contains(expected)),
            "{outcome:?}"
        );
    }
    double.book().instead.insert("/jwks", ok("{\"keys\":[]}"));
    assert!(matches!(double.sign_in().await, Err(OpenIdError::ProviderForged(Forgery::UnknownKey))));
    double.book().instead.insert("/jwks", answer("HTTP/1.1 500 Oops\r\n", ""));
    assert!(matches!(double.sign_in().await, Err(OpenIdError::ProviderFailed(_))));
}
