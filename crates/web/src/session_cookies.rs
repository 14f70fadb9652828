//! What a browser gets when somebody has signed in with it, and what is taken from it when they leave.

use std::time::Duration;

use accounts::{Device, SessionSecret, SignedIn};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, header};

use crate::{ApiError, ApiState, caller::session_secret, cookies::CookiePurpose};

/// As long as browsers keep a cookie at the most.
const DEVICE_MAX_AGE: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// The device that this browser is known as.
pub(crate) fn device(app: &ApiState, headers: &HeaderMap) -> Option<Device> {
    serde_json::from_slice(&app.site.cookies().open(CookiePurpose::Device, headers)?).ok()
}

/// The answer with the cookies of the new session. The session that the browser had before ends: it may have been
/// somebody else's.
pub(crate) async fn set_session_cookies(
    app: &ApiState,
    before: &HeaderMap,
    signed_in: &SignedIn,
    answer: impl IntoResponse,
) -> Result<Response, ApiError> {
    if let Some(old) = session_secret(app, before) {
        app.accounts.sign_out(&old).await?;
    }
    let device = serde_json::to_vec(&signed_in.device).map_err(ApiError::internal)?;
    let mut response = answer.into_response();
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, session_cookie(app, &signed_in.secret, signed_in.expires_at)?);
    headers.append(header::SET_COOKIE, app.site.cookies().set(CookiePurpose::Device, &device, DEVICE_MAX_AGE)?);
    Ok(response)
}

/// The answer without any cookie that lets somebody in, and without what the browser has kept of pages. The device stays
/// known: its person is not locked out by strangers.
pub(crate) fn clear_session_cookies(app: &ApiState, answer: impl IntoResponse) -> Result<Response, ApiError> {
    let mut response = answer.into_response();
    let headers = response.headers_mut();
    for purpose in [CookiePurpose::Session, CookiePurpose::Attempt] {
        headers.append(header::SET_COOKIE, app.site.cookies().clear(purpose)?);
    }
    headers.insert("clear-site-data", HeaderValue::from_static("\"cache\""));
    Ok(response)
}

/// The session's cookie, for as long as the session lasts.
pub(crate) fn session_cookie(
    app: &ApiState,
    secret: &SessionSecret,
    expires_at: DateTime<Utc>,
) -> Result<HeaderValue, ApiError> {
    let remaining = (expires_at - app.reader.clock().now()).to_std().unwrap_or_default();
    app.site.cookies().set(CookiePurpose::Session, secret.expose().as_bytes(), remaining)
}
