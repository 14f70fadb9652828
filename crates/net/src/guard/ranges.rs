//! Addresses outside the public internet: IANA's special-purpose registries, and IPv4 addresses embedded in IPv6 addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::nat64::{self, Prefix, WELL_KNOWN};

/// Why an address is not a public one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Special {
    pub(crate) name: &'static str,
    /// The embedded IPv4 address.
    pub(crate) inner: Option<Ipv4Addr>,
}

/// The special range of an address. `None` for a public unicast address.
///
/// `own` are the NAT64 prefixes of this network.
pub(crate) fn special(address: IpAddr, own: &[Prefix]) -> Option<Special> {
    match address {
        IpAddr::V4(v4) => special_v4(v4),
        IpAddr::V6(v6) => special_v6(v6, own),
    }
}

/// Whether the NAT64 prefixes of this network can change the judgement of an address.
pub(crate) fn depends_on_nat64(address: IpAddr) -> bool {
    let IpAddr::V6(v6) = address else { return false };
    [GLOBAL_UNICAST, LOCAL_NAT64, UNIQUE_LOCAL].iter().any(|block| block.contains(v6.to_bits()))
}

/// The IPv4 address that the operating system dials for a mapped IPv6 address.
pub(crate) fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// One block of a registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block<T> {
    pub(crate) base: T,
    pub(crate) prefix: u32,
    pub(crate) name: &'static str,
}

impl Block<u32> {
    fn contains(&self, address: u32) -> bool {
        (address ^ self.base).checked_shr(32 - self.prefix).unwrap_or(0) == 0
    }
}

impl Block<u128> {
    pub(crate) fn contains(&self, address: u128) -> bool {
        (address ^ self.base).checked_shr(128 - self.prefix).unwrap_or(0) == 0
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u32, name: &'static str) -> Block<u32> {
    Block { base: Ipv4Addr::new(a, b, c, d).to_bits(), prefix, name }
}

const fn v6(head: [u16; 6], prefix: u32, name: &'static str) -> Block<u128> {
    let [a, b, c, d, e, f] = head;
    Block { base: Ipv6Addr::new(a, b, c, d, e, f, 0, 0).to_bits(), prefix, name }
}

fn special_v4(address: Ipv4Addr) -> Option<Special> {
    let block = V4.iter().find(|block| block.contains(address.to_bits()))?;
    Some(Special { name: block.name, inner: None })
}

fn special_v6(address: Ipv6Addr, own: &[Prefix]) -> Option<Special> {
    let bits = address.to_bits();
    let mut is_translated = false;
    for prefix in own.iter().chain([&WELL_KNOWN]).filter(|prefix| prefix.contains(bits)) {
        // The gateway dials the embedded address, so it must be public too.
        let inner = nat64::embedded(address, prefix.prefix);
        if special_v4(inner).is_some() {
            return Some(Special { name: prefix.name, inner: Some(inner) });
        }
        is_translated |= nat64::is_exact(address, prefix);
    }
    // Named blocks first, for the message; then the rule that also covers unassigned ranges.
    let name = match V6.iter().find(|block| block.contains(bits)) {
        // A resolver can open only these ranges with its prefix.
        Some(block)
            if is_translated && [WELL_KNOWN, LOCAL_NAT64, UNIQUE_LOCAL].iter().any(|one| one.base == block.base) =>
        {
            return None;
        }
        Some(block) => block.name,
        None if GLOBAL_UNICAST.contains(bits) => return None,
        None => "outside the global unicast range",
    };
    Some(Special { name, inner: embedded(address) })
}

/// The IPv4 address inside a mapped, compatible, translated, NAT64, 6to4 or Teredo address.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let o = address.octets();
    let v4 = |a: u8, b: u8, c: u8, d: u8| Some(Ipv4Addr::new(a, b, c, d));
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0..=1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            v4(o[12], o[13], o[14], o[15])
        }
        // RFC 6052: after a prefix of 48 bits, octet 8 is unused.
        [0x64, 0xff9b, 1, ..] => v4(o[6], o[7], o[9], o[10]),
        [0x2002, ..] => v4(o[2], o[3], o[4], o[5]),
        // RFC 4380: the client's address with all bits inverted.
        [0x2001, 0, ..] => v4(!o[12], !o[13], !o[14], !o[15]),
        _ => None,
    }
}

