//! Rules for pages that are read wrongly.

use crate::dom::{Selector, SelectorError};

/// CSS selectors that replace or correct the search for the article.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// The article is the elements that match, if there are any.
    pub content: Option<Selector>,
    /// Elements that are not part of the article.
    pub drop: Vec<Selector>,
}

/// Which selector cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot use the selector `{selector}`: {reason}")]
pub struct RulesError {
    selector: String,
    #[source]
    reason: SelectorError,
}

impl Rules {
    /// Parses selectors as users write them. Empty ones are left out.
    pub fn parse<'s>(content: &str, drop: impl IntoIterator<Item = &'s str>) -> Result<Rules, RulesError> {
        let drop: Result<Vec<_>, _> = drop.into_iter().filter_map(selector).collect();
        Ok(Rules { content: selector(content).transpose()?, drop: drop? })
    }
}

fn selector(text: &str) -> Option<Result<Selector, RulesError>> {
    let text = text.trim();
    let parsed =
        Selector::parse(text).map_err(|reason| RulesError { selector: text.chars().take(100).collect(), reason });
    (!text.is_empty()).then_some(parsed)
}
