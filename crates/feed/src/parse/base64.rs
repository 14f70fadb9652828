//! Base64 as Atom uses it: blanks between, padding or not.

/// The bytes of a base64 text; none if it is no base64.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut buffer, mut bits) = (0u32, 0u32);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return None,
        };
        buffer = (buffer << 6) | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((buffer >> bits) as u8);
            buffer &= (1 << bits) - 1;
        }
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_with_blanks_and_without_padding() {
        assert_eq!(decode("RXhhbXBs\n ZSA8Yj5BdG9tPC9iPg==").as_deref(), Some(b"Example <b>Atom</b>".as_slice()));
        assert_eq!(decode("aGk").as_deref(), Some(b"hi".as_slice()));
        assert_eq!(decode("not base64!"), None);
    }
}
