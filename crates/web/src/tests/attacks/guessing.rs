//! Guessing of passwords and tokens.

use super::*;

fn noon() -> Clock {
    Clock::manual("2026-03-02T12:00:00Z".parse().unwrap())
}

on_both_databases!(guessing_is_limited_without_locking_the_user_out);
async fn guessing_is_limited_without_locking_the_user_out(db: TestDb) {
    let clock = noon();
    let app = app_at(&db, clock.clone());
    create_member(&app, "ann@example.com").await;
    let accounts = app.accounts.clone();
    let router = main_router(app);
    let mut ann = Browser::at(&router, [198, 51, 100, 1]);
    assert_eq!(ann.sign_in("ann@example.com").await.status.as_u16(), 200);
    ann.send("POST", "/auth/logout", json!({})).await;

    let mut thief = Browser::at(&router, [203, 0, 113, 5]);
    for n in 0..10 {
        let refused = thief.try_password("ann@example.com", &format!("a wrong guess {n}")).await;
        assert_eq!(status_and_code(&refused), error(401, "wrong_credentials"), "{n}");
    }
    let hashes = accounts.hashes_computed();
    for password in ["one more guess", PASSWORD] {
        let refused = thief.try_password("ann@example.com", password).await;
        assert_eq!(status_and_code(&refused), error(429, "too_many_attempts"), "the right password too");
        let seconds: u64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&seconds), "{seconds}");
        assert!(refused.json()["action"].as_str().unwrap().contains(&seconds.to_string()));
    }
    assert_eq!(accounts.hashes_computed(), hashes, "rejected without computing a hash");

    // Another address is limited too, but a known browser is not.
    let mut elsewhere = Browser::at(&router, [203, 0, 113, 77]);
    assert_eq!(status_and_code(&elsewhere.sign_in("ann@example.com").await), error(429, "too_many_attempts"));
    assert_eq!(ann.sign_in("ann@example.com").await.status.as_u16(), 200, "a browser that has signed in before");
    let mut copied = elsewhere.clone();
    copied.cookies.insert("kawaraban_device".to_owned(), "A".repeat(120));
    assert_eq!(
        status_and_code(&copied.sign_in("ann@example.com").await),
        error(429, "too_many_attempts"),
        "not one made up"
    );

    clock.advance(Duration::from_secs(60));
    assert_eq!(elsewhere.sign_in("ann@example.com").await.status.as_u16(), 200, "after a minute");
}

on_both_databases!(password_spraying_is_limited_per_network);
async fn password_spraying_is_limited_per_network(db: TestDb) {
    let app = app_at(&db, noon());
    let router = main_router(app.clone());
    create_member(&app, "ann@example.com").await;
    // All addresses of an IPv6 /64 network count as one.
    let statuses = async |network: &str| {
        let mut found = Vec::new();
        for n in 0..11 {
            let address: std::net::IpAddr = format!("{network}{n}").parse().unwrap();
            let answer = Browser::at(&router, address).try_password(&format!("{n}@example.com"), PASSWORD).await;
            found.push(answer.status.as_u16());
        }
        found
    };
    let spread = statuses("2001:db8:1:2::").await;
    assert_eq!((&spread[..10], spread[10]), (&[401; 10][..], 429));
    assert_eq!(statuses("198.51.100.").await, [401; 11], "IPv4 addresses count separately");
}

on_both_databases!(device_cookie_works_for_one_account);
async fn device_cookie_works_for_one_account(db: TestDb) {
    let app = app_at(&db, noon());
    create_member(&app, "ann@example.com").await;
    create_member(&app, "eve@example.com").await;
    let router = main_router(app);
    let mut eve = Browser::at(&router, [203, 0, 113, 5]);
    eve.sign_in("eve@example.com").await;
    let answers = {
        let mut answers = Vec::new();
        for n in 0..11 {
            answers.push(eve.try_password("ann@example.com", &format!("guess number {n}")).await.status.as_u16());
        }
        answers
    };
    assert_eq!((&answers[..10], answers[10]), (&[401; 10][..], 429));
}

on_both_databases!(current_password_attempts_are_limited);
async fn current_password_attempts_are_limited(db: TestDb) {
    let app = app_at(&db, noon());
    create_member(&app, "ann@example.com").await;
    let mut browser = Browser::new(&main_router(app));
    browser.sign_in("ann@example.com").await;
    let mut statuses = Vec::new();
    for n in 0..11 {
        let body = json!({ "current_password": format!("guess number {n}"), "new_password": "evil evil evil" });
        statuses.push(browser.send("PUT", "/api/users/me/password", body).await.status.as_u16());
    }
    assert_eq!((&statuses[..10], statuses[10]), (&[400; 10][..], 429));
}

