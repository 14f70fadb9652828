//! The provider's keys: rotated, withdrawn and invalid ones.

use std::sync::Arc;
use std::time::Duration;

use accounts::openid::{Forgery, OpenIdError};
use serde_json::json;
use testkit::origin::{answer, ok};

use super::fake_provider::FakeProvider;
use super::signer::{Signature, Signer};

type Result<T = ()> = std::result::Result<T, OpenIdError>;

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn rotated_keys_are_fetched() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    fake.sign_in_with(&provider).await?;
    fake.sign_in_with(&provider).await?;
    assert_eq!(fake.request_count("/jwks"), 1);
    fake.state().keys = vec![Arc::new(Signer::rsa_b())];
    fake.clock.advance(MINUTE);
    fake.sign_in_with(&provider).await?;
    assert_eq!(fake.request_count("/jwks"), 2);
    Ok(())
}

#[tokio::test]
async fn unknown_keys_cause_one_fetch_a_minute() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    fake.sign_in_with(&provider).await?;
    fake.clock.advance(MINUTE);
    fake.forge(|draft| draft.header["kid"] = json!("made-up"));
    for _ in 0..20 {
        let outcome = fake.sign_in_with(&provider).await;
        assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::UnknownKey))), "{outcome:?}");
    }
    assert_eq!(fake.request_count("/jwks"), 2);
    // Rotated keys wait for the minute too.
    fake.forge(|_| ());
    fake.state().keys = vec![Arc::new(Signer::rsa_b())];
    assert!(fake.sign_in_with(&provider).await.is_err());
    fake.clock.advance(MINUTE);
    fake.sign_in_with(&provider).await?;
    assert_eq!(fake.request_count("/jwks"), 3);
    Ok(())
}

#[tokio::test]
async fn concurrent_sign_ins_share_one_fetch() -> Result {
    let fake = Arc::new(FakeProvider::start().await);
    let provider = fake.provider();
    let crowd = async || {
        let one = || {
            let (fake, provider) = (Arc::clone(&fake), provider.clone());
            tokio::spawn(async move { fake.sign_in_with(&provider).await })
        };
        let all: Vec<_> = (0..10).map(|_| one()).collect();
        for one in all {
            one.await.unwrap()?;
        }
        Ok::<(), OpenIdError>(())
    };
    crowd().await?;
    assert_eq!((fake.request_count("/.well-known/openid-configuration"), fake.request_count("/jwks")), (1, 1));
    // They share the fetch of rotated keys too.
    fake.state().keys = vec![Arc::new(Signer::rsa_b())];
    fake.clock.advance(MINUTE);
    crowd().await?;
    assert_eq!(fake.request_count("/jwks"), 2);
    Ok(())
}

#[tokio::test]
async fn withdrawn_keys_expire_after_an_hour() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    fake.sign_in_with(&provider).await?;
    fake.state().keys = vec![Arc::new(Signer::rsa_b())];
    let stolen = Arc::new(Signer::rsa_a());
    fake.forge(move |draft| {
        draft.header["kid"] = json!("rsa-a");
        draft.signature = Signature::With(Arc::clone(&stolen));
    });
    fake.sign_in_with(&provider).await?;
    fake.clock.advance(60 * MINUTE);
    let outcome = fake.sign_in_with(&provider).await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::UnknownKey))), "{outcome:?}");
    Ok(())
}

#[tokio::test]
async fn token_without_key_id_is_checked_with_all_keys() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    fake.forge(|draft| draft.header = json!({"alg": "RS256"}));
    fake.state().keys = vec![Arc::new(Signer::rsa_a()), Arc::new(Signer::p256()), Arc::new(Signer::rsa_b())];
    fake.sign_in_with(&provider).await?;
    fake.state().keys = vec![Arc::new(Signer::rsa_b())];
    fake.sign_in_with(&provider).await?;
    assert_eq!(fake.request_count("/jwks"), 1);
    let other = Arc::new(Signer::p256());
    fake.forge(move |draft| {
        draft.header = json!({"alg": "ES256"});
        draft.signature = Signature::With(Arc::clone(&other));
    });
    let outcome = fake.sign_in_with(&provider).await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::Signature))), "{outcome:?}");
    Ok(())
}

/// Without key ids, a wrong signature is the only hint of a rotated key.
#[tokio::test]
async fn keys_without_id_are_rotated_too() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    fake.forge(|draft| draft.header = json!({"alg": "RS256"}));
    fake.sign_in_with(&provider).await?;
    fake.state().keys = vec![Arc::new(Signer::rsa_b())];
    fake.clock.advance(MINUTE);
    fake.sign_in_with(&provider).await?;
    assert_eq!(fake.request_count("/jwks"), 2);
    Ok(())
}

/// Encryption keys and invalid keys are ignored; one valid key among them is enough.
#[tokio::test]
async fn only_signature_keys_are_used() -> Result {
    let fake = FakeProvider::start().await;
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
        fake.state().instead.insert("/jwks", ok(json!({"keys": [key]}).to_string()));
        let outcome = fake.sign_in().await;
        assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::UnknownKey))), "{key}: {outcome:?}");
    }
    let mut all = useless.to_vec();
    all.push(with("alg", json!("RS256")));
    all.push(with("key_ops", json!(["verify"])));
    fake.state().instead.insert("/jwks", ok(json!({"keys": all}).to_string()));
    fake.sign_in().await?;
    // Some providers write a zero byte before the number.
    let n = good["n"].as_str().unwrap();
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, n).unwrap();
    let signed = super::signer::encode([&[0], bytes.as_slice()].concat());
    fake.state().instead.insert("/jwks", ok(json!({"keys": [with("n", json!(signed))]}).to_string()));
    fake.sign_in().await?;
    Ok(())
}

#[tokio::test]
async fn invalid_key_sets_are_rejected() {
    let fake = FakeProvider::start().await;
    let huge = format!("{{\"keys\":[{}1]}}", "1,".repeat(300_000));
    for (body, expected) in [
        ("<html>".to_owned(), "is not valid"),
        ("{}".to_owned(), "is not valid"),
        ("{\"keys\":{}}".to_owned(), "is not valid"),
        ("[".repeat(100_000), "is not valid"),
        (huge, "larger than"),
    ] {
        fake.state().instead.insert("/jwks", ok(&body));
        let outcome = fake.sign_in().await;
        assert!(
            matches!(&outcome, Err(OpenIdError::ProviderFailed(reason)) if reason.contains(expected)),
            "{outcome:?}"
        );
    }
    fake.state().instead.insert("/jwks", ok("{\"keys\":[]}"));
    assert!(matches!(fake.sign_in().await, Err(OpenIdError::ProviderForged(Forgery::UnknownKey))));
    fake.state().instead.insert("/jwks", answer("HTTP/1.1 500 Oops\r\n", ""));
    assert!(matches!(fake.sign_in().await, Err(OpenIdError::ProviderFailed(_))));
}
