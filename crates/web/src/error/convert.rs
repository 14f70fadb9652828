//! Conversion of the errors of all crates to [`ApiError`]: the row of the code, the numbers, and the cause of server errors.

use std::borrow::Cow;

use accounts::openid::{OpenIdError, ProviderId};
use read::Problem;
use serde::Serialize;
use serde_json::Value;

use super::{ApiError, Candidate, Error, InvalidField, MessageValues, problem_table, row::ErrorRow, table};

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        ApiError::new(table::find(error.into()), numbers_in(&error))
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        ApiError::new(table::find(error.code()), MessageValues::new()).of_server(error)
    }
}

impl From<accounts::Error> for ApiError {
    fn from(error: accounts::Error) -> Self {
        ApiError::of(error.code(), error)
    }
}

impl From<read::Error> for ApiError {
    fn from(error: read::Error) -> Self {
        let row = match &error {
            read::Error::Origin { problem, .. } => problem_table::find_problem(problem.code()),
            read::Error::AddressRefused(_) => problem_table::find_problem(Problem::AddressRefused.code()),
            error => table::find(error.code()),
        };
        let api_error = ApiError::new(row, numbers_in(&error));
        match error {
            read::Error::AlreadySubscribed { subscription, .. } => {
                ApiError { subscription: Some(subscription), ..api_error }
            }
            read::Error::FeedNotFound => ApiError { candidates: Some(Vec::new()), ..api_error },
            read::Error::FeedsUnreadable { candidates } => {
                let candidates = candidates.into_iter().map(|offer| Candidate { url: offer.url, title: offer.title });
                ApiError { candidates: Some(candidates.collect()), ..api_error }
            }
            error => api_error.of_server(error),
        }
    }
}

impl ApiError {
    /// The error of a capability with this code. Its numbers fill the message.
    pub(crate) fn of(code: &str, error: impl std::error::Error + Serialize + Send + Sync + 'static) -> ApiError {
        ApiError::new(table::find(code), numbers_in(&error)).of_server(error)
    }

    /// An error of a provider. The details are only logged.
    pub(crate) fn of_provider(error: &OpenIdError, provider: ProviderId) -> ApiError {
        tracing::warn!(%provider, error = error as &dyn std::error::Error, "sign-in with a provider failed");
        ApiError::new(table::find(error.code()), MessageValues::new())
    }

    /// The error of a row. A row of a field becomes `invalid_request`.
    pub(super) fn new(row: &'static ErrorRow, values: MessageValues) -> ApiError {
        let (mut fields, mut error_row, mut error_values) = (Vec::new(), row, MessageValues::new());
        match row.field {
            Some(name) => {
                fields.push(InvalidField { name: Cow::Borrowed(name), row, values });
                error_row = table::find("invalid_request");
            }
            None => error_values = values,
        }
        ApiError { row: error_row, values: error_values, fields, subscription: None, candidates: None, cause: None }
    }

    /// Keeps the cause for the log if it is a server error.
    fn of_server(self, cause: impl std::error::Error + Send + Sync + 'static) -> ApiError {
        if self.row.category == super::Category::System && self.row.status >= 500 { self.because(cause) } else { self }
    }
}

/// The numbers among the fields of an error: `max` in `{"folder_limit": {"max": 200}}`.
fn numbers_in(error: &impl Serialize) -> MessageValues {
    // Variants with an inner error are not serialized and have no numbers.
    let Ok(Value::Object(variant)) = serde_json::to_value(error) else { return MessageValues::new() };
    let fields = variant.into_iter().filter_map(|(_, fields)| match fields {
        Value::Object(fields) => Some(fields),
        _ => None,
    });
    fields.flatten().filter_map(|(name, value)| Some((name, value.as_u64()?))).collect()
}
