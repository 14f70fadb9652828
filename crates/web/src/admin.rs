//! Feed health and fetch statistics, for owners.

use axum::{Json, extract::State};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use store::{
    FeedId,
    activity::{self, HourStats},
    feeds::{self, FeedHealth, FetchStatus},
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, ApiState, Language,
    caller::Caller,
    error::feed_problem_text,
    extract::QueryString,
    pagination::{Cursor, PAGE_SIZE, next_cursor},
};

/// 30 days.
const HOURS: i32 = 30 * 24;

/// The fetch status of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = FetchStatus)]
pub(crate) enum FetchStatusView {
    /// Fetched regularly; the last fetch succeeded.
    Active,
    /// Fetched regularly, but the last fetch failed.
    Error,
    /// Not fetched until a subscriber resumes it.
    Stopped,
}

impl From<FetchStatus> for FetchStatusView {
    fn from(status: FetchStatus) -> Self {
        match status {
            FetchStatus::Active => FetchStatusView::Active,
            FetchStatus::Error => FetchStatusView::Error,
            FetchStatus::Stopped => FetchStatusView::Stopped,
        }
    }
}

impl From<FetchStatusView> for FetchStatus {
    fn from(status: FetchStatusView) -> Self {
        match status {
            FetchStatusView::Active => FetchStatus::Active,
            FetchStatusView::Error => FetchStatus::Error,
            FetchStatusView::Stopped => FetchStatus::Stopped,
        }
    }
}

/// A feed and its health.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedHealthView {
    /// The id of the feed.
    #[schema(value_type = Uuid)]
    id: FeedId,
    /// The address of the feed.
    feed_url: String,
    /// The address of its site.
    site_url: Option<String>,
    /// The title of the feed.
    title: String,
    /// The kind of feed: `feed`.
    kind: String,
    /// The fetch status.
    fetch_status: FetchStatusView,
    /// The number of failed fetches since the last success.
    consecutive_errors: i64,
    /// The error code of the last failure.
    error_code: Option<String>,
    /// The last failure and what to do about it, in the language of the request.
    error_message: Option<String>,
    /// Technical details of the last failure, in English.
    error_details: Option<String>,
    /// The number of subscribers.
    subscribers: i64,
    /// The time of the last fetch.
    last_fetched_at: Option<DateTime<Utc>>,
    /// The time of the next fetch.
    next_fetch_at: DateTime<Utc>,
    /// The time of the first subscription.
    created_at: DateTime<Utc>,
}

/// A page of feeds, and the number of feeds by status.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedsHealthView {
    /// The feeds of this page.
    feeds: Vec<FeedHealthView>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
    /// The number of all feeds by status.
    counts: StatusCountsView,
}

/// The number of feeds by status.
#[derive(Serialize, ToSchema, Default)]
pub(crate) struct StatusCountsView {
    /// Feeds whose last fetch succeeded.
    active: i64,
    /// Feeds that fail and are still retried.
    error: i64,
    /// Feeds that are not fetched.
    stopped: i64,
}

/// Parameters of the list of feeds.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedsHealthQuery {
    /// Only feeds with this status.
    #[param(inline)]
    status: Option<FetchStatusView>,
    /// The `next_cursor` of the previous page.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// Fetch statistics by hour.
#[derive(Serialize, ToSchema)]
pub(crate) struct ActivityView {
    /// The last 30 days, the oldest hour first.
    hours: Vec<HourView>,
}

/// Fetch statistics of one hour.
#[derive(Serialize, ToSchema)]
pub(crate) struct HourView {
    /// The start of the hour.
    hour: DateTime<Utc>,
    /// The number of finished fetches.
    fetches: i64,
    /// The number of failed fetches.
    failures: i64,
    /// The number of fetches without new items.
    unchanged: i64,
    /// The number of new items.
    new_items: i64,
    /// The average duration of a fetch in milliseconds; null without a fetch.
    latency_ms_average: Option<i64>,
    /// The longest duration of a fetch in milliseconds; null without a fetch.
    latency_ms_max: Option<i64>,
}

