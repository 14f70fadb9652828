//! Rules of a feed.

use article::{ExtractError, Rules};

use crate::{TEXT, try_read};

#[test]
fn selectors_choose_and_drop() {
    let rules = Rules::parse(".story", ["p.note", ""]).unwrap();
    let page = format!("<div>{TEXT}</div><div class=story>Short. <p class=note>A note.</p><b>Story.</b></div>");
    let article = try_read(&page, &rules).unwrap();
    assert_eq!(article.text, "Short. Story.");
}

#[test]
fn drop_applies_without_a_content_selector() {
    let rules = Rules::parse("", ["p"]).unwrap();
    assert_eq!(rules.content, None);
    let article = try_read(&format!("<div>{TEXT}</div><div>The rest.</div>"), &rules).unwrap();
    assert_eq!(article.text, "The rest.");
}

#[test]
fn content_that_does_not_match_is_an_error() {
    let rules = Rules::parse("#absent", []).unwrap();
    assert_eq!(try_read(TEXT, &rules), Err(ExtractError::NoMatch));
}

#[test]
fn invalid_selectors_are_errors_with_words() {
    let error = Rules::parse("a:hover", []).unwrap_err().to_string();
    assert_eq!(error, "cannot use the selector `a:hover`: `:hover` is not understood in a selector");
    assert!(Rules::parse("", ["p", "["]).is_err());
}
