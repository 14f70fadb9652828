//! The SSRF guard: checks the parsed URL and every resolved address.
//!
//! The guard checks addresses, not their spelling: the `url` crate turns `0x7f.1`, `127。0。0。1` and the like into the
//! address that they mean. Names of this machine count as its loopback addresses without a look-up.

mod names;
mod nat64;
mod ports;
mod ranges;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use ipnet::IpNet;
use url::{Host, Url};

pub(crate) use names::{LOOPBACK, is_this_machine};
pub(crate) use nat64::PREFIX_NAME;

/// Why the guard rejected a request before anything was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A scheme other than http and https.
    #[error("the scheme \"{0}\" is not http or https")]
    Scheme(String),
    /// A user name or a password in the URL.
    #[error("the address carries a user name or a password")]
    Credentials,
    /// A port that browsers block too.
    #[error("port {0} is blocked, as in browsers: another protocol uses it")]
    Port(u16),
    /// An address outside the public internet.
    #[error("{}", describe(*address, range, *inner))]
    Address {
        /// The address as it was written or resolved.
        address: IpAddr,
        /// The name of its range in the registry.
        range: &'static str,
        /// The IPv4 address embedded in an IPv6 address.
        inner: Option<std::net::Ipv4Addr>,
    },
    /// The connection has no peer address.
    #[error("the address of the server is not known")]
    UnknownPeer,
}

/// The guard with the operator's exceptions. Clones share the discovered NAT64 prefixes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guard {
    allow_nets: Vec<IpNet>,
    /// The discovered NAT64 prefixes of this network.
    own_nat64: Arc<RwLock<Vec<nat64::Prefix>>>,
}

impl Guard {
    pub(crate) fn new(allow_nets: Vec<IpNet>) -> Self {
        Self { allow_nets, ..Self::default() }
    }

    /// Learns the NAT64 prefixes of this network from the answers for [`PREFIX_NAME`].
    ///
    /// False if the answers show no prefix although some are known. The known ones stay, because an answer without IPv6 addresses
    /// can mean that only this half of the look-up failed.
    pub(crate) fn learn_nat64(&self, answers: &[IpAddr]) -> bool {
        let found = nat64::prefixes(answers);
        let mut known = self.own_nat64.write().unwrap_or_else(PoisonError::into_inner);
        if found.is_empty() && !known.is_empty() {
            return false;
        }
        *known = found;
        true
    }

    /// Whether the NAT64 prefixes of this network can change the judgement of one of these addresses.
    pub(crate) fn depends_on_nat64(&self, addresses: &[IpAddr]) -> bool {
        addresses.iter().any(|address| ranges::depends_on_nat64(*address) && !self.is_allowed(*address))
    }

    /// The allowed addresses of a name of this machine.
    pub(crate) fn check_this_machine(&self) -> Result<Vec<IpAddr>, Refusal> {
        let allowed: Vec<_> = LOOPBACK.into_iter().filter(|address| self.check_address(*address).is_ok()).collect();
        if allowed.is_empty() {
            self.check_answers(&LOOPBACK)?;
        }
        Ok(allowed)
    }

    /// Checks everything that needs no look-up: scheme, credentials, port, a literal address and the names of this machine.
    pub(crate) fn check_url(&self, url: &Url) -> Result<(), Refusal> {
        check_form(url)?;
        match url.host() {
            Some(Host::Ipv4(v4)) => self.check_address(v4.into()),
            Some(Host::Ipv6(v6)) => self.check_address(v6.into()),
            Some(Host::Domain(name)) if is_this_machine(name) => self.check_this_machine().map(drop),
            Some(Host::Domain(_)) | None => Ok(()),
        }
    }

    /// Checks one address, literal or resolved.
    pub(crate) fn check_address(&self, address: IpAddr) -> Result<(), Refusal> {
        let own_nat64 = self.own_nat64.read().unwrap_or_else(PoisonError::into_inner);
        let Some(special) = ranges::special(address, &own_nat64) else { return Ok(()) };
        if self.is_allowed(address) {
            return Ok(());
        }
        Err(Refusal::Address { address, range: special.name, inner: special.inner })
    }

    /// Whether the operator allows this address.
    fn is_allowed(&self, address: IpAddr) -> bool {
        // A mapped address is dialled as its IPv4 address, so allowing that one allows both. The other kinds, NAT64 included, go
        // through a gateway into a network that may not be the operator's, so they need their own CIDR.
        let dialled = ranges::canonical(address);
        self.allow_nets.iter().any(|net| net.contains(&address) || net.contains(&dialled))
    }

    /// Checks all answers for a name. One rejected address rejects the name.
    ///
    /// Filtering instead would allow an attacker to retry a name with mixed answers. A legitimate public name has no such answers.
    pub(crate) fn check_answers(&self, addresses: &[IpAddr]) -> Result<(), Refusal> {
        addresses.iter().try_for_each(|address| self.check_address(*address))
    }
}

/// Checks scheme, credentials and port, also for trusted requests.
pub(crate) fn check_form(url: &Url) -> Result<(), Refusal> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Refusal::Scheme(url.scheme().to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refusal::Credentials);
    }
    match url.port_or_known_default() {
        Some(port) if ports::is_bad(port) => Err(Refusal::Port(port)),
        _ => Ok(()),
    }
}

fn describe(address: IpAddr, range: &str, inner: Option<std::net::Ipv4Addr>) -> String {
    let inside = inner.and_then(|v4| Some((v4, ranges::special(v4.into(), &[])?.name)));
    match (inner, inside) {
        (_, Some((v4, name))) => format!("{address} is not a public address ({range}, holding {v4}: {name})"),
        (Some(v4), None) => format!("{address} is not a public address ({range}, holding {v4})"),
        (None, None) => format!("{address} is not a public address ({range})"),
    }
}
