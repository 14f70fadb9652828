//! Names of elements as small values.

/// A name as a number, so that looking it up is a few comparisons. Zero for longer names.
const fn pack(name: &[u8]) -> u128 {
    if name.len() > 16 {
        return 0;
    }
    let (mut packed, mut at) = (0, 0);
    while at < name.len() {
        packed = (packed << 8) | name[at].to_ascii_lowercase() as u128;
        at += 1;
    }
    packed
}

macro_rules! tags {
    ($($variant:ident $name:literal)*) => {
        /// The name of an element, or one of the kinds of other nodes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Tag {
            /// The root of a page.
            Document,
            /// A text.
            Text,
            /// An element with a name that is not in this list.
            Other,
            $(#[doc = concat!("`", $name, "`.")] $variant,)*
        }

        impl Tag {
            /// The number of tags.
            pub(super) const COUNT: usize = [$($name),*].len() + 3;

            /// The tag with this name, in any case.
            #[expect(non_upper_case_globals, reason = "a constant for each variant")]
            pub fn named(name: &str) -> Tag {
                $(const $variant: u128 = pack($name.as_bytes());)*
                match pack(name.as_bytes()) {
                    $($variant => Tag::$variant,)*
                    _ => Tag::Other,
                }
            }

            /// The name in lower case; nothing for [`Tag::Other`] and nodes that are not elements.
            pub fn name(self) -> &'static str {
                match self {
                    Tag::Document | Tag::Text | Tag::Other => "",
                    $(Tag::$variant => $name,)*
                }
            }
        }
    };
}

tags! {
    A "a" Abbr "abbr" Acronym "acronym" Address "address" Applet "applet" Area "area" Article "article" Aside "aside"
    Audio "audio" B "b" Base "base" Bdi "bdi" Bdo "bdo" Big "big" Blockquote "blockquote" Body "body" Br "br"
    Button "button" Canvas "canvas" Caption "caption" Center "center" Cite "cite" Code "code" Col "col"
    Colgroup "colgroup" Data "data" Datalist "datalist" Dd "dd" Del "del" Details "details" Dfn "dfn" Dialog "dialog"
    Dir "dir" Div "div" Dl "dl" Dt "dt" Em "em" Embed "embed" Fieldset "fieldset" Figcaption "figcaption"
    Figure "figure" Font "font" Footer "footer" ForeignObject "foreignobject" Form "form" Frame "frame"
    Frameset "frameset" H1 "h1" H2 "h2" H3 "h3" H4 "h4" H5 "h5" H6 "h6" Head "head" Header "header" Hgroup "hgroup"
    Hr "hr" Html "html" I "i" Iframe "iframe" Img "img" Input "input" Ins "ins" Kbd "kbd" Label "label"
    Legend "legend" Li "li" Link "link" Listing "listing" Main "main" Map "map" Mark "mark" Marquee "marquee"
    Math "math" Menu "menu" Meta "meta" Meter "meter" Nav "nav" Nobr "nobr" Noembed "noembed" Noframes "noframes"
    Noscript "noscript" Object "object" Ol "ol" Optgroup "optgroup" Option "option" Output "output" P "p"
    Param "param" Picture "picture" Pre "pre" Progress "progress" Q "q" Rb "rb" Rp "rp" Rt "rt" Rtc "rtc"
    Ruby "ruby" S "s" Samp "samp" Script "script" Section "section" Select "select" Slot "slot" Small "small"
    Source "source" Span "span" Strike "strike" Strong "strong" Style "style" Sub "sub" Summary "summary" Sup "sup"
    Svg "svg" Table "table" Tbody "tbody" Td "td" Template "template" Textarea "textarea" Tfoot "tfoot" Th "th"
    Thead "thead" Time "time" Title "title" Tr "tr" Track "track" Tt "tt" U "u" Ul "ul" Var "var" Video "video"
    Wbr "wbr" Xmp "xmp"
}

impl Tag {
    /// An element without content.
    pub fn is_void(self) -> bool {
        use Tag::*;
        matches!(
            self,
            Area | Base | Br | Col | Embed | Frame | Hr | Img | Input | Link | Meta | Param | Source | Track | Wbr
        )
    }

    /// An element whose content is text, not markup.
    pub(super) fn is_raw(self) -> bool {
        use Tag::*;
        matches!(self, Script | Style | Textarea | Title | Xmp | Iframe | Noembed | Noframes)
    }

    /// An element with its own lines, as browsers show it.
    pub fn is_block(self) -> bool {
        use Tag::*;
        self.ends_paragraph()
            || matches!(
                self,
                Document
                    | Html
                    | Body
                    | Tr
                    | Td
                    | Th
                    | Tbody
                    | Thead
                    | Tfoot
                    | Caption
                    | Dd
                    | Dt
                    | Li
                    | Noscript
                    | Legend
                    | Optgroup
                    | Option
            )
    }

    /// A start tag that ends an open `p`.
    pub(super) fn ends_paragraph(self) -> bool {
        use Tag::*;
        matches!(
            self,
            Address
                | Article
                | Aside
                | Blockquote
                | Center
                | Details
                | Dialog
                | Dir
                | Div
                | Dl
                | Fieldset
                | Figcaption
                | Figure
                | Footer
                | Form
                | Header
                | Hgroup
                | Hr
                | Main
                | Menu
                | Nav
                | Ol
                | P
                | Pre
                | Section
                | Summary
                | Table
                | Ul
                | Xmp
                | Listing
        ) || self.is_heading()
    }

    /// `h1` to `h6`.
    pub fn is_heading(self) -> bool {
        use Tag::*;
        matches!(self, H1 | H2 | H3 | H4 | H5 | H6)
    }

    /// An element that belongs into the head of a page.
    pub(super) fn is_of_head(self) -> bool {
        use Tag::*;
        matches!(self, Base | Link | Meta | Noscript | Script | Style | Template | Title)
    }

    /// Inline markup that may be nested wrongly.
    pub(super) fn is_formatting(self) -> bool {
        use Tag::*;
        matches!(self, A | B | Big | Code | Em | Font | I | Nobr | S | Small | Strike | Strong | Tt | U)
    }

    /// An element that an end tag outside of it does not close.
    pub(super) fn is_scope(self) -> bool {
        use Tag::*;
        matches!(self, Applet | Caption | Html | Marquee | Object | Table | Td | Template | Th | Document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tags_match() {
        for name in ["a", "div", "foreignobject", "h6", "blockquote", "figcaption"] {
            assert_eq!(Tag::named(name).name(), name);
        }
        assert_eq!(Tag::named("DIV"), Tag::Div);
        for unknown in ["", "x-y", "a-name-of-more-than-fourteen-bytes", "äöü"] {
            assert_eq!(Tag::named(unknown), Tag::Other);
        }
    }
}
