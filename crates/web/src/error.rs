//! Errors as HTTP responses. All have the body `{code, message, category, action}`.
//!
//! Each crate has an enum of errors, and the name of a variant is its error code; [`Error`] is the enum of this crate. Each
//! becomes an [`ApiError`] with its row in `error/table.rs`. The layer `envelope` writes the body, because it knows the
//! language of the request. It also replaces the errors of axum (unknown route, wrong method, invalid body) and logs the
//! causes of 5xx, which the body does not contain.

mod convert;
mod problem_table;
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
    problems::{added_problem_text, feed_problem_text, import_failure_text, page_problem_text},
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

/// The error response of a route: a row of the table and the values for its message.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", row.key)]
pub struct ApiError {
    row: &'static ErrorRow,
    values: MessageValues,
    /// Only for an invalid request.
    fields: Vec<InvalidField>,
    /// Only for `already_subscribed`.
    subscription: Option<SubscriptionId>,
    /// Only for `feed_not_found`.
    candidates: Option<Vec<Candidate>>,
    cause: Option<LoggedCause>,
}

/// The cause of an error, for the log only. An `Arc`, because response extensions are cloned.
pub(crate) type LoggedCause = Arc<dyn std::error::Error + Send + Sync>;

/// The category of an error. The web client shows each category differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Category {
    /// Authentication or permissions.
    Auth,
    /// The content of the request.
    Validation,
    /// The requested feed.
    Feed,
    /// The server.
    System,
}

/// An invalid field of a request.
#[derive(Debug, Clone)]
struct InvalidField {
    /// The name in the body, the query or the path.
    name: Cow<'static, str>,
    row: &'static ErrorRow,
    values: MessageValues,
}

/// A feed that was found at or near the address.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    url: String,
    title: Option<String>,
}

impl ApiError {
    /// An internal error with its cause.
    pub(crate) fn internal(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        ApiError::from(Error::Internal).because(cause)
    }

    /// An error in the field with this name.
    pub(crate) fn in_field(name: impl Into<String>, error: Error) -> Self {
        ApiError::from(error).with_field(name.into())
    }

    /// Sets the cause.
    pub(crate) fn because(self, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        ApiError { cause: Some(Arc::new(cause)), ..self }
    }

    /// Sets the name of the invalid field.
    pub(crate) fn with_field(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        if let Some(field) = self.fields.first_mut() {
            field.name = name.into();
        }
        self
    }

    /// The error for a response of axum without a body of ours.
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

    /// The error code.
    pub(crate) fn code(&self) -> &'static str {
        self.row.code
    }

    /// The category.
    pub(crate) fn category(&self) -> Category {
        self.row.category
    }

    /// The cause, if it is a fault of the server.
    pub(crate) fn cause(&self) -> Option<&LoggedCause> {
        self.cause.as_ref()
    }

    /// The value of `Retry-After`, if it is known.
    pub(crate) fn retry_after_seconds(&self) -> Option<u64> {
        match self.row.status {
            // Waiting does not help against a database of another version.
            503 if self.row.code != "database_version" => Some(5),
            _ => self.values.iter().find(|(name, _)| name == "seconds").map(|(_, seconds)| *seconds),
        }
    }
}

/// The status, with the error as an extension for `envelope`.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.row.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Writes the body of each error in the language of the request, and logs the causes of server errors.
pub(crate) async fn envelope(request: Request, next: Next) -> Response {
    let language = Language::of(request.headers());
    let response = next.run(request).await;
    let (mut parts, body) = response.into_parts();
    let Some(error) = parts.extensions.remove::<ApiError>().or_else(|| ApiError::of_status(parts.status)) else {
        return Response::from_parts(parts, body);
    };
    if let Some(cause) = error.cause() {
        let cause: &(dyn std::error::Error + 'static) = cause.as_ref();
        tracing::error!(error_kind = error.code(), error = cause, "request failed");
    }
    set_headers(&mut parts, &error, language);
    Response::from_parts(parts, Body::from(ErrorView::bytes_of(&error, language)))
}

/// Replaces the headers about the body and keeps the others, such as `Allow`.
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

/// The cause of a 5xx response without an [`ApiError`].
#[derive(Debug, thiserror::Error)]
#[error("response with status {0} without a cause")]
struct BareStatus(StatusCode);
