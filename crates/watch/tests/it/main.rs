//! Sites over time, with a real origin and both databases.

#![cfg(test)]

mod checking;
mod operators_blogs;
mod sources;
mod subscribing;
mod test_site;
mod webhook;
