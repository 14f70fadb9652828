//! JSON-LD: what a page tells search engines.

use serde_json::Value;

use crate::dom::{Document, NodeId, Tag};

/// Longer scripts are not read: parsed, they take many times their size.
const MAX_BYTES: usize = 256 * 1024;
/// Objects inside objects are searched down to this depth.
const MAX_DEPTH: usize = 4;

const TYPES: &[&str] = &[
    "Article",
    "AdvertiserContentArticle",
    "AnalysisNewsArticle",
    "AskPublicNewsArticle",
    "BackgroundNewsArticle",
    "BlogPosting",
    "DiscussionForumPosting",
    "LiveBlogPosting",
    "MedicalScholarlyArticle",
    "NewsArticle",
    "OpinionNewsArticle",
    "Report",
    "ReportageNewsArticle",
    "Review",
    "ReviewNewsArticle",
    "SatiricalArticle",
    "ScholarlyArticle",
    "SocialMediaPosting",
    "TechArticle",
];

/// The fields of the first article in the JSON-LD of a page.
#[derive(Debug, Default)]
pub(super) struct LinkedData {
    pub(super) headline: Option<String>,
    pub(super) author: Option<String>,
    pub(super) published: Option<String>,
    pub(super) publisher: Option<String>,
    pub(super) image: Option<String>,
    pub(super) description: Option<String>,
    pub(super) body: Option<String>,
}

impl LinkedData {
    pub(super) fn of(document: &Document<'_>) -> LinkedData {
        let mut scripts = document.all(Tag::Script).filter(|id| is_json_ld(document, *id));
        { &mut scripts }.find_map(|id| read(script_text(document, id))).unwrap_or_default()
    }

    fn of_article(article: &Value) -> LinkedData {
        LinkedData {
            headline: string(article, "headline").or_else(|| string(article, "name")),
            author: article.get("author").or_else(|| article.get("creator")).and_then(|author| names(author, 0)),
            published: string(article, "datePublished").or_else(|| string(article, "dateCreated")),
            publisher: article.get("publisher").and_then(|publisher| names(publisher, 0)),
            image: article.get("image").and_then(|image| address(image, 0)),
            description: string(article, "description"),
            body: string(article, "articleBody"),
        }
    }
}

fn is_json_ld(document: &Document<'_>, id: NodeId) -> bool {
    let kind = document.raw_attribute(id, "type").unwrap_or_default();
    kind.trim().get(.."application/ld+json".len()).is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json"))
}

fn script_text<'d>(document: &'d Document<'_>, id: NodeId) -> &'d str {
    document.first_child(id).map_or("", |text| document.text(text))
}

fn read(script: &str) -> Option<LinkedData> {
    if script.len() > MAX_BYTES {
        return None;
    }
    let script = script.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>").trim().trim_end_matches(';');
    // Line breaks inside strings are common, and errors for the parser.
    let value: Value = serde_json::from_str(script)
        .or_else(|_| serde_json::from_str(&script.replace(|c: char| c.is_control(), " ")))
        .ok()?;
    find(&value, 0).map(LinkedData::of_article)
}

fn find(value: &Value, depth: usize) -> Option<&Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    match value {
        Value::Array(values) => values.iter().find_map(|value| find(value, depth + 1)),
        Value::Object(fields) if is_article(value) => Some(value).filter(|_| !fields.is_empty()),
        Value::Object(fields) => {
            let inner = ["@graph", "mainEntity", "mainEntityOfPage"];
            inner.iter().find_map(|name| find(fields.get(*name)?, depth + 1))
        }
        _ => None,
    }
}

fn is_article(value: &Value) -> bool {
    let is_known = |kind: &Value| {
        kind.as_str().is_some_and(|kind| TYPES.contains(&kind.rsplit(['/', ':']).next().unwrap_or_default()))
    };
    match value.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_known),
        Some(kind) => is_known(kind),
        None => false,
    }
}

fn string(value: &Value, name: &str) -> Option<String> {
    let text = value.get(name)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The names of a person, an organisation or several of them.
fn names(value: &Value, depth: usize) -> Option<String> {
    match value {
        Value::String(name) => Some(name.trim().to_owned()).filter(|name| !name.is_empty()),
        Value::Object(_) => string(value, "name"),
        Value::Array(values) if depth < MAX_DEPTH => {
            let all: Vec<String> = values.iter().take(20).filter_map(|value| names(value, depth + 1)).collect();
            (!all.is_empty()).then(|| all.join(", "))
        }
        _ => None,
    }
}

/// The address of an image.
fn address(value: &Value, depth: usize) -> Option<String> {
    match value {
        Value::String(address) => Some(address.clone()),
        Value::Object(_) => string(value, "url").or_else(|| string(value, "contentUrl")),
        Value::Array(values) if depth < MAX_DEPTH => values.first().and_then(|value| address(value, depth + 1)),
        _ => None,
    }
}
