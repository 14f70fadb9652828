//! The guard checked against its tables, an independent list, and every spelling of an address.

use super::*;
use std::net::{Ipv4Addr, Ipv6Addr};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

fn is_refused(address: IpAddr) -> bool {
    Guard::default().check_address(address).is_err()
}

fn check(url: &str) -> Result<std::result::Result<(), Refusal>> {
    Ok(Guard::default().check_url(&Url::parse(url).map_err(|error| format!("{url}: {error}"))?))
}

/// Independent of the table: the first and last address of each rejected IPv4 range in the registries. Adjacent ranges are
/// merged, so that both neighbours of each must be public.
const V4_REFUSED: [(&str, &str); 19] = [
    ("0.0.0.0", "0.255.255.255"),
    ("10.0.0.0", "10.255.255.255"),
    ("100.64.0.0", "100.127.255.255"),
    ("127.0.0.0", "127.255.255.255"),
    ("168.63.129.16", "168.63.129.16"),
    ("169.254.0.0", "169.254.255.255"),
    ("172.16.0.0", "172.31.255.255"),
    ("192.0.0.0", "192.0.0.255"),
    ("192.0.2.0", "192.0.2.255"),
    ("192.31.196.0", "192.31.196.255"),
    ("192.52.193.0", "192.52.193.255"),
    ("192.88.99.0", "192.88.99.255"),
    ("192.168.0.0", "192.168.255.255"),
    ("192.175.48.0", "192.175.48.255"),
    ("198.18.0.0", "198.19.255.255"),
    ("198.51.100.0", "198.51.100.255"),
    ("203.0.113.0", "203.0.113.255"),
    ("224.0.0.0", "239.255.255.255"),
    ("240.0.0.0", "255.255.255.255"),
];

/// The same for IPv6: everything but the global unicast range, and the special ranges in it.
const V6_REFUSED: [(&str, &str); 7] = [
    ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
];

#[test]
fn listed_ranges_are_rejected_and_neighbours_pass() -> Result {
    for (first, last) in V4_REFUSED {
        let (first, last) = (first.parse::<Ipv4Addr>()?.to_bits(), last.parse::<Ipv4Addr>()?.to_bits());
        for bits in [first, first + (last - first) / 2, last] {
            assert!(is_refused(Ipv4Addr::from_bits(bits).into()), "{}", Ipv4Addr::from_bits(bits));
        }
        for bits in [first.checked_sub(1), last.checked_add(1)].into_iter().flatten() {
            let neighbour = Ipv4Addr::from_bits(bits);
            // 224/4 and 240/4 touch.
            assert_eq!(is_refused(neighbour.into()), neighbour >= Ipv4Addr::new(224, 0, 0, 0), "{neighbour}");
        }
    }
    for (first, last) in V6_REFUSED {
        let (first, last) = (first.parse::<Ipv6Addr>()?.to_bits(), last.parse::<Ipv6Addr>()?.to_bits());
        for bits in [first, first + (last - first) / 2, last] {
            assert!(is_refused(Ipv6Addr::from_bits(bits).into()), "{}", Ipv6Addr::from_bits(bits));
        }
        for bits in [first.checked_sub(1), last.checked_add(1)].into_iter().flatten() {
            let neighbour = Ipv6Addr::from_bits(bits);
            assert!(!is_refused(neighbour.into()), "{neighbour}");
        }
    }
    Ok(())
}

