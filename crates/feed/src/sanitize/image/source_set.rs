//! `srcset`: one image in several sizes, of which the browser chooses.

use url::Url;

use super::tracker;
use crate::sanitize::{address, attribute::Attributes, writer::push_attribute};

const MAX_CANDIDATES: usize = 12;
const MAX_BYTES: usize = 4_096;
const MAX_SIZES_BYTES: usize = 300;

/// An image of a set.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    url: Url,
    /// Its width in pixels, or its density.
    size: f64,
    /// As it was written: `640w`, `2x`, or nothing.
    descriptor: String,
}

/// The sets of an image, its own first.
pub(super) fn find(attributes: &Attributes<'_>, picture_set: Option<&str>, base: Option<&Url>) -> Vec<Vec<Candidate>> {
    let own = attributes.values(["srcset", "data-srcset", "data-lazy-srcset"]);
    let sets = own.iter().flatten().map(|set| &**set).chain(picture_set);
    sets.map(|set| parse(set, base)).filter(|set| !set.is_empty()).collect()
}

/// The largest image of a set.
pub(super) fn largest(set: &[Candidate]) -> Option<Url> {
    let largest = set.iter().reduce(|best, next| if next.size > best.size { next } else { best });
    largest.map(|candidate| candidate.url.clone())
}

/// Writes the first set that is safe to load, with the sizes that the page gives it.
pub(super) fn push(tag: &mut String, sets: &[Vec<Candidate>], attributes: &Attributes<'_>) {
    let is_safe = |candidate: &Candidate| candidate.url.scheme() == "https" && !tracker::is_tracker(&candidate.url);
    let Some(set) = sets.iter().find(|set| set.iter().all(is_safe)) else { return };
    let has_widths = set.iter().all(|candidate| candidate.descriptor.ends_with('w'));
    let has_densities = set.iter().skip(1).all(|candidate| candidate.descriptor.ends_with('x'));
    if set.len() < 2 || !has_widths && !has_densities {
        return;
    }
    let written: Vec<String> = set.iter().map(Candidate::written).collect();
    let written = written.join(", ");
    if written.len() > MAX_BYTES {
        return;
    }
    push_attribute(tag, "srcset", &written);
    let [sizes] = attributes.values(["sizes"]);
    if let Some(sizes) = sizes.filter(|sizes| has_widths && is_sizes(sizes)) {
        push_attribute(tag, "sizes", sizes.trim_ascii());
    }
}

impl Candidate {
    fn written(&self) -> String {
        if self.descriptor.is_empty() { self.url.to_string() } else { format!("{} {}", self.url, self.descriptor) }
    }
}

fn parse(set: &str, base: Option<&Url>) -> Vec<Candidate> {
    let mut found = Vec::new();
    // Addresses may contain commas, but not at the end.
    let mut words = set.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let (url, is_alone) = match word.strip_suffix(',') {
            Some(url) => (url, true),
            None => (word, false),
        };
        let descriptor = if is_alone { None } else { words.next_if(|next| size_of(next).is_some()) };
        let descriptor = descriptor.unwrap_or_default().trim_end_matches(',').to_owned();
        let size = size_of(&descriptor).unwrap_or(1.0);
        let url = address::web(url, base).filter(|url| !url.as_str().ends_with(','));
        if let Some(url) = url.filter(|_| found.len() < MAX_CANDIDATES) {
            found.push(Candidate { url, size, descriptor });
        }
    }
    found
}

fn size_of(descriptor: &str) -> Option<f64> {
    let number = descriptor.trim_end_matches(',').strip_suffix(['w', 'x', 'h'])?;
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && number.len() <= 8;
    number.parse().ok().filter(|size: &f64| is_plain && size.is_finite() && *size > 0.0)
}

/// Lengths and conditions of CSS, and nothing that could end the attribute.
fn is_sizes(sizes: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b" ().,:%<=>+-*/".contains(&byte);
    !sizes.trim_ascii().is_empty() && sizes.len() <= MAX_SIZES_BYTES && sizes.bytes().all(is_part)
}
