//! Decodes `Content-Encoding` while the body arrives, with a limit on the decoded size.
//!
//! The HTTP library is not used for it: it passes stacked encodings through undecoded, supports neither raw deflate nor
//! `x-gzip`, and allows zstd and brotli windows of 128 MB and 1 GB.

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use brotli_decompressor::{BrotliDecoderParameter, DecompressorWriter};
use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use flate2::{Decompress, FlushDecompress, Status};
use http::HeaderMap;
use http::header::CONTENT_ENCODING;

use crate::error::{Error, ResponsePart};

/// The accepted encodings, best first.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, br, zstd, deflate";

/// The largest zstd window on the web is 8 MB (RFC 9659). A decoder allocates this much.
const ZSTD_WINDOW_LOG: u32 = 23;

/// How a body is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    /// Parses `Content-Encoding`. Stacked encodings are rejected: only decompression bombs use them.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Result<Self, Error> {
        let lines = headers.get_all(CONTENT_ENCODING).iter();
        let lines: Vec<_> = lines.map(|line| String::from_utf8_lossy(line.as_bytes()).to_ascii_lowercase()).collect();
        let names = lines.iter().flat_map(|line| line.split(',')).map(str::trim);
        let names: Vec<_> = names.filter(|name| !matches!(*name, "" | "identity" | "none")).collect();
        match names.as_slice() {
            [] => Ok(Self::Identity),
            ["gzip" | "x-gzip"] => Ok(Self::Gzip),
            ["deflate"] => Ok(Self::Deflate),
            ["br"] => Ok(Self::Brotli),
            ["zstd"] => Ok(Self::Zstd),
            _ => Err(Error::Decode { coding: names.join(", "), source: None }),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }
}

/// Decodes a body piece by piece.
pub(crate) struct Decoder {
    coding: Coding,
    cap_bytes: usize,
    wire_bytes: usize,
    format: Format,
}

enum Format {
    Identity(Capped),
    Gzip(Box<MultiGzDecoder<Capped>>),
    Deflate(Box<Inflate>),
    Brotli(Box<DecompressorWriter<Capped>>),
    Zstd(zstd::stream::write::Decoder<'static, Capped>),
}

impl Decoder {
    pub(crate) fn new(coding: Coding, cap_bytes: usize) -> Result<Self, Error> {
        let sink = Capped { bytes: Vec::new(), cap_bytes };
        let format = match coding {
            Coding::Identity => Format::Identity(sink),
            Coding::Gzip => Format::Gzip(Box::new(MultiGzDecoder::new(sink))),
            Coding::Deflate => Format::Deflate(Box::new(Inflate::new(sink))),
            Coding::Brotli => {
                let mut decoder = DecompressorWriter::new(sink, 8192);
                decoder.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
                Format::Brotli(Box::new(decoder))
            }
            Coding::Zstd => {
                let mut decoder = zstd::stream::write::Decoder::new(sink).map_err(|error| failed(coding, error))?;
                decoder.window_log_max(ZSTD_WINDOW_LOG).map_err(|error| failed(coding, error))?;
                Format::Zstd(decoder)
            }
        };
        Ok(Self { coding, cap_bytes, wire_bytes: 0, format })
    }

    /// Decodes the next piece.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.wire_bytes = self.wire_bytes.saturating_add(piece.len());
        // Encoded data can be endless without decoding to anything (empty blocks, skippable frames). Valid data is at most
        // slightly larger than its decoded form.
        if self.wire_bytes > self.cap_bytes.saturating_add(self.cap_bytes / 8).saturating_add(64 * 1024) {
            return Err(too_large(self.cap_bytes));
        }
        let result = match &mut self.format {
            Format::Identity(sink) => sink.write_all(piece),
            Format::Gzip(decoder) => decoder.write_all(piece),
            Format::Deflate(decoder) => decoder.push(piece),
            Format::Brotli(decoder) => decoder.write_all(piece),
            Format::Zstd(decoder) => decoder.write_all(piece),
        };
        result.map_err(|error| self.name_error(error))
    }

