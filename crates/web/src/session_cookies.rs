//! Sets the cookies of a session at sign-in and clears them at sign-out.

use std::time::Duration;

use accounts::{Device, SessionSecret, SignedIn};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, header};

use crate::{ApiError, ApiState, caller::session_secret, cookies::CookiePurpose};

/// The longest lifetime that browsers allow.
const DEVICE_MAX_AGE: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// The device in the cookie of this browser.
pub(crate) fn device(app: &ApiState, headers: &HeaderMap) -> Option<Device> {
    serde_json::from_slice(&app.site.cookies().open(CookiePurpose::Device, headers)?).ok()
}

/// Adds the cookies of a new session to a response. Ends the previous session of the browser, which may belong to another
/// user.
pub(crate) async fn set_session_cookies(
    app: &ApiState,
    before: &HeaderMap,
    signed_in: &SignedIn,
    response: impl IntoResponse,
) -> Result<Response, ApiError> {
    if let Some(old) = session_secret(app, before) {
        app.accounts.sign_out(&old).await?;
    }
    let device = serde_json::to_vec(&signed_in.device).map_err(ApiError::internal)?;
    let mut response = response.into_response();
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, session_cookie(app, &signed_in.secret, signed_in.expires_at)?);
    headers.append(header::SET_COOKIE, app.site.cookies().set(CookiePurpose::Device, &device, DEVICE_MAX_AGE)?);
    Ok(response)
}

/// Clears the cookies of the session and the browser's cache. The device cookie stays, so that attackers cannot lock the user
/// out.
pub(crate) fn clear_session_cookies(app: &ApiState, response: impl IntoResponse) -> Result<Response, ApiError> {
    let mut response = response.into_response();
    let headers = response.headers_mut();
    for purpose in [CookiePurpose::Session, CookiePurpose::Attempt] {
        headers.append(header::SET_COOKIE, app.site.cookies().clear(purpose)?);
    }
    headers.insert("clear-site-data", HeaderValue::from_static("\"cache\""));
    Ok(response)
}

/// The session cookie, with the lifetime of the session.
pub(crate) fn session_cookie(
    app: &ApiState,
    secret: &SessionSecret,
    expires_at: DateTime<Utc>,
) -> Result<HeaderValue, ApiError> {
    let remaining = (expires_at - app.reader.clock().now()).to_std().unwrap_or_default();
    app.site.cookies().set(CookiePurpose::Session, secret.expose().as_bytes(), remaining)
}
