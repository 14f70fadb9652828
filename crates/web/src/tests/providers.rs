//! Sign-in with a provider on loopback, through the real routes.

mod audit;
mod fake_provider;

use ::accounts::SignupAllowed;
use store::users::Role;

use self::fake_provider::FakeProvider;
use super::{
    browser::{Browser, create_member, error, status_and_code},
    *,
};

const LOGIN: &str = "/auth/oidc/login";
const ME: &str = "/api/users/me";
const IDENTITIES: &str = "/api/users/me/identities";

fn clock() -> Clock {
    Clock::manual("2026-11-16T04:00:00Z".parse().unwrap())
}

/// State with this provider.
fn app_with(db: &TestDb, fake: &FakeProvider, clock: &Clock) -> ApiState {
    ApiState { providers: vec![fake.provider(clock.clone())], ..app_at(db, clock.clone()) }
}

fn location(answer: &TestResponse) -> &str {
    assert_eq!(answer.status.as_u16(), 302, "{}", answer.text());
    answer.header("location")
}

/// Goes to the provider and returns to the callback.
async fn go_and_return(browser: &mut Browser, fake: &FakeProvider, login: &str) -> TestResponse {
    let away = browser.get(login).await;
    let callback = fake.visit(location(&away));
    browser.get(&callback).await
}

/// Links an identity of the provider to the signed-in account.
async fn link(browser: &mut Browser, fake: &FakeProvider) -> TestResponse {
    let start = browser.send("POST", &format!("{IDENTITIES}/oidc"), json!({})).await;
    assert_eq!(start.status.as_u16(), 200, "{}", start.text());
    let callback = fake.visit(start.json()["url"].as_str().unwrap());
    browser.get(&callback).await
}

on_both_databases!(new_user_signs_in_with_a_provider);
async fn new_user_signs_in_with_a_provider(db: TestDb) {
    let (clock, fake) = (clock(), FakeProvider::start().await);
    let mut browser = Browser::new(&main_router(app_with(&db, &fake, &clock)));
    let ways = browser.get("/auth/providers").await.json();
    assert_eq!(ways["providers"], json!([{ "id": "oidc", "name": "Double", "login_url": LOGIN }]));
    let away = browser.get(&format!("{LOGIN}?return_to=/feeds%3Fa%3D1")).await;
    assert!(location(&away).starts_with(&fake.issuer()), "{}", location(&away));
    assert!(
        away.header("set-cookie").starts_with("kawaraban_attempt=") && away.header("set-cookie").contains("HttpOnly")
    );
    let japanese = ("accept-language", "ja, en;q=0.5");
    let back = browser.call(request("GET", &fake.visit(location(&away)), &[japanese], "")).await;
    assert_eq!(location(&back), "http://localhost:8080/feeds?a=1");
    assert_eq!(browser.get("/api/users/me/settings").await.json()["language"], "ja");
    assert_eq!(browser.cookies.keys().collect::<Vec<_>>(), ["kawaraban_device", "kawaraban_session"]);
    let me = browser.get(ME).await.json();
    assert_eq!((&me["email"], &me["has_password"]), (&"ann@example.com".into(), &false.into()));
    let identities = browser.get(IDENTITIES).await.json();
    assert_eq!((&identities[0]["provider"], &identities[0]["email"]), (&"oidc".into(), &"ann@example.com".into()));
    let last = browser.delete(&format!("{IDENTITIES}/{}", identities[0]["id"].as_str().unwrap())).await;
    assert_eq!(status_and_code(&last), error(409, "last_way_in"));

    let mut second = browser.clone();
    second.cookies.clear();
    go_and_return(&mut second, &fake, LOGIN).await;
    assert_eq!(second.get(ME).await.json()["id"], me["id"], "the same user");
}

on_both_databases!(invalid_callbacks_are_rejected_with_a_reason);
async fn invalid_callbacks_are_rejected_with_a_reason(db: TestDb) {
    let (clock, fake) = (clock(), FakeProvider::start().await);
    let app = app_with(&db, &fake, &clock);
    let router = main_router(app.clone());
    let failed = |code: &str| format!("http://localhost:8080/sign-in?error={code}");

    let mut browser = Browser::new(&router);
    let callback = fake.visit(location(&browser.get(LOGIN).await));
    let mut other = Browser::new(&router);
    assert_eq!(location(&other.get(&callback).await), failed("sign_in_mismatch"), "a browser without an attempt");
    other.get(LOGIN).await;
    assert_eq!(location(&other.get(&callback).await), failed("sign_in_mismatch"), "a browser with another attempt");
    assert!(other.cookies.is_empty(), "the attempt has ended: {:?}", other.cookies);
    let json = ("accept", "application/json");
    let program = other.call(request("GET", &callback, &[json], "")).await;
    assert_eq!(status_and_code(&program), error(403, "sign_in_mismatch"), "other clients get the error body");
    clock.advance(Duration::from_secs(11 * 60));
    assert_eq!(location(&browser.get(&callback).await), failed("sign_in_expired"));

    browser.get(LOGIN).await;
    let state = fake.visit(location(&browser.get(LOGIN).await)).split_once("&state=").unwrap().1.to_owned();
    let refused = format!("/auth/oidc/callback?error=access_denied&state={state}");
    assert_eq!(location(&browser.get(&refused).await), failed("sign_in_refused"));

    fake.set_user(json!({ "sub": "2", "email": "eve@example.com", "email_verified": false }));
    assert_eq!(location(&go_and_return(&mut browser, &fake, LOGIN).await), failed("email_not_verified"));
    fake.sign_badly();
    assert_eq!(location(&go_and_return(&mut browser, &fake, LOGIN).await), failed("provider_forged"));
    assert!(browser.cookies.is_empty() && browser.get(ME).await.status.as_u16() == 401);

    let settings = AccountSettings {
        signup_allowed: "example.org".parse::<SignupAllowed>().unwrap(),
        ..AccountSettings::default()
    };
    let closed = ApiState { accounts: Accounts::new(db.db(), clock.clone(), settings), ..app };
    let fake = FakeProvider::start().await;
    let mut browser = Browser::new(&main_router(ApiState { providers: vec![fake.provider(clock.clone())], ..closed }));
    assert_eq!(location(&go_and_return(&mut browser, &fake, LOGIN).await), failed("sign_up_not_allowed"));
}

