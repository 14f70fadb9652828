//! Lists of subscriptions as OPML files, in and out.

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequest, Request, State},
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use http::{HeaderMap, StatusCode, header};
use serde::Serialize;
use store::{
    FeedId, ImportId,
    imports::{Import, ImportFeed, ImportOutcome},
};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState, Error, Language,
    access::OutboundPermit,
    caller::Caller,
    error::{added_problem_text, import_failure_text},
    extract::PathId,
};

/// The largest file.
pub(crate) const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;

/// A file on its way in, and how far it is.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportView {
    /// Its id.
    #[schema(value_type = Uuid)]
    id: ImportId,
    /// How many feeds it has.
    total: i64,
    /// How many of them wait for their turn.
    waiting: i64,
    /// How many are new.
    added: i64,
    /// How many were there already.
    present: i64,
    /// How many could not be added.
    failed: i64,
    /// When it came.
    created_at: DateTime<Utc>,
}

/// A file on its way in, with all of its feeds.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportDetailView {
    /// Its id.
    #[schema(value_type = Uuid)]
    id: ImportId,
    /// How many feeds it has.
    total: i64,
    /// How many of them wait for their turn.
    waiting: i64,
    /// How many are new.
    added: i64,
    /// How many were there already.
    present: i64,
    /// How many could not be added.
    failed: i64,
    /// When it came.
    created_at: DateTime<Utc>,
    /// Its feeds, in its order.
    feeds: Vec<ImportFeedView>,
}

/// A feed of a file, and what became of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportFeedView {
    /// Where it is, by the file.
    feed_url: String,
    /// What the file calls it; empty if it does not say.
    title: String,
    /// The folder it goes to.
    folder: Option<String>,
    /// What became of it.
    outcome: ImportOutcomeView,
    /// The feed it became.
    #[schema(value_type = Option<Uuid>)]
    feed_id: Option<FeedId>,
    /// Why it could not be added, or why it was added without articles, for programs. More codes may come.
    error_code: Option<String>,
    /// The same for people, and what to do.
    message: Option<String>,
}

/// What became of a feed of a file.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ImportOutcome)]
pub(crate) enum ImportOutcomeView {
    /// Its turn has not come.
    Waiting,
    /// It is there now.
    Added,
    /// It was there already.
    Present,
    /// It could not be added.
    Failed,
}

/// A file in the body of a request, of a type that such files come with.
pub(crate) struct OpmlFile {
    bytes: Bytes,
    content_type: Option<String>,
}

impl<S: Send + Sync> FromRequest<S> for OpmlFile {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let content_type = content_type(request.headers())?;
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            let is_too_large = rejection.status() == StatusCode::PAYLOAD_TOO_LARGE;
            if is_too_large { Error::BodyTooLarge } else { Error::InvalidRequest }
        })?;
        Ok(OpmlFile { bytes, content_type })
    }
}

/// The type of the body, which must be one of XML, or none in particular.
fn content_type(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Err(Error::OpmlExpected.into()) };
    let text = value.to_str().map_err(|_| Error::OpmlExpected)?;
    let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_xml = matches!(essence.as_str(), "text/xml" | "application/xml" | "text/x-opml" | "application/x-opml")
        || essence.ends_with("+xml");
    match essence.as_str() {
        _ if is_xml => Ok(Some(text.to_owned())),
        // What browsers send for a file they do not know.
        "application/octet-stream" => Ok(None),
        _ => Err(Error::OpmlExpected.into()),
    }
}

