//! Forged id tokens and userinfo responses are rejected.

use std::sync::Arc;

use accounts::openid::{Forgery, OpenIdError};
use serde_json::{Value, json};

use super::fake_provider::{ACCESS_TOKEN, CLIENT_ID, Draft, FakeProvider};
use super::signer::{Signature, Signer, encode};

/// Signs in with a token that `forge` has changed, and expects this error.
async fn refuses(forge: impl Fn(&mut Draft) + Send + 'static, expected: &Forgery) {
    let fake = FakeProvider::start().await;
    fake.forge(forge);
    let outcome = fake.sign_in().await;
    assert!(
        matches!(&outcome, Err(OpenIdError::ProviderForged(forgery)) if forgery == expected),
        "{outcome:?}, not {expected:?}"
    );
}

async fn refuses_claim(name: &'static str, value: Value, expected: Forgery) {
    refuses(move |draft| draft.claims[name] = value.clone(), &expected).await;
}

/// Like [`refuses_claim`] with a time, in seconds from now.
async fn refuses_time(name: &'static str, from_now: i64, expected: Forgery) {
    let fake = FakeProvider::start().await;
    let time = fake.clock.now().timestamp() + from_now;
    refuses(move |draft| draft.claims[name] = json!(time), &expected).await;
}

#[tokio::test]
async fn wrong_signature_is_rejected() {
    refuses(|draft| draft.signature = Signature::Bytes(vec![7; 256]), &Forgery::Signature).await;
    refuses(|draft| draft.signature = Signature::Bytes(Vec::new()), &Forgery::Signature).await;
    // Another key with the id of the right one.
    let other = Arc::new(Signer::rsa_b());
    refuses(move |draft| draft.signature = Signature::With(Arc::clone(&other)), &Forgery::Signature).await;
}

#[tokio::test]
async fn unsigned_tokens_are_rejected() {
    for name in ["none", "None", "NONE", "nOnE", ""] {
        let forge = move |draft: &mut Draft| {
            draft.header["alg"] = json!(name);
            draft.signature = Signature::Bytes(Vec::new());
        };
        refuses(forge, &Forgery::Algorithm(name.to_owned())).await;
    }
}

/// The public key used as a shared secret.
#[tokio::test]
async fn symmetric_signature_is_rejected() {
    let jwk = Signer::rsa_a().jwk();
    let modulus = jwk["n"].as_str().unwrap().to_owned();
    for secret in [modulus.into_bytes(), jwk.to_string().into_bytes(), super::fake_provider::CLIENT_SECRET.into()] {
        let forge = move |draft: &mut Draft| {
            draft.header["alg"] = json!("HS256");
            draft.signature = Signature::Hmac(secret.clone());
        };
        refuses(forge, &Forgery::Algorithm("HS256".to_owned())).await;
    }
}

/// A key in the header `jwk`, or at the address in `jku`, is not the provider's.
#[tokio::test]
async fn key_inside_the_token_is_ignored() {
    let own = Arc::new(Signer::rsa_b().under("own"));
    let forge = move |draft: &mut Draft| {
        draft.header["kid"] = json!("own");
        draft.header["jwk"] = own.jwk();
        draft.header["jku"] = json!("http://127.0.0.1/own-keys");
        draft.signature = Signature::With(Arc::clone(&own));
    };
    refuses(forge, &Forgery::UnknownKey).await;
}

#[tokio::test]
async fn key_type_must_match_the_algorithm() {
    for algorithm in ["ES256", "ES384", "EdDSA"] {
        let forge = move |draft: &mut Draft| {
            draft.header["alg"] = json!(algorithm);
            draft.signature = Signature::Bytes(vec![1; 64]);
        };
        refuses(forge, &Forgery::UnknownKey).await;
    }
}

#[tokio::test]
async fn weak_algorithms_are_rejected() {
    for algorithm in ["HS384", "HS512", "RS1", "ES512", "ES256K", "RS256 ", "rs256", "dir"] {
        let forge = move |draft: &mut Draft| draft.header["alg"] = json!(algorithm);
        refuses(forge, &Forgery::Algorithm(algorithm.to_owned())).await;
    }
}

#[tokio::test]
async fn other_audience_is_rejected() {
    for audience in [json!("another"), json!([]), json!(["another"]), json!(""), json!([CLIENT_ID, "another"])] {
        refuses_claim("aud", audience, Forgery::Audience).await;
    }
    refuses_claim("azp", json!("another"), Forgery::Audience).await;
}

#[tokio::test]
async fn other_issuer_is_rejected() {
    for issuer in ["https://evil.test", "", "accounts.google.com", "https://accounts.google.com"] {
        refuses_claim("iss", json!(issuer), Forgery::Issuer).await;
    }
    let fake = FakeProvider::start().await;
    fake.forge(|draft| draft.claims["iss"] = json!(format!("{}/", draft.claims["iss"].as_str().unwrap())));
    assert!(matches!(fake.sign_in().await, Err(OpenIdError::ProviderForged(Forgery::Issuer))));
}

