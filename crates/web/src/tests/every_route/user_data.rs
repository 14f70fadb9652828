//! A user with one row of every kind.

use ::accounts::openid::{Claims, ProviderId};
use chrono::{DateTime, Utc};
use store::{
    FeedId, FolderId, IdentityId, ImportId, SubscriptionId, TokenId, UndoId,
    feeds::{self, NewFeed},
    icons::{self, Icon},
    imports::{self, NewImportFeed},
    items::{self, NewItem},
    subscriptions,
    tokens::Scope,
    watch::{self, BlogState},
};

use super::*;

/// The ids of one row of every kind that a user can have.
pub(super) struct UserData {
    pub(super) caller: Caller,
    pub(super) feed: FeedId,
    pub(super) subscription: SubscriptionId,
    pub(super) folder: FolderId,
    pub(super) item: String,
    pub(super) import: ImportId,
    pub(super) undo: UndoId,
    pub(super) session: SessionId,
    pub(super) token: TokenId,
    pub(super) identity: IdentityId,
    /// A server with feeds.
    pub(super) origin: String,
}

impl UserData {
    /// Creates a user with one row of every kind.
    pub(super) async fn create(app: &ApiState, email: &str) -> UserData {
        let (caller, signed_in) = sign_in_new_user(app, email).await;
        let client = RemoteClient { address: [192, 0, 2, 1].into(), user_agent: String::new(), language: None };
        let second =
            app.accounts.sign_in(email, &Password::new(PASSWORD), Some(&signed_in.device), &client).await.unwrap();
        let (token, _) = app.accounts.create_token(caller.user_id, "script", Scope::Read).await.unwrap();
        app.accounts.link_identity(caller.user_id, &claims(email)).await.unwrap();
        let identity = app.accounts.list_identities(caller.user_id).await.unwrap()[0].id;
        let (feed, subscription, item) = subscribe(app, caller, email).await;
        let folder = app.reader.create_folder(caller.user_id, "News").await.unwrap().id;
        let (import, undo) = (import(app, caller).await, mark_read(app, caller).await);
        let (session, token, origin) = (second.session, token.id, String::new());
        UserData { caller, feed, subscription, folder, item, import, undo, session, token, identity, origin }
    }
}

fn claims(email: &str) -> Claims {
    Claims {
        provider: ProviderId::Oidc,
        issuer: "https://id.example".to_owned(),
        subject: email.to_owned(),
        email: None,
        email_verified: false,
        name: None,
    }
}

/// A feed with an icon and two items.
async fn subscribe(app: &ApiState, caller: Caller, name: &str) -> (FeedId, SubscriptionId, String) {
    let now = app.reader.clock().now();
    let new = NewFeed {
        feed_url: format!("https://example.org/{name}"),
        host: "example.org".to_owned(),
        site_url: None,
        title: name.to_owned(),
        kind: "site",
        next_fetch_at: now,
    };
    let item = |n: i64| NewItem {
        title: format!("{n}"),
        published_at: now - chrono::TimeDelta::minutes(n),
        content_hash: format!("{n}"),
        digest: "-".to_owned(),
        categories: "[]".to_owned(),
        enclosures: "[]".to_owned(),
        ..NewItem::default()
    };
    let mut tx = app.db.begin().await.unwrap();
    let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
    let added = subscriptions::create(&mut tx, caller.user_id, feed, 100, now).await.unwrap();
    let ids = items::insert(&mut tx, feed, &[item(1), item(2)], now).await.unwrap();
    items::fan_out(&mut tx, feed, &ids, 1_000, now).await.unwrap();
    watch::put_state(&mut tx, &checked(feed, now)).await.unwrap();
    tx.commit().await.unwrap();
    let icon = Icon { mime: "image/png".to_owned(), data: vec![1, 2, 3] };
    icons::mark_checked(&app.db, feed, Some(&icon), now).await.unwrap();
    let subscriptions::SubscriptionCreated::New(subscription) = added else { panic!("{added:?}") };
    (feed, subscription, ids[0].to_string())
}

/// The state of a site after its first check.
fn checked(feed: FeedId, now: DateTime<Utc>) -> BlogState {
    let none = "[]".to_owned();
    BlogState {
        blog_id: feed.to_string(),
        feed_id: feed,
        etag: None,
        last_modified: None,
        url_fingerprint: None,
        feed_url: None,
        sitemap_url: None,
        recent_entry_keys: None,
        last_check_at: now,
        last_change_at: None,
        newest_post_at: None,
        source: watch::Source::Page,
        list: None,
        volatile_parameters: none.clone(),
        posts: none.clone(),
        include_words: none.clone(),
        exclude_words: none,
        state: watch::Condition::Ok,
        rediscover_at: now,
    }
}

async fn import(app: &ApiState, caller: Caller) -> ImportId {
    let feed = NewImportFeed { feed_url: "https://example.org/i".to_owned(), title: String::new(), folder: None };
    let mut tx = app.db.begin().await.unwrap();
    let id = imports::create(&mut tx, caller.user_id, &[feed], app.reader.clock().now()).await.unwrap();
    tx.commit().await.unwrap();
    id
}

/// Marks the older item as read, which can be undone.
async fn mark_read(app: &ApiState, caller: Caller) -> UndoId {
    let request = read::MarkRead {
        scope: store::item_lists::ItemScope::All,
        is_starred: false,
        as_of: None,
        up_to: None,
        older_than: Some(app.reader.clock().now() - chrono::TimeDelta::seconds(90)),
    };
    app.reader.mark_as_read(caller.user_id, &request).await.unwrap().value.undo
}

/// All data of a user, to be compared.
pub(super) async fn snapshot(app: &ApiState, caller: Caller) -> (Value, Value) {
    let mut export =
        serde_json::to_value(app.accounts.export(caller.user_id, ::accounts::ExportScope::Full).await.unwrap())
            .unwrap();
    export["exported_at"] = Value::Null;
    let subscriptions = get_as(&main_router(app.clone()), caller, "/api/subscriptions").await.json();
    (export, subscriptions)
}
