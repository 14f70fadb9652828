//! Feeds. A feed is shared by its subscribers; these routes change only the caller's subscription.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, TimeDelta, Utc};
use http::{HeaderMap, StatusCode, header};
use net::Urgency;
use read::{CandidateKind, FeedCandidate, Refresh, SubscribeFolder, SubscribeOptions, Subscribed};
use serde::{Deserialize, Serialize};
use store::{FeedId, FolderId, SubscriptionId, feeds::Feed};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState, Error, Language,
    access::OutboundPermit,
    admin::FetchStatusView,
    caller::Caller,
    error::feed_problem_text,
    extract::{JsonBody, PathId},
    limit::whole_seconds,
    watch::site_options,
};

/// A feed that you subscribe to.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedView {
    /// The id of the feed.
    #[schema(value_type = Uuid)]
    id: FeedId,
    /// The id of your subscription.
    #[schema(value_type = Uuid)]
    subscription_id: SubscriptionId,
    /// The address of the feed.
    feed_url: String,
    /// The address of its site.
    site_url: Option<String>,
    /// The title of the feed.
    title: String,
    /// The path of its icon.
    favicon_url: Option<String>,
    /// The kind of feed: `feed`, or `site` for a page that is watched.
    kind: String,
    /// The fetch status.
    fetch_status: FetchStatusView,
    /// The error code of the last failure. New codes may be added.
    error_code: Option<String>,
    /// The last failure and what to do about it, in the language of the request.
    error_message: Option<String>,
    /// The time of the last fetch.
    last_fetched_at: Option<DateTime<Utc>>,
    /// The time of the next fetch.
    next_fetch_at: DateTime<Utc>,
    /// The time of the first subscription.
    created_at: DateTime<Utc>,
}

/// The feed to subscribe to.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewSubscription {
    /// The address of a feed or of a page with a feed. The scheme may be missing.
    #[schema(examples("example.com/blog"))]
    url: String,
    /// The folder of the new subscription.
    #[schema(value_type = Option<Uuid>)]
    folder_id: Option<FolderId>,
    /// `site` to watch a page for new posts, with or without a feed. By default a feed is looked for.
    #[serde(default)]
    kind: NewKindView,
    /// With the kind `site`: the id of a list that `POST /api/watch/preview` has found. The best one by default.
    list: Option<String>,
    /// With the kind `site`: whether the posts that are there start as unread. False by default.
    #[serde(default)]
    unread: bool,
}

/// What to subscribe to.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = NewSubscriptionKind)]
pub(crate) enum NewKindView {
    /// A feed.
    #[default]
    Feed,
    /// A page that is watched for new posts.
    Site,
}

/// The address to search for feeds.
#[derive(Deserialize, ToSchema)]
pub(crate) struct DiscoverRequest {
    /// The address of a feed or of a page. The scheme may be missing.
    #[schema(examples("example.com/blog"))]
    url: String,
}

/// The new address of a feed.
#[derive(Deserialize, ToSchema)]
pub(crate) struct FeedPatch {
    /// The new address of the feed or of a page with a feed.
    #[schema(examples("https://example.com/feed.xml"))]
    feed_url: String,
}

/// The feeds that were found at an address.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedCandidatesView {
    /// The feeds, the best match first.
    candidates: Vec<FeedCandidateView>,
}

/// A feed that was found at an address.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedCandidateView {
    /// The address of the feed.
    url: String,
    /// The title of the feed, if it is known.
    title: Option<String>,
    /// The presumed format.
    kind: FeedCandidateKindView,
}

/// The presumed format of a feed that was not fetched yet.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = FeedCandidateKind)]
pub(crate) enum FeedCandidateKindView {
    /// Atom.
    Atom,
    /// Any version of RSS.
    Rss,
    /// JSON Feed.
    Json,
    /// Not known.
    Unknown,
}

