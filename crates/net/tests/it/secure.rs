//! https: certificates, HTTP/2, and broken HTTP/2 servers.

use super::support::{Names, Result, get, kind, settings};
use net::{Client, Error};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use testkit::origin::{Origin, ok};

const ROOT: &[u8] = include_bytes!("../../testdata/root.der");
const LEAF: &[u8] = include_bytes!("../../testdata/leaf.der");
const LEAF_KEY: &[u8] = include_bytes!("../../testdata/leaf.key.der");

type Tls = StreamOwned<ServerConnection, TcpStream>;
type Script = fn(&mut Tls) -> std::io::Result<()>;

/// A TLS server on loopback that runs `script` on each connection, on threads that end with the test process.
fn serve(alpn: &[u8], script: Script) -> Result<SocketAddr> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivateKeyDer::try_from(LEAF_KEY)?;
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(LEAF)], key)?;
    config.alpn_protocols = vec![alpn.to_vec()];
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let addr = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if let Ok(connection) = ServerConnection::new(Arc::clone(&config)) {
                let mut tls = StreamOwned::new(connection, stream);
                thread::spawn(move || script(&mut tls));
            }
        }
    });
    Ok(addr)
}

fn client(trusting: bool) -> Result<Client> {
    let names = Names::of(&[("origin.test", &["127.0.0.1"]), ("other.test", &["127.0.0.1"])])?;
    let builder = Client::builder(settings(&["127.0.0.1/32"])?).resolver(names);
    Ok(if trusting { builder.extra_root(ROOT.to_vec()) } else { builder }.build()?)
}

fn http1(tls: &mut Tls) -> std::io::Result<()> {
    let mut request = [0; 4096];
    let _ = tls.read(&mut request)?;
    tls.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecure")?;
    tls.flush()?;
    tls.read(&mut request).map(drop)
}

#[tokio::test]
async fn certificate_of_trusted_root_is_accepted() -> Result {
    let addr = serve(b"http/1.1", http1)?;
    let client = client(true)?;
    for host in ["origin.test", "127.0.0.1"] {
        let response = client.send(get(&format!("https://{host}:{}/", addr.port()))?).await?;
        assert_eq!((response.body.as_ref(), response.remote_addr), (b"secure".as_slice(), Some(addr)), "{host}");
    }
    Ok(())
}

#[tokio::test]
async fn unknown_root_and_wrong_name_are_rejected() -> Result {
    let port = serve(b"http/1.1", http1)?.port();
    for (trusting, host) in [(false, "origin.test"), (false, "127.0.0.1"), (true, "other.test")] {
        let result = client(trusting)?.send(get(&format!("https://{host}:{port}/"))?).await;
        assert!(matches!(result, Err(Error::Tls { .. })), "{host}: {result:?}");
    }
    Ok(())
}

#[tokio::test]
async fn without_roots_plain_http_still_works() -> Result {
    let port = serve(b"http/1.1", http1)?.port();
    let plain = Origin::serve(|_| ok("plain")).await;
    // An invalid root leaves the client without any, as on a machine without roots.
    let client = Client::builder(settings(&["127.0.0.1/32"])?).extra_root(b"no certificate".to_vec()).build()?;
    assert_eq!(client.send(get(&plain.url("/"))?).await?.body, "plain");
    assert_eq!(kind(&client.send(get(&format!("https://127.0.0.1:{port}/"))?).await), "tls");
    Ok(())
}

fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or(0).to_be_bytes();
    [&length[1..], &[kind, flags, 0, 0, 0, stream], payload].concat()
}

/// Reads the client's preface and first frames, and sends the settings that must come first.
fn greet(tls: &mut Tls) -> std::io::Result<()> {
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    // The request is a HEADERS frame (type 1) on stream 1, which no other frame resembles.
    while !seen.windows(6).any(|bytes| bytes[0] == 1 && bytes[2..] == [0, 0, 0, 1]) {
        let count = tls.read(&mut buffer)?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        seen.extend_from_slice(&buffer[..count]);
    }
    tls.write_all(&frame(4, 0, 0, &[]))?;
    tls.flush()
}

fn http2(tls: &mut Tls) -> std::io::Result<()> {
    greet(tls)?;
    // ":status: 200" is entry 8 of the static table.
    tls.write_all(&frame(1, 4, 1, &[0x88]))?;
    tls.write_all(&frame(0, 1, 1, b"two"))?;
    tls.flush()?;
    tls.read(&mut [0; 4096]).map(drop)
}

fn http2_garbage(tls: &mut Tls) -> std::io::Result<()> {
    greet(tls)?;
    tls.write_all(&[0xff; 4096])?;
    tls.flush()?;
    tls.read(&mut [0; 4096]).map(drop)
}

fn http2_endless_headers(tls: &mut Tls) -> std::io::Result<()> {
    greet(tls)?;
    // A literal header "x: xxx…", again and again, never the end of the headers.
    let header = [&[0, 1, b'x', 100][..], &[b'x'; 100]].concat();
    tls.write_all(&frame(1, 0, 1, &header))?;
    loop {
        tls.write_all(&frame(9, 0, 1, &header.repeat(100)))?;
        tls.flush()?;
    }
}

fn http2_cut(tls: &mut Tls) -> std::io::Result<()> {
    greet(tls)?;
    tls.write_all(&frame(1, 4, 1, &[0x88]))?;
    tls.write_all(&frame(0, 0, 1, b"tw"))?;
    tls.flush()
}

#[tokio::test]
async fn http_2_is_supported() -> Result {
    let addr = serve(b"h2", http2)?;
    let response = client(true)?.send(get(&format!("https://origin.test:{}/", addr.port()))?).await?;
    assert_eq!((response.status.as_u16(), response.body.as_ref()), (200, b"two".as_slice()));
    assert_eq!(response.remote_addr, Some(addr), "the peer is judged here too");
    Ok(())
}

#[tokio::test]
async fn broken_http_2_is_an_error() -> Result {
    let scripts: [(Script, &[&str]); 3] = [
        (http2_garbage, &["protocol"]),
        (http2_endless_headers, &["protocol", "connect", "too_large"]),
        (http2_cut, &["connect", "protocol"]),
    ];
    for (script, expected) in scripts {
        let port = serve(b"h2", script)?.port();
        let result = client(true)?.send(get(&format!("https://origin.test:{port}/"))?).await;
        assert!(expected.contains(&kind(&result)), "{result:?}");
    }
    Ok(())
}
