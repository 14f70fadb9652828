//! Folders for subscriptions.

use axum::{Json, extract::State};
use http::StatusCode;
use read::FolderPatch;
use serde::{Deserialize, Serialize};
use store::{FolderId, folders::Folder};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState,
    caller::Caller,
    extract::{JsonBody, PathId},
};

/// A folder.
#[derive(Serialize, ToSchema)]
pub(crate) struct FolderView {
    /// Its id.
    #[schema(value_type = Uuid)]
    id: FolderId,
    /// What you call it.
    name: String,
    /// Its place among your folders, from 0.
    position: i64,
    /// How many unread items its feeds have.
    unread_count: i64,
}

/// A folder to add.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewFolder {
    /// What to call it: 1 to 100 characters, white space around them aside; no two folders have the same name.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    name: String,
}

/// What to change about a folder; what is left out stays.
#[derive(Deserialize, ToSchema)]
pub(crate) struct FolderUpdate {
    /// Another name.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    name: Option<String>,
    /// Another place among your folders, from 0; the others make room. Beyond the last is the last.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4294967295u32)]
    position: Option<u32>,
}

/// List folders
///
/// All of them, in your order.
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

/// Add a folder
///
/// It comes behind the others.
#[utoipa::path(post, path = "/api/folders", tag = "folders", request_body = NewFolder, responses(
    (status = 201, description = "The folder", body = FolderView),
    (status = 409, description = "Another folder has this name, or you have as many as you may"),
))]
pub(crate) async fn create_folder(
    State(app): State<ApiState>,
    caller: Caller,
    JsonBody(new): JsonBody<NewFolder>,
) -> Result<(StatusCode, Json<FolderView>), ApiError> {
    let folder = app.reader.add_folder(caller.user_id, &new.name).await?;
    Ok((StatusCode::CREATED, Json(FolderView::from(folder))))
}

/// Rename or move a folder
#[utoipa::path(patch, path = "/api/folders/{id}", tag = "folders",
    params(("id" = Uuid, Path, description = "The folder")), request_body = FolderUpdate, responses(
    (status = 200, description = "The folder as it is now", body = FolderView),
    (status = 409, description = "Another folder has this name"),
))]
pub(crate) async fn update_folder(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FolderId>,
    JsonBody(FolderUpdate { name, position }): JsonBody<FolderUpdate>,
) -> Result<Json<FolderView>, ApiError> {
    let folder = app.reader.change_folder(caller.user_id, id, &FolderPatch { name, position }).await?;
    Ok(Json(FolderView::from(folder)))
}

/// Delete a folder
///
/// Its feeds stay, in no folder.
#[utoipa::path(delete, path = "/api/folders/{id}", tag = "folders",
    params(("id" = Uuid, Path, description = "The folder")), responses(
    (status = 204, description = "It is gone"),
))]
pub(crate) async fn delete_folder(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<FolderId>,
) -> Result<StatusCode, ApiError> {
    app.reader.remove_folder(caller.user_id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<Folder> for FolderView {
    fn from(Folder { id, name, position, unread_count }: Folder) -> Self {
        FolderView { id, name, position, unread_count }
    }
}
