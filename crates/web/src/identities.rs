//! The providers that a person signs in with.

use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use http::{StatusCode, header};
use serde::{Deserialize, Serialize};
use store::{IdentityId, identities::Identity};
use utoipa::ToSchema;

use crate::{
    ApiError, ApiState,
    access::ClientInfo,
    auth::{
        attempt::{self, PendingLink},
        audit::AuditedAttempt,
        find_provider,
    },
    caller::SessionCaller,
    extract::{OptionalJsonBody, PathId},
    site::ReturnTo,
};

/// Where people change how they sign in.
const SETTINGS_PAGE: &str = "/settings";

/// A provider that you sign in with.
#[derive(Serialize, ToSchema)]
pub(crate) struct IdentityView {
    /// Its id.
    #[schema(value_type = Uuid)]
    id: IdentityId,
    /// The kind of provider: `google` or `oidc`.
    provider: String,
    /// The provider's own name for itself.
    issuer: String,
    /// The address that the provider last told.
    email: Option<String>,
    /// Since when it lets you in.
    created_at: DateTime<Utc>,
    /// When it last did; null before the first time.
    last_used_at: Option<DateTime<Utc>>,
}

impl From<Identity> for IdentityView {
    fn from(identity: Identity) -> Self {
        IdentityView {
            id: identity.id,
            provider: identity.provider,
            issuer: identity.issuer,
            email: identity.email,
            created_at: identity.created_at,
            last_used_at: identity.last_used_at,
        }
    }
}

/// How to come back from linking.
#[derive(Deserialize, Default, ToSchema)]
pub(crate) struct LinkRequest {
    /// A path on this site to come back to; the settings without it.
    return_to: Option<String>,
}

/// Where to send the browser.
#[derive(Serialize, ToSchema)]
pub(crate) struct LinkView {
    /// The provider's page.
    url: String,
}

/// List the providers you sign in with
///
/// Not for API tokens.
#[utoipa::path(get, path = "/api/users/me/identities", tag = "users", security(("session" = [])), responses(
    (status = 200, description = "Your providers", body = Vec<IdentityView>),
    (status = 403, description = "An API token may not do this"),
))]
pub(crate) async fn list_identities(
    State(app): State<ApiState>,
    caller: SessionCaller,
) -> Result<Json<Vec<IdentityView>>, ApiError> {
    let identities = app.accounts.list_identities(caller.user_id).await?;
    Ok(Json(identities.into_iter().map(IdentityView::from).collect()))
}

/// PendingLink a provider
///
/// The answer says where to send the browser; it comes back to `/auth/{provider}/callback`, which links the account that
/// you chose there to yours, if you are still signed in. Not for API tokens.
#[utoipa::path(post, path = "/api/users/me/identities/{id}", tag = "users", security(("session" = [])),
    params(("id" = String, Path, description = "`google` or `oidc`")), request_body = Option<LinkRequest>, responses(
    (status = 200, description = "Where to send the browser", body = LinkView),
    (status = 502, description = "The provider cannot be asked"),
))]
pub(crate) async fn link_identity(
    State(app): State<ApiState>,
    caller: SessionCaller,
    ClientInfo(client): ClientInfo,
    Path(name): Path<String>,
    OptionalJsonBody(start): OptionalJsonBody<LinkRequest>,
) -> Result<Response, ApiError> {
    let provider = find_provider(&app, &name)?;
    let return_to = ReturnTo::asked_for(Some(start.return_to.as_deref().unwrap_or(SETTINGS_PAGE)));
    let link = PendingLink { user_id: caller.user_id, session: caller.session };
    let audited = AuditedAttempt::link(caller.user_id, provider.id().as_str(), client.address);
    let (url, cookie) = match attempt::begin(&app, provider, return_to, Some(link)).await {
        Ok(begun) => begun,
        Err(error) => {
            audited.fail(error.code());
            return Err(error);
        }
    };
    audited.succeed();
    Ok(([(header::SET_COOKIE, cookie)], Json(LinkView { url: url.into() })).into_response())
}

/// Unlink a provider
///
/// Refused if nothing else would let you in. Not for API tokens.
#[utoipa::path(delete, path = "/api/users/me/identities/{id}", tag = "users", security(("session" = [])),
    params(("id" = Uuid, Path, description = "The provider's place in your list")), responses(
    (status = 204, description = "It lets you in no more"),
    (status = 409, description = "It is the only way into your account"),
))]
pub(crate) async fn delete_identity(
    State(app): State<ApiState>,
    caller: SessionCaller,
    PathId(id): PathId<IdentityId>,
) -> Result<StatusCode, ApiError> {
    app.accounts.delete_identity(caller.user_id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
