//! Whose address a request comes from: the other end of the connection, or whom a trusted proxy names.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use http::{HeaderMap, request::Parts};
use ipnet::IpNet;

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// The other end of the connection; the server puts it into each request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub SocketAddr);

/// Whether the other end seems to be a proxy that nobody has said to trust: it is near, and names somebody else.
pub(crate) fn is_likely_proxied(parts: &Parts, trusted: &[IpNet]) -> bool {
    let Some(peer) = parts.extensions.get::<Peer>().map(|peer| peer.0.ip().to_canonical()) else { return false };
    let is_near = match peer {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    };
    is_near && parts.headers.contains_key(X_FORWARDED_FOR) && !trusted.iter().any(|net| net.contains(&peer))
}

/// The address of whoever asks. Without a connection, in tests, it is nobody's.
pub(crate) fn client_address(parts: &Parts, trusted: &[IpNet]) -> IpAddr {
    let peer = parts.extensions.get::<Peer>().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.0.ip());
    behind_proxies(peer.to_canonical(), &parts.headers, trusted)
}

/// Each proxy adds at the right whom it was asked by. What stands left of the first address that is not a trusted
/// proxy's was written by that one, and may be anything.
fn behind_proxies(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|net| net.contains(&address));
    let lines = headers.get_all(X_FORWARDED_FOR).iter().rev();
    let mut named = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    let mut address = peer;
    while is_trusted(address) {
        let Some(before) = named.next().and_then(parse) else { break };
        address = before;
    }
    address
}

/// An address as proxies write it: bare, with a port, or in brackets.
fn parse(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|address: SocketAddr| address.ip()));
    address.ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_trusted_proxy_added_is_believed() {
        let trusted: Vec<IpNet> = ["10.0.0.0/8", "fd00::/8"].map(|net| net.parse().unwrap()).into();
        // The peer, the header's lines, and who it is.
        let cases: [(&str, &[&str], &str); 16] = [
            ("192.0.2.1", &[], "192.0.2.1"),
            ("192.0.2.1", &["198.51.100.7"], "192.0.2.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["1.2.3.4, 198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["1.2.3.4, 198.51.100.7, 10.0.0.2"], "198.51.100.7"),
            ("10.0.0.1", &["1.2.3.4", "198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["198.51.100.7", "10.0.0.2"], "198.51.100.7"),
            ("10.0.0.1", &["198.51.100.7:1234"], "198.51.100.7"),
            ("10.0.0.1", &["[2001:db8::7]:1234"], "2001:db8::7"),
            ("10.0.0.1", &["[2001:db8::7]"], "2001:db8::7"),
            ("fd00::1", &["2001:db8::7"], "2001:db8::7"),
            ("::ffff:10.0.0.1", &["::ffff:198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["198.51.100.7, unknown"], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.7,"], "10.0.0.1"),
            ("10.0.0.1", &["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ];
        for (peer, lines, expected) in cases {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(X_FORWARDED_FOR, line.parse().unwrap());
            }
            let peer: IpAddr = peer.parse().unwrap();
            let found = behind_proxies(peer.to_canonical(), &headers, &trusted);
            assert_eq!(found, expected.parse::<IpAddr>().unwrap(), "{peer} {lines:?}");
            assert_eq!(behind_proxies(peer, &headers, &[]), peer, "nobody is trusted unless it is said");
        }
    }
}