#[tokio::test]
async fn a_forwarded_address_needs_a_trusted_proxy() {
    let db = TestDb::sqlite().await;
    let app = app_at(&db, noon());
    let settings = SiteSettings {
        base_url: "http://localhost:8080".parse().unwrap(),
        frontend_url: "http://localhost:8080".parse().unwrap(),
        allowed_origin: None,
        trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()],
        session_secret: "a secret for tests of thirty-two bytes or more".to_owned(),
    };
    let trusting = main_router(ApiState { site: Site::new(settings), ..app.clone() });
    let without_proxies = main_router(app);
    let guess = async |router: &Router, peer: [u8; 4], n: usize, forwarded: String| {
        let headers = [
            ("content-type", "application/json"),
            ("x-forwarded-for", forwarded.as_str()),
            ("forwarded", forwarded.as_str()),
            ("x-real-ip", forwarded.as_str()),
            ("cf-connecting-ip", forwarded.as_str()),
            ("true-client-ip", forwarded.as_str()),
        ];
        let body = json!({ "email": format!("{peer:?}{n}@example.com"), "password": "a wrong guess" }).to_string();
        Browser::at(router, peer).call(request("POST", "/auth/local/login", &headers, body)).await.status.as_u16()
    };
    let mut smuggled = Vec::new();
    for n in 0..11 {
        smuggled.push(guess(&without_proxies, [203, 0, 113, 1], n, format!("192.0.2.{n}")).await);
    }
    assert_eq!((&smuggled[..10], smuggled[10]), (&[401; 10][..], 429), "no trusted proxy: the peer counts");
    let mut direct = Vec::new();
    for n in 0..11 {
        direct.push(guess(&trusting, [203, 0, 113, 2], n, format!("192.0.2.{n}")).await);
    }
    assert_eq!((&direct[..10], direct[10]), (&[401; 10][..], 429), "not from the proxy: the peer counts");
    let (mut spoofed, mut honest) = (Vec::new(), Vec::new());
    for n in 0..11 {
        spoofed.push(guess(&trusting, [10, 0, 0, 1], n, format!("198.51.100.{n}, 203.0.113.3")).await);
        honest.push(guess(&trusting, [10, 0, 0, 2], n, format!("203.0.113.{}", 100 + n)).await);
    }
    assert_eq!((&spoofed[..10], spoofed[10]), (&[401; 10][..], 429), "addresses that the client sent do not count");
    assert_eq!(honest, [401; 11], "clients behind a proxy count separately");
}

#[tokio::test]
async fn token_is_accepted_only_in_its_header() {
    let db = TestDb::sqlite().await;
    let app = app(&db);
    let user = create_member(&app, "ann@example.com").await;
    let (_, secret) = app.accounts.create_token(user.id, "script", store::tokens::Scope::Write).await.unwrap();
    let (router, token) = (main_router(app), secret.expose());
    let good = format!("Bearer {token}");
    assert_eq!(get_with(&router, ME, &[("authorization", &good)]).await.status.as_u16(), 200);
    for query in ["access_token", "token", "authorization", "api_key", "bearer"] {
        assert_eq!(get_with(&router, &format!("{ME}?{query}={token}"), &[]).await.status.as_u16(), 401, "{query}");
    }
    let body = request(
        "PATCH",
        ME,
        &[("content-type", "application/json")],
        json!({ "name": "x", "access_token": token }).to_string(),
    );
    assert_eq!(call(&router, body).await.status.as_u16(), 401);
    let cookie = format!("kawaraban_session={token}");
    assert_eq!(get_with(&router, ME, &[("cookie", &cookie)]).await.status.as_u16(), 401);
    for authorization in [
        format!("Basic {token}"),
        token.to_owned(),
        format!("Bearer {}", token.to_uppercase()),
        format!("Bearer {}", &token[..46]),
        format!("Bearer {token}x"),
        format!("Bearer {token} {token}"),
        format!("Bearer,{token}"),
        "Bearer".to_owned(),
        format!("Bearer {}", "A".repeat(50_000)),
        "Bearer kwb_%00".to_owned(),
    ] {
        let refused = get_with(&router, ME, &[("authorization", &authorization)]).await;
        assert_eq!(refused.status.as_u16(), 401, "{authorization:.60}");
        assert!(refused.header("www-authenticate").starts_with("Bearer"));
    }
    let twice = [("authorization", good.as_str()), ("authorization", good.as_str())];
    assert_eq!(get_with(&router, ME, &twice).await.status.as_u16(), 401);
    let cross_site =
        [("authorization", good.as_str()), ("sec-fetch-site", "cross-site"), ("content-type", "application/json")];
    let scripted = call(&router, request("PATCH", ME, &cross_site, json!({ "name": "Anne" }).to_string())).await;
    assert_eq!(scripted.status.as_u16(), 200, "browsers do not add tokens automatically");
}
