//! Why a page has no posts, in words that help.

use article::dom::{Document, Tag};

use crate::frame::Place;

/// Why no posts were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The address of the page is unknown, so that its links lead nowhere.
    NoAddress,
    /// Scripts write the page.
    NeedsScript,
    /// A captcha, or a check of the browser.
    Blocked,
    /// A page without a list of posts.
    NoList,
}

impl Absence {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Absence::NoAddress => "the address of the page is unknown",
            Absence::NeedsScript => "the page needs JavaScript to show its content",
            Absence::Blocked => "the page asks for a captcha or a login",
            Absence::NoList => "the page has no list of posts",
        }
    }
}

/// A page with less text has none, and its scripts write it.
const SHELL_BYTES: usize = 400;
/// A page that checks the browser shows little else.
const CHECK_BYTES: usize = 3_000;

pub(crate) fn why(document: &Document<'_>, places: &[Place], candidates: usize) -> Absence {
    let is_shown = |index: usize| places.get(index).is_some_and(|place| !place.is_hidden);
    let shown: usize =
        document.nodes().filter(|id| is_shown(id.index())).map(|id| document.text(id).trim().len()).sum();
    let has_script = document.all(Tag::Script).next().is_some();
    if has_script && shown < SHELL_BYTES && candidates < 3 { Absence::NeedsScript } else { Absence::NoList }
}

const CHECKS: &[&str] = &[
    "verify you are human",
    "verifying you are human",
    "are you a robot",
    "not a robot",
    "checking your browser",
    "just a moment",
    "enable javascript and cookies",
    "unusual traffic",
    "captcha",
    "access denied",
    "ロボットではありません",
    "アクセスが制限",
    "请完成安全验证",
    "人机验证",
];

/// Whether the page is a check instead of what was asked for.
pub(crate) fn is_blocked(document: &Document<'_>) -> bool {
    let body = document.first(Tag::Body);
    let Some(body) = body else { return false };
    let title = document.first(Tag::Title).map(|title| document.text_of(title)).unwrap_or_default();
    let text = document.text_of(body);
    text.len() < CHECK_BYTES && {
        let text = (title + " " + &text).to_lowercase();
        CHECKS.iter().any(|check| text.contains(check))
    }
}