#[tokio::test]
async fn expired_and_future_tokens_are_rejected() {
    refuses_time("exp", -61, Forgery::Expired).await;
    refuses_time("exp", -86_400, Forgery::Expired).await;
    refuses_time("iat", 61, Forgery::NotYetValid).await;
    refuses_time("nbf", 3_600, Forgery::NotYetValid).await;
}

#[tokio::test]
async fn other_nonce_is_rejected() {
    refuses_claim("nonce", json!("x".repeat(43)), Forgery::Nonce).await;
    refuses_claim("nonce", json!(""), Forgery::Nonce).await;
    refuses_claim("nonce", json!(null), Forgery::Nonce).await;
}

/// A valid token of an earlier sign-in.
#[tokio::test]
async fn replayed_token_is_rejected() -> Result<(), OpenIdError> {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    let (earlier, _) = fake.begin_and_visit(&provider).await?;
    let nonce = earlier.nonce.expose().to_owned();
    fake.forge(move |draft| draft.claims["nonce"] = json!(nonce));
    let outcome = fake.sign_in_with(&provider).await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::Nonce))), "{outcome:?}");
    Ok(())
}

#[tokio::test]
async fn wrong_at_hash_is_rejected() {
    refuses_claim("at_hash", json!(encode([0; 16])), Forgery::AccessToken).await;
    refuses_claim("at_hash", json!(ACCESS_TOKEN), Forgery::AccessToken).await;
}

#[tokio::test]
async fn invalid_subject_is_rejected() {
    refuses_claim("sub", json!(""), Forgery::Subject).await;
    refuses_claim("sub", json!("x".repeat(256)), Forgery::Subject).await;
}

#[tokio::test]
async fn invalid_claims_are_rejected() {
    let nonsense = Forgery::Malformed("its claims are not valid");
    for (name, value) in [
        ("sub", json!(7)),
        ("sub", json!(null)),
        ("exp", json!("tomorrow")),
        ("exp", json!(null)),
        ("iat", json!(null)),
        ("aud", json!({})),
        ("iss", json!(["x"])),
        ("email", json!(["hana@news.test"])),
    ] {
        refuses_claim(name, value, nonsense.clone()).await;
    }
    refuses(|draft| draft.claims = json!([1, 2]), &nonsense).await;
}

#[tokio::test]
async fn critical_extensions_are_rejected() {
    let forge = |draft: &mut Draft| draft.header["crit"] = json!(["exp"]);
    refuses(forge, &Forgery::Malformed("it requires an extension")).await;
}

#[tokio::test]
async fn malformed_tokens_are_rejected() {
    let fake = FakeProvider::start().await;
    let answers: [fn(&mut Value); 7] = [
        |it| it["id_token"] = json!(""),
        |it| it["id_token"] = json!("a.b"),
        |it| it["id_token"] = json!("a.b.c"),
        |it| it["id_token"] = json!("e30.e30.e30"),
        |it| it["id_token"] = json!("a.b.c.d.e"),
        |it| it["id_token"] = json!(format!("{}.x", it["id_token"].as_str().unwrap())),
        |it| it["id_token"] = json!(it["id_token"].as_str().unwrap().replace('.', "=.")),
    ];
    for answer in answers {
        fake.state().hand_out = answer;
        let outcome = fake.sign_in().await;
        assert!(matches!(&outcome, Err(OpenIdError::ProviderForged(Forgery::Malformed(_)))), "{outcome:?}");
    }
    fake.state().hand_out = |it| it["id_token"] = json!(null);
    assert!(matches!(fake.sign_in().await, Err(OpenIdError::ProviderFailed(_))));
}

/// A valid signature with a key that is too short.
#[tokio::test]
async fn weak_rsa_key_is_rejected() {
    let fake = FakeProvider::start().await;
    fake.state().hand_out = |it| it["id_token"] = weak()["token"].clone();
    let keys = json!({"keys": [weak()["jwk"]]}).to_string();
    fake.state().instead.insert("/jwks", testkit::origin::ok(keys));
    let outcome = fake.sign_in().await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::Signature))), "{outcome:?}");
}

fn weak() -> Value {
    serde_json::from_str(include_str!("../../../testdata/openid/weak.json")).unwrap()
}

/// The subject of the userinfo response must be that of the id token.
#[tokio::test]
async fn userinfo_of_another_user_is_rejected() {
    let fake = FakeProvider::start().await;
    fake.forge(|draft| draft.claims["email"] = json!(null));
    fake.state().userinfo = json!({"sub": "user-2", "email": "owner@news.test", "email_verified": true});
    let outcome = fake.sign_in().await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::Userinfo))), "{outcome:?}");
    // A userinfo response without a subject.
    fake.state().userinfo = json!({"email": "owner@news.test", "email_verified": true});
    let outcome = fake.sign_in().await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderFailed(_))), "{outcome:?}");
}
