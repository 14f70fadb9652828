//! Tests of accounts on both databases, and of sign-in with a fake provider that can forge responses.
#![cfg(test)]

mod audit;
mod delete_user;
mod identities;
mod openid;
mod passwords;
mod secrets;
mod sessions;
mod set_up;
mod test_accounts;
mod throttling;
mod tokens;
