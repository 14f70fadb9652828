//! Sign-in with an OpenID provider, against one that can forge.

mod double;
mod forged;
mod keys;
mod mixed_up;
mod outages;
mod sign_in;
mod signer;
