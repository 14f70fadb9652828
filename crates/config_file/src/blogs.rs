//! The section `[[blogs]]`: the sites that the operator watches.

use std::{collections::HashMap, time::Duration};

use url::Url;
use uuid::Uuid;

use crate::{
    duration::DurationRange,
    file::SectionContext,
    pattern::UrlPattern,
    problems::{Problems, line_of, quoted},
    reader::{Entry, Text, Value, entries, parsed},
};

/// A watched site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blog {
    /// The name in the database, on the command line and in addresses: a-z, 0-9, `-`, `_` and `.`, at most 64
    /// characters, the first one a letter or digit. Unique, and never shaped like a UUID.
    pub id: String,
    /// An http or https address without credentials.
    pub url: Url,
    pub name: Option<String>,
    /// From 30 minutes to 7 days.
    pub interval: Option<Duration>,
    pub kind: BlogKind,
    /// If there are any, only posts that match one of them count.
    pub include: Vec<UrlPattern>,
    /// Posts that match one of these do not count.
    pub exclude: Vec<UrlPattern>,
    /// From 1 to 90 days. `None`: every 7 to 30 days.
    pub rediscover: Option<Duration>,
}

/// Where the posts of a blog are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BlogKind {
    /// The best source that is found.
    #[default]
    Auto,
    /// The feed of the site.
    Feed,
    /// The sitemap of the site.
    Sitemap,
    /// The list of posts on the page.
    Page,
}

/// The name of the section.
pub const NAME: &str = "blogs";
/// The keys of an entry.
pub const KEYS: &[&str] = &["id", "url", "name", "interval", "kind", "include", "exclude", "rediscover"];

const HEADER: &str = "[[blogs]]";
const MAX_BLOGS: usize = 20_000;
const MAX_ID_CHARS: usize = 64;
const MAX_NAME_CHARS: usize = 200;
/// The longest address that browsers and servers commonly accept.
const MAX_URL_CHARS: usize = 2_000;
const KINDS: [(&str, BlogKind); 4] =
    [("auto", BlogKind::Auto), ("feed", BlogKind::Feed), ("sitemap", BlogKind::Sitemap), ("page", BlogKind::Page)];

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const INTERVAL: DurationRange =
    DurationRange { min: Duration::from_secs(30 * 60), max: DAY.saturating_mul(7), example: "6h" };
const REDISCOVER: DurationRange = DurationRange { min: DAY, max: DAY.saturating_mul(90), example: "14d" };

const ID_HOW: &str = "id = \"example-blog\"";
const URL_HOW: &str = "url = \"https://example.com/blog/\"";
const NAME_HOW: &str = "name = \"Example Blog\"";
const KIND_HOW: &str = "\"auto\", \"feed\", \"sitemap\" or \"page\"";
const PATTERN_EXAMPLE: &str = "*/news/*";

/// Reads all blogs.
pub fn read(value: &Value<'_>, context: &mut SectionContext<'_>) -> Vec<Blog> {
    let problems = &mut context.problems;
    let tables = entries(NAME, value, problems);
    if let Some((offset, _)) = tables.get(MAX_BLOGS) {
        problems.add(*offset, format!("there are {} blogs: remove all but {MAX_BLOGS}", tables.len()));
    }
    let mut ids: HashMap<&str, usize> = HashMap::new();
    let mut urls: HashMap<Url, usize> = HashMap::new();
    let mut blogs = Vec::with_capacity(tables.len().min(MAX_BLOGS));
    for (offset, table) in tables.into_iter().take(MAX_BLOGS) {
        let entry = Entry::new(table, offset, HEADER, KEYS, problems);
        let id = entry.required_text("id", ID_HOW, problems);
        let blog = read_blog(&entry, id, problems);
        if let Some(url) = blog.as_ref().map(|blog| &blog.url) {
            match urls.get(url) {
                Some(first) => problems.add_with(offset, || {
                    let line = line_of(context.text, *first);
                    format!("the blog in line {line} has the same address: remove one of them")
                }),
                None => drop(urls.insert(url.clone(), offset)),
            }
        }
        blogs.extend(blog);
        let Some(Text { text: id, offset }) = id else { continue };
        if let Some(first) = ids.get(id) {
            problems.add_with(offset, || {
                let line = line_of(context.text, *first);
                format!("the id \"{}\" is used in line {line} already: write another one", quoted(id))
            });
        } else {
            ids.insert(id, offset);
        }
    }
    blogs
}

