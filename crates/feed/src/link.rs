//! Normalises links, so that spellings of one address compare equal.
//!
//! Only for comparison: the link is stored and opened as published.

#[cfg(test)]
mod tests;

use url::Url;

/// Parameters that name a campaign or a click and never a page. Doubtful ones (`ref`, `source`, `session`, `uid`) stay,
/// because they can distinguish posts.
const TRACKING: &[&str] = &["gclid", "fbclid", "msclkid", "mc_cid", "mc_eid", "igshid", "yclid", "_hsenc", "_hsmi"];

const TRACKING_PREFIXES: &[&str] = &["utm_", "mtm_", "pk_"];

/// The normalised link, without the fragment unless it is a route (`#/…`, `#!/…`).
///
/// `http` counts as `https`; host in lower case and without a final dot; ports 80 and 443, tracking parameters, empty
/// parameters and a final slash are dropped; parameters are in the order of their names; escapes are written one way.
/// Other addresses are only trimmed. Idempotent.
pub fn normalise(link: &str) -> String {
    NormalLink::of(link).page()
}

/// A normalised link, with its fragment separate.
pub(crate) struct NormalLink {
    base: String,
    fragment: Option<String>,
    /// Whether it is the front page of a site.
    pub is_root: bool,
}

impl NormalLink {
    /// Normalises a link.
    pub fn of(link: &str) -> NormalLink {
        let link = link.trim();
        match Url::parse(link) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && !host(&url).is_empty() => normalise_web(&url),
            _ => NormalLink { base: link.to_owned(), fragment: None, is_root: false },
        }
    }

    /// The link without its fragment, unless that is a route.
    pub fn page(&self) -> String {
        match &self.fragment {
            Some(fragment) if is_route(fragment) => self.with_fragment(),
            _ => self.base.clone(),
        }
    }

    /// The link with its fragment, for documents whose entries are sections of one page.
    pub fn with_fragment(&self) -> String {
        match &self.fragment {
            Some(fragment) => format!("{}#{fragment}", self.base),
            None => self.base.clone(),
        }
    }
}

fn is_route(fragment: &str) -> bool {
    fragment.starts_with('/') || fragment.starts_with("!/")
}

fn host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_end_matches('.');
    // `32..` is a name, but `32` would be parsed as an IP address the next time.
    let is_number =
        bare.rsplit('.').next().is_some_and(|label| label.starts_with(|first: char| first.is_ascii_digit()));
    if is_number { host } else { bare }
}

fn normalise_web(url: &Url) -> NormalLink {
    let mut base = String::with_capacity(url.as_str().len());
    base.push_str("https://");
    if !url.username().is_empty() || url.password().is_some() {
        base.push_str(url.username());
        if let Some(password) = url.password() {
            base.push(':');
            base.push_str(password);
        }
        base.push('@');
    }
    base.push_str(host(url));
    // Both default ports, because `http` counts as `https`.
    if let Some(port) = url.port().filter(|port| !matches!(port, 80 | 443)) {
        base.push_str(&format!(":{port}"));
    }
    let path = normalise_escapes(url.path());
    let path = path.trim_end_matches('/');
    base.push_str(if path.is_empty() { "/" } else { path });
    let query = query(url.query().unwrap_or_default());
    if !query.is_empty() {
        base.push('?');
        base.push_str(&query);
    }
    let fragment = url.fragment().filter(|fragment| !fragment.is_empty()).map(normalise_escapes);
    NormalLink { is_root: path.is_empty() && query.is_empty(), base, fragment }
}

fn query(query: &str) -> String {
    let query = normalise_escapes(query);
    let mut pairs: Vec<&str> = query.split('&').filter(|pair| !name(pair).is_empty() && !is_tracking(pair)).collect();
    // A stable sort: several values of one name keep their order.
    pairs.sort_by_key(|pair| name(pair));
    pairs.join("&")
}

fn name(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(name, _)| name)
}

fn is_tracking(pair: &str) -> bool {
    let name = name(pair);
    TRACKING.iter().any(|known| name.eq_ignore_ascii_case(known))
        || TRACKING_PREFIXES
            .iter()
            .any(|prefix| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)))
}

/// Decodes escapes of unreserved characters, writes others in capitals, and a lone `%` as `%25`.
fn normalise_escapes(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut plain) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b'%' {
            at += 1;
            continue;
        }
        out.push_str(&text[plain..at]);
        let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (digit(at + 1), digit(at + 2)) {
            (Some(high), Some(low)) => {
                match char::from_u32(high * 16 + low) {
                    Some(c) if c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~') => out.push(c),
                    _ => out.push_str(&format!("%{high:X}{low:X}")),
                }
                at += 3;
            }
            _ => {
                out.push_str("%25");
                at += 1;
            }
        }
        plain = at;
    }
    out.push_str(&text[plain..]);
    out
}
