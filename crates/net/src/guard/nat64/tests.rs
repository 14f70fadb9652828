//! NAT64 prefixes of every length.

use super::*;
use crate::guard::{Guard, Refusal};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// RFC 6052 section 2.4: 192.0.2.33 behind prefixes of every length.
const EXAMPLES: [(&str, u32, &str); 6] = [
    ("2001:db8::", 32, "2001:db8:c000:221::"),
    ("2001:db8:100::", 40, "2001:db8:1c0:2:21::"),
    ("2001:db8:122::", 48, "2001:db8:122:c000:2:2100::"),
    ("2001:db8:122:300::", 56, "2001:db8:122:3c0:0:221::"),
    ("2001:db8:122:344::", 64, "2001:db8:122:344:c0:2:2100::"),
    ("2001:db8:122:344::", 96, "2001:db8:122:344::192.0.2.33"),
];

/// What a DNS64 resolver with this prefix makes of an IPv4 address.
fn translated(prefix: &str, length: u32, inner: &str) -> Result<IpAddr> {
    let mut octets = prefix.parse::<Ipv6Addr>()?.octets();
    let inner = inner.parse::<Ipv4Addr>()?.octets();
    embedded_octets(length).zip(inner).for_each(|(at, octet)| octets[at] = octet);
    Ok(IpAddr::from(octets))
}

/// A guard in a network whose resolver has this prefix.
fn guard_behind(prefix: &str, length: u32, allow_nets: &[&str]) -> Result<Guard> {
    let guard = Guard::new(allow_nets.iter().map(|net| net.parse()).collect::<std::result::Result<_, _>>()?);
    let answers = [translated(prefix, length, "192.0.0.170")?, translated(prefix, length, "192.0.0.171")?];
    assert!(guard.learn_nat64(&answers));
    Ok(guard)
}

#[test]
fn rfc_6052_examples_are_parsed() -> Result {
    for (prefix, length, whole) in EXAMPLES {
        assert_eq!(translated(prefix, length, "192.0.2.33")?, whole.parse::<IpAddr>()?, "/{length}");
        assert_eq!(embedded(whole.parse()?, length), Ipv4Addr::new(192, 0, 2, 33), "/{length}");
        let found = prefixes(&[translated(prefix, length, "192.0.0.171")?, "192.0.0.170".parse()?]);
        let found: Vec<_> = found.iter().map(|one| (one.base, one.prefix)).collect();
        assert_eq!(found, [(prefix.parse::<Ipv6Addr>()?.to_bits(), length)]);
    }
    assert!(prefixes(&["192.0.0.170".parse()?, "2606:2800:220:1::1".parse()?]).is_empty());
    Ok(())
}

#[test]
fn internal_addresses_behind_a_prefix_are_rejected() -> Result {
    for (_, length, _) in EXAMPLES {
        let guard = guard_behind("2a00:64::", length, &[])?;
        for inner in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "192.0.0.170", "224.0.0.1"] {
            let address = translated("2a00:64::", length, inner)?;
            let refusal = guard.check_address(address).err().ok_or(format!("{address} passed"))?;
            let expected = Refusal::Address { address, range: "NAT64 of this network", inner: Some(inner.parse()?) };
            assert_eq!(refusal, expected);
            assert!(Guard::default().check_address(address).is_ok(), "{address} is public elsewhere");
        }
        assert!(guard.check_address(translated("2a00:64::", length, "8.8.8.8")?).is_ok(), "/{length}");
        assert!(guard.check_address("2606:2800:220:1::1".parse()?).is_ok(), "other prefixes stay as they are");
    }
    Ok(())
}

#[test]
fn local_prefix_allows_only_public_addresses() -> Result {
    for (prefix, length) in [("64:ff9b:1::", 48), ("64:ff9b:1::", 96), ("64:ff9b:1:2::", 64), ("fd00:64::", 96)] {
        let guard = guard_behind(prefix, length, &[])?;
        let public = translated(prefix, length, "8.8.8.8")?;
        assert!(guard.check_address(public).is_ok(), "{public}");
        assert!(Guard::default().check_address(public).is_err(), "{public} without that prefix");
        for inner in ["127.0.0.1", "10.0.0.1", "169.254.169.254"] {
            assert!(guard.check_address(translated(prefix, length, inner)?).is_err(), "{inner} in {prefix}/{length}");
        }
    }
    let guard = guard_behind("fd00:64::", 64, &[])?;
    let beside = "fd00:64::8:808:800:1".parse()?;
    assert!(guard.check_address(beside).is_err(), "more than zeros around the IPv4 address");
    assert!(guard.check_address("fd00:65::8:808:800:0".parse()?).is_err(), "another private network");
    Ok(())
}

#[test]
fn a_resolver_cannot_open_other_ranges() -> Result {
    for prefix in ["fe80::", "ff02::", "2002:7f00:1::", "2001:db8::", "::", "::ffff:0:0", "100::"] {
        let guard = guard_behind(prefix, 96, &[])?;
        let address = translated(prefix, 96, "8.8.8.8")?;
        assert!(guard.check_address(address).is_err(), "{address}");
    }
    Ok(())
}

#[test]
fn well_known_prefix_is_checked_by_its_address() -> Result {
    for (text, is_public) in [
        ("64:ff9b::8.8.8.8", true),
        ("64:ff9b::93.184.216.34", true),
        ("64:ff9b::10.0.0.1", false),
        ("64:ff9b::127.0.0.1", false),
        ("64:ff9b::169.254.169.254", false),
        ("64:ff9b::168.63.129.16", false),
        ("64:ff9b::1:808:808", false),
        ("64:ff9b:0:1::808:808", false),
    ] {
        assert_eq!(Guard::default().check_address(text.parse()?).is_ok(), is_public, "{text}");
    }
    Ok(())
}

#[test]
fn gateway_address_needs_its_own_allowed_range() -> Result {
    let inside = translated("2a00:64::", 96, "10.0.0.1")?;
    assert!(guard_behind("2a00:64::", 96, &["10.0.0.0/8"])?.check_address(inside).is_err());
    assert!(guard_behind("2a00:64::", 96, &["2a00:64::/96"])?.check_address(inside).is_ok());
    Ok(())
}
