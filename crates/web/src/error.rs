//! Every error of every route: one enum, one envelope `{code, message, category, action}`.
//!
//! A handler returns an [`ApiError`]; `envelope` writes the body, because only there the language of the request is
//! known. It also takes over what axum answers by itself (no such route, wrong method, a body that does not parse), so
//! nothing leaves without the envelope. Causes of 5xx stay inside and are logged there, once.

mod words;

use std::sync::Arc;

use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header, response::Parts};
use serde::Serialize;

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
    /// The answer took longer than anybody waits.
    #[error("the request took too long")]
    TimedOut,
    /// The database does not answer.
    #[error("the database does not answer")]
    DatabaseUnavailable(#[source] Cause),
    /// The database is not of the version this program needs.
    #[error("the database has another version")]
    DatabaseVersion(#[source] Cause),
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
    pub field: &'static str,
    /// What is wrong with it and what to write instead.
    pub message: Words,
}

impl ApiError {
    /// A fault of ours with its cause.
    pub fn internal(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        ApiError::Internal(Arc::new(cause))
    }

    /// The error that a bare status from axum means.
    fn of_status(status: StatusCode) -> Option<ApiError> {
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

    fn body(&self, language: Language) -> Vec<u8> {
        let entry = words::entry(self);
        let fields = match self {
            ApiError::Invalid(fields) => Some(fields.iter().map(|field| FieldView::new(field, language)).collect()),
            _ => None,
        };
        let view = ErrorView {
            code: entry.code,
            message: entry.message.in_language(language),
            category: entry.category,
            action: entry.action.in_language(language),
            fields,
        };
        // Plain strings always serialize; an empty body would still carry the right status.
        serde_json::to_vec(&view).unwrap_or_default()
    }

    fn cause(&self) -> Option<&Cause> {
        match self {
            ApiError::DatabaseUnavailable(cause) | ApiError::DatabaseVersion(cause) | ApiError::Internal(cause) => {
                Some(cause)
            }
            _ => None,
        }
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::NotFound => ApiError::NotFound,
            store::Error::Open { .. } | store::Error::Busy(_) => ApiError::DatabaseUnavailable(Arc::new(error)),
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
    Response::from_parts(parts, Body::from(error.body(language)))
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
        ApiError::TokenRequired => drop(set(header::WWW_AUTHENTICATE, "Bearer")),
        ApiError::TimedOut | ApiError::DatabaseUnavailable(_) | ApiError::Stopping => {
            drop(set(header::RETRY_AFTER, "5"));
        }
        _ => {}
    }
}

/// An answer of 5xx that no handler of ours explained.
#[derive(Debug, thiserror::Error)]
#[error("a bare status {0} without a cause")]
struct BareStatus(StatusCode);

#[derive(Serialize)]
struct ErrorView<'a> {
    code: &'a str,
    message: &'a str,
    category: Category,
    action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Vec<FieldView<'a>>>,
}

#[derive(Serialize)]
struct FieldView<'a> {
    field: &'a str,
    message: &'a str,
}

impl<'a> FieldView<'a> {
    fn new(field: &'a InvalidField, language: Language) -> Self {
        FieldView { field: field.field, message: field.message.in_language(language) }
    }
}
