//! A GET request to the server on this machine. The guard of `net` refuses such addresses.

use std::{io, net::SocketAddr};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The rest of a longer response is not read.
const MAX_RESPONSE_BYTES: u64 = 64 * 1024;

/// The response.
pub struct HttpAnswer {
    pub status: u16,
    pub body: String,
}

/// Requests `path` from `address`.
pub async fn get(address: SocketAddr, path: &str) -> io::Result<HttpAnswer> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.take(MAX_RESPONSE_BYTES).read_to_end(&mut bytes).await?;
    parse(&String::from_utf8_lossy(&bytes)).ok_or_else(|| io::Error::other("the response is not HTTP"))
}

fn parse(answer: &str) -> Option<HttpAnswer> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()?;
    Some(HttpAnswer { status, body: body.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_protocols_are_rejected() {
        let answer = parse("HTTP/1.1 503 Service Unavailable\r\na: b\r\n\r\n{\"code\":1}").unwrap();
        assert_eq!((answer.status, answer.body.as_str()), (503, "{\"code\":1}"));
        for text in ["", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 \r\n\r\n", "HTTP/1.1 あいう\r\n\r\n"]
        {
            assert!(parse(text).is_none(), "{text}");
        }
    }
}
