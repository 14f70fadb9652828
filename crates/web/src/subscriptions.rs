//! A person's subscriptions: the list, their settings, resuming and ending them.

use std::collections::BTreeMap;

use axum::{Json, extract::State};
use chrono::{DateTime, Utc};
use http::StatusCode;
use read::shown_title;
use serde::{Deserialize, Deserializer, Serialize};
use store::{
    FeedId, FolderId, SubscriptionId, UserId,
    subscriptions::{Subscription, SubscriptionPatch},
};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState, Language,
    admin::FetchStatusView,
    caller::Caller,
    error::feed_problem_text,
    extract::{JsonBody, PathId},
    feeds::favicon_url,
};

/// A subscription with its feed.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubscriptionView {
    /// Its id.
    #[schema(value_type = Uuid)]
    id: SubscriptionId,
    /// Whose it is.
    #[schema(value_type = Uuid)]
    user_id: UserId,
    /// The feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// The folder it is in.
    #[schema(value_type = Option<Uuid>)]
    folder_id: Option<FolderId>,
    /// The title to show: yours, or else the feed's.
    feed_title: String,
    /// What you call the feed, if you have given it a title.
    own_title: Option<String>,
    /// Where the feed is fetched from.
    feed_url: String,
    /// The site it belongs to.
    site_url: Option<String>,
    /// Its icon, if it has one.
    favicon_url: Option<String>,
    /// How often you want it fetched.
    fetch_interval_minutes: i64,
    /// Whether the feed is fetched.
    feed_status: FetchStatusView,
    /// Why not, for programs. More codes may come.
    error_code: Option<String>,
    /// Why not, and what to do, for people.
    error_message: Option<String>,
    /// How many of its items you have not read.
    unread_count: i64,
    /// How many items the feed has had so far: what is new since you last looked is a difference.
    items_added: i64,
    /// When the feed was last asked for.
    last_fetched_at: Option<DateTime<Utc>>,
    /// When it will be asked for next.
    next_fetch_at: DateTime<Utc>,
    /// Since when you subscribe to it.
    created_at: DateTime<Utc>,
}

/// How many items are not read.
#[derive(Serialize, ToSchema)]
pub(crate) struct UnreadCountsView {
    /// In all subscriptions together.
    total: i64,
    /// In each, by the id of the subscription. Those with nothing to read are left out.
    #[schema(value_type = BTreeMap<Uuid, i64>)]
    unread: BTreeMap<SubscriptionId, i64>,
}

/// What to set about a subscription; what is left out stays.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SubscriptionSettings {
    /// How often to fetch the feed: 30 to 720 minutes, in steps of 30. The least among its subscribers counts.
    #[schema(minimum = 30, maximum = 720, multiple_of = 30)]
    fetch_interval_minutes: Option<i64>,
    /// A title of your own, up to 500 characters; null for the feed's.
    #[serde(default, deserialize_with = "named")]
    #[schema(value_type = Option<String>, required = false)]
    title: Option<Option<String>>,
    /// One of your folders; null for none.
    #[serde(default, deserialize_with = "named")]
    #[schema(value_type = Option<Uuid>, required = false)]
    folder_id: Option<Option<FolderId>>,
}

/// List subscriptions
///
/// All of them, by title.
#[utoipa::path(get, path = "/api/subscriptions", tag = "subscriptions", responses(
    (status = 200, description = "Your subscriptions", body = Vec<SubscriptionView>),
))]
pub(crate) async fn list_subscriptions(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
) -> Result<Json<Vec<SubscriptionView>>, ApiError> {
    let subscriptions = app.reader.list_subscriptions(caller.user_id).await?;
    Ok(Json(subscriptions.into_iter().map(|subscription| view(subscription, language)).collect()))
}

