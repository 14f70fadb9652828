//! Checks the invariants of ARCHITECTURE.md over the whole workspace.
//!
//! Each rule is a function that returns a list of [`Breach`]es. One test runs it on the real tree, others on small bad examples, to
//! show that the rule can fail.
#![cfg(test)]

mod documents;
mod globals;
mod habits;
mod item_documents;
mod layers;
mod licenses;
mod lockfile;
mod migrations;
mod packaging;
mod paths;
mod sizes;
mod statements;
mod tools;
mod tree;

/// A violation of a rule: its place and what to do about it.
#[derive(Debug, PartialEq)]
struct Breach {
    place: String,
    advice: String,
}

impl Breach {
    fn new(place: impl Into<String>, advice: impl Into<String>) -> Self {
        Breach { place: place.into(), advice: advice.into() }
    }
}

/// Fails with one line for each breach.
#[track_caller]
fn assert_kept(breaches: &[Breach]) {
    let lines: Vec<String> = breaches.iter().map(|breach| format!("  {}: {}", breach.place, breach.advice)).collect();
    assert!(breaches.is_empty(), "{} broken:\n{}", breaches.len(), lines.join("\n"));
}

/// The places of the breaches, for tests of the rules.
fn places(breaches: &[Breach]) -> Vec<&str> {
    breaches.iter().map(|breach| breach.place.as_str()).collect()
}