#[test]
fn table_blocks_are_rejected_exactly() {
    let in_v4 = |bits: u32| V4_REFUSED.iter().any(|(first, last)| in_stretch(bits, first, last));
    for block in &ranges::V4 {
        let last = block.base | u32::MAX.checked_shr(block.prefix).unwrap_or(0);
        for bits in [Some(block.base), Some(last), block.base.checked_sub(1), last.checked_add(1)].into_iter().flatten()
        {
            let address = Ipv4Addr::from_bits(bits);
            assert_eq!(is_refused(address.into()), in_v4(bits), "{address} near {}", block.name);
        }
        assert!(in_v4(block.base) && in_v4(last), "{} is not in the list written by hand", block.name);
    }
    let in_v6 = |bits: u128| V6_REFUSED.iter().any(|(first, last)| in_long_stretch(bits, first, last));
    for block in &ranges::V6 {
        let last = block.base | u128::MAX.checked_shr(block.prefix).unwrap_or(0);
        for bits in [Some(block.base), Some(last), block.base.checked_sub(1), last.checked_add(1)].into_iter().flatten()
        {
            let address = Ipv6Addr::from_bits(bits);
            assert_eq!(is_refused(address.into()), in_v6(bits), "{address} near {}", block.name);
        }
        assert!(in_v6(block.base) && in_v6(last), "{} is not in the list written by hand", block.name);
    }
}

fn in_stretch(bits: u32, first: &str, last: &str) -> bool {
    let bits_of = |text: &str| text.parse::<Ipv4Addr>().map(Ipv4Addr::to_bits);
    matches!((bits_of(first), bits_of(last)), (Ok(first), Ok(last)) if (first..=last).contains(&bits))
}

fn in_long_stretch(bits: u128, first: &str, last: &str) -> bool {
    let bits_of = |text: &str| text.parse::<Ipv6Addr>().map(Ipv6Addr::to_bits);
    matches!((bits_of(first), bits_of(last)), (Ok(first), Ok(last)) if (first..=last).contains(&bits))
}

#[test]
fn public_addresses_pass() -> Result {
    for text in [
        "1.1.1.1",
        "8.8.8.8",
        "93.184.216.34",
        "100.63.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "223.255.255.255",
        "2606:2800:220:1:248:1893:25c8:1946",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2a00:1450::1",
        "2620:4f:8001::1",
        "64:ff9b::8.8.8.8",
    ] {
        assert!(!is_refused(text.parse()?), "{text}");
    }
    Ok(())
}

#[test]
fn embedded_addresses_are_rejected_and_named() -> Result {
    for (text, range, inner) in [
        ("::ffff:127.0.0.1", "IPv4-mapped", Some("127.0.0.1")),
        ("::ffff:8.8.8.8", "IPv4-mapped", Some("8.8.8.8")),
        ("::127.0.0.1", "IPv4-compatible", Some("127.0.0.1")),
        ("::ffff:0:10.0.0.1", "IPv4-translated", Some("10.0.0.1")),
        ("64:ff9b::169.254.169.254", "NAT64", Some("169.254.169.254")),
        ("64:ff9b:1:c0a8:0:100::", "local-use NAT64", Some("192.168.0.1")),
        ("2002:7f00:1::", "6to4", Some("127.0.0.1")),
        ("2002:a9fe:a9fe::1", "6to4", Some("169.254.169.254")),
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", "Teredo", Some("127.0.0.1")),
        ("::", "unspecified", None),
        ("::1", "loopback", None),
        ("fd00::1", "unique local", None),
        ("fe80::1", "link-local", None),
        ("fec0::1", "site-local", None),
        ("ff02::1", "multicast", None),
        ("100::1", "discard-only", None),
        ("100:0:0:1::1", "dummy prefix", None),
        ("5f00::1", "segment routing", None),
        ("2001:20::1", "protocol assignments", None),
        ("2001:db8::1", "documentation", None),
        ("3fff::1", "documentation", None),
        ("2620:4f:8000::1", "AS112 service", None),
        ("1000::1", "outside the global unicast range", None),
    ] {
        let address = text.parse()?;
        let refusal = Guard::default().check_address(address).err().ok_or(text)?;
        let inner = inner.map(str::parse).transpose()?;
        assert_eq!(refusal, Refusal::Address { address, range, inner });
        let words = refusal.to_string();
        assert!(inner.is_none_or(|v4: Ipv4Addr| words.contains(&v4.to_string())), "{words}");
    }
    let words = check("http://[2002:7f00:1::]/")?.err().ok_or("passed")?.to_string();
    assert_eq!(words, "2002:7f00:1:: is not a public address (6to4, holding 127.0.0.1: loopback)");
    Ok(())
}

