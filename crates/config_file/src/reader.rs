//! Typed access to the values of a table. Problems are collected, so that one run reports all of them.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    problems::{Problems, quoted},
    suggest::nearest,
};

/// A value with its place.
pub type Value<'t> = Spanned<DeValue<'t>>;

/// A text from the file with the byte where it begins.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub text: &'a str,
    pub offset: usize,
}

/// One table of the file, for example one `[[blogs]]`.
pub struct Entry<'a, 't> {
    table: &'a DeTable<'t>,
    /// The byte where the table begins.
    offset: usize,
}

impl<'a, 't> Entry<'a, 't> {
    /// Reports unknown keys. `header` is how the file writes the section, for example `[[blogs]]`.
    pub fn new(
        table: &'a DeTable<'t>,
        offset: usize,
        header: &str,
        keys: &[&str],
        problems: &mut Problems,
    ) -> Entry<'a, 't> {
        for key in table.keys().filter(|key| !keys.contains(&key.get_ref().as_ref())) {
            problems.add_with(key.span().start, || unknown_key(key.get_ref(), header, keys));
        }
        Entry { table, offset }
    }

    /// A text, if the key is set. `how` describes a valid value, to follow the word "write".
    pub fn text(&self, key: &str, how: &str, problems: &mut Problems) -> Option<Text<'a>> {
        self.table.get(key).and_then(|value| text(key, value, how, problems))
    }

    /// A text that must be set.
    pub fn required_text(&self, key: &str, how: &str, problems: &mut Problems) -> Option<Text<'a>> {
        if !self.table.contains_key(key) {
            problems.add(self.offset, format!("`{key}` is missing: write {how}"));
        }
        self.text(key, how, problems)
    }

    /// A list of texts; empty if the key is not set. `example` is a valid text.
    pub fn texts(&self, key: &str, example: &str, problems: &mut Problems) -> Vec<Text<'a>> {
        match self.table.get(key).map(|value| (value, value.get_ref())) {
            None => Vec::new(),
            Some((_, DeValue::Array(values))) => {
                let how = format!("text in quotes, such as \"{example}\"");
                values.iter().filter_map(|value| text(key, value, &how, problems)).collect()
            }
            Some((value, other)) => {
                let found = type_name(other);
                let message = format!("`{key}` cannot be {found}: write a list in [ ], such as [\"{example}\"]");
                problems.add(value.span().start, message);
                Vec::new()
            }
        }
    }

    /// A value that is written as text, if the key is set and valid. The error of `parse` says what to write. The
    /// message quotes the value, so this is not for secrets.
    pub fn parsed<T>(
        &self,
        key: &str,
        how: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
        problems: &mut Problems,
    ) -> Option<T> {
        self.text(key, how, problems).and_then(|text| parsed(key, text, parse, problems))
    }
}

/// The tables of a list section, each with its first byte.
pub fn entries<'a, 't>(name: &str, value: &'a Value<'t>, problems: &mut Problems) -> Vec<(usize, &'a DeTable<'t>)> {
    let DeValue::Array(values) = value.get_ref() else {
        problems.add(value.span().start, format!("`{name}` is a list: write [[{name}]] above each entry"));
        return Vec::new();
    };
    let mut tables = Vec::new();
    for value in values {
        match value.get_ref() {
            DeValue::Table(table) => tables.push((value.span().start, table)),
            other => problems.add(
                value.span().start,
                format!("an entry of `{name}` cannot be {}: write [[{name}]] and its keys below", type_name(other)),
            ),
        }
    }
    tables
}

/// Parses a text from the file. The error of `parse` says what to write.
pub fn parsed<T>(
    key: &str,
    Text { text, offset }: Text<'_>,
    parse: impl FnOnce(&str) -> Result<T, String>,
    problems: &mut Problems,
) -> Option<T> {
    let how = match parse(text) {
        Ok(value) => return Some(value),
        Err(how) => how,
    };
    problems.add(offset, format!("`{key}` cannot be \"{}\": {how}", quoted(text)));
    None
}

fn text<'a>(key: &str, value: &'a Value<'_>, how: &str, problems: &mut Problems) -> Option<Text<'a>> {
    let offset = value.span().start;
    match value.get_ref() {
        DeValue::String(text) => Some(Text { text, offset }),
        other => {
            problems.add(offset, format!("`{key}` cannot be {}: write {how}", type_name(other)));
            None
        }
    }
}

fn unknown_key(key: &str, header: &str, keys: &[&str]) -> String {
    let advice = match nearest(key, keys.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its keys are {}", keys.join(", ")),
    };
    format!("`{}` is not a key of {header}: {advice}", quoted(key))
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
