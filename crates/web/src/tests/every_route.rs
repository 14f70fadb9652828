//! Checks every route: the credentials that it needs, and that it does not reveal data of other users.
//!
//! Every operation of the OpenAPI document has a line in [`case`]. A new operation without a line fails the test.

mod user_data;

use store::tokens::Scope;
use testkit::origin::{Origin, ok};

use self::user_data::{UserData, snapshot};
use super::{
    browser::{error, status_and_code},
    *,
};

/// What to test at an operation.
enum Case {
    /// It needs no authentication.
    Anonymous,
    /// It needs an owner.
    Owner,
    /// It takes no ids.
    WithoutIds,
    /// It takes a name that is the same for all users.
    Named,
    /// It takes ids. These requests have ids of another user.
    Foreign(Vec<ForeignRequest>),
}

/// A request with ids of another user, and the expected response.
struct ForeignRequest {
    path: String,
    body: Value,
    expected: Expected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    NotFound,
    /// 400 with this invalid field.
    InvalidField(&'static str),
    /// 200 with this empty list.
    Empty(&'static str),
}

/// An operation of the OpenAPI document.
struct Operation {
    name: String,
    method: String,
    path: String,
    /// Whether the path, the query or the body has an id.
    takes_ids: bool,
    only_session: bool,
}

impl Operation {
    /// Whether it reads or changes credentials, or deletes the account.
    fn is_about_access(&self) -> bool {
        let own = self.path.strip_prefix("/api/users/me").unwrap_or("/");
        let about = ["/sessions", "/tokens", "/identities", "/password"].iter().any(|part| own.starts_with(part));
        about || self.name == "delete_me"
    }

    fn is_unsafe(&self) -> bool {
        self.method != "GET"
    }

    /// A valid path with an id that does not exist.
    fn path_with_unknown_id(&self) -> String {
        let id = if self.path.contains("/items/{id}") { "999999999".to_owned() } else { UserId::new().to_string() };
        self.path.replace("{id}", &id).replace("{provider}", "google")
    }
}

/// All operations of the OpenAPI document.
fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(&crate::openapi_document()).unwrap();
    let mut found = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            found.push(Operation {
                name: operation["operationId"].as_str().unwrap().to_owned(),
                method: method.to_uppercase(),
                path: path.clone(),
                takes_ids: takes_ids(&operation["parameters"], &document)
                    || takes_ids(&operation["requestBody"], &document),
                only_session: operation["security"] == json!([{ "session": [] }]),
            });
        }
    }
    assert!(found.len() > 40, "{}", found.len());
    found
}

/// Whether this part of the document has an id: a UUID or the number of an item.
fn takes_ids(part: &Value, document: &Value) -> bool {
    match part {
        Value::Object(members) => {
            if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                return takes_ids(document.pointer(reference.trim_start_matches('#')).unwrap(), document);
            }
            members.get("format") == Some(&json!("uuid"))
                || members.get("pattern") == Some(&json!("^[0-9]{1,18}$"))
                || members.values().any(|value| takes_ids(value, document))
        }
        Value::Array(values) => values.iter().any(|value| takes_ids(value, document)),
        _ => false,
    }
}

fn foreign(path: impl Into<String>, body: Value) -> Case {
    Case::Foreign(vec![ForeignRequest { path: path.into(), body, expected: Expected::NotFound }])
}

fn field(path: impl Into<String>, body: Value, name: &'static str) -> ForeignRequest {
    ForeignRequest { path: path.into(), body, expected: Expected::InvalidField(name) }
}

