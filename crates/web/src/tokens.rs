//! API tokens for scripts.

use accounts::Token;
use axum::{Json, extract::State};
use chrono::{DateTime, Utc};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{TokenId, tokens};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState,
    caller::SessionCaller,
    extract::{JsonBody, PathId},
};

/// The permissions of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Scope)]
pub(crate) enum ScopeView {
    /// Read only.
    Read,
    /// Read and write.
    Write,
}

impl From<tokens::Scope> for ScopeView {
    fn from(scope: tokens::Scope) -> Self {
        match scope {
            tokens::Scope::Read => ScopeView::Read,
            tokens::Scope::Write => ScopeView::Write,
        }
    }
}

impl From<ScopeView> for tokens::Scope {
    fn from(scope: ScopeView) -> Self {
        match scope {
            ScopeView::Read => tokens::Scope::Read,
            ScopeView::Write => tokens::Scope::Write,
        }
    }
}

/// An API token, without its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenView {
    /// The id of the token.
    #[schema(value_type = Uuid)]
    id: TokenId,
    /// The name.
    name: String,
    /// The permissions.
    scope: ScopeView,
    /// The time it was created.
    created_at: DateTime<Utc>,
    /// The time of the last use, accurate to a minute; null before the first use.
    last_used_at: Option<DateTime<Utc>>,
}

/// A new API token, with its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewTokenView {
    /// The id of the token.
    #[schema(value_type = Uuid)]
    id: TokenId,
    /// The name.
    name: String,
    /// The permissions.
    scope: ScopeView,
    /// The time it was created.
    created_at: DateTime<Utc>,
    /// The secret for the header `Authorization: Bearer`. It cannot be read again.
    token: String,
}

/// The API token to create.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewToken {
    /// 1 to 100 characters without surrounding white space.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    name: String,
    /// The permissions.
    scope: ScopeView,
}

impl From<Token> for TokenView {
    fn from(token: Token) -> Self {
        TokenView {
            id: token.id,
            name: token.name,
            scope: token.scope.into(),
            created_at: token.created_at,
            last_used_at: token.last_used_at,
        }
    }
}

/// List your API tokens
///
/// Without their secrets. Needs a session; API tokens cannot use it.
#[utoipa::path(get, path = "/api/users/me/tokens", tag = "users", security(("session" = [])), responses(
    (status = 200, description = "Your tokens", body = Vec<TokenView>),
    (status = 403, description = "The request uses an API token"),
))]
pub(crate) async fn list_tokens(
    State(app): State<ApiState>,
    caller: SessionCaller,
) -> Result<Json<Vec<TokenView>>, ApiError> {
    let tokens = app.accounts.list_tokens(caller.user_id).await?;
    Ok(Json(tokens.into_iter().map(TokenView::from).collect()))
}

/// Create an API token
///
/// The response has the secret, which cannot be read again. Needs a session; API tokens cannot use it.
#[utoipa::path(post, path = "/api/users/me/tokens", tag = "users", security(("session" = [])), request_body = NewToken, responses(
    (status = 201, description = "The token", body = NewTokenView),
    (status = 409, description = "The limit of tokens is reached"),
))]
pub(crate) async fn create_token(
    State(app): State<ApiState>,
    caller: SessionCaller,
    JsonBody(new): JsonBody<NewToken>,
) -> Result<(StatusCode, Json<NewTokenView>), ApiError> {
    let (info, secret) = app.accounts.create_token(caller.user_id, &new.name, new.scope.into()).await?;
    let view = NewTokenView {
        id: info.id,
        name: info.name,
        scope: info.scope.into(),
        created_at: info.created_at,
        token: secret.expose().to_owned(),
    };
    Ok((StatusCode::CREATED, Json(view)))
}

/// Revoke an API token
///
/// Needs a session; API tokens cannot use it.
#[utoipa::path(delete, path = "/api/users/me/tokens/{id}", tag = "users", security(("session" = [])),
    params(("id" = Uuid, Path, description = "The token")), responses(
    (status = 204, description = "Revoked"),
))]
pub(crate) async fn delete_token(
    State(app): State<ApiState>,
    caller: SessionCaller,
    PathId(id): PathId<TokenId>,
) -> Result<StatusCode, ApiError> {
    app.accounts.delete_token(caller.user_id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
