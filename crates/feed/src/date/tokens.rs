//! Splits a date into numbers, words and marks.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DateToken {
    /// A number and its count of digits.
    Number(u32, usize),
    /// Letters, in lower case.
    Word(String),
    /// A unit after a number in Japanese, Chinese or Korean.
    Unit(char),
    /// Any other character except white space.
    Mark(char),
    /// White space.
    Blank,
}

const UNITS: &str = "年月日時时分秒년월일시분초";

pub(super) fn tokenize(text: &str) -> Vec<DateToken> {
    let mut out: Vec<DateToken> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        let c = plain_width(c);
        let continues = std::mem::replace(&mut open, true);
        if let Some(digit) = c.to_digit(10) {
            match out.last_mut() {
                Some(DateToken::Number(value, digits)) if continues && *digits < 9 => {
                    *value = *value * 10 + digit;
                    *digits += 1;
                }
                _ => out.push(DateToken::Number(digit, 1)),
            }
        } else if UNITS.contains(c) {
            out.push(DateToken::Unit(c));
        } else if c.is_alphabetic() || is_accent(c) {
            match out.last_mut() {
                Some(DateToken::Word(word)) if continues => word.extend(c.to_lowercase()),
                _ => out.push(DateToken::Word(c.to_lowercase().collect())),
            }
        } else if c.is_whitespace() {
            open = false;
            if out.last() != Some(&DateToken::Blank) {
                out.push(DateToken::Blank);
            }
        } else {
            open = false;
            out.push(DateToken::Mark(c));
        }
    }
    out
}

fn is_accent(c: char) -> bool {
    ('\u{300}'..'\u{370}').contains(&c)
}

/// Converts full-width digits and marks to ASCII.
fn plain_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '−' | '–' | '‐' => '-',
        _ => c,
    }
}
