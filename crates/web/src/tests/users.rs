//! The account of the signed-in user, and the list of users for owners.

use super::{
    browser::{Browser, create_member, create_owner, error, status_and_code},
    *,
};

const ME: &str = "/api/users/me";
const TOKENS: &str = "/api/users/me/tokens";
const SETTINGS: &str = "/api/users/me/settings";

/// Sends a request with a token only.
async fn with_token(router: &Router, token: &str, method: &str, path: &str) -> TestResponse {
    let authorization = format!("Bearer {token}");
    call(router, request(method, path, &[("authorization", &authorization)], "")).await
}

async fn create_token(browser: &mut Browser, scope: &str) -> Value {
    let made = browser.send("POST", TOKENS, json!({ "name": " my script ", "scope": scope })).await;
    assert_eq!(made.status.as_u16(), 201, "{}", made.text());
    made.json()
}

on_both_databases!(token_works_until_it_is_deleted);
async fn token_works_until_it_is_deleted(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let router = main_router(app);
    let mut browser = Browser::new(&router);
    browser.sign_in("ann@example.com").await;
    let made = create_token(&mut browser, "write").await;
    let secret = made["token"].as_str().unwrap();
    assert!(secret.starts_with("kwb_") && secret.len() == 47, "{secret}");
    let listed = browser.get(TOKENS).await;
    assert!(!listed.text().contains(secret));
    assert_eq!(
        listed.json(),
        json!([{ "id": made["id"], "name": "my script", "scope": "write", "created_at": made["created_at"], "last_used_at": null }])
    );
    assert_eq!(with_token(&router, secret, "GET", ME).await.json()["email"], "ann@example.com");
    assert!(browser.get(TOKENS).await.json()[0]["last_used_at"].is_string());
    let path = format!("{TOKENS}/{}", made["id"].as_str().unwrap());
    assert_eq!(browser.delete(&path).await.status.as_u16(), 204);
    let refused = with_token(&router, secret, "GET", ME).await;
    assert_eq!(status_and_code(&refused), error(401, "invalid_token"));
    assert_eq!(refused.header("www-authenticate"), "Bearer error=\"invalid_token\"");
    assert_eq!(status_and_code(&browser.delete(&path).await), error(404, "not_found"));
}

on_both_databases!(token_is_limited_by_scope_and_cannot_manage_access);
async fn token_is_limited_by_scope_and_cannot_manage_access(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    create_owner(&app, "owner@example.com").await;
    let router = main_router(app);
    let (mut ann, mut owner) = (Browser::new(&router), Browser::new(&router));
    ann.sign_in("ann@example.com").await;
    owner.sign_in("owner@example.com").await;
    let secret = |made: Value| made["token"].as_str().unwrap().to_owned();
    let read = secret(create_token(&mut ann, "read").await);
    let write = secret(create_token(&mut ann, "write").await);
    let owners = secret(create_token(&mut owner, "read").await);

    assert_eq!(with_token(&router, &read, "GET", "/api/folders").await.status.as_u16(), 200);
    for (method, path) in [("POST", "/api/folders"), ("PATCH", ME), ("PUT", SETTINGS), ("POST", "/api/items/read")] {
        assert_eq!(
            status_and_code(&with_token(&router, &read, method, path).await),
            error(403, "scope_missing"),
            "{path}"
        );
        let allowed = with_token(&router, &write, method, path).await;
        assert_ne!(allowed.status.as_u16(), 403, "{path}: {}", allowed.text());
    }
    let id = store::SessionId::new();
    for (method, path) in [
        ("DELETE", ME.to_owned()),
        ("PUT", format!("{ME}/password")),
        ("GET", format!("{ME}/sessions")),
        ("DELETE", format!("{ME}/sessions")),
        ("DELETE", format!("{ME}/sessions/{id}")),
        ("GET", TOKENS.to_owned()),
        ("POST", TOKENS.to_owned()),
        ("DELETE", format!("{TOKENS}/{id}")),
        ("GET", format!("{ME}/identities")),
        ("POST", format!("{ME}/identities/google")),
        ("DELETE", format!("{ME}/identities/{id}")),
    ] {
        let body =
            json!({ "current_password": PASSWORD, "new_password": "another password", "name": "x", "scope": "read" });
        let headers = [("authorization", format!("Bearer {write}")), ("content-type", "application/json".to_owned())];
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let refused = call(&router, request(method, &path, &headers, body.to_string())).await;
        assert_eq!(status_and_code(&refused), error(403, "session_required"), "{method} {path}");
    }
    assert_eq!(with_token(&router, &owners, "GET", "/api/admin/users").await.status.as_u16(), 200);
    assert_eq!(
        status_and_code(&with_token(&router, &write, "GET", "/api/admin/users").await),
        error(403, "owner_only")
    );
}

