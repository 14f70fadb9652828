use super::*;

const TOKEN: &str = "a-token-of-some-length";

async fn router_with_token() -> (TestDb, Router) {
    let db = TestDb::sqlite().await;
    let app = ApiState { metrics_token: Some(MetricsToken::new(TOKEN.to_owned())), ..app(&db) };
    let router = main_router(app);
    (db, router)
}

#[tokio::test]
async fn metrics_are_404_without_a_token_setting() {
    let db = TestDb::sqlite().await;
    let answer = get_with(&main_router(app(&db)), "/metrics", &[("authorization", "Bearer ")]).await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (404, Some("not_found")));
}

#[tokio::test]
async fn main_port_requires_the_metrics_token() {
    let (_db, router) = router_with_token().await;
    let wrong: [&[(&str, &str)]; 6] = [
        &[],
        &[("authorization", "Bearer a-token-of-some-lengtH")],
        &[("authorization", "Bearer a-token")],
        &[("authorization", "Bearer a-token-of-some-length-and-more")],
        &[("authorization", "Basic a-token-of-some-length")],
        &[("authorization", "Bear")],
    ];
    for headers in wrong {
        let answer = get_with(&router, "/metrics", headers).await;
        assert_eq!((answer.status.as_u16(), answer.json()["category"].as_str()), (401, Some("auth")), "{headers:?}");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
    for scheme in ["Bearer", "bearer"] {
        let shown = format!("{scheme} {TOKEN}");
        let answer = get_with(&router, "/metrics", &[("authorization", &shown)]).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(answer.header("content-type").starts_with("text/plain; version=0.0.4"));
    }
}

#[tokio::test]
async fn documented_metrics_exist_from_the_start() {
    let router = crate::metrics_router(Measurements::detached(build()));
    let page = get_with(&router, "/metrics", &[]).await.text();
    for line in [
        "# TYPE fetch_success_count counter",
        "fetch_success_count 0",
        "fetch_fail_count 0",
        "parse_fail_count 0",
        "http_status_count{status_code=\"200\"} 0",
        "items_upserted_count 0",
        "# TYPE fetch_latency histogram",
        "fetch_latency_bucket{le=\"10\"} 0",
        "fetch_latency_bucket{le=\"+Inf\"} 0",
        "fetch_latency_count 0",
        "kawaraban_build_info{version=\"1.2.3\",commit=\"abc\"} 1",
        "process_start_time_seconds 7",
    ] {
        assert!(page.lines().any(|found| found == line), "{line} is not in:\n{page}");
    }
    assert!(!page.contains("summary"), "{page}");
    assert_eq!(get_with(&router, "/readyz", &[]).await.status, StatusCode::NOT_FOUND, "metrics alone");
}
