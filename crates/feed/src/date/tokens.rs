//! Cuts a date into numbers, words and marks.

/// A piece of a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A number and how many digits it is written with.
    Number(u32, usize),
    /// Letters, in lower case.
    Word(String),
    /// What follows a number in Japanese, Chinese or Korean and says what it counts.
    Unit(char),
    /// Anything else that is not a blank.
    Mark(char),
    /// One or more blanks.
    Blank,
}

const UNITS: &str = "年月日時时分秒년월일시분초";

/// The pieces of a text.
pub(super) fn cut(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        let c = plain_width(c);
        let continues = std::mem::replace(&mut open, true);
        if let Some(digit) = c.to_digit(10) {
            match out.last_mut() {
                Some(Token::Number(value, digits)) if continues && *digits < 9 => {
                    *value = *value * 10 + digit;
                    *digits += 1;
                }
                _ => out.push(Token::Number(digit, 1)),
            }
        } else if UNITS.contains(c) {
            out.push(Token::Unit(c));
        } else if c.is_alphabetic() || is_accent(c) {
            match out.last_mut() {
                Some(Token::Word(word)) if continues => word.extend(c.to_lowercase()),
                _ => out.push(Token::Word(c.to_lowercase().collect())),
            }
        } else if c.is_whitespace() {
            open = false;
            if out.last() != Some(&Token::Blank) {
                out.push(Token::Blank);
            }
        } else {
            open = false;
            out.push(Token::Mark(c));
        }
    }
    out
}

fn is_accent(c: char) -> bool {
    ('\u{300}'..'\u{370}').contains(&c)
}

/// Full-width digits and marks as narrow ones.
fn plain_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '−' | '–' | '‐' => '-',
        _ => c,
    }
}
