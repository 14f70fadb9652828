//! The attributes of a start tag, parsed on demand.

use std::borrow::Cow;

use memchr::memchr;

use super::unescape::unescape;

/// Parses the attributes after the name of a tag.
#[derive(Debug, Clone)]
pub(super) struct Attributes<'a> {
    after_name: &'a str,
    at: usize,
}

enum AttributeStep<'a> {
    Attribute(&'a str, &'a str),
    End { is_self_closing: bool },
    CutOff,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(after_name: &'a str) -> Self {
        Self { after_name, at: 0 }
    }

    /// Whether the tag has nothing but its name.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self.after_name.as_bytes(), [b'>', ..] | [b'/', b'>', ..])
    }

    /// Moves to the end of the tag. Returns its offset after the name and whether it is `/>`; `None` if there is no end.
    pub(super) fn end(&mut self) -> Option<(usize, bool)> {
        loop {
            match self.step() {
                AttributeStep::Attribute(..) => {}
                AttributeStep::End { is_self_closing } => return Some((self.at, is_self_closing)),
                AttributeStep::CutOff => return None,
            }
        }
    }

    /// The values of the attributes `names`; of duplicates, the first counts.
    pub(super) fn values<const N: usize>(&self, names: [&str; N]) -> [Option<Cow<'a, str>>; N] {
        let mut raw = [None; N];
        let mut reading = self.clone();
        while let AttributeStep::Attribute(name, value) = reading.step() {
            if let Some(index) = names.iter().position(|wanted| wanted.eq_ignore_ascii_case(name))
                && let Some(slot) = raw.get_mut(index)
                && slot.is_none()
            {
                *slot = Some(value);
            }
        }
        raw.map(|value| value.map(|value| unescape(value, true)))
    }

    fn step(&mut self) -> AttributeStep<'a> {
        let bytes = self.after_name.as_bytes();
        let is_self_closing = loop {
            match bytes.get(self.at) {
                None => return AttributeStep::CutOff,
                Some(b'>') => break false,
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'>') => {
                    self.at += 1;
                    break true;
                }
                Some(byte) if *byte == b'/' || byte.is_ascii_whitespace() => self.at += 1,
                Some(_) => return self.attribute(),
            }
        };
        self.at += 1;
        AttributeStep::End { is_self_closing }
    }

    fn attribute(&mut self) -> AttributeStep<'a> {
        let start = self.at;
        // A leading equals sign belongs to the name.
        self.at += 1;
        self.skip_until(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'='));
        let name = self.after_name.get(start..self.at).unwrap_or_default();
        self.skip_until(|byte| !byte.is_ascii_whitespace());
        let bytes = self.after_name.as_bytes();
        if bytes.get(self.at) != Some(&b'=') {
            return AttributeStep::Attribute(name, "");
        }
        self.at += 1;
        self.skip_until(|byte| !byte.is_ascii_whitespace());
        match bytes.get(self.at) {
            Some(quote @ (b'"' | b'\'')) => {
                let start = self.at + 1;
                let Some(length) = memchr(*quote, bytes.get(start..).unwrap_or_default()) else {
                    return AttributeStep::CutOff;
                };
                self.at = start + length + 1;
                AttributeStep::Attribute(name, self.after_name.get(start..start + length).unwrap_or_default())
            }
            _ => {
                let start = self.at;
                self.skip_until(|byte| byte.is_ascii_whitespace() || byte == b'>');
                AttributeStep::Attribute(name, self.after_name.get(start..self.at).unwrap_or_default())
            }
        }
    }

    fn skip_until(&mut self, is_end: impl Fn(u8) -> bool) {
        let rest = self.after_name.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len());
    }
}
