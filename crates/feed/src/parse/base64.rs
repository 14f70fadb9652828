//! Base64 in Atom: either alphabet, with white space, with or without padding.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

const TOLERANT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// The bytes of a base64 text. `None` if it is empty or not base64.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.bytes().take_while(|byte| *byte != b'=').filter(|byte| !byte.is_ascii_whitespace());
    let mut digits: Vec<u8> = digits
        .map(|byte| {
            if byte == b'-' {
                b'+'
            } else if byte == b'_' {
                b'/'
            } else {
                byte
            }
        })
        .collect();
    // A truncated text may end with six bits of the next byte.
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    TOLERANT.decode(digits).ok().filter(|bytes| !bytes.is_empty())
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

    #[test]
    fn both_alphabets_and_cut_texts_are_decoded() {
        assert_eq!(decode("-_+/").as_deref(), Some(b"\xfb\xff\xbf".as_slice()));
        assert_eq!(decode("aGVsbG8gd").as_deref(), Some(b"hello ".as_slice()));
        assert_eq!(decode("aGk=more"), Some(b"hi".to_vec()));
        assert_eq!((decode(""), decode("a"), decode(" =")), (None, None, None));
    }
}
