//! Test set-up: accounts with cheap hashes and a manual clock, users and browsers.

use std::time::Duration;

use accounts::{
    AccountSettings, Accounts, Error, HashCost, NewAccount, Password, RemoteClient, Role, SignedIn, User,
    openid::{Claims, ProviderId},
};
use chrono::{DateTime, Utc};
use store::{Clock, Db};
use testkit::TestDb;

pub const PASSWORD: &str = "correct horse battery";
pub const ISSUER: &str = "https://issuer.example";

/// Accounts on their own database.
pub struct TestAccounts {
    pub db: TestDb,
    pub clock: Clock,
    pub accounts: Accounts,
}

impl TestAccounts {
    pub fn new(db: TestDb) -> TestAccounts {
        TestAccounts::with(db, settings())
    }

    pub fn with(db: TestDb, settings: AccountSettings) -> TestAccounts {
        let clock = Clock::manual(now());
        let accounts = Accounts::new(db.db(), clock.clone(), settings);
        TestAccounts { db, clock, accounts }
    }

    /// Accounts on the same database with other settings.
    pub fn with_settings(&self, settings: AccountSettings) -> Accounts {
        Accounts::new(self.db.db(), self.clock.clone(), settings)
    }

    pub fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// Creates a user with [`PASSWORD`].
    pub async fn create_user(&self, email: &str) -> User {
        self.accounts.create_user(&account(email), Role::Member).await.unwrap()
    }

    pub async fn sign_in(&self, email: &str, password: &str) -> accounts::Result<SignedIn> {
        Ok(self.accounts.sign_in(email, &Password::new(password), None, &browser(1)).await?)
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        count(&self.db, sql).await
    }
}

pub async fn count(db: &Db, sql: &'static str) -> i64 {
    db.read(sql).scalar().await.unwrap()
}

pub fn settings() -> AccountSettings {
    AccountSettings {
        session_max_age: Duration::from_secs(24 * 60 * 60),
        argon2: HashCost::MIN,
        ..AccountSettings::default()
    }
}

pub fn with_registration() -> AccountSettings {
    AccountSettings { local_registration: true, ..settings() }
}

pub fn now() -> DateTime<Utc> {
    "2026-03-02T10:00:00Z".parse().unwrap()
}

pub fn account(email: &str) -> NewAccount {
    NewAccount { email: email.to_owned(), name: "A reader".to_owned(), password: Password::new(PASSWORD) }
}

/// A browser with its own address.
pub fn browser(number: u8) -> RemoteClient {
    RemoteClient { address: [192, 0, 2, number].into(), user_agent: format!("Browser/{number}"), language: None }
}

/// Claims with a verified address.
pub fn claims(subject: &str, email: &str) -> Claims {
    Claims {
        provider: ProviderId::Oidc,
        issuer: ISSUER.to_owned(),
        subject: subject.to_owned(),
        email: Some(email.to_owned()),
        email_verified: true,
        name: Some("Ann Smith".to_owned()),
    }
}

/// The error of a result as text; "none" if it succeeded.
pub fn refusal<T>(result: Result<T, impl Into<Error>>) -> String {
    match result.map_err(Into::into) {
        Ok(_) => "none".to_owned(),
        Err(error @ Error::Store(_)) => panic!("{error:?}"),
        Err(error) => format!("{error:?}"),
    }
}
