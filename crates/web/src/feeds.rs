//! Feeds: subscribe by address, look, move, refresh, leave. The feed is shared; what changes is the caller's subscription.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, TimeDelta, Utc};
use http::{HeaderMap, StatusCode, header};
use net::Urgency;
use read::{Folder, Offer, OfferKind, Refresh, SubscribeOptions, Subscribed};
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
};

/// A feed that the caller subscribes to.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedView {
    /// Its id.
    #[schema(value_type = Uuid)]
    id: FeedId,
    /// The caller's subscription to it.
    #[schema(value_type = Uuid)]
    subscription_id: SubscriptionId,
    /// Where it is fetched from.
    feed_url: String,
    /// The site it belongs to.
    site_url: Option<String>,
    /// What it calls itself.
    title: String,
    /// Its icon, if it has one.
    favicon_url: Option<String>,
    /// Where its entries come from: `feed`.
    kind: String,
    /// Whether it is fetched.
    fetch_status: FetchStatusView,
    /// Why not, for programs. More codes may come.
    error_code: Option<String>,
    /// Why not, and what to do, for people.
    error_message: Option<String>,
    /// When it was last asked for.
    last_fetched_at: Option<DateTime<Utc>>,
    /// When it will be asked for next.
    next_fetch_at: DateTime<Utc>,
    /// When somebody first subscribed to it.
    created_at: DateTime<Utc>,
}

/// What to subscribe to.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewSubscription {
    /// The address as people paste it: of a feed, or of a page that has one; the scheme may be missing.
    #[schema(examples("example.com/blog"))]
    url: String,
    /// The folder to put it in.
    #[schema(value_type = Option<Uuid>)]
    folder_id: Option<FolderId>,
}

/// Where to look for feeds.
#[derive(Deserialize, ToSchema)]
pub(crate) struct DiscoverRequest {
    /// The address as people paste it.
    #[schema(examples("example.com/blog"))]
    url: String,
}

/// Where the feed is now.
#[derive(Deserialize, ToSchema)]
pub(crate) struct FeedPatch {
    /// Its new address, as people paste it.
    #[schema(examples("https://example.com/feed.xml"))]
    feed_url: String,
}

/// The feeds that an address leads to.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedCandidatesView {
    /// In the order in which to try them.
    candidates: Vec<FeedCandidateView>,
}

/// A feed that an address leads to.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedCandidateView {
    /// Where it is.
    url: String,
    /// What it is called, if that is known.
    title: Option<String>,
    /// What it seems to be.
    kind: FeedCandidateKindView,
}

/// What a feed seems to be before it was read.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = FeedCandidateKind)]
pub(crate) enum FeedCandidateKindView {
    /// Atom.
    Atom,
    /// RSS of any version.
    Rss,
    /// JSON Feed.
    Json,
    /// It does not say.
    Unknown,
}

/// Subscribe to a feed
///
/// Takes an address as people paste it. If it is a page, the feeds that it names are tried in order, then usual places.
/// The answer takes 20 seconds at the most.
#[utoipa::path(post, path = "/api/feeds", tag = "feeds", request_body = NewSubscription, responses(
    (status = 201, description = "The feed; `Location` is its address here", body = FeedView,
        headers(("Location" = String, description = "The feed here"))),
    (status = 409, description = "Already subscribed, or no more subscriptions are allowed"),
    (status = 422, description = "There is no feed, or the address is refused"),
    (status = 502, description = "The site does not deliver it"),
    (status = 504, description = "The site took too long"),
))]
pub(crate) async fn create_feed(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    _: OutboundPermit,
    JsonBody(new): JsonBody<NewSubscription>,
) -> Result<Response, ApiError> {
    let options = SubscribeOptions { folder: new.folder_id.map(Folder::Id), ..SubscribeOptions::default() };
    let subscribed = app.reader.subscribe(caller.user_id, &new.url, Urgency::Interactive, &options).await?;
    let location = format!("/api/feeds/{}", subscribed.feed.id);
    let view = Json(FeedView::of_subscribed(subscribed, language));
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], view).into_response())
}

/// Find the feeds of an address
///
/// Without subscribing to any of them. What a page names is not asked for; usual places are.
#[utoipa::path(post, path = "/api/feeds/discover", tag = "feeds", request_body = DiscoverRequest, responses(
    (status = 200, description = "The feeds", body = FeedCandidatesView),
    (status = 422, description = "There is no feed, or the address is refused"),
    (status = 502, description = "The site does not answer well"),
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

