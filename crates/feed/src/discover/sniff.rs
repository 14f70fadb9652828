//! Whether some bytes are a feed, by what they hold.

use super::{
    Kind,
    html::{self, Piece, Pieces, Tag},
    looks,
};

/// The root of a feed is never further down than this, whatever a broken server puts before it.
const WINDOW: usize = 64 << 10;

/// What feed some bytes are; none if they are a page or anything else. Headers lie: the content decides.
pub fn is_feed(bytes: &[u8], content_type: Option<&str>) -> Option<Kind> {
    let text = html::decode(&bytes[..bytes.len().min(WINDOW)], content_type);
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
    if start.starts_with('{') {
        return is_json_feed(start, content_type).then_some(Kind::Json);
    }
    let tags = Pieces::of(start).filter_map(|piece| match piece {
        Piece::Tag(tag) if !tag.is_end => Some(tag),
        _ => None,
    });
    for tag in tags {
        match judge(&tag, start) {
            Verdict::Feed(kind) => return Some(kind),
            Verdict::Other => return None,
            // Messages of a broken program, say, which come before the feed.
            Verdict::GoOn => {}
        }
    }
    None
}

enum Verdict {
    Feed(Kind),
    Other,
    GoOn,
}

fn judge(tag: &Tag, text: &str) -> Verdict {
    let local = tag.name.rsplit(':').next().unwrap_or_default();
    match local {
        "rss" => Verdict::Feed(Kind::Rss),
        // Other documents are RDF too.
        "rdf" if ["purl.org/rss", "my.netscape.com", "<channel", "<item"].iter().any(|mark| text.contains(mark)) => {
            Verdict::Feed(Kind::Rss)
        }
        "feed" | "entry" => Verdict::Feed(Kind::Atom),
        "channel" | "item" => Verdict::Feed(Kind::Rss),
        "html" | "head" | "body" | "opml" | "urlset" | "sitemapindex" | "svg" | "rdf" => Verdict::Other,
        _ => Verdict::GoOn,
    }
}

fn is_json_feed(text: &str, content_type: Option<&str>) -> bool {
    let says_so = content_type.and_then(looks::kind_of_type) == Some(Kind::Json);
    text.contains("jsonfeed.org/version/")
        || text.contains("jsonfeed.org\\/version\\/")
        || (says_so && text.contains("\"items\""))
}
