//! Errors of sign-in and of changes to an account, named for what the user can do about them.

use serde::Serialize;

/// The result of every function in this crate except those of [`openid`](crate::openid).
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The name of a variant is its error code, and the names of its numbers are the placeholders in its message. The messages
/// are in `web`.
#[derive(Debug, thiserror::Error, Serialize, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Error {
    /// No account has this address and password. The error does not say which of the two is wrong.
    #[error("wrong e-mail address or password")]
    WrongCredentials,
    /// Wait, then try again.
    #[error("too many attempts: wait for {seconds} s")]
    TooManyAttempts { seconds: u64 },
    /// This address may not have an account here; ask the owner.
    #[error("this e-mail address may not have an account here")]
    SignUpNotAllowed,
    /// Only the owner creates accounts; ask them.
    #[error("registration is closed")]
    RegistrationClosed,
    /// Passwords are not used here; sign in with a provider.
    #[error("local accounts are off")]
    LocalAccountsOff,
    /// There is an account with this address; sign in.
    #[error("there is an account with this e-mail address already")]
    EmailTaken,
    /// The provider or the account has not verified the address; sign in with the password and link the provider in the
    /// settings.
    #[error("the e-mail address is not verified")]
    EmailNotVerified,
    /// Correct the address.
    #[error("this is not an e-mail address")]
    InvalidEmail,
    /// Choose a longer password.
    #[error("a password has at least {min} characters")]
    PasswordTooShort { min: usize },
    /// Choose a shorter password.
    #[error("a password has at most {max} characters")]
    PasswordTooLong { max: usize },
    /// Choose a password that is harder to guess.
    #[error("this password is too easy to guess")]
    PasswordTooCommon,
    /// Enter the current password to change it.
    #[error("wrong current password")]
    WrongCurrentPassword,
    /// Enter a name.
    #[error("a name is missing")]
    NameMissing,
    /// Choose a shorter name.
    #[error("a name has at most {max} characters")]
    NameTooLong { max: usize },
    /// The link was used, has expired or never existed; restart the server to get another.
    #[error("the set-up link is not valid")]
    SetupLinkInvalid,
    /// Another account signs in with it; unlink it there.
    #[error("this identity belongs to another account")]
    IdentityTaken,
    /// The user could no longer sign in; set a password or link another identity first.
    #[error("it is the last way to sign in")]
    LastWayIn,
    /// Revoke a token that is no longer used.
    #[error("at most {max} tokens")]
    TokenLimit { max: i64 },
    /// Store less.
    #[error("preferences have at most {kilobytes} kB")]
    PreferencesTooLarge { kilobytes: usize },
    /// It does not exist, or it belongs to another user.
    #[error("not found")]
    NotFound,
    /// A password could not be hashed: the machine is short of memory.
    #[error("a password could not be hashed")]
    #[strum(serialize = "internal")]
    Hashing,
    /// The database failed; the code is that of the inner error.
    #[error(transparent)]
    #[serde(skip)]
    #[strum(transparent)]
    Store(#[from] store::Error),
}

/// A sign-in with a password that failed, and the account that was tried if it exists.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct FailedSignIn {
    #[source]
    pub error: Error,
    pub user: Option<store::UserId>,
}

impl From<FailedSignIn> for Error {
    fn from(failed: FailedSignIn) -> Self {
        failed.error
    }
}

impl Error {
    /// The error code in responses of the API and in the audit log.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}
