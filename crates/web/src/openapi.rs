//! The OpenAPI document, made from the handlers that the table of routes names.
//!
//! What every route has in common is added here, once: the errors that each can give, their one body, and that a view
//! has all its fields always (null is written out).

use std::sync::{Arc, OnceLock};

use axum::{Extension, response::IntoResponse};
use bytes::Bytes;
use http::header;
use serde_json::{Map, Value, json};
use utoipa::{OpenApi, openapi};

use crate::{
    error::ErrorView,
    events::{CounterView, FeedStateView, HelloView, NewItemsView, SubscriptionChangesView},
    router,
};

/// Where nobody needs to be signed in.
const OPEN: &str = "/auth/";
const DATE_TIME: &str = r"^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$";
const UUID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

/// What the document says about the whole.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Kawaraban",
        description = "The API of Kawaraban, a self-hosted news desk. Every error of every route has the body `ErrorView`, in Japanese or English after `Accept-Language`. Lists are paged with an opaque `cursor`; times are RFC 3339 in UTC; null is written out.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(ErrorView, CounterView, FeedStateView, HelloView, NewItemsView, SubscriptionChangesView))
)]
pub(crate) struct ApiInfo;

/// The finished document, ready to be sent.
///
/// It is made for the first request: making it takes memory that an idle server does not need.
#[derive(Clone, Default)]
pub(crate) struct OpenApiJson(Arc<OnceLock<Bytes>>);

impl OpenApiJson {
    fn bytes(&self) -> Bytes {
        self.0.get_or_init(|| Bytes::from(finish(router::document()).to_string())).clone()
    }
}

/// The document as it is committed: pretty, with a line's end at its end.
pub fn openapi_document() -> String {
    format!("{:#}\n", finish(router::document()))
}

/// This document
///
/// The description of this API in OpenAPI 3.1.
#[utoipa::path(get, path = "/api/openapi.json", tag = "about", responses(
    (status = 200, description = "The document", content_type = "application/json", body = Object)
))]
pub(crate) async fn get_openapi(Extension(document): Extension<OpenApiJson>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "public, max-age=300")], document.bytes())
}

fn finish(api: openapi::OpenApi) -> Value {
    let mut document = serde_json::to_value(api).unwrap_or_default();
    if let Some(info) = document["info"].as_object_mut() {
        // The document describes the interface, not the build.
        info.insert("version".to_owned(), json!("1"));
    }
    add_security(&mut document);
    for (path, operations) in members(&mut document["paths"]) {
        let is_open = path.starts_with(OPEN);
        for (method, operation) in members(operations) {
            add_common_answers(&method, is_open, operation);
            if is_open {
                operation["security"] = json!([]);
            }
        }
    }
    for (name, schema) in members(&mut document["components"]["schemas"]) {
        // An error leaves out what it does not have: `fields` belongs to 400 alone.
        if name.ends_with("View") && name != "ErrorView" {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let names = schema["properties"].as_object().map(|properties| {
                let is_written =
                    |(name, property): &(&String, &Value)| required.contains(&json!(name)) || may_be_null(property);
                properties.iter().filter(is_written).map(|(name, _)| name.clone()).collect::<Vec<_>>()
            });
            names.into_iter().for_each(|names| schema["required"] = json!(names));
        }
    }
    spell_out_formats(&mut document);
    document
}

/// Whether null is written out. A field that is neither required nor null is left out where it does not belong.
fn may_be_null(property: &Value) -> bool {
    let has_null = |value: &Value| value == "null" || value["type"] == "null";
    [&property["type"], &property["oneOf"]]
        .into_iter()
        .any(|kinds| kinds.as_array().is_some_and(|kinds| kinds.iter().any(has_null)))
}

/// What to show to be let in: either of them, unless an operation says otherwise.
fn add_security(document: &mut Value) {
    document["components"]["securitySchemes"] = json!({
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "kawaraban_session",
            "description": "The cookie that signing in sets. On https its name begins with `__Host-`.",
        },
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "An API token from `POST /api/users/me/tokens`. One with the scope `read` may only look.",
        },
    });
    document["security"] = json!([{ "session": [] }, { "token": [] }]);
}

/// A format alone is only a remark in JSON Schema; ids and times of another shape are refused, so say which they have.
fn spell_out_formats(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let pattern = match members.get("format").and_then(Value::as_str) {
                Some("uuid") => Some(UUID),
                Some("date-time") => Some(DATE_TIME),
                _ => None,
            };
            if let Some(pattern) = pattern {
                members.entry("pattern").or_insert(json!(pattern));
            }
            members.values_mut().for_each(spell_out_formats);
        }
        Value::Array(values) => values.iter_mut().for_each(spell_out_formats),
        _ => {}
    }
}

fn members(value: &mut Value) -> impl Iterator<Item = (String, &mut Value)> {
    value.as_object_mut().into_iter().flatten().map(|(name, value)| (name.clone(), value))
}

/// Adds the errors that any such operation can give, and the body of those that have none.
fn add_common_answers(method: &str, is_open: bool, operation: &mut Value) {
    let has_body = operation.get("requestBody").is_some();
    let parameters = operation["parameters"].as_array();
    let has_parameters = parameters.is_some_and(|parameters| !parameters.is_empty());
    let has_id = parameters.is_some_and(|parameters| parameters.iter().any(|parameter| parameter["in"] == "path"));
    let common = [
        ("400", has_body || has_parameters, "The request is not valid; `fields` says where"),
        ("401", !is_open, "Nobody is signed in"),
        ("403", method != "get", "A page of another site sent this, or the API token may not do it"),
        ("404", has_id, "There is no such thing, or it is somebody else's"),
        ("413", has_body, "The body is too large"),
        ("415", has_body, "The body is not of a type that is understood here"),
        ("429", true, "Too often; `Retry-After` says in how many seconds to come back"),
        ("500", true, "A fault of the server"),
        ("503", true, "The server or its database cannot answer just now"),
    ];
    let Some(answers) = operation["responses"].as_object_mut() else { return };
    for (status, _, description) in common.into_iter().filter(|(_, applies, _)| *applies) {
        answers.entry(status).or_insert_with(|| json!({ "description": description }));
    }
    answers.iter_mut().filter(|(status, _)| status.as_str() >= "400").for_each(|(_, answer)| add_error_body(answer));
}

fn add_error_body(answer: &mut Value) {
    if let Some(answer) = answer.as_object_mut() {
        let mut content = Map::new();
        content
            .insert("application/json".to_owned(), json!({ "schema": { "$ref": "#/components/schemas/ErrorView" } }));
        answer.entry("content").or_insert(Value::Object(content));
    }
}
