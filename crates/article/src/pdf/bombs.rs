//! Finds files that would fill the memory while they are loaded.
//!
//! A loader decompresses object streams at once, all of them. It limits each, but a file can have thousands.

use flate2::{Decompress, FlushDecompress};
use memchr::memmem;

/// The largest object stream after decompression.
pub(super) const MAX_STREAM_BYTES: usize = 8 * 1024 * 1024;
/// All object streams together.
const MAX_TOTAL_BYTES: u64 = 64 * 1024 * 1024;

/// Whether the object streams of a file are too large together.
pub(super) fn has_bombs(bytes: &[u8]) -> bool {
    let mut total = 0;
    let mut before = 0;
    for at in memmem::find_iter(bytes, b"stream") {
        let dictionary = bytes.get(before..at).unwrap_or_default();
        before = at;
        if dictionary.ends_with(b"end") || !is_loaded_at_once(dictionary) {
            continue;
        }
        let content = bytes.get(at + b"stream".len()..).unwrap_or_default();
        total += if contains_any(dictionary, &[b"LZW", b"Brotli", b"RunLength"]) {
            MAX_STREAM_BYTES as u64
        } else {
            inflated_bytes(skip_line_break(content), MAX_TOTAL_BYTES.saturating_sub(total))
        };
        if total >= MAX_TOTAL_BYTES {
            return true;
        }
    }
    false
}

/// Whether a stream is decompressed while the file is loaded. A name can hide behind escapes.
fn is_loaded_at_once(dictionary: &[u8]) -> bool {
    contains_any(dictionary, &[b"ObjStm", b"XRef", b"#"])
}

fn contains_any(text: &[u8], words: &[&[u8]]) -> bool {
    words.iter().any(|word| memmem::find(text, word).is_some())
}

fn skip_line_break(content: &[u8]) -> &[u8] {
    let content = content.strip_prefix(b"\r").unwrap_or(content);
    content.strip_prefix(b"\n").unwrap_or(content)
}

/// The size of a stream after decompression, counted up to a limit.
fn inflated_bytes(content: &[u8], most: u64) -> u64 {
    let mut inflate = Decompress::new(true);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let (read, written) = (inflate.total_in(), inflate.total_out());
        let rest = content.get(usize::try_from(read).unwrap_or(usize::MAX)..).unwrap_or_default();
        let status = inflate.decompress(rest, &mut buffer, FlushDecompress::None);
        let is_stuck = inflate.total_in() == read && inflate.total_out() == written;
        let is_over = !matches!(status, Ok(flate2::Status::Ok));
        if is_stuck || is_over || inflate.total_out() >= most {
            return inflate.total_out();
        }
    }
}
