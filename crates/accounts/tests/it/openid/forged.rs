//! Id tokens that are not what they claim to be.

use std::sync::Arc;

use accounts::openid::{Forgery, OpenIdError};
use serde_json::{Value, json};

use super::double::{ACCESS_TOKEN, CLIENT_ID, Double, Draft};
use super::signer::{Signature, Signer, encode};

/// Whether a token that was changed like this is refused, and for which reason.
async fn refuses(forge: impl Fn(&mut Draft) + Send + 'static, expected: &Forgery) {
    let double = Double::start().await;
    double.forge(forge);
    let outcome = double.sign_in().await;
    assert!(
        matches!(&outcome, Err(OpenIdError::ProviderForged(forgery)) if forgery == expected),
        "{outcome:?}, not {expected:?}"
    );
}

async fn refuses_claim(name: &'static str, value: Value, expected: Forgery) {
    refuses(move |draft| draft.claims[name] = value.clone(), &expected).await;
}

/// The same with a time, in seconds from now.
async fn refuses_time(name: &'static str, from_now: i64, expected: Forgery) {
    let double = Double::start().await;
    let time = double.clock.now().timestamp() + from_now;
    refuses(move |draft| draft.claims[name] = json!(time), &expected).await;
}

#[tokio::test]
async fn a_wrong_signature() {
    refuses(|draft| draft.signature = Signature::Bytes(vec![7; 256]), &Forgery::Signature).await;
    refuses(|draft| draft.signature = Signature::Bytes(Vec::new()), &Forgery::Signature).await;
    // Another key under the id of the right one.
    let other = Arc::new(Signer::rsa_b());
    refuses(move |draft| draft.signature = Signature::With(Arc::clone(&other)), &Forgery::Signature).await;
}

#[tokio::test]
async fn no_signature_at_all() {
    for name in ["none", "None", "NONE", "nOnE", ""] {
        let forge = move |draft: &mut Draft| {
            draft.header["alg"] = json!(name);
            draft.signature = Signature::Bytes(Vec::new());
        };
        refuses(forge, &Forgery::Algorithm(name.to_owned())).await;
    }
}

/// The classic: what everybody can see of the key is taken for a shared secret.
#[tokio::test]
async fn a_shared_secret_in_place_of_a_key() {
    let jwk = Signer::rsa_a().jwk();
    let modulus = jwk["n"].as_str().unwrap().to_owned();
    for secret in [modulus.into_bytes(), jwk.to_string().into_bytes(), super::double::CLIENT_SECRET.into()] {
        let forge = move |draft: &mut Draft| {
            draft.header["alg"] = json!("HS256");
            draft.signature = Signature::Hmac(secret.clone());
        };
        refuses(forge, &Forgery::Algorithm("HS256".to_owned())).await;
    }
}

