//! Passwords and random secrets. Their `Debug` output is redacted.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// The prefix lets scanners for leaked secrets find tokens.
const TOKEN_PREFIX: &str = "kwb_";
/// 256 bits as base64url.
const SECRET_LENGTH: usize = 43;

/// A password in plain text.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// A password exactly as the user typed it.
    pub fn new(text: impl Into<String>) -> Password {
        Password(text.into())
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(redacted)")
    }
}

macro_rules! random_secrets {
    ($($(#[$doc:meta])* $name:ident $prefix:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// 256 random bits.
            pub(crate) fn random() -> $name {
                $name(format!("{}{}", $prefix, URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())))
            }

            /// Parses a secret from a request; `None` if it has the wrong form.
            pub fn parse(text: &str) -> Option<$name> {
                let random = text.strip_prefix($prefix)?;
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
                let is_valid = random.len() == SECRET_LENGTH && random.bytes().all(plain);
                is_valid.then(|| $name(text.to_owned()))
            }

            /// The secret in plain text, to be sent to its user only.
            pub fn expose(&self) -> &str {
                &self.0
            }

            /// The hash that the database stores.
            pub(crate) fn hash(&self) -> String {
                sha256(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(redacted)"))
            }
        }
    )*};
}

random_secrets! {
    /// The secret of a session, in the session cookie.
    SessionSecret "";
    /// An API token: `kwb_` and 43 characters.
    TokenSecret TOKEN_PREFIX;
    /// The secret in a set-up link.
    SetupToken "";
}

/// SHA-256 in lower-case hexadecimal. A fast hash is enough for 256 random bits.
pub(crate) fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_is_random_and_parses_back() {
        let (one, other) = (TokenSecret::random(), TokenSecret::random());
        assert_ne!(one, other);
        assert_eq!(one.expose().len(), 47);
        assert_eq!(TokenSecret::parse(one.expose()), Some(one.clone()));
        assert_eq!(one.hash().len(), 64);
        let session = SessionSecret::random();
        assert_eq!(SessionSecret::parse(session.expose()), Some(session));
    }

    #[test]
    fn invalid_secrets_do_not_parse() {
        let random = "A".repeat(43);
        assert!(TokenSecret::parse(&format!("kwb_{random}")).is_some());
        for text in
            ["", "kwb_", &random, &format!("kwb_{random}A"), &format!("KWB_{random}"), &format!("kwb_{random}\n")]
        {
            assert!(TokenSecret::parse(text).is_none(), "{text:?}");
        }
        assert!(SessionSecret::parse(&"あ".repeat(15)).is_none());
        assert!(SessionSecret::parse(&format!("{}\0", "A".repeat(42))).is_none());
    }

    #[test]
    fn debug_output_is_redacted() {
        assert_eq!(format!("{:?}", Password::new("correct horse")), "Password(redacted)");
        let secret = SessionSecret::random();
        assert!(!format!("{secret:?}").contains(secret.expose()));
    }
}
