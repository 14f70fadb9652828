//! Accounts on both databases: who gets in and who does not, and sign-in with a provider that can forge.
#![cfg(test)]

mod audit;
mod house;
mod identities;
mod leaving;
mod openid;
mod passwords;
mod secrets;
mod sessions;
mod set_up;
mod throttling;
mod tokens;
