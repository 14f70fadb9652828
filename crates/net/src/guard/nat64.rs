//! NAT64: IPv6 addresses that a gateway turns into the IPv4 address inside them (RFC 6052).

#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::ranges::Block;

/// The name whose addresses reveal the network's prefix (RFC 7050). The final dot rules out search domains.
pub(crate) const PREFIX_NAME: &str = "ipv4only.arpa.";

/// The IPv4 addresses of that name.
const KNOWN: [Ipv4Addr; 2] = [Ipv4Addr::new(192, 0, 0, 170), Ipv4Addr::new(192, 0, 0, 171)];

/// The lengths that a prefix can have.
const LENGTHS: [u32; 6] = [32, 40, 48, 56, 64, 96];

/// A prefix whose addresses have an IPv4 address inside.
pub(crate) type Prefix = Block<u128>;

/// The prefix that needs no discovery.
pub(crate) const WELL_KNOWN: Prefix = Block { base: 0x64_ff9b << 96, prefix: 96, name: "NAT64" };

/// The prefixes that the answers for [`PREFIX_NAME`] show; none without a DNS64 resolver.
///
/// An address that fits several lengths gives several prefixes; the guard checks all of them.
pub(crate) fn prefixes(answers: &[IpAddr]) -> Vec<Prefix> {
    let mut found: Vec<Prefix> = Vec::new();
    for answer in answers {
        let IpAddr::V6(v6) = answer else { continue };
        for length in LENGTHS.into_iter().filter(|length| KNOWN.contains(&embedded(*v6, *length))) {
            let base = v6.to_bits() & !(u128::MAX >> length);
            if !found.iter().any(|known| (known.base, known.prefix) == (base, length)) {
                found.push(Block { base, prefix: length, name: "NAT64 of this network" });
            }
        }
    }
    found
}

/// The IPv4 address behind a prefix of this length.
pub(crate) fn embedded(address: Ipv6Addr, length: u32) -> Ipv4Addr {
    let octets = address.octets();
    let mut inner = [0; 4];
    inner.iter_mut().zip(embedded_octets(length)).for_each(|(to, at)| *to = octets[at]);
    inner.into()
}

/// Whether an address has the exact form of a DNS64 resolver: zeros except for the prefix and the IPv4 address.
pub(crate) fn is_exact(address: Ipv6Addr, prefix: &Prefix) -> bool {
    let mut octets = Ipv6Addr::from_bits(prefix.base).octets();
    embedded_octets(prefix.prefix).for_each(|at| octets[at] = address.octets()[at]);
    octets == address.octets()
}

/// The octets of the IPv4 address: the four after the prefix, without octet 8 (RFC 6052 section 2.2).
fn embedded_octets(length: u32) -> impl Iterator<Item = usize> {
    (length as usize / 8..16).filter(|at| *at != 8).take(4)
}
