//! What people try who should not get in, and what must not come of it.

mod cookies;
mod floods;
mod guessing;
mod other_sites;
mod requests;

use super::{
    browser::{Browser, error, member, said},
    *,
};

const ME: &str = "/api/users/me";
const EVIL: &str = "https://evil.example";
