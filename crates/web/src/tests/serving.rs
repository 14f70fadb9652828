//! The server on a real socket.

use std::{net::SocketAddr, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinHandle,
    time::timeout,
};

use super::*;

/// Long enough for a slow machine, short enough to fail before anybody gives up.
const SOON: Duration = Duration::from_secs(20);
const NEVER: Duration = Duration::from_secs(3600);

struct Server {
    address: SocketAddr,
    stop: CancellationToken,
    task: JoinHandle<()>,
    /// Told when the slow request has arrived.
    arrived: Arc<Notify>,
    /// Lets the slow request go on.
    proceed: Arc<Notify>,
}

async fn server(grace: Duration) -> Server {
    let (arrived, proceed) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, wait) = (arrived.clone(), proceed.clone());
    let slow = move || async move {
        tell.notify_one();
        wait.notified().await;
        "done"
    };
    let routes = Router::new().route("/quick", get(|| async { "done" })).route("/slow", get(slow));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let task = tokio::spawn(crate::serve(
        listener,
        with_layers(routes, NEVER, SecurityHeaders::new(false, false), None),
        stop.clone(),
        grace,
    ));
    Server { address, stop, task, arrived, proceed }
}

async fn send(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn a_request_under_way_is_finished_and_nothing_more_is_accepted() {
    let server = server(NEVER).await;
    let mut stream = send(server.address, "GET /slow HTTP/1.1\r\nhost: x\r\n\r\n").await;
    timeout(SOON, server.arrived.notified()).await.unwrap();
    server.stop.cancel();
    // The listener is closed by then or soon; a connection that still gets in is not answered.
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
async fn idle_connections_do_not_hold_up_the_end() {
    let server = server(NEVER).await;
    let _silent = send(server.address, "").await;
    let mut idle = send(server.address, "GET /quick HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let mut first = [0; 12];
    timeout(SOON, idle.read_exact(&mut first)).await.unwrap().unwrap();
    server.stop.cancel();
    timeout(SOON, server.task).await.unwrap().unwrap();
}

#[tokio::test]
async fn what_does_not_finish_in_time_is_cut_off() {
    let server = server(Duration::from_millis(50)).await;
    let mut slow = send(server.address, "GET /slow HTTP/1.1\r\nhost: x\r\n\r\n").await;
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
