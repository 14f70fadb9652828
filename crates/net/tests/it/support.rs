//! Shared by the tests: clients that may reach loopback, and names for it.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use net::{Client, ClientSettings, Error, Lookup, Request, Resolver, Response, Urgency};
use tokio::task::JoinHandle;

pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Settings that allow the given networks, without pacing.
pub fn settings(nets: &[&str]) -> Result<ClientSettings> {
    let allow_nets = nets.iter().map(|net| net.parse()).collect::<std::result::Result<_, _>>()?;
    Ok(ClientSettings {
        allow_nets,
        host_gap: Duration::ZERO,
        timeout: Duration::from_secs(30),
        ..ClientSettings::default()
    })
}

/// A client that may reach all of loopback.
pub fn client() -> Result<Client> {
    Ok(Client::new(settings(&["127.0.0.0/8"])?)?)
}

pub fn get(url: &str) -> Result<Request> {
    Ok(Request::get(net::parse_url(url)?))
}

pub async fn fetch(url: &str) -> Result<std::result::Result<Response, Error>> {
    Ok(client()?.send(get(url)?.urgency(Urgency::Interactive)).await)
}

/// Sends on a new task.
pub fn spawn(client: &Client, request: Request) -> JoinHandle<std::result::Result<Response, Error>> {
    let client = client.clone();
    tokio::spawn(async move { client.send(request).await })
}

pub fn kind(result: &std::result::Result<Response, Error>) -> &'static str {
    result.as_ref().map_or_else(Error::kind, |_| "answered")
}

/// A resolver with fixed names and without NAT64, which counts the look-ups.
#[derive(Clone, Default)]
pub struct Names {
    known: Arc<Mutex<HashMap<String, Vec<IpAddr>>>>,
    asked: Arc<AtomicUsize>,
}

impl Names {
    pub fn of(names: &[(&str, &[&str])]) -> Result<Self> {
        let known = Self::default();
        names.iter().try_for_each(|(name, addresses)| known.set(name, addresses))?;
        Ok(known)
    }

    pub fn set(&self, name: &str, addresses: &[&str]) -> Result {
        let addresses = addresses.iter().map(|text| text.parse()).collect::<std::result::Result<_, _>>()?;
        self.known.lock().map_err(|_| "poisoned")?.insert(name.to_owned(), addresses);
        Ok(())
    }

    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Resolver for Names {
    fn lookup(&self, host: &str) -> Lookup {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let found = self.known.lock().ok().and_then(|known| known.get(host).cloned());
        let found = found.or_else(|| (host == "ipv4only.arpa.").then(|| vec![[192, 0, 0, 170].into()]));
        Box::pin(async move { found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound)) })
    }
}

/// Counts connections and limits their number, so that a broken guard cannot reach beyond this machine.
#[derive(Clone, Default)]
pub struct Dials(Arc<AtomicUsize>);

impl Dials {
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    pub fn allow(&self, max: usize) -> impl Fn() -> bool + Send + Sync + 'static {
        let count = Arc::clone(&self.0);
        move || count.fetch_add(1, Ordering::SeqCst) < max
    }
}
