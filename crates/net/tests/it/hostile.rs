//! Misbehaving servers, one test each: the request ends with the expected error.

use super::support::{Result, client, fetch, get, kind, settings};
use net::{Client, Error, Lookup, Resolver, ResponsePart, Urgency};
use std::time::Duration;
use testkit::origin::{Origin, hostile, read_request};
use tokio::io::AsyncWriteExt;

const OK: &str = "HTTP/1.1 200 OK\r\n";
const SHORT: Duration = Duration::from_millis(300);

/// Far longer than any deadline of these tests, so only a request that never ends reaches it.
const GUARD: Duration = Duration::from_secs(60);

/// Sends with a short deadline, which must end the request.
async fn assert_times_out(origin: &Origin) -> Result {
    let request = get(&origin.url("/"))?.urgency(Urgency::Interactive).timeout(SHORT);
    let result = tokio::time::timeout(GUARD, client()?.send(request)).await?;
    assert!(matches!(result, Err(Error::Timeout { after }) if after == SHORT), "{result:?}");
    Ok(())
}

async fn assert_ends(origin: &Origin, expected: &str) -> Result {
    let result = tokio::time::timeout(GUARD, fetch(&origin.url("/"))).await??;
    assert_eq!(kind(&result), expected, "{result:?}");
    Ok(())
}

#[tokio::test]
async fn a_server_that_never_answers() -> Result {
    assert_times_out(&hostile::silent().await).await
}

#[tokio::test]
async fn a_body_that_trickles() -> Result {
    let head = format!("{OK}Content-Length: 1000000\r\n\r\n");
    assert_times_out(&hostile::trickle(head, b'x', Duration::from_millis(10)).await).await
}

#[tokio::test]
async fn headers_that_trickle() -> Result {
    assert_times_out(&hostile::trickle(format!("{OK}X-Slow: "), b'x', Duration::from_millis(10)).await).await
}

#[tokio::test]
async fn a_status_line_that_trickles() -> Result {
    assert_times_out(&hostile::trickle("HTTP/1.1 200 ", b'x', Duration::from_millis(10)).await).await
}

#[tokio::test]
async fn trickling_gzip_header_times_out() -> Result {
    // A gzip header announcing a file name that never ends.
    let head = [format!("{OK}Content-Encoding: gzip\r\n\r\n").as_bytes(), b"\x1f\x8b\x08\x08\0\0\0\0\0\xff"].concat();
    assert_times_out(&hostile::trickle(head, b'x', Duration::from_millis(10)).await).await
}

