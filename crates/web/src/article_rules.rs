//! The rules of a feed for the pages of its items.

use axum::{Json, extract::State};
use http::StatusCode;
use read::ArticleRules;
use serde::{Deserialize, Serialize};
use store::FeedId;
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState, Language,
    caller::Caller,
    error::page_problem_text,
    extract::{JsonBody, PathId},
};

/// CSS selectors for the pages of a feed's items. They correct a wrong whole text.
#[derive(Serialize, Deserialize, ToSchema)]
pub(crate) struct ArticleRulesView {
    /// What the text is. Empty to let it be found.
    #[schema(examples(".post-body"))]
    content: String,
    /// What does not belong to the text: one selector in each line.
    drop: String,
}

/// What the page of the newest item looks like with some rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct ArticlePreviewView {
    /// The address of the page.
    link: String,
    /// The text, as sanitised HTML.
    html: Option<String>,
    /// Why there is no text, in the language of the request.
    error_message: Option<String>,
}

/// Get the rules of a feed
///
/// Only for its subscribers.
#[utoipa::path(get, path = "/api/feeds/{id}/article-rules", tag = "feeds",
    params(("id" = Uuid, Path, description = "The feed")), responses(
    (status = 200, description = "The rules", body = ArticleRulesView),
))]
pub(crate) async fn get_article_rules(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
) -> Result<Json<ArticleRulesView>, ApiError> {
    let ArticleRules { content, drop } = app.reader.get_article_rules(caller.user_id, id).await?;
    Ok(Json(ArticleRulesView { content, drop }))
}

/// Change the rules of a feed
///
/// The rules apply to all subscribers: only an owner, or the only subscriber, may change them. The pages of the newest items are
/// fetched again.
#[utoipa::path(put, path = "/api/feeds/{id}/article-rules", tag = "feeds", request_body = ArticleRulesView,
    params(("id" = Uuid, Path, description = "The feed")), responses(
    (status = 204, description = "Changed"),
    (status = 403, description = "Others read this feed too"),
))]
pub(crate) async fn update_article_rules(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
    JsonBody(rules): JsonBody<ArticleRulesView>,
) -> Result<StatusCode, ApiError> {
    app.reader.set_article_rules(caller.user_id, caller.is_owner, id, &rules.into()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Preview the rules of a feed
///
/// Fetches the page of the newest item and applies the rules, without storing them.
#[utoipa::path(post, path = "/api/feeds/{id}/article-preview", tag = "feeds", request_body = ArticleRulesView,
    params(("id" = Uuid, Path, description = "The feed")), responses(
    (status = 200, description = "The text, or the reason why there is none", body = ArticlePreviewView),
    (status = 409, description = "No item of the feed has a page"),
))]
pub(crate) async fn preview_article(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FeedId>,
    language: Language,
    JsonBody(rules): JsonBody<ArticleRulesView>,
) -> Result<Json<ArticlePreviewView>, ApiError> {
    let preview = app.reader.preview_article(caller.user_id, id, &rules.into()).await?;
    let error_message = preview.html.as_ref().err().map(|problem| page_problem_text(problem.code(), language));
    Ok(Json(ArticlePreviewView { link: preview.link, html: preview.html.ok(), error_message }))
}

impl From<ArticleRulesView> for ArticleRules {
    fn from(ArticleRulesView { content, drop }: ArticleRulesView) -> Self {
        ArticleRules { content, drop }
    }
}
