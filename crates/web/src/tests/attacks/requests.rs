//! Huge, malformed and unusual requests, and secrets in the log.

use testkit::CapturedLog;

use super::*;

/// The routes with user input, each with one field set to `value`.
fn bodies(value: &Value) -> Vec<(&'static str, &'static str, Value)> {
    let routes: [(&str, &str, Value); 8] = [
        ("POST", "/auth/local/login", json!({ "email": "ann@example.com", "password": "some password" })),
        ("POST", "/auth/local/register", json!({ "email": "b@example.com", "name": "B", "password": "some password" })),
        (
            "POST",
            "/auth/setup",
            json!({ "token": "x", "email": "b@example.com", "name": "B", "password": "some password" }),
        ),
        ("PATCH", ME, json!({ "name": "A" })),
        (
            "PUT",
            "/api/users/me/password",
            json!({ "current_password": "some password", "new_password": "some password" }),
        ),
        (
            "PUT",
            "/api/users/me/settings",
            json!({ "theme": "dark", "language": "ja", "density": "compact", "preferences": {} }),
        ),
        ("POST", "/api/users/me/tokens", json!({ "name": "A", "scope": "read" })),
        ("POST", "/api/users/me/identities/oidc", json!({ "return_to": "/" })),
    ];
    let mut all = Vec::new();
    for (method, path, body) in routes {
        for field in body.as_object().unwrap().keys() {
            let mut damaged = body.clone();
            damaged[field] = value.clone();
            all.push((method, path, damaged));
        }
    }
    all
}

on_both_databases!(huge_and_malformed_fields_are_rejected);
async fn huge_and_malformed_fields_are_rejected(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let router = main_router(app);
    let mut browser = Browser::new(&router);
    browser.sign_in("ann@example.com").await;
    let values = [
        ("NUL", json!("a\0b")),
        ("a lot", json!("x".repeat(300_000))),
        ("a number", json!(7)),
        ("a list", json!(["x"])),
        ("an object", json!({ "$gt": "" })),
        ("nothing", Value::Null),
        ("control characters", json!("\u{1b}[31m\r\n\u{202e}x")),
        ("not quite Unicode", json!("\u{fffe}\u{10ffff}")),
    ];
    for (n, (what, value)) in values.iter().enumerate() {
        for (m, (method, path, body)) in bodies(value).into_iter().enumerate() {
            // Another address each time, so that no limit applies.
            browser.address = std::net::Ipv4Addr::from(0x0a00_0000 + (n * 100 + m) as u32).into();
            let answer = browser.send(method, path, body).await;
            let status = answer.status.as_u16();
            assert!(status < 500, "{what} {method} {path}: {}", answer.text());
            if *what == "NUL" || *what == "a lot" {
                assert!(matches!(status, 400..=499), "{what} {method} {path}: {status}");
                assert!(answer.body.len() < 5_000, "the input is not sent back: {what} {path}");
            }
        }
    }
    let (method, path, _) = bodies(&Value::Null).remove(0);
    let huge = json!({ "email": "x".repeat(3_000_000), "password": "" });
    assert_eq!(status_and_code(&browser.send(method, path, huge).await), error(413, "body_too_large"));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let headers = [("content-type", "application/json")];
    assert_eq!(browser.call(request("PUT", "/api/users/me/settings", &headers, deep)).await.status.as_u16(), 400);
    assert_eq!(
        status_and_code(&browser.try_password("ann@example.com", &"x".repeat(900_000)).await).0,
        401,
        "like any wrong password"
    );
    let agent = "\u{1b}[2J evil ".repeat(2_000);
    let login = json!({ "email": "ann@example.com", "password": PASSWORD }).to_string();
    let mut request = request("POST", "/auth/local/login", &headers, login);
    request
        .headers_mut()
        .insert("user-agent", http::HeaderValue::from_bytes(agent.replace('\u{1b}', "é").as_bytes()).unwrap());
    assert_eq!(browser.call(request).await.status.as_u16(), 200);
    let kept = browser.get("/api/users/me/sessions").await.json()[0]["user_agent"].as_str().unwrap().to_owned();
    assert!(kept.chars().count() <= 300 && !kept.contains('\u{1b}'), "{kept}");
}

#[tokio::test]
async fn head_and_options_reveal_nothing() {
    let db = TestDb::sqlite().await;
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let router = main_router(app);
    let mut browser = Browser::new(&router);
    for path in [ME, "/api/users/me/export", "/api/admin/users", "/api/events"] {
        assert_eq!(call(&router, request("HEAD", path, &[], "")).await.status.as_u16(), 401, "{path}");
        let options = call(&router, request("OPTIONS", path, &[], "")).await;
        assert!(matches!(options.status.as_u16(), 401 | 405), "{path}");
        assert_eq!(options.headers.get("access-control-allow-origin"), None);
        let trace = call(&router, request("TRACE", path, &[("cookie", "kawaraban_session=secret")], "")).await;
        assert!(!trace.text().contains("secret"), "{path}");
    }
    browser.sign_in("ann@example.com").await;
    let head = browser.call(request("HEAD", ME, &[], "")).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    let head = browser.call(request("HEAD", "/auth/logout", &[], "")).await;
    assert_eq!(head.status.as_u16(), 405);
    assert_eq!(browser.get(ME).await.status.as_u16(), 200, "still signed in");
}

#[tokio::test]
async fn log_contains_no_secret() {
    // All levels of our own crates, without the details of libraries.
    let log = CapturedLog::start("trace,sqlx=info,hyper=info,h2=info,mio=info");
    let db = TestDb::sqlite().await;
    let app = app(&db);
    let link = app.accounts.create_setup_link().await.unwrap().unwrap();
    let router = main_router(app);
    let mut browser = Browser::new(&router);
    let setup = json!({ "token": link.expose(), "email": "ann@example.com", "name": "Ann", "password": PASSWORD });
    assert_eq!(browser.send("POST", "/auth/setup", setup).await.status.as_u16(), 201);
    browser.try_password("ann@example.com", "hunter2-wrong").await;
    browser.try_password("hunter2-in-the-wrong-field", "x").await;
    assert_eq!(browser.sign_in("ann@example.com").await.status.as_u16(), 200);
    let made = browser.send("POST", "/api/users/me/tokens", json!({ "name": "script", "scope": "read" })).await.json();
    let token = made["token"].as_str().unwrap().to_owned();
    let bearer = format!("Bearer {token}");
    assert_eq!(get_with(&router, ME, &[("authorization", &bearer)]).await.status.as_u16(), 200);
    get_with(&router, &format!("{ME}?access_token={token}"), &[]).await;
    get_with(&router, "/auth/oidc/callback?code=hunter2-code&state=hunter2-state", &[]).await;
    let change = json!({ "current_password": PASSWORD, "new_password": "hunter2-new-password" });
    assert_eq!(browser.send("PUT", "/api/users/me/password", change).await.status.as_u16(), 204);
    let cookies: Vec<String> = browser.cookies.values().cloned().collect();
    browser.send("POST", "/auth/logout", json!({})).await;

    let written = log.take();
    for event in ["set_up", "sign_in", "sign_in_failed", "token_created", "token_used", "password_changed", "sign_out"]
    {
        assert!(written.contains(event), "{event} is audited:\n{written}");
    }
    let secrets =
        [PASSWORD, "hunter2", &token, link.expose(), "argon2"].into_iter().chain(cookies.iter().map(String::as_str));
    for secret in secrets {
        let line = written.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret} is in the log");
    }
}
