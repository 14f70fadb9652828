//! The title of an article, without the name of its site.

use crate::dom::{Document, Tag};

use super::line;

const SEPARATORS: &[&str] = &[" | ", " - ", " – ", " — ", " » ", " / ", " :: ", "｜", " ・ ", "：", " : "];

/// The title that the metadata has, or one from `title` and headings.
pub(super) fn choose(document: &Document<'_>, known: Option<String>) -> Option<String> {
    let whole = document.first(Tag::Title).and_then(|title| line(&document.text_of(title)));
    let heading = document.all(Tag::H1).take(3).find_map(|heading| line(&document.text_of(heading)));
    match (known, whole) {
        (Some(known), _) => Some(without_site(&known, heading.as_deref())),
        (None, Some(whole)) => Some(without_site(&whole, heading.as_deref())),
        (None, None) => heading,
    }
}

/// A title without the part before or after a separator, if the rest is long enough to be the title.
fn without_site(title: &str, heading: Option<&str>) -> String {
    if let Some(heading) = heading
        && heading.chars().count() >= 8
        && title.contains(heading)
    {
        return heading.to_owned();
    }
    let last =
        SEPARATORS.iter().filter_map(|separator| title.rsplit_once(separator)).max_by_key(|(start, _)| start.len());
    match last {
        Some((start, end)) if is_long(start) && start.chars().count() >= end.chars().count() => start.trim().to_owned(),
        Some((_, end)) if is_long(end) => end.trim().to_owned(),
        _ => title.to_owned(),
    }
}

/// Four words, or ten characters of a script without spaces.
fn is_long(text: &str) -> bool {
    text.split_whitespace().count() >= 4 || text.chars().filter(|c| !c.is_ascii()).count() >= 10
}
