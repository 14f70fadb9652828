//! The revision of a user: the number of the last write to their data that an answer contains.

use http::{HeaderName, HeaderValue};

/// The header of answers that contain unread counts, and of answers to writes.
pub(crate) const REVISION: HeaderName = HeaderName::from_static("kawaraban-revision");

/// A response with the revision in its header.
pub(crate) fn with_revision<T>(revision: i64, response: T) -> ([(HeaderName, HeaderValue); 1], T) {
    ([(REVISION, HeaderValue::from(revision))], response)
}