/// The test of an operation, with ids of `theirs`. `mine` is the data of the caller.
fn case(name: &str, theirs: &UserData, mine: &UserData) -> Option<Case> {
    let UserData { feed, subscription, folder, item, import, undo, session, token, identity, .. } = theirs;
    let none = Value::Null;
    Some(match name {
        "list_providers" | "sign_in" | "create_account" | "create_owner" | "sign_out" | "begin_sign_in"
        | "finish_sign_in" => Case::Anonymous,
        "list_feed_health" | "get_activity" | "list_jobs" | "retry_job" | "cancel_job" | "list_users" => Case::Owner,
        "get_openapi" | "get_licenses" | "discover_feeds" | "export_opml" | "import_opml" | "list_imports"
        | "search_items" | "list_subscriptions" | "list_unread_counts" | "list_folders" | "create_folder"
        | "stream_events" | "get_me" | "update_me" | "update_password" | "export_me" | "get_settings"
        | "update_settings" | "list_sessions" | "delete_sessions" | "list_tokens" | "create_token"
        | "list_identities" | "delete_me" => Case::WithoutIds,
        "link_identity" => Case::Named,
        "create_feed" => {
            let body = json!({ "url": format!("{}/new", theirs.origin), "folder_id": folder });
            Case::Foreign(vec![field("/api/feeds", body, "folder_id")])
        }
        "get_feed" | "delete_feed" => foreign(format!("/api/feeds/{feed}"), none),
        "update_feed" => {
            foreign(format!("/api/feeds/{feed}"), json!({ "feed_url": format!("{}/moved", theirs.origin) }))
        }
        "get_feed_favicon" => foreign(format!("/api/feeds/{feed}/favicon"), none),
        "refresh_feed" => foreign(format!("/api/feeds/{feed}/refresh"), none),
        "mark_feed_read" => foreign(format!("/api/feeds/{feed}/read"), none),
        "list_feed_items" => foreign(format!("/api/feeds/{feed}/items"), none),
        "get_import" => foreign(format!("/api/opml/imports/{import}"), none),
        "list_items" => foreign(format!("/api/items?folder={folder}"), none),
        "get_item" => foreign(format!("/api/items/{item}"), none),
        "get_full_text" => foreign(format!("/api/items/{item}/full-text"), none),
        "get_article_rules" => foreign(format!("/api/feeds/{feed}/article-rules"), none),
        "update_article_rules" => {
            foreign(format!("/api/feeds/{feed}/article-rules"), json!({ "content": "p", "drop": "" }))
        }
        "preview_article" => {
            foreign(format!("/api/feeds/{feed}/article-preview"), json!({ "content": "p", "drop": "" }))
        }
        "list_watched" | "preview_site" => Case::WithoutIds,
        "get_watched" => foreign(format!("/api/watch/{feed}"), none),
        "list_checks" => foreign(format!("/api/watch/{feed}/history"), none),
        "check_watched" => foreign(format!("/api/watch/{feed}/check"), none),
        "subscribe_to_watched" => foreign(format!("/api/watch/{feed}/subscribe"), none),
        "update_words" => foreign(format!("/api/watch/{feed}/words"), json!({ "include": [], "exclude": [] })),
        "update_item_state" => foreign(format!("/api/items/{item}/state"), json!({ "is_starred": true })),
        "update_item_states" => {
            let body = json!({ "ids": [item], "is_starred": true });
            Case::Foreign(vec![ForeignRequest {
                path: "/api/items/state".to_owned(),
                body,
                expected: Expected::Empty("states"),
            }])
        }
        "mark_items_read" => {
            let by = |body| ForeignRequest { path: "/api/items/read".to_owned(), body, expected: Expected::NotFound };
            Case::Foreign(vec![by(json!({ "folder": folder })), by(json!({ "up_to": item }))])
        }
        "undo_mark" => foreign("/api/undo", json!({ "undo_token": undo })),
        "get_subscription" | "delete_subscription" => foreign(format!("/api/subscriptions/{subscription}"), none),
        "update_subscription_settings" => Case::Foreign(vec![
            ForeignRequest {
                path: format!("/api/subscriptions/{subscription}/settings"),
                body: json!({ "title": "x" }),
                expected: Expected::NotFound,
            },
            field(
                format!("/api/subscriptions/{}/settings", mine.subscription),
                json!({ "folder_id": folder }),
                "folder_id",
            ),
        ]),
        "resume_subscription" => foreign(format!("/api/subscriptions/{subscription}/resume"), none),
        "update_folder" => foreign(format!("/api/folders/{folder}"), json!({ "name": "x" })),
        "delete_folder" => foreign(format!("/api/folders/{folder}"), none),
        "delete_session" => foreign(format!("/api/users/me/sessions/{session}"), none),
        "delete_token" => foreign(format!("/api/users/me/tokens/{token}"), none),
        "delete_identity" => foreign(format!("/api/users/me/identities/{identity}"), none),
        _ => return None,
    })
}

async fn try_as(router: &Router, caller: Caller, method: &str, tried: &ForeignRequest) -> TestResponse {
    match tried.body.is_null() {
        true => call_as(router, caller, request(method, &tried.path, &[], "")).await,
        false => send_as(router, caller, method, &tried.path, tried.body.clone()).await,
    }
}

fn assert_hidden(answer: &TestResponse, expected: Expected, what: &str) {
    let body = answer.json();
    match expected {
        Expected::NotFound => assert_eq!(answer.status.as_u16(), 404, "{what}: {body}"),
        Expected::InvalidField(field) => {
            assert_eq!((answer.status.as_u16(), &body["fields"][0]["field"]), (400, &json!(field)), "{what}: {body}");
        }
        Expected::Empty(list) => assert_eq!((answer.status.as_u16(), &body[list]), (200, &json!([])), "{what}"),
    }
}

