//! Requests that pages of other sites make a browser send.

use super::*;

/// Headers of requests that a page of another site causes.
const CROSS_SITE: [&[(&str, &str)]; 9] = [
    &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors"), ("origin", EVIL)],
    &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
    &[("sec-fetch-site", "same-site"), ("origin", "https://other.localhost:8080")],
    &[("origin", EVIL)],
    &[("origin", "null")],
    &[("origin", "http://localhost:8080.evil.example")],
    &[("origin", "http://localhost:8081"), ("host", "localhost:8080")],
    &[("origin", "http://localhost:8080"), ("origin", EVIL), ("host", "localhost:8080")],
    &[("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")],
];

/// Bodies that a form or a script can send to another site without a preflight.
const SIMPLE_BODIES: [(&str, &str); 4] = [
    ("application/x-www-form-urlencoded", "name=Evil"),
    ("text/plain", "{\"name\":\"Evil\"}"),
    ("multipart/form-data; boundary=x", "--x\r\ncontent-disposition: form-data; name=\"name\"\r\n\r\nEvil\r\n--x--"),
    ("", "{\"name\":\"Evil\"}"),
];

on_both_databases!(cross_site_requests_with_cookies_are_rejected);
async fn cross_site_requests_with_cookies_are_rejected(db: TestDb) {
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let mut browser = Browser::new(&main_router(app));
    browser.sign_in("ann@example.com").await;
    let cookies = browser.cookies.clone();
    let json = ("content-type", "application/json");
    for headers in CROSS_SITE {
        for (method, path, body) in [
            ("PATCH", ME, "{\"name\":\"Evil\"}"),
            ("DELETE", ME, ""),
            ("PUT", "/api/users/me/password", "{\"current_password\":null,\"new_password\":\"evil evil evil\"}"),
            ("POST", "/api/users/me/tokens", "{\"name\":\"x\",\"scope\":\"write\"}"),
            ("POST", "/auth/logout", ""),
            ("POST", "/auth/local/login", "{\"email\":\"evil@example.com\",\"password\":\"evil evil evil\"}"),
            ("POST", "/auth/local/register", "{\"email\":\"evil@example.com\",\"password\":\"evil evil evil\"}"),
            ("POST", "/auth/setup", "{\"token\":\"x\",\"email\":\"evil@example.com\",\"password\":\"evil evil evil\"}"),
            ("POST", "/api/users/me/identities/google", ""),
            ("QUERY", ME, ""),
        ] {
            let all: Vec<(&str, &str)> = headers.iter().copied().chain([json]).collect();
            let refused = browser.call(request(method, path, &all, body)).await;
            let expected = if method == "QUERY" { error(405, "method_not_allowed") } else { error(403, "cross_site") };
            let answered = status_and_code(&refused);
            assert!(
                answered == expected || answered == error(403, "cross_site"),
                "{method} {path} {headers:?}: {answered:?}"
            );
            assert!(!refused.headers.contains_key("access-control-allow-origin"));
        }
    }
    assert_eq!(browser.cookies, cookies, "the cookies have not changed");
    assert_eq!(browser.get(ME).await.json()["name"], "Ann");
}

#[tokio::test]
async fn simple_content_types_and_method_overrides_fail() {
    let db = TestDb::sqlite().await;
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let mut browser = Browser::new(&main_router(app));
    browser.sign_in("ann@example.com").await;
    // An old browser sends neither `Sec-Fetch-Site` nor `Origin`.
    for (content_type, body) in SIMPLE_BODIES {
        let headers: &[(&str, &str)] = if content_type.is_empty() { &[] } else { &[("content-type", content_type)] };
        let refused = browser.call(request("PATCH", ME, headers, body)).await;
        assert_eq!(status_and_code(&refused), error(415, "unsupported_media_type"), "{content_type}");
    }
    for header in ["x-http-method-override", "x-http-method", "x-method-override"] {
        browser.call(request("GET", &format!("{ME}?_method=DELETE"), &[(header, "DELETE")], "")).await;
    }
    assert_eq!(browser.get(ME).await.json()["name"], "Ann");
}

