//! Addresses that may come out: absolute, of a harmless scheme, written the one way that every browser reads alike.

use url::{ParseError, Url};

// Of the address as it is written, so that an output stays in proportion to its input.
const MOST_BYTES: usize = 4096;

/// The address that `written` means in a body whose own address is `base`; none if it must not come out.
pub(super) fn resolve(written: &str, base: Option<&Url>) -> Option<Url> {
    let written = written.trim_matches(|c: char| c <= ' ');
    if written.is_empty() || written.len() > MOST_BYTES {
        return None;
    }
    let mut url = match (Url::parse(written), base) {
        (Ok(url), None) => url,
        (Ok(url), Some(_)) if written.contains("://") || !matches!(url.scheme(), "http" | "https") => url,
        // `https:foo` is relative to a base of its own scheme.
        (Ok(_) | Err(ParseError::RelativeUrlWithoutBase), Some(base)) => base.join(written).ok()?,
        (Err(ParseError::RelativeUrlWithoutBase), None) if written.starts_with("//") => {
            Url::parse(&format!("https:{written}")).ok()?
        }
        _ => return None,
    };
    if !matches!(url.scheme(), "http" | "https" | "mailto") {
        return None;
    }
    if !url.username().is_empty() || url.password().is_some() {
        // `https://bank.example@thief.example/` is made to be misread.
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
    }
    let is_stable = url.as_str().len() <= MOST_BYTES && Url::parse(url.as_str()).as_ref() == Ok(&url);
    is_stable.then_some(url)
}

/// The address for a link; none if it must not come out.
pub(super) fn link(written: &str, base: Option<&Url>) -> Option<String> {
    resolve(written, base).map(String::from)
}

/// The address of something on the web, which has a host; none for the rest.
pub(super) fn web(written: &str, base: Option<&Url>) -> Option<Url> {
    resolve(written, base).filter(|url| url.scheme() != "mailto" && url.has_host())
}

/// What to call an address that has no text: the name of its file, or its host.
pub(super) fn label(url: &Url) -> String {
    let file = url.path_segments().and_then(|mut segments| segments.next_back()).unwrap_or_default();
    if file.contains('.') { file.to_owned() } else { url.host_str().unwrap_or_default().to_owned() }
}
