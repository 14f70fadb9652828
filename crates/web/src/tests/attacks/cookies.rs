//! Forged, changed, swapped, stolen and planted cookies.

use super::*;

const SESSION: &str = "kawaraban_session";
const DEVICE: &str = "kawaraban_device";

on_both_databases!(forged_cookies_are_rejected);
async fn forged_cookies_are_rejected(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let router = main_router(app.clone());
    let mut browser = Browser::new(&router);
    browser.sign_in("ann@example.com").await;
    let (session, device) = (browser.cookies[SESSION].clone(), browser.cookies[DEVICE].clone());

    let settings = SiteSettings {
        base_url: "http://localhost:8080".parse().unwrap(),
        frontend_url: "http://localhost:8080".parse().unwrap(),
        allowed_origin: None,
        trusted_proxies: Vec::new(),
        session_secret: "another secret of thirty-two bytes or more".to_owned(),
    };
    let other = main_router(ApiState { site: Site::new(settings), ..app.clone() });
    let mut elsewhere = Browser::new(&other);
    elsewhere.sign_in("ann@example.com").await;
    let secret =
        app.accounts.list_sessions(create_member(&app, "x@example.com").await.id).await.unwrap().len().to_string();

    let mut changed = session.clone().into_bytes();
    changed[40] = if changed[40] == b'A' { b'B' } else { b'A' };
    let forged = [
        ("a device's cookie as a session's", device.clone()),
        ("another machine's cookie", elsewhere.cookies[SESSION].clone()),
        ("one letter changed", String::from_utf8(changed).unwrap()),
        ("cut off", session[..session.len() - 4].to_owned()),
        ("two in one", format!("{session}{session}")),
        ("in quotation marks", format!("\"{session}\"")),
        ("a plain id", secret),
        ("nothing", String::new()),
        ("a lot", "A".repeat(60_000)),
    ];
    for (what, cookie) in forged {
        let mut thief = Browser::new(&router);
        thief.cookies.insert(SESSION.to_owned(), cookie);
        let refused = thief.get(ME).await;
        assert_eq!(status_and_code(&refused), error(401, "sign_in_required"), "{what}");
        assert!(refused.header("set-cookie").starts_with("kawaraban_session=;"), "{what}: it is cleared");
        assert_eq!(thief.send("POST", "/auth/logout", json!({})).await.status.as_u16(), 204, "{what}");
    }
    let mut swapped = Browser::new(&router);
    swapped.cookies.insert(DEVICE.to_owned(), session.clone());
    assert_eq!(
        swapped.sign_in("ann@example.com").await.status.as_u16(),
        200,
        "a session cookie is not a device cookie"
    );
    let secure = main_router(ApiState { site: site("https://api.example", None), ..app });
    let mut downgraded = Browser::new(&secure);
    downgraded.cookies.insert(SESSION.to_owned(), session);
    assert_eq!(downgraded.get(ME).await.status.as_u16(), 401, "https needs the cookie with the prefix");
    assert_eq!(browser.get(ME).await.status.as_u16(), 200);
}

on_both_databases!(planted_session_is_replaced_at_sign_in);
async fn planted_session_is_replaced_at_sign_in(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    create_member(&app, "eve@example.com").await;
    let router = main_router(app);
    let (mut eve, mut ann) = (Browser::new(&router), Browser::new(&router));
    eve.sign_in("eve@example.com").await;
    ann.cookies.insert(SESSION.to_owned(), eve.cookies[SESSION].clone());
    let planted = ann.cookies[SESSION].clone();
    ann.sign_in("ann@example.com").await;
    assert_ne!(ann.cookies[SESSION], planted, "each sign-in creates a session");
    assert_eq!(ann.get(ME).await.json()["email"], "ann@example.com");
    assert_eq!(eve.get(ME).await.status.as_u16(), 401, "the planted session has ended");
    let before = ann.clone();
    ann.sign_in("ann@example.com").await;
    assert_eq!(before.clone().get(ME).await.status.as_u16(), 401, "the user's own old session too");
}

on_both_databases!(stolen_cookie_ends_with_its_session);
async fn stolen_cookie_ends_with_its_session(db: TestDb) {
    let app = app(&db);
    let router = main_router(app.clone());
    let actions = ["signs out", "changes the password", "ends the others", "deletes the account"];
    for (n, what) in actions.into_iter().enumerate() {
        let email = format!("ann{n}@example.com");
        create_member(&app, &email).await;
        let (mut owner, mut lost) = (Browser::new(&router), Browser::new(&router));
        owner.sign_in(&email).await;
        lost.sign_in(&email).await;
        let mut thief = lost.clone();
        assert_eq!(thief.get(ME).await.status.as_u16(), 200);
        let done = match n {
            0 => lost.send("POST", "/auth/logout", json!({})).await,
            1 => {
                let body = json!({ "current_password": PASSWORD, "new_password": "another password" });
                owner.send("PUT", "/api/users/me/password", body).await
            }
            2 => owner.delete("/api/users/me/sessions").await,
            _ => owner.delete(ME).await,
        };
        assert_eq!(done.status.as_u16(), 204, "{what}");
        assert_eq!(status_and_code(&thief.get(ME).await), error(401, "sign_in_required"), "the owner {what}");
        let changed = thief.send("PATCH", ME, json!({ "name": "Evil" })).await;
        assert_eq!(changed.status.as_u16(), 401, "the owner {what}");
    }
}

#[tokio::test]
async fn https_cookies_are_secure_and_host_only() {
    let db = TestDb::sqlite().await;
    let app = ApiState { site: site("https://api.example", None), ..app(&db) };
    create_member(&app, "ann@example.com").await;
    let mut browser = Browser::new(&main_router(app));
    let answer = browser.sign_in("ann@example.com").await;
    let set: Vec<&str> = answer.headers.get_all("set-cookie").iter().map(|set| set.to_str().unwrap()).collect();
    assert_eq!(set.len(), 2);
    for set in set {
        assert!(set.starts_with("__Host-kawaraban_") && set.ends_with("; Secure"), "{set}");
        assert!(set.contains("; Path=/; HttpOnly; SameSite=Lax; ") && !set.contains("Domain"), "{set}");
    }
    assert_eq!(browser.get(ME).await.status.as_u16(), 200);
}
