//! Folders for subscriptions.

use axum::{Json, extract::State, response::IntoResponse};
use http::StatusCode;
use read::FolderPatch;
use serde::{Deserialize, Serialize};
use store::{FolderId, folders::Folder};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState,
    caller::Caller,
    extract::{JsonBody, PathId},
    revision::with_revision,
};

/// A folder of subscriptions.
#[derive(Serialize, ToSchema)]
pub(crate) struct FolderView {
    /// The id of the folder.
    #[schema(value_type = Uuid)]
    id: FolderId,
    /// The name.
    name: String,
    /// The position among your folders, starting at 0.
    position: i64,
    /// The number of unread items in its feeds.
    unread_count: i64,
}

/// The folder to create.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewFolder {
    /// 1 to 100 characters without surrounding white space. It must be unique among your folders.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    name: String,
}

/// Changes to a folder. Omitted fields stay the same.
#[derive(Deserialize, ToSchema)]
pub(crate) struct FolderUpdate {
    /// The new name.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    name: Option<String>,
    /// The new position, starting at 0. Larger values mean the last position.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4294967295u32)]
    position: Option<u32>,
}

/// List folders
///
/// All folders, in your order.
#[utoipa::path(get, path = "/api/folders", tag = "folders", responses(
    (status = 200, description = "Your folders", body = Vec<FolderView>),
))]
pub(crate) async fn list_folders(
    State(app): State<ApiState>,
    caller: Caller,
) -> Result<Json<Vec<FolderView>>, ApiError> {
    let folders = app.reader.list_folders(caller.user_id).await?;
    Ok(Json(folders.into_iter().map(FolderView::from).collect()))
}

/// Create a folder
///
/// The new folder is the last one.
#[utoipa::path(post, path = "/api/folders", tag = "folders", request_body = NewFolder, responses(
    (status = 201, description = "The folder", body = FolderView),
    (status = 409, description = "The name is taken, or the limit of folders is reached"),
))]
pub(crate) async fn create_folder(
    State(app): State<ApiState>,
    caller: Caller,
    JsonBody(new): JsonBody<NewFolder>,
) -> Result<(StatusCode, Json<FolderView>), ApiError> {
    let folder = app.reader.create_folder(caller.user_id, &new.name).await?;
    Ok((StatusCode::CREATED, Json(FolderView::from(folder))))
}

/// Rename or move a folder
#[utoipa::path(patch, path = "/api/folders/{id}", tag = "folders",
    params(("id" = Uuid, Path, description = "The folder")), request_body = FolderUpdate, responses(
    (status = 200, description = "The updated folder", body = FolderView),
    (status = 409, description = "The name is taken"),
))]
pub(crate) async fn update_folder(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FolderId>,
    JsonBody(FolderUpdate { name, position }): JsonBody<FolderUpdate>,
) -> Result<Json<FolderView>, ApiError> {
    let folder = app.reader.update_folder(caller.user_id, id, &FolderPatch { name, position }).await?;
    Ok(Json(FolderView::from(folder)))
}

/// Delete a folder
///
/// Its subscriptions stay, without a folder.
#[utoipa::path(delete, path = "/api/folders/{id}", tag = "folders",
    params(("id" = Uuid, Path, description = "The folder")), responses(
    (status = 204, description = "Deleted",
        headers(("Kawaraban-Revision" = i64, description = "The number of your last write"))),
))]
pub(crate) async fn delete_folder(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FolderId>,
) -> Result<impl IntoResponse, ApiError> {
    let revision = app.reader.delete_folder(caller.user_id, id).await?;
    Ok(with_revision(revision, StatusCode::NO_CONTENT))
}

impl From<Folder> for FolderView {
    fn from(Folder { id, name, position, unread_count }: Folder) -> Self {
        FolderView { id, name, position, unread_count }
    }
}
