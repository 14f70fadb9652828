//! Feeds as values: bytes and a URL in, values out, no IO.
//!
//! `parse` reads RSS of any version, Atom, RDF and JSON Feed, and recovers instead of refusing: what it found comes
//! with a list of what was wrong. `sanitize` makes HTML from strangers safe to show. `discover` finds feeds in a page
//! or by the shape of an address. `opml` reads and writes lists of subscriptions. `identity` says when two entries
//! are the same.
//!
//! It deliberately fetches nothing, keeps nothing and knows no database: no input, however hostile, may panic it, take
//! more than linear time or memory, or overflow a stack of 2 MB.
//!
//! Start reading at [`Feed`].

mod date;
mod decode;
pub mod discover;
mod entity;
pub mod identity;
pub mod link;
mod model;
pub mod opml;
mod parse;
#[cfg(test)]
mod properties;
mod sanitize;
mod text;
mod warn;
mod xml;

pub use model::{Enclosure, Entry, Feed, Format, Hints, Parsed, Warning};
pub use parse::{NotAFeed, ParseOptions, parse};
pub use sanitize::sanitize;
pub use text::{excerpt, plain_text};
