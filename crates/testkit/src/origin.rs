//! Origin servers on loopback, written in raw bytes, because an HTTP library would not misbehave on request.
//!
//! [`Origin::serve`] answers requests, [`Origin::raw`] gives access to the connection; `hostile` has misbehaving servers. A server
//! ends when it is dropped.

pub mod hostile;

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A server on a free port of a loopback address.
pub struct Origin {
    addr: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    counts: watch::Receiver<Connections>,
    task: JoinHandle<()>,
}

/// A request as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// `GET`, `HEAD`, `POST`.
    pub method: String,
    /// The path and the query.
    pub target: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// As long as `Content-Length` says.
    pub body: Vec<u8>,
}

/// The number of connections of a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Connections {
    pub accepted: usize,
    /// Not yet closed, by either side.
    pub open: usize,
}

impl Origin {
    /// Answers every request with the bytes from `reply`. Connections stay open.
    pub async fn serve(reply: impl Fn(&Seen) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::serve_on(Ipv4Addr::LOCALHOST.into(), reply).await
    }

    /// The same on another loopback address.
    pub async fn serve_on(ip: IpAddr, reply: impl Fn(&Seen) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let seen = Arc::<Mutex<Vec<Seen>>>::default();
        let (reply, log) = (Arc::new(reply), Arc::clone(&seen));
        let mut origin = Self::listen(ip, move |mut stream| {
            let (reply, log) = (Arc::clone(&reply), Arc::clone(&log));
            async move {
                while let Some(request) = read_request(&mut stream).await {
                    let bytes = reply(&request);
                    log.lock().expect("no reply panicked").push(request);
                    if stream.write_all(&bytes).await.is_err() {
                        break;
                    }
                }
            }
        })
        .await;
        origin.seen = seen;
        origin
    }

    /// Runs `script` on every connection, and closes it when the script ends.
    pub async fn raw<F, Fut>(script: F) -> Self
    where
        F: Fn(TcpStream) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        Self::listen(Ipv4Addr::LOCALHOST.into(), script).await
    }

    async fn listen<F, Fut>(ip: IpAddr, script: F) -> Self
    where
        F: Fn(TcpStream) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        assert!(ip.is_loopback(), "{ip} is not a loopback address");
        let listener = TcpListener::bind((ip, 0)).await.expect("a free port on loopback");
        let addr = listener.local_addr().expect("a bound socket has an address");
        let (count, counts) = watch::channel(Connections::default());
        let count = Arc::new(count);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.send_modify(|now| *now = Connections { accepted: now.accepted + 1, open: now.open + 1 });
                let (serving, count) = (script(stream), Arc::clone(&count));
                tokio::spawn(async move {
                    serving.await;
                    count.send_modify(|now| now.open -= 1);
                });
            }
        });
        Self { addr, seen: Arc::default(), counts, task }
    }

    /// The address it listens on.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// A URL of this server.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// The same URL with a name in place of the address.
    pub fn url_as(&self, name: &str, path: &str) -> String {
        format!("http://{name}:{}{path}", self.addr.port())
    }

    /// The requests so far; always empty for a raw server.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("no reply panicked").clone()
    }

    /// The connections so far.
    pub fn connections(&self) -> Connections {
        *self.counts.borrow()
    }

    /// Waits until `wanted` is true for the connections.
    pub async fn until(&self, wanted: impl Fn(&Connections) -> bool) -> Connections {
        *self.counts.clone().wait_for(|now| wanted(now)).await.expect("the server runs")
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Seen {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A response with a `Content-Length`. `head` is the status line and headers, each ended by `\r\n`.
pub fn answer(head: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut bytes = format!("{head}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// `200 OK` with this body.
pub fn ok(body: impl AsRef<[u8]>) -> Vec<u8> {
    answer("HTTP/1.1 200 OK\r\n", body)
}

/// A redirect without a body.
pub fn redirect(status: u16, location: &str) -> Vec<u8> {
    answer(&format!("HTTP/1.1 {status} Elsewhere\r\nLocation: {location}\r\n"), "")
}

/// Reads one request. `None` when the client has closed the connection.
pub async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.lines();
    let mut words = lines.next()?.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    let mut seen = Seen { method, target, headers, body: Vec::new() };
    let length = seen.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    seen.body = vec![0; length];
    stream.read_exact(&mut seen.body).await.ok()?;
    Some(seen)
}