/// Spellings that the URL parser turns into loopback or "this host".
const LOOPBACK_SPELLINGS: [&str; 26] = [
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "0X7F.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "127.1",
    "127.0.1",
    "0",
    "0.0.0.0",
    "0x0",
    "127.0.0.1.",
    "127.255.255.254",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127．0．0．1",
    "%31%32%37.0.0.1",
    "%31%32%37%2e0%2e0%2e1",
];

#[test]
fn every_spelling_of_loopback_is_rejected() -> Result {
    for host in LOOPBACK_SPELLINGS {
        for url in [format!("http://{host}/"), format!("https://{host}:8080/x"), format!("HTTP:\\\\{host}\\")] {
            assert!(matches!(check(&url)?, Err(Refusal::Address { .. })), "{url}");
        }
    }
    assert!(matches!(check("http://127.0.0.1\\@public.test/")?, Err(Refusal::Address { .. })));
    assert!(matches!(check("http://169.254.169.254/latest/meta-data/")?, Err(Refusal::Address { .. })));
    Ok(())
}

#[test]
fn lookalike_addresses_are_invalid_or_names() -> Result {
    for url in
        ["http://256.0.0.1/", "http://1.2.3.4.5/", "http://127.0.0.1%00/", "http://[fe80::1%25eth0]/", "http://0x/"]
    {
        let parsed = Url::parse(url);
        let harmless = parsed.as_ref().map_or(true, |url| matches!(check(url.as_str()), Ok(Err(_))));
        assert!(harmless, "{parsed:?}");
    }
    // These go to the resolver, whose answers are checked.
    for url in ["http://a.test#@127.0.0.1/", "http://127.0.0.1.nip.test/", "http://localhost.test/"] {
        assert!(Url::parse(url)?.domain().is_some() && check(url)?.is_ok(), "{url}");
    }
    Ok(())
}

#[test]
fn names_that_mean_this_machine_are_loopback() -> Result {
    for name in [
        "localhost",
        "localhost.",
        "LOCALHOST",
        "ｌｏｃａｌｈｏｓｔ",
        "a.localhost",
        "A.b.LocalHost.",
        "localhost.localdomain",
        "localhost.localdomain.",
        "a.localhost.localdomain",
        "ip6-localhost",
        "ip6-loopback",
        "IP6-Localhost.",
        "localhost4",
        "localhost6",
        "localhost4.localdomain4",
        "localhost6.localdomain6",
    ] {
        let result = check(&format!("http://{name}:8080/"))?;
        assert!(matches!(result, Err(Refusal::Address { range: "loopback", .. })), "{name}: {result:?}");
    }
    for name in ["localhost.test", "notlocalhost", "localhost1", "ip6-localhost.test", "localdomain", "xlocalhost"] {
        assert_eq!(check(&format!("http://{name}/"))?, Ok(()), "{name}");
    }
    for (net, expected) in [("127.0.0.0/8", "127.0.0.1"), ("::1/128", "::1")] {
        let addresses = Guard::new(vec![net.parse()?]).check_this_machine();
        assert_eq!(addresses, Ok(vec![expected.parse()?]), "{net}");
    }
    Ok(())
}

#[test]
fn only_http_and_https_without_credentials() -> Result {
    for url in
        ["ftp://a.test/", "file:///etc/passwd", "gopher://a.test/", "data:text/plain,x", "javascript:1", "ws://a.test/"]
    {
        assert!(matches!(check(url)?, Err(Refusal::Scheme(_))), "{url}");
    }
    for url in ["http://user@a.test/", "http://user:pass@a.test/", "https://:pass@a.test/", "http://a.test@b.test/"] {
        assert_eq!(check(url)?, Err(Refusal::Credentials), "{url}");
    }
    for url in ["http://a.test/", "https://a.test:8443/", "HTTPS://A.TEST", "http://@a.test/"] {
        assert_eq!(check(url)?, Ok(()), "{url}");
    }
    Ok(())
}

