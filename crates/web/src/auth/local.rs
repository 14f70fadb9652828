//! Accounts with a password: the set-up link, registration, signing in.

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

/// Who wants to sign in. Not for printing.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SignInRequest {
    /// Their e-mail address, however it is capitalised.
    email: String,
    /// Their password.
    #[schema(format = Password)]
    password: String,
}

/// An account to make. Not for printing.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RegistrationRequest {
    /// The e-mail address; no two accounts have the same.
    #[schema(max_length = 255)]
    email: String,
    /// What to call the person; may be left out.
    #[serde(default)]
    #[schema(max_length = 255)]
    name: String,
    /// 8 to 1,024 characters, and none of the first guesses.
    #[schema(format = Password, min_length = 8, max_length = 1024)]
    password: String,
}

/// The first account, made with the set-up link. Not for printing.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SetupRequest {
    /// What the link has behind `token=`.
    token: String,
    /// The e-mail address.
    #[schema(max_length = 255)]
    email: String,
    /// What to call the person; may be left out.
    #[serde(default)]
    #[schema(max_length = 255)]
    name: String,
    /// 8 to 1,024 characters, and none of the first guesses.
    #[schema(format = Password, min_length = 8, max_length = 1024)]
    password: String,
}

/// Sign in with a password
///
/// The answer sets the session cookie. The same answer for a wrong password as for an address that nobody has. After ten
/// wrong passwords in a minute, for the account or from the address, the answer is 429; a browser that has signed in to
/// the account before is counted by itself.
#[utoipa::path(post, path = "/auth/local/login", tag = "sign-in", request_body = SignInRequest, responses(
    (status = 200, description = "Signed in", body = UserView),
    (status = 401, description = "Address or password is wrong"),
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

/// Make an account with a password
///
/// Only where the operator has opened registration. The answer sets the session cookie.
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

/// Make the first account
///
/// With the set-up link that the server prints while there is no account: once, within a day. The account is the owner's.
/// The answer sets the session cookie.
#[utoipa::path(post, path = "/auth/setup", tag = "sign-in", request_body = SetupRequest, responses(
    (status = 201, description = "The account is there, and its owner signed in", body = UserView),
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
