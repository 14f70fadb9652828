//! feedparser's names for the fields of our model, with its fallbacks.

use chrono::{DateTime, Datelike, Timelike, Utc};
use feed::{Entry, ParsedFeed};

use crate::{compare, expect::Literal};

/// The result of comparing a field.
pub enum Field {
    Same,
    Differs(String),
    Unknown,
}

/// The value of a field in our model.
enum Value<'a> {
    Text(Option<&'a str>),
    Html(Option<&'a str>),
    /// A name, to which feedparser may append an e-mail address in brackets.
    Name(Option<&'a str>),
    Exact(Option<String>),
    Time(Option<DateTime<Utc>>),
    Count(usize),
}

/// Whether there is no such field.
pub fn is_absent(path: &str, feed: Option<&ParsedFeed>) -> Field {
    let Some(feed) = feed else { return Field::Differs("no feed was read".to_owned()) };
    match value(&steps(path), feed) {
        Some(Value::Exact(None)) => Field::Same,
        Some(Value::Exact(Some(found))) => Field::Differs(format!("found {found:?}")),
        _ => Field::Unknown,
    }
}

/// Compares a field with its expected value.
pub fn compare(path: &str, expected: &Literal, feed: Option<&ParsedFeed>) -> Field {
    // Fields are known or unknown independently of the document.
    let known = feed.cloned().unwrap_or_else(empty);
    let (path, wants_code) = match path.strip_prefix("ord(").and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => (inner, true),
        None => (path, false),
    };
    let (path, wants_count) = match path.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => (inner, true),
        None => (path, false),
    };
    let value = match (value(&steps(path), &known), wants_count) {
        (Some(value @ Value::Count(_)), true) => value,
        (Some(value), false) if !matches!(value, Value::Count(_)) => value,
        _ => return Field::Unknown,
    };
    let code = match expected {
        Literal::Number(code) if wants_code => u32::try_from(*code).ok().and_then(char::from_u32),
        _ => None,
    };
    let expected = code.map_or_else(|| expected.clone(), |c| Literal::Text(c.to_string()));
    let Some(same) = is_same(&value, &expected) else { return Field::Unknown };
    match feed {
        None => Field::Differs("no feed was read".to_owned()),
        Some(_) if same => Field::Same,
        Some(_) => Field::Differs(format!("expected {expected:?}, found {}", shown(&value))),
    }
}

fn is_same(value: &Value<'_>, expected: &Literal) -> Option<bool> {
    Some(match (value, expected) {
        (Value::Text(text), Literal::Text(expected)) => compare::text(text.unwrap_or_default(), expected),
        (Value::Html(html), Literal::Text(expected)) => compare::html(html.unwrap_or_default(), expected),
        (Value::Name(name), Literal::Text(expected)) => compare::name(name.unwrap_or_default(), expected),
        (Value::Exact(text), Literal::Text(expected)) => text.as_deref().unwrap_or_default() == expected,
        (Value::Time(time), Literal::Tuple(expected)) => {
            time.is_some_and(|time| tuple(time)[..] == expected[..6.min(expected.len())])
        }
        (Value::Time(time), Literal::Text(expected)) => {
            let expected =
                DateTime::parse_from_rfc3339(expected).or_else(|_| DateTime::parse_from_rfc2822(expected)).ok()?;
            *time == Some(expected.with_timezone(&Utc))
        }
        (Value::Count(count), Literal::Number(expected)) => i64::try_from(*count) == Ok(*expected),
        _ => return None,
    })
}

pub fn tuple(time: DateTime<Utc>) -> [i64; 6] {
    let small = [time.month(), time.day(), time.hour(), time.minute(), time.second()].map(i64::from);
    [i64::from(time.year()), small[0], small[1], small[2], small[3], small[4]]
}

fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Text(text) | Value::Html(text) | Value::Name(text) => format!("{text:?}"),
        Value::Exact(text) => format!("{text:?}"),
        Value::Time(time) => format!("{time:?}"),
        Value::Count(count) => count.to_string(),
    }
}

/// `entries[0]['content'][0].value` as a list of words.
fn steps(path: &str) -> Vec<&str> {
    let parts = path.split(['[', ']', '.']).map(|part| part.trim_matches(['\'', '"']));
    parts.filter(|part| !part.is_empty()).collect()
}

