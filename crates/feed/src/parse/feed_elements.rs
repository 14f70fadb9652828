//! The elements of a feed itself.

use std::rc::Rc;

use url::Url;

use super::{
    address, construct,
    feed_parser::{FeedParser, vocabulary},
    person, plain_text,
};
use crate::{
    Format,
    xml::{Event, InnerKind, Ns, XmlReader, XmlTag},
};

const MAX_HUBS: usize = 16;

impl<'a> FeedParser<'a, '_> {
    /// Reads an element of the feed; `true` if it is unknown and still open.
    pub(super) fn feed_element(&mut self, tag: &XmlTag<'a>, base: Option<&Url>) -> bool {
        match vocabulary(tag) {
            Ns::Dc | Ns::DcTerms => self.feed_dublin(tag),
            Ns::Sy => self.feed_syndication(tag),
            Ns::Itunes => self.feed_podcast(tag, base),
            Ns::Media | Ns::Thr | Ns::Wfw | Ns::Slash | Ns::Content | Ns::Rdf | Ns::Xhtml => true,
            Ns::Feedburner | Ns::Xml => true,
            Ns::Other if !tag.prefix.is_empty() => true,
            _ => self.feed_core(tag, base),
        }
    }

    fn feed_core(&mut self, tag: &XmlTag<'a>, base: Option<&Url>) -> bool {
        let atom = self.is_atom(tag);
        match &*tag.local {
            "title" => {
                let named = tag.filled("value").map(str::to_owned);
                let title = construct::text(&mut self.reader, tag, atom);
                fill(&mut self.feed.title, named.unwrap_or(title));
            }
            "link" => self.feed_link(tag, base),
            "description" | "subtitle" | "tagline" | "info" | "abstract" => {
                let text = construct::text(&mut self.reader, tag, atom);
                fill_option(&mut self.feed.description, text);
            }
            "language" => self.feed_language(tag),
            "lastbuilddate" | "pubdate" | "updated" | "modified" => {
                let text = self.reader.line(tag);
                let date = self.date(&text);
                let better = matches!(&*tag.local, "lastbuilddate" | "updated" | "modified");
                if better || self.feed.updated.is_none() {
                    self.feed.updated = date.or(self.feed.updated);
                }
            }
            "ttl" => self.feed.hints.ttl_minutes = self.number(tag).or(self.feed.hints.ttl_minutes),
            "skiphours" | "skipdays" => self.feed_skips(tag),
            "image" => self.feed_image(tag, base),
            "icon" | "logo" => {
                let raw = self.reader.line(tag);
                let icon = self.address(&raw, base);
                if &*tag.local == "icon" || self.feed.icon.is_none() {
                    self.feed.icon = icon.or(self.feed.icon.take());
                }
            }
            "author" => {
                let name = person::read(&mut self.reader, tag);
                if atom {
                    person::add(&mut self.feed_authors, name);
                }
            }
            "textinput" | "items" | "cloud" => self.reader.skip(tag),
            _ => return true,
        }
        false
    }

    fn feed_dublin(&mut self, tag: &XmlTag<'a>) -> bool {
        match &*tag.local {
            "title" => {
                let title = construct::text(&mut self.reader, tag, false);
                fill(&mut self.feed.title, title);
            }
            "description" => {
                let text = construct::text(&mut self.reader, tag, false);
                fill_option(&mut self.feed.description, text);
            }
            "language" => self.feed_language(tag),
            "date" | "modified" => {
                let text = self.reader.line(tag);
                let date = self.date(&text);
                self.feed.updated = self.feed.updated.or(date);
            }
            _ => return true,
        }
        false
    }

    fn feed_language(&mut self, tag: &XmlTag<'a>) {
        let text = self.reader.line(tag);
        if !text.is_empty() {
            self.feed.language = Some(text.chars().take(64).collect());
        }
    }

    fn feed_syndication(&mut self, tag: &XmlTag<'a>) -> bool {
        match &*tag.local {
            "updateperiod" => {
                let minutes = match &*self.reader.line(tag).to_ascii_lowercase() {
                    "hourly" => 60,
                    "daily" => 24 * 60,
                    "weekly" => 7 * 24 * 60,
                    "monthly" => 30 * 24 * 60,
                    "yearly" => 365 * 24 * 60,
                    _ => return false,
                };
                self.update_period = Some(minutes);
            }
            "updatefrequency" => self.update_frequency = self.number(tag).filter(|times| *times > 0),
            _ => return true,
        }
        false
    }

    fn feed_podcast(&mut self, tag: &XmlTag<'a>, base: Option<&Url>) -> bool {
        match &*tag.local {
            "new-feed-url" => {
                let raw = self.reader.line(tag);
                self.feed.new_feed_url = self.address(&raw, base).filter(|url| address::is_web(url));
            }
            "image" => self.feed_image(tag, base),
            "summary" | "subtitle" => {
                let text = construct::text(&mut self.reader, tag, false);
                fill_option(&mut self.feed.description, text);
            }
            _ => return true,
        }
        false
    }

    fn number(&mut self, tag: &XmlTag<'a>) -> Option<u32> {
        let text = self.reader.line(tag);
        let digits = text.find(|c: char| !c.is_ascii_digit()).and_then(|end| text.get(..end)).unwrap_or(&text);
        digits.parse().ok()
    }

    fn feed_link(&mut self, tag: &XmlTag<'a>, base: Option<&Url>) {
        let href = tag.filled("href").or_else(|| tag.filled("rdf:resource")).map(str::to_owned);
        let rel = tag.filled("rel").unwrap_or("alternate").to_ascii_lowercase();
        let text = self.reader.line(tag);
        let in_text = href.is_none();
        let Some(url) = self.address(href.as_deref().unwrap_or(&text), base) else { return };
        let rels = || rel.split_ascii_whitespace().map(|rel| rel.rsplit('/').next().unwrap_or(rel));
        if rels().any(|rel| rel == "hub") {
            if self.feed.hubs.len() < MAX_HUBS && !self.feed.hubs.contains(&url) {
                self.feed.hubs.push(url);
            }
        } else if rels().any(|rel| rel == "self") {
            self.learn_base(&url);
            self.feed.self_link.get_or_insert(url);
        } else if rels().any(|rel| rel == "alternate") {
            let html = tag.filled("type").is_none_or(|kind| kind.to_ascii_lowercase().contains("html"));
            let rank = if in_text || html { 3 } else { 2 } - u8::from(!in_text && !self.is_atom(tag));
            if rank > self.feed_link_rank {
                self.learn_base(&url);
                self.feed_link_rank = rank;
                self.feed.link = Some(url);
            }
        }
    }

    /// Uses an address in the document as its base, if the address of the document is unknown.
    fn learn_base(&mut self, url: &str) {
        if self.document_base.is_none() && address::is_web(url) {
            self.document_base = Url::parse(url).ok().map(Rc::new);
        }
    }

    fn feed_image(&mut self, tag: &XmlTag<'a>, base: Option<&Url>) {
        let found = image_address(&mut self.reader, tag);
        if let Some(icon) = found.and_then(|raw| self.address(&raw, base))
            && self.feed.icon.is_none()
        {
            self.feed.icon = Some(icon);
        }
    }

    fn feed_skips(&mut self, tag: &XmlTag<'a>) {
        let inner = self.reader.inner(tag, InnerKind::Foreign);
        let mut inside = XmlReader::new(inner.source);
        while let Some(event) = inside.next() {
            let Event::Text(text) = event else { continue };
            let text = text.trim();
            if &*tag.local == "skiphours" {
                let hour = text.parse::<u8>().ok().filter(|hour| *hour <= 24).map(|hour| hour % 24);
                add_once(&mut self.feed.hints.skip_hours, hour);
            } else {
                add_once(&mut self.feed.hints.skip_days, weekday(text));
            }
        }
    }

    /// Completes the feed after its last element.
    pub(super) fn finish_feed(&mut self) {
        if let Some(period) = self.update_period.or(self.update_frequency.map(|_| 24 * 60)) {
            self.feed.hints.update_minutes = Some((period / self.update_frequency.unwrap_or(1)).max(1));
        }
        self.feed.hints.skip_hours.sort_unstable();
        self.feed.hints.skip_days.sort_unstable();
        if self.feed.format == Format::Atom && !self.feed_authors.is_empty() {
            person::settle(&mut self.feed_authors);
            for entry in self.feed.entries.iter_mut().filter(|entry| entry.authors.is_empty()) {
                entry.authors.clone_from(&self.feed_authors);
            }
        }
    }
}

