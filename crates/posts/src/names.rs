//! What the tags and classes around a node say, computed once for the whole page.

use article::dom::{Document, NodeId, Tag};

/// The rest of a longer class is ignored.
const MAX_CLASS_BYTES: usize = 200;
/// The levels of a card.
const CARD_LEVELS: usize = 4;
/// The levels in which a name is looked for.
const NAME_LEVELS: usize = 8;

/// The class of an element, up to a limit.
pub(crate) fn class<'a>(document: &Document<'a>, id: NodeId) -> &'a str {
    let class = document.raw_attribute(id, "class").unwrap_or_default();
    let end = (0..=class.len().min(MAX_CLASS_BYTES)).rev().find(|end| class.is_char_boundary(*end)).unwrap_or(0);
    class.get(..end).unwrap_or_default()
}

/// The names of a node.
#[derive(Debug, Clone, Copy, Default)]
struct NodeNames {
    /// A hash of the tag and the first class.
    own: u64,
    /// The same for all elements around it.
    path: u64,
    has_class: bool,
    is_post: bool,
    is_article: bool,
    is_title: bool,
}

/// The names of all nodes.
pub(crate) struct Names<'d> {
    document: &'d Document<'d>,
    nodes: Vec<NodeNames>,
}

impl<'d> Names<'d> {
    pub(crate) fn of(document: &'d Document<'d>) -> Names<'d> {
        let mut nodes: Vec<NodeNames> = Vec::with_capacity(document.len());
        for id in document.nodes() {
            let above =
                document.parent(id).and_then(|parent| nodes.get(parent.index())).map_or(HASH_START, |above| above.path);
            nodes.push(if document.tag(id) == Tag::Text { NodeNames::default() } else { names(document, id, above) });
        }
        Names { document, nodes }
    }

    /// A hash of the tags and classes around a link. The links of a list share it, also in later versions of the page.
    pub(crate) fn template(&self, anchor: NodeId) -> u64 {
        self.get(anchor).path
    }

    /// A hash of the nearest elements, if they have names.
    pub(crate) fn card(&self, anchor: NodeId) -> Option<u64> {
        let levels = || self.around(anchor).take(CARD_LEVELS);
        let named = levels().filter(|names| names.has_class).count();
        (named >= 2).then(|| levels().fold(HASH_START, |card, names| hash(card, names.own.to_le_bytes())))
    }

    /// Whether an element around a link is named as a post.
    pub(crate) fn is_in_post(&self, anchor: NodeId) -> bool {
        self.around(anchor).take(NAME_LEVELS).any(|names| names.is_post)
    }

    /// Whether a link is inside an `article`.
    pub(crate) fn is_in_article(&self, anchor: NodeId) -> bool {
        self.around(anchor).take(NAME_LEVELS).any(|names| names.is_article)
    }

    /// Whether a link is named as a title.
    pub(crate) fn is_title(&self, anchor: NodeId) -> bool {
        self.around(anchor).take(2).any(|names| names.is_title)
    }

    fn around(&self, id: NodeId) -> impl Iterator<Item = NodeNames> {
        std::iter::once(id).chain(self.document.ancestors(id)).map(|id| self.get(id))
    }

    fn get(&self, id: NodeId) -> NodeNames {
        self.nodes.get(id.index()).copied().unwrap_or_default()
    }
}

const POSTS: &[&str] = &[
    "post", "posts", "entry", "entries", "hentry", "article", "articles", "blog", "archive", "archives", "news",
    "topics", "note", "notes", "story", "stories",
];

fn names(document: &Document<'_>, id: NodeId, above: u64) -> NodeNames {
    let (tag, class) = (document.tag(id), class(document, id));
    let is_page = matches!(tag, Tag::Body | Tag::Html);
    // All links share the classes of the page, and some sites change them, as for a dark theme.
    let first = if is_page { "" } else { class.split_ascii_whitespace().next().unwrap_or_default() };
    // Classes such as `post-289` differ from entry to entry.
    let first = without_build_hash(first).bytes().filter(|byte| !byte.is_ascii_digit());
    let name = document.name(id).bytes().map(|byte| byte.to_ascii_lowercase());
    let own = hash(HASH_START, name.chain([b'.']).chain(first));
    let mut words = class.split(|c: char| !c.is_ascii_alphanumeric());
    NodeNames {
        own,
        path: hash(above, own.to_le_bytes()),
        has_class: !class.trim().is_empty(),
        is_post: !is_page && words.any(|word| POSTS.iter().any(|known| word.eq_ignore_ascii_case(known))),
        is_article: tag == Tag::Article,
        is_title: class.contains("title"),
    }
}

/// The class without what a build tool adds: `card__Z6MsX` changes whenever the site is built.
fn without_build_hash(class: &str) -> &str {
    let Some((stem, end)) = class.rsplit_once("__") else { return class };
    let has = |is_kind: fn(&u8) -> bool| end.as_bytes().iter().any(is_kind);
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let is_hash = (5..=8).contains(&end.len()) && (is_mixed || has(u8::is_ascii_digit));
    if is_hash { stem } else { class }
}

const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;
const HASH_PRIME: u64 = 0x0100_0000_01b3;

/// FNV-1a. The hashes name lists for years, so that they must not depend on the hasher of the standard library.
fn hash(start: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(HASH_PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_build_tools_are_left_out() {
        assert_eq!(without_build_hash("Card_card__Z6MsX"), "Card_card");
        assert_eq!(without_build_hash("list__a1b2c"), "list");
        for class in ["card__title", "card", "card__btn", "a__", "__"] {
            assert_eq!(without_build_hash(class), class);
        }
    }
}
