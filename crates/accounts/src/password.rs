//! Validation and hashing of passwords. A hash is expensive on purpose, so the number of concurrent hashes is limited.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::sync::Semaphore;

use crate::{Error, HashCost, Password, Result};

const MIN_CHARS: usize = 8;
const MAX_CHARS: usize = 1_024;
const MAX_BYTES: usize = 4_096;
/// Concurrent hashes. Each needs 19 MiB.
const MAX_CONCURRENT: usize = 2;
/// The most common passwords in lower case, one per line.
const COMMON: &str = include_str!("password/common.txt");

/// Rejects a password that is too short, too long or too common.
pub(crate) fn check(password: &Password, email: &str) -> Result<()> {
    let text = password.text();
    let characters = text.chars().count();
    if characters < MIN_CHARS {
        return Err(Error::PasswordTooShort { min: MIN_CHARS });
    }
    if characters > MAX_CHARS || text.len() > MAX_BYTES {
        return Err(Error::PasswordTooLong { max: MAX_CHARS });
    }
    let lower = text.to_lowercase();
    let local = email.split_once('@').map_or(email, |(local, _)| local);
    if lower == email || lower == local || is_repetition(&lower) || COMMON.lines().any(|common| common == lower) {
        return Err(Error::PasswordTooCommon);
    }
    Ok(())
}

/// Whether the text repeats one character.
fn is_repetition(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next();
    characters.all(|c| Some(c) == first)
}

/// The result of comparing a password with a stored hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Wrong,
    Right,
    /// The password is right, but its hash has an outdated cost.
    RightButStale,
}

/// Computes hashes on the blocking pool, a few at a time.
pub(crate) struct Hasher {
    cost: HashCost,
    permits: Arc<Semaphore>,
    computed: AtomicU64,
}

impl Hasher {
    pub fn new(cost: HashCost) -> Hasher {
        Hasher { cost, permits: Arc::new(Semaphore::new(MAX_CONCURRENT)), computed: AtomicU64::new(0) }
    }

    /// Number of hashes computed so far.
    pub fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// The hash of a password, in the PHC string format.
    pub async fn hash(self: &Arc<Self>, password: &Password) -> Result<String> {
        let (cost, password) = (self.cost, password.clone());
        self.compute(move || hash(cost, &password)).await?
    }

    /// Compares a password with a stored hash. Without a hash it does the same work and returns `Wrong`.
    pub async fn verify(self: &Arc<Self>, password: &Password, stored: Option<&str>) -> Result<Verdict> {
        let (cost, password) = (self.cost, password.clone());
        let stored = stored.map_or_else(|| dummy(cost), str::to_owned);
        self.compute(move || verify(cost, &password, &stored)).await?
    }

    async fn compute<T: Send + 'static>(self: &Arc<Self>, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let hasher = Arc::clone(self);
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| Error::Hashing)?;
        let computed = tokio::task::spawn_blocking(move || {
            // The permit is held until the work ends, also when the caller is cancelled.
            let _permit = permit;
            hasher.computed.fetch_add(1, Ordering::Relaxed);
            work()
        });
        computed.await.map_err(|_| Error::Hashing)
    }
}

fn argon2(cost: HashCost) -> Result<Argon2<'static>> {
    let params = Params::new(cost.memory_kib, cost.passes, 1, None).map_err(|_| Error::Hashing)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(cost: HashCost, password: &Password) -> Result<String> {
    let salt: [u8; 16] = rand::random();
    let hash = argon2(cost)?.hash_password_with_salt(password.text().as_bytes(), &salt);
    Ok(hash.map_err(|_| Error::Hashing)?.to_string())
}

fn verify(cost: HashCost, password: &Password, stored: &str) -> Result<Verdict> {
    let stored = PasswordHash::new(stored).map_err(|_| Error::Hashing)?;
    // Uses the parameters in the hash, not those of the settings.
    match Argon2::default().verify_password(password.text().as_bytes(), &stored) {
        Ok(()) if password.text().len() > MAX_BYTES => Ok(Verdict::Wrong),
        Ok(()) => Ok(if is_current(cost, &stored) { Verdict::Right } else { Verdict::RightButStale }),
        Err(argon2::password_hash::Error::PasswordInvalid) => Ok(Verdict::Wrong),
        Err(_) => Err(Error::Hashing),
    }
}

