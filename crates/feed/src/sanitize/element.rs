//! How each HTML tag is treated.

/// A group of tags that are treated alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// `p`.
    Paragraph,
    /// A block without a tag in the output: a paragraph if it has text of its own.
    Block,
    /// A heading: a strong paragraph.
    Heading,
    /// A caption: an emphasised paragraph.
    Caption,
    /// `ul` and similar.
    Bullets,
    /// `ol`.
    Numbers,
    /// `li`.
    Item,
    /// `blockquote`.
    Quote,
    /// `pre`.
    Preformatted,
    /// `xmp`: `pre` without markup inside.
    Verbatim,
    /// `plaintext`: the rest is text.
    PlainText,
    /// `dl`.
    Definitions,
    /// `dt`.
    Term,
    /// `dd`.
    Definition,
    /// `table`.
    Table,
    /// `thead`.
    HeadRows,
    /// `tbody`, `tfoot`.
    Rows,
    /// `tr`.
    Row,
    /// `th`.
    HeadCell,
    /// `td`.
    Cell,
    /// `br`.
    Break,
    /// `hr`.
    Rule,
    /// `a`.
    Anchor,
    /// `strong`, `b`.
    Strong,
    /// `em`, `i` and the like.
    Emphasis,
    /// `code` and the like.
    Code,
    /// `q`.
    InlineQuote,
    /// `rt`: the reading of a word.
    Reading,
    /// `rp`: the fallback for browsers without `rt`.
    ReadingFallback,
    /// `img`.
    Image,
    /// `video`, `audio`.
    Media,
    /// `iframe`.
    Frame,
    /// `embed`.
    Embed,
    /// `object`.
    Object,
    /// `source`.
    Source,
    /// `noscript`.
    NoScript,
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
        match &*lower {
            b"p" => Self::Paragraph,
            b"div" | b"section" | b"article" | b"main" | b"header" | b"footer" | b"aside" | b"nav" | b"figure"
            | b"address" | b"center" | b"details" | b"dialog" | b"fieldset" | b"form" | b"hgroup" | b"search"
            | b"legend" | b"marquee" => Self::Block,
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"summary" => Self::Heading,
            b"figcaption" | b"caption" => Self::Caption,
            b"ul" | b"menu" | b"dir" => Self::Bullets,
            b"ol" => Self::Numbers,
            b"li" => Self::Item,
            b"blockquote" => Self::Quote,
            b"pre" | b"listing" => Self::Preformatted,
            b"xmp" => Self::Verbatim,
            b"plaintext" => Self::PlainText,
            b"dl" => Self::Definitions,
            b"dt" => Self::Term,
            b"dd" => Self::Definition,
            b"table" => Self::Table,
            b"thead" => Self::HeadRows,
            b"tbody" | b"tfoot" => Self::Rows,
            b"tr" => Self::Row,
            b"th" => Self::HeadCell,
            b"td" => Self::Cell,
            b"br" => Self::Break,
            b"hr" => Self::Rule,
            b"a" => Self::Anchor,
            b"strong" | b"b" => Self::Strong,
            b"em" | b"i" | b"cite" | b"dfn" | b"var" => Self::Emphasis,
            b"code" | b"tt" | b"kbd" | b"samp" => Self::Code,
            b"q" => Self::InlineQuote,
            b"rt" => Self::Reading,
            b"rp" => Self::ReadingFallback,
            b"img" | b"image" => Self::Image,
            b"video" | b"audio" => Self::Media,
            b"iframe" => Self::Frame,
            b"embed" => Self::Embed,
            b"object" => Self::Object,
            b"source" => Self::Source,
            b"noscript" => Self::NoScript,
            b"script" | b"style" | b"textarea" | b"title" | b"noembed" | b"noframes" => Self::Raw,
            b"svg" | b"math" | b"template" | b"head" | b"select" | b"button" | b"canvas" | b"datalist" => Self::Dropped,
            _ => Self::Transparent,
        }
    }

    /// Whether it is inline markup rather than a block.
    pub(super) fn is_inline(self) -> bool {
        matches!(self, Self::Anchor | Self::Strong | Self::Emphasis | Self::Code | Self::InlineQuote | Self::Reading)
    }

    /// Whether it is a cell of a table.
    pub(super) fn is_cell(self) -> bool {
        matches!(self, Self::Cell | Self::HeadCell)
    }

    /// Whether it is a list of items.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Bullets | Self::Numbers)
    }

    /// Whether its end tag closes the cells of a table.
    pub(super) fn is_part_of_table(self) -> bool {
        self.is_cell() || matches!(self, Self::Table | Self::HeadRows | Self::Rows | Self::Row)
    }
}
