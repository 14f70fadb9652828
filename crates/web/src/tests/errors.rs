use super::*;

/// Routes that fail in every possible way.
fn failing() -> Router {
    #[derive(serde::Deserialize)]
    struct Input {
        #[expect(dead_code, reason = "only parsed")]
        name: String,
    }
    async fn take(_: Json<Input>) {}
    async fn fail() -> Result<(), ApiError> {
        Err(ApiError::internal(std::io::Error::other("the secret cause")))
    }
    async fn invalid() -> Result<(), ApiError> {
        Err(read::Error::AddressScheme.into())
    }
    async fn exhausted() -> Result<(), ApiError> {
        let error = net::Error::OutOfResources { source: std::io::Error::other("the secret cause") };
        Err(read::Error::OutOfResources(error).into())
    }
    async fn panics() {
        panic!("the secret cause")
    }
    let routes = Router::new()
        .route("/take", post(take))
        .route("/fail", get(fail))
        .route("/invalid", get(invalid))
        .route("/exhausted", get(exhausted))
        .route("/panic", get(panics))
        .route("/bare", get(|| async { StatusCode::BAD_GATEWAY }))
        .route("/hang", get(std::future::pending::<()>));
    with_layers(routes, Duration::from_millis(50), None)
}

const JSON: (&str, &str) = ("content-type", "application/json");

/// Failing requests with the expected status and code.
fn requests() -> Vec<(Request, u16, &'static str)> {
    let large = format!("{{\"name\":\"{}\"}}", "x".repeat(2 * 1024 * 1024));
    vec![
        (request("GET", "/nowhere", &[], ""), 404, "not_found"),
        (request("BREW", "/nowhere", &[], ""), 404, "not_found"),
        (request("POST", "/fail", &[], ""), 405, "method_not_allowed"),
        (request("GET", "/take", &[], ""), 405, "method_not_allowed"),
        (request("POST", "/take", &[JSON], "{"), 400, "invalid_request"),
        (request("POST", "/take", &[JSON], "{}"), 400, "invalid_request"),
        (request("POST", "/take", &[JSON], vec![0xff, 0xfe]), 400, "invalid_request"),
        (request("POST", "/take", &[], "{}"), 415, "unsupported_media_type"),
        (request("POST", "/take", &[JSON], large), 413, "body_too_large"),
        (request("GET", "/invalid", &[], ""), 400, "invalid_request"),
        (request("GET", "/fail", &[], ""), 500, "internal"),
        (request("GET", "/exhausted", &[], ""), 503, "out_of_resources"),
        (request("GET", "/panic", &[], ""), 500, "internal"),
        (request("GET", "/bare", &[], ""), 500, "internal"),
        (request("GET", "/hang", &[], ""), 503, "timed_out"),
    ]
}

#[tokio::test]
async fn all_errors_have_the_same_body_in_both_languages() {
    for (language, is_japanese) in [("en-GB", false), ("ja", true)] {
        for (mut request, status, code) in requests() {
            request.headers_mut().insert(header::ACCEPT_LANGUAGE, language.parse().unwrap());
            let what = format!("{language} {} {}", request.method(), request.uri());
            let answer = call(&failing(), request).await;
            assert_eq!(answer.status.as_u16(), status, "{what}");
            let body = answer.json();
            assert_eq!(body["code"], code, "{what}");
            let mut keys: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
            keys.retain(|key| status != 400 || *key != "fields");
            assert_eq!(keys, ["action", "category", "code", "message"], "{what}");
            assert_eq!(body["fields"].is_array(), status == 400, "{what}");
            for key in ["message", "action"] {
                let words = body[key].as_str().unwrap();
                assert_eq!(words.chars().any(|c| c >= '\u{3040}'), is_japanese, "{what}: {words}");
            }
            assert!(!answer.text().contains("secret"), "{what}: the body does not contain the cause");
            assert_eq!(answer.header("content-language"), &language[..2], "{what}");
            assert_eq!(answer.header("content-type"), "application/json", "{what}");
            assert_eq!(answer.header("cache-control"), "no-store", "{what}");
            assert_eq!(answer.header("vary"), "accept-language", "{what}");
        }
    }
}

#[tokio::test]
async fn wrong_method_gets_the_allow_header() {
    let answer = call(&failing(), request("DELETE", "/take", &[], "")).await;
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "POST"));
}

#[tokio::test]
async fn field_errors_are_in_the_language_of_the_request() {
    let english = get_with(&failing(), "/invalid", &[]).await.json();
    assert_eq!(english["fields"][0]["field"], "url");
    assert_eq!(english["fields"][0]["message"], "Enter an address that begins with https:// or http://.");
    let japanese = get_with(&failing(), "/invalid", &[("accept-language", "ja")]).await.json();
    assert_eq!(japanese["fields"][0]["message"], "https:// または http:// で始まるアドレスを入力してください。");
}

#[tokio::test]
async fn temporary_errors_have_retry_after() {
    assert_eq!(get_with(&failing(), "/hang", &[]).await.header("retry-after"), "5");
    assert_eq!(get_with(&failing(), "/fail", &[]).await.header("retry-after"), "");
}
