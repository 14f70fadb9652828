//! Rules about several settings at once.

use accounts::SignupAllowed;

use super::{Config, Needs};

/// Adds what is wrong between settings that are each right by themselves.
pub fn check(config: &Config, needs: Needs, problems: &mut Vec<String>) {
    let google = [
        ("GOOGLE_CLIENT_ID", config.google_client_id.is_some()),
        ("GOOGLE_CLIENT_SECRET", config.google_client_secret.is_some()),
        ("GOOGLE_REDIRECT_URL", config.google_redirect_url.is_some()),
    ];
    let beside_google = config.google_issuer.is_some();
    problems.extend(partly_set(&google, beside_google, "all three settings of Google's"));
    let openid = [
        ("OIDC_ISSUER", config.oidc_issuer.is_some()),
        ("OIDC_CLIENT_ID", config.oidc_client_id.is_some()),
        ("OIDC_CLIENT_SECRET", config.oidc_client_secret.is_some()),
    ];
    let beside_openid = config.oidc_name.is_some() || config.oidc_redirect_url.is_some();
    problems.extend(partly_set(&openid, beside_openid, "issuer, id and secret of the provider"));
    if config.local_registration && !config.local_accounts {
        problems.push(
            "LOCAL_REGISTRATION=true: needs accounts with a password, which are off by default beside a provider: \
             write LOCAL_ACCOUNTS=true as well, or leave LOCAL_REGISTRATION out"
                .to_owned(),
        );
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

/// What looks wrong between settings but stops nothing.
pub fn warnings(config: &Config, needs: Needs) -> Vec<String> {
    if needs == Needs::Other {
        return Vec::new();
    }
    let mut warnings = Vec::new();
    let has_provider = config.google_client_id.is_some() || config.oidc_issuer.is_some();
    if !config.local_accounts && !has_provider {
        warnings.push("LOCAL_ACCOUNTS=false and no provider is configured: nobody can sign in".to_owned());
    }
    if config.google_client_id.is_some() && config.signup_allowed == SignupAllowed::Everybody {
        let words = "SIGNUP_ALLOWED is not set: everybody whom Google knows can make an account here";
        warnings.push(words.to_owned());
    }
    warnings
}

/// What is missing of settings that make sense only together. `beside` tells that something was written that needs them.
fn partly_set(group: &[(&str, bool)], beside: bool, all: &str) -> Option<String> {
    let missing: Vec<&str> = group.iter().filter(|(_, set)| !set).map(|(name, _)| *name).collect();
    let some = beside || missing.len() < group.len();
    (some && !missing.is_empty()).then(|| format!("{}: write {all}, or none", missing.join(", ")))
}
