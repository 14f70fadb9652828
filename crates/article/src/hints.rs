//! What the class and the id of an element suggest about its content.

use crate::dom::{Document, NodeId};

/// A set of suggestions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Hints(u16);

impl Hints {
    /// Probably not part of the article.
    pub(crate) const UNLIKELY: Hints = Hints(1);
    /// Part of the article after all.
    pub(crate) const MAYBE: Hints = Hints(1 << 1);
    /// Raises the score.
    pub(crate) const GOOD: Hints = Hints(1 << 2);
    /// Lowers the score.
    pub(crate) const BAD: Hints = Hints(1 << 3);
    /// Buttons to share the article.
    pub(crate) const SHARE: Hints = Hints(1 << 4);
    /// The name of the author.
    pub(crate) const BYLINE: Hints = Hints(1 << 5);
    /// Never part of an article: comments, and what other sites put into a page.
    pub(crate) const FURNITURE: Hints = Hints(1 << 6);

    /// The caption of an image, or the name of its photographer.
    pub(crate) const CAPTION: Hints = Hints(1 << 7);
    /// The date of the article.
    pub(crate) const DATE: Hints = Hints(1 << 8);

    pub(crate) fn has(self, other: Hints) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn or(self, other: Hints) -> Hints {
        Hints(self.0 | other.0)
    }

    /// How much the text raises or lowers a score.
    fn weight(self) -> f32 {
        let good = if self.has(Hints::GOOD) { 25.0 } else { 0.0 };
        let bad = if self.has(Hints::BAD) { 25.0 } else { 0.0 };
        good - bad
    }
}

/// The suggestions for an element.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ElementHints {
    class: Hints,
    id: Hints,
}

impl ElementHints {
    pub(crate) fn of(words: &HintWords, document: &Document<'_>, id: NodeId) -> ElementHints {
        let mut hints = ElementHints::default();
        for (name, value) in document.attributes(id) {
            if name.eq_ignore_ascii_case("class") {
                hints.class = words.hints_in(value);
            } else if name.eq_ignore_ascii_case("id") {
                hints.id = words.hints_in(value);
            }
        }
        hints
    }

    pub(crate) fn has(self, hints: Hints) -> bool {
        self.class.or(self.id).has(hints)
    }

    /// How much class and id raise or lower a score.
    pub(crate) fn weight(self) -> f32 {
        self.class.weight() + self.id.weight()
    }
}

/// The words that suggest something, by the low bits of their first letter.
#[derive(Debug)]
pub(crate) struct HintWords {
    table: [Vec<(&'static [u8], u16)>; 32],
}

impl HintWords {
    pub(crate) fn new() -> HintWords {
        let mut table: [Vec<_>; 32] = Default::default();
        for (hints, words) in WORDS {
            for word in words.split_ascii_whitespace() {
                let first = word.as_bytes().first().copied().unwrap_or_default();
                if let Some(bucket) = table.get_mut(usize::from(first & 0x1f)) {
                    bucket.push((word.as_bytes(), hints.0));
                }
            }
        }
        HintWords { table }
    }

    /// The suggestions in a text.
    fn hints_in(&self, text: &str) -> Hints {
        let bytes = text.as_bytes();
        let mut found = 0;
        for (at, byte) in bytes.iter().enumerate() {
            let words = self.table.get(usize::from(byte & 0x1f)).map_or(&[][..], Vec::as_slice);
            for (word, hints) in words {
                let is_new = found & hints != *hints;
                if is_new && bytes.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word)) {
                    found |= hints;
                }
            }
        }
        Hints(found)
    }
}

const WORDS: &[(Hints, &str)] = &[
    (
        Hints::UNLIKELY,
        "-ad- ad-break agegate ai2html banner breadcrumb combx comment community cover-wrap disqus extra footer gdpr header \
         legends menu pager pagination popup related remark replies rss shoutbox sidebar skyscraper social sponsor \
         supplemental",
    ),
    (Hints::MAYBE, "and article body column content main mathjax shadow"),
    (Hints::GOOD, "article blog body content entry main page post story text"),
    (
        Hints::BAD,
        "-ad- banner com- combx comment contact footer gdpr hidden masthead media meta outbrain promo related scroll share \
         shopping shoutbox sidebar skyscraper sponsor tags widget",
    ),
    (Hints::SHARE, "share sharedaddy"),
    (Hints::BYLINE, "author byline dateline p-author writtenby"),
    (Hints::CAPTION, "caption photo-credit image-credit photo-by photographer image-source img-credit"),
    (
        Hints::DATE,
        "timestamp pubdate publish-date published date-published dateline post-date entry-date article-date updated",
    ),
    (
        Hints::FURNITURE,
        "taboola outbrain disqus commentlist comment-list comments-area comments-section comment-form commentform sharedaddy \
         addthis addtoany jp-relatedposts social-share share-buttons sharebuttons cookie-consent cookie-banner",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_case() {
        let words = HintWords::new();
        assert!(words.hints_in("Right-SideBar2").has(Hints::UNLIKELY));
        assert!(words.hints_in("post-entry").has(Hints::GOOD));
        assert_eq!(words.hints_in("prose"), Hints::default());
        assert_eq!(words.hints_in("日本 ー"), Hints::default());
    }
}
