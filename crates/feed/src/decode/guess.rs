//! Guesses the encoding of a document that declares none.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, IBM866, ISO_8859_5, ISO_8859_6, ISO_8859_7, ISO_8859_8, KOI8_U, SHIFT_JIS,
    WINDOWS_874, WINDOWS_1251, WINDOWS_1253, WINDOWS_1255, WINDOWS_1256,
};

/// Fewer bytes above ASCII are too little evidence.
const MIN_HIGH_BYTES: usize = 8;

/// The detector is slow, and more text does not change its result.
const SAMPLE_BYTES: usize = 8 * 1024;

/// The encodings of scripts other than Latin. Among Latin ones, the detector too often takes Portuguese for Central
/// European, and windows-1252 is usually right.
const OTHER_SCRIPTS: &[&Encoding] = &[
    EUC_JP,
    SHIFT_JIS,
    GBK,
    BIG5,
    EUC_KR,
    WINDOWS_1251,
    KOI8_U,
    ISO_8859_5,
    IBM866,
    WINDOWS_1253,
    ISO_8859_7,
    WINDOWS_1255,
    ISO_8859_8,
    WINDOWS_1256,
    ISO_8859_6,
    WINDOWS_874,
];

/// Decodes a document in a script other than Latin. `None` if it seems to be UTF-8 with errors, or windows-1252.
pub(super) fn guess(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if high < MIN_HIGH_BYTES || is_damaged_utf8(bytes, high) {
        return None;
    }
    if let Some(text) = decode_japanese(bytes, high) {
        return Some(text);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut left = SAMPLE_BYTES;
    // No encoding has these bytes inside a character, so no character is split.
    let texts = bytes.split(|byte| matches!(byte, b'<' | b'>')).filter(|text| !text.is_ascii());
    for text in texts {
        let part = text.get(..left).unwrap_or(text);
        detector.feed(part, false);
        left -= part.len();
        if left == 0 {
            break;
        }
        detector.feed(b" ", false);
        left -= 1;
    }
    let encoding = detector.guess(None, Utf8Detection::Deny);
    OTHER_SCRIPTS.contains(&encoding).then(|| encoding.decode_without_bom_handling(bytes).0)
}

/// Recognises Japanese by its kana, in texts that are too short for the detector.
fn decode_japanese(bytes: &[u8], high: usize) -> Option<Cow<'_, str>> {
    [EUC_JP, SHIFT_JIS].into_iter().find_map(|encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        let kana = text.chars().filter(|c| ('\u{3041}'..'\u{30ff}').contains(c)).count();
        (kana * 4 >= high).then_some(text)
    })
}

/// Whether most bytes above ASCII are part of valid UTF-8.
fn is_damaged_utf8(bytes: &[u8], high: usize) -> bool {
    let invalid: usize = bytes.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    invalid * 2 < high
}
