//! Parses feeds: bytes and a URL in, values out, no IO.
//!
//! `parse` reads RSS of any version, Atom, RDF and JSON Feed. It recovers from errors and returns warnings with the feed.
//! `sanitize` makes untrusted HTML safe to show. `discover` finds feeds in a page or by the form of an address. `opml` reads
//! and writes lists of subscriptions. `identity` decides whether two entries are the same. `visit_xml` reads other XML.
//!
//! The crate deliberately has no network, no files and no database. No input may cause a panic, more than linear time or
//! memory, or an overflow of a 2 MB stack.
//!
//! Start reading at [`ParsedFeed`].

mod date;
mod decode;
pub mod discover;
mod entity;
pub mod html;
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

pub use date::{month_named, read as parse_date};
pub use model::{Enclosure, Entry, Format, Hints, Parsed, ParsedFeed, Warning};
pub use parse::{NotAFeed, ParseOptions, parse};
pub use sanitize::{SANITIZER_VERSION, sanitize, sanitize_article};
pub use text::{excerpt, plain_text};
pub use xml::{XmlPart, visit_xml};
