//! Repairs text that was encoded as UTF-8 twice: `ActualitÃ©s` for `Actualités`, also as `Actualit&Atilde;&copy;s`.

mod references;

use html5ever::data::C1_REPLACEMENTS;

/// The evidence from which a second encoding is certain.
const MIN_EVIDENCE: usize = 3;

/// Undoes the second encoding, if it is certain that there was one.
///
/// Every run of characters above ASCII must be UTF-8 when it is written as windows-1252. One other run proves that the
/// document is encoded once. Correct text fails at its first run, so the check is cheap.
///
/// Runs of character references are repaired by the same rule, but separately: references survive a second encoding, so a
/// correct reference is no evidence about the characters around it.
pub(super) fn undo(text: &str) -> Option<String> {
    let repaired = undo_characters(text).ok()?;
    references::undo(repaired.as_deref().unwrap_or(text)).or(repaired)
}

/// The proof that a text was encoded once.
struct EncodedOnce;

fn undo_characters(text: &str) -> Result<Option<String>, EncodedOnce> {
    let bytes = text.as_bytes();
    let mut repair = Repair::new(text);
    let mut run = Vec::new();
    while let Some(start) = next_above_ascii(bytes, repair.copied) {
        run.clear();
        let mut end = start;
        for c in text.get(start..).unwrap_or_default().chars().take_while(|c| !c.is_ascii()) {
            run.push(windows_1252(u32::from(c)).ok_or(EncodedOnce)?);
            end += c.len_utf8();
        }
        repair.replace(start, end, &run)?;
    }
    Ok(repair.finish())
}

/// The repaired text, with the evidence so far.
struct Repair<'a> {
    text: &'a str,
    out: String,
    /// The end of the processed text.
    copied: usize,
    evidence: usize,
}

impl<'a> Repair<'a> {
    fn new(text: &'a str) -> Repair<'a> {
        Repair { text, out: String::new(), copied: 0, evidence: 0 }
    }

    /// Replaces this part of the text by the decoded bytes of a run.
    fn replace(&mut self, start: usize, end: usize, run: &[u8]) -> Result<(), EncodedOnce> {
        let once = std::str::from_utf8(run).ok().filter(|once| once.chars().all(is_common)).ok_or(EncodedOnce)?;
        let bytes = self.text.as_bytes();
        let is_letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphabetic);
        // The `n` of `\n` is not a letter.
        let is_escaped = start.checked_sub(2).and_then(|at| bytes.get(at)) == Some(&b'\\');
        let follows_letter = is_letter(start.checked_sub(1)) && !is_escaped;
        self.evidence += weight(once, follows_letter, is_letter(Some(end)));
        self.out.push_str(self.text.get(self.copied..start).unwrap_or_default());
        self.out.push_str(once);
        self.copied = end;
        Ok(())
    }

    fn finish(mut self) -> Option<String> {
        if self.evidence < MIN_EVIDENCE {
            return None;
        }
        self.out.push_str(self.text.get(self.copied..)?);
        Some(self.out)
    }
}

/// The evidence of one run. A run within a word is evidence; a quoted example is not.
fn weight(once: &str, follows_letter: bool, precedes_letter: bool) -> usize {
    let length = once.chars().count();
    match *once.as_bytes() {
        // `MANHÃ…` and `IRMÃ”` end with a punctuation mark, which may follow any letter.
        [_, 0x85 | 0x91..=0x97 | 0x99 | 0x9b | 0xa0 | 0xab | 0xb7 | 0xbb] => 0,
        // `Ã©` within a word occurs in no language.
        [0xc3, 0xa0..=0xbf] if follows_letter => MIN_EVIDENCE,
        _ if length >= MIN_EVIDENCE => MIN_EVIDENCE,
        _ if follows_letter || precedes_letter => once.len() - length,
        _ => 0,
    }
}

/// The byte of a character in windows-1252, or in Latin-1 for the undefined bytes of windows-1252.
fn windows_1252(code: u32) -> Option<u8> {
    u8::try_from(code).ok().or_else(|| {
        let at = C1_REPLACEMENTS.iter().position(|known| known.map(u32::from) == Some(code))?;
        u8::try_from(0x80 + at).ok()
    })
}

/// Whether the character is in common use. Two random bytes often decode to one that is not.
fn is_common(c: char) -> bool {
    matches!(c,
        '\u{a0}'..='\u{17f}' | '\u{218}'..='\u{21b}' | '\u{386}'..='\u{3ce}' | '\u{400}'..='\u{45f}' | '\u{490}'..='\u{491}'
        | '\u{5d0}'..='\u{5ea}' | '\u{60c}'..='\u{6d5}' | '\u{900}'..='\u{e5b}' | '\u{1e00}'..='\u{1ef9}'
        | '\u{2009}'..='\u{203a}' | '\u{20a0}'..='\u{20bf}' | '\u{2100}'..='\u{27bf}' | '\u{3000}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{fe0f}' | '\u{feff}' | '\u{ff01}'..='\u{ffe6}' | '\u{1f000}'..='\u{1faff}')
}

fn next_above_ascii(bytes: &[u8], from: usize) -> Option<usize> {
    /// Large enough for vector code.
    const BLOCK: usize = 256;
    let rest = bytes.get(from..)?;
    let ascii = BLOCK * rest.chunks(BLOCK).take_while(|block| block.is_ascii()).count();
    let at = rest.get(ascii..)?.iter().position(|byte| !byte.is_ascii())?;
    Some(from + ascii + at)
}
