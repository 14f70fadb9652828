//! What the stories about accounts share: accounts with cheap hashes, a clock that stands still, people and browsers.

use std::time::Duration;

use accounts::{
    Accounts, Client, Cost, Error, NewAccount, Password, Role, Settings, SignedIn, User,
    openid::{Claims, ProviderId},
};
use chrono::{DateTime, Utc};
use store::{Clock, Db};
use testkit::TestDb;

pub const PASSWORD: &str = "correct horse battery";
pub const ISSUER: &str = "https://issuer.example";

/// Accounts on a database of their own.
pub struct House {
    pub db: TestDb,
    pub clock: Clock,
    pub accounts: Accounts,
}

impl House {
    pub fn new(db: TestDb) -> House {
        House::with(db, settings())
    }

    pub fn with(db: TestDb, settings: Settings) -> House {
        let clock = Clock::manual(now());
        let accounts = Accounts::new(db.db(), clock.clone(), settings);
        House { db, clock, accounts }
    }

    /// The same house under other rules.
    pub fn under(&self, settings: Settings) -> Accounts {
        Accounts::new(self.db.db(), self.clock.clone(), settings)
    }

    pub fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// A person with [`PASSWORD`], by the operator's hand.
    pub async fn add(&self, email: &str) -> User {
        self.accounts.add(&account(email), Role::Member).await.unwrap()
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

pub fn settings() -> Settings {
    Settings { session_max_age: Duration::from_secs(24 * 60 * 60), argon2: Cost::LEAST, ..Settings::default() }
}

pub fn open() -> Settings {
    Settings { local_registration: true, ..settings() }
}

pub fn now() -> DateTime<Utc> {
    "2026-03-02T10:00:00Z".parse().unwrap()
}

pub fn account(email: &str) -> NewAccount {
    NewAccount { email: email.to_owned(), name: "A reader".to_owned(), password: Password::new(PASSWORD) }
}

/// A browser at an address of its own.
pub fn browser(number: u8) -> Client {
    Client { address: [192, 0, 2, number].into(), user_agent: format!("Browser/{number}") }
}

/// What a provider says about somebody whose address it has verified.
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

/// The words of a refusal, to compare them.
pub fn refusal<T>(result: Result<T, impl Into<Error>>) -> String {
    match result.map_err(Into::into) {
        Ok(_) => "none".to_owned(),
        Err(error @ Error::Store(_)) => panic!("{error:?}"),
        Err(error) => format!("{error:?}"),
    }
}