/// Count unread items
///
/// The counts of `GET /api/subscriptions` alone, at a fraction of its cost: for clients that ask often.
#[utoipa::path(get, path = "/api/subscriptions/counts", tag = "subscriptions", responses(
    (status = 200, description = "How much you have not read", body = UnreadCountsView),
))]
pub(crate) async fn list_unread_counts(
    State(app): State<ApiState>,
    caller: Caller,
) -> Result<Json<UnreadCountsView>, ApiError> {
    let counts = app.reader.list_unread_counts(caller.user_id).await?;
    let total = counts.iter().map(|(_, count)| count).sum();
    Ok(Json(UnreadCountsView { total, unread: counts.into_iter().collect() }))
}

/// Get a subscription
#[utoipa::path(get, path = "/api/subscriptions/{id}", tag = "subscriptions",
    params(("id" = Uuid, Path, description = "The subscription")), responses(
    (status = 200, description = "The subscription", body = SubscriptionView),
))]
pub(crate) async fn get_subscription(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<SubscriptionId>,
    language: Language,
) -> Result<Json<SubscriptionView>, ApiError> {
    Ok(Json(view(app.reader.subscription(caller.user_id, id).await?, language)))
}

/// Unsubscribe
///
/// The subscription ends, and what you have read and starred of the feed is forgotten.
#[utoipa::path(delete, path = "/api/subscriptions/{id}", tag = "subscriptions",
    params(("id" = Uuid, Path, description = "The subscription")), responses(
    (status = 204, description = "It is gone"),
))]
pub(crate) async fn delete_subscription(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<SubscriptionId>,
) -> Result<StatusCode, ApiError> {
    app.reader.remove_subscription(caller.user_id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Set up a subscription
///
/// A shorter interval brings the next fetch nearer.
#[utoipa::path(put, path = "/api/subscriptions/{id}/settings", tag = "subscriptions",
    params(("id" = Uuid, Path, description = "The subscription")), request_body = SubscriptionSettings, responses(
    (status = 200, description = "The subscription as it is now", body = SubscriptionView),
))]
pub(crate) async fn update_subscription_settings(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<SubscriptionId>,
    language: Language,
    JsonBody(settings): JsonBody<SubscriptionSettings>,
) -> Result<Json<SubscriptionView>, ApiError> {
    let SubscriptionSettings { fetch_interval_minutes, title, folder_id } = settings;
    let patch = SubscriptionPatch { fetch_interval_minutes, title, folder_id };
    Ok(Json(view(app.reader.change_subscription(caller.user_id, id, patch).await?, language)))
}

/// Resume a stopped feed
///
/// It is fetched again, from now on, for all its subscribers.
#[utoipa::path(post, path = "/api/subscriptions/{id}/resume", tag = "subscriptions",
    params(("id" = Uuid, Path, description = "The subscription")), responses(
    (status = 200, description = "The subscription as it is now", body = SubscriptionView),
    (status = 409, description = "Its feed is not stopped"),
))]
pub(crate) async fn resume_subscription(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<SubscriptionId>,
    language: Language,
) -> Result<Json<SubscriptionView>, ApiError> {
    Ok(Json(view(app.reader.resume(caller.user_id, id).await?, language)))
}

fn view(subscription: Subscription, language: Language) -> SubscriptionView {
    let error_code = subscription.error_code.as_deref();
    SubscriptionView {
        id: subscription.id,
        user_id: subscription.user_id,
        feed_id: subscription.feed_id,
        folder_id: subscription.folder_id,
        feed_title: shown_title(&subscription).to_owned(),
        favicon_url: favicon_url(subscription.feed_id, subscription.has_favicon),
        fetch_interval_minutes: subscription.fetch_interval_minutes,
        feed_status: subscription.fetch_status.into(),
        error_message: feed_problem_text(error_code, subscription.fetch_status, language),
        own_title: subscription.own_title,
        feed_url: subscription.feed_url,
        site_url: subscription.site_url,
        error_code: subscription.error_code,
        unread_count: subscription.unread_count,
        items_added: subscription.items_added,
        last_fetched_at: subscription.last_fetched_at,
        next_fetch_at: subscription.next_fetch_at,
        created_at: subscription.created_at,
    }
}

/// A field that is there, be it null.
fn named<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}
