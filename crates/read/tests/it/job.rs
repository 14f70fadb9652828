//! Running a job to its end, as a worker does.

use std::time::Duration;

use queue::{Job, Timing, Worker};
use store::jobs::{self, JobStatus};
use tokio_util::sync::CancellationToken;

use crate::newsroom::Newsroom;

/// Enqueues the job, lets a worker run it, and waits until it has succeeded.
pub async fn run_job<J: Job>(room: &Newsroom, job: J, context: J::Context) {
    let mut tx = room.db.begin().await.unwrap();
    let id = queue::enqueue(&mut tx, &room.clock, &job, Timing::default()).await.unwrap().id();
    tx.commit().await.unwrap();
    let settings = queue::Settings { poll: Duration::from_millis(20), ..queue::Settings::default() };
    let mut worker = Worker::new(room.db.clone(), room.clock.clone(), settings);
    worker.register::<J>(context);
    let stop = CancellationToken::new();
    let working = tokio::spawn(worker.run(stop.clone()));
    let succeeded = async {
        while jobs::get(&room.db, id).await.unwrap().unwrap().status != JobStatus::Succeeded {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), succeeded).await.expect("the job's end in time");
    stop.cancel();
    working.await.unwrap().unwrap();
}
