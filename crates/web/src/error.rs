//! Every error of every route: one enum, one envelope `{code, message, category, action}`.
//!
//! A handler returns an [`ApiError`]; `envelope` writes the body, because only there the language of the request is
//! known. It also takes over what axum answers by itself (no such route, wrong method, a body that does not parse), so
//! nothing leaves without the envelope. Causes of 5xx stay inside and are logged there, once.

mod accounts;
mod denied;
mod problems;
mod reading;
mod subscribing;
mod view;
mod words;

use std::{borrow::Cow, sync::Arc};

use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header, response::Parts};
use read::Problem;
use serde::Serialize;
use store::SubscriptionId;
use utoipa::ToSchema;

pub use self::denied::Denied;
pub(crate) use self::{
    accounts::{of_new_password, of_openid},
    problems::{attempt_problem_text, feed_problem_text},
    subscribing::{import_text, of_importing, of_subscribing},
    view::ErrorView,
};
use crate::{Language, Words};

/// What a route answers when it cannot do what was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ApiError {
    /// The request cannot be understood, or these fields of it cannot be used.
    #[error("the request is not valid")]
    Invalid(Vec<InvalidField>),
    /// The bearer token is missing or wrong.
    #[error("the token is missing or wrong")]
    TokenRequired,
    /// Nobody is signed in.
    #[error("nobody is signed in")]
    SignInRequired,
    /// They are not let in, or not to this.
    #[error("access is denied: {0:?}")]
    Denied(Denied),
    /// The person may not do this.
    #[error("only the owner may do this")]
    OwnerOnly,
    /// A browser sent this for a page of another site.
    #[error("the request comes from another site")]
    CrossSite,
    /// The person asks too often.
    #[error("too many requests")]
    TooManyRequests {
        /// After how many seconds they may ask again.
        retry_after_seconds: u64,
    },
    /// They read this feed already.
    #[error("already subscribed")]
    AlreadySubscribed(SubscriptionId),
    /// They have as many subscriptions as they may have: this many.
    #[error("no more than {0} subscriptions")]
    SubscriptionLimit(u32),
    /// They have as many folders as they may have: this many.
    #[error("no more than {0} folders")]
    FolderLimit(u32),
    /// They have as many API tokens as they may have: this many.
    #[error("no more than {0} tokens")]
    TokenLimit(i64),
    /// Another thing of theirs has this name.
    #[error("the name is taken")]
    NameTaken,
    /// Only what is stopped can be resumed.
    #[error("the feed is not stopped")]
    NotStopped,
    /// What is stopped is not refreshed.
    #[error("the feed is stopped")]
    FeedStopped,
    /// The token is unknown, too old, or was used.
    #[error("there is nothing to undo")]
    UndoExpired,
    /// There is no feed at the address; these may be meant.
    #[error("no feed was found")]
    FeedNotFound(Vec<Candidate>),
    /// The feed that was asked for cannot be fetched or read.
    #[error("the feed cannot be read: {0}")]
    Feed(Problem),
    /// Only a failed job can be retried.
    #[error("the job has not failed")]
    JobNotFailed,
    /// Another job does the same already.
    #[error("another job has the key")]
    JobKeyTaken,
    /// Only a waiting job can be cancelled.
    #[error("the job does not wait")]
    JobNotQueued,
    /// There is nothing here, or nothing that this user may know about.
    #[error("not found")]
    NotFound,
    /// The route exists, this method of it does not.
    #[error("the method is not allowed")]
    MethodNotAllowed,
    /// The body is larger than the route takes.
    #[error("the body is too large")]
    BodyTooLarge,
    /// The body is not of a type that the route takes.
    #[error("the media type is not supported")]
    UnsupportedMediaType,
    /// The body is not of a type that OPML files come with.
    #[error("an OPML file is expected")]
    OpmlExpected,
    /// The answer took longer than anybody waits.
    #[error("the request took too long")]
    TimedOut,
    /// The database does not answer.
    #[error("the database does not answer")]
    DatabaseUnavailable(#[source] Cause),
    /// The database's disk is full.
    #[error("the database's disk is full")]
    DiskFull(#[source] Cause),
    /// The database is not of the version this program needs.
    #[error("the database has another version")]
    DatabaseVersion(#[source] Cause),
    /// This machine lacks files, memory or disk space.
    #[error("out of resources")]
    OutOfResources(#[source] Cause),
    /// The server is on its way out.
    #[error("the server is stopping")]
    Stopping,
    /// A fault of ours.
    #[error("internal error")]
    Internal(#[source] Cause),
}

/// Why, for the log only. Shared, because an answer's extensions are cloned.
pub type Cause = Arc<dyn std::error::Error + Send + Sync>;

/// Whom an error concerns; the web client shows each its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Who is asking.
    Auth,
    /// What was sent.
    Validation,
    /// The feed that was asked for.
    Feed,
    /// The server.
    System,
}

/// A field of a request that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidField {
    /// Its name in the body or the query.
    pub field: Cow<'static, str>,
    /// What is wrong with it and what to write instead.
    pub message: Words,
}

impl InvalidField {
    /// The field of this name, and what is wrong with it.
    pub fn named(field: impl Into<String>, message: Words) -> Self {
        InvalidField { field: Cow::Owned(field.into()), message }
    }
}

/// A feed that may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Where it is.
    pub url: String,
    /// What the page calls it.
    pub title: Option<String>,
}

impl ApiError {
    /// A fault of ours with its cause.
    pub fn internal(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        ApiError::Internal(Arc::new(cause))
    }

    /// One field that cannot be used.
    pub fn invalid(field: &'static str, message: Words) -> Self {
        ApiError::Invalid(vec![InvalidField { field: Cow::Borrowed(field), message }])
    }

    /// The error that a bare status from axum means.
    pub(crate) fn of_status(status: StatusCode) -> Option<ApiError> {
        match status {
            StatusCode::NOT_FOUND => Some(ApiError::NotFound),
            StatusCode::METHOD_NOT_ALLOWED => Some(ApiError::MethodNotAllowed),
            StatusCode::PAYLOAD_TOO_LARGE => Some(ApiError::BodyTooLarge),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Some(ApiError::UnsupportedMediaType),
            status if status.is_client_error() => Some(ApiError::Invalid(Vec::new())),
            status if status.is_server_error() => Some(ApiError::Internal(Arc::new(BareStatus(status)))),
            _ => None,
        }
    }

    /// Its code, for programs and for addresses of pages.
    pub(crate) fn code(&self) -> &'static str {
        words::entry(self).code
    }

    /// Why, if it is our fault.
    pub(crate) fn cause(&self) -> Option<&Cause> {
        match self {
            ApiError::DatabaseUnavailable(cause)
            | ApiError::DiskFull(cause)
            | ApiError::DatabaseVersion(cause)
            | ApiError::OutOfResources(cause)
            | ApiError::Internal(cause) => Some(cause),
            _ => None,
        }
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::NotFound => ApiError::NotFound,
            store::Error::Open { .. }
            | store::Error::Busy(_)
            | store::Error::Locked(_)
            | store::Error::Unavailable(_) => ApiError::DatabaseUnavailable(Arc::new(error)),
            store::Error::Full(_) => ApiError::DiskFull(Arc::new(error)),
            store::Error::Newer { .. } | store::Error::Older { .. } => ApiError::DatabaseVersion(Arc::new(error)),
            error => ApiError::internal(error),
        }
    }
}

