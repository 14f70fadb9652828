//! Every error of every route as the one body `{code, message, category, action}`.
//!
//! Each crate has an enum of errors whose variants' names are codes; [`Error`] is that of this crate. All of them become an
//! [`ApiError`] by way of their row in `error/table.rs`. `envelope` writes the body, because only there the language of the
//! request is known. It also replaces what axum answers (no such route, wrong method, a body that does not parse). Causes
//! of 5xx stay inside and are logged there, once.

mod convert;
mod problems;
mod row;
mod table;
#[cfg(test)]
mod tests;
mod view;

use std::{borrow::Cow, sync::Arc};

use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header, response::Parts};
use serde::Serialize;
use store::SubscriptionId;
use utoipa::ToSchema;

use self::row::{ErrorRow, MessageValues};
pub(crate) use self::{
    problems::{added_problem_text, feed_problem_text, import_failure_text},
    view::ErrorView,
};
use crate::Language;

/// The errors of this crate. The name of a variant is its code and the names of its numbers are the placeholders in its
/// message.
#[derive(Debug, Clone, Copy, Serialize, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Error {
    InvalidRequest,
    NotFound,
    MethodNotAllowed,
    BodyTooLarge,
    UnsupportedMediaType,
    OpmlExpected,
    TokenRequired,
    SignInRequired,
    InvalidToken,
    ScopeMissing,
    SessionRequired,
    SignInMismatch,
    OwnerOnly,
    CrossSite,
    TooManyRequests { seconds: u64 },
    FeedStopped,
    JobNotFailed,
    JobKeyTaken,
    JobNotQueued,
    TimedOut,
    DatabaseUnavailable,
    Stopping,
    Internal,
    FieldMissing,
    FieldUnusable,
    FieldTwice,
    FieldHasNul,
    InvalidItemId,
    InvalidItemCount { min: usize, max: usize },
    UnknownCursor,
}

/// What a route answers when it cannot do what was asked: a row of the table with what it needs to be told.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", row.key)]
pub struct ApiError {
    row: &'static ErrorRow,
    values: MessageValues,
    /// Only of an invalid request.
    fields: Vec<InvalidField>,
    /// Only if the user has the feed already.
    subscription: Option<SubscriptionId>,
    /// Only if no feed was found.
    candidates: Option<Vec<Candidate>>,
    cause: Option<Cause>,
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
#[derive(Debug, Clone)]
struct InvalidField {
    /// Its name in the body or the query.
    name: Cow<'static, str>,
    row: &'static ErrorRow,
    values: MessageValues,
}

/// A feed that may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    url: String,
    title: Option<String>,
}

impl ApiError {
    /// An internal error with its cause.
    pub fn internal(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        ApiError::from(Error::Internal).because(cause)
    }

    /// An error in the field of this name.
    pub(crate) fn in_field(name: impl Into<String>, error: Error) -> Self {
        ApiError::from(error).with_field(name.into())
    }

    /// The same with another cause.
    pub(crate) fn because(self, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        ApiError { cause: Some(Arc::new(cause)), ..self }
    }

    /// The same with another name for the field.
    pub(crate) fn with_field(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        if let Some(field) = self.fields.first_mut() {
            field.name = name.into();
        }
        self
    }

    /// The error that a bare status from axum means.
    pub(crate) fn of_status(status: StatusCode) -> Option<ApiError> {
        let error = match status {
            StatusCode::NOT_FOUND => Error::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Error::MethodNotAllowed,
            StatusCode::PAYLOAD_TOO_LARGE => Error::BodyTooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Error::UnsupportedMediaType,
            status if status.is_client_error() => Error::InvalidRequest,
            status if status.is_server_error() => return Some(ApiError::internal(BareStatus(status))),
            _ => return None,
        };
        Some(error.into())
    }

    /// Its code, for programs and for addresses of pages.
    pub(crate) fn code(&self) -> &'static str {
        self.row.code
    }

    /// Whom it concerns.
    pub(crate) fn category(&self) -> Category {
        self.row.category
    }

    /// Why, if the fault is ours.
    pub(crate) fn cause(&self) -> Option<&Cause> {
        self.cause.as_ref()
    }

    /// After how many seconds to try again, if that is known.
    pub(crate) fn retry_after_seconds(&self) -> Option<u64> {
        match self.row.status {
            // What only another program can mend does not pass.
            503 if self.row.code != "database_version" => Some(5),
            _ => self.values.iter().find(|(name, _)| name == "seconds").map(|(_, seconds)| *seconds),
        }
    }
}

/// The status, and the error itself for `envelope` to render.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.row.status().into_response();
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
        tracing::error!(error_kind = error.code(), error = cause, "a request failed");
    }
    set_headers(&mut parts, &error, language);
    Response::from_parts(parts, Body::from(ErrorView::bytes_of(&error, language)))
}

/// Keeps what the answer already says (`Allow`, for example) and replaces what described its old body.
fn set_headers(parts: &mut Parts, error: &ApiError, language: Language) {
    parts.status = error.row.status();
    parts.headers.remove(header::CONTENT_LENGTH);
    let mut set = |name, value| parts.headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_TYPE, "application/json");
    set(header::CONTENT_LANGUAGE, language.tag());
    set(header::VARY, "accept-language");
    set(header::CACHE_CONTROL, "no-store");
    match error.code() {
        "token_required" | "sign_in_required" => drop(set(header::WWW_AUTHENTICATE, "Bearer")),
        "invalid_token" => drop(set(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")),
        _ => {}
    }
    if let Some(seconds) = error.retry_after_seconds() {
        parts.headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
}

/// An answer of 5xx that no handler of ours explained.
#[derive(Debug, thiserror::Error)]
#[error("a bare status {0} without a cause")]
struct BareStatus(StatusCode);