fn is_current(cost: HashCost, stored: &PasswordHash) -> bool {
    let same = |params: Params| params.m_cost() == cost.memory_kib && params.t_cost() == cost.passes;
    stored.algorithm.as_str() == Algorithm::Argon2id.as_str() && Params::try_from(stored).is_ok_and(same)
}

/// A hash that matches no password and costs as much as a real one.
fn dummy(HashCost { memory_kib, passes }: HashCost) -> String {
    let (salt, nothing) = ("A".repeat(22), "A".repeat(43));
    format!("$argon2id$v=19$m={memory_kib},t={passes},p=1${salt}${nothing}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(password: &str) -> Option<String> {
        check(&Password::new(password), "ann.smith@example.org").err().map(|error| error.to_string())
    }

    #[test]
    fn short_long_and_common_passwords_are_rejected() {
        let check =
            |password: &str, expected: Option<&str>| assert_eq!(refusal(password).as_deref(), expected, "{password}");
        check("1234567", Some("a password has at least 8 characters"));
        check("あいうえおかきく", None);
        check("あいうえおかき", Some("a password has at least 8 characters"));
        check("correct horse battery staple", None);
        check(&"xy".repeat(512), None);
        check(&"xy".repeat(513), Some("a password has at most 1024 characters"));
        check(&"𠮷野".repeat(512), None);
        check("Password1", Some("this password is too easy to guess"));
        check("Ann.Smith@Example.org", Some("this password is too easy to guess"));
        check("ann.smith", Some("this password is too easy to guess"));
        check("zzzzzzzzzzzz", Some("this password is too easy to guess"));
    }

    #[test]
    fn common_list_has_only_valid_passwords() {
        assert!(COMMON.lines().count() >= 100);
        for line in COMMON.lines() {
            assert!(line.chars().count() >= MIN_CHARS && line == line.to_lowercase() && line.trim() == line, "{line}");
        }
    }

    #[test]
    fn hash_records_its_cost_and_matches_one_password() {
        let cost = HashCost::MIN;
        let stored = hash(cost, &Password::new("correct horse")).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{stored}");
        assert_ne!(stored, hash(cost, &Password::new("correct horse")).unwrap(), "salted");
        let compare = |cost, password: &str| verify(cost, &Password::new(password), &stored).unwrap();
        assert_eq!(compare(cost, "correct horse"), Verdict::Right);
        assert_eq!(compare(cost, "correct horse "), Verdict::Wrong);
        assert_eq!(compare(HashCost { passes: 2, ..cost }, "correct horse"), Verdict::RightButStale);
    }

    #[test]
    fn default_cost_is_the_recommended_one() {
        let stored = hash(HashCost::default(), &Password::new("correct horse")).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
    }

    #[test]
    fn dummy_matches_nothing_and_costs_as_much() {
        let dummy = dummy(HashCost::MIN);
        assert_eq!(verify(HashCost::MIN, &Password::new(""), &dummy).unwrap(), Verdict::Wrong);
        let parsed = PasswordHash::new(&dummy).unwrap();
        assert!(is_current(HashCost::MIN, &parsed));
        let real = hash(HashCost::MIN, &Password::new("x")).unwrap();
        assert_eq!(dummy.len(), real.len());
    }

    #[tokio::test]
    async fn verify_always_computes_a_hash() {
        let hasher = Arc::new(Hasher::new(HashCost::MIN));
        let password = Password::new("correct horse");
        let stored = hasher.hash(&password).await.unwrap();
        assert_eq!(hasher.computed(), 1);
        assert_eq!(hasher.verify(&password, None).await.unwrap(), Verdict::Wrong);
        assert_eq!(hasher.verify(&password, Some(&stored)).await.unwrap(), Verdict::Right);
        assert_eq!(hasher.computed(), 3);
    }
}
