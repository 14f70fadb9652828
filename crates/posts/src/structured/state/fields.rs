//! The title, the address and the date in an object of any program.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::{
    dates::{Written, mentions},
    links::MAX_ADDRESS_BYTES,
};

/// Further fields of an object are not looked at.
const MAX_FIELDS: usize = 80;
/// Further objects inside an object are not looked at.
const MAX_OBJECTS: usize = 6;
const MAX_TITLE_BYTES: usize = 1_000;

/// Names of fields, in lower case and without `_`, the better ones first.
const TITLES: &[&str] = &["title", "headline"];
const ADDRESSES: &[&str] = &["url", "href", "path", "permalink", "link", "uri"];
const DATES: &[&str] = &[
    "datepublished",
    "publishedat",
    "publishat",
    "publishdate",
    "publisheddate",
    "publishedon",
    "published",
    "publicationdate",
    "firstpublishedat",
    "pubdate",
    "postedat",
    "postdate",
    "date",
];
/// Objects that hold the fields of their entry.
const INNER: &[&str] = &["node", "fields", "attributes", "frontmatter", "data", "item", "post", "article", "meta"];
/// A field with one of these names belongs to something that is sold.
const PRICES: &[&str] = &["price", "prices", "offers", "sku", "currency"];

/// A title with an address.
pub(super) struct Found {
    pub(super) title: String,
    pub(super) place: Place,
    pub(super) date: Option<DateTime<Utc>>,
}

/// Where a post is.
pub(super) enum Place {
    /// With a host, or from the root of the site.
    Address(String),
    /// The end of an address.
    Slug(String),
}

/// Looks up values that stand in a table. An empty one leaves every value as it is.
#[derive(Clone, Copy, Default)]
pub(super) struct Table<'v> {
    values: Option<&'v [Value]>,
}

impl<'v> Table<'v> {
    pub(super) fn of(values: &'v [Value]) -> Table<'v> {
        Table { values: Some(values) }
    }

    fn get(self, value: &'v Value) -> &'v Value {
        let (Some(values), Some(place)) = (self.values, value.as_u64()) else { return value };
        let Some(found) = usize::try_from(place).ok().and_then(|place| values.get(place)) else { return value };
        match found.as_array().map(Vec::as_slice) {
            // `["Date", "2026-03-04"]`, and `["Reactive", 7]`: the value at place 7.
            Some([Value::String(_), inner @ Value::String(_)]) => inner,
            Some([Value::String(_), Value::Number(inner)]) => {
                let place = inner.as_u64().and_then(|place| usize::try_from(place).ok());
                place.and_then(|place| values.get(place)).unwrap_or(found)
            }
            _ => found,
        }
    }
}

/// Reads an entry of an array. None if it has no title or no address, or is sold.
pub(super) fn read<'v>(value: &'v Value, table: Table<'v>, now: DateTime<Utc>) -> Option<Found> {
    let objects = objects(table.get(value).as_object()?, table);
    let find = |names: &[&str]| {
        // The outer object first, and in each object the better names first.
        let in_object = |object: &Object<'v>| {
            names.iter().find_map(|name| object.fields.iter().find(|(known, _)| known == name).map(|(_, value)| *value))
        };
        objects.iter().find_map(in_object)
    };
    if find(PRICES).is_some() {
        return None;
    }
    let date = find(DATES).and_then(|value| date(value, now));
    // A name alone may be that of a person or a tag.
    let title = find(TITLES).or_else(|| date.and_then(|_| find(&["name"]))).and_then(|value| text(value, table))?;
    let address = find(ADDRESSES).and_then(Value::as_str).map(str::trim);
    let address = address.filter(|text| is_address(text)).map(|text| Place::Address(text.to_owned()));
    let place = address.or_else(|| find(&["slug"]).and_then(|value| slug(value, table)))?;
    Some(Found { title: feed::html::unescape(title).into_owned(), place, date })
}

struct Object<'v> {
    fields: Vec<(String, &'v Value)>,
}

/// An object and the objects that hold its fields, down to two levels.
fn objects<'v>(outer: &'v Map<String, Value>, table: Table<'v>) -> Vec<Object<'v>> {
    let mut objects = vec![object(outer, table)];
    let mut at = 0;
    while at < objects.len() && objects.len() < MAX_OBJECTS {
        let inner: Vec<&Map<String, Value>> = objects.get(at).map(inner).unwrap_or_default();
        let room = MAX_OBJECTS - objects.len();
        objects.extend(inner.into_iter().take(room).map(|inner| object(inner, table)));
        at += 1;
    }
    objects
}

fn object<'v>(fields: &'v Map<String, Value>, table: Table<'v>) -> Object<'v> {
    let plain = |name: &String| name.chars().filter(|c| !matches!(c, '_' | '-')).take(40).collect::<String>();
    let fields = fields.iter().take(MAX_FIELDS);
    Object { fields: fields.map(|(name, value)| (plain(name).to_ascii_lowercase(), table.get(value))).collect() }
}

fn inner<'v>(object: &Object<'v>) -> Vec<&'v Map<String, Value>> {
    let inner = object.fields.iter().filter(|(name, _)| INNER.contains(&name.as_str()));
    inner.filter_map(|(_, value)| value.as_object()).collect()
}

fn is_address(text: &str) -> bool {
    let has_host = text.starts_with("https://") || text.starts_with("http://");
    text.len() <= MAX_ADDRESS_BYTES && (has_host || text.starts_with('/') && !text.starts_with("//"))
}

/// A text, also as `{"rendered": "a text"}` or `{"current": "a-slug"}`.
fn text<'v>(value: &'v Value, table: Table<'v>) -> Option<&'v str> {
    let inner = || value.get("rendered").or_else(|| value.get("current")).map(|value| table.get(value));
    let text = value.as_str().or_else(|| inner()?.as_str())?.trim();
    (!text.is_empty() && text.len() <= MAX_TITLE_BYTES).then_some(text)
}

fn slug<'v>(value: &'v Value, table: Table<'v>) -> Option<Place> {
    let slug = text(value, table)?.trim_matches('/');
    let is_path = !slug.is_empty() && !slug.contains(['?', '#', '\\', ':']) && !slug.contains("..");
    is_path.then(|| Place::Slug(slug.to_owned()))
}

/// A day, or a number of seconds or milliseconds.
fn date(value: &Value, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let number = value.as_f64().filter(|number| *number > 6e8).map(|number| format!("{number:.0}"));
    let is_day = |text: &&str| {
        text.len() <= 100 && mentions(text).first().is_some_and(|mention| matches!(mention.written, Written::Day(_)))
    };
    let written = number.as_deref().or_else(|| value.as_str().filter(is_day))?;
    feed::parse_date(written, now)
}
