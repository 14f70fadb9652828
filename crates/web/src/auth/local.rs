//! Accounts with a password: set-up link, registration and sign-in.

use accounts::{NewAccount, Password};
use axum::{
    Extension, Json,
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState,
    access::SignInPermit,
    auth::audit::FailedAttempt,
    extract::JsonBody,
    session_cookies::{device, set_session_cookies},
    users::UserView,
};

// Not `Debug`: the request bodies of this file contain passwords.

/// The credentials to sign in with.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SignInRequest {
    /// The e-mail address. Case does not matter.
    email: String,
    /// The password.
    #[schema(format = Password)]
    password: String,
}

/// The account to create.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RegistrationRequest {
    /// The e-mail address. It must be unique.
    #[schema(max_length = 255)]
    email: String,
    /// The user's name. Defaults to the part of the address before the `@`.
    #[serde(default)]
    #[schema(max_length = 255)]
    name: String,
    /// 8 to 1,024 characters. Common passwords are rejected.
    #[schema(format = Password, min_length = 8, max_length = 1024)]
    password: String,
}

/// The owner's account to create with a set-up link.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SetupRequest {
    /// The `token` parameter of the link.
    token: String,
    /// The e-mail address.
    #[schema(max_length = 255)]
    email: String,
    /// The user's name. Defaults to the part of the address before the `@`.
    #[serde(default)]
    #[schema(max_length = 255)]
    name: String,
    /// 8 to 1,024 characters. Common passwords are rejected.
    #[schema(format = Password, min_length = 8, max_length = 1024)]
    password: String,
}

/// Sign in with a password
///
/// Sets the session cookie. A wrong password and an unknown address give the same error. After ten wrong passwords in a
/// minute, for one account or from one IP address, the response is 429. A browser that has signed in to the account before
/// has its own limit.
#[utoipa::path(post, path = "/auth/local/login", tag = "sign-in", request_body = SignInRequest, responses(
    (status = 200, description = "Signed in", body = UserView),
    (status = 401, description = "Wrong address or password"),
))]
pub(crate) async fn sign_in(
    State(app): State<ApiState>,
    headers: HeaderMap,
    SignInPermit(client): SignInPermit,
    JsonBody(body): JsonBody<SignInRequest>,
) -> Result<Response, ApiError> {
    let (password, device) = (Password::new(body.password), device(&app, &headers));
    let signed_in = match app.accounts.sign_in(&body.email, &password, device.as_ref(), &client).await {
        Ok(signed_in) => signed_in,
        Err(failed) => {
            let error = ApiError::from(failed.error);
            let for_audit = FailedAttempt { reason: error.code(), user: failed.user };
            return Ok((Extension(for_audit), error).into_response());
        }
    };
    let view = Json(UserView::from(signed_in.user.clone()));
    set_session_cookies(&app, &headers, &signed_in, view).await
}

/// Register with a password
///
/// Only if the operator allows registration. Sets the session cookie.
#[utoipa::path(post, path = "/auth/local/register", tag = "sign-in", request_body = RegistrationRequest, responses(
    (status = 201, description = "Registered and signed in", body = UserView),
    (status = 409, description = "Another account has this address"),
))]
pub(crate) async fn create_account(
    State(app): State<ApiState>,
    headers: HeaderMap,
    SignInPermit(client): SignInPermit,
    JsonBody(body): JsonBody<RegistrationRequest>,
) -> Result<Response, ApiError> {
    let new = NewAccount { email: body.email, name: body.name, password: Password::new(body.password) };
    let signed_in = app.accounts.register(&new, &client).await?;
    let view = (StatusCode::CREATED, Json(UserView::from(signed_in.user.clone())));
    set_session_cookies(&app, &headers, &signed_in, view).await
}

/// Create the owner's account
///
/// Needs the set-up link that the server prints while no account exists. A link works once, for 24 hours. Sets the session
/// cookie.
#[utoipa::path(post, path = "/auth/setup", tag = "sign-in", request_body = SetupRequest, responses(
    (status = 201, description = "Created and signed in", body = UserView),
    (status = 409, description = "Another account has this address"),
))]
pub(crate) async fn create_owner(
    State(app): State<ApiState>,
    headers: HeaderMap,
    SignInPermit(client): SignInPermit,
    JsonBody(body): JsonBody<SetupRequest>,
) -> Result<Response, ApiError> {
    let new = NewAccount { email: body.email, name: body.name, password: Password::new(body.password) };
    let signed_in = app.accounts.set_up(&body.token, &new, &client).await?;
    let view = (StatusCode::CREATED, Json(UserView::from(signed_in.user.clone())));
    set_session_cookies(&app, &headers, &signed_in, view).await
}