#[tokio::test]
async fn cors_allows_exactly_one_origin() {
    let db = TestDb::sqlite().await;
    let app = app(&db);
    create_member(&app, "ann@example.com").await;
    let ui = "https://ui.example";
    let open = main_router(ApiState { site: site("https://api.example", Some(ui)), ..app.clone() });
    let preflight = |origin: &'static str| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "PATCH"),
            ("access-control-request-headers", "content-type"),
        ];
        request("OPTIONS", ME, &headers, "")
    };
    let allowed = call(&open, preflight(ui)).await;
    assert_eq!((allowed.status.as_u16(), allowed.body.len()), (204, 0));
    assert_eq!(allowed.header("access-control-allow-origin"), ui);
    assert_eq!(allowed.header("access-control-allow-credentials"), "true");
    assert!(allowed.header("access-control-allow-methods").contains("PATCH"));
    assert!(allowed.header("access-control-allow-headers").contains("content-type"));
    assert!(!allowed.header("access-control-allow-headers").contains('*'));

    let mut browser = Browser::new(&open);
    let headers = [("origin", ui), ("sec-fetch-site", "same-site"), ("content-type", "application/json")];
    let body = json!({ "email": "ann@example.com", "password": PASSWORD }).to_string();
    let signed_in = browser.call(request("POST", "/auth/local/login", &headers, body)).await;
    assert_eq!((signed_in.status.as_u16(), signed_in.header("access-control-allow-origin")), (200, ui));
    let changed = browser.call(request("PATCH", ME, &headers, json!({ "name": "Anne" }).to_string())).await;
    assert_eq!((changed.status.as_u16(), changed.header("access-control-allow-origin")), (200, ui));
    let varies = |answer: &TestResponse| answer.headers.get_all("vary").iter().any(|vary| vary == "origin");
    assert!(varies(&changed));
    let unknown = call(&open, request("GET", ME, &[("origin", ui)], "")).await;
    assert_eq!(
        (unknown.status.as_u16(), unknown.header("access-control-allow-origin")),
        (401, ui),
        "errors can be read too"
    );

    for origin in [
        EVIL,
        "http://ui.example",
        "https://ui.example.evil.example",
        "https://UI.example",
        "null",
        "https://ui.example/",
    ] {
        let refused = call(&open, preflight(origin)).await;
        assert_eq!(refused.status.as_u16(), 401, "{origin}: not a preflight");
        let read = browser.call(request("GET", ME, &[("origin", origin)], "")).await;
        assert!(varies(&read), "a cache must not mix them up");
        for answer in [refused, read] {
            assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control")), "{origin}");
        }
    }
    let two = [("origin", ui), ("origin", EVIL)];
    assert_eq!(call(&open, request("GET", ME, &two, "")).await.header("access-control-allow-origin"), "");

    let shut = main_router(app);
    let refused = call(&shut, preflight(ui)).await;
    assert_eq!(refused.status.as_u16(), 401, "no origin is allowed by default");
    assert!(refused.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let db = TestDb::sqlite().await;
    let app = app(&db);
    let plain = main_router(app.clone());
    let secure = main_router(ApiState { site: site("https://api.example", None), ..app.clone() });
    let open = main_router(ApiState { site: site("https://api.example", Some("https://ui.example")), ..app });
    for path in ["/healthz", "/metrics", "/nowhere", ME, "/auth/providers", "/auth/google/login"] {
        for (router, is_https, resource_policy) in
            [(&plain, false, "same-origin"), (&secure, true, "same-origin"), (&open, true, "same-site")]
        {
            let answer = get_with(router, path, &[]).await;
            let csp = answer.header("content-security-policy");
            for directive in [
                "default-src 'none'",
                "script-src 'self';",
                "object-src 'none'",
                "base-uri 'none'",
                "frame-ancestors 'none'",
                "form-action 'self'",
                "require-trusted-types-for 'script'",
                "trusted-types kawaraban",
                "img-src 'self' https: data:",
            ] {
                assert!(csp.contains(directive), "{path}: {directive} in {csp}");
            }
            assert!(!csp.contains("unsafe") && !csp.contains('*') && !csp.contains("http:"), "{csp}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
            assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
            assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin", "{path}");
            assert_eq!(answer.header("cross-origin-resource-policy"), resource_policy, "{path}");
            assert!(answer.header("permissions-policy").contains("camera=()"), "{path}");
            assert_eq!(
                answer.header("strict-transport-security"),
                if is_https { "max-age=31536000" } else { "" },
                "{path}"
            );
        }
    }
}
