//! Sign-ins that succeed.

use std::collections::HashMap;
use std::sync::Arc;

use accounts::openid::{Claims, OpenIdError, ProviderId};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use testkit::origin::{Origin, ok};

use super::fake_provider::{ACCESS_TOKEN, CLIENT_ID, FakeProvider, REDIRECT_URL};
use super::signer::{Signer, encode};

const METHODS: &str = "token_endpoint_auth_methods_supported";

type Result<T = ()> = std::result::Result<T, OpenIdError>;

fn hana(fake: &FakeProvider) -> Claims {
    Claims {
        provider: ProviderId::Oidc,
        issuer: fake.issuer(),
        subject: "user-1".to_owned(),
        email: Some("hana@news.test".to_owned()),
        email_verified: true,
        name: Some("Hana".to_owned()),
    }
}

#[tokio::test]
async fn user_signs_in() -> Result {
    let fake = FakeProvider::start().await;
    assert_eq!(fake.sign_in().await?, hana(&fake));
    assert_eq!(fake.request_count("/userinfo"), 0);
    Ok(())
}

#[tokio::test]
async fn authorization_url_has_state_nonce_and_pkce() -> Result {
    let fake = FakeProvider::start().await;
    let (url, attempt) = fake.provider().begin().await?;
    let query: HashMap<_, _> = url.query_pairs().into_owned().collect();
    let verifier = attempt.verifier.expose();
    let challenge = encode(digest(&SHA256, verifier.as_bytes()));
    let expected = [
        ("tenant", "1"),
        ("response_type", "code"),
        ("client_id", CLIENT_ID),
        ("redirect_uri", REDIRECT_URL),
        ("scope", "openid email profile"),
        ("state", attempt.state.expose()),
        ("nonce", attempt.nonce.expose()),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    assert_eq!(query, expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
    assert!(!url.as_str().contains(verifier));
    Ok(())
}

#[tokio::test]
async fn attempts_have_distinct_secrets() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    let (_, one) = provider.begin().await?;
    let (_, other) = provider.begin().await?;
    let mut all: Vec<_> =
        [&one, &other].iter().flat_map(|attempt| [&attempt.state, &attempt.nonce, &attempt.verifier]).collect();
    all.sort_by_key(|secret| secret.expose());
    all.dedup();
    assert_eq!(all.len(), 6);
    // 256 bits are 43 letters, the minimum of a verifier (RFC 7636, section 4.1).
    assert!(all.iter().all(|secret| secret.expose().len() == 43));
    Ok(())
}

#[tokio::test]
async fn attempt_survives_serialization() -> Result {
    let fake = FakeProvider::start().await;
    let provider = fake.provider();
    let (attempt, callback) = fake.begin_and_visit(&provider).await?;
    let kept = serde_json::to_string(&attempt).unwrap();
    let shown = format!("{attempt:?} {callback:?} {provider:?}");
    for secret in ["hunter2", "s3cret", attempt.state.expose(), attempt.nonce.expose(), attempt.verifier.expose()] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert_eq!(provider.finish(&serde_json::from_str(&kept).unwrap(), &callback).await?, hana(&fake));
    Ok(())
}

#[tokio::test]
async fn all_accepted_algorithms_work() -> Result {
    let fake = FakeProvider::start().await;
    let ways = [
        ("RS256", Signer::rsa_a as fn() -> Signer),
        ("RS384", Signer::rsa_a),
        ("RS512", Signer::rsa_b),
        ("PS256", Signer::rsa_a),
        ("PS384", Signer::rsa_b),
        ("PS512", Signer::rsa_b),
        ("ES256", Signer::p256),
        ("ES384", Signer::p384),
        ("EdDSA", Signer::ed25519),
    ];
    for (algorithm, signer) in ways {
        fake.state().keys = vec![Arc::new(signer()), Arc::new(Signer::p256().under("another"))];
        fake.forge(move |draft| draft.header["alg"] = json!(algorithm));
        assert_eq!(fake.sign_in().await?, hana(&fake), "{algorithm}");
    }
    Ok(())
}

#[tokio::test]
async fn supported_client_authentication_is_used() -> Result {
    let fake = FakeProvider::start().await;
    let shown = |fake: &FakeProvider| {
        let seen = fake.origin.seen().into_iter().rfind(|seen| seen.target == "/token").unwrap();
        let in_body = String::from_utf8(seen.body.clone()).unwrap().contains("client_secret=");
        (seen.header("authorization").is_some(), in_body)
    };
    let ways = [
        ((|_| ()) as fn(&mut Value), (true, false)),
        (|it| it[METHODS] = json!(["client_secret_post", "client_secret_basic"]), (true, false)),
        (|it| it[METHODS] = json!(["private_key_jwt", "client_secret_post"]), (false, true)),
    ];
    for (describe, expected) in ways {
        fake.state().describe = describe;
        assert_eq!(fake.sign_in().await?, hana(&fake));
        assert_eq!(shown(&fake), expected);
    }
    fake.state().describe = |it| it[METHODS] = json!(["private_key_jwt"]);
    assert!(matches!(fake.sign_in().await, Err(OpenIdError::ProviderMisconfigured { .. })));
    Ok(())
}

#[tokio::test]
async fn other_client_authentication_is_tried() -> Result {
    let fake = FakeProvider::start().await;
    fake.state().describe = |it| it[METHODS] = json!(["client_secret_basic", "client_secret_post"]);
    fake.state().refuses_header = true;
    assert_eq!(fake.sign_in().await?, hana(&fake));
    assert_eq!(fake.request_count("/token"), 2);
    Ok(())
}

#[tokio::test]
async fn only_supported_scopes_are_requested() -> Result {
    let fake = FakeProvider::start().await;
    fake.state().describe = |it| it["scopes_supported"] = json!(["openid", "email"]);
    let (url, _) = fake.provider().begin().await?;
    assert!(url.query_pairs().any(|(name, value)| name == "scope" && value == "openid email"), "{url}");
    Ok(())
}

#[tokio::test]
async fn userinfo_is_fetched_if_the_token_has_no_email() -> Result {
    let fake = FakeProvider::start().await;
    fake.forge(|draft| draft.claims["email"] = json!(null));
    let userinfo = json!({"sub": "user-1", "email": "hana@elsewhere.test", "email_verified": "true", "name": "H."});
    fake.state().userinfo = userinfo;
    let expected = Claims { email: Some("hana@elsewhere.test".to_owned()), ..hana(&fake) };
    assert_eq!(fake.sign_in().await?, expected);
    // The claim `email_verified` is missing.
    fake.state().userinfo = json!({"sub": "user-1", "email": "hana@elsewhere.test"});
    assert!(!fake.sign_in().await?.email_verified);
    // Without an address, the subject is enough for a known identity.
    fake.state().userinfo = json!({"sub": "user-1"});
    assert_eq!(fake.sign_in().await?, Claims { email: None, email_verified: false, ..hana(&fake) });
    fake.state().describe = |it| it["userinfo_endpoint"] = json!(null);
    assert_eq!(fake.sign_in().await?.email, None);
    Ok(())
}

#[tokio::test]
async fn email_is_verified_only_if_the_claim_is_true() -> Result {
    let fake = FakeProvider::start().await;
    for (said, verified) in [
        (json!(true), true),
        (json!("true"), true),
        (json!(false), false),
        (json!("false"), false),
        (json!(null), false),
    ] {
        fake.forge({
            let said = said.clone();
            move |draft| draft.claims["email_verified"] = said.clone()
        });
        assert_eq!(fake.sign_in().await?.email_verified, verified, "{said}");
    }
    Ok(())
}

#[tokio::test]
async fn name_is_one_line_and_limited() -> Result {
    let fake = FakeProvider::start().await;
    let long = "花".repeat(300);
    for (name, expected) in [
        (json!(" Ha\u{7}na\r\n "), Some("Hana".to_owned())),
        (json!(long), Some("花".repeat(255))),
        (json!("   "), None),
        (json!(null), Some("hana-san".to_owned())),
    ] {
        fake.forge(move |draft| {
            draft.claims["name"] = name.clone();
            draft.claims["preferred_username"] = json!("hana-san");
        });
        assert_eq!(fake.sign_in().await?.name, expected);
    }
    Ok(())
}

#[tokio::test]
async fn several_audiences_need_an_authorized_party() -> Result {
    let fake = FakeProvider::start().await;
    fake.forge(|draft| {
        draft.claims["aud"] = json!([CLIENT_ID, "another"]);
        draft.claims["azp"] = json!(CLIENT_ID);
    });
    assert_eq!(fake.sign_in().await?, hana(&fake));
    fake.forge(|draft| draft.claims["aud"] = json!([CLIENT_ID]));
    assert_eq!(fake.sign_in().await?, hana(&fake));
    Ok(())
}

#[tokio::test]
async fn right_at_hash_is_accepted() -> Result {
    let fake = FakeProvider::start().await;
    fake.forge(|draft| {
        let hash = digest(&SHA256, ACCESS_TOKEN.as_bytes());
        draft.claims["at_hash"] = json!(encode(&hash.as_ref()[..16]));
    });
    assert_eq!(fake.sign_in().await?, hana(&fake));
    Ok(())
}

#[tokio::test]
async fn small_clock_differences_are_tolerated() -> Result {
    let fake = FakeProvider::start().await;
    let now = fake.clock.now().timestamp();
    for (iat, exp) in [(now + 59, now + 359), (now - 300, now - 59)] {
        fake.forge(move |draft| {
            draft.claims["iat"] = json!(iat);
            draft.claims["nbf"] = json!(iat);
            draft.claims["exp"] = json!(exp);
        });
        assert_eq!(fake.sign_in().await?, hana(&fake));
    }
    Ok(())
}

/// Google's tokens and keys come from other hosts than its issuer.
#[tokio::test]
async fn keys_may_be_on_another_public_host() -> Result {
    let fake = FakeProvider::start().await;
    let keys = json!({"keys": [fake.state().keys[0].jwk()]}).to_string();
    let elsewhere = Origin::serve(move |_| ok(&keys)).await;
    fake.state().keys_elsewhere = Some(elsewhere.url("/certs"));
    let refused = fake.sign_in().await;
    assert!(matches!(&refused, Err(OpenIdError::ProviderMisconfigured { .. })), "{refused:?}");
    assert_eq!(elsewhere.connections().accepted, 0, "a provider must not choose an address on the operator's network");
    let open =
        net::ClientSettings { allow_nets: vec!["127.0.0.0/8".parse().unwrap()], ..net::ClientSettings::default() };
    assert_eq!(fake.sign_in_with(&fake.provider_with(open)).await?, hana(&fake));
    assert_eq!(elsewhere.seen().len(), 1);
    Ok(())
}
