//! Import and export of subscriptions as OPML.

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
    imports::{Import, ImportOutcome, ImportedFeed},
};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState, Error, Language,
    access::OutboundPermit,
    caller::Caller,
    error::{added_problem_text, import_failure_text},
    extract::PathId,
};

pub(crate) const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;

/// The progress of an import.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportView {
    /// The id of the import.
    #[schema(value_type = Uuid)]
    id: ImportId,
    /// The number of feeds in the file.
    total: i64,
    /// The number of feeds that are not processed yet.
    waiting: i64,
    /// The number of new subscriptions.
    added: i64,
    /// The number of feeds that were already subscribed.
    present: i64,
    /// The number of feeds that could not be added.
    failed: i64,
    /// The time of the import.
    created_at: DateTime<Utc>,
}

/// The progress of an import, with all its feeds.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportDetailView {
    /// The id of the import.
    #[schema(value_type = Uuid)]
    id: ImportId,
    /// The number of feeds in the file.
    total: i64,
    /// The number of feeds that are not processed yet.
    waiting: i64,
    /// The number of new subscriptions.
    added: i64,
    /// The number of feeds that were already subscribed.
    present: i64,
    /// The number of feeds that could not be added.
    failed: i64,
    /// The time of the import.
    created_at: DateTime<Utc>,
    /// The feeds, in the order of the file.
    feeds: Vec<ImportFeedView>,
}

/// A feed of an import and its outcome.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportFeedView {
    /// The address in the file.
    feed_url: String,
    /// The title in the file; empty if there is none.
    title: String,
    /// The name of its folder.
    folder: Option<String>,
    /// The outcome.
    outcome: ImportOutcomeView,
    /// The id of the feed, if it was added.
    #[schema(value_type = Option<Uuid>)]
    feed_id: Option<FeedId>,
    /// The error code if it could not be added, or was added but not fetched. New codes may be added.
    error_code: Option<String>,
    /// The error and what to do about it, in the language of the request.
    message: Option<String>,
}

/// The outcome of a feed of an import.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ImportOutcome)]
pub(crate) enum ImportOutcomeView {
    /// Not processed yet.
    Waiting,
    /// Subscribed.
    Added,
    /// Already subscribed before.
    Present,
    /// Could not be added.
    Failed,
}

/// The OPML file in the body of a request.
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

/// The content type, which must be an XML type or `application/octet-stream`.
fn content_type(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Err(Error::OpmlExpected.into()) };
    let text = value.to_str().map_err(|_| Error::OpmlExpected)?;
    let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_xml = matches!(essence.as_str(), "text/xml" | "application/xml" | "text/x-opml" | "application/x-opml")
        || essence.ends_with("+xml");
    match essence.as_str() {
        _ if is_xml => Ok(Some(text.to_owned())),
        // Browsers send this for an unknown type of file.
        "application/octet-stream" => Ok(None),
        _ => Err(Error::OpmlExpected.into()),
    }
}

/// Import an OPML file
///
/// The body is the file, with up to 5 MB and 5,000 feeds. Folders are created at once; the names of nested folders are joined
/// with " / ". Feeds are subscribed to in the background. A feed that cannot be fetched is added with its error.
#[utoipa::path(post, path = "/api/opml", tag = "opml",
    request_body(description = "The file", content(
        (String = "text/x-opml"), (String = "text/xml"), (String = "application/xml"), (String = "application/octet-stream"))),
    responses(
    (status = 202, description = "The import has started", body = ImportView,
        headers(("Location" = String, description = "The path of the import"))),
))]
pub(crate) async fn import_opml(
    State(app): State<ApiState>,
    caller: Caller,
    _: OutboundPermit,
    file: OpmlFile,
) -> Result<Response, ApiError> {
    let import = app.reader.import_opml(caller.user_id, file.bytes.to_vec(), file.content_type).await?;
    let found = app.reader.get_import(caller.user_id, import).await?.ok_or(Error::NotFound)?;
    let location = format!("/api/opml/imports/{import}");
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(ImportView::from(found))).into_response())
}

/// Export subscriptions as OPML
///
/// All subscriptions with their folders and titles.
#[utoipa::path(get, path = "/api/opml", tag = "opml", responses(
    (status = 200, description = "The file", content_type = "text/x-opml", body = String)
))]
pub(crate) async fn export_opml(State(app): State<ApiState>, caller: Caller) -> Result<Response, ApiError> {
    let file = app.reader.export_opml(caller.user_id).await?;
    let day = app.reader.clock().now().format("%Y-%m-%d");
    let file_headers = [
        (header::CONTENT_TYPE, "text/x-opml; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"kawaraban-{day}.opml\"")),
    ];
    Ok((file_headers, file).into_response())
}

/// List imports
///
/// The last ten imports, the newest first.
#[utoipa::path(get, path = "/api/opml/imports", tag = "opml", responses(
    (status = 200, description = "The imports", body = Vec<ImportView>)
))]
pub(crate) async fn list_imports(
    State(app): State<ApiState>,
    caller: Caller,
) -> Result<Json<Vec<ImportView>>, ApiError> {
    let imports = app.reader.list_imports(caller.user_id).await?;
    Ok(Json(imports.into_iter().map(ImportView::from).collect()))
}

/// Get an import
///
/// Its progress, with the outcome of each feed.
#[utoipa::path(get, path = "/api/opml/imports/{id}", tag = "opml",
    params(("id" = Uuid, Path, description = "The import")),
    responses((status = 200, description = "The import", body = ImportDetailView)))]
pub(crate) async fn get_import(
    State(app): State<ApiState>,
    caller: Caller,
    language: Language,
    PathId(id): PathId<ImportId>,
) -> Result<Json<ImportDetailView>, ApiError> {
    let import = app.reader.get_import(caller.user_id, id).await?.ok_or(Error::NotFound)?;
    let feeds = app.reader.list_import_feeds(caller.user_id, id).await?;
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
    fn of(feed: ImportedFeed, language: Language) -> ImportFeedView {
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
