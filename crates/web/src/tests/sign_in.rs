//! Sign-in with a password, sessions and sign-out.

use super::{
    browser::{Browser, create_member, create_owner, error, status_and_code},
    *,
};

const ME: &str = "/api/users/me";

fn day() -> Clock {
    Clock::manual("2026-03-02T10:00:00Z".parse().unwrap())
}

on_both_databases!(user_signs_in_and_out);
async fn user_signs_in_and_out(db: TestDb) {
    let app = app(&db);
    let user = create_member(&app, "ann@example.com").await;
    let router = main_router(app);
    let mut browser = Browser::new(&router);
    assert_eq!(status_and_code(&browser.get(ME).await), error(401, "sign_in_required"));
    let answer = browser.sign_in(" Ann@Example.COM ").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let expected = json!({
        "id": user.id, "email": "ann@example.com", "name": "Ann", "role": "member", "has_password": true,
        "created_at": user.created_at,
    });
    assert_eq!(answer.json(), expected);
    assert_eq!(answer.header("cache-control"), "no-store");
    let set: Vec<&str> = answer.headers.get_all("set-cookie").iter().map(|set| set.to_str().unwrap()).collect();
    assert!(set.iter().all(|set| set.contains("; Path=/; HttpOnly; SameSite=Lax; Max-Age=")), "{set:?}");
    assert_eq!(browser.cookies.keys().collect::<Vec<_>>(), ["kawaraban_device", "kawaraban_session"]);
    assert_eq!(browser.get(ME).await.json(), expected);

    let mut thief = browser.clone();
    let gone = browser.send("POST", "/auth/logout", json!({})).await;
    assert_eq!((gone.status.as_u16(), gone.header("clear-site-data")), (204, "\"cache\""));
    assert_eq!(browser.cookies.keys().collect::<Vec<_>>(), ["kawaraban_device"]);
    let refused = thief.get(ME).await;
    assert_eq!(
        status_and_code(&refused),
        error(401, "sign_in_required"),
        "ended on the server, not only in the browser"
    );
    assert_eq!(thief.cookies.keys().collect::<Vec<_>>(), ["kawaraban_device"], "the session cookie is cleared");
    assert_eq!(browser.send("POST", "/auth/logout", json!({})).await.status.as_u16(), 204, "without a session too");
}

on_both_databases!(wrong_address_and_wrong_password_look_the_same);
async fn wrong_address_and_wrong_password_look_the_same(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let hashes = app.accounts.hashes_computed();
    let accounts = app.accounts.clone();
    let mut browser = Browser::new(&main_router(app));
    let mut answers = Vec::new();
    for (email, password) in [
        ("ann@example.com", "wrong wrong wrong"),
        ("unknown@example.com", "wrong wrong wrong"),
        ("no address", "wrong wrong wrong"),
        ("", ""),
    ] {
        let answer = browser.try_password(email, password).await;
        assert_eq!(status_and_code(&answer), error(401, "wrong_credentials"), "{email}");
        assert!(!answer.headers.contains_key("set-cookie"));
        answers.push(answer.body);
    }
    assert!(answers.iter().all(|body| *body == answers[0]));
    assert_eq!(accounts.hashes_computed() - hashes, 4, "each computed one hash");
}

on_both_databases!(use_extends_session_and_cookie);
async fn use_extends_session_and_cookie(db: TestDb) {
    let clock = day();
    let app = app_at(&db, clock.clone());
    create_member(&app, "ann@example.com").await;
    let mut browser = Browser::new(&main_router(app));
    browser.sign_in("ann@example.com").await;
    let first = browser.cookies["kawaraban_session"].clone();
    assert!(!browser.get(ME).await.headers.contains_key("set-cookie"), "not with every response");
    for _ in 0..4 {
        clock.advance(Duration::from_secs(20 * 60 * 60));
        let answer = browser.get(ME).await;
        assert_eq!(answer.status.as_u16(), 200);
        assert!(answer.header("set-cookie").contains("Max-Age=86400"), "the cookie is extended");
    }
    assert_ne!(browser.cookies["kawaraban_session"], first);
    clock.advance(Duration::from_secs(24 * 60 * 60 + 1));
    let late = browser.get(ME).await;
    assert_eq!(status_and_code(&late), error(401, "sign_in_required"));
    assert!(!browser.cookies.contains_key("kawaraban_session"));
}

on_both_databases!(sessions_are_listed_and_deleted);
async fn sessions_are_listed_and_deleted(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    create_member(&app, "bob@example.com").await;
    let router = main_router(app);
    let (mut here, mut there, mut third, mut bob) =
        (Browser::new(&router), Browser::at(&router, [198, 51, 100, 9]), Browser::new(&router), Browser::new(&router));
    for browser in [&mut here, &mut there, &mut third] {
        browser.sign_in("ann@example.com").await;
    }
    bob.sign_in("bob@example.com").await;
    let path = "/api/users/me/sessions";
    let listed = here.get(path).await.json();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), 3, "only the user's own sessions");
    assert_eq!(listed.iter().filter(|session| session["is_current"] == true).count(), 1);
    assert!(listed.iter().all(|session| session["method"] == "password"));
    let remote = listed.iter().find(|session| session["address"] == "198.51.100.9").unwrap();
    let id = remote["id"].as_str().unwrap();
    assert!(listed.iter().all(|session| !session.to_string().contains(&here.cookies["kawaraban_session"])));

    assert_eq!(status_and_code(&bob.delete(&format!("{path}/{id}")).await), error(404, "not_found"));
    assert_eq!(there.get(ME).await.status.as_u16(), 200);
    assert_eq!(here.delete(&format!("{path}/{id}")).await.status.as_u16(), 204);
    assert_eq!(there.get(ME).await.status.as_u16(), 401);
    assert_eq!(here.delete(path).await.status.as_u16(), 204);
    assert_eq!(third.get(ME).await.status.as_u16(), 401);
    assert_eq!((here.get(ME).await.status.as_u16(), bob.get(ME).await.status.as_u16()), (200, 200));
    let current = here.get(path).await.json()[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(here.delete(&format!("{path}/{current}")).await.status.as_u16(), 204);
    assert!(!here.cookies.contains_key("kawaraban_session"), "signed out");
}

