//! Messages about the problem of a feed or of a page.

use read::Problem;
use store::feeds::FetchStatus;

use super::{
    problem_table::{AUTOMATIC, OPEN_ORIGINAL, PAGE_GONE, PAGE_TOO_LARGE, find_problem},
    row::MessageValues,
};
use crate::{Language, LocalizedText};

/// The problem of a subscribed feed and what to do about it; `None` without an error code.
pub(crate) fn feed_problem_text(code: Option<&str>, status: FetchStatus, language: Language) -> Option<String> {
    let row = find_problem(code?);
    let advice = if status == FetchStatus::Stopped { row.stopped } else { AUTOMATIC };
    Some(joined(row.message, advice, language))
}

/// Like [`feed_problem_text`], for a feed that an import has added.
pub(crate) fn added_problem_text(code: &str, language: Language) -> Option<String> {
    let stops = Problem::from_code(code).is_some_and(Problem::stops);
    feed_problem_text(Some(code), if stops { FetchStatus::Stopped } else { FetchStatus::Error }, language)
}

/// Why an import failed to add a feed, and what to do about it.
pub(crate) fn import_failure_text(code: &str, language: Language) -> String {
    let row = find_problem(code);
    joined(row.message, row.action, language)
}

/// Why the page of an item has no text to show, and what to do about it.
pub(crate) fn page_problem_text(code: &str, language: Language) -> String {
    // The other messages do not speak of a feed.
    let message = match Problem::from_code(code) {
        Some(Problem::Gone) => PAGE_GONE,
        Some(Problem::TooLarge) => PAGE_TOO_LARGE,
        _ => find_problem(code).message,
    };
    joined(message, OPEN_ORIGINAL, language)
}

fn joined(message: LocalizedText, action: LocalizedText, language: Language) -> String {
    let space = match language {
        Language::English => " ",
        Language::Japanese => "",
    };
    [message, action].map(|words| words.filled(language, &MessageValues::new())).join(space)
}

#[cfg(test)]
mod tests {
    use strum::VariantNames;

    use super::*;

    #[test]
    fn problems_have_text_and_advice_in_both_languages() {
        for problem in Problem::VARIANTS {
            for status in [FetchStatus::Error, FetchStatus::Stopped] {
                let text = |language| feed_problem_text(Some(problem), status, language).unwrap();
                assert!(text(Language::English).is_ascii(), "{problem}");
                assert!(text(Language::English).matches(". ").count() >= 1, "{problem}: what happened and what to do");
                assert!(!text(Language::Japanese).contains(' ') || *problem == "address_refused", "{problem}");
                assert!(text(Language::Japanese).matches('。').count() >= 2, "{problem}");
            }
            assert!(import_failure_text(problem, Language::English).is_ascii(), "{problem}");
        }
        assert_eq!(feed_problem_text(None, FetchStatus::Active, Language::English), None);
        assert_eq!(
            feed_problem_text(Some("gone"), FetchStatus::Stopped, Language::English).unwrap(),
            "The site answered 410: this feed has been removed. Find the new address of the feed, or unsubscribe."
        );
    }

    #[test]
    fn problems_of_pages_do_not_speak_of_feeds() {
        let not_of_pages = [Problem::NotAFeed.code()];
        for problem in Problem::VARIANTS.iter().filter(|code| !not_of_pages.contains(code)) {
            let english = page_problem_text(problem, Language::English);
            assert!(!english.contains("feed") && english.ends_with("Open the original to read it."), "{english}");
            let japanese = page_problem_text(problem, Language::Japanese);
            assert!(!japanese.contains("フィード") && japanese.ends_with("お読みください。"), "{japanese}");
        }
    }

    #[test]
    fn unknown_codes_have_a_text() {
        assert!(feed_problem_text(Some("from the future"), FetchStatus::Error, Language::Japanese).is_some());
        assert!(!import_failure_text("from the future", Language::English).is_empty());
    }
}
