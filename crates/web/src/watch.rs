//! Watched sites: the operator's blogs, and the sites that users have added.

use ::watch::{Blog, DayOfChecks, PostChoice, SitePost, WatchState};
use axum::{Json, extract::State, response::Response};
use chrono::{DateTime, Utc};
use http::StatusCode;
use read::{SubscribeFolder, SubscribeOptions};
use serde::{Deserialize, Serialize};
use store::{FeedId, FolderId, SubscriptionId, watch::Source};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    ApiError, ApiState, Language, LocalizedText,
    access::OutboundPermit,
    caller::Caller,
    error::feed_problem_text,
    extract::{JsonBody, OptionalJsonBody, PathId, QueryString},
    feeds::{created_feed, refresh_answer},
    pagination::{Cursor, PAGE_SIZE, next_cursor},
};

/// The watched sites.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchView {
    /// The operator's blogs in the order of the file, then your own sites.
    blogs: Vec<WatchedBlogView>,
}

/// A watched site.
#[derive(Serialize, ToSchema)]
#[schema(as = WatchedBlog)]
pub(crate) struct WatchedBlogView {
    /// The identifier: that of the configuration file, or the id of the feed.
    id: String,
    /// The id of the feed that it is in the reader.
    #[schema(value_type = Uuid)]
    feed_id: FeedId,
    /// The name.
    name: String,
    /// The address of the site.
    url: String,
    /// Whether the operator's configuration file names it.
    is_operators: bool,
    /// How it is doing.
    state: WatchStateView,
    /// What is wrong and what to do about it, in the language of the request; empty if nothing is wrong.
    state_text: String,
    /// Where new posts come from; null before the first check.
    source: Option<SourceView>,
    /// The address of the source.
    source_url: Option<String>,
    /// The time of the last check.
    last_check_at: Option<DateTime<Utc>>,
    /// The time of the last check with a new post.
    last_change_at: Option<DateTime<Utc>>,
    /// The time of the next check.
    next_check_at: DateTime<Utc>,
    /// The id of your subscription, if you have one.
    #[schema(value_type = Option<Uuid>)]
    subscription_id: Option<SubscriptionId>,
    /// Whether you may ask for a check.
    can_check: bool,
    /// Whether you may change the words.
    can_edit: bool,
    /// Only titles with one of these words become items; empty for all titles.
    include_words: Vec<String>,
    /// Titles with one of these words do not become items.
    exclude_words: Vec<String>,
    /// The last 30 days, the oldest first.
    days: Vec<DayOfChecksView>,
}

/// A watched site with its posts.
#[derive(Serialize, ToSchema)]
#[schema(as = WatchedBlogDetail)]
pub(crate) struct WatchedBlogDetailView {
    #[serde(flatten)]
    blog: WatchedBlogView,
    /// The posts that the last check found.
    posts: Vec<WatchPostView>,
}

/// How a site is doing.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = WatchState)]
pub(crate) enum WatchStateView {
    /// It was never checked.
    New,
    /// Nothing is wrong.
    Ok,
    /// No new posts for much longer than usual.
    Quiet,
    /// Many posts appeared at once and were taken for old ones.
    Rebuilt,
    /// The last check failed.
    Failing,
    /// It is not checked any more.
    Stopped,
}

/// Where new posts come from.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = WatchSource)]
pub(crate) enum SourceView {
    /// A feed of the site.
    Feed,
    /// A sitemap of the site.
    Sitemap,
    /// The list of posts on the page.
    Page,
}

/// How the checks of a day went.
#[derive(Serialize, ToSchema)]
#[schema(as = DayOfChecks)]
pub(crate) struct DayOfChecksView {
    /// The day in UTC, as `2026-11-18`.
    day: String,
    /// Checks with new posts.
    changed: i64,
    /// Checks without new posts.
    unchanged: i64,
    /// Checks that failed.
    failed: i64,
}

/// A post of a site.
#[derive(Serialize, ToSchema)]
#[schema(as = WatchPost)]
pub(crate) struct WatchPostView {
    /// The address.
    url: String,
    /// The title; empty if the site shows none.
    title: String,
    /// The date, if the site shows one.
    published_at: Option<DateTime<Utc>>,
}

