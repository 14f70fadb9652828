//! Secrets: what a person types, and what a browser or a script keeps. None of them can be printed by accident.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// What every token begins with, so that scanners for leaked secrets find it.
const TOKEN_PREFIX: &str = "kwb_";
/// 256 bits as base64url.
const SECRET_LENGTH: usize = 43;

/// What a person types to prove who they are.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// As it was typed: nothing is trimmed.
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

            /// What somebody shows, if it can be one at all.
            pub fn parse(text: &str) -> Option<$name> {
                let random = text.strip_prefix($prefix)?;
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
                let whole = random.len() == SECRET_LENGTH && random.bytes().all(plain);
                whole.then(|| $name(text.to_owned()))
            }

            /// The secret itself, for whom it belongs to and nobody else.
            pub fn expose(&self) -> &str {
                &self.0
            }

            /// What is stored instead of it.
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
    /// What a signed-in browser keeps.
    SessionSecret "";
    /// What a script keeps: `kwb_` and 43 characters.
    TokenSecret TOKEN_PREFIX;
    /// What the link has that makes the first account.
    SetupToken "";
}

/// In lower-case hexadecimal digits. Enough for what is random: nobody guesses 256 bits.
pub(crate) fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_random_and_comes_back_from_its_text() {
        let (one, other) = (TokenSecret::random(), TokenSecret::random());
        assert_ne!(one, other);
        assert_eq!(one.expose().len(), 47);
        assert_eq!(TokenSecret::parse(one.expose()), Some(one.clone()));
        assert_eq!(one.hash().len(), 64);
        let session = SessionSecret::random();
        assert_eq!(SessionSecret::parse(session.expose()), Some(session));
    }

    #[test]
    fn what_cannot_be_a_secret_is_none() {
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
    fn nothing_of_a_secret_is_printed() {
        assert_eq!(format!("{:?}", Password::new("correct horse")), "Password(redacted)");
        let secret = SessionSecret::random();
        assert!(!format!("{secret:?}").contains(secret.expose()));
    }
}
