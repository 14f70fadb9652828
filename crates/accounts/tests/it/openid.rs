//! Sign-in with an OpenID provider, against a fake one that can forge responses.

mod fake_provider;
mod forged;
mod keys;
mod mismatched;
mod outages;
mod sign_in;
mod signer;