fn value<'a>(steps: &[&str], feed: &'a ParsedFeed) -> Option<Value<'a>> {
    match steps {
        ["entries"] => Some(Value::Count(feed.entries.len())),
        ["entries", place, rest @ ..] => {
            let place: usize = place.parse().ok()?;
            entry_value(rest, feed.entries.get(place))
        }
        ["feed" | "channel", rest @ ..] => feed_value(rest, feed),
        _ => None,
    }
}

fn feed_value<'a>(steps: &[&str], feed: &'a ParsedFeed) -> Option<Value<'a>> {
    Some(match steps {
        ["title"] | ["title_detail", "value"] => Value::Text(Some(&feed.title)),
        ["link"] => Value::Exact(feed.link.clone()),
        ["subtitle" | "tagline" | "description"] | ["subtitle_detail" | "tagline_detail", "value"] => {
            Value::Text(feed.description.as_deref())
        }
        ["updated_parsed" | "modified_parsed" | "updated" | "modified"] => Value::Time(feed.updated),
        _ => return None,
    })
}

fn entry_value<'a>(steps: &[&str], entry: Option<&'a Entry>) -> Option<Value<'a>> {
    let text = |get: fn(&Entry) -> Option<&str>| entry.and_then(get);
    let author = |place: &str| {
        let place: usize = place.parse().ok()?;
        Some(Value::Name(entry.and_then(|entry| entry.authors.get(place)).map(String::as_str)))
    };
    Some(match steps {
        ["title"] | ["title_detail", "value"] => Value::Text(text(|entry| Some(&entry.title))),
        ["link"] => Value::Exact(entry.and_then(|entry| entry.link.clone())),
        ["id" | "guid"] => Value::Exact(entry.and_then(|entry| entry.id.clone())),
        ["comments"] => Value::Exact(entry.and_then(|entry| entry.comments.clone())),
        // Each replaces the other if it is missing, as in feedparser.
        ["summary" | "description"] | ["summary_detail", "value"] => {
            Value::Html(text(|entry| entry.summary.as_deref().or(entry.content.as_deref())))
        }
        ["content", "0", "value"] => Value::Html(text(|entry| entry.content.as_deref().or(entry.summary.as_deref()))),
        ["author"] | ["author_detail", "name"] => author("0")?,
        ["authors", place, "name"] => author(place)?,
        ["published" | "published_parsed" | "issued" | "issued_parsed"] => {
            Value::Time(entry.and_then(|entry| entry.published))
        }
        ["updated" | "updated_parsed" | "modified" | "modified_parsed" | "date" | "date_parsed"] => {
            Value::Time(entry.and_then(|entry| entry.updated.or(entry.published)))
        }
        ["tags"] => Value::Count(entry.map_or(0, |entry| entry.categories.len())),
        ["category"] => category(entry, 0),
        ["tags", place, "term"] => category(entry, place.parse().ok()?),
        ["enclosures"] => Value::Count(entry.map_or(0, |entry| entry.enclosures.len())),
        ["enclosures", place, what] => enclosure(entry, place.parse().ok()?, what)?,
        _ => return None,
    })
}

fn category(entry: Option<&Entry>, place: usize) -> Value<'_> {
    Value::Text(entry.and_then(|entry| entry.categories.get(place)).map(String::as_str))
}

fn enclosure<'a>(entry: Option<&'a Entry>, place: usize, what: &str) -> Option<Value<'a>> {
    let file = entry.and_then(|entry| entry.enclosures.get(place));
    Some(Value::Exact(match what {
        "href" | "url" => file.map(|file| file.url.clone()),
        "type" => file.and_then(|file| file.media_type.clone()),
        "length" => file.and_then(|file| file.length).map(|length| length.to_string()),
        _ => return None,
    }))
}

fn empty() -> ParsedFeed {
    ParsedFeed {
        format: feed::Format::Rss,
        version: String::new(),
        title: String::new(),
        link: None,
        description: None,
        language: None,
        icon: None,
        hints: feed::Hints::default(),
        hubs: Vec::new(),
        self_link: None,
        new_feed_url: None,
        updated: None,
        entries: Vec::new(),
    }
}