#[tokio::test]
async fn redirects_share_one_deadline() -> Result {
    let origin = Origin::raw(|mut stream| async move {
        while read_request(&mut stream).await.is_some() {
            tokio::time::sleep(SHORT / 2).await;
            let _ = stream.write_all(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n").await;
        }
    })
    .await;
    assert_times_out(&origin).await
}

#[tokio::test]
async fn a_resolver_that_never_answers() -> Result {
    struct Never;
    impl Resolver for Never {
        fn lookup(&self, _host: &str) -> Lookup {
            Box::pin(std::future::pending())
        }
    }
    let client = Client::builder(settings(&[])?).resolver(Never).build()?;
    let result = tokio::time::timeout(GUARD, client.send(get("http://a.test/")?.timeout(SHORT))).await?;
    assert_eq!(kind(&result), "timeout");
    Ok(())
}

#[tokio::test]
async fn a_handshake_that_never_comes() -> Result {
    let origin = hostile::silent().await;
    let request = get(&origin.url("/").replace("http:", "https:"))?.timeout(SHORT);
    let result = tokio::time::timeout(GUARD, client()?.send(request)).await?;
    assert_eq!(kind(&result), "timeout");
    Ok(())
}

#[tokio::test]
async fn endless_informational_responses() -> Result {
    let origin = hostile::repeating("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(100), usize::MAX).await;
    assert_times_out(&origin).await
}

#[tokio::test]
async fn endless_headers() -> Result {
    let origin = hostile::endless_headers().await;
    let result = tokio::time::timeout(GUARD, fetch(&origin.url("/"))).await??;
    assert!(matches!(result, Err(Error::TooLarge { what: ResponsePart::Head, .. })), "{result:?}");
    Ok(())
}

#[tokio::test]
async fn one_endless_header() -> Result {
    let origin = hostile::repeating(format!("{OK}X-Long: "), "x".repeat(10_000), usize::MAX).await;
    assert_ends(&origin, "too_large").await
}

#[tokio::test]
async fn too_many_small_headers() -> Result {
    let origin = hostile::cut_after(format!("{OK}{}\r\n", "A: b\r\n".repeat(200))).await;
    assert_ends(&origin, "too_large").await
}

#[tokio::test]
async fn body_with_large_content_length_is_not_read() -> Result {
    // The body never comes, so waiting for it would end in a time-out.
    let origin = hostile::trickle(format!("{OK}Content-Length: 99999999999\r\n\r\n"), b'x', GUARD * 2).await;
    assert_ends(&origin, "too_large").await
}

#[tokio::test]
async fn endless_bodies_of_every_framing() -> Result {
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(65536));
    for (head, piece) in [("Transfer-Encoding: chunked\r\n", chunk.clone()), ("Connection: close\r\n", chunk)] {
        let origin = hostile::repeating(format!("{OK}{head}\r\n"), piece, usize::MAX).await;
        assert_ends(&origin, "too_large").await?;
    }
    Ok(())
}

#[tokio::test]
async fn wrong_lengths() -> Result {
    let short = hostile::cut_after(format!("{OK}Content-Length: 10\r\n\r\nabc")).await;
    assert_ends(&short, "connect").await?;
    let long = hostile::cut_after(format!("{OK}Content-Length: 3\r\n\r\nabcdefgh")).await;
    assert_eq!(fetch(&long.url("/")).await??.body, "abc", "what was announced, and no more");
    for head in ["Content-Length: 3\r\nContent-Length: 4\r\n", "Content-Length: -1\r\n", "Content-Length: 3x\r\n"]
        .into_iter()
        .chain(["Content-Length: 99999999999999999999999999\r\n", "Content-Length: 3, 4\r\n"])
    {
        assert_ends(&hostile::cut_after(format!("{OK}{head}\r\nabc")).await, "protocol").await?;
    }
    Ok(())
}

#[tokio::test]
async fn garbage_for_chunks() -> Result {
    for chunks in ["zz\r\nabc\r\n", "3\r\nabcdef\r\n", "-3\r\nabc\r\n", "ffffffffffffffffff\r\nabc"] {
        let origin = hostile::cut_after(format!("{OK}Transfer-Encoding: chunked\r\n\r\n{chunks}")).await;
        assert_ends(&origin, "protocol").await?;
    }
    let extensions =
        hostile::repeating(format!("{OK}Transfer-Encoding: chunked\r\n\r\n1;"), "x".repeat(1000), usize::MAX);
    assert_ends(&extensions.await, "protocol").await?;
    let trailers = format!("{OK}Transfer-Encoding: chunked\r\n\r\n0\r\n");
    let origin = hostile::repeating(trailers, "X-Trailer: x\r\n".repeat(100), usize::MAX).await;
    let result = tokio::time::timeout(GUARD, fetch(&origin.url("/"))).await??;
    assert!(matches!(kind(&result), "protocol" | "too_large"), "{result:?}");
    Ok(())
}

#[tokio::test]
async fn what_is_not_http() -> Result {
    for bytes in [
        "SSH-2.0-OpenSSH_9.6\r\n",
        "<html>no status line</html>\r\n\r\n",
        "HTTP/1.1 999999 x\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
    ]
    .into_iter()
    .chain(["HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nBad Header: x\r\n\r\n", "* OK IMAP4 ready\r\n"])
    {
        assert_ends(&hostile::cut_after(bytes).await, "protocol").await?;
    }
    Ok(())
}

#[tokio::test]
async fn connections_cut_at_every_stage() -> Result {
    assert_ends(&hostile::cut_at_accept().await, "connect").await?;
    assert_ends(&hostile::reset().await, "connect").await?;
    let whole = format!(
        "{OK}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n"
    );
    // In the status line, in a header's name and value, before and after the blank line, in a chunk's size, in its
    // data, after it, and in the end mark.
    let client = client()?;
    for keep in 0..whole.len() {
        let origin = hostile::cut_after(&whole[..keep]).await;
        let result = client.send(get(&origin.url("/"))?).await;
        assert_eq!(kind(&result), "connect", "cut after {:?}: {result:?}", &whole[..keep]);
    }
    let origin = hostile::cut_after(whole).await;
    assert_eq!(fetch(&origin.url("/")).await??.body, "helloworld");
    Ok(())
}

#[tokio::test]
async fn a_body_cut_in_its_compression() -> Result {
    let encoded = zstd::encode_all(&vec![b'x'; 10_000][..], 1)?;
    let head = format!("{OK}Content-Encoding: zstd\r\nConnection: close\r\n\r\n");
    let origin = hostile::cut_after([head.as_bytes(), &encoded[..encoded.len() - 1]].concat()).await;
    assert_ends(&origin, "decode").await
}

#[tokio::test]
async fn plain_http_where_tls_is_expected() -> Result {
    // A handshake record of 512 bytes of anything but a handshake.
    let record = format!("\x16\x03\x01\x02\0{}", "g".repeat(512));
    for bytes in ["HTTP/1.1 400 Bad Request\r\n\r\n", &record, "\x15\x03\x03\0\x02\x02\x28"] {
        let bytes = bytes.as_bytes().to_vec();
        let origin = Origin::raw(move |mut stream| {
            let bytes = bytes.clone();
            async move {
                let mut hello = [0; 16];
                let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut hello).await;
                let _ = stream.write_all(&bytes).await;
                // Stays open, so that the client reads the data before the end.
                while tokio::io::AsyncReadExt::read(&mut stream, &mut hello).await.is_ok_and(|count| count > 0) {}
            }
        })
        .await;
        let result = tokio::time::timeout(GUARD, fetch(&origin.url("/").replace("http:", "https:"))).await??;
        assert_eq!(kind(&result), "tls", "{result:?}");
    }
    Ok(())
}
