//! The subscriptions of a user.

use axum::{Json, extract::State, response::IntoResponse};
use chrono::{DateTime, Utc};
use http::StatusCode;
use read::shown_title;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use store::{
    FeedId, FolderId, Revised, SubscriptionId, UserId,
    full_texts::FullText,
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
    revision::with_revision,
};

/// A subscription with its feed.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubscriptionView {
    /// The id of the subscription.
    #[schema(value_type = Uuid)]
    id: SubscriptionId,
    /// Your id.
    #[schema(value_type = Uuid)]
    user_id: UserId,
    /// The id of the feed.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// The id of its folder.
    #[schema(value_type = Option<Uuid>)]
    folder_id: Option<FolderId>,
    /// The title to show: `own_title`, or else the title of the feed.
    feed_title: String,
    /// The title that you have given the feed.
    own_title: Option<String>,
    /// The address of the feed.
    feed_url: String,
    /// The address of its site.
    site_url: Option<String>,
    /// The path of its icon.
    favicon_url: Option<String>,
    /// The fetch interval that you have chosen.
    fetch_interval_minutes: i64,
    /// Whether whole texts are fetched from the pages of items.
    full_text: FullTextView,
    /// The fetch status of the feed.
    feed_status: FetchStatusView,
    /// The error code of the last failure. New codes may be added.
    error_code: Option<String>,
    /// The last failure and what to do about it, in the language of the request.
    error_message: Option<String>,
    /// The number of unread items.
    unread_count: i64,
    /// The number of items that the feed has ever had. The difference to an earlier value is the number of new items.
    items_added: i64,
    /// The time of the last fetch.
    last_fetched_at: Option<DateTime<Utc>>,
    /// The time of the next fetch.
    next_fetch_at: DateTime<Utc>,
    /// The time you subscribed.
    created_at: DateTime<Utc>,
}

/// The numbers of unread items.
#[derive(Serialize, ToSchema)]
pub(crate) struct UnreadCountsView {
    /// The number of unread items in all subscriptions.
    total: i64,
    /// The number of unread items by subscription id. Subscriptions without unread items are omitted.
    #[schema(value_type = std::collections::BTreeMap<Uuid, i64>)]
    #[serde(serialize_with = "as_map")]
    unread: Vec<(SubscriptionId, i64)>,
}

/// Changes to a subscription. Omitted fields stay the same.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SubscriptionSettings {
    /// 30 to 720 minutes, in steps of 30. The shortest interval among the subscribers of the feed applies.
    #[schema(minimum = 30, maximum = 720, multiple_of = 30)]
    fetch_interval_minutes: Option<i64>,
    /// Your own title, up to 500 characters. Null restores the title of the feed.
    #[serde(default, deserialize_with = "nullable")]
    #[schema(value_type = Option<String>, required = false)]
    title: Option<Option<String>>,
    /// The id of one of your folders. Null removes the subscription from its folder.
    #[serde(default, deserialize_with = "nullable")]
    #[schema(value_type = Option<Uuid>, required = false)]
    folder_id: Option<Option<FolderId>>,
    /// Whether whole texts are fetched from the pages of items.
    full_text: Option<FullTextView>,
}

/// Whether the whole texts of a feed's items are fetched from their pages and shown.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FullTextView {
    /// Only when you ask for one.
    Off,
    /// Of all items.
    On,
    /// Of items with a short text, if their pages have a longer one.
    Auto,
}

/// List subscriptions
///
/// All subscriptions, sorted by title.
#[utoipa::path(get, path = "/api/subscriptions", tag = "subscriptions", responses(
    (status = 200, description = "Your subscriptions", body = Vec<SubscriptionView>,
        headers(("Kawaraban-Revision" = i64, description = "The number of your last write that the counts contain"))),
))]
pub(crate) async fn list_subscriptions(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
) -> Result<impl IntoResponse, ApiError> {
    let Revised { value, revision } = app.reader.list_subscriptions(caller.user_id).await?;
    let views: Vec<_> = value.into_iter().map(|subscription| view(subscription, language)).collect();
    Ok(with_revision(revision, Json(views)))
}