    /// Returns the whole body. Truncated data is an error.
    pub(crate) fn finish(mut self) -> Result<Bytes, Error> {
        // A response without a body (HEAD, 304) may still name an encoding.
        if self.wire_bytes == 0 {
            return Ok(Bytes::new());
        }
        let ended = match &mut self.format {
            Format::Identity(_) => Ok(()),
            Format::Gzip(decoder) => decoder.try_finish(),
            Format::Deflate(decoder) => decoder.finish(),
            Format::Brotli(decoder) => decoder.close(),
            Format::Zstd(decoder) => decoder.do_finish(),
        };
        ended.map_err(|error| self.name_error(error))?;
        Ok(Bytes::from(match self.format {
            Format::Identity(sink) => sink.bytes,
            Format::Gzip(mut decoder) => std::mem::take(&mut decoder.get_mut().bytes),
            Format::Deflate(decoder) => decoder.sink.bytes,
            Format::Brotli(mut decoder) => std::mem::take(&mut decoder.get_mut().bytes),
            Format::Zstd(decoder) => decoder.into_inner().bytes,
        }))
    }

    fn name_error(&self, error: io::Error) -> Error {
        if error.get_ref().is_some_and(|inner| inner.is::<Full>()) {
            too_large(self.cap_bytes)
        } else {
            failed(self.coding, error)
        }
    }
}

fn too_large(limit_bytes: usize) -> Error {
    Error::TooLarge { what: ResponsePart::Body, limit_bytes }
}

fn failed(coding: Coding, error: io::Error) -> Error {
    Error::Decode { coding: coding.name().to_owned(), source: Some(error) }
}

/// Collects decoded bytes up to the limit.
struct Capped {
    bytes: Vec<u8>,
    cap_bytes: usize,
}

#[derive(Debug, thiserror::Error)]
#[error("the body is full")]
struct Full;

impl Write for Capped {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if piece.len() > self.cap_bytes - self.bytes.len() {
            return Err(io::Error::other(Full));
        }
        self.bytes.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// `deflate`: zlib by the standard, raw deflate on some servers.
///
/// Uses the bare decompressor, because the writers of `flate2` do not detect a truncated stream.
struct Inflate {
    sink: Capped,
    /// The first two bytes, which distinguish the two.
    head: Vec<u8>,
    inflate: Option<Decompress>,
    ended: bool,
}

impl Inflate {
    fn new(sink: Capped) -> Self {
        Self { sink, head: Vec::new(), inflate: None, ended: false }
    }

    fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        if self.inflate.is_some() {
            return self.run(piece);
        }
        self.head.extend_from_slice(piece);
        let [first, second, ..] = *self.head.as_slice() else { return Ok(()) };
        self.inflate = Some(Decompress::new(is_zlib(first, second)));
        let head = std::mem::take(&mut self.head);
        self.run(&head)
    }

    fn run(&mut self, mut input: &[u8]) -> io::Result<()> {
        let Some(inflate) = &mut self.inflate else { return Ok(()) };
        let mut output = [0; 16 * 1024];
        // Data after the end is ignored, as browsers do.
        while !self.ended {
            let (taken, made) = (inflate.total_in(), inflate.total_out());
            let status = inflate.decompress(input, &mut output, FlushDecompress::None)?;
            let taken = usize::try_from(inflate.total_in() - taken).unwrap_or(input.len());
            let made = usize::try_from(inflate.total_out() - made).unwrap_or(output.len());
            self.sink.write_all(output.get(..made).unwrap_or_default())?;
            input = input.get(taken..).unwrap_or_default();
            self.ended = status == Status::StreamEnd;
            if taken == 0 && made == 0 {
                break;
            }
        }
        Ok(())
    }

    fn finish(&self) -> io::Result<()> {
        if self.ended { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// RFC 1950 section 2.2: the method is 8, the window at most 32 kB, and the two bytes are a multiple of 31.
fn is_zlib(first: u8, second: u8) -> bool {
    first & 0x0f == 8 && first >> 4 <= 7 && u16::from_be_bytes([first, second]).is_multiple_of(31)
}
