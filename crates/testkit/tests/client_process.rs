//! The network client in a separate process, to measure its memory and to set proxies in its environment.
//!
//! Not in the crate `net`, because a test can run only binaries of its own package.
#![cfg(test)]

use std::{io::Write, process::Command, time::Duration};

use testkit::origin::{Origin, hostile, ok};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const MAX_GROWTH_KB: u64 = 32 * 1024;
const MEBIBYTE: usize = 1 << 20;

/// The output of `disposable_client` for a URL: the result and the growth in kB.
async fn run_client(url: String, deadline_ms: u64, env: Vec<(&'static str, String)>) -> Result<(String, u64)> {
    // A first request, so that its allocations do not count.
    let normal = Origin::serve(|_| ok("hello")).await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_disposable_client"));
    command.args([normal.url("/"), url, deadline_ms.to_string()]).envs(env);
    let output = tokio::task::spawn_blocking(move || command.output()).await??;
    let stdout = String::from_utf8(output.stdout)?;
    let line = stdout.trim().split_once(' ').filter(|_| output.status.success());
    let (outcome, grown_kb) = line.ok_or_else(|| format!("{stdout}{}", String::from_utf8_lossy(&output.stderr)))?;
    Ok((outcome.to_owned(), grown_kb.parse()?))
}

/// The client ends with an error of this kind and uses little memory.
async fn assert_stays_small(origin: Origin, expected: &str) -> Result {
    // Long enough for a busy machine; only an endless request reaches it.
    let deadline_ms = if expected == "timeout" { 500 } else { 30_000 };
    let (outcome, grown_kb) = run_client(origin.url("/"), deadline_ms, Vec::new()).await?;
    assert_eq!(outcome, expected);
    assert!(grown_kb < MAX_GROWTH_KB, "grew by {grown_kb} kB");
    Ok(())
}

#[tokio::test]
async fn proxies_of_the_environment_are_ignored() -> Result {
    // Behind a proxy the guard could not check the target.
    let origin = Origin::serve(|_| ok("direct")).await;
    let proxy = hostile::silent().await;
    let names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
    let mut env: Vec<_> = names.map(|name| (name, proxy.url(""))).into();
    env.push(("no_proxy", String::new()));
    assert_eq!(run_client(origin.url("/"), 30_000, env).await?.0, "answered");
    assert_eq!((origin.seen().len(), proxy.connections().accepted), (1, 0));
    Ok(())
}

fn encoded(coding: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nConnection: close\r\n\r\n")
}

#[tokio::test]
async fn a_gigabyte_in_gzip() -> Result {
    let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    member.write_all(&vec![0; MEBIBYTE])?;
    // Gzip members can be concatenated: a gigabyte from a kilobyte, sent a thousand times.
    assert_stays_small(hostile::repeating(encoded("gzip"), member.finish()?, 1024).await, "too_large").await
}

#[tokio::test]
async fn a_gigabyte_in_zstd() -> Result {
    let frame = zstd::encode_all(&vec![0; MEBIBYTE][..], 19)?;
    assert_stays_small(hostile::repeating(encoded("zstd"), frame, 1024).await, "too_large").await
}

#[tokio::test]
async fn a_gigabyte_in_brotli() -> Result {
    let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 22);
    let mut ends = Vec::new();
    for _ in 0..4 {
        encoder.write_all(&vec![0; MEBIBYTE])?;
        encoder.flush()?;
        ends.push(encoder.get_ref().len());
    }
    let bytes = encoder.get_ref().clone();
    // After the first the encoder repeats itself, and so does the server: a gigabyte from some twenty bytes.
    let (head, piece) = (&bytes[..ends[2]], &bytes[ends[2]..ends[3]]);
    assert_eq!(piece, &bytes[ends[1]..ends[2]], "the encoder is expected to have settled");
    let head = [encoded("br").as_bytes(), head].concat();
    assert_stays_small(hostile::repeating(head, piece, 1024).await, "too_large").await
}

#[tokio::test]
async fn a_gigabyte_in_deflate() -> Result {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![0; MEBIBYTE])?;
    encoder.flush()?;
    let head_bytes = encoder.get_ref().len();
    encoder.write_all(&vec![0; MEBIBYTE])?;
    encoder.flush()?;
    let (head, piece) = encoder.get_ref().split_at(head_bytes);
    let head = [encoded("deflate").as_bytes(), head].concat();
    assert_stays_small(hostile::repeating(head, piece, 1024).await, "too_large").await
}

#[tokio::test]
async fn a_gigabyte_in_one_gzip_inside_another() -> Result {
    assert_stays_small(hostile::repeating(encoded("gzip, gzip"), "x".repeat(65536), 16384).await, "decode").await
}

#[tokio::test]
async fn a_gigabyte_as_it_is() -> Result {
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
    assert_stays_small(hostile::repeating(head, "x".repeat(65536), 16384).await, "too_large").await
}

#[tokio::test]
async fn a_gigabyte_of_headers() -> Result {
    assert_stays_small(hostile::endless_headers().await, "too_large").await
}

#[tokio::test]
async fn a_gigabyte_of_redirects() -> Result {
    // The body of a redirect is not read.
    let head = "HTTP/1.1 302 Found\r\nLocation: /\r\nConnection: close\r\n\r\n";
    assert_stays_small(hostile::repeating(head, "x".repeat(65536), 16384).await, "too_many_redirects").await
}

#[tokio::test]
async fn a_trickle() -> Result {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
    assert_stays_small(hostile::trickle(head, b'x', Duration::from_millis(5)).await, "timeout").await
}

#[tokio::test]
async fn answers_before_the_answer() -> Result {
    let piece = format!("HTTP/1.1 103 Early Hints\r\nLink: </{}>\r\n\r\n", "x".repeat(10_000));
    assert_stays_small(hostile::repeating("", piece, usize::MAX).await, "timeout").await
}

#[tokio::test]
async fn wrong_lengths_and_cut_connections() -> Result {
    for bytes in [
        "HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\nabc",
        "HTTP/1.1 200 OK\r\nX-Cut: ",
    ] {
        assert_stays_small(hostile::cut_after(bytes).await, "connect").await?;
    }
    Ok(())
}
