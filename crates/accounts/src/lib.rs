//! Who gets in: passwords, sessions, tokens, sign-in with a provider, and leaving.
//!
//! A route in `web` and a command of the binary call the same function of [`Accounts`]. The crate owns everything about
//! secrets but the cookie's wrapping: they are stored as hashes, shown once, and redacted wherever they are printed. It has
//! no SQL (that is `store`'s) and no words for people (those are `web`'s).
//!
//! Start reading at [`Accounts`], then `sign_in.rs` for passwords, `identities.rs` and [`openid`] for providers, and
//! `throttle.rs` for what keeps strangers from guessing.

mod accounts;
pub mod audit;
mod client;
mod email;
mod error;
mod export;
mod identities;
mod jobs;
mod leave;
pub mod openid;
mod password;
mod people;
mod prune_accounts;
mod secret;
mod sessions;
mod set_up;
mod settings;
mod sign_in;
mod throttle;
mod tokens;
mod user_settings;

pub use crate::accounts::{Accounts, SignedIn};
pub use audit::Method;
pub use client::{Client, Device};
pub use error::{Error, FailedSignIn, Result};
pub use export::{
    Export, ExportedAccount, ExportedIdentity, ExportedItem, ExportedSubscription, ExportedToken, ExportedWaysIn,
    WaysIn,
};
pub use jobs::register_jobs;
pub use leave::Pruned;
pub use people::NewAccount;
pub use secret::{Password, SessionSecret, SetupToken, TokenSecret};
pub use sessions::{Session, SessionInfo};
pub use settings::{Cost, Settings, SignupAllowed};
pub use store::{
    IdentityId, SessionId, TokenId, UserId,
    identities::Identity,
    tokens::Scope,
    user_settings::{Density, Language, Theme},
    users::{Role, User, UserSummary},
};
pub use tokens::{TokenInfo, TokenUse};
pub use user_settings::UserSettings;
