//! The names of this machine, independent of the resolver.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The addresses behind these names.
pub(crate) const LOOPBACK: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

/// Whether a name means this machine: RFC 6761 section 6.3, and the usual names in `/etc/hosts`.
///
/// A resolver without such a hosts file fails or asks the network, so the result must not depend on it.
pub(crate) fn is_this_machine(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let host = host.strip_suffix(".localdomain").unwrap_or(&host);
    OTHERS.contains(&host) || host == "localhost" || host.ends_with(".localhost")
}

const OTHERS: [&str; 8] = [
    "ip6-localhost",
    "ip6-loopback",
    "ipv6-localhost",
    "ipv6-loopback",
    "localhost4",
    "localhost4.localdomain4",
    "localhost6",
    "localhost6.localdomain6",
];
