//! Who is asking. Until there are accounts: the one local person, from this machine alone.
//!
//! This file is the whole decision; accounts replace [`identify`].

use std::net::SocketAddr;

use axum::extract::FromRequestParts;
use chrono::{DateTime, Utc};
use http::{HeaderMap, header, request::Parts};
use store::{Db, UserId, users};

use crate::{ApiError, App};

/// The address of the local person, made up: nothing is ever sent to it.
const LOCAL_PERSON: &str = "owner@localhost";
/// Headers by which a proxy says that it asks for somebody else.
const FORWARDED: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/// The person who asks. A handler that takes one is never called without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// Who they are; every query on their data takes it.
    pub user_id: UserId,
    /// Whether the machine is theirs to look after.
    pub is_owner: bool,
}

impl Caller {
    /// Refuses whoever does not look after the machine.
    pub fn must_be_owner(self) -> Result<(), ApiError> {
        if self.is_owner { Ok(()) } else { Err(ApiError::OwnerOnly) }
    }
}

/// The other end of the connection; the server puts it into each request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub SocketAddr);

/// The person for whom this machine works while there are no accounts; made if there is nobody.
pub async fn local_person(db: &Db, now: DateTime<Utc>) -> store::Result<UserId> {
    if let Some(user) = users::first(db).await? {
        return Ok(user.id);
    }
    match users::add(db, LOCAL_PERSON, "", now).await {
        // Another process was faster.
        Err(store::Error::Conflict(_)) => {
            let found = users::find_by_email(db, LOCAL_PERSON).await?;
            found.map(|user| user.id).ok_or(store::Error::NotFound)
        }
        added => added,
    }
}

/// Tells who asks. An extension cannot come from outside: only tests and layers of ours put one in.
pub(crate) fn identify(app: &App, parts: &Parts) -> Result<Caller, ApiError> {
    if let Some(caller) = parts.extensions.get::<Caller>() {
        return Ok(*caller);
    }
    let is_local = parts.extensions.get::<Peer>().is_some_and(|peer| peer.0.ip().to_canonical().is_loopback())
        && is_addressed_locally(&parts.headers);
    match app.local_person {
        Some(user_id) if is_local => Ok(Caller { user_id, is_owner: true }),
        _ => Err(ApiError::SignInRequired),
    }
}

/// A proxy on this machine asks for others, and a page elsewhere may point its own name at this machine: both connect
/// from here, and neither is the person at this machine.
fn is_addressed_locally(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let name =
        host.map(|host| host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')).map_or(host, |(name, _)| name));
    let is_here = name.is_some_and(|name| {
        let name = name.trim_start_matches('[').trim_end_matches(']');
        name.eq_ignore_ascii_case("localhost")
            || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
    });
    is_here && !FORWARDED.iter().any(|name| headers.contains_key(*name))
}

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        identify(app, parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_request_to_this_machine_by_its_own_names_is_local() {
        let cases = [
            ("localhost", true),
            ("LOCALHOST:8080", true),
            ("127.0.0.1:8080", true),
            ("127.8.9.1", true),
            ("[::1]:8080", true),
            ("[::1]", true),
            ("reader.example", false),
            ("localhost.example:80", false),
            ("192.168.0.1:8080", false),
            ("", false),
        ];
        for (host, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            assert_eq!(is_addressed_locally(&headers), expected, "{host}");
            headers.insert("x-forwarded-for", "192.0.2.1".parse().unwrap());
            assert!(!is_addressed_locally(&headers), "{host} through a proxy");
        }
        assert!(!is_addressed_locally(&HeaderMap::new()));
    }
}
