//! How fetching is doing, for the owner: every feed, and every hour.

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
    pagination::{Cursor, PAGE, next_cursor},
};

/// How many hours are shown: 30 days.
const HOURS: i32 = 30 * 24;

/// Whether a feed is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = FetchStatus)]
pub(crate) enum FetchStatusView {
    /// It is, and the last fetch went well.
    Active,
    /// It is, though the last fetch failed.
    Error,
    /// It rests until somebody resumes it.
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

/// A feed with what only the owner sees.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedHealthView {
    /// Its id.
    #[schema(value_type = Uuid)]
    id: FeedId,
    /// Where it is fetched from.
    feed_url: String,
    /// The site it belongs to.
    site_url: Option<String>,
    /// What it calls itself.
    title: String,
    /// Where its entries come from.
    kind: String,
    /// Whether it is fetched.
    fetch_status: FetchStatusView,
    /// How often in a row fetching failed.
    consecutive_errors: i64,
    /// Why, for programs.
    error_code: Option<String>,
    /// Why and what to do about it, for people.
    error_message: Option<String>,
    /// What exactly happened, in English.
    error_details: Option<String>,
    /// How many people read it.
    subscribers: i64,
    /// When it was last asked for.
    last_fetched_at: Option<DateTime<Utc>>,
    /// When it will be asked for next.
    next_fetch_at: DateTime<Utc>,
    /// When somebody first subscribed to it.
    created_at: DateTime<Utc>,
}

/// Feeds, and how many there are of each status.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedsHealthView {
    /// This page of feeds.
    feeds: Vec<FeedHealthView>,
    /// Where the next page begins; null on the last one.
    next_cursor: Option<String>,
    /// How many feeds there are, whatever the page shows.
    counts: StatusCountsView,
}

/// How many feeds there are of each status.
#[derive(Serialize, ToSchema, Default)]
pub(crate) struct StatusCountsView {
    /// Fetched, the last time with success.
    active: i64,
    /// Failing and still tried.
    error: i64,
    /// Resting.
    stopped: i64,
}

/// Which feeds to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedsHealthQuery {
    /// Only feeds of this status.
    #[param(inline)]
    status: Option<FetchStatusView>,
    /// Where to go on: `next_cursor` of the page before.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// How fetching went, by the hour.
#[derive(Serialize, ToSchema)]
pub(crate) struct ActivityView {
    /// The last 30 days, the oldest hour first, the current one last.
    hours: Vec<HourView>,
}

/// How fetching went in an hour.
#[derive(Serialize, ToSchema)]
pub(crate) struct HourView {
    /// Its beginning.
    hour: DateTime<Utc>,
    /// How many fetches ended.
    fetches: i64,
    /// How many of them failed.
    failures: i64,
    /// How many found nothing new.
    unchanged: i64,
    /// How many items arrived.
    new_items: i64,
    /// How long a fetch took, in milliseconds; null without one.
    latency_ms_average: Option<i64>,
    /// How long the slowest took, in milliseconds; null without one.
    latency_ms_max: Option<i64>,
}

/// List all feeds with their health
///
/// 50 a page, those added last first. Only for the owner.
#[utoipa::path(get, path = "/api/admin/feeds", tag = "admin", params(FeedsHealthQuery), responses(
    (status = 200, description = "A page of feeds", body = FeedsHealthView),
    (status = 403, description = "Only the owner may see this"),
))]
pub(crate) async fn list_feed_health(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    QueryString(query): QueryString<FeedsHealthQuery>,
) -> Result<Json<FeedsHealthView>, ApiError> {
    caller.must_be_owner()?;
    let after = query.cursor.map(Cursor::place).transpose()?.map(|(_, id)| FeedId(id));
    let rows = feeds::list_health(&app.db, query.status.map(FetchStatus::from), after, PAGE + 1).await?;
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

/// Show how fetching went by the hour
///
/// 30 days; an hour without a fetch is there with zeros. Only for the owner.
#[utoipa::path(get, path = "/api/admin/activity", tag = "admin", responses(
    (status = 200, description = "The last 30 days", body = ActivityView),
    (status = 403, description = "Only the owner may see this"),
))]
pub(crate) async fn get_activity(State(app): State<ApiState>, caller: Caller) -> Result<Json<ActivityView>, ApiError> {
    caller.must_be_owner()?;
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
    fn new(FeedHealth { feed, subscribers }: FeedHealth, language: Language) -> Self {
        FeedHealthView {
            id: feed.id,
            feed_url: feed.feed_url,
            site_url: feed.site_url,
            title: feed.title,
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