/// A page of checks.
#[derive(Serialize, ToSchema)]
pub(crate) struct CheckHistoryView {
    /// The checks of this page, the newest first.
    checks: Vec<CheckView>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// A check.
#[derive(Serialize, ToSchema)]
#[schema(as = Check)]
pub(crate) struct CheckView {
    /// The id.
    id: String,
    /// The time.
    checked_at: DateTime<Utc>,
    /// The status of the answer, if there was one.
    http_status: Option<i64>,
    /// Whether the source was the same as before.
    is_skipped: bool,
    /// Whether there were new posts.
    is_changed: bool,
    /// Why it failed.
    error_message: Option<String>,
}

/// Parameters of the list of checks.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// The `next_cursor` of the previous page.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// The site to look at.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PreviewRequest {
    /// The address of a page. The scheme may be missing.
    #[schema(examples("example.com/news"))]
    url: String,
}

/// What watching a site would bring.
#[derive(Serialize, ToSchema)]
#[schema(as = WatchPreview)]
pub(crate) struct PreviewView {
    /// The address that would be watched.
    url: String,
    /// What the site calls itself.
    title: String,
    /// Where new posts would come from.
    source: SourceView,
    /// The address of the source.
    source_url: String,
    /// The lists that could be meant, the best first. Choose one with `list` of `POST /api/feeds`.
    lists: Vec<PostListView>,
}

/// A list of posts to choose.
#[derive(Serialize, ToSchema)]
#[schema(as = PostList)]
pub(crate) struct PostListView {
    /// The id of the list; empty for the posts of a feed or sitemap.
    id: String,
    /// Its posts.
    posts: Vec<WatchPostView>,
}

/// How to subscribe to one of the operator's blogs.
#[derive(Default, Deserialize, ToSchema)]
pub(crate) struct BlogSubscription {
    /// The folder of the new subscription.
    #[schema(value_type = Option<Uuid>)]
    folder_id: Option<FolderId>,
    /// Whether the posts that are there start as unread. False by default.
    #[serde(default)]
    unread: bool,
}

/// Which titles become items.
#[derive(Deserialize, ToSchema)]
pub(crate) struct WordsRequest {
    /// Only titles with one of these words; empty for all titles.
    include: Vec<String>,
    /// No titles with one of these words.
    exclude: Vec<String>,
}

/// List watched sites
///
/// The operator's blogs, which all users see, and the sites that you have added.
#[utoipa::path(get, path = "/api/watch", tag = "watch",
    responses((status = 200, description = "The sites", body = WatchView)))]
pub(crate) async fn list_watched(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
) -> Result<Json<WatchView>, ApiError> {
    let blogs = app.watcher.list(caller.user_id, caller.is_owner).await?;
    Ok(Json(WatchView { blogs: blogs.into_iter().map(|blog| WatchedBlogView::of(blog, language).0).collect() }))
}

/// Get a watched site
#[utoipa::path(get, path = "/api/watch/{id}", tag = "watch", params(("id" = String, Path, description = "The site")),
    responses((status = 200, description = "The site", body = WatchedBlogDetailView)))]
pub(crate) async fn get_watched(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    PathId(id): PathId<String>,
) -> Result<Json<WatchedBlogDetailView>, ApiError> {
    let blog = app.watcher.get(caller.user_id, caller.is_owner, &id).await?;
    let (blog, posts) = WatchedBlogView::of(blog, language);
    Ok(Json(WatchedBlogDetailView { blog, posts: posts.into_iter().map(WatchPostView::from).collect() }))
}

/// List the checks of a site
///
/// 50 checks per page, the newest first.
#[utoipa::path(get, path = "/api/watch/{id}/history", tag = "watch",
    params(("id" = String, Path, description = "The site"), HistoryQuery),
    responses((status = 200, description = "A page of checks", body = CheckHistoryView)))]