on_both_databases!(name_and_settings_are_updated_and_validated);
async fn name_and_settings_are_updated_and_validated(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let mut browser = Browser::new(&main_router(app));
    browser.sign_in("ann@example.com").await;
    assert_eq!(browser.send("PATCH", ME, json!({ "name": " アン " })).await.json()["name"], "アン");
    assert_eq!(browser.get(ME).await.json()["name"], "アン");
    let long = browser.send("PATCH", ME, json!({ "name": "x".repeat(300) })).await;
    assert_eq!((long.status.as_u16(), &long.json()["fields"][0]["field"]), (400, &"name".into()));

    let default = json!({ "theme": "system", "language": null, "density": "comfortable", "bookmark_counts": null,
        "bookmark_counts_default": null, "preferences": {} });
    assert_eq!(browser.get(SETTINGS).await.json(), default);
    let settings = json!({
        "theme": "dark", "language": "ja", "density": "compact", "bookmark_counts": false, "bookmark_counts_default": null,
        "preferences": { "sidebar": { "width": 240 }, "日": [1] },
    });
    assert_eq!(browser.send("PUT", SETTINGS, settings.clone()).await.json(), settings);
    assert_eq!(browser.get(SETTINGS).await.json(), settings);
    for (field, value) in [
        ("theme", json!("pink")),
        ("language", json!("fr")),
        ("density", json!(1)),
        ("preferences", json!([])),
        ("preferences", json!({ "x": "y".repeat(17_000) })),
    ] {
        let mut bad = settings.clone();
        bad[field] = value;
        let refused = browser.send("PUT", SETTINGS, bad).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["fields"][0]["field"]), (400, &field.into()));
    }
    assert_eq!(browser.get(SETTINGS).await.json(), settings, "not changed");
}

on_both_databases!(user_exports_data_and_deletes_account);
async fn user_exports_data_and_deletes_account(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    create_member(&app, "bob@example.com").await;
    let router = main_router(app);
    let (mut ann, mut other, mut bob) = (Browser::new(&router), Browser::new(&router), Browser::new(&router));
    for browser in [&mut ann, &mut other] {
        browser.sign_in("ann@example.com").await;
    }
    bob.sign_in("bob@example.com").await;
    let token = create_token(&mut ann, "read").await;
    ann.send("POST", "/api/folders", json!({ "name": "News" })).await;
    let export = ann.get(&format!("{ME}/export")).await;
    assert!(export.header("content-disposition").starts_with("attachment"));
    assert_eq!(
        (&export.json()["account"]["email"], &export.json()["folders"]),
        (&"ann@example.com".into(), &json!(["News"]))
    );
    assert!(!export.text().contains(token["token"].as_str().unwrap()) && !export.text().contains("argon2"));
    let (own, scripts) =
        (export.json(), with_token(&router, token["token"].as_str().unwrap(), "GET", &format!("{ME}/export")).await);
    assert_eq!((own["sessions"].as_array().unwrap().len(), own["tokens"].as_array().unwrap().len()), (2, 1));
    assert_eq!((scripts.status.as_u16(), &scripts.json()["folders"]), (200, &json!(["News"])));
    let scripts = scripts.json();
    let left_out: Vec<&String> =
        own.as_object().unwrap().keys().filter(|key| scripts.get(key.as_str()).is_none()).collect();
    assert_eq!(left_out, ["identities", "sessions", "tokens"], "a token cannot read credentials");

    let gone = ann.delete(ME).await;
    assert_eq!(gone.status.as_u16(), 204, "{}", gone.text());
    assert!(!ann.cookies.contains_key("kawaraban_session"));
    assert_eq!(other.get(ME).await.status.as_u16(), 401, "in every browser");
    let script = with_token(&router, token["token"].as_str().unwrap(), "GET", ME).await;
    assert_eq!(status_and_code(&script), error(401, "invalid_token"), "tokens too");
    assert_eq!(status_and_code(&ann.sign_in("ann@example.com").await), error(401, "wrong_credentials"));
    assert_eq!(bob.get(ME).await.status.as_u16(), 200);
    let anew =
        ann.send("POST", "/auth/local/register", json!({ "email": "ann@example.com", "password": PASSWORD })).await;
    assert_eq!(anew.status.as_u16(), 201);
    assert_eq!(ann.get("/api/folders").await.json(), json!([]), "the old data is deleted");
}

on_both_databases!(users_are_paged_for_owners);
async fn users_are_paged_for_owners(db: TestDb) {
    let app = app(&db);
    create_owner(&app, "owner@example.com").await;
    for n in 0..60 {
        new_user(&db, &format!("{n}@example.com")).await;
    }
    let mut browser = Browser::new(&main_router(app));
    browser.sign_in("owner@example.com").await;
    let first = browser.get("/api/admin/users").await.json();
    let users = first["users"].as_array().unwrap();
    assert_eq!(
        (users.len(), &users[0]["email"], &users[0]["role"]),
        (50, &"owner@example.com".into(), &"owner".into())
    );
    assert!(users[0]["last_seen_at"].is_string() && users[1]["last_seen_at"].is_null());
    assert!(!first.to_string().contains("argon2"));
    let next = first["next_cursor"].as_str().unwrap();
    let second = browser.get(&format!("/api/admin/users?cursor={next}")).await.json();
    assert_eq!((second["users"].as_array().unwrap().len(), &second["next_cursor"]), (11, &Value::Null));
    assert_eq!(browser.get("/api/admin/users?cursor=x").await.status.as_u16(), 400);
}
