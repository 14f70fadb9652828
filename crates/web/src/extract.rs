//! Extractors for bodies, queries and ids in paths. Invalid input gives a 400 that names the field.

use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request, rejection::JsonRejection};
use http::{StatusCode, request::Parts};
use serde::de::DeserializeOwned;

use crate::{ApiError, Error, Language};

/// 2^53: below it, a float represents every integer exactly.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

/// A JSON object. Unknown fields are ignored.
pub(crate) struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        from_value(read_json(request, state).await?).map(JsonBody)
    }
}

/// A JSON object. A missing body or `null` gives the default.
pub(crate) struct OptionalJsonBody<T>(pub T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalJsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        use axum::body::HttpBody;
        if request.body().is_end_stream() {
            return Ok(OptionalJsonBody(T::default()));
        }
        match read_json(request, state).await? {
            serde_json::Value::Null => Ok(OptionalJsonBody(T::default())),
            value => from_value(value).map(OptionalJsonBody),
        }
    }
}

/// The query string. Unknown names are ignored.
pub(crate) struct QueryString<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryString<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let query = parts.uri.query().unwrap_or_default();
        if let Some(pair) = query.split('&').find(|pair| pair.contains("%00")) {
            let name = pair.split('=').next().unwrap_or_default();
            // PostgreSQL cannot store NUL.
            return Err(ApiError::in_field(name, Error::FieldHasNul));
        }
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(value)) => Ok(QueryString(value)),
            Err(rejection) => Err(of_serde(&serde_message(&rejection))),
        }
    }
}

/// The id in the path.
pub(crate) struct PathId<T>(pub T);

impl<T: std::str::FromStr + Send, S: Send + Sync> FromRequestParts<S> for PathId<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| invalid_id())?;
        text.parse().map(PathId).map_err(|_| invalid_id())
    }
}

fn invalid_id() -> ApiError {
    ApiError::in_field("id", Error::FieldUnusable)
}

/// The language of the response, from `Accept-Language`.
impl<S: Send + Sync> FromRequestParts<S> for Language {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Language::of(&parts.headers))
    }
}

/// Reads any JSON value first. This removes duplicate keys and allows a search for NUL.
async fn read_json<S: Send + Sync>(request: Request, state: &S) -> Result<serde_json::Value, ApiError> {
    match axum::Json::<serde_json::Value>::from_request(request, state).await {
        Ok(axum::Json(value)) => Ok(value),
        Err(rejection) => Err(of_rejection(rejection)),
    }
}

fn from_value<T: DeserializeOwned>(mut value: serde_json::Value) -> Result<T, ApiError> {
    // serde would also read a struct from a list.
    if !value.is_object() || has_nul(&value) {
        return Err(Error::InvalidRequest.into());
    }
    floats_to_integers(&mut value);
    let body = serde_json::to_vec(&value).map_err(ApiError::internal)?;
    match axum::Json::<T>::from_bytes(&body) {
        Ok(axum::Json(value)) => Ok(value),
        Err(rejection) => Err(of_rejection(rejection)),
    }
}

/// In JSON, 30.0 equals 30, but serde does not read it as an integer.
fn floats_to_integers(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Number(number) => {
            let is_integer = |float: &f64| number.is_f64() && float.fract() == 0.0 && float.abs() < MAX_EXACT_INTEGER;
            if let Some(float) = number.as_f64().filter(is_integer) {
                *value = serde_json::Value::from(float as i64);
            }
        }
        serde_json::Value::Array(values) => values.iter_mut().for_each(floats_to_integers),
        serde_json::Value::Object(members) => members.values_mut().for_each(floats_to_integers),
        _ => {}
    }
}

fn has_nul(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => text.contains('\0'),
        serde_json::Value::Array(values) => values.iter().any(has_nul),
        serde_json::Value::Object(members) => members.iter().any(|(key, value)| key.contains('\0') || has_nul(value)),
        _ => false,
    }
}

fn of_rejection(rejection: JsonRejection) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Error::BodyTooLarge.into(),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Error::UnsupportedMediaType.into(),
        _ => of_serde(&serde_message(&rejection)),
    }
}

/// The message of serde inside an error of axum.
fn serde_message(rejection: &dyn std::error::Error) -> String {
    let mut error = rejection;
    while let Some(source) = error.source() {
        error = source;
        let text = error.to_string();
        if field_of(&text).is_some() {
            return text;
        }
    }
    error.to_string()
}

/// The error for a message of serde such as `missing field `url`` or `filter: unknown variant `x``.
fn of_serde(text: &str) -> ApiError {
    match field_of(text) {
        Some((field, error)) => ApiError::in_field(field, error),
        None => Error::InvalidRequest.into(),
    }
}

fn field_of(text: &str) -> Option<(&str, Error)> {
    let quoted = |before: &str| text.split_once(before)?.1.split('`').next();
    if let Some(field) = quoted("missing field `") {
        return Some((field, Error::FieldMissing));
    }
    if let Some(field) = quoted("duplicate field `") {
        return Some((field, Error::FieldTwice));
    }
    let (path, _) = text.split_once(": ")?;
    let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    (!path.is_empty() && path.chars().all(is_path)).then_some((path, Error::FieldUnusable))
}
