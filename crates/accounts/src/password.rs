//! Passwords: which ones are taken, and how they are hashed. Hashing is slow on purpose, so few are computed at once.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::sync::Semaphore;

use crate::{Cost, Error, Password, Result};

/// In characters.
const SHORTEST: usize = 8;
/// In characters.
const LONGEST: usize = 1_024;
/// In bytes: more would only cost time.
const MOST_BYTES: usize = 4_096;
/// How many hashes are computed at once, each with 19 MiB.
const AT_ONCE: usize = 2;
/// What people try first; all in lower case, one on a line.
const COMMON: &str = include_str!("password/common.txt");

/// Refuses a password that is too short, too long, or the first guess.
pub(crate) fn check(password: &Password, email: &str) -> Result<()> {
    let text = password.text();
    let characters = text.chars().count();
    if characters < SHORTEST {
        return Err(Error::PasswordTooShort { min: SHORTEST });
    }
    if characters > LONGEST || text.len() > MOST_BYTES {
        return Err(Error::PasswordTooLong { max: LONGEST });
    }
    let lower = text.to_lowercase();
    let local = email.split_once('@').map_or(email, |(local, _)| local);
    if lower == email || lower == local || is_repetition(&lower) || COMMON.lines().any(|common| common == lower) {
        return Err(Error::PasswordTooCommon);
    }
    Ok(())
}

/// One character, again and again.
fn is_repetition(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next();
    characters.all(|c| Some(c) == first)
}

/// How a password was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is another one.
    Wrong,
    /// It is the one.
    Right,
    /// It is the one, and its hash has another cost than hashes have now.
    RightButStale,
}

/// Computes hashes, a few at once, where it holds nobody up.
pub(crate) struct Hasher {
    cost: Cost,
    gate: Arc<Semaphore>,
    computed: AtomicU64,
}

impl Hasher {
    pub fn new(cost: Cost) -> Hasher {
        Hasher { cost, gate: Arc::new(Semaphore::new(AT_ONCE)), computed: AtomicU64::new(0) }
    }

    /// How many hashes were computed so far.
    pub fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// The text that is stored instead of the password.
    pub async fn hash(self: &Arc<Self>, password: &Password) -> Result<String> {
        let (cost, password) = (self.cost, password.clone());
        self.compute(move || hash(cost, &password)).await?
    }

    /// Compares a password with a stored text. Without one the same work is done, and it is wrong.
    pub async fn verify(self: &Arc<Self>, password: &Password, stored: Option<&str>) -> Result<Verdict> {
        let (cost, password) = (self.cost, password.clone());
        let stored = stored.map_or_else(|| dummy(cost), str::to_owned);
        self.compute(move || verify(cost, &password, &stored)).await?
    }

    async fn compute<T: Send + 'static>(self: &Arc<Self>, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let hasher = Arc::clone(self);
        let turn = Arc::clone(&self.gate).acquire_owned().await.map_err(|_| Error::Hashing)?;
        let computed = tokio::task::spawn_blocking(move || {
            // The turn lasts as long as the work, also when whoever asked for it has gone away.
            let _turn = turn;
            hasher.computed.fetch_add(1, Ordering::Relaxed);
            work()
        });
        computed.await.map_err(|_| Error::Hashing)
    }
}

fn argon2(cost: Cost) -> Result<Argon2<'static>> {
    let params = Params::new(cost.memory_kib, cost.passes, 1, None).map_err(|_| Error::Hashing)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(cost: Cost, password: &Password) -> Result<String> {
    let salt: [u8; 16] = rand::random();
    let hash = argon2(cost)?.hash_password_with_salt(password.text().as_bytes(), &salt);
    Ok(hash.map_err(|_| Error::Hashing)?.to_string())
}

fn verify(cost: Cost, password: &Password, stored: &str) -> Result<Verdict> {
    let stored = PasswordHash::new(stored).map_err(|_| Error::Hashing)?;
    // The parameters in the text count, not those of this instance.
    match Argon2::default().verify_password(password.text().as_bytes(), &stored) {
        Ok(()) if password.text().len() > MOST_BYTES => Ok(Verdict::Wrong),
        Ok(()) => Ok(if is_current(cost, &stored) { Verdict::Right } else { Verdict::RightButStale }),
        Err(argon2::password_hash::Error::PasswordInvalid) => Ok(Verdict::Wrong),
        Err(_) => Err(Error::Hashing),
    }
}

fn is_current(cost: Cost, stored: &PasswordHash) -> bool {
    let same = |params: Params| params.m_cost() == cost.memory_kib && params.t_cost() == cost.passes;
    stored.algorithm.as_str() == Algorithm::Argon2id.as_str() && Params::try_from(stored).is_ok_and(same)
}

/// A hash that no password has, at the cost of a real one.
fn dummy(Cost { memory_kib, passes }: Cost) -> String {
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
    fn passwords_are_long_and_not_the_first_guess() {
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
    fn the_list_has_only_what_could_be_chosen() {
        assert!(COMMON.lines().count() >= 100);
        for line in COMMON.lines() {
            assert!(line.chars().count() >= SHORTEST && line == line.to_lowercase() && line.trim() == line, "{line}");
        }
    }

    #[test]
    fn a_hash_carries_its_cost_and_fits_one_password() {
        let cost = Cost::LEAST;
        let stored = hash(cost, &Password::new("correct horse")).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{stored}");
        assert_ne!(stored, hash(cost, &Password::new("correct horse")).unwrap(), "salted");
        let judge = |cost, password: &str| verify(cost, &Password::new(password), &stored).unwrap();
        assert_eq!(judge(cost, "correct horse"), Verdict::Right);
        assert_eq!(judge(cost, "correct horse "), Verdict::Wrong);
        assert_eq!(judge(Cost { passes: 2, ..cost }, "correct horse"), Verdict::RightButStale);
    }

    #[test]
    fn the_default_cost_is_what_is_recommended() {
        let stored = hash(Cost::default(), &Password::new("correct horse")).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
    }

    #[test]
    fn nothing_fits_the_dummy_and_it_costs_as_much() {
        let dummy = dummy(Cost::LEAST);
        assert_eq!(verify(Cost::LEAST, &Password::new(""), &dummy).unwrap(), Verdict::Wrong);
        let parsed = PasswordHash::new(&dummy).unwrap();
        assert!(is_current(Cost::LEAST, &parsed));
        let real = hash(Cost::LEAST, &Password::new("x")).unwrap();
        assert_eq!(dummy.len(), real.len());
    }

    #[tokio::test]
    async fn every_judgement_computes_a_hash_with_or_without_an_account() {
        let hasher = Arc::new(Hasher::new(Cost::LEAST));
        let password = Password::new("correct horse");
        let stored = hasher.hash(&password).await.unwrap();
        assert_eq!(hasher.computed(), 1);
        assert_eq!(hasher.verify(&password, None).await.unwrap(), Verdict::Wrong);
        assert_eq!(hasher.verify(&password, Some(&stored)).await.unwrap(), Verdict::Right);
        assert_eq!(hasher.computed(), 3);
    }
}
