//! Turns pages and PDF files into articles: bytes in, values out, no IO.

pub mod dom;
mod extract;
mod hints;
mod images;
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