/// Subscribe to a feed
///
/// Accepts the address of a feed or of a page. For a page, it tries the feeds that the page links to, then common paths. With
/// the kind `site` the page is watched for new posts, also without a feed. The response takes at most 20 seconds.
#[utoipa::path(post, path = "/api/feeds", tag = "feeds", request_body = NewSubscription, responses(
    (status = 201, description = "The feed", body = FeedView,
        headers(("Location" = String, description = "The path of the feed"))),
    (status = 409, description = "Already subscribed, or the limit of subscriptions is reached"),
    (status = 422, description = "No feed was found, or the address is not allowed"),
    (status = 502, description = "The site failed to deliver the feed"),
    (status = 504, description = "The site took too long"),
))]
pub(crate) async fn create_feed(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    _: OutboundPermit,
    JsonBody(new): JsonBody<NewSubscription>,
) -> Result<Response, ApiError> {
    let subscribed = match new.kind {
        NewKindView::Site => {
            let options = site_options(new.folder_id, new.unread);
            app.watcher.subscribe(caller.user_id, &new.url, new.list.as_deref(), options).await?
        }
        NewKindView::Feed => {
            let folder = new.folder_id.map(SubscribeFolder::Id);
            let options = SubscribeOptions { folder, ..SubscribeOptions::default() };
            app.reader.subscribe(caller.user_id, &new.url, Urgency::Interactive, &options).await?
        }
    };
    Ok(created_feed(subscribed, language))
}

/// The answer to a new subscription.
pub(crate) fn created_feed(subscribed: Subscribed, language: Language) -> Response {
    let location = format!("/api/feeds/{}", subscribed.feed.id);
    let view = Json(FeedView::of_subscribed(subscribed, language));
    (StatusCode::CREATED, [(header::LOCATION, location)], view).into_response()
}

/// Find feeds at an address
///
/// Does not subscribe. Lists the feeds that a page links to without fetching them; common paths are fetched.
#[utoipa::path(post, path = "/api/feeds/discover", tag = "feeds", request_body = DiscoverRequest, responses(
    (status = 200, description = "The feeds", body = FeedCandidatesView),
    (status = 422, description = "No feed was found, or the address is not allowed"),
    (status = 502, description = "The site failed to respond"),
    (status = 504, description = "The site took too long"),
))]
pub(crate) async fn discover_feeds(
    State(app): State<ApiState>,
    _: Caller,
    _: OutboundPermit,
    JsonBody(request): JsonBody<DiscoverRequest>,
) -> Result<Json<FeedCandidatesView>, ApiError> {
    let offers = app.reader.discover(&request.url, Urgency::Interactive).await?;
    Ok(Json(FeedCandidatesView { candidates: offers.into_iter().map(FeedCandidateView::from).collect() }))
}

/// Get a feed
///
/// Only for its subscribers.
#[utoipa::path(get, path = "/api/feeds/{id}", tag = "feeds", params(("id" = Uuid, Path, description = "The feed")),
    responses((status = 200, description = "The feed", body = FeedView)))]
pub(crate) async fn get_feed(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    PathId(id): PathId<FeedId>,
) -> Result<Json<FeedView>, ApiError> {
    let feed = app.reader.feed(caller.user_id, id).await?.ok_or(Error::NotFound)?;
    let subscription = app.reader.subscription_to(caller.user_id, id).await?.ok_or(Error::NotFound)?;
    Ok(Json(FeedView::of_subscribed(Subscribed { feed, subscription }, language)))
}

/// Move a subscription to another address
///
/// Moves only your subscription, with its folder, title and interval. Other subscribers keep the old address. The response is
/// the feed at the new address, which has another id.
#[utoipa::path(patch, path = "/api/feeds/{id}", tag = "feeds", params(("id" = Uuid, Path, description = "The feed")),
    request_body = FeedPatch, responses(
    (status = 200, description = "The feed at the new address", body = FeedView),
    (status = 409, description = "Already subscribed to the feed at the new address"),
    (status = 422, description = "No feed was found, or the address is not allowed"),
    (status = 502, description = "The site failed to deliver the feed"),
    (status = 504, description = "The site took too long"),
))]
pub(crate) async fn update_feed(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    PathId(id): PathId<FeedId>,
    _: OutboundPermit,
    JsonBody(patch): JsonBody<FeedPatch>,
) -> Result<Json<FeedView>, ApiError> {
    let moved = app.reader.move_subscription(caller.user_id, id, &patch.feed_url, Urgency::Interactive).await;
    let moved = moved.map_err(|error| ApiError::from(error).with_field("feed_url"))?;
    Ok(Json(FeedView::of_subscribed(moved, language)))
}

/// Unsubscribe from a feed
///
/// Also deletes your read and starred states of its items. Other subscribers are not affected.
#[utoipa::path(delete, path = "/api/feeds/{id}", tag = "feeds", params(("id" = Uuid, Path, description = "The feed")),
    responses((status = 204, description = "Unsubscribed")))]
pub(crate) async fn delete_feed(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
) -> Result<StatusCode, ApiError> {
    match app.reader.unsubscribe(caller.user_id, id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Error::NotFound.into()),
    }
}