/// The address in an image element: in an attribute, a child or the text.
pub(super) fn image_address<'a>(reader: &mut XmlReader<'a>, tag: &XmlTag<'a>) -> Option<String> {
    let named = ["href", "url", "src", "rdf:resource"].iter().find_map(|name| tag.filled(name)).map(str::to_owned);
    let inner = reader.inner(tag, InnerKind::Foreign);
    if named.is_some() {
        return named;
    }
    if !inner.markup {
        return Some(reader.text_of(inner).trim().to_owned()).filter(|text| !text.is_empty());
    }
    let mut inside = XmlReader::new(inner.source);
    while let Some(event) = inside.next() {
        if let Event::Start(tag) = event
            && &*tag.local == "url"
        {
            return Some(inside.line(&tag).into_owned()).filter(|text| !text.is_empty());
        }
    }
    None
}

fn weekday(text: &str) -> Option<u8> {
    let day = text.get(..3)?.to_ascii_lowercase();
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        .iter()
        .position(|name| *name == day)
        .and_then(|at| u8::try_from(at).ok())
}

fn add_once(list: &mut Vec<u8>, value: Option<u8>) {
    if let Some(value) = value
        && !list.contains(&value)
    {
        list.push(value);
    }
}

fn fill(target: &mut String, text: String) {
    if target.is_empty() {
        *target = text;
    }
}

fn fill_option(target: &mut Option<String>, text: String) {
    if target.is_none() && !text.is_empty() {
        *target = Some(plain_text::collapse(&text));
    }
}
