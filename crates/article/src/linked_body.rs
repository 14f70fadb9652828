//! The text of an article in JSON-LD, for pages whose visible part has less of it: those that a script fills.

use url::Url;

use crate::write::escape;

/// A shorter text is a teaser.
const MIN_CHARS: usize = 300;

/// The article as HTML and as text.
pub(crate) struct LinkedBody {
    pub(crate) html: String,
    pub(crate) text: String,
}

impl LinkedBody {
    /// The body, if it has more than twice the text that was found on the page.
    pub(crate) fn if_longer(body: Option<&str>, found: &str, base: Option<&Url>) -> Option<LinkedBody> {
        let html = feed::sanitize(&as_html(body?), base);
        let text = feed::plain_text(&html);
        let chars = text.chars().count();
        (chars >= MIN_CHARS && chars > found.chars().count() * 2).then_some(LinkedBody { html, text })
    }
}

/// A body is HTML, or text with a line for each paragraph.
fn as_html(body: &str) -> String {
    if body.contains("</") || body.contains("<br") {
        return body.to_owned();
    }
    let mut html = String::new();
    for line in feed::html::unescape(body).lines().filter(|line| !line.trim().is_empty()) {
        html.push_str("<p>");
        escape(line.trim(), &mut html);
        html.push_str("</p>");
    }
    html
}
