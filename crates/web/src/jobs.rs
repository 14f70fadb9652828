//! Background jobs, for the owner: look, retry, cancel.

use axum::{Json, extract::State};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use store::{
    JobId,
    jobs::{self, Cancelled, Job, JobStatus, KindStats, Retried},
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, App, Error,
    caller::Caller,
    extract::{PathId, QueryString},
    pagination::{Cursor, PAGE, next_cursor},
};

/// A background job.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobView {
    /// Its id.
    #[schema(value_type = Uuid)]
    id: JobId,
    /// What it does.
    kind: String,
    /// What makes it one of its kind.
    key: Option<String>,
    /// What it does it with, as JSON.
    payload: String,
    /// 1 goes first, 4 last.
    priority: i64,
    /// Where it is in its life.
    status: StatusView,
    /// How often it was started.
    attempts: i64,
    /// How often it may be started.
    max_attempts: i64,
    /// Not before this time.
    run_at: DateTime<Utc>,
    /// Why the last attempt failed.
    last_error: Option<String>,
    /// Which worker holds it.
    locked_by: Option<String>,
    /// When it was enqueued.
    created_at: DateTime<Utc>,
    /// When it last changed.
    updated_at: DateTime<Utc>,
}

/// Where a job is in its life.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = JobStatus)]
pub(crate) enum StatusView {
    /// Waiting for its time or for a worker.
    Queued,
    /// Held by a worker.
    Processing,
    /// Done.
    Succeeded,
    /// Given up or cancelled.
    Failed,
}

/// Jobs, and how many wait and run.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobsView {
    /// This page of jobs.
    jobs: Vec<JobView>,
    /// Where the next page begins; null on the last one.
    next_cursor: Option<String>,
    /// How many jobs of each kind wait and run.
    kinds: Vec<JobKindView>,
}

/// How many jobs of a kind wait and run.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobKindView {
    /// The kind.
    kind: String,
    /// Waiting and due.
    ready: i64,
    /// Waiting for their time.
    scheduled: i64,
    /// Running.
    running: i64,
    /// When the first of the ready ones became due.
    oldest_ready_at: Option<DateTime<Utc>>,
}

/// Which jobs to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct JobsQuery {
    /// Only jobs in this state.
    #[param(inline)]
    status: Option<StatusView>,
    /// Only jobs of this kind.
    kind: Option<String>,
    /// Where to go on: `next_cursor` of the page before.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// List background jobs
///
/// 50 a page: the newest first, waiting ones in the order of their time. Only for the owner.
#[utoipa::path(get, path = "/api/admin/jobs", tag = "admin", params(JobsQuery), responses(
    (status = 200, description = "A page of jobs", body = JobsView),
    (status = 403, description = "Only the owner may see this"),
))]
pub(crate) async fn list_jobs(
    State(app): State<App>,
    caller: Caller,
    QueryString(query): QueryString<JobsQuery>,
) -> Result<Json<JobsView>, ApiError> {
    caller.must_be_owner()?;
    let after = query.cursor.map(Cursor::place).transpose()?;
    let status = query.status.map(JobStatus::from);
    let rows = jobs::list_page(&app.db, status, query.kind.as_deref(), after, PAGE + 1).await?;
    let kinds = jobs::count_by_kind(&app.db, app.reader.clock().now()).await?;
    let (rows, next_cursor) = next_cursor(rows, |job| (jobs::list_position(job, status), job.id.into()));
    Ok(Json(JobsView {
        jobs: rows.into_iter().map(JobView::from).collect(),
        next_cursor,
        kinds: kinds.into_iter().map(JobKindView::from).collect(),
    }))
}

/// Retry a failed job
///
/// It waits again, due now, with all its attempts before it. Only for the owner.
#[utoipa::path(post, path = "/api/admin/jobs/{id}/retry", tag = "admin",
    params(("id" = Uuid, Path, description = "The job")), responses(
    (status = 200, description = "The job as it is now", body = JobView),
    (status = 403, description = "Only the owner may do this"),
    (status = 409, description = "It has not failed, or another job does the same already"),
))]
pub(crate) async fn retry_job(
    State(app): State<App>,
    caller: Caller,
    PathId(id): PathId<JobId>,
) -> Result<Json<JobView>, ApiError> {
    caller.must_be_owner()?;
    match jobs::retry(&app.db, app.reader.clock().now(), id).await? {
        Retried::Queued => get_view(&app, id).await,
        Retried::NotFailed(_) => Err(Error::JobNotFailed.into()),
        Retried::KeyTaken => Err(Error::JobKeyTaken.into()),
        Retried::Unknown => Err(Error::NotFound.into()),
    }
}

/// Cancel a waiting job
///
/// It becomes a failed one and can be retried. Only for the owner.
#[utoipa::path(post, path = "/api/admin/jobs/{id}/cancel", tag = "admin",
    params(("id" = Uuid, Path, description = "The job")), responses(
    (status = 200, description = "The job as it is now", body = JobView),
    (status = 403, description = "Only the owner may do this"),
    (status = 409, description = "It does not wait any more"),
))]
pub(crate) async fn cancel_job(
    State(app): State<App>,
    caller: Caller,
    PathId(id): PathId<JobId>,
) -> Result<Json<JobView>, ApiError> {
    caller.must_be_owner()?;
    match jobs::cancel(&app.db, app.reader.clock().now(), id, "cancelled by hand").await? {
        Cancelled::Failed => get_view(&app, id).await,
        Cancelled::NotQueued(_) => Err(Error::JobNotQueued.into()),
        Cancelled::Unknown => Err(Error::NotFound.into()),
    }
}

async fn get_view(app: &App, id: JobId) -> Result<Json<JobView>, ApiError> {
    let job = jobs::get(&app.db, id).await?.ok_or(Error::NotFound)?;
    Ok(Json(JobView::from(job)))
}

impl From<Job> for JobView {
    fn from(job: Job) -> Self {
        JobView {
            id: job.id,
            kind: job.kind,
            key: job.key,
            payload: job.payload,
            priority: job.priority,
            status: job.status.into(),
            attempts: job.attempts,
            max_attempts: job.max_attempts,
            run_at: job.run_at,
            last_error: job.last_error,
            locked_by: job.locked_by,
            created_at: job.created_at,
            updated_at: job.updated_at,
        }
    }
}

impl From<KindStats> for JobKindView {
    fn from(KindStats { kind, ready, scheduled, running, oldest_ready_at }: KindStats) -> Self {
        JobKindView { kind, ready, scheduled, running, oldest_ready_at }
    }
}

impl From<JobStatus> for StatusView {
    fn from(status: JobStatus) -> Self {
        match status {
            JobStatus::Queued => StatusView::Queued,
            JobStatus::Processing => StatusView::Processing,
            JobStatus::Succeeded => StatusView::Succeeded,
            JobStatus::Failed => StatusView::Failed,
        }
    }
}

impl From<StatusView> for JobStatus {
    fn from(status: StatusView) -> Self {
        match status {
            StatusView::Queued => JobStatus::Queued,
            StatusView::Processing => JobStatus::Processing,
            StatusView::Succeeded => JobStatus::Succeeded,
            StatusView::Failed => JobStatus::Failed,
        }
    }
}
