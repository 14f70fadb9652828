//! The client address of a request: the peer of the connection, or the address that a trusted proxy names.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use http::{HeaderMap, request::Parts};
use ipnet::IpNet;

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// The peer of the connection. The server adds it to each request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub SocketAddr);

/// Whether the peer looks like a proxy that `TRUSTED_PROXIES` lacks: it is local and sends `X-Forwarded-For`.
pub(crate) fn is_likely_proxied(parts: &Parts, trusted: &[IpNet]) -> bool {
    let Some(peer) = parts.extensions.get::<Peer>().map(|peer| peer.0.ip().to_canonical()) else { return false };
    let is_local = match peer {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    };
    is_local && parts.headers.contains_key(X_FORWARDED_FOR) && !trusted.iter().any(|net| net.contains(&peer))
}

/// The address of the client. Without a connection, as in some tests, it is unspecified.
pub(crate) fn client_address(parts: &Parts, trusted: &[IpNet]) -> IpAddr {
    let peer = parts.extensions.get::<Peer>().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.0.ip());
    behind_proxies(peer.to_canonical(), &parts.headers, trusted)
}

/// Each proxy appends the address of its client. The client is the last address that is not a trusted proxy; everything
/// before it was sent by that client and cannot be trusted.
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

/// Parses an address as proxies write it: bare, with a port, or in brackets.
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
    fn only_trusted_proxies_set_the_address() {
        let trusted: Vec<IpNet> = ["10.0.0.0/8", "fd00::/8"].map(|net| net.parse().unwrap()).into();
        // The peer, the header's lines, and the expected address.
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
            assert_eq!(behind_proxies(peer, &headers, &[]), peer, "no proxy is trusted by default");
        }
    }
}
