//! The files of the web client.

use super::*;
use crate::{
    router::router_with,
    static_files::{StaticFile, StaticFiles},
};

/// A small web client.
static FILES: &[StaticFile] = &[
    StaticFile {
        path: "/assets/index-abc123.js",
        content_type: "text/javascript; charset=utf-8",
        hash: "1",
        plain: b"console.log('ink on paper')",
        brotli: Some(b"in brotli"),
        gzip: Some(b"in gzip"),
    },
    StaticFile { path: "/icon.png", content_type: "image/png", hash: "2", plain: b"\x89PNG", brotli: None, gzip: None },
    StaticFile {
        path: "/index.html",
        content_type: "text/html; charset=utf-8",
        hash: "3",
        plain: b"<!doctype html>the app",
        brotli: None,
        gzip: Some(b"the app in gzip"),
    },
    StaticFile {
        path: "/sw.js",
        content_type: "text/javascript; charset=utf-8",
        hash: "4",
        plain: b"self.addEventListener('fetch', keep)",
        brotli: Some(b"the worker in brotli"),
        gzip: None,
    },
];

const HTML: (&str, &str) = ("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
const SCRIPT: &str = "/assets/index-abc123.js";

async fn router(files: &'static [StaticFile]) -> Router {
    router_with(app(&TestDb::sqlite().await), StaticFiles::of(files))
}

#[tokio::test]
async fn browsers_get_the_index_page_for_all_pages() {
    let router = router(FILES).await;
    for path in ["/", "/feeds/0197", "/search?q=ink", "/settings/account", "/apiary", "/index.html"] {
        let answer = get_with(&router, path, &[HTML]).await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "<!doctype html>the app"), "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(answer.header("cache-control"), "no-cache", "{path}");
        assert_eq!(answer.header("content-length"), "22", "{path}");
        assert!(answer.header("content-security-policy").contains("script-src 'self'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
    assert_eq!(get_with(&router, "/", &[]).await.status.as_u16(), 200, "without an accept header");
}

#[tokio::test]
async fn missing_paths_get_the_error_body() {
    for files in [FILES, &[]] {
        let router = router(files).await;
        let missing =
            ["/api", "/api/nowhere", "/auth/nowhere/at/all", "/healthz/x", "/assets/gone.js", "/gone.png", "/assets/x"];
        for path in missing {
            let answer = get_with(&router, path, &[HTML]).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (404, Some("not_found")), "{path}");
        }
        for path in ["/nowhere", "/feeds/0197", "/../Cargo.toml", "//index.html", "/assets/../index.html"] {
            let answer = get_with(&router, path, &[("accept", "application/json")]).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (404, Some("not_found")), "{path}");
        }
        let refused = get_with(&router, "/nowhere", &[("accept", "application/json, text/html;q=0")]).await;
        assert_eq!(refused.status.as_u16(), 404);
    }
}

#[tokio::test]
async fn smallest_accepted_encoding_is_sent() {
    let router = router(FILES).await;
    let plain = "console.log('ink on paper')";
    for (takes, coding, body) in [
        ("gzip, deflate, br, zstd", "br", "in brotli"),
        ("gzip, deflate", "gzip", "in gzip"),
        ("br;q=0, gzip;q=0.5", "gzip", "in gzip"),
        ("br;q=0, gzip; q=0", "", plain),
        ("identity", "", plain),
    ] {
        let answer = get_with(&router, SCRIPT, &[("accept-encoding", takes)]).await;
        assert_eq!((answer.header("content-encoding"), answer.text().as_str()), (coding, body), "{takes}");
        assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(answer.header("content-length"), body.len().to_string());
        let vary: Vec<_> = answer.headers.get_all("vary").iter().collect();
        assert_eq!(vary, ["accept-encoding"], "{takes}");
    }
    let icon = get_with(&router, "/icon.png", &[("accept-encoding", "br")]).await;
    assert_eq!((icon.header("content-type"), icon.body.as_slice()), ("image/png", b"\x89PNG".as_slice()));
    assert_eq!(icon.header("cache-control"), "no-cache", "its name has no hash");
}

#[tokio::test]
async fn service_worker_is_revalidated() {
    let router = router(FILES).await;
    let worker = get_with(&router, "/sw.js", &[("accept", "*/*"), ("accept-encoding", "br")]).await;
    assert_eq!((worker.status.as_u16(), worker.text().as_str()), (200, "the worker in brotli"));
    assert_eq!(worker.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(worker.header("cache-control"), "no-cache", "so that browsers notice a new version");
    assert!(worker.header("content-security-policy").contains("connect-src 'self'"), "own origin only");
    let known = worker.header("etag").to_owned();
    let again = get_with(&router, "/sw.js", &[("accept-encoding", "br"), ("if-none-match", &known)]).await;
    assert_eq!(again.status.as_u16(), 304);
}

#[tokio::test]
async fn unchanged_page_gets_304() {
    let router = router(FILES).await;
    let first = get_with(&router, "/", &[HTML, ("accept-encoding", "gzip")]).await;
    let tag = first.header("etag").to_owned();
    assert_eq!(first.text(), "the app in gzip");
    for known in [tag.clone(), format!("\"other\", W/{tag}")] {
        let headers = [HTML, ("accept-encoding", "gzip"), ("if-none-match", known.as_str())];
        let again = get_with(&router, "/feeds/0197", &headers).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
        assert_eq!((again.header("etag"), again.header("cache-control")), (tag.as_str(), "no-cache"));
        assert_eq!(again.header("content-encoding"), "");
    }
    let other_form = get_with(&router, "/", &[HTML, ("if-none-match", &tag)]).await;
    assert_eq!((other_form.status.as_u16(), other_form.text().as_str()), (200, "<!doctype html>the app"));
}

#[tokio::test]
async fn head_matches_get_and_other_methods_fail() {
    let router = router(FILES).await;
    let head = call(&router, request("HEAD", SCRIPT, &[("accept-encoding", "br")], "")).await;
    assert_eq!((head.status.as_u16(), head.body.len(), head.header("content-length")), (200, 0, "9"));
    assert_eq!(head.header("content-encoding"), "br");
    for path in ["/", SCRIPT] {
        let answer = call(&router, request("POST", path, &[], "")).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "GET, HEAD"), "{path}");
        assert_eq!(answer.json()["code"], "method_not_allowed");
    }
}

#[tokio::test]
async fn placeholder_page_explains_the_build() {
    let router = router(&[]).await;
    for path in ["/", "/setup?token=x"] {
        let answer = get_with(&router, path, &[HTML]).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}");
        assert!(answer.text().contains("make build") && answer.text().contains("画面"), "{path}");
    }
}

#[tokio::test]
async fn program_has_an_index_page() {
    let router = main_router(app(&TestDb::sqlite().await));
    let answer = get_with(&router, "/", &[HTML]).await;
    assert!(answer.text().contains("<title>Kawaraban</title>"), "{}", answer.text());
}
