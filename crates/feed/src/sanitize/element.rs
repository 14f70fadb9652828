//! How each HTML tag is treated.

/// The treatment of a tag. A name in it is the tag that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// Holds text and inline markup: `p`, `h2` to `h6`, `pre`.
    Leaf(&'static str),
    /// A block without a tag of its own: a paragraph if it has text of its own.
    Block,
    /// Holds blocks, or other containers only: lists, tables, figures.
    Container(&'static str),
    /// Inline markup without a blank around it.
    Inline(&'static str),
    /// `xmp`: `pre` without markup inside.
    Verbatim,
    /// `plaintext`: the rest is text.
    PlainText,
    /// `br`.
    Break,
    /// `wbr`.
    WordBreak,
    /// `hr`.
    Rule,
    /// `img`.
    Image,
    /// `input`: a checkbox becomes a mark.
    Input,
    /// `video`, `audio`.
    Media,
    /// `iframe`.
    Frame,
    /// `embed`, `object`.
    Embed,
    /// `source`.
    Source,
    /// `picture`.
    Picture,
    /// `noscript`.
    NoScript,
    /// `math`.
    Math,
    /// Removed with its content, which is not markup; without an end tag, the rest is removed.
    Raw,
    /// Removed with its content; without an end tag, only the tag is removed.
    Dropped,
    /// Replaced by its content.
    Transparent,
}

impl Element {
    /// The element of a tag name, ignoring case.
    pub(super) fn named(name: &str) -> Self {
        let mut lower = [0_u8; 10];
        let Some(lower) = lower.get_mut(..name.len()) else { return Self::Transparent };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        if let Some(tag) = inline_tag(lower) {
            return Self::Inline(tag);
        }
        match &*lower {
            b"p" => Self::Leaf("p"),
            // The page has an `h1` of its own.
            b"h1" | b"h2" => Self::Leaf("h2"),
            b"h3" => Self::Leaf("h3"),
            b"h4" => Self::Leaf("h4"),
            b"h5" => Self::Leaf("h5"),
            b"h6" => Self::Leaf("h6"),
            b"pre" | b"listing" => Self::Leaf("pre"),
            b"div" | b"section" | b"article" | b"main" | b"header" | b"footer" | b"aside" | b"nav" | b"address"
            | b"center" | b"dialog" | b"fieldset" | b"form" | b"hgroup" | b"search" | b"legend" | b"marquee" => {
                Self::Block
            }
            b"xmp" => Self::Verbatim,
            b"plaintext" => Self::PlainText,
            b"br" => Self::Break,
            b"wbr" => Self::WordBreak,
            b"hr" => Self::Rule,
            b"img" | b"image" => Self::Image,
            b"input" => Self::Input,
            b"video" | b"audio" => Self::Media,
            b"iframe" => Self::Frame,
            b"embed" | b"object" => Self::Embed,
            b"source" => Self::Source,
            b"picture" => Self::Picture,
            b"noscript" => Self::NoScript,
            b"math" => Self::Math,
            b"script" | b"style" | b"textarea" | b"title" | b"noembed" | b"noframes" => Self::Raw,
            b"svg" | b"template" | b"head" | b"select" | b"button" | b"canvas" | b"datalist" => Self::Dropped,
            other => container_tag(other).map_or(Self::Transparent, Self::Container),
        }
    }

    /// A number that is the same for elements that the same end tag ends. Comparing texts would take most of the time for a
    /// body with many end tags.
    pub(super) fn key(self) -> u64 {
        match self {
            Self::Leaf("h2" | "h3" | "h4" | "h5" | "h6") => 1,
            Self::Leaf(name) | Self::Container(name) | Self::Inline(name) => {
                // No two of the names begin with the same eight letters.
                name.bytes().take(8).fold(0, |key, byte| key << 8 | u64::from(byte))
            }
            Self::Block => 2,
            Self::Verbatim => 3,
            _ => 0,
        }
    }

    /// Whether it is a cell of a table.
    pub(super) fn is_cell(self) -> bool {
        matches!(self, Self::Container("td" | "th"))
    }

    /// Whether it is a list of items.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Container("ul" | "ol"))
    }

    /// Whether its end tag ends the cells of a table.
    pub(super) fn is_part_of_table(self) -> bool {
        matches!(self, Self::Container("table" | "caption" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th"))
    }
}

fn inline_tag(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"a" => "a",
        b"abbr" | b"acronym" => "abbr",
        b"b" => "b",
        b"bdi" => "bdi",
        b"bdo" => "bdo",
        b"cite" => "cite",
        b"code" | b"tt" => "code",
        b"del" => "del",
        b"dfn" => "dfn",
        b"em" => "em",
        b"i" => "i",
        b"ins" => "ins",
        b"kbd" => "kbd",
        b"mark" => "mark",
        b"q" => "q",
        b"rb" => "rb",
        b"rp" => "rp",
        b"rt" => "rt",
        b"ruby" => "ruby",
        b"s" | b"strike" => "s",
        b"samp" => "samp",
        b"small" => "small",
        b"span" => "span",
        b"strong" => "strong",
        b"sub" => "sub",
        b"sup" => "sup",
        b"time" => "time",
        b"u" => "u",
        b"var" => "var",
        _ => return None,
    })
}

fn container_tag(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"blockquote" => "blockquote",
        b"caption" => "caption",
        b"dd" => "dd",
        b"details" => "details",
        b"dl" => "dl",
        b"dt" => "dt",
        b"figcaption" => "figcaption",
        b"figure" => "figure",
        b"li" => "li",
        b"ol" => "ol",
        b"summary" => "summary",
        b"table" => "table",
        b"tbody" => "tbody",
        b"td" => "td",
        b"tfoot" => "tfoot",
        b"th" => "th",
        b"thead" => "thead",
        b"tr" => "tr",
        b"ul" | b"menu" | b"dir" => "ul",
        _ => return None,
    })
}

/// The container that is added around anything else in a container of this kind: a list holds only items.
pub(super) fn automatic_child(container: &str) -> Option<&'static str> {
    Some(match container {
        "ul" | "ol" => "li",
        "dl" => "dd",
        "table" => "tbody",
        "thead" | "tbody" | "tfoot" => "tr",
        "tr" => "td",
        _ => return None,
    })
}

/// Whether a container may have another one directly inside.
fn is_direct(parent: &str, child: &str) -> bool {
    match child {
        "li" => matches!(parent, "ul" | "ol"),
        "dt" | "dd" => parent == "dl",
        "caption" | "thead" | "tbody" | "tfoot" => parent == "table",
        "tr" => matches!(parent, "thead" | "tbody" | "tfoot"),
        "td" | "th" => parent == "tr",
        "summary" => parent == "details",
        "figcaption" => parent == "figure",
        _ => automatic_child(parent).is_none(),
    }
}

/// The containers that have to be added between two containers; `None` if the second one may not be in the first.
pub(super) fn between(parent: &str, child: &str) -> Option<Vec<&'static str>> {
    let mut added: Vec<&'static str> = Vec::new();
    while !is_direct(added.last().copied().unwrap_or(parent), child) {
        added.push(automatic_child(added.last().copied().unwrap_or(parent))?);
    }
    Some(added)
}
