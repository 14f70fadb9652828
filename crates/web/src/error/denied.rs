//! Why somebody is not let in, or may not do this with what they have shown.

mod words;

use super::words::Entry;

/// Why nobody was signed in, or a way of signing in was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denied {
    /// E-mail address and password do not belong together.
    WrongCredentials,
    /// Too many wrong passwords.
    TooManyAttempts {
        /// After how many seconds to try again.
        retry_after_seconds: u64,
    },
    /// The API token is unknown, was revoked, or is none.
    InvalidToken,
    /// The API token may only read.
    ScopeMissing,
    /// An API token may not do this at all.
    SessionRequired,
    /// The operator lets only certain people in.
    NotAllowed,
    /// Nobody registers by themselves here.
    RegistrationClosed,
    /// There are no passwords here.
    LocalAccountsOff,
    /// Another account has this address.
    EmailTaken,
    /// Nobody has proved that the address is theirs.
    EmailNotVerified,
    /// The set-up link was used, is too old, or never was one.
    SetupLinkInvalid,
    /// Somebody else signs in with this.
    IdentityTaken,
    /// Without it nobody could sign in to the account any more.
    LastWayIn,
    /// The provider does not answer.
    ProviderUnreachable,
    /// The operator's settings and the provider do not fit together.
    ProviderMisconfigured,
    /// The provider answered with an error.
    ProviderFailed,
    /// The answer is not what the provider would say to us.
    ProviderForged,
    /// The person said no at the provider.
    SignInRefused,
    /// The browser was away for too long.
    SignInExpired,
    /// The browser comes back from something that it did not begin.
    SignInMismatch,
}

/// How it is told.
pub(super) fn entry(denied: Denied) -> Entry {
    match denied {
        Denied::WrongCredentials => words::WRONG_CREDENTIALS,
        Denied::TooManyAttempts { .. } => words::TOO_MANY_ATTEMPTS,
        Denied::InvalidToken => words::INVALID_TOKEN,
        Denied::ScopeMissing => words::SCOPE_MISSING,
        Denied::SessionRequired => words::SESSION_REQUIRED,
        Denied::NotAllowed => words::NOT_ALLOWED,
        Denied::RegistrationClosed => words::REGISTRATION_CLOSED,
        Denied::LocalAccountsOff => words::LOCAL_ACCOUNTS_OFF,
        Denied::EmailTaken => words::EMAIL_TAKEN,
        Denied::EmailNotVerified => words::EMAIL_NOT_VERIFIED,
        Denied::SetupLinkInvalid => words::SETUP_LINK_INVALID,
        Denied::IdentityTaken => words::IDENTITY_TAKEN,
        Denied::LastWayIn => words::LAST_WAY_IN,
        Denied::ProviderUnreachable => words::PROVIDER_UNREACHABLE,
        Denied::ProviderMisconfigured => words::PROVIDER_MISCONFIGURED,
        Denied::ProviderFailed => words::PROVIDER_FAILED,
        Denied::ProviderForged => words::PROVIDER_FORGED,
        Denied::SignInRefused => words::SIGN_IN_REFUSED,
        Denied::SignInExpired => words::SIGN_IN_EXPIRED,
        Denied::SignInMismatch => words::SIGN_IN_MISMATCH,
    }
}

#[cfg(test)]
impl Denied {
    /// Every one of them, to walk over.
    pub(crate) const ALL: [Denied; 20] = [
        Denied::WrongCredentials,
        Denied::TooManyAttempts { retry_after_seconds: 7 },
        Denied::InvalidToken,
        Denied::ScopeMissing,
        Denied::SessionRequired,
        Denied::NotAllowed,
        Denied::RegistrationClosed,
        Denied::LocalAccountsOff,
        Denied::EmailTaken,
        Denied::EmailNotVerified,
        Denied::SetupLinkInvalid,
        Denied::IdentityTaken,
        Denied::LastWayIn,
        Denied::ProviderUnreachable,
        Denied::ProviderMisconfigured,
        Denied::ProviderFailed,
        Denied::ProviderForged,
        Denied::SignInRefused,
        Denied::SignInExpired,
        Denied::SignInMismatch,
    ];
}