/// Refresh a feed
///
/// Schedules a fetch, at most once a minute. New items appear in the lists and in the events.
#[utoipa::path(post, path = "/api/feeds/{id}/refresh", tag = "feeds",
    params(("id" = Uuid, Path, description = "The feed")), responses(
    (status = 202, description = "The fetch is scheduled"),
    (status = 409, description = "The feed is stopped: resume the subscription first"),
))]
pub(crate) async fn refresh_feed(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
) -> Result<StatusCode, ApiError> {
    refresh_answer(app.reader.refresh(caller.user_id, id).await?)
}

/// The answer to a request for a fetch.
pub(crate) fn refresh_answer(refresh: Refresh) -> Result<StatusCode, ApiError> {
    match refresh {
        Refresh::Asked => Ok(StatusCode::ACCEPTED),
        Refresh::Stopped => Err(Error::FeedStopped.into()),
        Refresh::NotSubscribed => Err(Error::NotFound.into()),
        Refresh::TooSoon(left) => {
            let left = TimeDelta::from_std(left).unwrap_or_else(|_| TimeDelta::minutes(1));
            Err(Error::TooManyRequests { seconds: whole_seconds(left) }.into())
        }
    }
}

/// Get the icon of a feed
///
/// Only for its subscribers. The type is detected from the content. A content security policy keeps SVG images from running
/// scripts.
#[utoipa::path(get, path = "/api/feeds/{id}/favicon", tag = "feeds",
    params(("id" = Uuid, Path, description = "The feed")), responses(
    (status = 200, description = "The image", content(
        (Vec<u8> = "image/png"), (Vec<u8> = "image/x-icon"), (Vec<u8> = "image/gif"), (Vec<u8> = "image/jpeg"),
        (Vec<u8> = "image/webp"), (Vec<u8> = "image/avif"), (Vec<u8> = "image/svg+xml"))),
    (status = 304, description = "The image matches `If-None-Match`"),
))]
pub(crate) async fn get_feed_favicon(
    State(app): State<ApiState>,
    caller: Caller,
    headers: HeaderMap,
    PathId(id): PathId<FeedId>,
) -> Result<Response, ApiError> {
    let icon = app.reader.get_icon(caller.user_id, id).await?.ok_or(Error::NotFound)?;
    let image_headers = [
        (header::ETAG, icon.etag.as_str()),
        // A week, because the address stays the same when the image changes.
        (header::CACHE_CONTROL, "private, max-age=604800"),
        // Keeps scripts in an SVG from running when the address is opened directly.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
    ];
    if matches_etag(&headers, &icon.etag) {
        return Ok((StatusCode::NOT_MODIFIED, image_headers).into_response());
    }
    Ok((image_headers, [(header::CONTENT_TYPE, icon.mime)], icon.data).into_response())
}

/// Whether `If-None-Match` has this tag.
fn matches_etag(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|tag| {
        let tag = tag.trim();
        tag == "*" || tag.trim_start_matches("W/") == etag
    })
}

/// The path of a feed's icon, if it has one.
pub(crate) fn favicon_url(feed: FeedId, has_favicon: bool) -> Option<String> {
    has_favicon.then(|| format!("/api/feeds/{feed}/favicon"))
}

impl FeedView {
    fn of_subscribed(Subscribed { feed, subscription }: Subscribed, language: Language) -> FeedView {
        let error_message = feed_problem_text(feed.error_code.as_deref(), feed.fetch_status, language);
        let Feed { id, feed_url, site_url, title, kind, error_code, .. } = feed;
        FeedView {
            id,
            subscription_id: subscription,
            feed_url,
            site_url,
            title,
            favicon_url: favicon_url(id, feed.has_favicon),
            kind,
            fetch_status: feed.fetch_status.into(),
            error_code,
            error_message,
            last_fetched_at: feed.last_fetched_at,
            next_fetch_at: feed.next_fetch_at,
            created_at: feed.created_at,
        }
    }
}

impl From<FeedCandidate> for FeedCandidateView {
    fn from(FeedCandidate { url, title, kind }: FeedCandidate) -> Self {
        let kind = match kind {
            CandidateKind::Atom => FeedCandidateKindView::Atom,
            CandidateKind::Rss => FeedCandidateKindView::Rss,
            CandidateKind::Json => FeedCandidateKindView::Json,
            CandidateKind::Unknown => FeedCandidateKindView::Unknown,
        };
        FeedCandidateView { url, title, kind }
    }
}
