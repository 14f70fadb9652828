//! Bodies in every encoding, complete and damaged.

use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use http::HeaderValue;

const CAP: usize = 100_000;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

fn text() -> Vec<u8> {
    (0..4000).flat_map(|n: u32| format!("line {n}\n").into_bytes()).collect()
}

fn gzip(data: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data)?;
    Ok(encoder.finish()?)
}

fn zlib(data: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data)?;
    Ok(encoder.finish()?)
}

fn raw_deflate(data: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data)?;
    Ok(encoder.finish()?)
}

fn brotli(data: &[u8], large_window: bool) -> Result<Vec<u8>> {
    let mut encoded = Vec::new();
    let params = brotli::enc::BrotliEncoderParams {
        quality: 2,
        lgwin: if large_window { 28 } else { 20 },
        large_window,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &*data, &mut encoded, &params)?;
    Ok(encoded)
}

fn zstd(data: &[u8], window_log: u32) -> Result<Vec<u8>> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1)?;
    encoder.window_log(window_log)?;
    encoder.write_all(data)?;
    Ok(encoder.finish()?)
}

fn every_encoding(data: &[u8]) -> Result<Vec<(Coding, Vec<u8>)>> {
    Ok(vec![
        (Coding::Identity, data.to_vec()),
        (Coding::Gzip, gzip(data)?),
        (Coding::Deflate, zlib(data)?),
        (Coding::Deflate, raw_deflate(data)?),
        (Coding::Brotli, brotli(data, false)?),
        (Coding::Zstd, zstd(data, 20)?),
    ])
}

fn decode(coding: Coding, encoded: &[u8], piece_bytes: usize, cap: usize) -> std::result::Result<Bytes, Error> {
    let mut decoder = Decoder::new(coding, cap)?;
    encoded.chunks(piece_bytes).try_for_each(|piece| decoder.push(piece))?;
    decoder.finish()
}

#[test]
fn every_encoding_decodes_in_any_pieces() -> Result {
    for (coding, encoded) in every_encoding(&text())? {
        for piece_bytes in [1, 7, 4096, usize::MAX] {
            assert!(decode(coding, &encoded, piece_bytes, CAP)? == text(), "{coding:?} in pieces of {piece_bytes}");
        }
    }
    Ok(())
}

#[test]
fn body_is_limited_exactly_to_the_cap() -> Result {
    let size = text().len();
    for (coding, encoded) in every_encoding(&text())? {
        assert!(decode(coding, &encoded, 4096, size).is_ok(), "{coding:?}");
        let over = decode(coding, &encoded, 4096, size - 1);
        assert!(
            matches!(over, Err(Error::TooLarge { what: ResponsePart::Body, limit_bytes }) if limit_bytes == size - 1)
        );
    }
    Ok(())
}

#[test]
fn truncated_body_is_an_error() -> Result {
    for (coding, encoded) in every_encoding(&text())?.into_iter().filter(|(coding, _)| *coding != Coding::Identity) {
        for keep in [1, 2, encoded.len() / 2, encoded.len() - 1] {
            let cut = decode(coding, &encoded[..keep], 4096, CAP);
            assert!(matches!(cut, Err(Error::Decode { .. })), "{coding:?} cut at {keep}: {cut:?}");
        }
    }
    Ok(())
}

#[test]
fn garbage_is_an_error() {
    for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
        let garbage = decode(coding, b"\xff<html>this is not compressed at all</html>", 4096, CAP);
        assert!(matches!(garbage, Err(Error::Decode { .. })), "{coding:?}: {garbage:?}");
    }
}

#[test]
fn empty_input_is_an_empty_body() -> Result {
    for coding in [Coding::Identity, Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
        assert!(decode(coding, b"", 1, CAP)?.is_empty(), "{coding:?}");
    }
    Ok(())
}

#[test]
fn several_gzip_members_are_one_body() -> Result {
    let mut encoded = gzip(b"first, ")?;
    encoded.extend(gzip(b"second")?);
    assert_eq!(decode(Coding::Gzip, &encoded, 5, CAP)?, "first, second".as_bytes());
    Ok(())
}

#[test]
fn encoded_bytes_are_limited_too() -> Result {
    let empty = gzip(b"")?;
    let endless = empty.repeat(1 + (2 * CAP + 64 * 1024) / empty.len());
    let result = decode(Coding::Gzip, &endless, 4096, CAP);
    assert!(matches!(result, Err(Error::TooLarge { .. })), "{result:?}");
    Ok(())
}

#[test]
fn oversized_windows_are_rejected() -> Result {
    assert!(matches!(decode(Coding::Zstd, &zstd(&text(), 24)?, 4096, CAP), Err(Error::Decode { .. })));
    assert!(matches!(decode(Coding::Brotli, &brotli(&text(), true)?, 4096, CAP), Err(Error::Decode { .. })));
    assert!(decode(Coding::Zstd, &zstd(&text(), 23)?, 4096, CAP).is_ok());
    Ok(())
}

#[test]
fn header_ignores_case_and_rejects_stacks() {
    for (lines, expected) in [
        (&[][..], Some(Coding::Identity)),
        (&[""][..], Some(Coding::Identity)),
        (&["identity"][..], Some(Coding::Identity)),
        (&["GZip"][..], Some(Coding::Gzip)),
        (&["x-gzip"][..], Some(Coding::Gzip)),
        (&[" br "][..], Some(Coding::Brotli)),
        (&["identity, zstd"][..], Some(Coding::Zstd)),
        (&["deflate"][..], Some(Coding::Deflate)),
        (&["gzip, gzip"][..], None),
        (&["gzip", "br"][..], None),
        (&["compress"][..], None),
        (&["utf-8"][..], None),
    ] {
        let mut headers = HeaderMap::new();
        lines.iter().for_each(|line| {
            headers.append(CONTENT_ENCODING, HeaderValue::from_static(line));
        });
        match (Coding::from_headers(&headers), expected) {
            (Ok(coding), Some(expected)) => assert_eq!(coding, expected, "{lines:?}"),
            (result, expected) => {
                assert!(expected.is_none() && matches!(result, Err(Error::Decode { .. })), "{lines:?}")
            }
        }
    }
}
