//! E-mail addresses, their domains, and display names.

use accounts::SignupAllowed;

use super::SettingKind;

/// The limit of the column `users.email`.
const MAX_EMAIL_BYTES: usize = 255;
/// Fits on a button.
const MAX_LABEL_CHARS: usize = 50;

/// One e-mail address.
pub struct Email;

impl SettingKind for Email {
    type Value = String;

    fn how(&self) -> String {
        "an e-mail address such as `me@example.org`".into()
    }

    fn parse(&self, text: &str) -> Result<String, String> {
        if is_email(text) { Ok(text.to_owned()) } else { Err("write an e-mail address such as me@example.org".into()) }
    }
}

/// E-mail addresses and domains of e-mail addresses, separated by commas.
pub struct EmailsAndDomains;

impl SettingKind for EmailsAndDomains {
    type Value = SignupAllowed;

    fn how(&self) -> String {
        "e-mail addresses and domains separated by commas, such as `me@example.org, example.com`".into()
    }

    fn parse(&self, text: &str) -> Result<SignupAllowed, String> {
        let is_known = |entry: &str| is_email(entry) || is_domain(entry.strip_prefix('@').unwrap_or(entry));
        let separator = |c: char| c == ',' || c.is_whitespace();
        if let Some(wrong) = text.split(separator).filter(|entry| !entry.is_empty()).position(|entry| !is_known(entry))
        {
            let nth = wrong + 1;
            return Err(format!(
                "entry {nth} is neither an e-mail address nor a domain: write them such as me@example.org, example.com"
            ));
        }
        let Ok(allowed) = text.parse();
        match allowed {
            // A lone comma must not allow every address.
            SignupAllowed::Any => Err("the list is empty: write entries such as me@example.org, example.com".into()),
            allowed => Ok(allowed),
        }
    }

    fn absent(&self) -> Option<SignupAllowed> {
        Some(SignupAllowed::Any)
    }
}

/// A short display name in any script.
pub struct Label;

impl SettingKind for Label {
    type Value = String;

    fn how(&self) -> String {
        format!("a name of up to {MAX_LABEL_CHARS} characters")
    }

    fn parse(&self, text: &str) -> Result<String, String> {
        let is_short = text.chars().count() <= MAX_LABEL_CHARS;
        if is_short && !text.chars().any(char::is_control) {
            Ok(text.to_owned())
        } else {
            Err(format!("write {} on one line", self.how()))
        }
    }
}

fn is_email(text: &str) -> bool {
    let parts = text.split_once('@').filter(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    parts.is_some()
        && text.chars().count() <= MAX_EMAIL_BYTES
        && !text.chars().any(|c| c.is_whitespace() || c.is_control() || c == ',')
}

fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        let inside = |c: char| c.is_alphanumeric() || c == '-';
        !label.is_empty() && label.chars().all(inside) && !label.starts_with('-') && !label.ends_with('-')
    };
    text.contains('.') && text.chars().count() <= MAX_EMAIL_BYTES && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_domains_are_a_list() {
        let allowed = EmailsAndDomains.parse("Me@Example.org, example.com,@sub.example.net,").unwrap();
        for (email, expected) in [("me@example.org", true), ("you@example.org", false), ("you@sub.example.net", true)] {
            assert_eq!(allowed.allows(email), expected, "{email}");
        }
        for text in [",", "localhost", "me@", "@", "a@b@c", "me @example.org", "*.example.com", ".example.com", "-a.b"]
        {
            assert!(EmailsAndDomains.parse(text).is_err(), "{text}");
        }
        assert!(EmailsAndDomains.parse("a.example, everywhere").unwrap_err().starts_with("entry 2 is neither"));
    }

    #[test]
    fn email_has_one_at_sign_and_no_blanks() {
        for text in ["me@example.org", "owner@localhost", "山田@example.jp"] {
            assert!(Email.parse(text).is_ok(), "{text}");
        }
        let long = format!("{}@example.org", "a".repeat(MAX_EMAIL_BYTES));
        for text in ["", "me", "@", "me@", "@example.org", "a@b@c", "a b@c", "a@b,c@d", &long] {
            assert!(Email.parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_label_is_short_and_on_one_line() {
        assert!(Label.parse("会社のアカウント").is_ok());
        assert!(Label.parse("a\u{7}b").is_err() && Label.parse(&"a".repeat(51)).is_err());
    }
}
