//! The pages in `testdata`, hostile pages, and properties of all pages.

#![cfg(test)]

mod corpus;
mod hostile;
mod lists;
mod properties;
mod structured;

use chrono::{DateTime, Utc};
use posts::{Found, PageContext, find_posts};
use url::Url;

/// Finds the posts of a page at a fixed time.
fn find(html: &str, base_url: &str) -> Found {
    find_list(html, base_url, None)
}

/// Takes a list of a page.
fn find_list(html: &str, base_url: &str, list: Option<&str>) -> Found {
    let base_url = Url::parse(base_url).unwrap();
    find_posts(html, &PageContext { base_url: Some(&base_url), now: now(), list })
}

fn now() -> DateTime<Utc> {
    "2026-03-05T00:00:00Z".parse().unwrap()
}
