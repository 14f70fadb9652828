//! Turns pages and PDF files into articles: bytes in, values out, no IO.
//!
//! [`extract()`] finds the article of a page and its metadata; [`Rules`] correct it where it is wrong. [`pdf`] reads the
//! text of PDF files. [`dom`] is the tree of a page, with selectors.
//!
//! The crate deliberately has no network and no rules for single sites. No page may cause a panic, more than linear time or
//! memory, or an overflow of a 2 MB stack. HTML in the output is sanitised.
//!
//! Start reading at `extract.rs`: it has the steps in their order.

pub mod dom;
mod extract;
mod hints;
mod images;
mod linked_body;
mod measure;
mod metadata;
mod page;
pub mod pdf;
mod prune;
mod rules;
mod score;
mod select;
mod strip;
mod write;

pub use extract::{Article, ExtractError, MAX_PAGE_BYTES, PageContext, decode, extract};
pub use rules::{Rules, RulesError};
