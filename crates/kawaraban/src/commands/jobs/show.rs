//! Prints jobs.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::Value;
use store::jobs::{JobRecord, JobStatus};

use crate::{
    failure::Failure,
    output::{self, on_one_line},
};

/// Prints jobs, one per line.
pub fn list(jobs: &[JobRecord], json: bool) -> Result<(), Failure> {
    if json {
        let lines: Result<String, Failure> = jobs.iter().map(|job| Ok(json_text(job)? + "\n")).collect();
        return output::print(&lines?);
    }
    let rows: Vec<[String; 7]> = jobs.iter().map(row).collect();
    output::print_table(["ID", "STATUS", "KIND", "ATTEMPTS", "RUN AT", "KEY", "LAST ERROR"], &rows)
}

/// Prints all details of a job.
pub fn one(job: &JobRecord, json: bool) -> Result<(), Failure> {
    if json {
        return output::print(&(json_text(job)? + "\n"));
    }
    let lines = [
        ("id", job.id.to_string()),
        ("kind", job.kind.clone()),
        ("key", job.key.clone().unwrap_or_default()),
        ("lane", job.lane.clone().unwrap_or_default()),
        ("status", status_text(job.status).to_owned()),
        ("priority", job.priority.to_string()),
        ("attempts", attempts(job)),
        ("run_at", time(job.run_at)),
        ("created_at", time(job.created_at)),
        ("updated_at", time(job.updated_at)),
        ("locked_by", job.locked_by.clone().unwrap_or_default()),
        ("locked_at", job.locked_at.map(time).unwrap_or_default()),
        ("lease_expires_at", job.lease_expires_at.map(time).unwrap_or_default()),
        ("last_error", job.last_error.clone().unwrap_or_default()),
        ("payload", job.payload.clone()),
    ];
    let text: String = lines
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}: {}\n", on_one_line(value)))
        .collect();
    output::print(&text)
}

/// A status as in the database and on the command line.
pub fn status_text(status: JobStatus) -> &'static str {
    match status {
        JobStatus::Queued => "queued",
        JobStatus::Processing => "processing",
        JobStatus::Succeeded => "succeeded",
        JobStatus::Failed => "failed",
    }
}

fn row(job: &JobRecord) -> [String; 7] {
    [
        job.id.to_string(),
        status_text(job.status).to_owned(),
        job.kind.clone(),
        attempts(job),
        time(job.run_at),
        job.key.clone().unwrap_or_default(),
        job.last_error.clone().unwrap_or_default(),
    ]
}

fn attempts(job: &JobRecord) -> String {
    format!("{}/{}", job.attempts, job.max_attempts)
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A job as JSON, with its payload as a JSON value.
fn json_text(job: &JobRecord) -> Result<String, Failure> {
    let mut value =
        serde_json::to_value(job).map_err(|error| Failure::because("cannot write the job as JSON", &error))?;
    if let Some(payload) = value.get_mut("payload")
        && let Ok(parsed) = serde_json::from_str::<Value>(&job.payload)
    {
        *payload = parsed;
    }
    Ok(value.to_string())
}
