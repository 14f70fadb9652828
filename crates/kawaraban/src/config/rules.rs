//! Rules about several settings at once.

use super::{Config, Needs};

/// Adds what is wrong between settings that are each right by themselves.
pub fn check(config: &Config, needs: Needs, problems: &mut Vec<String>) {
    let google = [
        ("GOOGLE_CLIENT_ID", config.google_client_id.is_some()),
        ("GOOGLE_CLIENT_SECRET", config.google_client_secret.is_some()),
        ("GOOGLE_REDIRECT_URL", config.google_redirect_url.is_some()),
    ];
    let missing: Vec<&str> = google.iter().filter(|(_, set)| !set).map(|(name, _)| *name).collect();
    if !missing.is_empty() && missing.len() < google.len() {
        problems.push(format!("{}: write all three settings of Google's, or none", missing.join(", ")));
    }
    if needs == Needs::Api && config.session_secret.is_none() {
        problems.push(
            "SESSION_SECRET is not set: write text of 32 bytes or more, the same for every api process, for example \
             from `openssl rand -hex 32`"
                .to_owned(),
        );
    }
    let main_port = config.server_port != 0 && needs != Needs::Other;
    if let Some(metrics) = config.metrics_addr.filter(|metrics| main_port && metrics.port() == config.server_port) {
        problems.push(format!("METRICS_ADDR={metrics}: is the port of SERVER_PORT: write another port"));
    }
}
