//! What must work.

use std::collections::HashMap;
use std::sync::Arc;

use accounts::openid::{Claims, OpenIdError, ProviderId};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use testkit::origin::{Origin, ok};

use super::double::{ACCESS_TOKEN, CLIENT_ID, Double, REDIRECT_URL};
use super::signer::{Signer, encode};

const METHODS: &str = "token_endpoint_auth_methods_supported";

type Result<T = ()> = std::result::Result<T, OpenIdError>;

fn hana(double: &Double) -> Claims {
    Claims {
        provider: ProviderId::Oidc,
        issuer: double.issuer(),
        subject: "person-1".to_owned(),
        email: Some("hana@news.test".to_owned()),
        email_verified: true,
        name: Some("Hana".to_owned()),
    }
}

#[tokio::test]
async fn a_person_signs_in() -> Result {
    let double = Double::start().await;
    assert_eq!(double.sign_in().await?, hana(&double));
    assert_eq!(double.asked("/userinfo"), 0);
    Ok(())
}

#[tokio::test]
async fn the_browser_is_sent_with_state_nonce_and_pkce() -> Result {
    let double = Double::start().await;
    let (url, attempt) = double.provider().begin().await?;
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
async fn no_two_attempts_share_a_secret() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    let (_, one) = provider.begin().await?;
    let (_, other) = provider.begin().await?;
    let mut all: Vec<_> =
        [&one, &other].iter().flat_map(|attempt| [&attempt.state, &attempt.nonce, &attempt.verifier]).collect();
    all.sort_by_key(|secret| secret.expose());
    all.dedup();
    assert_eq!(all.len(), 6);
    // 256 bits, in 43 letters: the verifier may not be shorter (RFC 7636, section 4.1).
    assert!(all.iter().all(|secret| secret.expose().len() == 43));
    Ok(())
}

#[tokio::test]
async fn an_attempt_survives_the_browsers_keeping() -> Result {
    let double = Double::start().await;
    let provider = double.provider();
    let (attempt, callback) = double.come_back(&provider).await?;
    let kept = serde_json::to_string(&attempt).unwrap();
    let shown = format!("{attempt:?} {callback:?} {provider:?}");
    for secret in ["hunter2", "s3cret", attempt.state.expose(), attempt.nonce.expose(), attempt.verifier.expose()] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert_eq!(provider.finish(&serde_json::from_str(&kept).unwrap(), &callback).await?, hana(&double));
    Ok(())
}

#[tokio::test]
async fn every_accepted_algorithm_is_understood() -> Result {
    let double = Double::start().await;
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
        double.book().keys = vec![Arc::new(signer()), Arc::new(Signer::p256().under("another"))];
        double.forge(move |draft| draft.header["alg"] = json!(algorithm));
        assert_eq!(double.sign_in().await?, hana(&double), "{algorithm}");
    }
    Ok(())
}

#[tokio::test]
async fn the_secret_is_shown_in_the_way_that_the_provider_takes() -> Result {
    let double = Double::start().await;
    let shown = |double: &Double| {
        let seen = double.origin.seen().into_iter().rfind(|seen| seen.target == "/token").unwrap();
        let in_body = String::from_utf8(seen.body.clone()).unwrap().contains("client_secret=");
        (seen.header("authorization").is_some(), in_body)
    };
    let ways = [
        ((|_| ()) as fn(&mut Value), (true, false)),
        (|it| it[METHODS] = json!(["client_secret_post", "client_secret_basic"]), (true, false)),
        (|it| it[METHODS] = json!(["private_key_jwt", "client_secret_post"]), (false, true)),
    ];
    for (describe, expected) in ways {
        double.book().describe = describe;
        assert_eq!(double.sign_in().await?, hana(&double));
        assert_eq!(shown(&double), expected);
    }
    double.book().describe = |it| it[METHODS] = json!(["private_key_jwt"]);
    assert!(matches!(double.sign_in().await, Err(OpenIdError::ProviderMisconfigured { .. })));
    Ok(())
}

#[tokio::test]
async fn a_provider_that_holds_a_client_to_the_other_way_is_served_too() -> Result {
    let double = Double::start().await;
    double.book().describe = |it| it[METHODS] = json!(["client_secret_basic", "client_secret_post"]);
    double.book().refuses_header = true;
    assert_eq!(double.sign_in().await?, hana(&double));
    assert_eq!(double.asked("/token"), 2);
    Ok(())
}

#[tokio::test]
async fn only_known_scopes_are_asked_for() -> Result {
    let double = Double::start().await;
    double.book().describe = |it| it["scopes_supported"] = json!(["openid", "email"]);
    let (url, _) = double.provider().begin().await?;
    assert!(url.query_pairs().any(|(name, value)| name == "scope" && value == "openid email"), "{url}");
    Ok(())
}