/// Count unread items
///
/// Only the counts of `GET /api/subscriptions`, at a fraction of its cost. For clients that poll.
#[utoipa::path(get, path = "/api/subscriptions/counts", tag = "subscriptions", responses(
    (status = 200, description = "The counts", body = UnreadCountsView,
        headers(("Kawaraban-Revision" = i64, description = "The number of your last write that the counts contain"))),
))]
pub(crate) async fn list_unread_counts(
    State(app): State<ApiState>,
    caller: Caller,
) -> Result<impl IntoResponse, ApiError> {
    let Revised { value, revision } = app.reader.list_unread_counts(caller.user_id).await?;
    let total = value.iter().map(|(_, count)| count).sum();
    Ok(with_revision(revision, Json(UnreadCountsView { total, unread: value })))
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
    Ok(Json(view(app.reader.get_subscription(caller.user_id, id).await?, language)))
}

/// Unsubscribe
///
/// Also deletes your read and starred states of the feed's items.
#[utoipa::path(delete, path = "/api/subscriptions/{id}", tag = "subscriptions",
    params(("id" = Uuid, Path, description = "The subscription")), responses(
    (status = 204, description = "Unsubscribed",
        headers(("Kawaraban-Revision" = i64, description = "The number of your last write"))),
))]
pub(crate) async fn delete_subscription(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<SubscriptionId>,
) -> Result<impl IntoResponse, ApiError> {
    let revision = app.reader.delete_subscription(caller.user_id, id).await?;
    Ok(with_revision(revision, StatusCode::NO_CONTENT))
}

/// Update the settings of a subscription
///
/// A shorter interval also moves the next fetch forward.
#[utoipa::path(put, path = "/api/subscriptions/{id}/settings", tag = "subscriptions",
    params(("id" = Uuid, Path, description = "The subscription")), request_body = SubscriptionSettings, responses(
    (status = 200, description = "The updated subscription", body = SubscriptionView),
))]
pub(crate) async fn update_subscription_settings(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<SubscriptionId>,
    language: Language,
    JsonBody(settings): JsonBody<SubscriptionSettings>,
) -> Result<Json<SubscriptionView>, ApiError> {
    let SubscriptionSettings { fetch_interval_minutes, title, folder_id, full_text } = settings;
    let full_text = full_text.map(FullText::from);
    let patch = SubscriptionPatch { fetch_interval_minutes, title, folder_id, full_text };
    Ok(Json(view(app.reader.update_subscription(caller.user_id, id, patch).await?, language)))
}

/// Resume a stopped feed
///
/// Fetches the feed again, for all its subscribers.
#[utoipa::path(post, path = "/api/subscriptions/{id}/resume", tag = "subscriptions",
    params(("id" = Uuid, Path, description = "The subscription")), responses(
    (status = 200, description = "The updated subscription", body = SubscriptionView),
    (status = 409, description = "The feed is not stopped"),
))]
pub(crate) async fn resume_subscription(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<SubscriptionId>,
    language: Language,
) -> Result<Json<SubscriptionView>, ApiError> {
    Ok(Json(view(app.reader.resume_subscription(caller.user_id, id).await?, language)))
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
        full_text: subscription.full_text.into(),
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

impl From<FullTextView> for FullText {
    fn from(view: FullTextView) -> Self {
        match view {
            FullTextView::Off => FullText::Off,
            FullTextView::On => FullText::On,
            FullTextView::Auto => FullText::Auto,
        }
    }
}

impl From<FullText> for FullTextView {
    fn from(full_text: FullText) -> Self {
        match full_text {
            FullText::Off => FullTextView::Off,
            FullText::On => FullTextView::On,
            FullText::Auto => FullTextView::Auto,
        }
    }
}

fn as_map<S: Serializer>(unread: &[(SubscriptionId, i64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(unread.iter().map(|(id, count)| (id, count)))
}

/// Distinguishes null from a missing field.
fn nullable<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}
