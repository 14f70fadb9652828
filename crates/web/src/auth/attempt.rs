//! The cookie of a sign-in attempt, while the browser is at the provider.

use std::time::Duration;

use accounts::openid::{Provider, SignInAttempt};
use http::{HeaderMap, HeaderValue};
use net::Url;
use serde::{Deserialize, Serialize};
use store::{SessionId, UserId};

use crate::{ApiError, ApiState, Site, cookies::CookiePurpose, site::ReturnTo};

/// The lifetime of an attempt.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);

/// The content of the cookie.
#[derive(Serialize, Deserialize)]
pub(crate) struct PendingSignIn {
    pub attempt: SignInAttempt,
    /// The page to show afterwards.
    pub return_to: ReturnTo,
    /// The account to link the identity to; `None` for a sign-in.
    pub link: Option<PendingLink>,
}

/// The account to link an identity to. The same session must still be signed in when the browser returns.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct PendingLink {
    pub user_id: UserId,
    pub session: SessionId,
}

/// Begins an attempt. Returns the address to send the browser to, and the cookie.
pub(crate) async fn begin(
    app: &ApiState,
    provider: &Provider,
    return_to: ReturnTo,
    link: Option<PendingLink>,
) -> Result<(Url, HeaderValue), ApiError> {
    let (url, attempt) = provider.begin().await.map_err(|error| ApiError::of_provider(&error, provider.id()))?;
    let pending = PendingSignIn { attempt, return_to, link };
    let content = serde_json::to_vec(&pending).map_err(ApiError::internal)?;
    Ok((url, app.site.cookies().set(CookiePurpose::Attempt, &content, MAX_AGE)?))
}

/// The attempt in the cookie of this browser.
pub(crate) fn read_cookie(site: &Site, headers: &HeaderMap) -> Option<PendingSignIn> {
    serde_json::from_slice(&site.cookies().open(CookiePurpose::Attempt, headers)?).ok()
}