on_both_databases!(new_password_ends_other_sessions);
async fn new_password_ends_other_sessions(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let router = main_router(app);
    let (mut here, mut there) = (Browser::new(&router), Browser::new(&router));
    here.sign_in("ann@example.com").await;
    there.sign_in("ann@example.com").await;
    let path = "/api/users/me/password";
    let change = |current: Value, new: &str| json!({ "current_password": current, "new_password": new });
    for (current, new, field) in [
        (json!("wrong wrong"), "another password", "current_password"),
        (Value::Null, "another password", "current_password"),
        (json!(PASSWORD), "short", "new_password"),
        (json!(PASSWORD), "password", "new_password"),
        (json!(PASSWORD), &"x".repeat(5_000), "new_password"),
    ] {
        let refused = here.send("PUT", path, change(current, new)).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["fields"][0]["field"]), (400, &field.into()));
    }
    assert_eq!(there.get(ME).await.status.as_u16(), 200, "nothing has changed");
    assert_eq!(here.send("PUT", path, change(json!(PASSWORD), "another password")).await.status.as_u16(), 204);
    assert_eq!((here.get(ME).await.status.as_u16(), there.get(ME).await.status.as_u16()), (200, 401));
    assert_eq!(status_and_code(&there.sign_in("ann@example.com").await), error(401, "wrong_credentials"));
    assert_eq!(there.try_password("ann@example.com", "another password").await.status.as_u16(), 200);
}

on_both_databases!(set_up_link_creates_the_owner_once);
async fn set_up_link_creates_the_owner_once(db: TestDb) {
    let app = app(&db);
    let router = main_router(app.clone());
    let mut browser = Browser::new(&router);
    assert_eq!(browser.get("/auth/providers").await.json()["setup_required"], true);
    let link = app.accounts.create_setup_link().await.unwrap().unwrap();
    let body = |token: &str| json!({ "token": token, "email": "ann@example.com", "name": "Ann", "password": PASSWORD });
    assert_eq!(
        status_and_code(&browser.send("POST", "/auth/setup", body("made up")).await),
        error(403, "setup_link_invalid")
    );
    let made = browser.send("POST", "/auth/setup", body(link.expose())).await;
    assert_eq!((made.status.as_u16(), &made.json()["role"]), (201, &"owner".into()), "{}", made.text());
    assert_eq!(browser.get("/api/admin/jobs").await.status.as_u16(), 200, "signed in as an owner");
    let again = Browser::new(&router).send("POST", "/auth/setup", body(link.expose())).await;
    assert_eq!(status_and_code(&again), error(403, "setup_link_invalid"));
    let ways = Browser::new(&router).get("/auth/providers").await.json();
    assert_eq!(ways, json!({ "local": true, "registration": true, "setup_required": false, "providers": [] }));
}

on_both_databases!(registration_works_only_if_it_is_open);
async fn registration_works_only_if_it_is_open(db: TestDb) {
    let app = app(&db);
    create_owner(&app, "owner@example.com").await;
    let closed = AccountSettings { argon2: HashCost::MIN, ..AccountSettings::default() };
    let closed = ApiState { accounts: Accounts::new(db.db(), Clock::system(), closed), ..app.clone() };
    let off = AccountSettings { local_accounts: false, ..AccountSettings::default() };
    let off = ApiState { accounts: Accounts::new(db.db(), Clock::system(), off), ..app.clone() };
    let path = "/auth/local/register";
    let body = |email: &str| json!({ "email": email, "name": "", "password": PASSWORD });
    let mut browser = Browser::new(&main_router(closed));
    assert_eq!(
        status_and_code(&browser.send("POST", path, body("ann@example.com")).await),
        error(403, "registration_closed")
    );
    let mut browser = Browser::new(&main_router(off));
    assert_eq!(
        status_and_code(&browser.send("POST", path, body("ann@example.com")).await),
        error(403, "local_accounts_off")
    );
    assert_eq!(status_and_code(&browser.sign_in("owner@example.com").await), error(403, "local_accounts_off"));
    assert_eq!(browser.get("/auth/providers").await.json()["local"], false);

    let mut browser = Browser::new(&main_router(app));
    let made = browser.send("POST", path, body("Ann@example.com")).await;
    assert_eq!(
        (made.status.as_u16(), &made.json()["name"], &made.json()["role"]),
        (201, &"ann".into(), &"member".into())
    );
    assert_eq!(browser.get(ME).await.json()["email"], "ann@example.com");
    assert_eq!(status_and_code(&browser.get("/api/admin/users").await), error(403, "owner_only"));
    assert_eq!(status_and_code(&browser.send("POST", path, body("ANN@example.com")).await), error(409, "email_taken"));
    for (email, password, field) in [("ann", PASSWORD, "email"), ("b@example.com", "short", "password")] {
        let refused = browser.send("POST", path, json!({ "email": email, "password": password })).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["fields"][0]["field"]), (400, &field.into()));
    }
}
