//! The client of a request, and the browsers that a user has signed in with before.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use store::{UserId, user_settings::DisplayLanguage};
use uuid::Uuid;

const MAX_USER_AGENT_CHARS: usize = 300;

/// The client of a request, as `web` determines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteClient {
    pub address: IpAddr,
    /// The `User-Agent` header. It may be empty or contain anything.
    pub user_agent: String,
    /// The language of its pages. An account that a provider's sign-in creates starts with it.
    pub language: Option<DisplayLanguage>,
}

impl RemoteClient {
    /// The user agent on one line and cut to a maximum length, for the database.
    pub(crate) fn short_user_agent(&self) -> String {
        let printable = self.user_agent.chars().map(|c| if c.is_control() { ' ' } else { c });
        printable.take(MAX_USER_AGENT_CHARS).collect::<String>().trim().to_owned()
    }

    /// The network that limits apply to. A client can use every address of its IPv6 /64.
    pub(crate) fn network(&self) -> String {
        match self.address.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        }
    }
}

/// A browser that a user has signed in with before. `web` stores it in an encrypted cookie, so it cannot be forged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Device {
    pub user_id: UserId,
    pub id: Uuid,
}

impl Device {
    /// The known device if it belongs to this user, else a new one.
    pub(crate) fn of(user_id: UserId, known: Option<&Device>) -> Device {
        known.copied().filter(|device| device.user_id == user_id).unwrap_or(Device { user_id, id: Uuid::new_v4() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_network_are_equal() {
        let network = |address: &str| {
            let address = address.parse().unwrap();
            RemoteClient { address, user_agent: String::new(), language: None }.network()
        };
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("192.0.2.1"), network("::ffff:192.0.2.1"));
    }

    #[test]
    fn user_agent_is_cut_and_on_one_line() {
        let user_agent = format!("Mozilla\r\nX: y\0{}", "あ".repeat(10_000));
        let client = RemoteClient { address: [192, 0, 2, 1].into(), user_agent, language: None };
        let short = client.short_user_agent();
        assert!(short.starts_with("Mozilla  X: y あ"), "{short}");
        assert_eq!(short.chars().count(), 300);
    }
}
