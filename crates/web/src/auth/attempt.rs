//! A sign-in that the browser is away for: what the cookie keeps until it comes back.

use std::time::Duration;

use accounts::openid::{Provider, SignInAttempt};
use http::{HeaderMap, HeaderValue};
use net::Url;
use serde::{Deserialize, Serialize};
use store::{SessionId, UserId};

use crate::{ApiError, ApiState, Site, cookies::CookiePurpose, site::ReturnTo};

/// As long as the attempt itself lasts.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);

/// What the browser brings back.
#[derive(Serialize, Deserialize)]
pub(crate) struct PendingSignIn {
    /// The protocol's part of it.
    pub attempt: SignInAttempt,
    /// Where the person goes afterwards.
    pub return_to: ReturnTo,
    /// Whose account gets another way in; none for a sign-in.
    pub link: Option<PendingLink>,
}

/// An account that gets another way in: the same person must still be signed in, in the same session.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct PendingLink {
    pub user_id: UserId,
    pub session: SessionId,
}

/// Begins an attempt: where to send the browser, and the cookie that it takes along.
pub(crate) async fn begin(
    app: &ApiState,
    provider: &Provider,
    return_to: ReturnTo,
    link: Option<PendingLink>,
) -> Result<(Url, HeaderValue), ApiError> {
    let (url, attempt) = provider.begin().await.map_err(|error| ApiError::of_provider(&error, provider.id()))?;
    let kept = PendingSignIn { attempt, return_to, link };
    let content = serde_json::to_vec(&kept).map_err(ApiError::internal)?;
    Ok((url, app.site.cookies().set(CookiePurpose::Attempt, &content, MAX_AGE)?))
}

/// The attempt that this browser began, if it did.
pub(crate) fn kept(site: &Site, headers: &HeaderMap) -> Option<PendingSignIn> {
    serde_json::from_slice(&site.cookies().open(CookiePurpose::Attempt, headers)?).ok()
}