/// The status, and the error itself for `envelope` to render.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = words::entry(&self).status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Gives every error its body, in the language of the request, and logs the cause of those that are our fault.
pub(crate) async fn envelope(request: Request, next: Next) -> Response {
    let language = Language::of(request.headers());
    let response = next.run(request).await;
    let (mut parts, body) = response.into_parts();
    let Some(error) = parts.extensions.remove::<ApiError>().or_else(|| ApiError::of_status(parts.status)) else {
        return Response::from_parts(parts, body);
    };
    if let Some(cause) = error.cause() {
        let cause: &(dyn std::error::Error + 'static) = cause.as_ref();
        tracing::error!(error_kind = words::entry(&error).code, error = cause, "a request failed");
    }
    set_headers(&mut parts, &error, language);
    Response::from_parts(parts, Body::from(ErrorView::bytes_of(&error, language)))
}

/// Keeps what the answer already says (`Allow`, for example) and replaces what described its old body.
fn set_headers(parts: &mut Parts, error: &ApiError, language: Language) {
    parts.status = words::entry(error).status;
    parts.headers.remove(header::CONTENT_LENGTH);
    let mut set = |name, value| parts.headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_TYPE, "application/json");
    set(header::CONTENT_LANGUAGE, language.tag());
    set(header::VARY, "accept-language");
    set(header::CACHE_CONTROL, "no-store");
    match error {
        ApiError::TokenRequired | ApiError::SignInRequired => drop(set(header::WWW_AUTHENTICATE, "Bearer")),
        ApiError::Denied(Denied::InvalidToken) => {
            drop(set(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\""));
        }
        ApiError::TimedOut
        | ApiError::DatabaseUnavailable(_)
        | ApiError::DiskFull(_)
        | ApiError::OutOfResources(_)
        | ApiError::Stopping => {
            drop(set(header::RETRY_AFTER, "5"));
        }
        ApiError::TooManyRequests { retry_after_seconds }
        | ApiError::Denied(Denied::TooManyAttempts { retry_after_seconds }) => {
            parts.headers.insert(header::RETRY_AFTER, HeaderValue::from(*retry_after_seconds));
        }
        _ => {}
    }
}

/// An answer of 5xx that no handler of ours explained.
#[derive(Debug, thiserror::Error)]
#[error("a bare status {0} without a cause")]
struct BareStatus(StatusCode);
