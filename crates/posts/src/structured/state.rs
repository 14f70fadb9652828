//! Posts in the state of scripts, such as `__NEXT_DATA__`: arrays of objects with a title and an address.
//!
//! The state also has menus, products and authors, so that an entry needs a date or the address of a post.

mod fields;
mod slugs;

use article::dom::Document;
use serde_json::Value;
use url::Url;

use super::{Entry, LEAST_ENTRIES, PageFacts, distinct, scripts};
use crate::address::Address;
use fields::{Place, Table, read};
use slugs::Slugs;

/// Longer scripts are not read.
const MAX_BYTES: usize = 1 << 20;
/// Values are searched down to this depth.
const MAX_DEPTH: usize = 30;
/// Entries of arrays that are looked at, in the whole page.
const MAX_ENTRIES: usize = 5_000;

/// The posts in the state of a page: the largest list, and those with the same form of address.
pub(super) fn posts(document: &Document<'_>, page: &PageFacts<'_>) -> Vec<Entry> {
    let mut search = Search { page, slugs: Slugs::of(page), left: MAX_ENTRIES, lists: Vec::new() };
    for (script, text) in scripts(document, "application/json", MAX_BYTES) {
        let Ok(value) = serde_json::from_str::<Value>(text) else { continue };
        let is_table = document.raw_attribute(script, "id") == Some("__NUXT_DATA__")
            || document.raw_attribute(script, "data-nuxt-data").is_some();
        match (is_table, &value) {
            (true, Value::Array(values)) => search.table(values),
            _ => search.value(&value, 0),
        }
    }
    let mut lists = search.lists;
    // The sort keeps the order of equals.
    lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
    let Some(shapes) = lists.first().map(|best| shapes(best)) else { return Vec::new() };
    let is_like = |list: &Vec<Entry>| shapes_of(list).any(|shape| shapes.contains(&shape));
    distinct(lists.into_iter().filter(is_like).flatten().collect())
}

fn shapes(list: &[Entry]) -> Vec<String> {
    let mut shapes: Vec<String> = shapes_of(list).collect();
    shapes.sort_unstable();
    shapes.dedup();
    // Lists with many forms are compared by the first ones.
    shapes.truncate(20);
    shapes
}

fn shapes_of(list: &[Entry]) -> impl Iterator<Item = String> {
    list.iter().map(|entry| Address::of(&entry.url).shape())
}

struct Search<'a> {
    page: &'a PageFacts<'a>,
    slugs: Slugs,
    left: usize,
    lists: Vec<Vec<Entry>>,
}

impl Search<'_> {
    /// Searches a value and those inside it.
    fn value(&mut self, value: &Value, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match value {
            Value::Array(values) => {
                self.list(values, Table::default());
                values.iter().for_each(|value| self.value(value, depth + 1));
            }
            Value::Object(fields) => {
                let inside = fields.iter().filter(|(name, _)| !is_beside(name));
                inside.for_each(|(_, value)| self.value(value, depth + 1));
            }
            _ => {}
        }
    }

    /// Searches the state of Nuxt: a table of values, where numbers inside a value are places in the table.
    fn table(&mut self, values: &[Value]) {
        let mut is_left_out = vec![false; values.len()];
        for (name, value) in values.iter().filter_map(Value::as_object).flatten() {
            let place = value.as_u64().and_then(|place| usize::try_from(place).ok());
            if let Some(out) = place.and_then(|place| is_left_out.get_mut(place)) {
                *out |= is_beside(name);
            }
        }
        for (value, is_left_out) in values.iter().zip(is_left_out) {
            if let (Value::Array(inner), false) = (value, is_left_out) {
                self.list(inner, Table::of(values));
            }
        }
    }

    /// Adds an array if it is a list of posts.
    fn list(&mut self, values: &[Value], table: Table<'_>) {
        let values = values.get(..self.left).unwrap_or(values);
        self.left -= values.len();
        if values.len() < LEAST_ENTRIES {
            return;
        }
        let found: Vec<_> = values.iter().filter_map(|value| read(value, table, self.page.now)).collect();
        let folder = self.slugs.folder(found.iter().filter_map(|found| match &found.place {
            Place::Slug(slug) => Some(slug.as_str()),
            Place::Address(_) => None,
        }));
        let mut entries = Vec::new();
        for found in found {
            let url = match &found.place {
                Place::Address(address) => self.page.url.join(address).ok(),
                Place::Slug(slug) => self.slugs.url(slug, folder.as_deref()),
            };
            let Some(mut url) = url.filter(is_web) else { continue };
            url.set_fragment(None);
            entries.push(Entry { url, title: Some(found.title), date: found.date });
        }
        let mut entries = distinct(entries);
        let count = entries.len();
        entries.retain(|entry| self.page.is_post(entry));
        if entries.len() >= LEAST_ENTRIES && entries.len() * 2 > count {
            self.lists.push(entries);
        }
    }
}

/// Whether a name is that of a list beside the posts of a page.
fn is_beside(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "popular",
        "ranking",
        "related",
        "recommend",
        "trending",
        "sidebar",
        "menu",
        "nav",
        "footer",
        "header",
        "breadcrumb",
        "product",
        "author",
        "comment",
        "redirect",
    ];
    let name = name.to_ascii_lowercase();
    name.len() <= 60 && NAMES.iter().any(|known| name.contains(known))
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}
