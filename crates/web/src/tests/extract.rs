//! Extractors and their errors.

use serde::Deserialize;
use store::FeedId;

use crate::extract::{JsonBody, OptionalJsonBody, PathId, QueryString};

use super::*;

#[derive(Deserialize, Default)]
struct Input {
    name: String,
    #[serde(default)]
    sizes: Vec<Size>,
}

#[derive(Deserialize)]
struct Size {
    #[expect(dead_code, reason = "only parsed")]
    width: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Order {
    Newest,
}

#[derive(Deserialize)]
struct OrderQuery {
    order: Option<Order>,
    #[expect(dead_code, reason = "only parsed")]
    text: Option<String>,
}

fn routes() -> Router {
    async fn body(JsonBody(input): JsonBody<Input>) -> String {
        format!("{} {}", input.name, input.sizes.len())
    }
    async fn optional(OptionalJsonBody(input): OptionalJsonBody<Input>) -> String {
        input.name
    }
    async fn query(QueryString(query): QueryString<OrderQuery>) -> &'static str {
        if matches!(query.order, Some(Order::Newest)) { "newest" } else { "any" }
    }
    async fn id(PathId(id): PathId<FeedId>) -> String {
        id.to_string()
    }
    let routes = Router::new()
        .route("/body", post(body))
        .route("/optional", post(optional))
        .route("/query", get(query))
        .route("/id/{id}", get(id));
    with_layers(routes, Duration::from_secs(10), None)
}

const JSON: (&str, &str) = ("content-type", "application/json");

/// The invalid fields of a 400 response.
async fn invalid_fields(request: Request) -> Vec<String> {
    let what = request.uri().to_string();
    let answer = call(&routes(), request).await;
    assert_eq!(answer.status.as_u16(), 400, "{what}: {}", answer.text());
    let body = answer.json();
    let fields = body["fields"].as_array().unwrap();
    fields.iter().map(|field| field["field"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn invalid_body_names_the_field() {
    let cases: [(&str, &[&str]); 9] = [
        ("{}", &["name"]),
        (r#"{"name": 1}"#, &["name"]),
        (r#"{"name": "x", "sizes": [{"width": 1}, {"width": -1}]}"#, &["sizes[1].width"]),
        (r#"{"name": "x", "sizes": [{"width": 30.5}]}"#, &["sizes[0].width"]),
        (r#"{"name": "x", "sizes": {}}"#, &["sizes"]),
        (r#"{"name": "a\u0000b"}"#, &[]),
        (r#"["x", []]"#, &[]),
        ("{", &[]),
        ("null", &[]),
    ];
    for (body, fields) in cases {
        assert_eq!(invalid_fields(request("POST", "/body", &[JSON], body)).await, fields, "{body}");
    }
    let whole =
        call(&routes(), request("POST", "/body", &[JSON], r#"{"name": "x", "sizes": [{"width": 30.0}]}"#)).await;
    assert_eq!(whole.text(), "x 1", "30.0 is 30");
    let fine = call(&routes(), request("POST", "/body", &[JSON], r#"{"name": "a\\u0000b", "more": 1}"#)).await;
    assert_eq!((fine.status.as_u16(), fine.text().as_str()), (200, r"a\u0000b 0"), "unknown fields are ignored");
}

#[tokio::test]
async fn wrong_body_type_and_size_are_rejected() {
    let large = format!("{{\"name\":\"{}\"}}", "x".repeat(2 * 1024 * 1024));
    let cases = [
        (request("POST", "/body", &[], "{}"), 415),
        (request("POST", "/body", &[("content-type", "text/plain")], "{}"), 415),
        (request("POST", "/body", &[JSON], large), 413),
    ];
    for (request, status) in cases {
        assert_eq!(call(&routes(), request).await.status.as_u16(), status);
    }
}

#[tokio::test]
async fn optional_body_can_be_omitted() {
    assert_eq!(call(&routes(), request("POST", "/optional", &[], Body::empty())).await.text(), "");
    assert_eq!(call(&routes(), request("POST", "/optional", &[JSON], r#"{"name": "x"}"#)).await.text(), "x");
    assert_eq!(call(&routes(), request("POST", "/optional", &[JSON], "null")).await.text(), "", "null is the default");
    assert_eq!(invalid_fields(request("POST", "/optional", &[JSON], "{}")).await, ["name"]);
}

#[tokio::test]
async fn invalid_query_names_the_field() {
    for (query, field) in [("order=oldest", "order"), ("text=a%00b", "text"), ("text=a&text=b", "text")] {
        assert_eq!(invalid_fields(request("GET", &format!("/query?{query}"), &[], "")).await, [field], "{query}");
    }
    assert_eq!(get_with(&routes(), "/query?order=newest&unknown=1", &[]).await.text(), "newest");
    assert_eq!(get_with(&routes(), "/query", &[]).await.text(), "any");
}

#[tokio::test]
async fn malformed_ids_are_rejected() {
    for id in ["1", "a%00b", "%ff", "0197f0f0-0000-7000-8000-00000000000g"] {
        assert_eq!(invalid_fields(request("GET", &format!("/id/{id}"), &[], "")).await, ["id"], "{id}");
    }
    let id = FeedId::new();
    assert_eq!(get_with(&routes(), &format!("/id/{id}"), &[]).await.text(), id.to_string());
}