/// Import an OPML file
///
/// The body is the file itself, up to 5 MB and 5,000 feeds. Its folders are made at once (nested names are joined with
/// " / "); its feeds are subscribed to in the background. A feed that cannot be fetched is added all the same and says why.
#[utoipa::path(post, path = "/api/opml", tag = "opml",
    request_body(description = "The file", content(
        (String = "text/x-opml"), (String = "text/xml"), (String = "application/xml"), (String = "application/octet-stream"))),
    responses(
    (status = 202, description = "It is on its way in; `Location` tells how far it is", body = ImportView,
        headers(("Location" = String, description = "The import"))),
))]
pub(crate) async fn import_opml(
    State(app): State<ApiState>,
    caller: Caller,
    _: OutboundPermit,
    file: OpmlFile,
) -> Result<Response, ApiError> {
    let import = app.reader.import_opml(caller.user_id, file.bytes.to_vec(), file.content_type).await?;
    let found = app.reader.import(caller.user_id, import).await?.ok_or(Error::NotFound)?;
    let location = format!("/api/opml/imports/{import}");
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(ImportView::from(found))).into_response())
}

/// Export all subscriptions as OPML
///
/// With their folders and titles.
#[utoipa::path(get, path = "/api/opml", tag = "opml", responses(
    (status = 200, description = "The file", content_type = "text/x-opml", body = String)
))]
pub(crate) async fn export_opml(State(app): State<ApiState>, caller: Caller) -> Result<Response, ApiError> {
    let file = app.reader.export_opml(caller.user_id).await?;
    let day = app.reader.clock().now().format("%Y-%m-%d");
    let about = [
        (header::CONTENT_TYPE, "text/x-opml; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"kawaraban-{day}.opml\"")),
    ];
    Ok((about, file).into_response())
}

/// List imports
///
/// The latest ten, the newest first.
#[utoipa::path(get, path = "/api/opml/imports", tag = "opml", responses(
    (status = 200, description = "The imports", body = Vec<ImportView>)
))]
pub(crate) async fn list_imports(
    State(app): State<ApiState>,
    caller: Caller,
) -> Result<Json<Vec<ImportView>>, ApiError> {
    let imports = app.reader.imports(caller.user_id).await?;
    Ok(Json(imports.into_iter().map(ImportView::from).collect()))
}

/// See how far an import is
///
/// With what became of each feed.
#[utoipa::path(get, path = "/api/opml/imports/{id}", tag = "opml",
    params(("id" = Uuid, Path, description = "The import")),
    responses((status = 200, description = "The import", body = ImportDetailView)))]
pub(crate) async fn get_import(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    PathId(id): PathId<ImportId>,
) -> Result<Json<ImportDetailView>, ApiError> {
    let import = app.reader.import(caller.user_id, id).await?.ok_or(Error::NotFound)?;
    let feeds = app.reader.import_feeds(caller.user_id, id).await?;
    let ImportView { id, total, waiting, added, present, failed, created_at } = ImportView::from(import);
    let feeds = feeds.into_iter().map(|feed| ImportFeedView::of(feed, language)).collect();
    Ok(Json(ImportDetailView { id, total, waiting, added, present, failed, created_at, feeds }))
}

impl From<Import> for ImportView {
    fn from(import: Import) -> Self {
        let Import { id, total, waiting, added, present, failed, created_at } = import;
        ImportView { id, total, waiting, added, present, failed, created_at }
    }
}

impl ImportFeedView {
    fn of(feed: ImportFeed, language: Language) -> ImportFeedView {
        let message = feed.error_code.as_deref().and_then(|code| match feed.outcome {
            ImportOutcome::Failed => Some(import_failure_text(code, language)),
            _ => added_problem_text(code, language),
        });
        ImportFeedView {
            feed_url: feed.feed_url,
            title: feed.title,
            folder: feed.folder,
            outcome: feed.outcome.into(),
            feed_id: feed.feed_id,
            error_code: feed.error_code,
            message,
        }
    }
}

impl From<ImportOutcome> for ImportOutcomeView {
    fn from(outcome: ImportOutcome) -> Self {
        match outcome {
            ImportOutcome::Waiting => ImportOutcomeView::Waiting,
            ImportOutcome::Added => ImportOutcomeView::Added,
            ImportOutcome::Present => ImportOutcomeView::Present,
            ImportOutcome::Failed => ImportOutcomeView::Failed,
        }
    }
}
