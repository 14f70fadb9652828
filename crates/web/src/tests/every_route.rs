//! A walk over the whole table of routes: who may come through each door, and that nobody gets at another person's things.
//!
//! Every operation of the document has a line in [`case`]; a new one without a line fails the walk.

mod user_data;

use store::tokens::Scope;
use testkit::origin::{Origin, ok};

use self::user_data::{UserData, snapshot};
use super::{
    browser::{error, status_and_code},
    *,
};

/// What a walk tries at an operation.
enum Case {
    /// Nobody needs to be signed in.
    Open,
    /// For the owner alone.
    Owner,
    /// There is nothing of anybody else that it could name.
    Own,
    /// It takes a name that is the same for everybody.
    Named,
    /// It takes ids; with somebody else's in these places, the answer is this.
    Foreign(Vec<Try>),
}

/// A request with somebody else's ids, and what comes of it.
struct Try {
    path: String,
    body: Value,
    answer: Expected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// As if it was not there.
    NotFound,
    /// A field that names nothing of theirs.
    BadField(&'static str),
    /// Left out.
    Empty(&'static str),
}

/// One operation of the document.
struct Operation {
    name: String,
    method: String,
    path: String,
    /// Whether path, query or body have a place for somebody's id.
    takes_ids: bool,
    only_session: bool,
}

impl Operation {
    /// Whether it shows or changes what lets people into an account, or ends the account.
    fn is_about_access(&self) -> bool {
        let own = self.path.strip_prefix("/api/users/me").unwrap_or("/");
        let about = ["/sessions", "/tokens", "/identities", "/password"].iter().any(|part| own.starts_with(part));
        about || self.name == "delete_me"
    }

    fn is_unsafe(&self) -> bool {
        self.method != "GET"
    }

    /// An address that has the right shape and is nobody's.
    fn nobodys(&self) -> String {
        let id = if self.path.contains("/items/{id}") { "999999999".to_owned() } else { UserId::new().to_string() };
        self.path.replace("{id}", &id).replace("{provider}", "google")
    }
}

/// All of them, as the document has them.
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

/// Whether anything in this part of the document is shaped like an id: a UUID, or the number of an item.
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
    Case::Foreign(vec![Try { path: path.into(), body, answer: Expected::NotFound }])
}

fn field(path: impl Into<String>, body: Value, name: &'static str) -> Try {
    Try { path: path.into(), body, answer: Expected::BadField(name) }
}

/// What to try at the operation of this name with `theirs`. `mine` is what whoever tries has.
fn case(name: &str, theirs: &UserData, mine: &UserData) -> Option<Case> {
    let UserData { feed, subscription, folder, item, import, undo, session, token, identity, .. } = theirs;
    let none = Value::Null;
    Some(match name {
        "list_providers" | "sign_in" | "create_account" | "create_owner" | "sign_out" | "begin_sign_in"
        | "finish_sign_in" => Case::Open,
        "list_feed_health" | "get_activity" | "list_jobs" | "retry_job" | "cancel_job" | "list_users" => Case::Owner,
        "get_openapi" | "get_licenses" | "discover_feeds" | "export_opml" | "import_opml" | "list_imports"
        | "search_items" | "list_subscriptions" | "list_unread_counts" | "list_folders" | "create_folder"
        | "stream_events" | "get_me" | "update_me" | "update_password" | "export_me" | "get_settings"
        | "update_settings" | "list_sessions" | "delete_sessions" | "list_tokens" | "create_token"
        | "list_identities" | "delete_me" => Case::Own,
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
        "update_item_state" => foreign(format!("/api/items/{item}/state"), json!({ "is_starred": true })),
        "update_item_states" => {
            let body = json!({ "ids": [item], "is_starred": true });
            Case::Foreign(vec![Try { path: "/api/items/state".to_owned(), body, answer: Expected::Empty("states") }])
        }
        "mark_items_read" => {
            let by = |body| Try { path: "/api/items/read".to_owned(), body, answer: Expected::NotFound };
            Case::Foreign(vec![by(json!({ "folder": folder })), by(json!({ "up_to": item }))])
        }
        "undo_mark" => foreign("/api/undo", json!({ "undo_token": undo })),
        "get_subscription" | "delete_subscription" => foreign(format!("/api/subscriptions/{subscription}"), none),
        "update_subscription_settings" => Case::Foreign(vec![
            Try {
                path: format!("/api/subscriptions/{subscription}/settings"),
                body: json!({ "title": "x" }),
                answer: Expected::NotFound,
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

async fn try_as(router: &Router, caller: Caller, method: &str, tried: &Try) -> TestResponse {
    match tried.body.is_null() {
        true => call_as(router, caller, request(method, &tried.path, &[], "")).await,
        false => send_as(router, caller, method, &tried.path, tried.body.clone()).await,
    }
}

fn assert_hidden(answer: &TestResponse, expected: Expected, what: &str) {
    let body = answer.json();
    match expected {
        Expected::NotFound => assert_eq!(answer.status.as_u16(), 404, "{what}: {body}"),
        Expected::BadField(field) => {
            assert_eq!((answer.status.as_u16(), &body["fields"][0]["field"]), (400, &json!(field)), "{what}: {body}");
        }
        Expected::Empty(list) => assert_eq!((answer.status.as_u16(), &body[list]), (200, &json!([])), "{what}"),
    }
}

on_both_databases!(nobody_gets_at_anothers_things);
async fn nobody_gets_at_anothers_things(db: TestDb) {
    let app = app(&db);
    let origin =
        Origin::serve(|_| ok("<rss><channel><title>New</title><item><title>1</title></item></channel></rss>")).await;
    let (mut ann, bob) = (UserData::of(&app, "ann@example.com").await, UserData::of(&app, "bob@example.com").await);
    ann.origin = origin.url("");
    let router = main_router(app.clone());
    let before = snapshot(&app, ann.caller).await;
    for operation in operations() {
        let what = format!("{} {}", operation.method, operation.path);
        let case =
            case(&operation.name, &ann, &bob).unwrap_or_else(|| panic!("{what} is not in the walk: add it to `case`"));
        match case {
            Case::Foreign(tries) => {
                for tried in tries {
                    let answer = try_as(&router, bob.caller, &operation.method, &tried).await;
                    assert_hidden(&answer, tried.answer, &what);
                }
            }
            Case::Owner => {
                let answer =
                    call_as(&router, bob.caller, request(&operation.method, &operation.nobodys(), &[], "")).await;
                assert_eq!(status_and_code(&answer), error(403, "owner_only"), "{what}");
            }
            Case::Open | Case::Named => {}
            Case::Own => assert!(!operation.takes_ids, "{what} takes somebody's id: try another's"),
        }
    }
    assert_eq!(snapshot(&app, ann.caller).await, before, "nothing of hers has changed");

    // The same requests are good ones: whoever the things belong to gets another answer.
    for (n, operation) in operations().into_iter().enumerate() {
        if !matches!(case(&operation.name, &ann, &bob), Some(Case::Foreign(_))) {
            continue;
        }
        let own = UserData { origin: origin.url(""), ..UserData::of(&app, &format!("{n}@example.com")).await };
        let Some(Case::Foreign(tries)) = case(&operation.name, &own, &own) else { continue };
        for tried in tries {
            let answer = try_as(&router, own.caller, &operation.method, &tried).await;
            let hidden = match tried.answer {
                Expected::NotFound => answer.status == StatusCode::NOT_FOUND,
                Expected::BadField(_) => answer.status == StatusCode::BAD_REQUEST,
                Expected::Empty(list) => answer.json()[list] == json!([]),
            };
            assert!(!hidden, "{} {}: {}", operation.method, tried.path, answer.text());
        }
    }
}

#[tokio::test]
async fn nobody_comes_in_without_a_name_and_no_token_goes_further_than_it_may() {
    let db = TestDb::sqlite().await;
    let app = app(&db);
    let (ann, bob) = (UserData::of(&app, "ann@example.com").await, UserData::of(&app, "bob@example.com").await);
    let accounts = app.accounts.clone();
    let (_, read) = accounts.create_token(ann.caller.user_id, "read", Scope::Read).await.unwrap();
    let (_, write) = accounts.create_token(ann.caller.user_id, "write", Scope::Write).await.unwrap();
    let (read, write) = (format!("Bearer {}", read.expose()), format!("Bearer {}", write.expose()));
    let router = main_router(app);
    for operation in operations() {
        let (method, path) = (operation.method.as_str(), operation.nobodys());
        let is_open = matches!(case(&operation.name, &ann, &bob), Some(Case::Open));
        let try_with = |headers: Vec<(&'static str, String)>| {
            let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            call(&router, request(method, &path, &headers, ""))
        };
        if operation.is_unsafe() {
            let refused = try_with(vec![("sec-fetch-site", "cross-site".to_owned())]).await;
            assert_eq!(status_and_code(&refused), error(403, "cross_site"), "{method} {path}");
        }
        if is_open {
            continue;
        }
        let strangers = [vec![], vec![("cookie", "kawaraban_session=x".to_owned())], vec![("x-user", "1".to_owned())]];
        for headers in strangers {
            assert_eq!(status_and_code(&try_with(headers).await), error(401, "sign_in_required"), "{method} {path}");
        }
        let false_token = try_with(vec![("authorization", "Bearer kwb_x".to_owned())]).await;
        assert_eq!(status_and_code(&false_token), error(401, "invalid_token"), "{method} {path}");
        if operation.is_unsafe() {
            let refused = try_with(vec![("authorization", read.clone())]).await;
            assert_eq!(status_and_code(&refused), error(403, "scope_missing"), "{method} {path}");
        }
        if operation.name == "stream_events" {
            // Whoever is let in hears until they go.
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
fn the_walk_sees_ids_where_they_are() {
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
