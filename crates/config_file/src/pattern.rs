//! Patterns for addresses.

use std::fmt::Write;

use url::{Position, Url};

/// The maximum length of a pattern. It keeps matching fast.
pub const MAX_CHARS: usize = 500;

/// A pattern for a whole address without its fragment. `*` stands for any text. The case of the host does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPattern {
    text: String,
    /// The text before the first `*`, or the whole pattern if it has none.
    first: String,
    /// The texts between two `*`.
    middle: Vec<String>,
    /// The text after the last `*`. `None` if the pattern has no `*`.
    last: Option<String>,
}

impl UrlPattern {
    /// Reads a pattern. The error says what to write.
    pub fn parse(text: &str) -> Result<UrlPattern, String> {
        if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err("write an address with * for any text, such as \"*/news/*\", without spaces".to_owned());
        }
        if text.chars().nth(MAX_CHARS).is_some() {
            return Err(format!("write at most {MAX_CHARS} characters"));
        }
        if !text.starts_with('*') && !text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http")) {
            return Err(format!("a pattern covers the whole address: write \"*{text}\", or start with https://"));
        }
        if text.contains('#') {
            return Err("a pattern covers the address without its fragment: remove the part from \"#\" on".to_owned());
        }
        let mut parts = with_ascii_host(text).split('*').map(normalise).collect::<Vec<_>>().into_iter();
        let first = parts.next().unwrap_or_default();
        let last = parts.next_back();
        Ok(UrlPattern { text: text.to_owned(), first, middle: parts.collect(), last })
    }

    /// The pattern as it is written in the file.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the whole address matches. Takes linear time.
    pub fn matches(&self, url: &Url) -> bool {
        let address = normalise(&url[..Position::AfterQuery]);
        let address = Address { text: &address, path_start: url[..Position::BeforePath].len() };
        let Some(last) = &self.last else {
            return address.text.len() == self.first.len() && address.has_at(0, &self.first);
        };
        let Some(end) = address.text.len().checked_sub(last.len()) else { return false };
        if !address.has_at(0, &self.first) || !address.has_at(end, last) {
            return false;
        }
        let mut position = self.first.len();
        for part in &self.middle {
            match address.find(part, position) {
                Some(start) => position = start + part.len(),
                None => return false,
            }
        }
        position <= end
    }
}

/// A normalised address: ASCII only, the scheme and the host in lower case.
struct Address<'a> {
    text: &'a str,
    /// The first byte after the host and port.
    path_start: usize,
}

impl Address<'_> {
    /// Whether a part of a pattern is at this byte.
    fn has_at(&self, start: usize, part: &str) -> bool {
        let Some(found) = self.text.as_bytes().get(start..).and_then(|rest| rest.get(..part.len())) else {
            return false;
        };
        let (host, path) = found.split_at(self.path_start.saturating_sub(start).min(found.len()));
        let (part_host, part_path) = part.as_bytes().split_at(host.len());
        host.eq_ignore_ascii_case(part_host) && path == part_path
    }

    /// The first place of a part of a pattern, from a byte on: in the host, across its end, or after it.
    fn find(&self, part: &str, from: usize) -> Option<usize> {
        let find_in = |start: usize, end: usize, part: &str| {
            self.text.get(start..end).and_then(|text| text.find(part)).map(|found| start + found)
        };
        let in_host = || find_in(from, self.path_start, &part.to_ascii_lowercase());
        let across = || {
            let first = (self.path_start + 1).saturating_sub(part.len()).max(from);
            (first..self.path_start).find(|start| self.has_at(*start, part))
        };
        let in_path = || find_in(from.max(self.path_start), self.text.len(), part);
        in_host().or_else(across).or_else(in_path)
    }
}

/// Percent-encodes other characters than ASCII, as parsed addresses have them. Writes encoded bytes in upper case.
fn normalise(text: &str) -> String {
    let mut normalised = String::with_capacity(text.len());
    let mut digits = 0_u8;
    for byte in text.bytes() {
        if byte.is_ascii() {
            let is_digit = digits > 0 && byte.is_ascii_hexdigit();
            normalised.push(char::from(if is_digit { byte.to_ascii_uppercase() } else { byte }));
            digits = if byte == b'%' { 2 } else { u8::from(is_digit && digits == 2) };
        } else {
            // Writing to a string cannot fail.
            let _ = write!(normalised, "%{byte:02X}");
            digits = 0;
        }
    }
    normalised
}

/// The pattern with an international host in the form that parsed addresses have. A host alone gets the path `/`.
fn with_ascii_host(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let host_end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(host_end);
    if host.contains('*') {
        return text.to_owned();
    }
    let slash = if path.starts_with('/') { "" } else { "/" };
    let ascii = if host.is_ascii() { None } else { Url::parse(&format!("http://{host}/")).ok() };
    let host = ascii.as_ref().map_or(host, |url| &url[Position::BeforeHost..Position::BeforePath]);
    format!("{scheme}://{host}{slash}{path}")
}

#[cfg(test)]
mod tests;
