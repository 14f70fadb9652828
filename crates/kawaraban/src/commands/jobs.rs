//! `jobs`: list background jobs, retry failed ones, cancel queued ones.

mod show;

use store::{
    Clock, Db, JobId,
    jobs::{self, Cancelled, JobStatus, Retried, RetryFilter},
};

use crate::{
    cli::{JobsCommand, RetryArgs},
    config::Config,
    database,
    failure::Failure,
    output,
};

/// Runs a command on a migrated database.
pub async fn run(config: &Config, command: JobsCommand) -> Result<(), Failure> {
    let (db, clock) = database::open_ready(config).await?;
    let done = dispatch(&db, &clock, command).await;
    database::close(&db).await;
    done
}

async fn dispatch(db: &Db, clock: &Clock, command: JobsCommand) -> Result<(), Failure> {
    match command {
        JobsCommand::List { status, kind, limit, json } => {
            show::list(&jobs::list(db, status.map(JobStatus::from), kind.as_deref(), limit).await?, json)
        }
        JobsCommand::Show { id, json } => match jobs::get(db, id).await? {
            Some(job) => show::one(&job, json),
            None => Err(unknown(id)),
        },
        JobsCommand::Retry(which) => retry(db, clock, which).await,
        JobsCommand::Cancel { id, reason } => cancel(db, clock, id, &reason).await,
    }
}

async fn retry(db: &Db, clock: &Clock, which: RetryArgs) -> Result<(), Failure> {
    let Some(id) = which.id else {
        let filter = RetryFilter { kind: which.kind, error: which.error };
        let count = jobs::retry_all(db, clock.now(), &filter).await?;
        return output::print(&match count {
            0 => "no failed job matches, nothing changed\n".to_owned(),
            1 => "1 job is queued again\n".to_owned(),
            count => format!("{count} jobs are queued again\n"),
        });
    };
    match jobs::retry(db, clock.now(), id).await? {
        Retried::Queued => output::print(&format!("job {id} is queued again\n")),
        Retried::NotFailed(status) => {
            Err(Failure::new(format!("job {id} is {}: only a failed job can be retried", show::status_text(status))))
        }
        Retried::KeyTaken => Err(Failure::new(format!(
            "job {id} cannot be retried: another job with its kind and key is queued or running"
        ))),
        Retried::Unknown => Err(unknown(id)),
    }
}

async fn cancel(db: &Db, clock: &Clock, id: JobId, reason: &str) -> Result<(), Failure> {
    match jobs::cancel(db, clock.now(), id, reason).await? {
        Cancelled::Failed => output::print(&format!("job {id} is cancelled\n")),
        Cancelled::NotQueued(status) => {
            Err(Failure::new(format!("job {id} is {}: only a queued job can be cancelled", show::status_text(status))))
        }
        Cancelled::Unknown => Err(unknown(id)),
    }
}

fn unknown(id: JobId) -> Failure {
    Failure::new(format!("there is no job {id}: `kawaraban jobs list` lists all jobs"))
}
