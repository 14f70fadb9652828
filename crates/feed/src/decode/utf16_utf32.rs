//! UTF-16 and UTF-32.

/// The examined start of a document.
const HEAD_BYTES: usize = 512;

/// Whether a document without a byte-order mark is UTF-16: `true` for little-endian, `false` for big-endian.
pub(super) fn sniff_utf16(bytes: &[u8]) -> Option<bool> {
    let head = bytes.get(..bytes.len().min(HEAD_BYTES))?;
    let nuls = |parity: usize| head.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, half) = (nuls(0), nuls(1), head.len() / 2);
    if half < 2 {
        return None;
    }
    // Tags are ASCII: in UTF-16 many upper bytes are zero, and few lower ones.
    if odd * 4 >= half && even * 8 <= odd {
        Some(true)
    } else if even * 4 >= half && odd * 8 <= even {
        Some(false)
    } else {
        None
    }
}

/// Decodes UTF-32, with a byte-order mark or without; `None` for other documents.
pub(super) fn decode_utf32(bytes: &[u8]) -> Option<String> {
    let big = match bytes.get(..4)? {
        [0, 0, 0xfe, 0xff] | [0, 0, 0, b'<'] => true,
        [0xff, 0xfe, 0, 0] | [b'<', 0, 0, 0] => false,
        _ => return None,
    };
    let units = bytes.chunks_exact(4).filter_map(|unit| <[u8; 4]>::try_from(unit).ok());
    let values = units.map(|unit| if big { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) });
    let text: String = values.map(|value| char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    Some(text.trim_start_matches('\u{feff}').to_owned())
}
