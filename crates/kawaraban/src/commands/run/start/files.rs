//! The limit on open files, and the part of it for connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use web::ConnectionLimits;

use crate::config::Config;

/// Far more files than all parts together use.
const MAX_FILES: u64 = 65_536;
/// The maximum number of connections to the main port. Each costs memory too.
const MAX_CONNECTIONS: u64 = 4_096;
/// The maximum number of connections to the metrics port.
const METRICS_CONNECTIONS: usize = 32;
/// Other files: SQLite with its readers, log files, listeners, signals, the event loop, and the connections to the metrics port.
const OTHER_FILES: u64 = 64 + METRICS_CONNECTIONS as u64;
/// Files of one fetch: a socket for IPv4 and one for IPv6, a look-up, and an idle connection.
const FILES_PER_FETCH: u64 = 4;

/// Raises the soft limit on open files as far as the hard limit allows. Returns the new limit.
pub(super) fn raise_limit() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    // No value means no limit.
    let soft = limit.current.unwrap_or(MAX_FILES);
    let wanted = limit.maximum.unwrap_or(MAX_FILES).min(MAX_FILES);
    if soft >= wanted {
        return soft;
    }
    match setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit }) {
        Ok(()) => wanted,
        Err(error) => {
            tracing::warn!(%error, soft, wanted, "cannot raise the limit on open files");
            soft
        }
    }
}

/// The limits on connections to the main port, with this limit on open files.
pub(super) fn connection_limits(config: &Config, files: u64) -> ConnectionLimits {
    let fetches = u64::try_from(config.fetch_max_concurrent).unwrap_or(u64::MAX);
    let own = OTHER_FILES + u64::from(config.database_max_connections) + fetches.saturating_mul(FILES_PER_FETCH);
    ConnectionLimits::new(connections(files, own), config.trusted_proxies.clone())
}

/// The limits on connections to the metrics port.
pub(super) fn metrics_limits() -> ConnectionLimits {
    ConnectionLimits::new(METRICS_CONNECTIONS, Vec::new())
}

/// The files that remain without `own`, between a quarter and three quarters of all.
fn connections(files: u64, own: u64) -> usize {
    let room = files.saturating_sub(own.max(files / 4)).max(files / 4);
    usize::try_from(room.clamp(1, MAX_CONNECTIONS)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_other_parts() {
        // All files, other files, and the rest for connections.
        for (files, own, left) in [
            (1_024, 150, 768),
            (1_024, 500, 524),
            (1_024, 5_000, 256),
            (256, 150, 106),
            (64, 150, 16),
            (20_000, 150, 4_096),
            (MAX_FILES, 40_150, 4_096),
            (0, 150, 1),
        ] {
            assert_eq!(connections(files, own), left, "{files} files, {own} of our own");
        }
    }
}
