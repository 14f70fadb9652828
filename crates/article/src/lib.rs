//! Turns pages and PDF files into articles: bytes in, values out, no IO.

pub mod dom;
