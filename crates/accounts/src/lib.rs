//! User accounts: passwords, sessions, tokens, sign-in with a provider, and deletion.
//!
//! A route in `web` and a command of the binary call the same function of [`Accounts`]. Secrets are stored as hashes, shown
//! once, and redacted in `Debug`; `web` encrypts the cookies. The crate has no SQL (see `store`) and no messages for users
//! (see `web`).
//!
//! Start reading at [`Accounts`], then `sign_in.rs` for passwords, `identities.rs` and [`openid`] for providers, and
//! `throttle.rs` for the limits on wrong passwords.

mod accounts;
pub mod audit;
mod client;
mod email;
mod error;
mod export;
mod identities;
mod jobs;
pub mod openid;
mod password;
mod prune_accounts;
mod secret;
mod sessions;
mod set_up;
mod settings;
mod sign_in;
mod throttle;
mod tokens;
mod user_settings;
mod users;

pub use crate::accounts::{Accounts, SignedIn};
pub use audit::SignInMethod;
pub use client::{Device, RemoteClient};
pub use error::{Error, FailedSignIn, Result};
pub use export::{Export, ExportScope};
pub use jobs::register_jobs;
pub use prune_accounts::Pruned;
pub use secret::{Password, SessionSecret, SetupToken, TokenSecret};
pub use sessions::{ActiveSession, SessionInfo};
pub use settings::{AccountSettings, HashCost, SignupAllowed};
pub use store::{
    SessionId, TokenId,
    tokens::{Scope, Token},
    user_settings::{Density, DisplayLanguage, Theme},
    users::{Role, User, UserSummary},
};
pub use tokens::ActiveToken;
pub use user_settings::DisplaySettings;
pub use users::NewAccount;