#[tokio::test]
async fn the_address_is_asked_for_when_the_token_has_none() -> Result {
    let double = Double::start().await;
    double.forge(|draft| draft.claims["email"] = json!(null));
    let person = json!({"sub": "person-1", "email": "hana@elsewhere.test", "email_verified": "true", "name": "H."});
    double.book().userinfo = person;
    let expected = Claims { email: Some("hana@elsewhere.test".to_owned()), ..hana(&double) };
    assert_eq!(double.sign_in().await?, expected);
    // Nobody says that the address is verified.
    double.book().userinfo = json!({"sub": "person-1", "email": "hana@elsewhere.test"});
    assert!(!double.sign_in().await?.email_verified);
    // Nobody knows an address: the subject is enough for somebody who is known already.
    double.book().userinfo = json!({"sub": "person-1"});
    assert_eq!(double.sign_in().await?, Claims { email: None, email_verified: false, ..hana(&double) });
    double.book().describe = |it| it["userinfo_endpoint"] = json!(null);
    assert_eq!(double.sign_in().await?.email, None);
    Ok(())
}

#[tokio::test]
async fn an_address_is_verified_only_if_the_provider_says_so() -> Result {
    let double = Double::start().await;
    for (said, verified) in [
        (json!(true), true),
        (json!("true"), true),
        (json!(false), false),
        (json!("false"), false),
        (json!(null), false),
    ] {
        double.forge({
            let said = said.clone();
            move |draft| draft.claims["email_verified"] = said.clone()
        });
        assert_eq!(double.sign_in().await?.email_verified, verified, "{said}");
    }
    Ok(())
}

#[tokio::test]
async fn a_name_is_one_line_of_a_bearable_length() -> Result {
    let double = Double::start().await;
    let long = "花".repeat(300);
    for (name, expected) in [
        (json!(" Ha\u{7}na\r\n "), Some("Hana".to_owned())),
        (json!(long), Some("花".repeat(255))),
        (json!("   "), None),
        (json!(null), Some("hana-san".to_owned())),
    ] {
        double.forge(move |draft| {
            draft.claims["name"] = name.clone();
            draft.claims["preferred_username"] = json!("hana-san");
        });
        assert_eq!(double.sign_in().await?.name, expected);
    }
    Ok(())
}

#[tokio::test]
async fn tokens_for_several_clients_name_the_one_that_asked() -> Result {
    let double = Double::start().await;
    double.forge(|draft| {
        draft.claims["aud"] = json!([CLIENT_ID, "another"]);
        draft.claims["azp"] = json!(CLIENT_ID);
    });
    assert_eq!(double.sign_in().await?, hana(&double));
    double.forge(|draft| draft.claims["aud"] = json!([CLIENT_ID]));
    assert_eq!(double.sign_in().await?, hana(&double));
    Ok(())
}

#[tokio::test]
async fn a_token_may_be_bound_to_its_access_token() -> Result {
    let double = Double::start().await;
    double.forge(|draft| {
        let hash = digest(&SHA256, ACCESS_TOKEN.as_bytes());
        draft.claims["at_hash"] = json!(encode(&hash.as_ref()[..16]));
    });
    assert_eq!(double.sign_in().await?, hana(&double));
    Ok(())
}

#[tokio::test]
async fn clocks_may_be_a_little_apart() -> Result {
    let double = Double::start().await;
    let now = double.clock.now().timestamp();
    for (iat, exp) in [(now + 59, now + 359), (now - 300, now - 59)] {
        double.forge(move |draft| {
            draft.claims["iat"] = json!(iat);
            draft.claims["nbf"] = json!(iat);
            draft.claims["exp"] = json!(exp);
        });
        assert_eq!(double.sign_in().await?, hana(&double));
    }
    Ok(())
}

/// Google's tokens and keys come from other hosts than its issuer.
#[tokio::test]
async fn tokens_may_come_from_another_public_host() -> Result {
    let double = Double::start().await;
    let keys = json!({"keys": [double.book().keys[0].jwk()]}).to_string();
    let elsewhere = Origin::serve(move |_| ok(&keys)).await;
    double.book().keys_elsewhere = Some(elsewhere.url("/certs"));
    let refused = double.sign_in().await;
    assert!(matches!(&refused, Err(OpenIdError::ProviderMisconfigured { .. })), "{refused:?}");
    assert_eq!(elsewhere.connections().accepted, 0, "a provider must not choose an address on the operator's network");
    let open = net::Settings { allow_nets: vec!["127.0.0.0/8".parse().unwrap()], ..net::Settings::default() };
    assert_eq!(double.sign_in_by(&double.provider_with(open)).await?, hana(&double));
    assert_eq!(elsewhere.seen().len(), 1);
    Ok(())
}
