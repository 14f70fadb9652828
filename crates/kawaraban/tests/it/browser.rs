//! Accounts and signed-in browsers for the other tests.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::process::{Finished, HttpResponse, Program, send};

/// The password of all accounts.
pub const PASSWORD: &str = "a lantern in the rain";

/// Creates an account with the command line. `more` are additional arguments.
pub async fn add_user(program: &Program, email: &str, more: &[&str]) -> Finished {
    let arguments = [&["user", "add", email, "--name", "Name", "--password-stdin"], more].concat();
    program.run_with_input(&arguments, &format!("{PASSWORD}\n")).await
}

/// An HTTP client with cookies.
pub struct Browser {
    address: SocketAddr,
    cookies: Vec<String>,
}

impl Browser {
    pub fn new(address: SocketAddr) -> Self {
        Browser { address, cookies: Vec::new() }
    }

    /// A browser in which this user has signed in.
    pub async fn signed_in(address: SocketAddr, email: &str) -> Self {
        let mut browser = Browser::new(address);
        let answer = browser.sign_in(email, PASSWORD).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        browser
    }

    pub async fn sign_in(&mut self, email: &str, password: &str) -> HttpResponse {
        self.send("POST", "/auth/local/login", &json!({ "email": email, "password": password })).await
    }

    pub async fn get(&mut self, path: &str) -> HttpResponse {
        self.ask("GET", path, &[], "").await
    }

    pub async fn send(&mut self, method: &str, path: &str, body: &Value) -> HttpResponse {
        self.ask(method, path, &[("content-type", "application/json")], &body.to_string()).await
    }

    async fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> HttpResponse {
        let cookies = self.cookies.join("; ");
        let headers = [headers, &[("cookie", cookies.as_str())]].concat();
        let answer = send(self.address, method, path, &headers, body).await;
        for cookie in &answer.cookies {
            let name = |cookie: &str| cookie.split('=').next().unwrap_or_default().to_owned();
            self.cookies.retain(|kept| name(kept) != name(cookie));
            self.cookies.push(cookie.clone());
        }
        answer
    }

    /// The same cookies at another process.
    pub fn at(&self, address: SocketAddr) -> Browser {
        Browser { address, cookies: self.cookies.clone() }
    }
}
