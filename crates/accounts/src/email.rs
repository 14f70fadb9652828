//! E-mail addresses, in the one form in which they are stored and looked up.

use crate::{Error, Result};

/// What the column takes, in characters.
const LONGEST: usize = 255;

/// Trims and lower-cases an address. Nothing is ever sent to it, so only what could confuse people or databases is refused.
///
/// Stored in lower case, so that both databases mean the same by `lower()`. A letter that is not ASCII and becomes ASCII in
/// lower case (the Kelvin sign) is refused: it would make somebody else's address of it.
pub(crate) fn normalise(text: &str) -> Result<String> {
    let text = text.trim();
    let mut email = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() || is_invisible(c) {
            return Err(Error::InvalidEmail);
        }
        let lower = c.to_lowercase();
        if !c.is_ascii() && lower.clone().any(|c| c.is_ascii()) {
            return Err(Error::InvalidEmail);
        }
        email.extend(lower);
    }
    let whole = email
        .split_once('@')
        .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty() && !domain.contains('@'));
    if whole && email.chars().count() <= LONGEST { Ok(email) } else { Err(Error::InvalidEmail) }
}

/// Characters that change how text looks without being seen: two addresses would look the same.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_form() {
        let check = |text: &str, expected: &str| assert_eq!(normalise(text).unwrap(), expected);
        check(" Ann@Example.ORG\n", "ann@example.org");
        check("owner@localhost", "owner@localhost");
        check("Ärger@例え.jp", "ärger@例え.jp");
        check("o'brien+news@example.org", "o'brien+news@example.org");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("{}@example.org", "a".repeat(250));
        for text in [
            "",
            "@",
            "ann",
            "ann@",
            "@example.org",
            "a@b@c",
            "a b@example.org",
            "a\0@example.org",
            "a\u{200b}@b",
            "\u{212a}im@example.org",
            &long,
        ] {
            assert!(matches!(normalise(text), Err(Error::InvalidEmail)), "{text:?}");
        }
    }
}
