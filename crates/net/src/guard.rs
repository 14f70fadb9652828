//! The SSRF guard: which addresses may be asked for, judged on the parsed URL and on every resolved address.
//!
//! The guard judges addresses, not their spelling: the `url` crate turns `0x7f.1`, `127。0。0。1` and the like into the
//! address that they mean. Names that mean this machine count as its loopback addresses without a look-up.

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

/// Why a request was refused before anything was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Only http and https are spoken.
    #[error("the scheme \"{0}\" is not http or https")]
    Scheme(String),
    /// A user name or a password in the URL.
    #[error("the address carries a user name or a password")]
    Credentials,
    /// A port that browsers refuse too.
    #[error("port {0} is refused, as browsers do: another protocol lives there")]
    Port(u16),
    /// An address that is not the public internet.
    #[error("{}", describe(*address, range, *inner))]
    Address {
        /// The address as it was written or resolved.
        address: IpAddr,
        /// What the registries call its range.
        range: &'static str,
        /// The IPv4 address inside it, for the kinds of IPv6 address that carry one.
        inner: Option<std::net::Ipv4Addr>,
    },
    /// The connection does not say who is at its other end.
    #[error("the address of the other end is not known")]
    UnknownPeer,
}

/// The judge, with the operator's exceptions. Clones share what they learn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guard {
    allow_nets: Vec<IpNet>,
    /// The NAT64 prefixes of this network, as far as they are known.
    own_nat64: Arc<RwLock<Vec<nat64::Prefix>>>,
}

impl Guard {
    pub(crate) fn new(allow_nets: Vec<IpNet>) -> Self {
        Self { allow_nets, ..Self::default() }
    }

    /// Learns the NAT64 prefixes of this network from the answers for [`PREFIX_NAME`].
    ///
    /// False if the answers show no prefix although some are known. These stay: an answer without IPv6 addresses can mean that
    /// only this half of the look-up failed.
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

    /// The addresses of a name that means this machine, as far as they are allowed.
    pub(crate) fn judge_this_machine(&self) -> Result<Vec<IpAddr>, Refusal> {
        let allowed: Vec<_> = LOOPBACK.into_iter().filter(|address| self.judge_address(*address).is_ok()).collect();
        if allowed.is_empty() {
            self.judge_answers(&LOOPBACK)?;
        }
        Ok(allowed)
    }

    /// Judges what can be judged without asking the resolver: scheme, credentials, port, a literal address and the names
    /// that mean this machine.
    pub(crate) fn judge_url(&self, url: &Url) -> Result<(), Refusal> {
        judge_form(url)?;
        match url.host() {
            Some(Host::Ipv4(v4)) => self.judge_address(v4.into()),
            Some(Host::Ipv6(v6)) => self.judge_address(v6.into()),
            Some(Host::Domain(name)) if is_this_machine(name) => self.judge_this_machine().map(drop),
            Some(Host::Domain(_)) | None => Ok(()),
        }
    }

    /// Judges one address, literal or resolved.
    pub(crate) fn judge_address(&self, address: IpAddr) -> Result<(), Refusal> {
        let own_nat64 = self.own_nat64.read().unwrap_or_else(PoisonError::into_inner);
        let Some(special) = ranges::special(address, &own_nat64) else { return Ok(()) };
        if self.is_allowed(address) {
            return Ok(());
        }
        Err(Refusal::Address { address, range: special.name, inner: special.inner })
    }

    /// Whether the operator allows this address.
    fn is_allowed(&self, address: IpAddr) -> bool {
        // A mapped address is dialled as the IPv4 address it maps, so opening that one opens both spellings. The other
        // kinds, NAT64 included, go through a gateway into a network that may not be the operator's: they need their own
        // CIDR.
        let dialled = ranges::canonical(address);
        self.allow_nets.iter().any(|net| net.contains(&address) || net.contains(&dialled))
    }

    /// Judges all answers for a name: one that is refused refuses the name.
    ///
    /// Filtering the bad ones out instead would let a name that points half inside be asked again and again until
    /// something else slips; an honest public name has no such answers.
    pub(crate) fn judge_answers(&self, addresses: &[IpAddr]) -> Result<(), Refusal> {
        addresses.iter().try_for_each(|address| self.judge_address(*address))
    }
}

/// Judges the form of a URL: the part that holds for trusted requests too.
pub(crate) fn judge_form(url: &Url) -> Result<(), Refusal> {
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
