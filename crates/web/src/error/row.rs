//! A row of the table of errors, and the placeholders in its messages.

use http::StatusCode;

use super::Category;
use crate::{Language, LocalizedText};

/// The response to an error.
#[derive(Debug)]
pub(crate) struct ErrorRow {
    /// The code of the error.
    pub key: &'static str,
    /// The code in the response: the key, unless `shown_as` replaces it.
    pub code: &'static str,
    pub status: u16,
    pub category: Category,
    /// The name of the invalid field, for an error in a field.
    pub field: Option<&'static str>,
    /// What happened.
    pub message: LocalizedText,
    /// What to do about it.
    pub action: LocalizedText,
    /// What to do when a feed has stopped because of it.
    pub stopped: LocalizedText,
}

/// The row of an error.
pub(super) const fn error(key: &'static str, status: u16, category: Category) -> ErrorRow {
    let (message, action, stopped) = (text("", ""), text("", ""), text("", ""));
    ErrorRow { key, code: key, status, category, field: None, message, action, stopped }
}

/// The row of an error in a field of the request. Its message includes what to do.
pub(super) const fn field(key: &'static str, field: &'static str) -> ErrorRow {
    ErrorRow { field: Some(field), ..error(key, 400, Category::Validation).shown_as("invalid_request") }
}

/// A text in both languages.
pub(super) const fn text(en: &'static str, ja: &'static str) -> LocalizedText {
    LocalizedText { en, ja }
}

impl ErrorRow {
    pub(super) const fn shown_as(self, code: &'static str) -> ErrorRow {
        ErrorRow { code, ..self }
    }

    pub(super) const fn message(self, en: &'static str, ja: &'static str) -> ErrorRow {
        ErrorRow { message: text(en, ja), ..self }
    }

    pub(super) const fn action(self, en: &'static str, ja: &'static str) -> ErrorRow {
        self.advice(text(en, ja))
    }

    /// An action that several rows share.
    pub(super) const fn advice(self, action: LocalizedText) -> ErrorRow {
        ErrorRow { action, ..self }
    }

    pub(super) const fn stopped(self, stopped: LocalizedText) -> ErrorRow {
        ErrorRow { stopped, ..self }
    }

    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// The numbers of an error by name.
pub(crate) type MessageValues = Vec<(String, u64)>;

impl LocalizedText {
    /// The text in `language` with its placeholders filled: `{max}` becomes `1,000`, and `{seconds second}` becomes
    /// `1 second` or `7 seconds`.
    pub(super) fn filled(self, language: Language, values: &MessageValues) -> String {
        let (mut text, mut rest) = (String::new(), self.in_language(language));
        while let Some((before, inside, after)) = next_placeholder(rest) {
            text.push_str(before);
            let (name, noun) = inside.split_once(' ').unwrap_or((inside, ""));
            let value = values.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            text.push_str(&value.map(grouped).unwrap_or_default());
            if !noun.is_empty() {
                text.push_str(&format!(" {noun}{}", if value == Some(1) { "" } else { "s" }));
            }
            rest = after;
        }
        text + rest
    }
}

/// The text before the first placeholder, the placeholder, and the text after it.
pub(super) fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (inside, after) = rest.split_once('}')?;
    Some((before, inside, after))
}

/// A number with commas between thousands, as both languages write it.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let separate = |(at, digit): (usize, char)| {
        let comma = at > 0 && (digits.len() - at).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(separate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_nouns_get_plurals() {
        let check = |en, values: &[(&str, u64)], expected: &str| {
            let values = values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
            assert_eq!(text(en, "").filled(Language::English, &values), expected);
        };
        check("Nothing to fill.", &[("max", 7)], "Nothing to fill.");
        check("{min} to {max}.", &[("max", 1_000), ("min", 1)], "1 to 1,000.");
        check("{a}, {b}, {c}", &[("a", 999), ("b", 10_000), ("c", 1_234_567)], "999, 10,000, 1,234,567");
        check("in {seconds second}", &[("seconds", 1)], "in 1 second");
        check("in {seconds second}", &[("seconds", 7)], "in 7 seconds");
    }
}
