//! The namespaces of feeds, by their addresses or, if undeclared, by their usual prefixes.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Ns {
    /// No namespace, or an unknown default namespace.
    None,
    /// RSS of any version.
    Rss,
    /// Atom 0.3.
    Atom03,
    /// Atom 1.0.
    Atom,
    /// RDF itself.
    Rdf,
    /// `content:encoded`.
    Content,
    /// Dublin Core, elements.
    Dc,
    /// Dublin Core, terms.
    DcTerms,
    /// Media RSS.
    Media,
    /// Podcasts.
    Itunes,
    /// Comment counts.
    Slash,
    /// Comment feeds.
    Wfw,
    /// Update hints.
    Sy,
    /// Threads.
    Thr,
    /// FeedBurner.
    Feedburner,
    /// XHTML.
    Xhtml,
    /// The `xml:` prefix.
    Xml,
    /// Anything else.
    Other,
}

/// The namespace of an address, if it is known.
pub(crate) fn by_address(address: &str) -> Option<Ns> {
    let lower = address.trim().to_ascii_lowercase();
    let bare = lower.strip_prefix("http://").or_else(|| lower.strip_prefix("https://")).unwrap_or(&lower);
    let bare = bare.trim_end_matches(['/', '#']);
    Some(match bare {
        "www.w3.org/2005/atom" => Ns::Atom,
        "purl.org/atom/ns" | "purl.org/atom" | "example.com/newformat" | "example.com/necho" | "purl.org/echo" => {
            Ns::Atom03
        }
        "www.w3.org/1999/02/22-rdf-syntax-ns" => Ns::Rdf,
        "purl.org/rss/1.0/modules/content" => Ns::Content,
        "purl.org/rss/1.0/modules/slash" => Ns::Slash,
        "purl.org/rss/1.0/modules/syndication" => Ns::Sy,
        "purl.org/rss/1.0/modules/rss091" => Ns::Rss,
        "purl.org/dc/elements/1.1" | "purl.org/dc/elements/1.0" | "purl.org/dc/1.1" => Ns::Dc,
        "purl.org/dc/terms" => Ns::DcTerms,
        "search.yahoo.com/mrss" | "www.rssboard.org/media-rss" | "tools.search.yahoo.com/mrss" => Ns::Media,
        "www.itunes.com/dtds/podcast-1.0.dtd" | "example.com/dtds/podcast-1.0.dtd" => Ns::Itunes,
        "wellformedweb.org/commentapi" => Ns::Wfw,
        "purl.org/syndication/thread/1.0" => Ns::Thr,
        "rssnamespace.org/feedburner/ext/1.0" => Ns::Feedburner,
        "www.w3.org/1999/xhtml" | "www.w3.org/tr/rec-html40" | "www.w3.org/tr/html4" => Ns::Xhtml,
        "www.w3.org/xml/1998/namespace" => Ns::Xml,
        "purl.org/rss/1.0"
        | "purl.org/net/rss1.1"
        | "my.netscape.com/rdf/simple/0.9"
        | "channel.netscape.com/rdf/simple/0.9" => Ns::Rss,
        "backend.userland.com/rss" | "backend.userland.com/rss2" | "blogs.law.harvard.edu/tech/rss" => Ns::Rss,
        "cyber.law.harvard.edu/rss/rss.html"
        | "my.netscape.com/publish/formats/rss-0.91.dtd"
        | "www.rssboard.org/rss-specification" => Ns::Rss,
        _ if bare.starts_with("backend.userland.com/rss") || bare.starts_with("purl.org/rss/1.0/rss") => Ns::Rss,
        "www.w3.org/2000/svg" | "www.w3.org/1998/math/mathml" => Ns::Other,
        _ => return None,
    })
}

/// The namespace that a prefix usually has.
pub(crate) fn by_prefix(prefix: &str) -> Ns {
    let mut buffer = [0u8; 12];
    let Some(lower) = buffer.get_mut(..prefix.len()) else { return Ns::Other };
    lower.copy_from_slice(prefix.as_bytes());
    lower.make_ascii_lowercase();
    match &*lower {
        b"" => Ns::None,
        b"atom" | b"a10" | b"atom10" => Ns::Atom,
        b"atom03" => Ns::Atom03,
        b"rdf" => Ns::Rdf,
        b"rss" | b"rss1" | b"rss10" => Ns::Rss,
        b"content" => Ns::Content,
        b"dc" => Ns::Dc,
        b"dcterms" => Ns::DcTerms,
        b"media" | b"mrss" => Ns::Media,
        b"itunes" => Ns::Itunes,
        b"slash" => Ns::Slash,
        b"wfw" => Ns::Wfw,
        b"sy" => Ns::Sy,
        b"thr" => Ns::Thr,
        b"feedburner" => Ns::Feedburner,
        b"xhtml" | b"html" | b"h" | b"body" => Ns::Xhtml,
        b"xml" => Ns::Xml,
        _ => Ns::Other,
    }
}

/// Further declarations are ignored.
const MAX_BINDINGS: usize = 256;

/// The prefixes in scope.
#[derive(Debug, Default)]
pub(crate) struct Scopes<'a> {
    bindings: Vec<(usize, &'a str, Ns)>,
}

impl<'a> Scopes<'a> {
    /// Binds a prefix (empty for the default) from an element at this depth on.
    pub(crate) fn bind(&mut self, depth: usize, prefix: &'a str, address: &str) {
        if self.bindings.len() < MAX_BINDINGS {
            let ns = by_address(address).unwrap_or_else(|| by_prefix(prefix));
            self.bindings.push((depth, prefix, ns));
        }
    }

    /// Removes the bindings of elements deeper than this.
    pub(crate) fn leave(&mut self, depth: usize) {
        while self.bindings.last().is_some_and(|(bound, _, _)| *bound > depth) {
            self.bindings.pop();
        }
    }

    /// The namespace of a prefix in the current scope.
    pub(crate) fn resolve(&self, prefix: &str) -> Ns {
        let bound = self.bindings.iter().rev().find(|(_, known, _)| known.eq_ignore_ascii_case(prefix));
        bound.map_or_else(|| by_prefix(prefix), |(_, _, ns)| *ns)
    }
}
