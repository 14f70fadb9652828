//! The body of all errors.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ApiError, Candidate, Category, InvalidField};
use crate::Language;

/// An error, in the language of the request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorView {
    /// The error code. New codes may be added.
    #[schema(examples("not_found"))]
    code: String,
    /// What went wrong, for display.
    message: String,
    /// The category of the error.
    category: Category,
    /// What the user can do about it.
    action: String,
    /// Only with status 400: the invalid fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fields: Option<Vec<InvalidFieldView>>,
    /// Only with code `already_subscribed`: the existing subscription.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    subscription_id: Option<Uuid>,
    /// Only with code `feed_not_found`: feeds at or near the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    candidates: Option<Vec<CandidateView>>,
}

/// An invalid field of a request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct InvalidFieldView {
    /// The name in the body, the query or the path.
    field: String,
    /// What is wrong, and which values are valid.
    message: String,
}

/// A feed at or near the address.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CandidateView {
    /// The address of the feed.
    url: String,
    /// The title of the feed, if it is known.
    title: Option<String>,
}

impl From<&Candidate> for CandidateView {
    fn from(candidate: &Candidate) -> Self {
        CandidateView { url: candidate.url.clone(), title: candidate.title.clone() }
    }
}

impl ErrorView {
    /// The JSON of an error.
    pub(super) fn bytes_of(error: &ApiError, language: Language) -> Vec<u8> {
        // Strings always serialize.
        serde_json::to_vec(&ErrorView::of(error, language)).unwrap_or_default()
    }

    fn of(error: &ApiError, language: Language) -> Self {
        let row = error.row;
        let field = |field: &InvalidField| InvalidFieldView {
            field: field.name.to_string(),
            message: field.row.message.filled(language, &field.values),
        };
        let is_invalid = row.status == 400;
        ErrorView {
            code: row.code.to_owned(),
            message: row.message.filled(language, &error.values),
            category: row.category,
            action: row.action.filled(language, &error.values),
            fields: is_invalid.then(|| error.fields.iter().map(field).collect()),
            subscription_id: error.subscription.map(|id| id.0),
            candidates: error.candidates.as_ref().map(|offers| offers.iter().map(CandidateView::from).collect()),
        }
    }
}
