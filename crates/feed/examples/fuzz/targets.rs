//! The functions to fuzz, and their properties.

use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::DateTime;
use feed::{ParseOptions, discover, excerpt, identity, link, opml, parse, plain_text, sanitize};
use url::Url;

/// The kind of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Feeds and lists of feeds.
    Feed,
    /// Web pages and bodies.
    Html,
    /// Short texts: dates, addresses.
    Short,
}

/// A function to fuzz.
pub struct Target {
    pub name: &'static str,
    pub kind: Kind,
    /// Runs the function; an error if a property is violated.
    pub check: fn(&[u8]) -> Result<(), String>,
}

/// All targets; batches alternate between them.
pub const TARGETS: &[Target] = &[
    Target { name: "parse", kind: Kind::Feed, check: check_parse },
    Target { name: "sanitize", kind: Kind::Html, check: check_sanitize },
    Target { name: "text", kind: Kind::Html, check: check_text },
    Target { name: "discover", kind: Kind::Html, check: check_discover },
    Target { name: "opml", kind: Kind::Feed, check: check_opml },
    Target { name: "date", kind: Kind::Short, check: check_date },
    Target { name: "address", kind: Kind::Short, check: check_address },
];

/// A name for an input.
pub fn hash(input: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}

fn options() -> ParseOptions {
    ParseOptions {
        url: Url::parse("https://e.example/dir/feed").ok(),
        content_type: None,
        now: DateTime::from_timestamp(1_800_000_000, 0).unwrap(),
    }
}

fn check_parse(input: &[u8]) -> Result<(), String> {
    if let Ok(parsed) = parse(input, &options()) {
        identity::identify(&parsed.feed.entries, &[]);
    }
    Ok(())
}

fn check_sanitize(input: &[u8]) -> Result<(), String> {
    let html = String::from_utf8_lossy(input);
    let base = Url::parse("https://e.example/dir/page").ok();
    let out = sanitize(&html, base.as_ref());
    well_formed(&out)?;
    if out.len() > 512 * 1024 || out.len() > 60 * html.len() + 16 {
        return Err(format!("{} bytes became {}", html.len(), out.len()));
    }
    if sanitize(&out, base.as_ref()) != out || sanitize(&out, None) != out {
        return Err("not idempotent".to_owned());
    }
    Ok(())
}

fn check_text(input: &[u8]) -> Result<(), String> {
    let html = String::from_utf8_lossy(input);
    let text = plain_text(&html);
    let short = excerpt(&html, 50);
    if text.contains("\n\n") || text.trim_ascii() != text || short.contains('\n') {
        return Err("white space is not folded".to_owned());
    }
    if !text.replace('\n', " ").starts_with(short.trim_end_matches('…')) {
        return Err("an excerpt is not the start of the text".to_owned());
    }
    Ok(())
}

fn check_discover(input: &[u8]) -> Result<(), String> {
    let url = Url::parse("https://e.example/dir/page").unwrap();
    let candidates = discover::from_page(input, None, &url);
    if candidates.iter().any(|candidate| !matches!(candidate.url.scheme(), "http" | "https")) {
        return Err("a candidate is not an http address".to_owned());
    }
    discover::icons(input, None, &url);
    discover::is_feed(input, None);
    Ok(())
}

fn check_opml(input: &[u8]) -> Result<(), String> {
    let Ok(read) = opml::read(input, None) else { return Ok(()) };
    let written = opml::write(&read.title, &read.feeds);
    let again = opml::read(written.as_bytes(), None).map_err(|_| "what was written cannot be read".to_owned())?;
    let urls = |feeds: &[opml::OpmlFeed]| feeds.iter().map(|feed| feed.feed_url.clone()).collect::<Vec<_>>();
    // Writing groups feeds by folder.
    let (mut before, mut after) = (urls(&read.feeds), urls(&again.feeds));
    before.sort();
    after.sort();
    if before == after { Ok(()) } else { Err("the written list differs when read".to_owned()) }
}

fn check_date(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input).replace(['<', '&', '\0'], " ");
    let feed = format!("<rss><channel><item><title>t</title><pubDate>{text}</pubDate></item></channel></rss>");
    let parsed = parse(feed.as_bytes(), &options()).map_err(|error| error.to_string())?;
    if parsed.feed.entries.len() == 1 { Ok(()) } else { Err("the entry is lost".to_owned()) }
}

fn check_address(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let once = link::normalise(&text);
    if let Ok(url) = discover::tidy_address(&text) {
        discover::from_address(&url);
    }
    if link::normalise(&once) == once { Ok(()) } else { Err("normalising is not idempotent".to_owned()) }
}

/// Checks an output character by character, without an HTML parser.
fn well_formed(out: &str) -> Result<(), String> {
    const TAGS: &[&str] = &["p", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em"];
    const LINK_END: &str = "\" target=\"_blank\" rel=\"noopener noreferrer";
    let mut open = Vec::new();
    for piece in out.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').ok_or("a tag does not end")?;
        if text.contains('>') {
            return Err("a bare >".to_owned());
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes something else"));
            }
        } else if let Some(rest) = tag.strip_prefix("a href=\"") {
            let href =
                rest.strip_suffix('"').and_then(|rest| rest.strip_suffix(LINK_END)).ok_or("a link without rel")?;
            let is_fine = ["http://", "https://", "mailto:"].iter().any(|scheme| href.starts_with(scheme));
            if !is_fine || href.contains('"') {
                return Err(format!("href {href}"));
            }
            open.push("a");
        } else if let Some(rest) = tag.strip_prefix("img src=\"https://") {
            if rest.matches('"').count() % 2 == 0 {
                return Err(format!("image {rest}"));
            }
        } else if TAGS.contains(&tag) {
            open.push(tag);
        } else if tag != "br" {
            return Err(format!("tag {tag}"));
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} stay open")) }
}
