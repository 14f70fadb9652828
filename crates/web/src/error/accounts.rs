//! What accounts refuse, as errors of the API.

use accounts::{
    Error,
    openid::{OpenIdError, ProviderId},
};

use super::{ApiError, Denied};
use crate::Words;

const BAD_EMAIL: Words = Words {
    en: "Write an e-mail address such as ann@example.com.",
    ja: "ann@example.com のようなメールアドレスを入力してください。",
};
const SHORT_PASSWORD: Words = Words {
    en: "Choose a password of at least 8 characters.",
    ja: "パスワードは 8 文字以上にしてください。",
};
const LONG_PASSWORD: Words = Words {
    en: "Choose a password of at most 1,024 characters.",
    ja: "パスワードは 1,024 文字以下にしてください。",
};
const COMMON_PASSWORD: Words = Words {
    en: "This password is too easy to guess. Choose another.",
    ja: "推測されやすいパスワードです。別のものにしてください。",
};
const WRONG_PASSWORD: Words =
    Words { en: "This is not the password that you have now.", ja: "現在のパスワードと一致しません。" };
const NO_NAME: Words = Words { en: "Give it a name.", ja: "名前を入力してください。" };
const LONG_NAME: Words = Words {
    en: "This name is too long. Choose a shorter one.",
    ja: "名前が長すぎます。短くしてください。",
};
const LARGE_PREFERENCES: Words = Words {
    en: "These are larger than 16 kB. Keep less.",
    ja: "16 kB を超えています。減らしてください。",
};

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        of_accounts(error, "password")
    }
}

/// The same for a change of password, where the new one is in a field of its own.
pub(crate) fn of_new_password(error: Error) -> ApiError {
    match error {
        // Whoever asks is signed in all the same; 401 would say otherwise.
        Error::WrongPassword => ApiError::invalid("current_password", WRONG_PASSWORD),
        error => of_accounts(error, "new_password"),
    }
}

fn of_accounts(error: Error, password: &'static str) -> ApiError {
    let denied = match error {
        Error::WrongPassword => Denied::WrongCredentials,
        Error::TooManyAttempts { retry_after_seconds } => Denied::TooManyAttempts { retry_after_seconds },
        Error::NotAllowed => Denied::NotAllowed,
        Error::RegistrationClosed => Denied::RegistrationClosed,
        Error::LocalAccountsOff => Denied::LocalAccountsOff,
        Error::EmailTaken => Denied::EmailTaken,
        Error::EmailNotVerified => Denied::EmailNotVerified,
        Error::SetupLinkInvalid => Denied::SetupLinkInvalid,
        Error::IdentityTaken => Denied::IdentityTaken,
        Error::LastWayIn => Denied::LastWayIn,
        Error::TooManyTokens { most } => return ApiError::TokenLimit(most),
        Error::InvalidEmail => return ApiError::invalid("email", BAD_EMAIL),
        Error::PasswordTooShort { .. } => return ApiError::invalid(password, SHORT_PASSWORD),
        Error::PasswordTooLong { .. } => return ApiError::invalid(password, LONG_PASSWORD),
        Error::PasswordTooCommon => return ApiError::invalid(password, COMMON_PASSWORD),
        Error::NameMissing => return ApiError::invalid("name", NO_NAME),
        Error::NameTooLong { .. } => return ApiError::invalid("name", LONG_NAME),
        Error::PreferencesTooLarge { .. } => return ApiError::invalid("preferences", LARGE_PREFERENCES),
        Error::NotFound => return ApiError::NotFound,
        error @ Error::Hashing => return ApiError::internal(error),
        Error::Store(error) => return error.into(),
    };
    ApiError::Denied(denied)
}

/// What went wrong with a provider; what exactly is for the log alone.
pub(crate) fn of_openid(error: &OpenIdError, provider: ProviderId) -> ApiError {
    let denied = match error {
        OpenIdError::Unreachable { .. } => Denied::ProviderUnreachable,
        OpenIdError::Misconfigured { .. } => Denied::ProviderMisconfigured,
        OpenIdError::ProviderFailed(_) => Denied::ProviderFailed,
        OpenIdError::Forged(_) => Denied::ProviderForged,
        OpenIdError::Refused => Denied::SignInRefused,
        OpenIdError::Expired => Denied::SignInExpired,
        OpenIdError::StateMismatch => Denied::SignInMismatch,
    };
    tracing::warn!(%provider, error = error as &dyn std::error::Error, "a sign-in with a provider failed");
    ApiError::Denied(denied)
}
