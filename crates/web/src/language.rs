//! The two languages of responses, chosen by `Accept-Language`.

use http::{HeaderMap, header::ACCEPT_LANGUAGE};

/// The language of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// The default.
    English,
    /// For requests that prefer Japanese.
    Japanese,
}

/// A text in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocalizedText {
    pub en: &'static str,
    pub ja: &'static str,
}

impl LocalizedText {
    /// The text in `language`.
    pub fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::English => self.en,
            Language::Japanese => self.ja,
        }
    }
}

impl Language {
    /// The preferred language of a request.
    pub fn of(headers: &HeaderMap) -> Language {
        let ranges = headers.get_all(ACCEPT_LANGUAGE).into_iter().filter_map(|value| value.to_str().ok());
        let mut best = (Language::English, 0.0);
        for range in ranges.flat_map(|value| value.split(',')) {
            let Some((language, weight)) = parse_range(range) else { continue };
            if weight > best.1 {
                best = (language, weight);
            }
        }
        best.0
    }

    /// The language tag, for `Content-Language`.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }
}

/// Parses `ja-JP;q=0.8` into a language and its weight.
fn parse_range(range: &str) -> Option<(Language, f32)> {
    let mut parts = range.split(';').map(str::trim);
    let tag = parts.next()?;
    let language = match tag.split('-').next()?.to_ascii_lowercase().as_str() {
        "ja" => Language::Japanese,
        "en" | "*" => Language::English,
        _ => return None,
    };
    let weight = match parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q="))) {
        None => 1.0,
        Some(weight) => weight.trim().parse().ok().filter(|weight| (0.0..=1.0).contains(weight))?,
    };
    Some((language, weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferred_language_wins_and_english_is_the_default() {
        let cases = [
            ("", Language::English),
            ("ja", Language::Japanese),
            ("JA-jp", Language::Japanese),
            ("en, ja", Language::English),
            ("ja, en", Language::Japanese),
            ("en;q=0.5, ja;q=0.8", Language::Japanese),
            ("fr, ja;q=0.1", Language::Japanese),
            ("fr", Language::English),
            ("ja;q=0", Language::English),
            ("ja;q=2, en", Language::English),
            ("ja;q=NaN", Language::English),
            ("*, ja;q=0.9", Language::English),
            ("jav", Language::English),
            (";;;q=,,", Language::English),
        ];
        for (value, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, value.parse().unwrap());
            assert_eq!(Language::of(&headers), expected, "{value}");
        }
        assert_eq!(Language::of(&HeaderMap::new()), Language::English);
    }
}