#[test]
fn bad_ports_are_rejected() -> Result {
    assert!(ports::BAD.is_sorted(), "the look-up needs an order");
    for port in [0, 1, 7, 22, 23, 25, 53, 110, 143, 161, 179, 389, 427, 465, 587, 636, 989, 995, 1719, 1723, 2049, 3659]
        .into_iter()
        .chain([4045, 4190, 5060, 5061, 6000, 6566])
        .chain(6665..=6669)
        .chain([6679, 6697, 10080])
    {
        assert_eq!(check(&format!("http://a.test:{port}/"))?, Err(Refusal::Port(port)));
    }
    for port in
        [2, 24, 80, 81, 443, 591, 1024, 3000, 5062, 5432, 6379, 6664, 6670, 8000, 8080, 8443, 9200, 10081, 65535]
    {
        assert_eq!(check(&format!("https://a.test:{port}/"))?, Ok(()), "{port}");
    }
    Ok(())
}

#[test]
fn allowed_network_allows_only_itself() -> Result {
    let guard = |nets: &[&str]| {
        let nets: std::result::Result<Vec<IpNet>, _> = nets.iter().map(|net| net.parse()).collect();
        nets.map(Guard::new)
    };
    let passes = |guard: &Guard, text: &str| Result::Ok(guard.check_address(text.parse()?).is_ok());
    for (net, inside, outside) in [
        (
            "10.1.0.0/16",
            &["10.1.0.0", "10.1.255.255", "::ffff:10.1.2.3"][..],
            &[
                "10.0.255.255",
                "10.2.0.0",
                "::ffff:10.2.0.0",
                "64:ff9b::10.1.2.3",
                "2002:0a01:0203::",
                "::10.1.2.3",
                "127.0.0.1",
            ][..],
        ),
        ("192.168.1.10/32", &["192.168.1.10"], &["192.168.1.9", "192.168.1.11"]),
        ("fd00:1::/32", &["fd00:1::", "fd00:1:ffff::1"], &["fd00:0:ffff::", "fd00:2::", "fe80::1", "10.1.2.3"]),
        ("64:ff9b::/96", &["64:ff9b::10.1.2.3"], &["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b:1::"]),
        ("::1/128", &["::1"], &["::", "::2", "127.0.0.1"]),
        ("::ffff:10.1.0.0/112", &["::ffff:10.1.2.3"], &["10.1.2.3"]),
    ] {
        let guard = guard(&[net])?;
        for text in inside {
            assert!(passes(&guard, text)?, "{text} is in {net}");
        }
        for text in outside {
            assert!(!passes(&guard, text)?, "{text} is not in {net}");
        }
    }
    let both = guard(&["10.0.0.0/8", "fd00::/8"])?;
    assert!(passes(&both, "10.9.9.9")? && passes(&both, "fd12::1")? && !passes(&both, "172.16.0.1")?);
    let opened = guard(&["127.0.0.0/8"])?;
    assert!(opened.check_url(&Url::parse("http://127.0.0.1:22/")?).is_err(), "the other rules still hold");
    Ok(())
}

#[test]
fn one_bad_answer_rejects_the_name() -> Result {
    let (good, bad): (IpAddr, IpAddr) = ("8.8.8.8".parse()?, "10.0.0.1".parse()?);
    let guard = Guard::default();
    assert!(guard.check_answers(&[good, good]).is_ok());
    for answers in [&[bad][..], &[good, bad], &[bad, good], &[good, good, bad]] {
        assert!(guard.check_answers(answers).is_err(), "{answers:?}");
    }
    Ok(())
}
