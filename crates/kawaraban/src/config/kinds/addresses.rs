//! Addresses: databases, web sites, sockets and networks.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use store::DatabaseAddress;
use url::{Host, Url};

use super::{HIDDEN, SettingKind};

/// The address of the database, which may contain a password.
pub struct Database;

impl SettingKind for Database {
    type Value = DatabaseAddress;

    fn how(&self) -> String {
        "`sqlite://path/to/kawaraban.db` or `postgres://user:password@host:5432/name`".into()
    }

    fn parse(&self, text: &str) -> Result<DatabaseAddress, String> {
        text.parse().map_err(|error: store::DatabaseAddressError| error.to_string())
    }

    fn is_secret(&self) -> bool {
        true
    }

    fn show(&self, text: &str) -> String {
        self.parse(text).map_or(String::new(), |address| address.to_string())
    }
}

/// The address of a web site or an API, without a user name or a password.
pub struct HttpUrl;

impl SettingKind for HttpUrl {
    type Value = Url;

    fn how(&self) -> String {
        "an address such as `https://news.example.org`".into()
    }

    fn parse(&self, text: &str) -> Result<Url, String> {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
        let url = url.filter(|url| url.query().is_none() && url.fragment().is_none());
        url.ok_or_else(|| {
            "write an address such as https://news.example.org, without a user name, a password, ? or #".into()
        })
    }
}

/// The address that changes are sent to. Its query may contain a secret.
pub struct WebhookUrl;

impl SettingKind for WebhookUrl {
    type Value = Url;

    fn how(&self) -> String {
        "an address such as `https://hooks.example.org/news`".into()
    }

    fn parse(&self, text: &str) -> Result<Url, String> {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let url = url.filter(|url| url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
        url.ok_or_else(|| {
            "write an address such as https://hooks.example.org/news, without a user name, a password or #".into()
        })
    }

    fn show(&self, text: &str) -> String {
        text.split_once('?').map_or_else(|| text.to_owned(), |(address, _)| format!("{address}?{HIDDEN}"))
    }
}

/// The origin of a web site: scheme, host and port only.
pub struct WebOrigin;

impl SettingKind for WebOrigin {
    type Value = Url;

    fn how(&self) -> String {
        "an origin such as `https://news.example.org`".into()
    }

    fn parse(&self, text: &str) -> Result<Url, String> {
        let url = HttpUrl.parse(text).ok().filter(|url| url.path() == "/");
        url.ok_or_else(|| "write one origin such as https://news.example.org, without a path".into())
    }
}

/// The address of an OpenID provider. Its keys must not be fetched without encryption.
pub struct Issuer;

impl SettingKind for Issuer {
    type Value = Url;

    fn how(&self) -> String {
        "the issuer's address such as `https://accounts.example.org`; http only on this machine".into()
    }

    fn parse(&self, text: &str) -> Result<Url, String> {
        let url = HttpUrl.parse(text).ok().filter(|url| url.scheme() == "https" || is_this_machine(url));
        url.ok_or_else(|| {
            "write the issuer's address as the provider names it, such as https://accounts.example.org; http is only for \
             a provider on this machine"
                .into()
        })
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// An address of this machine.
pub struct Ip;

impl SettingKind for Ip {
    type Value = IpAddr;

    fn how(&self) -> String {
        "an address such as `127.0.0.1` (this machine only), `0.0.0.0` or `::` (all addresses)".into()
    }

    fn parse(&self, text: &str) -> Result<IpAddr, String> {
        text.parse().map_err(|_| "write an address such as 127.0.0.1, 0.0.0.0 or ::".into())
    }
}

/// An address and a port to listen on.
pub struct ListenOn;

impl SettingKind for ListenOn {
    type Value = SocketAddr;

    fn how(&self) -> String {
        "an address and a port such as `127.0.0.1:9090` or `[::1]:9090`".into()
    }

    fn parse(&self, text: &str) -> Result<SocketAddr, String> {
        text.parse().map_err(|_| "write an address and a port such as 127.0.0.1:9090 or [::1]:9090".into())
    }
}

/// Networks, separated by commas.
pub struct Nets;

impl SettingKind for Nets {
    type Value = Vec<IpNet>;

    fn how(&self) -> String {
        "networks separated by commas, such as `192.168.1.0/24, fd00::/8`".into()
    }

    fn parse(&self, text: &str) -> Result<Vec<IpNet>, String> {
        let nets = text.split(',').map(str::trim).filter(|net| !net.is_empty());
        nets.map(|net| {
            net.parse().map_err(|_| format!("`{net}` is not a network: write them such as 192.168.1.0/24, fd00::/8"))
        })
        .collect()
    }

    fn absent(&self) -> Option<Vec<IpNet>> {
        Some(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_addresses_have_no_password_query_or_fragment() {
        assert!(HttpUrl.parse("https://news.example.org/reader").is_ok());
        for text in
            ["news.example.org", "ftp://a", "https://", "https://me:pw@a", "https://a/?b", "https://a/#b", "http:"]
        {
            let error = HttpUrl.parse(text).unwrap_err();
            assert!(!error.contains("pw"), "{error}");
        }
        assert!(WebOrigin.parse("http://localhost:3000").is_ok());
        assert!(WebOrigin.parse("http://localhost:3000/app").is_err() && WebOrigin.parse("*").is_err());
    }

    #[test]
    fn issuer_needs_https_except_on_loopback() {
        for text in
            ["https://accounts.example.org", "https://a.example/realms/b", "http://127.0.0.1:9000", "http://[::1]:1"]
        {
            assert!(Issuer.parse(text).is_ok(), "{text}");
        }
        for text in
            ["http://accounts.example.org", "http://localhost.example", "http://192.168.0.1", "accounts.example.org"]
        {
            assert!(Issuer.parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn networks_are_a_list() {
        assert_eq!(Nets.parse("10.0.0.0/8, fd00::/8,").unwrap().len(), 2);
        assert!(Nets.parse("10.0.0.0/8, here").unwrap_err().contains("`here`"));
        assert!(Nets.parse("10.0.0.1").is_err() && Nets.parse("10.0.0.0/33").is_err());
    }
}