/// Look at a feed
///
/// For its subscribers.
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
/// Only the caller's subscription moves, with its folder, its title and its interval; nobody changes a feed for others.
/// The answer is the feed at the new address, which has an id of its own.
#[utoipa::path(patch, path = "/api/feeds/{id}", tag = "feeds", params(("id" = Uuid, Path, description = "The feed")),
    request_body = FeedPatch, responses(
    (status = 200, description = "The feed at the new address", body = FeedView),
    (status = 409, description = "Already subscribed to the feed at that address"),
    (status = 422, description = "There is no feed, or the address is refused"),
    (status = 502, description = "The site does not deliver it"),
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
/// With what was read and starred of it. Others keep theirs.
#[utoipa::path(delete, path = "/api/feeds/{id}", tag = "feeds", params(("id" = Uuid, Path, description = "The feed")),
    responses((status = 204, description = "Done")))]
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

/// Have a feed fetched now
///
/// At most once a minute. What is new shows up in the lists and in the events.
#[utoipa::path(post, path = "/api/feeds/{id}/refresh", tag = "feeds",
    params(("id" = Uuid, Path, description = "The feed")), responses(
    (status = 202, description = "It is fetched as soon as it is its turn"),
    (status = 409, description = "It is stopped: resume the subscription first"),
))]
pub(crate) async fn refresh_feed(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
) -> Result<StatusCode, ApiError> {
    match app.reader.refresh(caller.user_id, id).await? {
        Refresh::Asked => Ok(StatusCode::ACCEPTED),
        Refresh::Stopped => Err(Error::FeedStopped.into()),
        Refresh::NotSubscribed => Err(Error::NotFound.into()),
        Refresh::TooSoon(left) => {
            let left = TimeDelta::from_std(left).unwrap_or_else(|_| TimeDelta::minutes(1));
            Err(Error::TooManyRequests { seconds: whole_seconds(left) }.into())
        }
    }
}

/// The icon of a feed
///
/// For its subscribers. Its type is told by its content. A drawing (SVG) comes with a policy under which it can do nothing.
#[utoipa::path(get, path = "/api/feeds/{id}/favicon", tag = "feeds",
    params(("id" = Uuid, Path, description = "The feed")), responses(
    (status = 200, description = "The picture", content(
        (Vec<u8> = "image/png"), (Vec<u8> = "image/x-icon"), (Vec<u8> = "image/gif"), (Vec<u8> = "image/jpeg"),
        (Vec<u8> = "image/webp"), (Vec<u8> = "image/avif"), (Vec<u8> = "image/svg+xml"))),
    (status = 304, description = "The picture is the one of `If-None-Match`"),
))]
pub(crate) async fn get_feed_favicon(
    State(app): State<ApiState>,
    caller: Caller,
    headers: HeaderMap,
    PathId(id): PathId<FeedId>,
) -> Result<Response, ApiError> {
    let icon = app.reader.icon(caller.user_id, id).await?.ok_or(Error::NotFound)?;
    let about = [
        (header::ETAG, icon.etag.as_str()),
        // By the week: the address stays the same when the picture changes.
        (header::CACHE_CONTROL, "private, max-age=604800"),
        // An <img> never runs what is in a drawing; a visit to its address does not either with this.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
    ];
    if is_same(&headers, &icon.etag) {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    Ok((about, [(header::CONTENT_TYPE, icon.mime)], icon.data).into_response())
}

/// Whether the client has this picture already.
fn is_same(headers: &HeaderMap, etag: &str) -> bool {
    let asked = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    asked.flat_map(|value| value.split(',')).any(|one| {
        let one = one.trim();
        one == "*" || one.trim_start_matches("W/") == etag
    })
}

/// Where the icon of a feed is, if it has one.
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

impl From<Offer> for FeedCandidateView {
    fn from(Offer { url, title, kind }: Offer) -> Self {
        let kind = match kind {
            OfferKind::Atom => FeedCandidateKindView::Atom,
            OfferKind::Rss => FeedCandidateKindView::Rss,
            OfferKind::Json => FeedCandidateKindView::Json,
            OfferKind::Unknown => FeedCandidateKindView::Unknown,
        };
        FeedCandidateView { url, title, kind }
    }
}
