//! What the operator can set.

use std::time::Duration;

use ipnet::IpNet;

/// The limits and manners of a [`Client`](crate::Client).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Who we say we are (`FETCH_USER_AGENT`).
    pub user_agent: String,
    /// How long a request may take, from the first look-up to the last byte, all redirects included (`FETCH_TIMEOUT`).
    pub timeout: Duration,
    /// The largest decoded body that is accepted (`FETCH_MAX_SIZE`).
    pub max_body_bytes: usize,
    /// Networks that are reachable although they are not public (`FETCH_ALLOW_NETS`).
    pub allow_nets: Vec<IpNet>,
    /// How many background requests one host gets at once (`FETCH_HOST_CONCURRENCY`).
    pub host_concurrency: usize,
    /// How far apart background requests to one host start (`FETCH_HOST_GAP`).
    pub host_gap: Duration,
    /// How long an unused connection is kept. Long enough for a redirect or for the next turn at the same host; a pass
    /// over 100,000 hosts must not pile up connections of 28 kB each.
    pub idle_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            user_agent: default_user_agent(),
            timeout: Duration::from_secs(10),
            max_body_bytes: 5 * 1024 * 1024,
            allow_nets: Vec::new(),
            host_concurrency: 2,
            host_gap: Duration::from_millis(500),
            idle_timeout: Duration::from_secs(2),
        }
    }
}

/// The `User-Agent` of an instance that did not say where its operator can be reached.
///
/// The contact is under `.example`, which nobody can own: an address that might belong to a stranger would be worse.
pub fn default_user_agent() -> String {
    user_agent("https://kawaraban.example/bot")
}

/// The `User-Agent` with a page that tells who is asking: the public address of the instance, best of all.
pub fn user_agent(contact_url: &str) -> String {
    format!("Kawaraban/{} (+{contact_url})", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_names_product_version_and_contact() {
        let agent = default_user_agent();
        assert!(agent.starts_with("Kawaraban/"), "{agent}");
        assert!(agent.contains(env!("CARGO_PKG_VERSION")), "{agent}");
        assert!(agent.ends_with("(+https://kawaraban.example/bot)"), "{agent}");
    }
}