pub(crate) async fn list_checks(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<String>,
    QueryString(query): QueryString<HistoryQuery>,
) -> Result<Json<CheckHistoryView>, ApiError> {
    let blog = app.watcher.get(caller.user_id, caller.is_owner, &id).await?;
    let before = match query.cursor.map(Cursor::position).transpose()? {
        Some((at, id)) => (at, i64::try_from(id.as_u128()).unwrap_or(i64::MAX)),
        None => (app.reader.clock().now(), i64::MAX),
    };
    let rows = app.watcher.history(&blog, before, PAGE_SIZE + 1).await?;
    let position = |check: &store::watch::Check| (check.checked_at, Uuid::from_u128(check.id.unsigned_abs().into()));
    let (rows, next_cursor) = next_cursor(rows, position);
    let checks = rows.into_iter().map(|check| CheckView {
        id: check.id.to_string(),
        checked_at: check.checked_at,
        http_status: check.http_status,
        is_skipped: check.skipped != 0,
        is_changed: check.changed != 0,
        error_message: check.error_message,
    });
    Ok(Json(CheckHistoryView { checks: checks.collect(), next_cursor }))
}

/// Check a site
///
/// Schedules a check, at most once a minute, and resumes a stopped site. For subscribers and owners.
#[utoipa::path(post, path = "/api/watch/{id}/check", tag = "watch",
    params(("id" = String, Path, description = "The site")), responses(
    (status = 202, description = "The check is scheduled"),
    (status = 404, description = "Not a subscriber"),
))]
pub(crate) async fn check_watched(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<String>,
) -> Result<StatusCode, ApiError> {
    let blog = app.watcher.get(caller.user_id, caller.is_owner, &id).await?;
    refresh_answer(app.watcher.check(caller.user_id, &blog).await?)
}

/// Subscribe to a watched site
#[utoipa::path(post, path = "/api/watch/{id}/subscribe", tag = "watch",
    params(("id" = String, Path, description = "The site")), request_body = Option<BlogSubscription>, responses(
    (status = 201, description = "The feed", body = crate::feeds::FeedView,
        headers(("Location" = String, description = "The path of the feed"))),
    (status = 409, description = "Already subscribed, or the limit of subscriptions is reached"),
))]
pub(crate) async fn subscribe_to_watched(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    PathId(id): PathId<String>,
    OptionalJsonBody(new): OptionalJsonBody<BlogSubscription>,
) -> Result<Response, ApiError> {
    let blog = app.watcher.get(caller.user_id, caller.is_owner, &id).await?;
    let options = site_options(new.folder_id, new.unread);
    let subscribed = app.watcher.subscribe_to_blog(caller.user_id, &blog, options).await?;
    Ok(created_feed(subscribed, language))
}

/// Choose posts by words
///
/// Posts whose titles are not wanted do not become items. For the only subscriber, and for owners.
#[utoipa::path(put, path = "/api/watch/{id}/words", tag = "watch",
    params(("id" = String, Path, description = "The site")), request_body = WordsRequest, responses(
    (status = 200, description = "The site", body = WatchedBlogView),
    (status = 403, description = "Others read this site too"),
))]
pub(crate) async fn update_words(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    PathId(id): PathId<String>,
    JsonBody(words): JsonBody<WordsRequest>,
) -> Result<Json<WatchedBlogView>, ApiError> {
    let blog = app.watcher.get(caller.user_id, caller.is_owner, &id).await?;
    app.watcher.set_words(&blog, &words.include, &words.exclude).await?;
    let blog = app.watcher.get(caller.user_id, caller.is_owner, &id).await?;
    Ok(Json(WatchedBlogView::of(blog, language).0))
}

/// Preview a site
///
/// Shows the posts that would be watched. Nothing is stored.
#[utoipa::path(post, path = "/api/watch/preview", tag = "watch", request_body = PreviewRequest, responses(
    (status = 200, description = "The posts", body = PreviewView),
    (status = 422, description = "No posts were found, or the address is not allowed"),
    (status = 502, description = "The site failed to respond"),
    (status = 504, description = "The site took too long"),
))]
pub(crate) async fn preview_site(
    State(app): State<ApiState>,
    _: Caller,
    _: OutboundPermit,
    JsonBody(request): JsonBody<PreviewRequest>,
) -> Result<Json<PreviewView>, ApiError> {
    let preview = app.watcher.preview(&request.url).await?;
    Ok(Json(PreviewView {
        url: preview.url.to_string(),
        title: preview.title,
        source: preview.source.into(),
        source_url: preview.source_url.to_string(),
        lists: preview.lists.into_iter().map(PostListView::from).collect(),
    }))
}

