//! The route of the licences.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use super::*;
use crate::Licenses;

/// One package, in the format of the build script.
pub(super) fn sample() -> Licenses {
    let json = json!({
        "packages": [{ "name": "ink", "version": "1.2.3", "license": "MIT", "repository": null, "texts": [0] }],
        "texts": ["Copyright (c) The Ink Makers"],
    });
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(json.to_string().as_bytes()).unwrap();
    Licenses::new(gzip.finish().unwrap().leak())
}

#[tokio::test]
async fn licenses_are_shown_to_signed_in_users() {
    let db = TestDb::sqlite().await;
    let app = ApiState { licenses: sample().without_pages(), ..app(&db) };
    let caller = new_user(&db, "ann@example.com").await;
    let router = main_router(app);
    assert_eq!(get_with(&router, "/api/licenses", &[]).await.status.as_u16(), 401);
    let mut request = request("GET", "/api/licenses", &[], "");
    request.extensions_mut().insert(caller);
    let licenses = call(&router, request).await.json();
    assert_eq!(licenses["license"], "MIT OR Apache-2.0");
    assert_eq!(licenses["rust"]["packages"][0]["name"], "ink");
    assert_eq!(licenses["rust"]["texts"], json!(["Copyright (c) The Ink Makers"]));
    assert_eq!(licenses["javascript"], Value::Null);
}

#[tokio::test]
async fn damaged_notices_are_an_internal_error() {
    let db = TestDb::sqlite().await;
    let caller = new_user(&db, "ann@example.com").await;
    let router = main_router(ApiState { licenses: Licenses::new(b"not gzip"), ..app(&db) });
    let mut request = request("GET", "/api/licenses", &[], "");
    request.extensions_mut().insert(caller);
    assert_eq!(call(&router, request).await.status.as_u16(), 500);
}
