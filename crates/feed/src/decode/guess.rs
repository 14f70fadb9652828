//! Guesses the encoding of a document that declares none.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, IBM866, ISO_8859_5, ISO_8859_6, ISO_8859_7, ISO_8859_8, KOI8_U, SHIFT_JIS,
    WINDOWS_874, WINDOWS_1251, WINDOWS_1253, WINDOWS_1255, WINDOWS_1256,
};

/// Fewer bytes above ASCII say too little.
const FEWEST: usize = 8;

/// How much text the detector gets. More does not change its answer, and it is slow.
const SAMPLE: usize = 8 * 1024;

/// The encodings of other scripts than Latin. Among the Latin ones the detector takes Portuguese for Central European too
/// often, and windows-1252 is right for most.
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

/// The text of a document in a script other than Latin; none if it seems to be UTF-8 with errors or windows-1252.
pub(super) fn guess(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if high < FEWEST || is_damaged_utf8(bytes, high) {
        return None;
    }
    if let Some(text) = japanese(bytes, high) {
        return Some(text);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut left = SAMPLE;
    // No encoding has these two inside a character, so that the pieces are whole.
    let pieces = bytes.split(|byte| matches!(byte, b'<' | b'>')).filter(|piece| !piece.is_ascii());
    for piece in pieces {
        let part = piece.get(..left).unwrap_or(piece);
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

/// Kana tell Japanese apart in texts that are too short for the detector.
fn japanese(bytes: &[u8], high: usize) -> Option<Cow<'_, str>> {
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
