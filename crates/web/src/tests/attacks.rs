//! Attacks and their defence.

mod cookies;
mod cross_site;
mod guessing;
mod rate_limits;
mod requests;

use super::{
    browser::{Browser, create_member, error, status_and_code},
    *,
};

const ME: &str = "/api/users/me";
const EVIL: &str = "https://evil.example";
