//! The one body of every error.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ApiError, Candidate, Category, InvalidField};
use crate::Language;

/// What went wrong and what to do about it, in the language of the request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorView {
    /// What went wrong, for programs. More codes may come.
    #[schema(examples("not_found"))]
    code: String,
    /// What went wrong, for people.
    message: String,
    /// Whom it concerns.
    category: Category,
    /// What to do about it.
    action: String,
    /// Only with status 400: the fields that cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fields: Option<Vec<InvalidFieldView>>,
    /// Only with code `already_subscribed`: the subscription there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    subscription_id: Option<Uuid>,
    /// Only with code `feed_not_found`: feeds that may be meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    candidates: Option<Vec<CandidateView>>,
}

/// A field of a request that cannot be used.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct InvalidFieldView {
    /// Its name in the body, the query or the path.
    field: String,
    /// What is wrong with it and what to write instead.
    message: String,
}

/// A feed that may be meant.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CandidateView {
    /// Where it is.
    url: String,
    /// What it calls itself, if that is known.
    title: Option<String>,
}

impl From<&Candidate> for CandidateView {
    fn from(candidate: &Candidate) -> Self {
        CandidateView { url: candidate.url.clone(), title: candidate.title.clone() }
    }
}

impl ErrorView {
    /// The body of this error, as it is sent.
    pub(super) fn bytes_of(error: &ApiError, language: Language) -> Vec<u8> {
        // Plain strings always serialize; an empty body would still carry the right status.
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
