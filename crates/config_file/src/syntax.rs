//! Syntax errors in plain words, with what to write.

use toml::de::Error;

use crate::{
    file::{SECTIONS, Section},
    problems::{ConfigError, quoted},
};

/// The problem behind an error of the TOML parser. Messages never quote values: one could be a secret.
pub fn explain(text: &str, error: &Error) -> ConfigError {
    let start = error.span().map_or(0, |span| span.start);
    let start = text.floor_char_boundary(start);
    let place = Place::new(text, start);
    if error.message().starts_with("duplicate key") {
        let (offset, message) = repeated_key(&place, error);
        return ConfigError::at(text, offset, message);
    }
    ConfigError::at(text, start, advice(&place, error.message()))
}

/// Where the parser stopped.
struct Place<'t> {
    text: &'t str,
    offset: usize,
    /// The line up to the place.
    before: &'t str,
    /// The rest of the line.
    after: &'t str,
}

impl<'t> Place<'t> {
    fn new(text: &'t str, offset: usize) -> Self {
        let (before, after) = text.split_at_checked(offset).unwrap_or((text, ""));
        let before = before.rsplit('\n').next().unwrap_or_default();
        let after = after.lines().next().unwrap_or_default();
        Place { text, offset, before, after }
    }

    /// The line starts with this, not counting spaces.
    fn line_starts_with(&self, start: &str) -> bool {
        let line = self.before.trim_start();
        if line.is_empty() { self.after.trim_start().starts_with(start) } else { line.starts_with(start) }
    }

    /// The key of the line, if it has one in the usual form.
    fn key(&self) -> Option<&'t str> {
        let key = self.before.split_once('=')?.0.trim();
        let is_plain =
            !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        is_plain.then_some(key)
    }

    /// The header of the section that the place is in.
    fn header(&self) -> Option<String> {
        let lines = self.text.get(..self.offset)?.lines().rev();
        let name = lines.map(str::trim).find_map(|line| line.strip_prefix('['))?.trim_start_matches('[');
        let name = name.split(']').next()?.trim();
        SECTIONS.iter().find(|section| section.name == name).map(Section::header)
    }
}

fn advice(place: &Place<'_>, message: &str) -> String {
    let is = |start: &str| message.starts_with(start);
    if is("string values must be quoted") {
        unquoted(place)
    } else if is("unclosed array table")
        || is("unclosed table")
        || (place.line_starts_with("[") && is_about_a_name(message))
    {
        bad_header(place)
    } else if is("unexpected key or value") {
        unexpected(place)
    } else if is("key with no value") || is("invalid key-value pair") {
        no_value(place)
    } else if is("invalid unquoted key") {
        "this is not the name of a key: names have a-z, 0-9, - and _, without quotes around them".to_owned()
    } else if is("unquoted keys cannot be empty") {
        "the name of the key is missing: write it before the `=`".to_owned()
    } else if message.ends_with("expected `\"`") || message.ends_with("expected `'`") {
        "the text has no end: write a quote after it".to_owned()
    } else if message.contains("escape") {
        "a `\\` in text has a meaning of its own: write `\\\\`, or put the text in single quotes".to_owned()
    } else if is("missing comma") {
        "a comma is missing: write one between the entries of a list".to_owned()
    } else if is("unclosed array") {
        "the list has no end: write `]` after its last entry".to_owned()
    } else if is("unclosed inline table") {
        "the table has no end: write `}` after its last entry".to_owned()
    } else if is("invalid boolean") {
        "write true or false in lower case, or put text in quotes".to_owned()
    } else if is("extra `=`") {
        "write one `=` between a key and its value".to_owned()
    } else if is("recursion limit") || is("cannot recurse") {
        "the file nests too deeply: write simple values".to_owned()
    } else {
        format!("the syntax is not valid TOML ({message}): write key = \"value\"")
    }
}

/// Whether the parser expected a name, or the end of the line after one.
fn is_about_a_name(message: &str) -> bool {
    ["unexpected key or value", "unquoted keys cannot be empty", "invalid unquoted key"]
        .iter()
        .any(|start| message.starts_with(start))
}

fn unquoted(place: &Place<'_>) -> String {
    let key = place.key();
    if place.after.trim().is_empty() || place.after.trim_start().starts_with('#') {
        return match key {
            Some(key) => format!("`{key}` has no value: write {key} = \"…\", or remove the line"),
            None => "a value is missing: write it in quotes".to_owned(),
        };
    }
    let problem = if place.after.starts_with(['“', '”', '„', '‘', '’', '「', '＂']) {
        "these quotes are not the straight ones"
    } else {
        "text needs quotes"
    };
    // In a list, the key is not directly before the value.
    match key.filter(|_| place.before.trim_end().ends_with('=')) {
        Some(key) => format!("{problem}: write {key} = \"…\""),
        None => format!("{problem}: write \"…\""),
    }
}

fn bad_header(place: &Place<'_>) -> String {
    let line = format!("{}{}", place.before, place.after);
    let section = SECTIONS.iter().find(|section| line.contains(section.name));
    let example = section.map_or_else(|| "[[blogs]]".to_owned(), Section::header);
    format!("the header of a section is alone on its line, with all its brackets: write {example}")
}

fn unexpected(place: &Place<'_>) -> String {
    match place.after.chars().next() {
        Some(sign @ (',' | ';')) => format!("remove the `{sign}`: a line ends without a sign"),
        _ if place.before.ends_with(['"', '\'']) => {
            "the text ends at the quote before: write \\\" for a quote in a text, with \" around the text".to_owned()
        }
        _ => "the line has something after the value: write each key on a line of its own, and # before a comment"
            .to_owned(),
    }
}

fn no_value(place: &Place<'_>) -> String {
    let is_comment = ["//", ";", "--", "/*"].iter().any(|sign| place.line_starts_with(sign));
    if is_comment {
        "a comment starts with #: write # at the start of the line".to_owned()
    } else if place.after.starts_with(':') {
        "write `=` instead of `:`".to_owned()
    } else {
        "this is not a key with a value: write key = \"value\"".to_owned()
    }
}

/// The place and the message for a key or a header that is there twice.
fn repeated_key(place: &Place<'_>, error: &Error) -> (usize, String) {
    let key = error.span().and_then(|span| place.text.get(span)).unwrap_or_default();
    let list = SECTIONS.iter().find(|section| section.is_list && section.name == key);
    if let Some(section) = list.filter(|_| place.before.trim_start().starts_with('[')) {
        let offset = single_header(place.text, section.name).unwrap_or(place.offset);
        return (offset, format!("`{key}` is a list: write {} above each entry", section.header()));
    }
    let advice = match place.header().filter(|header| header.starts_with("[[")) {
        Some(header) => format!("remove one of the two, or write {header} above the next entry"),
        None => "remove one of the two".to_owned(),
    };
    (place.offset, format!("`{}` is set twice: {advice}", quoted(key)))
}

/// The first header of a section with one bracket on each side.
fn single_header(text: &str, name: &str) -> Option<usize> {
    let header = format!("[{name}]");
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        if start.starts_with(&header) {
            return Some(offset + line.len() - start.len());
        }
        offset += line.len();
    }
    None
}

#[cfg(test)]
mod tests;
