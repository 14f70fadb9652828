//! Rules between settings.

use accounts::SignupAllowed;

use super::{Config, Draft, Environment, Needs, text::is_written};

/// Adds the problems between settings. A setting with an invalid value counts as set, and breaks no rule.
pub fn check(draft: &Draft, environment: &Environment, needs: Needs, problems: &mut Vec<String>) {
    let is_set = |name: &str| is_written(environment, name);
    let google = ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_REDIRECT_URL"].map(|name| (name, is_set(name)));
    problems.extend(partly_set(&google, is_set("GOOGLE_ISSUER"), "all three settings of Google"));
    let openid = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"].map(|name| (name, is_set(name)));
    let beside_openid = is_set("OIDC_NAME") || is_set("OIDC_REDIRECT_URL");
    problems.extend(partly_set(&openid, beside_openid, "issuer, id and secret of the provider"));
    if draft.local_registration == Some(true) && draft.local_accounts == Some(false) {
        problems.push(
            "LOCAL_REGISTRATION=true: needs password accounts, which are off by default with a provider: \
             write LOCAL_ACCOUNTS=true as well, or unset LOCAL_REGISTRATION"
                .to_owned(),
        );
    }
    if needs == Needs::Api && !is_set("SESSION_SECRET") {
        problems.push(
            "SESSION_SECRET is not set: write text of 32 bytes or more, the same for every api process, for example \
             from `openssl rand -hex 32`"
                .to_owned(),
        );
    }
    if is_set("WATCH_WEBHOOK_URL") && !is_set("WATCH_WEBHOOK_SECRET") {
        problems.push(
            "WATCH_WEBHOOK_SECRET is not set: write text of 16 bytes or more that the receiver knows too, for example from \
             `openssl rand -hex 32`, or unset WATCH_WEBHOOK_URL"
                .to_owned(),
        );
    }
    let main_port = draft.server_port.filter(|port| *port != 0 && needs != Needs::Other);
    if let Some(metrics) = draft.metrics_addr.flatten().filter(|metrics| main_port == Some(metrics.port())) {
        problems.push(format!("METRICS_ADDR={metrics}: uses the port of SERVER_PORT: write another port"));
    }
}

/// Likely mistakes between settings that are not errors.
pub fn warnings(config: &Config, needs: Needs) -> Vec<String> {
    if needs == Needs::Other {
        return Vec::new();
    }
    let mut warnings = Vec::new();
    let has_provider = config.google_client_id.is_some() || config.oidc_issuer.is_some();
    if !config.local_accounts && !has_provider {
        warnings.push("LOCAL_ACCOUNTS=false and no provider is configured: no user can sign in".to_owned());
    }
    if config.google_client_id.is_some() && config.signup_allowed == SignupAllowed::Any {
        let words = "SIGNUP_ALLOWED is not set: anyone with a Google account can create an account here";
        warnings.push(words.to_owned());
    }
    warnings
}

/// The missing settings of a group that must be set together. `beside` means that a setting that needs the group is set.
fn partly_set(group: &[(&str, bool)], beside: bool, all: &str) -> Option<String> {
    let missing: Vec<&str> = group.iter().filter(|(_, set)| !set).map(|(name, _)| *name).collect();
    let some = beside || missing.len() < group.len();
    (some && !missing.is_empty()).then(|| format!("{}: write {all}, or none", missing.join(", ")))
}
