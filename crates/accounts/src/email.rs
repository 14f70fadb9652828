//! The normal form of e-mail addresses, for storage and look-up.

use crate::{Error, Result};

/// Limit of the column `users.email`.
const MAX_CHARS: usize = 255;

/// Trims and lower-cases an address. No mail is sent to it, so only misleading addresses are rejected.
///
/// The two databases have different `lower()`, so addresses are stored in lower case. A letter that only becomes ASCII in
/// lower case (the Kelvin sign) is rejected: the result could be the address of another user.
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
    let has_both_parts = email
        .split_once('@')
        .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty() && !domain.contains('@'));
    if has_both_parts && email.chars().count() <= MAX_CHARS { Ok(email) } else { Err(Error::InvalidEmail) }
}

/// Invisible characters: two different addresses would look the same.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_normalised() {
        let check = |text: &str, expected: &str| assert_eq!(normalise(text).unwrap(), expected);
        check(" Ann@Example.ORG\n", "ann@example.org");
        check("owner@localhost", "owner@localhost");
        check("Ärger@例え.jp", "ärger@例え.jp");
        check("o'brien+news@example.org", "o'brien+news@example.org");
    }

    #[test]
    fn invalid_addresses_are_rejected() {
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