fn read_blog(entry: &Entry<'_, '_>, id: Option<Text<'_>>, problems: &mut Problems) -> Option<Blog> {
    let id = id.and_then(|id| parsed("id", id, parse_id, problems));
    let url = entry.required_text("url", URL_HOW, problems);
    let url = url.and_then(|url| parsed("url", url, parse_url, problems));
    let name = entry.parsed("name", NAME_HOW, parse_name, problems);
    let interval = entry.parsed("interval", &INTERVAL.how(), |text| INTERVAL.parse(text), problems);
    let kind = entry.parsed("kind", KIND_HOW, parse_kind, problems).unwrap_or_default();
    let mut patterns = |key| -> Vec<UrlPattern> {
        let texts = entry.texts(key, PATTERN_EXAMPLE, problems);
        texts.into_iter().filter_map(|text| parsed(key, text, UrlPattern::parse, problems)).collect()
    };
    let include = patterns("include");
    let exclude = patterns("exclude");
    let rediscover = entry.parsed("rediscover", &REDISCOVER.how(), |text| REDISCOVER.parse(text), problems);
    Some(Blog { id: id?, url: url?, name, interval, kind, include, exclude, rediscover })
}

fn parse_id(text: &str) -> Result<String, String> {
    if text.chars().nth(MAX_ID_CHARS).is_some() {
        return Err(format!("write at most {MAX_ID_CHARS} characters"));
    }
    if Uuid::try_parse(text).is_ok() {
        return Err("ids of this form are those of users' own sites: write a name, such as \"example-blog\"".to_owned());
    }
    if is_id(text) {
        return Ok(text.to_owned());
    }
    // A valid id that looks like the invalid one is the best example.
    let similar: String = text
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' })
        .collect();
    let similar = similar.trim_matches(['-', '_', '.']);
    let example = if is_id(similar) && !text.contains('@') { similar } else { "example-blog" };
    Err(format!("write lower-case letters, digits, -, _ and ., with a letter or digit first, such as \"{example}\""))
}

fn is_id(text: &str) -> bool {
    // A dot first would make "." and ".." possible, which addresses do not keep. A hyphen first looks like an option of
    // a command.
    text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.'))
}

fn parse_url(text: &str) -> Result<Url, String> {
    const HOW: &str = "write a whole address, such as \"https://example.com/blog/\"";
    // The parser of addresses silently drops some spaces and control characters.
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("write the address without spaces".to_owned());
    }
    if text.chars().nth(MAX_URL_CHARS).is_some() {
        return Err(format!("write an address of at most {MAX_URL_CHARS} characters"));
    }
    if !text.contains("://") {
        let whole = format!("https://{text}");
        let is_likely = text.contains('.') && !text.contains('@') && parse_url(&whole).is_ok();
        return Err(if is_likely { format!("write \"{whole}\"") } else { HOW.to_owned() });
    }
    let url = Url::parse(text).map_err(|_| HOW.to_owned())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("write an address that starts with https:// or http://".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("write the address without a user name and password".to_owned());
    }
    Ok(url)
}

fn parse_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() || name.contains(char::is_control) {
        return Err(format!("write text on one line, such as {NAME_HOW}"));
    }
    if name.chars().nth(MAX_NAME_CHARS).is_some() {
        return Err(format!("write at most {MAX_NAME_CHARS} characters"));
    }
    Ok(name.to_owned())
}

fn parse_kind(text: &str) -> Result<BlogKind, String> {
    let found = KINDS.iter().find(|(word, _)| *word == text);
    found.map(|(_, kind)| *kind).ok_or_else(|| format!("write {KIND_HOW}"))
}

#[cfg(test)]
mod tests;
