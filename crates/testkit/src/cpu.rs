//! Processor time, for measurements.

use std::{fs, time::Duration};

use store::Db;

/// The processor time of this process and, on PostgreSQL, of its connections on the server, which must be on this machine.
/// Linux only.
pub async fn cpu_time(db: &Db) -> Duration {
    let mut processes = vec!["self".to_owned()];
    if db.is_postgres() {
        let sql = "select cast(pid as bigint) from pg_stat_activity where datname = current_database()";
        let pids: Vec<(i64,)> = db.read(sql).all().await.expect("the server's processes");
        processes.extend(pids.into_iter().map(|(pid,)| pid.to_string()));
    }
    processes.iter().map(|process| of_process(process)).sum()
}

/// The first number of `schedstat` is nanoseconds on a processor.
fn of_process(process: &str) -> Duration {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let stats = threads.filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok());
    stats.filter_map(|stat| stat.split(' ').next()?.parse().ok()).map(Duration::from_nanos).sum()
}
