//! The settings of the client.

use std::time::Duration;

use ipnet::IpNet;

/// The limits of a [`Client`](crate::Client).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSettings {
    /// `FETCH_USER_AGENT`.
    pub user_agent: String,
    /// From the first look-up to the last byte, all redirects included (`FETCH_TIMEOUT`).
    pub timeout: Duration,
    /// The maximum size of a decoded body (`FETCH_MAX_SIZE`).
    pub max_body_bytes: usize,
    /// Networks that are allowed although they are not public (`FETCH_ALLOW_NETS`).
    pub allow_nets: Vec<IpNet>,
    /// The maximum number of concurrent background requests to one host (`FETCH_HOST_CONCURRENCY`).
    pub host_concurrency: usize,
    /// The minimum time between the starts of background requests to one host (`FETCH_HOST_GAP`).
    pub host_gap: Duration,
    /// How long an idle connection stays open: long enough for a redirect or the next turn at the host, short enough that 100,000
    /// hosts do not accumulate connections of 28 kB each.
    pub idle_timeout: Duration,
}

impl Default for ClientSettings {
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

/// The `User-Agent` of an instance without a contact address.
///
/// The contact is under `.example`, a reserved domain, so that it cannot be the address of a third party.
pub fn default_user_agent() -> String {
    user_agent("https://kawaraban.example/bot")
}

/// The `User-Agent` with a contact page, preferably the public address of the instance.
pub fn user_agent(contact_url: &str) -> String {
    format!("Kawaraban/{} (+{contact_url})", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_agent_has_product_version_and_contact() {
        let agent = default_user_agent();
        assert!(agent.starts_with("Kawaraban/"), "{agent}");
        assert!(agent.contains(env!("CARGO_PKG_VERSION")), "{agent}");
        assert!(agent.ends_with("(+https://kawaraban.example/bot)"), "{agent}");
    }
}