on_both_databases!(no_route_reveals_data_of_another_user);
async fn no_route_reveals_data_of_another_user(db: TestDb) {
    let app = app(&db);
    let origin =
        Origin::serve(|_| ok("<rss><channel><title>New</title><item><title>1</title></item></channel></rss>")).await;
    let (mut ann, bob) =
        (UserData::create(&app, "ann@example.com").await, UserData::create(&app, "bob@example.com").await);
    ann.origin = origin.url("");
    let router = main_router(app.clone());
    let before = snapshot(&app, ann.caller).await;
    for operation in operations() {
        let what = format!("{} {}", operation.method, operation.path);
        let case =
            case(&operation.name, &ann, &bob).unwrap_or_else(|| panic!("{what} is not tested: add it to `case`"));
        match case {
            Case::Foreign(tries) => {
                for tried in tries {
                    let answer = try_as(&router, bob.caller, &operation.method, &tried).await;
                    assert_hidden(&answer, tried.expected, &what);
                }
            }
            Case::Owner => {
                let answer = call_as(
                    &router,
                    bob.caller,
                    request(&operation.method, &operation.path_with_unknown_id(), &[], ""),
                )
                .await;
                assert_eq!(status_and_code(&answer), error(403, "owner_only"), "{what}");
            }
            Case::Anonymous | Case::Named => {}
            Case::WithoutIds => assert!(!operation.takes_ids, "{what} takes ids: test it with ids of another user"),
        }
    }
    assert_eq!(snapshot(&app, ann.caller).await, before, "Ann's data has not changed");

    // The same requests succeed with the user's own ids.
    for (n, operation) in operations().into_iter().enumerate() {
        if !matches!(case(&operation.name, &ann, &bob), Some(Case::Foreign(_))) {
            continue;
        }
        let own = UserData { origin: origin.url(""), ..UserData::create(&app, &format!("{n}@example.com")).await };
        let Some(Case::Foreign(tries)) = case(&operation.name, &own, &own) else { continue };
        for tried in tries {
            let answer = try_as(&router, own.caller, &operation.method, &tried).await;
            let hidden = match tried.expected {
                Expected::NotFound => answer.status == StatusCode::NOT_FOUND,
                Expected::InvalidField(_) => answer.status == StatusCode::BAD_REQUEST,
                Expected::Empty(list) => answer.json()[list] == json!([]),
            };
            assert!(!hidden, "{} {}: {}", operation.method, tried.path, answer.text());
        }
    }
}

#[tokio::test]
async fn every_route_checks_credentials_and_scopes() {
    let db = TestDb::sqlite().await;
    let app = app(&db);
    let (ann, bob) = (UserData::create(&app, "ann@example.com").await, UserData::create(&app, "bob@example.com").await);
    let accounts = app.accounts.clone();
    let (_, read) = accounts.create_token(ann.caller.user_id, "read", Scope::Read).await.unwrap();
    let (_, write) = accounts.create_token(ann.caller.user_id, "write", Scope::Write).await.unwrap();
    let (read, write) = (format!("Bearer {}", read.expose()), format!("Bearer {}", write.expose()));
    let router = main_router(app);
    for operation in operations() {
        let (method, path) = (operation.method.as_str(), operation.path_with_unknown_id());
        let is_anonymous = matches!(case(&operation.name, &ann, &bob), Some(Case::Anonymous));
        let try_with = |headers: Vec<(&'static str, String)>| {
            let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            call(&router, request(method, &path, &headers, ""))
        };
        if operation.is_unsafe() {
            let refused = try_with(vec![("sec-fetch-site", "cross-site".to_owned())]).await;
            assert_eq!(status_and_code(&refused), error(403, "cross_site"), "{method} {path}");
        }
        if is_anonymous {
            continue;
        }
        let anonymous = [vec![], vec![("cookie", "kawaraban_session=x".to_owned())], vec![("x-user", "1".to_owned())]];
        for headers in anonymous {
            assert_eq!(status_and_code(&try_with(headers).await), error(401, "sign_in_required"), "{method} {path}");
        }
        let false_token = try_with(vec![("authorization", "Bearer kwb_x".to_owned())]).await;
        assert_eq!(status_and_code(&false_token), error(401, "invalid_token"), "{method} {path}");
        if operation.is_unsafe() {
            let refused = try_with(vec![("authorization", read.clone())]).await;
            assert_eq!(status_and_code(&refused), error(403, "scope_missing"), "{method} {path}");
        }
        if operation.name == "stream_events" {
            // A successful response never ends.
            assert!(!operation.only_session);
            continue;
        }
        assert_eq!(operation.only_session, operation.is_about_access(), "{method} {path}");
        for token in [&read, &write] {
            let refused = status_and_code(&try_with(vec![("authorization", token.clone())]).await);
            let is_refused = refused == error(403, "session_required");
            let is_read_only = token == &read && operation.is_unsafe();
            assert_eq!(is_refused, operation.only_session && !is_read_only, "{method} {path}: {refused:?}");
        }
    }
}

#[test]
fn operations_with_ids_are_detected() {
    let operations = operations();
    let takes = |name: &str| operations.iter().find(|operation| operation.name == name).unwrap().takes_ids;
    for name in
        ["get_feed", "create_feed", "list_items", "update_item_states", "mark_items_read", "undo_mark", "delete_token"]
    {
        assert!(takes(name), "{name}");
    }
    for name in ["create_folder", "list_feed_health", "search_items", "update_me"] {
        assert!(!takes(name), "{name}");
    }
}
