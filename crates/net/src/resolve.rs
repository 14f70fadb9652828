//! Resolves names through the guard. Exactly the checked addresses are dialled.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::time::{Instant, timeout};

use crate::error::{self, Error};
use crate::guard::{Guard, LOOPBACK, PREFIX_NAME, is_this_machine};

/// The future of a look-up.
pub type Lookup = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Looks up the addresses of a name.
pub trait Resolver: Send + Sync + 'static {
    /// All addresses of the name, in the order to try them.
    fn lookup(&self, host: &str) -> Lookup;
}

/// The operating system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn lookup(&self, host: &str) -> Lookup {
        let host = host.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect()) })
    }
}

/// A failed look-up. Cloneable, because it is read from a chain of borrowed errors.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the name {host} could not be resolved: {source}")]
pub(crate) struct LookupFailed {
    host: String,
    #[source]
    source: Arc<io::Error>,
}

impl From<LookupFailed> for Error {
    fn from(failed: LookupFailed) -> Self {
        let source = io::Error::new(failed.source.kind(), failed.source);
        Self::Dns { host: failed.host, source }
    }
}

/// How long checked addresses stay: long enough to dial them, too short for a cache.
const ADDRESS_TTL: Duration = Duration::from_secs(10);

/// Beyond this many names, dialling needs a second look-up, which is checked too.
const MAX_NAMES: usize = 1024;

/// How long discovered NAT64 prefixes are valid.
const NAT64_TTL: Duration = Duration::from_secs(3600);

/// The retry interval after a failure, or after an answer without prefixes.
const RETRY_NAT64: Duration = Duration::from_secs(60);

/// The retry interval while requests fail because the prefixes are unknown.
const RETRY_REQUIRED_NAT64: Duration = Duration::from_secs(5);

/// The first fetch waits for this look-up.
const NAT64_TIMEOUT: Duration = Duration::from_secs(2);

/// Checks every answer, and gives the connector exactly the checked addresses.
///
/// One for each level of trust: an answer for a trusted request must not be used by another.
pub(crate) struct GuardedResolver {
    resolver: Arc<dyn Resolver>,
    /// `None` allows every address, for the operator's endpoints.
    guard: Option<Guard>,
    checked: Mutex<HashMap<String, CheckedAddresses>>,
    /// Held during the look-up of the prefixes; other requests wait.
    nat64: tokio::sync::Mutex<Nat64>,
    /// Whether this machine can dial IPv4 addresses.
    has_ipv4: fn() -> bool,
}

/// The state of the look-up of the NAT64 prefixes.
#[derive(Default)]
struct Nat64 {
    /// No look-up is needed until then.
    until: Option<Instant>,
    /// Whether a look-up has succeeded, or the prefixes do not matter on this machine.
    is_settled: bool,
}

struct CheckedAddresses {
    addresses: Vec<IpAddr>,
    until: Instant,
}

impl GuardedResolver {
    pub(crate) fn new(resolver: Arc<dyn Resolver>, guard: Option<Guard>) -> Self {
        Self { resolver, guard, checked: Mutex::default(), nat64: tokio::sync::Mutex::default(), has_ipv4 }
    }

    /// The checked addresses of a name, remembered or looked up now.
    pub(crate) async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Error> {
        if is_this_machine(host) {
            return Ok(self.guard.as_ref().map_or_else(|| Ok(LOOPBACK.to_vec()), Guard::check_this_machine)?);
        }
        if let Some(addresses) = self.recall(host) {
            return Ok(addresses);
        }
        let answer = self.resolver.lookup(host).await;
        let addresses = answer.and_then(|found| if found.is_empty() { Err(no_addresses()) } else { Ok(found) });
        let addresses = addresses.map_err(|source| error::of_lookup(host, source))?;
        if let Some(guard) = &self.guard {
            self.discover_nat64(&addresses).await?;
            guard.check_answers(&addresses)?;
        }
        self.remember(host, &addresses);
        Ok(addresses)
    }

    /// Looks up the NAT64 prefixes of the network (RFC 7050) if they matter for these addresses and are not known.
    ///
    /// Fails while no look-up has succeeded and this machine has no IPv4: then a NAT64 gateway is likely, and an internal address
    /// behind it cannot be distinguished from a public one. A machine with IPv4 does not depend on this look-up.
    pub(crate) async fn discover_nat64(&self, addresses: &[IpAddr]) -> Result<(), Error> {
        let Some(guard) = self.guard.as_ref().filter(|guard| guard.depends_on_nat64(addresses)) else {
            return Ok(());
        };
        let mut nat64 = self.nat64.lock().await;
        if nat64.until.is_none_or(|until| until <= Instant::now()) {
            let answers = timeout(NAT64_TIMEOUT, self.resolver.lookup(PREFIX_NAME)).await;
            let keep = match answers {
                Ok(Ok(answers)) => {
                    nat64.is_settled = true;
                    if guard.learn_nat64(&answers) { NAT64_TTL } else { RETRY_NAT64 }
                }
                Ok(Err(_)) | Err(_) => {
                    nat64.is_settled |= (self.has_ipv4)();
                    if nat64.is_settled { RETRY_NAT64 } else { RETRY_REQUIRED_NAT64 }
                }
            };
            nat64.until = Some(Instant::now() + keep);
        }
        if nat64.is_settled {
            return Ok(());
        }
        let source = io::Error::other("without it, addresses behind a NAT64 gateway cannot be checked");
        Err(Error::Dns { host: PREFIX_NAME.to_owned(), source })
    }

    fn recall(&self, host: &str) -> Option<Vec<IpAddr>> {
        let checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        checked.get(host).filter(|entry| entry.until > Instant::now()).map(|entry| entry.addresses.clone())
    }

    fn remember(&self, host: &str, addresses: &[IpAddr]) {
        let now = Instant::now();
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if checked.len() >= MAX_NAMES {
            checked.retain(|_, entry| entry.until > now);
        }
        if checked.len() < MAX_NAMES {
            checked
                .insert(host.to_owned(), CheckedAddresses { addresses: addresses.to_vec(), until: now + ADDRESS_TTL });
        }
    }
}

/// Whether this machine has a route to IPv4 addresses. Connecting a UDP socket sends nothing.
///
/// An address of `192.0.0.0/29` is that of a translator on this machine (464XLAT), which needs a NAT64 gateway.
fn has_ipv4() -> bool {
    const ROOT_SERVER: Ipv4Addr = Ipv4Addr::new(198, 41, 0, 4);
    let local = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((ROOT_SERVER, 53))?;
        socket.local_addr()
    });
    local.is_ok_and(|local| !matches!(local.ip(), IpAddr::V4(v4) if matches!(v4.octets(), [192, 0, 0, 0..8])))
}

fn no_addresses() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the name has no addresses")
}

/// The connector's side of a [`GuardedResolver`].
pub(crate) struct ConnectorResolver(pub(crate) Arc<GuardedResolver>);

impl Resolve for ConnectorResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = Arc::clone(&self.0);
        Box::pin(async move {
            match resolver.resolve(name.as_str()).await {
                // Port 0 stands for the port of the URL.
                Ok(addresses) => Ok(Box::new(addresses.into_iter().map(|ip| SocketAddr::new(ip, 0))) as Addrs),
                Err(Error::Dns { host, source }) => Err(LookupFailed { host, source: Arc::new(source) }.into()),
                Err(Error::Blocked { reason }) => Err(reason.into()),
                // The classifier recognises it by its code.
                Err(Error::OutOfResources { source }) => Err(source.into()),
                Err(other) => Err(other.into()),
            }
        })
    }
}
