//! The operator's settings for accounts.

use std::{collections::BTreeSet, convert::Infallible, str::FromStr, time::Duration};

/// The operator's settings for accounts.
#[derive(Debug, Clone)]
pub struct AccountSettings {
    /// Lifetime of a session after its last use (`SESSION_MAX_AGE`).
    pub session_max_age: Duration,
    /// Whether users can sign in with a password (`LOCAL_ACCOUNTS`).
    pub local_accounts: bool,
    /// Whether users can register with a password (`LOCAL_REGISTRATION`).
    pub local_registration: bool,
    /// The addresses that may have an account (`SIGNUP_ALLOWED`).
    pub signup_allowed: SignupAllowed,
    /// A sign-in with a provider that has verified this address makes the user an owner (`OWNER_EMAIL`).
    pub owner_email: Option<String>,
    pub argon2: HashCost,
}

impl Default for AccountSettings {
    fn default() -> Self {
        AccountSettings {
            session_max_age: Duration::from_secs(24 * 60 * 60),
            local_accounts: true,
            local_registration: false,
            signup_allowed: SignupAllowed::Any,
            owner_email: None,
            argon2: HashCost::default(),
        }
    }
}

/// The addresses that may create an account by registration or with a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignupAllowed {
    /// All addresses.
    Any,
    /// These addresses and the addresses of these domains, in lower case.
    Only {
        emails: BTreeSet<String>,
        /// Subdomains are not included.
        domains: BTreeSet<String>,
    },
}

impl SignupAllowed {
    /// Whether this address, in lower case, may create an account.
    pub fn allows(&self, email: &str) -> bool {
        match self {
            SignupAllowed::Any => true,
            SignupAllowed::Only { emails, domains } => {
                let domain = email.rsplit_once('@').map(|(_, domain)| domain);
                emails.contains(email) || domain.is_some_and(|domain| domains.contains(domain))
            }
        }
    }
}

/// Parses a list separated by commas or white space: `ann@example.org, example.com, @example.net`. An empty list is `Any`.
impl FromStr for SignupAllowed {
    type Err = Infallible;

    fn from_str(list: &str) -> Result<SignupAllowed, Infallible> {
        let entries = list.split([',', ' ', '\t', '\n', '\r']).filter(|entry| !entry.is_empty());
        let (mut emails, mut domains) = (BTreeSet::new(), BTreeSet::new());
        for entry in entries.map(str::to_lowercase) {
            match entry.strip_prefix('@') {
                Some(domain) => domains.insert(domain.to_owned()),
                None if entry.contains('@') => emails.insert(entry),
                None => domains.insert(entry),
            };
        }
        let is_empty = emails.is_empty() && domains.is_empty();
        Ok(if is_empty { SignupAllowed::Any } else { SignupAllowed::Only { emails, domains } })
    }
}

/// The cost of one password hash. Only tests lower it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashCost {
    pub memory_kib: u32,
    pub passes: u32,
}

impl Default for HashCost {
    /// The values that OWASP recommends for argon2id.
    fn default() -> Self {
        HashCost { memory_kib: 19_456, passes: 2 }
    }
}

impl HashCost {
    /// The minimum of argon2, for tests.
    pub const MIN: HashCost = HashCost { memory_kib: 8, passes: 1 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_has_addresses_and_domains() {
        let allowed: SignupAllowed = "Ann@Example.org, example.com\n@Example.net".parse().unwrap();
        let check = |email: &str, expected: bool| assert_eq!(allowed.allows(email), expected, "{email}");
        check("ann@example.org", true);
        check("bob@example.org", false);
        check("user@example.com", true);
        check("user@example.net", true);
        check("user@sub.example.com", false);
        check("user@badexample.com", false);
        check("example.com", false);
    }

    #[test]
    fn empty_list_allows_any_address() {
        assert_eq!(" , \n".parse(), Ok(SignupAllowed::Any));
        assert!(SignupAllowed::Any.allows("ann@example.org"));
    }
}
