//! Background jobs, for owners.

use axum::{Json, extract::State};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use store::{
    JobId,
    jobs::{self, Cancelled, JobRecord, JobStatus, KindStats, Retried},
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError, ApiState, Error,
    caller::Caller,
    extract::{PathId, QueryString},
    pagination::{Cursor, PAGE_SIZE, next_cursor},
};

/// A background job.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobView {
    /// The id of the job.
    #[schema(value_type = Uuid)]
    id: JobId,
    /// The kind of job.
    kind: String,
    /// The key that makes the job unique among its kind.
    key: Option<String>,
    /// The input of the job, as JSON.
    payload: String,
    /// The priority, from 1 (highest) to 4.
    priority: i64,
    /// The status.
    status: JobStatusView,
    /// The number of attempts so far.
    attempts: i64,
    /// The maximum number of attempts.
    max_attempts: i64,
    /// The earliest time of the next attempt.
    run_at: DateTime<Utc>,
    /// The error of the last failed attempt.
    last_error: Option<String>,
    /// The worker that runs the job.
    locked_by: Option<String>,
    /// The time it was enqueued.
    created_at: DateTime<Utc>,
    /// The time of the last change.
    updated_at: DateTime<Utc>,
}

/// The status of a job.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = JobStatus)]
pub(crate) enum JobStatusView {
    /// Waiting for its time or for a worker.
    Queued,
    /// Running.
    Processing,
    /// Finished.
    Succeeded,
    /// Given up or cancelled.
    Failed,
}

/// A page of jobs, and the number of active jobs by kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobsView {
    /// The jobs of this page.
    jobs: Vec<JobView>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
    /// The number of active jobs by kind.
    kinds: Vec<JobKindView>,
}

/// The number of active jobs of one kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobKindView {
    /// The kind.
    kind: String,
    /// Jobs that are due.
    ready: i64,
    /// Jobs that wait for their time.
    scheduled: i64,
    /// Jobs that run.
    running: i64,
    /// The time the oldest ready job became due.
    oldest_ready_at: Option<DateTime<Utc>>,
}

/// Parameters of the list of jobs.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct JobsQuery {
    /// Only jobs with this status.
    #[param(inline)]
    status: Option<JobStatusView>,
    /// Only jobs of this kind.
    kind: Option<String>,
    /// The `next_cursor` of the previous page.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// List background jobs
///
/// 50 jobs per page, the newest first; queued jobs are sorted by their time. For owners only.
#[utoipa::path(get, path = "/api/admin/jobs", tag = "admin", params(JobsQuery), responses(
    (status = 200, description = "A page of jobs", body = JobsView),
    (status = 403, description = "Not an owner"),
))]
pub(crate) async fn list_jobs(
    State(app): State<ApiState>,
    caller: Caller,
    QueryString(query): QueryString<JobsQuery>,
) -> Result<Json<JobsView>, ApiError> {
    caller.require_owner()?;
    let after = query.cursor.map(Cursor::position).transpose()?;
    let status = query.status.map(JobStatus::from);
    let rows = jobs::list_page(&app.db, status, query.kind.as_deref(), after, PAGE_SIZE + 1).await?;
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
/// Queues the job again, due now, with all its attempts. For owners only.
#[utoipa::path(post, path = "/api/admin/jobs/{id}/retry", tag = "admin",
    params(("id" = Uuid, Path, description = "The job")), responses(
    (status = 200, description = "The updated job", body = JobView),
    (status = 403, description = "Not an owner"),
    (status = 409, description = "The job has not failed, or another job has the same key"),
))]
pub(crate) async fn retry_job(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<JobId>,
) -> Result<Json<JobView>, ApiError> {
    caller.require_owner()?;
    match jobs::retry(&app.db, app.reader.clock().now(), id).await? {
        Retried::Queued => get_view(&app, id).await,
        Retried::NotFailed(_) => Err(Error::JobNotFailed.into()),
        Retried::KeyTaken => Err(Error::JobKeyTaken.into()),
        Retried::Unknown => Err(Error::NotFound.into()),
    }
}

/// Cancel a queued job
///
/// The job becomes failed and can be retried. For owners only.
#[utoipa::path(post, path = "/api/admin/jobs/{id}/cancel", tag = "admin",
    params(("id" = Uuid, Path, description = "The job")), responses(
    (status = 200, description = "The updated job", body = JobView),
    (status = 403, description = "Not an owner"),
    (status = 409, description = "The job is not queued"),
))]
pub(crate) async fn cancel_job(
    State(app): State<ApiState>,
    caller: Caller,
    PathId(id): PathId<JobId>,
) -> Result<Json<JobView>, ApiError> {
    caller.require_owner()?;
    match jobs::cancel(&app.db, app.reader.clock().now(), id, "cancelled by hand").await? {
        Cancelled::Failed => get_view(&app, id).await,
        Cancelled::NotQueued(_) => Err(Error::JobNotQueued.into()),
        Cancelled::Unknown => Err(Error::NotFound.into()),
    }
}

async fn get_view(app: &ApiState, id: JobId) -> Result<Json<JobView>, ApiError> {
    let job = jobs::get(&app.db, id).await?.ok_or(Error::NotFound)?;
    Ok(Json(JobView::from(job)))
}

impl From<JobRecord> for JobView {
    fn from(job: JobRecord) -> Self {
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

impl From<JobStatus> for JobStatusView {
    fn from(status: JobStatus) -> Self {
        match status {
            JobStatus::Queued => JobStatusView::Queued,
            JobStatus::Processing => JobStatusView::Processing,
            JobStatus::Succeeded => JobStatusView::Succeeded,
            JobStatus::Failed => JobStatusView::Failed,
        }
    }
}

impl From<JobStatusView> for JobStatus {
    fn from(status: JobStatusView) -> Self {
        match status {
            JobStatusView::Queued => JobStatus::Queued,
            JobStatusView::Processing => JobStatus::Processing,
            JobStatusView::Succeeded => JobStatus::Succeeded,
            JobStatusView::Failed => JobStatus::Failed,
        }
    }
}