/// The key in the token itself, or where the token says it is: neither is the provider's.
#[tokio::test]
async fn a_key_that_the_token_brings_along() {
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
async fn a_key_of_another_kind_than_the_algorithm() {
    for algorithm in ["ES256", "ES384", "EdDSA"] {
        let forge = move |draft: &mut Draft| {
            draft.header["alg"] = json!(algorithm);
            draft.signature = Signature::Bytes(vec![1; 64]);
        };
        refuses(forge, &Forgery::UnknownKey).await;
    }
}

#[tokio::test]
async fn an_algorithm_that_nobody_should_use() {
    for algorithm in ["HS384", "HS512", "RS1", "ES512", "ES256K", "RS256 ", "rs256", "dir"] {
        let forge = move |draft: &mut Draft| draft.header["alg"] = json!(algorithm);
        refuses(forge, &Forgery::Algorithm(algorithm.to_owned())).await;
    }
}

#[tokio::test]
async fn another_client() {
    for audience in [json!("another"), json!([]), json!(["another"]), json!(""), json!([CLIENT_ID, "another"])] {
        refuses_claim("aud", audience, Forgery::Audience).await;
    }
    refuses_claim("azp", json!("another"), Forgery::Audience).await;
}

#[tokio::test]
async fn another_issuer() {
    for issuer in ["https://evil.test", "", "accounts.google.com", "https://accounts.google.com"] {
        refuses_claim("iss", json!(issuer), Forgery::Issuer).await;
    }
    let double = Double::start().await;
    double.forge(|draft| draft.claims["iss"] = json!(format!("{}/", draft.claims["iss"].as_str().unwrap())));
    assert!(matches!(double.sign_in().await, Err(OpenIdError::ProviderForged(Forgery::Issuer))));
}

#[tokio::test]
async fn another_time() {
    refuses_time("exp", -61, Forgery::Expired).await;
    refuses_time("exp", -86_400, Forgery::Expired).await;
    refuses_time("iat", 61, Forgery::NotYetValid).await;
    refuses_time("nbf", 3_600, Forgery::NotYetValid).await;
}

#[tokio::test]
async fn another_attempt() {
    refuses_claim("nonce", json!("x".repeat(43)), Forgery::Nonce).await;
    refuses_claim("nonce", json!(""), Forgery::Nonce).await;
    refuses_claim("nonce", json!(null), Forgery::Nonce).await;
}

/// A good token of an earlier sign-in, brought once more.
#[tokio::test]
async fn a_replayed_token() -> Result<(), OpenIdError> {
    let double = Double::start().await;
    let provider = double.provider();
    let (earlier, _) = double.come_back(&provider).await?;
    let nonce = earlier.nonce.expose().to_owned();
    double.forge(move |draft| draft.claims["nonce"] = json!(nonce));
    let outcome = double.sign_in_by(&provider).await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::Nonce))), "{outcome:?}");
    Ok(())
}

#[tokio::test]
async fn another_access_token() {
    refuses_claim("at_hash", json!(encode([0; 16])), Forgery::AccessToken).await;
    refuses_claim("at_hash", json!(ACCESS_TOKEN), Forgery::AccessToken).await;
}

#[tokio::test]
async fn nobody_in_particular() {
    refuses_claim("sub", json!(""), Forgery::Subject).await;
    refuses_claim("sub", json!("x".repeat(256)), Forgery::Subject).await;
}

#[tokio::test]
async fn claims_that_make_no_sense() {
    let nonsense = Forgery::Malformed("its claims make no sense");
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
async fn an_extension_that_must_be_understood() {
    let forge = |draft: &mut Draft| draft.header["crit"] = json!(["exp"]);
    refuses(forge, &Forgery::Malformed("it demands an extension")).await;
}

#[tokio::test]
async fn what_is_no_token() {
    let double = Double::start().await;
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
        double.book().hand_out = answer;
        let outcome = double.sign_in().await;
        assert!(matches!(&outcome, Err(OpenIdError::ProviderForged(Forgery::Malformed(_)))), "{outcome:?}");
    }
    double.book().hand_out = |it| it["id_token"] = json!(null);
    assert!(matches!(double.sign_in().await, Err(OpenIdError::ProviderFailed(_))));
}

/// Rightly signed, with a key that a patient attacker can work out.
#[tokio::test]
async fn a_weak_key() {
    let double = Double::start().await;
    double.book().hand_out = |it| it["id_token"] = weak()["token"].clone();
    let keys = json!({"keys": [weak()["jwk"]]}).to_string();
    double.book().instead.insert("/jwks", testkit::origin::ok(keys));
    let outcome = double.sign_in().await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::Signature))), "{outcome:?}");
}

fn weak() -> Value {
    serde_json::from_str(include_str!("../../../testdata/openid/weak.json")).unwrap()
}

/// The page about the person is asked with their access token, but the id token says who they are.
#[tokio::test]
async fn the_page_of_another_person() {
    let double = Double::start().await;
    double.forge(|draft| draft.claims["email"] = json!(null));
    double.book().userinfo = json!({"sub": "person-2", "email": "owner@news.test", "email_verified": true});
    let outcome = double.sign_in().await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderForged(Forgery::Userinfo))), "{outcome:?}");
    // A page that does not say whose it is.
    double.book().userinfo = json!({"email": "owner@news.test", "email_verified": true});
    let outcome = double.sign_in().await;
    assert!(matches!(outcome, Err(OpenIdError::ProviderFailed(_))), "{outcome:?}");
}