/// List all feeds with their health
///
/// 50 feeds per page, the newest first. For owners only.
#[utoipa::path(get, path = "/api/admin/feeds", tag = "admin", params(FeedsHealthQuery), responses(
    (status = 200, description = "A page of feeds", body = FeedsHealthView),
    (status = 403, description = "Not an owner"),
))]
pub(crate) async fn list_feed_health(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    QueryString(query): QueryString<FeedsHealthQuery>,
) -> Result<Json<FeedsHealthView>, ApiError> {
    caller.require_owner()?;
    let after = query.cursor.map(Cursor::position).transpose()?.map(|(_, id)| FeedId(id));
    let rows = feeds::list_health(&app.db, query.status.map(FetchStatus::from), after, PAGE_SIZE + 1).await?;
    let (rows, next_cursor) = next_cursor(rows, |row| (row.feed.created_at, row.feed.id.into()));
    let mut counts = StatusCountsView::default();
    for count in feeds::count_by_status(&app.db).await? {
        match count.fetch_status {
            FetchStatus::Active => counts.active = count.feeds,
            FetchStatus::Error => counts.error = count.feeds,
            FetchStatus::Stopped => counts.stopped = count.feeds,
        }
    }
    let feeds = rows.into_iter().map(|row| FeedHealthView::new(row, language)).collect();
    Ok(Json(FeedsHealthView { feeds, next_cursor, counts }))
}

/// Get fetch statistics by hour
///
/// For the last 30 days, including hours without a fetch. For owners only.
#[utoipa::path(get, path = "/api/admin/activity", tag = "admin", responses(
    (status = 200, description = "The statistics", body = ActivityView),
    (status = 403, description = "Not an owner"),
))]
pub(crate) async fn get_activity(State(app): State<ApiState>, caller: Caller) -> Result<Json<ActivityView>, ApiError> {
    caller.require_owner()?;
    let last = activity::hour_of(app.reader.clock().now());
    let first = last - TimeDelta::hours(1) * (HOURS - 1);
    let mut figures = activity::list(&app.db, first).await?.into_iter().peekable();
    let hours = (0..HOURS).map(|nth| {
        let hour = first + TimeDelta::hours(1) * nth;
        HourView::new(hour, figures.next_if(|figures| figures.hour == hour))
    });
    Ok(Json(ActivityView { hours: hours.collect() }))
}

impl FeedHealthView {
    fn new(FeedHealth { feed, subscribers, given_title }: FeedHealth, language: Language) -> Self {
        FeedHealthView {
            id: feed.id,
            feed_url: feed.feed_url,
            site_url: feed.site_url,
            title: given_title.unwrap_or(feed.title),
            kind: feed.kind,
            fetch_status: feed.fetch_status.into(),
            consecutive_errors: feed.consecutive_errors,
            error_message: feed_problem_text(feed.error_code.as_deref(), feed.fetch_status, language),
            error_code: feed.error_code,
            error_details: feed.error_message,
            subscribers,
            last_fetched_at: feed.last_fetched_at,
            next_fetch_at: feed.next_fetch_at,
            created_at: feed.created_at,
        }
    }
}

impl HourView {
    fn new(hour: DateTime<Utc>, figures: Option<HourStats>) -> Self {
        let has_fetches = figures.filter(|figures| figures.fetches > 0);
        HourView {
            hour,
            fetches: figures.map_or(0, |figures| figures.fetches),
            failures: figures.map_or(0, |figures| figures.failures),
            unchanged: figures.map_or(0, |figures| figures.unchanged),
            new_items: figures.map_or(0, |figures| figures.new_items),
            latency_ms_average: has_fetches.map(|figures| figures.latency_ms_total / figures.fetches),
            latency_ms_max: has_fetches.map(|figures| figures.latency_ms_max),
        }
    }
}
