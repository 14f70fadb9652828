use super::*;

fn small_and_large() -> Router {
    let routes = Router::new()
        .route("/small", get(|| async { "small" }))
        .route("/large", get(|| async { "large ".repeat(1_000) }));
    with_layers(routes, Duration::from_secs(10), None)
}

#[tokio::test]
async fn responses_have_request_id_and_security_headers() {
    for path in ["/small", "/nowhere"] {
        let answer = get_with(&small_and_large(), path, &[]).await;
        assert_eq!(answer.header("x-request-id").len(), 36, "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
    }
    let answer = get_with(&small_and_large(), "/small", &[("x-request-id", "mine-1")]).await;
    assert_eq!(answer.header("x-request-id"), "mine-1");
    let answer = get_with(&small_and_large(), "/small", &[("x-request-id", "{\"mine\"}")]).await;
    assert_eq!(answer.header("x-request-id").len(), 36, "an unsafe id is replaced");
}

#[tokio::test]
async fn large_responses_are_compressed() {
    let cases = [
        ("/large", "gzip, deflate, br, zstd", "zstd"),
        ("/large", "gzip, deflate, br", "gzip"),
        ("/large", "br", ""),
        ("/small", "gzip, zstd", ""),
    ];
    for (path, accepted, encoding) in cases {
        let answer = get_with(&small_and_large(), path, &[("accept-encoding", accepted)]).await;
        assert_eq!(answer.header("content-encoding"), encoding, "{path} {accepted}");
        assert_eq!(answer.body.len() < 1_000, path == "/small" || !encoding.is_empty(), "{path} {accepted}");
    }
}
