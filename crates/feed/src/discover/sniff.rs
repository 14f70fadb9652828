//! Detects feeds by their content.

use super::{
    CandidateKind, heuristics,
    html::{self, HtmlTag, HtmlToken, HtmlTokens},
};

/// The root element must be within these bytes; broken servers send messages before it.
const WINDOW_BYTES: usize = 64 << 10;

/// The format of a feed, or `None` for other documents. The content decides, because headers are unreliable.
pub fn is_feed(bytes: &[u8], content_type: Option<&str>) -> Option<CandidateKind> {
    let text = html::decode(&bytes[..bytes.len().min(WINDOW_BYTES)], content_type);
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
    if start.starts_with('{') {
        return is_json_feed(start, content_type).then_some(CandidateKind::Json);
    }
    let tags = HtmlTokens::of(start).filter_map(|token| match token {
        HtmlToken::Tag(tag) if !tag.is_end => Some(tag),
        _ => None,
    });
    for tag in tags {
        match classify(&tag, start) {
            Verdict::Feed(kind) => return Some(kind),
            Verdict::Other => return None,
            // Possibly a message of a broken program before the feed.
            Verdict::Undecided => {}
        }
    }
    None
}

enum Verdict {
    Feed(CandidateKind),
    Other,
    Undecided,
}

fn classify(tag: &HtmlTag, text: &str) -> Verdict {
    let local = tag.name.rsplit(':').next().unwrap_or_default();
    match local {
        "rss" => Verdict::Feed(CandidateKind::Rss),
        // RDF is not only used for feeds.
        "rdf" if ["purl.org/rss", "my.netscape.com", "<channel", "<item"].iter().any(|mark| text.contains(mark)) => {
            Verdict::Feed(CandidateKind::Rss)
        }
        "feed" | "entry" => Verdict::Feed(CandidateKind::Atom),
        "channel" | "item" => Verdict::Feed(CandidateKind::Rss),
        "html" | "head" | "body" | "opml" | "urlset" | "sitemapindex" | "svg" | "rdf" => Verdict::Other,
        _ => Verdict::Undecided,
    }
}

fn is_json_feed(text: &str, content_type: Option<&str>) -> bool {
    let is_declared = content_type.and_then(heuristics::kind_of_type) == Some(CandidateKind::Json);
    text.contains("jsonfeed.org/version/")
        || text.contains("jsonfeed.org\\/version\\/")
        || (is_declared && text.contains("\"items\""))
}
