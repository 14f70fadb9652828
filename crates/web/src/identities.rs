//! The identities that a user signs in with.

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

/// The page that lists identities.
const SETTINGS_PAGE: &str = "/settings";

/// An identity at a provider that you sign in with.
#[derive(Serialize, ToSchema)]
pub(crate) struct IdentityView {
    /// The id of the identity.
    #[schema(value_type = Uuid)]
    id: IdentityId,
    /// The provider: `google` or `oidc`.
    provider: String,
    /// The issuer identifier of the provider.
    issuer: String,
    /// The e-mail address that the provider reported last.
    email: Option<String>,
    /// The time it was linked.
    created_at: DateTime<Utc>,
    /// The time of the last sign-in with it; null before the first one.
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

/// Parameters of linking.
#[derive(Deserialize, Default, ToSchema)]
pub(crate) struct LinkRequest {
    /// The path on this site to return to. Defaults to the settings page.
    return_to: Option<String>,
}

/// The address to open in the browser.
#[derive(Serialize, ToSchema)]
pub(crate) struct LinkView {
    /// The sign-in page of the provider.
    url: String,
}

/// List your identities
///
/// Needs a session; API tokens cannot use it.
#[utoipa::path(get, path = "/api/users/me/identities", tag = "users", security(("session" = [])), responses(
    (status = 200, description = "Your identities", body = Vec<IdentityView>),
    (status = 403, description = "The request uses an API token"),
))]
pub(crate) async fn list_identities(
    State(app): State<ApiState>,
    caller: SessionCaller,
) -> Result<Json<Vec<IdentityView>>, ApiError> {
    let identities = app.accounts.list_identities(caller.user_id).await?;
    Ok(Json(identities.into_iter().map(IdentityView::from).collect()))
}

/// Link an identity
///
/// The response has the address to open in the browser. The provider redirects the browser to `/auth/{provider}/callback`,
/// which links the identity if you are still signed in. Needs a session; API tokens cannot use it.
#[utoipa::path(post, path = "/api/users/me/identities/{id}", tag = "users", security(("session" = [])),
    params(("id" = String, Path, description = "`google` or `oidc`")), request_body = Option<LinkRequest>, responses(
    (status = 200, description = "The address to open", body = LinkView),
    (status = 502, description = "The provider cannot be reached"),
))]
pub(crate) async fn link_identity(
    State(app): State<ApiState>,
    caller: SessionCaller,
    ClientInfo(client): ClientInfo,
    Path(name): Path<String>,
    OptionalJsonBody(start): OptionalJsonBody<LinkRequest>,
) -> Result<Response, ApiError> {
    let provider = find_provider(&app, &name)?;
    let return_to = ReturnTo::parse(Some(start.return_to.as_deref().unwrap_or(SETTINGS_PAGE)));
    let link = PendingLink { user_id: caller.user_id, session: caller.session };
    let audited = AuditedAttempt::link(caller.user_id, provider.id().as_str(), client.address);
    let (url, cookie) = match attempt::begin(&app, provider, return_to, Some(link)).await {
        Ok(started) => started,
        Err(error) => {
            audited.fail(error.code());
            return Err(error);
        }
    };
    audited.succeed();
    Ok(([(header::SET_COOKIE, cookie)], Json(LinkView { url: url.into() })).into_response())
}

/// Unlink an identity
///
/// Fails if it is the only way to sign in. Needs a session; API tokens cannot use it.
#[utoipa::path(delete, path = "/api/users/me/identities/{id}", tag = "users", security(("session" = [])),
    params(("id" = Uuid, Path, description = "The identity")), responses(
    (status = 204, description = "Unlinked"),
    (status = 409, description = "It is the only way to sign in"),
))]
pub(crate) async fn delete_identity(
    State(app): State<ApiState>,
    caller: SessionCaller,
    PathId(id): PathId<IdentityId>,
) -> Result<StatusCode, ApiError> {
    app.accounts.delete_identity(caller.user_id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
