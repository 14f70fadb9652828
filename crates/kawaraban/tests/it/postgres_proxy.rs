//! A proxy between the program and its PostgreSQL server, which a test can cut or freeze.

use std::net::SocketAddr;

use testkit::TestDb;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// The state of the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Passes everything on.
    Up,
    /// Passes nothing on, and closes nothing.
    Frozen,
    /// Closes every connection, and every new one.
    Cut,
}

pub struct PostgresProxy {
    url: String,
    state: watch::Sender<State>,
    listener: tokio::task::JoinHandle<()>,
}

impl PostgresProxy {
    /// A proxy to the server of this database.
    pub async fn to(db: &TestDb) -> PostgresProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        // postgres://user@host:port/name
        let (head, rest) = db.url().split_at(db.url().rfind('@').map_or("postgres://".len(), |at| at + 1));
        let (host, name) = rest.split_once('/').unwrap();
        let server: SocketAddr = host.replace("localhost", "127.0.0.1").parse().unwrap();
        let (state, watched) = watch::channel(State::Up);
        let listener = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, server, watched.clone()));
            }
        });
        PostgresProxy { url: format!("{head}{address}/{name}"), state, listener }
    }

    /// The address of the database, by way of this proxy.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Closes every connection and refuses new ones, for good: the server is down.
    pub async fn unplug(self) {
        self.listener.abort();
        let _aborted = self.listener.await;
        self.state.send_replace(State::Cut);
    }

    pub fn set(&self, state: State) {
        self.state.send_replace(state);
    }
}

async fn pass(client: TcpStream, server: SocketAddr, state: watch::Receiver<State>) {
    let both_ways = async {
        let server = TcpStream::connect(server).await.unwrap();
        let (client, server) = (client.into_split(), server.into_split());
        tokio::select! {
            () = copy(client.0, server.1, state.clone()) => {}
            () = copy(server.0, client.1, state.clone()) => {}
        }
    };
    let mut cut = state.clone();
    tokio::select! {
        biased;
        _ = cut.wait_for(|state| *state == State::Cut) => {}
        () = both_ways => {}
    }
}

async fn copy(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, mut state: watch::Receiver<State>) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        // The test is over when the sender is gone.
        if state.wait_for(|state| *state == State::Up).await.is_err() || to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}
