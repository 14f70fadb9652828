//! SIGTERM and SIGINT: the first stops the process, the second ends it at once. SIGHUP: the configuration file is read again.

use std::{
    io, thread,
    time::{Duration, Instant},
};

use tokio::{
    runtime,
    signal::unix::{Signal, SignalKind, signal},
};
use tokio_util::sync::CancellationToken;

use crate::output;

/// The exit codes that a shell reports for a process ended by a signal.
const TERMINATED: i32 = 143;
pub const INTERRUPTED: i32 = 130;
/// A second signal within this time counts as the first: timeout(1) and some process managers signal the process and its group.
const DUPLICATE_WINDOW: Duration = Duration::from_millis(100);

/// A token that the first signal cancels.
///
/// Signals have their own thread, so that the second one works even if all other threads are blocked.
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
        tracing::info!("stopping; a second signal ends the process at once");
        token.cancel();
        let first_at = Instant::now();
        let code = loop {
            let code = next().await;
            if first_at.elapsed() > DUPLICATE_WINDOW {
                break code;
            }
        };
        output::print_error("ended at once by a second signal");
        std::process::exit(code);
    };
    thread::Builder::new().name("signals".into()).spawn(move || runtime.block_on(watch))?;
    Ok(stop)
}

/// Receives SIGHUP, which no longer ends the process. Call it in a runtime.
pub fn hangups() -> io::Result<Signal> {
    signal(SignalKind::hangup())
}
