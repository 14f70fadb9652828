//! Why somebody does not get in, or cannot have what they ask for, named for what they can do about it.

/// The result of everything in this crate but the protocol with providers.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A refusal, or a failure of the database.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no account with this address and password; which of the two is wrong is not told.
    #[error("wrong e-mail address or password")]
    WrongPassword,
    /// Wait, then try again.
    #[error("too many attempts: wait for {retry_after_seconds} s")]
    TooManyAttempts {
        /// How long.
        retry_after_seconds: u64,
    },
    /// This address may not have an account here; ask the owner.
    #[error("this e-mail address may not have an account here")]
    NotAllowed,
    /// Accounts are made by the owner alone; ask them.
    #[error("registration is closed")]
    RegistrationClosed,
    /// Passwords are not used here; sign in with a provider.
    #[error("local accounts are off")]
    LocalAccountsOff,
    /// There is an account with this address; sign in.
    #[error("there is an account with this e-mail address already")]
    EmailTaken,
    /// The provider does not know the address to be the person's own, or the account with it does not; sign in with the
    /// password and link the provider in the settings.
    #[error("the e-mail address is not verified")]
    EmailNotVerified,
    /// Correct the address.
    #[error("this is not an e-mail address")]
    InvalidEmail,
    /// Choose a longer password.
    #[error("a password has at least {least} characters")]
    PasswordTooShort {
        /// How long at least.
        least: usize,
    },
    /// Choose a shorter password.
    #[error("a password has at most {most} characters")]
    PasswordTooLong {
        /// How long at the most.
        most: usize,
    },
    /// Choose a password that is not the first guess.
    #[error("this password is too easy to guess")]
    PasswordTooCommon,
    /// Give it a name.
    #[error("a name is missing")]
    NameMissing,
    /// Choose a shorter name.
    #[error("a name has at most {most} characters")]
    NameTooLong {
        /// How long at the most.
        most: usize,
    },
    /// The link was used, is too old or never was; restart the server to get another.
    #[error("the set-up link is not good any more")]
    SetupLinkInvalid,
    /// It lets somebody else in; sign in as them and unlink it there.
    #[error("this identity belongs to another account")]
    IdentityTaken,
    /// Nothing would let the person in any more; set a password or link another identity first.
    #[error("it is the last way in")]
    LastWayIn,
    /// Revoke one that is not used any more.
    #[error("at most {most} tokens")]
    TooManyTokens {
        /// How many at the most.
        most: i64,
    },
    /// Keep less.
    #[error("preferences have at most {most} bytes")]
    PreferencesTooLarge {
        /// How many at the most.
        most: usize,
    },
    /// There is no such thing, or it is somebody else's.
    #[error("there is no such thing")]
    NotFound,
    /// A password could not be hashed: the machine is short of memory.
    #[error("a password could not be hashed")]
    Hashing,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// A sign-in with a password that failed, and the account that was tried if it exists.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct FailedSignIn {
    /// Why.
    #[source]
    pub error: Error,
    /// Whose account it is.
    pub user: Option<store::UserId>,
}

impl From<FailedSignIn> for Error {
    fn from(failed: FailedSignIn) -> Self {
        failed.error
    }
}
