//! Who is at the other end, as `web` judged it.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use store::UserId;
use uuid::Uuid;

/// Longer names of browsers are cut.
const LONGEST_USER_AGENT: usize = 300;

/// Who is at the other end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    pub address: IpAddr,
    /// What their browser calls itself; may be empty, and is anything they like.
    pub user_agent: String,
}

impl Client {
    /// The browser's name as it is kept: on one line, and not endless.
    pub(crate) fn short_user_agent(&self) -> String {
        let printable = self.user_agent.chars().map(|c| if c.is_control() { ' ' } else { c });
        printable.take(LONGEST_USER_AGENT).collect::<String>().trim().to_owned()
    }

    /// What counts as one address: whoever has one address of a /64 has all of them.
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

/// A browser in which somebody has signed in before. `web` keeps it in an encrypted cookie, so nobody makes one up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Device {
    pub user_id: UserId,
    pub id: Uuid,
}

impl Device {
    /// The browser of a person: the one they have, or a new one.
    pub(crate) fn of(user_id: UserId, known: Option<&Device>) -> Device {
        known.copied().filter(|device| device.user_id == user_id).unwrap_or(Device { user_id, id: Uuid::new_v4() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_network_count_as_one() {
        let network = |address: &str| Client { address: address.parse().unwrap(), user_agent: String::new() }.network();
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("192.0.2.1"), network("::ffff:192.0.2.1"));
    }

    #[test]
    fn a_browsers_name_is_short_and_on_one_line() {
        let user_agent = format!("Mozilla\r\nX: y\0{}", "あ".repeat(10_000));
        let client = Client { address: [192, 0, 2, 1].into(), user_agent };
        let short = client.short_user_agent();
        assert!(short.starts_with("Mozilla  X: y あ"), "{short}");
        assert_eq!(short.chars().count(), 300);
    }
}
