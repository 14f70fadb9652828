//! Whether something is probably a feed, by its media type, address or text.

use url::Url;

use super::CandidateKind;

/// The format of a media type.
pub fn kind_of_type(media_type: &str) -> Option<CandidateKind> {
    let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if media_type.contains("oembed") {
        return None;
    }
    match media_type.as_str() {
        "application/feed+json" | "application/json+feed" => Some(CandidateKind::Json),
        "application/rdf+xml" | "text/rdf" | "application/rdf" => Some(CandidateKind::Rss),
        other if other.contains("atom") => Some(CandidateKind::Atom),
        other if other.contains("rss") => Some(CandidateKind::Rss),
        _ => None,
    }
}

/// Media types of feeds and of other documents: the address has to be like that of a feed too.
pub fn is_vague_type(media_type: &str) -> bool {
    let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(
        media_type.as_str(),
        "" | "application/xml" | "text/xml" | "application/json" | "text/json" | "text/plain" | "application/x-xml"
    )
}

/// Addresses of well-known programs that are not feeds.
pub fn is_known_non_feed(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    const PARTS: &[&str] = &[
        "/wp-json",
        "oembed",
        "wlwmanifest",
        "xmlrpc",
        "sitemap",
        "opensearch",
        "osd.xml",
        "manifest.json",
        "browserconfig",
    ];
    const ENDINGS: &[&str] = &[
        ".html", ".htm", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".css", ".js", ".pdf", ".zip", ".mp3",
        ".mp4",
    ];
    // Buttons to subscribe in another reader.
    const READERS: &[&str] =
        &["feedly.com", "inoreader.com", "netvibes.com", "bloglovin.com", "newsblur.com", "theoldreader.com"];
    let host = url.host_str().unwrap_or_default();
    PARTS.iter().any(|part| path.contains(part))
        || ENDINGS.iter().any(|ending| path.ends_with(ending))
        || READERS
            .iter()
            .any(|reader| host == *reader || host.strip_suffix(reader).is_some_and(|rest| rest.ends_with('.')))
}

/// The probable format of a feed at an address, by its path, query and host.
pub fn kind_of_address(url: &Url) -> Option<CandidateKind> {
    if is_known_non_feed(url) {
        return None;
    }
    let path = url.path().to_ascii_lowercase();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let by_name = match last {
        "feed" | "feeds" | "rss" | "rss2" | "atom" | "feed.xml" | "index.xml" | "posts.xml" | "blog.xml"
        | "news.xml" => Some(kind_of_word(last)),
        "feed.json" => Some(CandidateKind::Json),
        _ if last.ends_with(".atom") || last.ends_with(".rss") || last.ends_with(".rdf") => Some(kind_of_word(last)),
        _ if last.ends_with(".xml") && has_feed_word(last) => Some(kind_of_word(last)),
        _ if (last.ends_with(".php")
            || last.ends_with(".cgi")
            || last.ends_with(".aspx")
            || last.ends_with(".ashx"))
            && has_feed_word(last) =>
        {
            Some(kind_of_word(last))
        }
        _ => None,
    };
    by_name.or_else(|| by_folder(&path)).or_else(|| by_query(url)).or_else(|| by_host(url))
}

fn by_folder(path: &str) -> Option<CandidateKind> {
    let folder = path.split('/').find(|part| matches!(*part, "feed" | "feeds" | "rss" | "atom"))?;
    Some(kind_of_word(folder))
}

fn by_query(url: &Url) -> Option<CandidateKind> {
    url.query_pairs().find_map(|(name, value)| {
        let names_format = matches!(&*name, "feed" | "format" | "type" | "alt" | "mode" | "output");
        (names_format && has_feed_word(&value)).then(|| kind_of_word(&value))
    })
}

fn by_host(url: &Url) -> Option<CandidateKind> {
    let host = url.host_str().unwrap_or_default();
    (host.starts_with("feeds.") || host.starts_with("feed.") || host.starts_with("rss."))
        .then_some(CandidateKind::Unknown)
}

/// The format that a name suggests; `feed` suggests none.
fn kind_of_word(word: &str) -> CandidateKind {
    let word = word.to_ascii_lowercase();
    if word.contains("atom") {
        CandidateKind::Atom
    } else if word.contains("rss") || word.contains("rdf") {
        CandidateKind::Rss
    } else {
        CandidateKind::Unknown
    }
}

fn has_feed_word(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["rss", "atom", "feed", "rdf"].iter().any(|word| text.contains(word))
}

/// Whether the text of a link is that of a link to a feed.
pub fn are_feed_words(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    if text.chars().count() > 40 {
        return false;
    }
    let words = |word: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|one| one == word);
    words("rss") || words("atom") || words("rss2") || words("feed") || words("feeds") || text.contains("フィード")
}

/// Whether a feed has comments rather than posts.
pub fn is_comments(url: &Url, title: &str) -> bool {
    let path = url.path().to_ascii_lowercase();
    let title = title.to_lowercase();
    path.split('/').any(|part| matches!(part, "comment" | "comments"))
        || url.query().is_some_and(|query| query.to_ascii_lowercase().contains("comments"))
        || ["comment", "コメント", "kommentar", "commentaire", "comentario", "评论", "評論", "댓글", "комментар"]
            .iter()
            .any(|word| title.contains(word))
}
