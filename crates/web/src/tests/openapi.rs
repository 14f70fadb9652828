//! The OpenAPI document.

use std::{collections::HashSet, fs, path::Path};

use super::*;

fn document() -> Value {
    serde_json::from_str(&crate::openapi_document()).unwrap()
}

#[test]
fn committed_document_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let committed = fs::read_to_string(path).unwrap();
    assert!(committed == crate::openapi_document(), "docs/openapi.json is stale: run `make docs`");
}

#[tokio::test]
async fn server_sends_the_same_document() {
    let db = TestDb::sqlite().await;
    let answer = get_as(&main_router(app(&db)), new_owner(&db).await, "/api/openapi.json").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/json"));
    assert_eq!(answer.json(), document());
}

#[test]
fn operations_have_ids_texts_and_errors() {
    let document = document();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let mut names = HashSet::new();
    let paths = document["paths"].as_object().unwrap();
    assert!(!paths.is_empty());
    for (path, operations) in paths {
        let is_anonymous = path.starts_with("/auth/");
        assert!(path.starts_with("/api/") || is_anonymous, "{path}");
        for (method, operation) in operations.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name.to_owned()) && name.contains('_'), "{name} must be a unique `verb_resource`");
            assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{name} needs a summary");
            let answers = operation["responses"].as_object().unwrap();
            for status in ["401", "429", "500", "503"].into_iter().skip(usize::from(is_anonymous)) {
                assert!(answers.contains_key(status), "{method} {path} {status}");
            }
            assert_eq!(operation["security"] == serde_json::json!([]), is_anonymous, "{name}: security");
            for (status, answer) in answers {
                assert!(answer["description"].as_str().is_some_and(|text| !text.is_empty()), "{name} {status}");
                if status.as_str() >= "400" {
                    let schema = &answer["content"]["application/json"]["schema"]["$ref"];
                    assert_eq!(schema, "#/components/schemas/ErrorView", "{name} {status}");
                }
            }
        }
    }
}

#[test]
fn references_resolve() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
                members.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}
