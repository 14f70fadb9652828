//! Checks addresses for the output: absolute, with a safe scheme, and normalised.

use url::{ParseError, Url};

// Limits the size of the output relative to the input.
const MAX_BYTES: usize = 4096;

/// Resolves an address against `base`; `None` if it is not allowed in the output.
pub(super) fn resolve(written: &str, base: Option<&Url>) -> Option<Url> {
    let written = written.trim_matches(|c: char| c <= ' ');
    if written.is_empty() || written.len() > MAX_BYTES {
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
        // `https://bank.example@thief.example/` is misleading.
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
    }
    let is_stable = url.as_str().len() <= MAX_BYTES && Url::parse(url.as_str()).as_ref() == Ok(&url);
    is_stable.then_some(url)
}

/// The address for a link; `None` if it is not allowed in the output.
pub(super) fn link(written: &str, base: Option<&Url>) -> Option<String> {
    resolve(written, base).map(String::from)
}

/// An `http` or `https` address.
pub(super) fn web(written: &str, base: Option<&Url>) -> Option<Url> {
    resolve(written, base).filter(|url| url.scheme() != "mailto" && url.has_host())
}

/// A label for an address without text: the name of its file, or its host.
pub(super) fn label(url: &Url) -> String {
    let file = url.path_segments().and_then(|mut segments| segments.next_back()).unwrap_or_default();
    if file.contains('.') { file.to_owned() } else { url.host_str().unwrap_or_default().to_owned() }
}
