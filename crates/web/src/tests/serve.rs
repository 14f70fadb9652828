//! The server on a real socket.

use std::{net::SocketAddr, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::Notify,
    task::JoinHandle,
    time::timeout,
};

use super::*;
use crate::ConnectionLimits;

/// Long enough for a slow machine.
const SOON: Duration = Duration::from_secs(20);
const NEVER: Duration = Duration::from_secs(3600);
/// Larger than the buffers of a loopback connection.
const LARGE_BYTES: usize = 16 * 1024 * 1024;
const QUICK: &str = "GET /quick HTTP/1.1\r\nhost: x\r\n\r\n";
const SLOW: &str = "GET /slow HTTP/1.1\r\nhost: x\r\n\r\n";

struct Server {
    address: SocketAddr,
    stop: CancellationToken,
    task: JoinHandle<()>,
    /// Sent when the slow request has arrived.
    arrived: Arc<Notify>,
    /// Lets the slow request go on.
    proceed: Arc<Notify>,
}

async fn server(grace: Duration) -> Server {
    server_with(ConnectionLimits::new(100, Vec::new()), grace).await
}

async fn server_with(limits: ConnectionLimits, grace: Duration) -> Server {
    let (arrived, proceed) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, wait) = (arrived.clone(), proceed.clone());
    let slow = move || async move {
        tell.notify_one();
        wait.notified().await;
        "done"
    };
    let routes = Router::new()
        .route("/quick", get(|| async { "done" }))
        .route("/slow", get(slow))
        .route("/large", get(|| async { vec![b'x'; LARGE_BYTES] }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let task = tokio::spawn(crate::serve(listener, with_layers(routes, NEVER, None), limits, stop.clone(), grace));
    Server { address, stop, task, arrived, proceed }
}

async fn send(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn shutdown_finishes_open_requests() {
    let server = server(NEVER).await;
    let mut stream = send(server.address, SLOW).await;
    timeout(SOON, server.arrived.notified()).await.unwrap();
    server.stop.cancel();
    // The listener closes now or soon; a connection that is still accepted gets no response.
    let refused = async {
        while TcpStream::connect(server.address).await.is_ok() {
            tokio::task::yield_now().await
        }
    };
    timeout(SOON, refused).await.unwrap();
    server.proceed.notify_one();
    let mut answer = String::new();
    timeout(SOON, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("done"), "{answer}");
    timeout(SOON, server.task).await.unwrap().unwrap();
}

#[tokio::test]
async fn idle_connections_do_not_delay_shutdown() {
    let server = server(NEVER).await;
    let _silent = send(server.address, "").await;
    let mut idle = send(server.address, QUICK).await;
    let mut first = [0; 12];
    timeout(SOON, idle.read_exact(&mut first)).await.unwrap().unwrap();
    server.stop.cancel();
    timeout(SOON, server.task).await.unwrap().unwrap();
}

#[tokio::test]
async fn unfinished_requests_are_aborted_after_the_grace() {
    let server = server(Duration::from_millis(50)).await;
    let mut slow = send(server.address, SLOW).await;
    let mut half = send(server.address, "GET /quick HTTP/1.1\r\nhost:").await;
    timeout(SOON, server.arrived.notified()).await.unwrap();
    server.stop.cancel();
    timeout(SOON, server.task).await.unwrap().unwrap();
    for stream in [&mut slow, &mut half] {
        let mut answer = Vec::new();
        let _reset = timeout(SOON, stream.read_to_end(&mut answer)).await.unwrap();
        assert!(answer.is_empty(), "{answer:?}");
    }
}

/// At most `total` connections, and as many from each address.
fn limit_of(total: usize) -> ConnectionLimits {
    ConnectionLimits { per_address: total, ..ConnectionLimits::new(total, Vec::new()) }
}

/// A silent connection from this loopback address.
async fn connect_from(own: &str, server: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{own}:0").parse().unwrap()).unwrap();
    socket.connect(server).await.unwrap()
}

/// Sends a request on an open connection and reads its answer; false if the connection is closed instead.
async fn is_answered(stream: &mut TcpStream) -> bool {
    if stream.write_all(QUICK.as_bytes()).await.is_err() {
        return false;
    }
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\ndone") {
        let mut part = [0; 1024];
        match timeout(SOON, stream.read(&mut part)).await.unwrap() {
            Ok(0) | Err(_) => return false,
            Ok(read) => answer.extend_from_slice(&part[..read]),
        }
    }
    answer.starts_with(b"HTTP/1.1 200")
}

async fn is_closed(stream: &mut TcpStream) -> bool {
    matches!(timeout(SOON, stream.read(&mut [0; 1])).await.unwrap(), Ok(0) | Err(_))
}

#[tokio::test]
async fn oldest_silent_connection_is_closed_first() {
    let server = server_with(limit_of(3), NEVER).await;
    let mut idle = send(server.address, "").await;
    assert!(is_answered(&mut idle).await);
    let mut oldest = send(server.address, "").await;
    let mut newer = send(server.address, "GET /quick HTTP/1.1\r\n").await;
    assert!(is_answered(&mut send(server.address, "").await).await);
    assert!(is_closed(&mut oldest).await);
    assert!(is_answered(&mut idle).await, "a connection that has sent a request is not closed first");
    newer.write_all(b"host: x\r\n\r\n").await.unwrap();
    assert!(!is_closed(&mut newer).await, "the newer one is still open");
}

#[tokio::test]
async fn longest_idle_connection_is_closed_next() {
    let server = server_with(limit_of(2), NEVER).await;
    let (mut first, mut second) = (send(server.address, "").await, send(server.address, "").await);
    assert!(is_answered(&mut second).await && is_answered(&mut first).await);
    assert!(is_answered(&mut send(server.address, "").await).await);
    assert!(is_closed(&mut second).await);
    assert!(is_answered(&mut first).await);
}

#[tokio::test]
async fn answering_connections_are_never_closed() {
    let server = server_with(limit_of(2), NEVER).await;
    let mut slow = send(server.address, SLOW).await;
    timeout(SOON, server.arrived.notified()).await.unwrap();
    // The body is complete, but the client reads nothing: most of it is still in the server.
    let mut unread = send(server.address, "GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    timeout(SOON, unread.readable()).await.unwrap().unwrap();
    assert!(is_closed(&mut send(server.address, "").await).await, "there is no room");
    server.proceed.notify_one();
    let mut answer = Vec::new();
    timeout(SOON, unread.read_to_end(&mut answer)).await.unwrap().unwrap();
    assert!(answer.len() > LARGE_BYTES, "{}", answer.len());
    let mut first = [0; 12];
    timeout(SOON, slow.read_exact(&mut first)).await.unwrap().unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    assert!(is_answered(&mut send(server.address, "").await).await, "there is room again");
}

#[tokio::test]
async fn address_limit_does_not_affect_others() {
    let limits = ConnectionLimits { total: 100, per_address: 2, ..limit_of(100) };
    let server = server_with(limits, NEVER).await;
    let mut other = connect_from("127.0.0.2", server.address).await;
    let mut oldest = connect_from("127.0.0.1", server.address).await;
    let mut newer = connect_from("127.0.0.1", server.address).await;
    let mut newest = connect_from("127.0.0.1", server.address).await;
    assert!(is_closed(&mut oldest).await);
    for stream in [&mut newer, &mut newest, &mut other] {
        assert!(is_answered(stream).await);
    }
}

#[tokio::test]
async fn trusted_proxies_have_no_address_limit() {
    let proxies = vec!["127.0.0.2/32".parse().unwrap()];
    let server = server_with(ConnectionLimits { per_address: 1, proxies, ..limit_of(3) }, NEVER).await;
    let mut first = connect_from("127.0.0.2", server.address).await;
    let mut second = connect_from("127.0.0.2", server.address).await;
    let mut third = connect_from("127.0.0.2", server.address).await;
    let mut fourth = connect_from("127.0.0.2", server.address).await;
    assert!(is_closed(&mut first).await, "the total holds for proxies too");
    for stream in [&mut second, &mut third, &mut fourth] {
        assert!(is_answered(stream).await);
    }
}

#[tokio::test]
async fn silent_connections_time_out() {
    assert_eq!(limit_of(1).first_request_timeout, Duration::from_secs(10));
    let limits = ConnectionLimits { first_request_timeout: Duration::from_millis(50), ..limit_of(10) };
    let server = server_with(limits, NEVER).await;
    let mut idle = send(server.address, "").await;
    assert!(is_answered(&mut idle).await);
    for start in ["", "GET /quick HTTP/1.1\r\nhost:"] {
        let mut silent = send(server.address, start).await;
        assert!(is_closed(&mut silent).await, "{start:?}");
    }
    assert!(is_answered(&mut idle).await, "a connection that has sent a request is kept");
}

#[tokio::test]
async fn request_heads_over_32_kb_are_rejected() {
    let server = server(NEVER).await;
    for (kilobytes, status) in [(31, "200"), (33, "431")] {
        let value = "x".repeat(1_024 - "x-00: \r\n".len());
        let headers: String = (0..kilobytes).map(|n| format!("x-{n:02}: {value}\r\n")).collect();
        let head = format!("GET /quick HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n");
        let mut stream = send(server.address, &head).await;
        let mut answer = String::new();
        timeout(SOON, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{kilobytes} kB: {answer}");
    }
}
