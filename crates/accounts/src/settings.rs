//! What the operator decides about accounts.

use std::{collections::BTreeSet, convert::Infallible, str::FromStr, time::Duration};

/// What the operator decides about accounts.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How long a session lasts after the person was last here (`SESSION_MAX_AGE`).
    pub session_max_age: Duration,
    /// Whether people sign in with a password (`LOCAL_ACCOUNTS`).
    pub local_accounts: bool,
    /// Whether anybody may make an account with a password (`LOCAL_REGISTRATION`).
    pub local_registration: bool,
    /// Whose addresses may have an account (`SIGNUP_ALLOWED`).
    pub signup_allowed: SignupAllowed,
    /// Whoever a provider knows by this address looks after the machine (`OWNER_EMAIL`).
    pub owner_email: Option<String>,
    /// What guessing a password costs.
    pub argon2: Cost,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            session_max_age: Duration::from_secs(24 * 60 * 60),
            local_accounts: true,
            local_registration: false,
            signup_allowed: SignupAllowed::Everybody,
            owner_email: None,
            argon2: Cost::default(),
        }
    }
}

/// Whose addresses may have an account that they make for themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignupAllowed {
    /// Everybody's.
    Everybody,
    /// Those that are listed, and those of the domains that are listed; in lower case.
    Only {
        emails: BTreeSet<String>,
        /// Domains, without their subdomains.
        domains: BTreeSet<String>,
    },
}

impl SignupAllowed {
    /// Whether this address, in lower case, may have an account.
    pub fn allows(&self, email: &str) -> bool {
        match self {
            SignupAllowed::Everybody => true,
            SignupAllowed::Only { emails, domains } => {
                let domain = email.rsplit_once('@').map(|(_, domain)| domain);
                emails.contains(email) || domain.is_some_and(|domain| domains.contains(domain))
            }
        }
    }
}

/// A list with commas, spaces or line ends between: `ann@example.org, example.com, @example.net`. An empty one is everybody.
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
        let everybody = emails.is_empty() && domains.is_empty();
        Ok(if everybody { SignupAllowed::Everybody } else { SignupAllowed::Only { emails, domains } })
    }
}

/// What computing one hash of a password costs. Only tests lower it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Memory in KiB.
    pub memory_kib: u32,
    pub passes: u32,
}

impl Default for Cost {
    /// OWASP's choice for argon2id.
    fn default() -> Self {
        Cost { memory_kib: 19_456, passes: 2 }
    }
}

impl Cost {
    /// The least that argon2 can do, for tests.
    pub const LEAST: Cost = Cost { memory_kib: 8, passes: 1 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_addresses_and_domains() {
        let allowed: SignupAllowed = "Ann@Example.org, example.com\n@Example.net".parse().unwrap();
        let check = |email: &str, expected: bool| assert_eq!(allowed.allows(email), expected, "{email}");
        check("ann@example.org", true);
        check("bob@example.org", false);
        check("anybody@example.com", true);
        check("anybody@example.net", true);
        check("anybody@sub.example.com", false);
        check("anybody@badexample.com", false);
        check("example.com", false);
    }

    #[test]
    fn an_empty_list_is_everybody() {
        assert_eq!(" , \n".parse(), Ok(SignupAllowed::Everybody));
        assert!(SignupAllowed::Everybody.allows("ann@example.org"));
    }
}