/// The options of a subscription to a site, whose posts usually start as read.
pub(crate) fn site_options(folder: Option<FolderId>, is_unread: bool) -> SubscribeOptions {
    SubscribeOptions { folder: folder.map(SubscribeFolder::Id), start_read: !is_unread, ..SubscribeOptions::default() }
}

const NEVER_CHECKED: LocalizedText =
    LocalizedText { en: "It has not been checked yet.", ja: "まだ一度も確認していません。" };
const QUIET: LocalizedText = LocalizedText {
    en: "There has been no new post for much longer than usual. Open the site to see whether it has moved.",
    ja: "いつもよりかなり長い間、新しい記事がありません。サイトを開いて、移転していないか確認してください。",
};
const REBUILT: LocalizedText = LocalizedText {
    en: "Many posts appeared at once. They look old, so they did not become items.",
    ja: "一度に多くの記事が現れました。古い記事とみなし、新着にはしていません。",
};

impl WatchedBlogView {
    /// The site, and its posts.
    fn of(blog: Blog, language: Language) -> (WatchedBlogView, Vec<SitePost>) {
        let state_text = match blog.state {
            WatchState::Ok => String::new(),
            WatchState::New => NEVER_CHECKED.in_language(language).to_owned(),
            WatchState::Quiet => QUIET.in_language(language).to_owned(),
            WatchState::Rebuilt => REBUILT.in_language(language).to_owned(),
            WatchState::Failing | WatchState::Stopped => {
                let (code, status) = (blog.feed.error_code.as_deref(), blog.feed.fetch_status);
                feed_problem_text(code, status, language).unwrap_or_default()
            }
        };
        let view = WatchedBlogView {
            id: blog.id,
            feed_id: blog.feed.id,
            name: blog.name,
            url: blog.feed.feed_url,
            is_operators: blog.is_operators,
            state: blog.state.into(),
            state_text,
            source: blog.source.map(SourceView::from),
            source_url: blog.source_url,
            last_check_at: blog.last_check_at,
            last_change_at: blog.last_change_at,
            next_check_at: blog.feed.next_fetch_at,
            subscription_id: blog.subscription,
            can_check: blog.can_check,
            can_edit: blog.can_edit,
            include_words: blog.include_words,
            exclude_words: blog.exclude_words,
            days: blog.days.into_iter().map(DayOfChecksView::from).collect(),
        };
        (view, blog.posts)
    }
}

impl From<WatchState> for WatchStateView {
    fn from(state: WatchState) -> Self {
        match state {
            WatchState::New => WatchStateView::New,
            WatchState::Ok => WatchStateView::Ok,
            WatchState::Quiet => WatchStateView::Quiet,
            WatchState::Rebuilt => WatchStateView::Rebuilt,
            WatchState::Failing => WatchStateView::Failing,
            WatchState::Stopped => WatchStateView::Stopped,
        }
    }
}

impl From<Source> for SourceView {
    fn from(source: Source) -> Self {
        match source {
            Source::Feed => SourceView::Feed,
            Source::Sitemap => SourceView::Sitemap,
            Source::Page => SourceView::Page,
        }
    }
}

impl From<DayOfChecks> for DayOfChecksView {
    fn from(row: DayOfChecks) -> Self {
        let DayOfChecks { day, changed, failed, checks, .. } = row;
        DayOfChecksView { day, changed, failed, unchanged: checks - changed - failed }
    }
}

impl From<SitePost> for WatchPostView {
    fn from(post: SitePost) -> Self {
        WatchPostView { url: post.url.to_string(), title: post.title, published_at: post.published_at }
    }
}

impl From<PostChoice> for PostListView {
    fn from(list: PostChoice) -> Self {
        PostListView { id: list.id, posts: list.posts.into_iter().map(WatchPostView::from).collect() }
    }
}
