//! Parses pasted addresses.

use thiserror::Error;
use url::{Host, Url};

const MAX_CHARS: usize = 8_192;
/// Schemes that mark an address as a feed or a podcast.
const FEED_SCHEMES: &[&str] = &["feed", "rss", "podcast", "pcast", "itpc"];

/// Why a text is not an address.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum AddressError {
    /// The text is empty.
    #[error("enter an address, such as https://example.com")]
    Empty,
    /// The text is too long.
    #[error("the address is too long: enter one such as https://example.com")]
    TooLong,
    /// No word of the text is an address.
    #[error("there is no address in the text: enter one such as https://example.com")]
    NoAddress,
    /// The scheme is not `http` or `https`.
    #[error("`{0}:` addresses are not supported: enter one that begins with https:// or http://")]
    Scheme(String),
}

/// The address in a text, which may be without a scheme, in brackets, `feed://…`, in full-width letters, or followed by a
/// full stop.
pub fn tidy_address(text: &str) -> Result<Url, AddressError> {
    if text.len() > MAX_CHARS {
        return Err(AddressError::TooLong);
    }
    // Copied text may contain invisible characters.
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{202a}'..='\u{202e}'))
        .collect();
    let text = if text.contains("://") { text } else { text.chars().map(narrow).collect() };
    let mut words = text.split_whitespace().map(unwrap).filter(|word| !word.is_empty()).peekable();
    if words.peek().is_none() {
        return Err(AddressError::Empty);
    }
    let mut first_error = None;
    for word in words {
        match address(word) {
            Ok(url) => return Ok(url),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or(AddressError::NoAddress))
}

/// The ASCII letter of a full-width letter.
fn narrow(c: char) -> char {
    match c {
        '\u{3000}' => ' ',
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    }
}

/// Removes brackets, quotes and punctuation around the word. A closing bracket that was opened inside stays.
fn unwrap(word: &str) -> &str {
    const OPENING: &[char] =
        &['<', '"', '\'', '(', '[', '{', '“', '”', '‘', '「', '『', '（', '【', '《', '〈', '`', '＜'];
    const CLOSING: &[char] = &[
        '>', '"', '\'', '}', '“', '”', '’', '」', '』', '）', '】', '》', '〉', '`', '＞', '.', ',', ';', ':', '!',
        '、', '。', '，', '…',
    ];
    let mut word = word.trim_start_matches(OPENING);
    loop {
        let shorter = word.trim_end_matches(CLOSING);
        let shorter = match shorter.chars().next_back() {
            Some(')') if count(shorter, '(') < count(shorter, ')') => &shorter[..shorter.len() - 1],
            // An IPv6 address ends with one.
            Some(']') if count(shorter, '[') < count(shorter, ']') => &shorter[..shorter.len() - 1],
            // A trailing question mark.
            Some('?') => &shorter[..shorter.len() - 1],
            _ => shorter,
        };
        if shorter.len() == word.len() {
            return word;
        }
        word = shorter;
    }
}

fn count(text: &str, wanted: char) -> usize {
    text.chars().filter(|c| *c == wanted).count()
}

fn address(word: &str) -> Result<Url, AddressError> {
    if let Some(url) = fediverse_account(word) {
        return Ok(url);
    }
    let url = Url::parse(&with_scheme(word)?).map_err(|_| AddressError::NoAddress)?;
    let is_place = match url.host() {
        // A name without a dot may be a local host, if the text is clearly an address.
        Some(Host::Domain(name)) => {
            name == "localhost" || word.contains("://") || (name.contains('.') && !name.contains(".."))
        }
        Some(Host::Ipv4(_)) => word.contains('.'),
        Some(Host::Ipv6(_)) => true,
        None => false,
    };
    // `name@example.com` is an e-mail address.
    let is_mail = !word.contains("//") && !url.username().is_empty() && url.path() == "/";
    if is_place && !is_mail { Ok(url) } else { Err(AddressError::NoAddress) }
}

/// `@user@host`, as profiles are named on Mastodon.
fn fediverse_account(word: &str) -> Option<Url> {
    let (user, host) = word.strip_prefix('@')?.split_once('@')?;
    let is_name = !user.is_empty() && user.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
    (is_name && host.contains('.') && !host.contains(['/', '@']))
        .then(|| Url::parse(&format!("https://{host}/@{user}")).ok())
        .flatten()
}

/// Adds or corrects the scheme.
fn with_scheme(word: &str) -> Result<String, AddressError> {
    if let Some(rest) = word.strip_prefix("//") {
        return Ok(format!("https://{rest}"));
    }
    let Some((scheme, rest)) = word.split_once(':') else {
        // The colon is missing.
        let rest = ["https//", "http//"].iter().find_map(|lost| word.strip_prefix(lost));
        return Ok(format!("https://{}", rest.unwrap_or(word)));
    };
    let scheme = scheme.to_ascii_lowercase();
    let place = rest.trim_start_matches('/');
    match scheme.as_str() {
        "http" | "https" => Ok(format!("{scheme}://{place}")),
        // Conventions of Japanese message boards, and typing errors.
        "ttp" | "htp" | "hhttp" => Ok(format!("http://{place}")),
        "ttps" | "htps" | "hhttps" | "httpss" => Ok(format!("https://{place}")),
        _ if FEED_SCHEMES.contains(&scheme.as_str()) => {
            let inner = ["http", "https"].iter().any(|known| {
                place.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known))
                    && place[known.len()..].starts_with(':')
            });
            if inner { with_web_scheme(place) } else { Ok(format!("https://{place}")) }
        }
        // A host with a port.
        _ if scheme.contains(['.', '[', '@', '/', '?', '#']) || scheme == "localhost" => Ok(format!("https://{word}")),
        _ => Err(AddressError::Scheme(scheme.chars().take(40).collect())),
    }
}

/// Corrects the number of slashes after the scheme.
fn with_web_scheme(text: &str) -> Result<String, AddressError> {
    let (scheme, rest) = text.split_once(':').ok_or(AddressError::NoAddress)?;
    Ok(format!("{}://{}", scheme.to_ascii_lowercase(), rest.trim_start_matches('/')))
}
