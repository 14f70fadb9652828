//! Text that was encoded as UTF-8 twice: `ActualitÃ©s` for `Actualités`.

use html5ever::data::C1_REPLACEMENTS;

/// How much evidence makes a second encoding certain.
const CERTAIN: usize = 3;

/// Undoes the second encoding, if it is certain that there was one.
///
/// Every run of characters above ASCII must be UTF-8 when it is read as windows-1252. One that is not proves that the
/// document is encoded once: an article about such text, with an accent of its own, stays as it is. Genuine text fails at
/// its first run, so the check costs next to nothing.
pub(super) fn undo(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut run = Vec::new();
    let (mut copied, mut evidence) = (0, 0);
    while let Some(start) = next_above_ascii(bytes, copied) {
        run.clear();
        let mut end = start;
        for c in text.get(start..)?.chars().take_while(|c| !c.is_ascii()) {
            run.push(windows_1252(c)?);
            end += c.len_utf8();
        }
        let once = std::str::from_utf8(&run).ok().filter(|once| once.chars().all(is_in_use))?;
        let is_letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphabetic);
        let follows_letter = is_letter(start.checked_sub(1));
        evidence += weight(once, follows_letter, is_letter(Some(end)));
        out.push_str(text.get(copied..start)?);
        out.push_str(once);
        copied = end;
    }
    if evidence < CERTAIN {
        return None;
    }
    out.push_str(text.get(copied..)?);
    Some(out)
}

/// What one run says for a second encoding. A sample in quotation marks says nothing; a part of a word does.
fn weight(once: &str, follows_letter: bool, precedes_letter: bool) -> usize {
    let length = once.chars().count();
    match *once.as_bytes() {
        // `MANHÃ…` and `IRMÃ”` end with a punctuation mark, which genuine text has behind any letter.
        [_, 0x85 | 0x91..=0x97 | 0x99 | 0x9b | 0xa0 | 0xab | 0xb7 | 0xbb] => 0,
        // `Ã©` within a word: no language has these two in a row.
        [0xc3, 0xa0..=0xbf] if follows_letter => CERTAIN,
        _ if length >= CERTAIN => CERTAIN,
        _ if follows_letter || precedes_letter => once.len() - length,
        _ => 0,
    }
}

/// The byte that a character is in windows-1252, or in Latin-1, where the holes of windows-1252 are control characters.
fn windows_1252(c: char) -> Option<u8> {
    u8::try_from(u32::from(c)).ok().or_else(|| {
        let at = C1_REPLACEMENTS.iter().position(|known| *known == Some(c))?;
        u8::try_from(0x80 + at).ok()
    })
}

/// Characters in common use. Two random bytes often make a character that is not.
fn is_in_use(c: char) -> bool {
    matches!(c,
        '\u{a0}'..='\u{17f}' | '\u{218}'..='\u{21b}' | '\u{386}'..='\u{3ce}' | '\u{400}'..='\u{45f}' | '\u{490}'..='\u{491}'
        | '\u{5d0}'..='\u{5ea}' | '\u{60c}'..='\u{6d5}' | '\u{900}'..='\u{e5b}' | '\u{1e00}'..='\u{1ef9}'
        | '\u{2009}'..='\u{203a}' | '\u{20a0}'..='\u{20bf}' | '\u{2100}'..='\u{27bf}' | '\u{3000}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{fe0f}' | '\u{feff}' | '\u{ff01}'..='\u{ffe6}' | '\u{1f000}'..='\u{1faff}')
}

fn next_above_ascii(bytes: &[u8], from: usize) -> Option<usize> {
    /// Long enough for vector code.
    const BLOCK: usize = 256;
    let rest = bytes.get(from..)?;
    let ascii = BLOCK * rest.chunks(BLOCK).take_while(|block| block.is_ascii()).count();
    let at = rest.get(ascii..)?.iter().position(|byte| !byte.is_ascii())?;
    Some(from + ascii + at)
}