on_both_databases!(only_the_signed_in_user_links_an_identity);
async fn only_the_signed_in_user_links_an_identity(db: TestDb) {
    let (clock, fake) = (clock(), FakeProvider::start().await);
    let app = app_with(&db, &fake, &clock);
    create_member(&app, "bob@example.com").await;
    create_member(&app, "eve@example.com").await;
    let router = main_router(app.clone());
    let (mut bob, mut eve) = (Browser::new(&router), Browser::new(&router));
    bob.sign_in("bob@example.com").await;
    eve.sign_in("eve@example.com").await;

    // Eve makes Bob's browser finish her attempt.
    let start = eve.send("POST", &format!("{IDENTITIES}/oidc"), json!({ "return_to": "//evil.example" })).await;
    let callback = fake.visit(start.json()["url"].as_str().unwrap());
    let settings = |code: &str| format!("http://localhost:8080/settings?error={code}");
    let mut fooled = bob.clone();
    fooled.cookies.insert("kawaraban_attempt".to_owned(), eve.cookies["kawaraban_attempt"].clone());
    assert_eq!(location(&fooled.get(&callback).await), settings("sign_in_mismatch"));
    let mut signed_out = Browser::new(&router);
    signed_out.cookies.insert("kawaraban_attempt".to_owned(), eve.cookies["kawaraban_attempt"].clone());
    assert_eq!(location(&signed_out.get(&callback).await), settings("sign_in_required"));
    assert_eq!(bob.get(IDENTITIES).await.json(), json!([]));

    assert_eq!(location(&link(&mut bob, &fake).await), "http://localhost:8080/settings");
    assert_eq!(bob.get(IDENTITIES).await.json().as_array().unwrap().len(), 1);
    let mut elsewhere = Browser::new(&router);
    go_and_return(&mut elsewhere, &fake, LOGIN).await;
    assert_eq!(elsewhere.get(ME).await.json()["email"], "bob@example.com", "Bob can sign in with it");
    assert_eq!(location(&link(&mut eve, &fake).await), settings("identity_taken"));
    let id = bob.get(IDENTITIES).await.json()[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(status_and_code(&eve.delete(&format!("{IDENTITIES}/{id}")).await), error(404, "not_found"));
    assert_eq!(bob.delete(&format!("{IDENTITIES}/{id}")).await.status.as_u16(), 204);
    assert_eq!(
        app.accounts
            .list_users(None, 10)
            .await
            .unwrap()
            .iter()
            .filter(|listed| listed.user.role == Role::Owner)
            .count(),
        0
    );
}

#[tokio::test]
async fn unavailable_and_unknown_providers_are_reported() {
    let db = TestDb::sqlite().await;
    let clock = clock();
    let fake = FakeProvider::start().await;
    let app = app_with(&db, &fake, &clock);
    drop(fake);
    let mut browser = Browser::new(&main_router(app));
    let away = browser.get(LOGIN).await;
    assert_eq!(location(&away), "http://localhost:8080/sign-in?error=provider_unreachable");
    let program = browser.call(request("GET", LOGIN, &[("accept", "application/json")], "")).await;
    assert_eq!(status_and_code(&program), error(502, "provider_unreachable"));
    for path in ["/auth/google/login", "/auth/x/login", "/auth/google/callback", "/auth/local/callback"] {
        assert_eq!(status_and_code(&browser.get(path).await), error(404, "not_found"), "{path}");
    }
    assert_eq!(status_and_code(&browser.get("/auth/local/login").await), error(405, "method_not_allowed"));
}

#[tokio::test]
async fn sign_in_never_redirects_to_another_site() {
    let db = TestDb::sqlite().await;
    let (clock, fake) = (clock(), FakeProvider::start().await);
    let router = main_router(app_with(&db, &fake, &clock));
    for target in [
        "//evil.example",
        "///evil.example",
        "/%5Cevil.example",
        "%5C%5Cevil.example",
        "/%09/evil.example",
        "/%0a/evil.example",
        "%20//evil.example",
        "https://evil.example",
        "https:%2f%2fevil.example",
        "javascript:alert(1)",
        "@evil.example",
        ".evil.example",
        "/%0d%0aset-cookie:%20a=b",
        "",
    ] {
        let mut browser = Browser::new(&router);
        let back = go_and_return(&mut browser, &fake, &format!("{LOGIN}?return_to={target}")).await;
        assert_eq!(location(&back), "http://localhost:8080/", "{target}");
    }
    let refused = Browser::new(&router).get(&format!("{LOGIN}?return_to=/%00")).await;
    assert_eq!(refused.status.as_u16(), 400, "NUL is rejected");
}