/// The IPv4 special-purpose registry, multicast, the reserved top sixteenth, and the public address of Azure's platform service
/// (other clouds use link-local, shared or protocol addresses).
pub(crate) const V4: [Block<u32>; 19] = [
    v4(0, 0, 0, 0, 8, "this network"),
    v4(10, 0, 0, 0, 8, "private use"),
    v4(100, 64, 0, 0, 10, "shared address space of a provider"),
    v4(127, 0, 0, 0, 8, "loopback"),
    v4(168, 63, 129, 16, 32, "Azure platform service"),
    v4(169, 254, 0, 0, 16, "link-local"),
    v4(172, 16, 0, 0, 12, "private use"),
    v4(192, 0, 0, 0, 24, "protocol assignments"),
    v4(192, 0, 2, 0, 24, "documentation"),
    v4(192, 31, 196, 0, 24, "AS112 service"),
    v4(192, 52, 193, 0, 24, "automatic multicast tunnelling"),
    v4(192, 88, 99, 0, 24, "6to4 relay"),
    v4(192, 168, 0, 0, 16, "private use"),
    v4(192, 175, 48, 0, 24, "AS112 service"),
    v4(198, 18, 0, 0, 15, "benchmarking"),
    v4(198, 51, 100, 0, 24, "documentation"),
    v4(203, 0, 113, 0, 24, "documentation"),
    v4(224, 0, 0, 0, 4, "multicast"),
    v4(240, 0, 0, 0, 4, "reserved or broadcast"),
];

/// The only IPv6 range with public unicast addresses today.
pub(crate) const GLOBAL_UNICAST: Block<u128> = v6([0x2000, 0, 0, 0, 0, 0], 3, "global unicast");

/// The range for a network's own NAT64 prefix of any length (RFC 8215).
const LOCAL_NAT64: Block<u128> = v6([0x64, 0xff9b, 1, 0, 0, 0], 48, "local-use NAT64");

/// Private IPv6 addresses, which may also contain a NAT64 prefix.
const UNIQUE_LOCAL: Block<u128> = v6([0xfc00, 0, 0, 0, 0, 0], 7, "unique local");

/// The IPv6 special-purpose registry. The last six are inside the global unicast range, the others outside it.
pub(crate) const V6: [Block<u128>; 20] = [
    Block { base: 0, prefix: 128, name: "unspecified" },
    Block { base: 1, prefix: 128, name: "loopback" },
    v6([0, 0, 0, 0, 0, 0], 96, "IPv4-compatible"),
    v6([0, 0, 0, 0, 0, 0xffff], 96, "IPv4-mapped"),
    v6([0, 0, 0, 0, 0xffff, 0], 96, "IPv4-translated"),
    WELL_KNOWN,
    LOCAL_NAT64,
    v6([0x100, 0, 0, 0, 0, 0], 64, "discard-only"),
    v6([0x100, 0, 0, 1, 0, 0], 64, "dummy prefix"),
    v6([0x5f00, 0, 0, 0, 0, 0], 16, "segment routing"),
    UNIQUE_LOCAL,
    v6([0xfe80, 0, 0, 0, 0, 0], 10, "link-local"),
    v6([0xfec0, 0, 0, 0, 0, 0], 10, "site-local"),
    v6([0xff00, 0, 0, 0, 0, 0], 8, "multicast"),
    v6([0x2001, 0, 0, 0, 0, 0], 32, "Teredo"),
    v6([0x2001, 0, 0, 0, 0, 0], 23, "protocol assignments"),
    v6([0x2001, 0xdb8, 0, 0, 0, 0], 32, "documentation"),
    v6([0x2002, 0, 0, 0, 0, 0], 16, "6to4"),
    v6([0x2620, 0x4f, 0x8000, 0, 0, 0], 48, "AS112 service"),
    v6([0x3fff, 0, 0, 0, 0, 0], 20, "documentation"),
];
