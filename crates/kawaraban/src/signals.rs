//! SIGTERM and SIGINT: the first asks to stop, the second ends the process at once.

use std::{
    io, thread,
    time::{Duration, Instant},
};

use tokio::{
    runtime,
    signal::unix::{SignalKind, signal},
};
use tokio_util::sync::CancellationToken;

use crate::output;

/// What the shell reports for a process that a signal ended.
const TERMINATED: i32 = 143;
pub const INTERRUPTED: i32 = 130;
/// A signal so soon after the first is the same one: timeout(1) and some process managers signal the process and its
/// group.
const ECHO: Duration = Duration::from_millis(100);

/// A token that the first signal cancels.
///
/// Signals have a thread of their own: when every other thread is stuck in a job, the second signal still works.
pub fn stop_on_signals() -> io::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let token = stop.clone();
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    let (mut terminate, mut interrupt) = {
        let _inside = runtime.enter();
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
    };
    let watch = async move {
        let mut next = async || {
            tokio::select! {
                _ = terminate.recv() => TERMINATED,
                _ = interrupt.recv() => INTERRUPTED,
            }
        };
        next().await;
        tracing::info!("stopping: finishing or handing back what is running; a second signal ends at once");
        token.cancel();
        let first_at = Instant::now();
        let code = loop {
            let code = next().await;
            if first_at.elapsed() > ECHO {
                break code;
            }
        };
        output::complain("ended at once by a second signal");
        std::process::exit(code);
    };
    thread::Builder::new().name("signals".into()).spawn(move || runtime.block_on(watch))?;
    Ok(stop)
}
