//! Authenticated encryption of named values, with a new key for each value.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    error::Unspecified,
    hkdf::{HKDF_SHA256, KeyType, Salt},
    rand::{SecureRandom, SystemRandom},
};

const KEY_BYTES: usize = 32;
const SALT_BYTES: usize = 24;

/// Derives key and nonce of each value from the secret, its name and 192 random bits, so none is used twice.
pub(super) struct Sealer {
    secret: Vec<u8>,
    random: SystemRandom,
}

/// The system random number generator failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot encrypt a cookie")]
pub(super) struct NotSealed;

impl From<Unspecified> for NotSealed {
    fn from(_: Unspecified) -> Self {
        NotSealed
    }
}

impl Sealer {
    pub(super) fn new(secret: &str) -> Self {
        Sealer { secret: secret.as_bytes().to_vec(), random: SystemRandom::new() }
    }

    /// Encrypts a value as base64url.
    pub(super) fn seal(&self, name: &str, content: &[u8]) -> Result<String, NotSealed> {
        let mut salt = [0; SALT_BYTES];
        self.random.fill(&mut salt)?;
        let (key, nonce) = self.derive(&salt, name)?;
        let mut sealed = content.to_vec();
        key.seal_in_place_append_tag(nonce, Aad::from(name), &mut sealed)?;
        Ok(URL_SAFE_NO_PAD.encode([&salt[..], &sealed].concat()))
    }

    /// Decrypts a value; `None` if it was not sealed with this name and secret.
    pub(super) fn open(&self, name: &str, text: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (salt, sealed) = bytes.split_at_checked(SALT_BYTES)?;
        let (key, nonce) = self.derive(salt, name).ok()?;
        let mut sealed = sealed.to_vec();
        key.open_in_place(nonce, Aad::from(name), &mut sealed).ok().map(|content| content.to_vec())
    }

    fn derive(&self, salt: &[u8], name: &str) -> Result<(LessSafeKey, Nonce), Unspecified> {
        let mut derived = [0; KEY_BYTES + NONCE_LEN];
        let about = [b"kawaraban cookie 1 ", name.as_bytes()];
        Salt::new(HKDF_SHA256, salt).extract(&self.secret).expand(&about, Bytes(derived.len()))?.fill(&mut derived)?;
        let (key, nonce) = derived.split_at(KEY_BYTES);
        let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key)?);
        Ok((key, Nonce::try_assume_unique_for_key(nonce)?))
    }
}

/// A length in bytes, for ring.
struct Bytes(usize);

impl KeyType for Bytes {
    fn len(&self) -> usize {
        self.0
    }
}
