//! The client against real sockets, all of them on loopback.

#![cfg(test)]

mod fetching;
mod guarding;
mod hostile;
mod pacing;
mod redirecting;
mod resources;
mod secure;
mod support;
