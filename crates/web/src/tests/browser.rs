//! A browser that keeps cookies.

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
};

use super::*;
use crate::address::Peer;

/// A browser with a client address.
#[derive(Clone)]
pub(super) struct Browser {
    router: Router,
    pub(super) address: IpAddr,
    pub(super) cookies: BTreeMap<String, String>,
}

impl Browser {
    pub(super) fn new(router: &Router) -> Browser {
        Browser { router: router.clone(), address: [192, 0, 2, 7].into(), cookies: BTreeMap::new() }
    }

    /// A browser at another address.
    pub(super) fn at(router: &Router, address: impl Into<IpAddr>) -> Browser {
        Browser { address: address.into(), ..Browser::new(router) }
    }

    pub(super) async fn get(&mut self, path: &str) -> TestResponse {
        self.call(request("GET", path, &[], Body::empty())).await
    }

    pub(super) async fn send(&mut self, method: &str, path: &str, body: Value) -> TestResponse {
        self.call(request(method, path, &[("content-type", "application/json")], body.to_string())).await
    }

    pub(super) async fn delete(&mut self, path: &str) -> TestResponse {
        self.call(request("DELETE", path, &[], Body::empty())).await
    }

    /// Sends a request with the cookies of the browser and stores those of the response.
    pub(super) async fn call(&mut self, mut request: Request) -> TestResponse {
        request.extensions_mut().insert(Peer(SocketAddr::new(self.address, 999)));
        if !self.cookies.is_empty() {
            let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request.headers_mut().insert(header::COOKIE, cookies.join("; ").parse().unwrap());
        }
        let answer = call(&self.router, request).await;
        for set in answer.headers.get_all(header::SET_COOKIE) {
            let (name, rest) = set.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            match rest.contains("Max-Age=0") {
                true => drop(self.cookies.remove(name)),
                false => drop(self.cookies.insert(name.to_owned(), value.to_owned())),
            }
        }
        answer
    }

    /// Signs in with [`PASSWORD`].
    pub(super) async fn sign_in(&mut self, email: &str) -> TestResponse {
        self.try_password(email, PASSWORD).await
    }

    pub(super) async fn try_password(&mut self, email: &str, password: &str) -> TestResponse {
        self.send("POST", "/auth/local/login", json!({ "email": email, "password": password })).await
    }
}

/// Creates a user with [`PASSWORD`].
pub(super) async fn create_member(app: &ApiState, email: &str) -> User {
    add(app, email, Role::Member).await
}

/// Creates an owner with [`PASSWORD`].
pub(super) async fn create_owner(app: &ApiState, email: &str) -> User {
    add(app, email, Role::Owner).await
}

async fn add(app: &ApiState, email: &str, role: Role) -> User {
    let new = NewAccount { email: email.to_owned(), name: "Ann".to_owned(), password: Password::new(PASSWORD) };
    app.accounts.create_user(&new, role).await.unwrap()
}

/// The status and the error code of a response.
pub(super) fn status_and_code(answer: &TestResponse) -> (u16, String) {
    let has_code = answer.status.as_u16() >= 400 && !answer.body.is_empty();
    let code = match has_code {
        true => answer.json()["code"].as_str().unwrap_or_default().to_owned(),
        false => String::new(),
    };
    (answer.status.as_u16(), code)
}

/// The expected status and error code.
pub(super) fn error(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}
