//! The elements of an entry.

use std::rc::Rc;

use url::Url;

use super::{
    address, construct,
    entry_draft::{DESCRIPTION, EntryDraft, HtmlBody},
    feed_elements::image_address,
    feed_parser::{FeedParser, vocabulary},
    person,
};
use crate::{
    Enclosure,
    xml::{InnerKind, Ns, XmlTag},
};

impl<'a> FeedParser<'a, '_> {
    /// Reads an element of an entry; `false` if it is unknown and still open.
    pub(super) fn entry_element(
        &mut self,
        draft: &mut EntryDraft<'a>,
        tag: &XmlTag<'a>,
        base: Option<&Rc<Url>>,
    ) -> bool {
        match vocabulary(tag) {
            Ns::Dc | Ns::DcTerms => self.entry_dublin(draft, tag, base),
            Ns::Media => self.entry_media(draft, tag, base),
            Ns::Itunes => self.entry_podcast(draft, tag, base),
            Ns::Content => {
                if &*tag.local != "encoded" {
                    return false;
                }
                self.entry_body(draft, tag, base, BodyTarget::Content(3));
                true
            }
            Ns::Xhtml => {
                if !matches!(&*tag.local, "body" | "div") {
                    return false;
                }
                self.entry_body(draft, tag, base, BodyTarget::Content(2));
                true
            }
            Ns::Feedburner if &*tag.local == "origlink" => {
                let raw = self.reader.line(tag);
                draft.link.offer(2, self.address(&raw, base.map(|base| &**base)));
                true
            }
            Ns::Rdf | Ns::Slash | Ns::Wfw | Ns::Sy | Ns::Thr | Ns::Xml | Ns::Feedburner => false,
            Ns::Other if !tag.prefix.is_empty() => false,
            _ => self.entry_core(draft, tag, base),
        }
    }

    fn entry_core(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>, base: Option<&Rc<Url>>) -> bool {
        let atom = self.is_atom(tag);
        let url_base = base.map(|base| &**base);
        match &*tag.local {
            "title" => {
                let named = tag.filled("value").map(str::to_owned);
                let title = construct::text(&mut self.reader, tag, atom);
                let title = named.unwrap_or(title);
                draft.title.offer(3, Some(title).filter(|title| !title.is_empty()));
            }
            "link" => self.entry_link(draft, tag, url_base),
            "guid" | "id" => self.entry_id(draft, tag),
            // If an entry has two of these, the first is the summary and the second the content.
            "description" | "summary" | "abstract" => {
                let has_one = draft.summary.has(DESCRIPTION);
                let target = if has_one { BodyTarget::Content(1) } else { BodyTarget::Summary(DESCRIPTION) };
                self.entry_body(draft, tag, base, target);
            }
            "content" => {
                let source = tag.filled("src").and_then(|raw| self.address(raw, url_base));
                draft.link.offer(1, source);
                self.entry_body(draft, tag, base, BodyTarget::Content(3));
            }
            "encoded" | "fullitem" => self.entry_body(draft, tag, base, BodyTarget::Content(2)),
            "body" => self.entry_body(draft, tag, base, BodyTarget::Content(1)),
            "pubdate" | "published" => self.entry_date(draft, tag, Some(4), None),
            "issued" => self.entry_date(draft, tag, Some(3), None),
            "created" => self.entry_date(draft, tag, Some(1), None),
            "date" => self.entry_date(draft, tag, Some(2), None),
            "updated" | "modified" | "lastbuilddate" => self.entry_date(draft, tag, None, Some(3)),
            "author" | "creator" => {
                let name = person::read(&mut self.reader, tag);
                person::add(&mut draft.authors, name);
            }
            "category" | "subject" => {
                let named = ["term", "label"].iter().find_map(|name| tag.filled(name)).map(str::to_owned);
                let text = self.reader.line(tag);
                draft.add_category(named.as_deref().unwrap_or(&text));
            }
            "comments" => {
                let raw = self.reader.line(tag);
                draft.comments.offer(3, self.address(&raw, url_base));
            }
            "enclosure" => self.entry_enclosure(draft, tag, url_base),
            "image" => {
                let found = image_address(&mut self.reader, tag);
                draft.thumbnail.offer(2, found.and_then(|raw| self.address(&raw, url_base)));
            }
            "source" | "contributor" | "textinput" => self.reader.skip(tag),
            _ => return false,
        }
        true
    }

    fn entry_dublin(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>, base: Option<&Rc<Url>>) -> bool {
        match &*tag.local {
            "title" => {
                let title = construct::text(&mut self.reader, tag, false);
                draft.title.offer(2, Some(title).filter(|title| !title.is_empty()));
            }
            "creator" | "author" => {
                let name = person::read(&mut self.reader, tag);
                person::add(&mut draft.authors, name);
            }
            "date" => self.entry_date(draft, tag, Some(2), None),
            "issued" | "available" => self.entry_date(draft, tag, Some(3), None),
            "created" => self.entry_date(draft, tag, Some(1), None),
            "modified" => self.entry_date(draft, tag, None, Some(2)),
            "subject" => {
                let text = self.reader.line(tag);
                draft.add_category(&text);
            }
            "description" | "abstract" => self.entry_body(draft, tag, base, BodyTarget::Summary(3)),
            "identifier" if draft.about.is_none() => {
                draft.about = Some(self.reader.line(tag).into_owned()).filter(|id| !id.is_empty());
            }
            _ => return false,
        }
        true
    }

    fn entry_media(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>, base: Option<&Rc<Url>>) -> bool {
        let url_base = base.map(|base| &**base);
        match &*tag.local {
            "content" => {
                self.media_file(draft, tag, url_base);
                return false;
            }
            "thumbnail" => {
                let raw = tag.filled("url").map(str::to_owned);
                let text = self.reader.line(tag);
                draft.thumbnail.offer(5, self.address(raw.as_deref().unwrap_or(&text), url_base));
            }
            "player" => {
                let raw = tag.filled("url").map(str::to_owned);
                self.reader.skip(tag);
                draft.link.offer(1, raw.and_then(|raw| self.address(&raw, url_base)));
            }
            "title" => {
                let title = construct::text(&mut self.reader, tag, false);
                draft.title.offer(1, Some(title).filter(|title| !title.is_empty()));
            }
            "description" => self.entry_body(draft, tag, base, BodyTarget::Summary(1)),
            "category" => {
                let text = self.reader.line(tag);
                draft.add_category(&text);
            }
            _ => return false,
        }
        true
    }

    fn media_file(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>, base: Option<&Url>) {
        let Some(url) = tag.filled("url").and_then(|raw| self.address(raw, base)) else { return };
        let media_type = tag.filled("type").map(str::to_owned);
        let is_image = tag.filled("medium").is_some_and(|medium| medium.eq_ignore_ascii_case("image"));
        if is_image || media_type.as_deref().is_some_and(|kind| kind.starts_with("image/")) {
            draft.thumbnail.offer(3, Some(url.clone()));
        }
        let length = tag.filled("filesize").and_then(|size| size.parse().ok());
        draft.add_enclosure(Enclosure { url, media_type, length });
    }

    fn entry_podcast(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>, base: Option<&Rc<Url>>) -> bool {
        match &*tag.local {
            "author" => {
                let text = self.reader.line(tag);
                draft.podcast_author = person::name_of(&text);
            }
            "image" => {
                let found = image_address(&mut self.reader, tag);
                draft.thumbnail.offer(4, found.and_then(|raw| self.address(&raw, base.map(|base| &**base))));
            }
            "summary" => self.entry_body(draft, tag, base, BodyTarget::Podcast),
            "subtitle" => self.entry_body(draft, tag, base, BodyTarget::Summary(1)),
            "title" => {
                let title = construct::text(&mut self.reader, tag, false);
                draft.title.offer(1, Some(title).filter(|title| !title.is_empty()));
            }
            _ => return false,
        }
        true
    }

    fn entry_id(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>) {
        let is_denied = tag.attr("ispermalink").is_some_and(|value| value.trim().eq_ignore_ascii_case("false"));
        let is_declared = tag.attr("ispermalink").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"));
        let text = self.reader.line(tag);
        if text.is_empty() || draft.id.is_some() {
            return;
        }
        draft.id_is_permalink = &*tag.local == "guid" && !is_denied && (is_declared || address::is_web(&text));
        draft.id = Some(text.into_owned());
    }

    fn entry_link(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>, base: Option<&Url>) {
        let href = tag.filled("href").or_else(|| tag.filled("rdf:resource")).map(str::to_owned);
        let text = self.reader.line(tag);
        let Some(url) = self.address(href.as_deref().unwrap_or(&text), base) else { return };
        if href.is_none() {
            return draft.link.offer(6, Some(url));
        }
        let rel = tag.filled("rel").unwrap_or("alternate").to_ascii_lowercase();
        let kind = tag.filled("type").map(str::to_ascii_lowercase);
        match rel.rsplit('/').next().unwrap_or(&rel) {
            "alternate" => {
                let rank = match kind.as_deref() {
                    Some(kind) if kind.contains("html") => 6,
                    None => 5,
                    Some(_) => 4,
                };
                draft.link.offer(rank, Some(url));
            }
            "enclosure" => {
                let length = tag.filled("length").and_then(|length| length.parse().ok());
                let media_type = tag.filled("type").map(str::to_owned);
                draft.add_enclosure(Enclosure { url, media_type, length });
            }
            "replies" => {
                let rank = if kind.is_none_or(|kind| kind.contains("html")) { 2 } else { 1 };
                draft.comments.offer(rank, Some(url));
            }
            _ => {}
        }
    }

    fn entry_enclosure(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>, base: Option<&Url>) {
        let raw =
            ["url", "href", "rdf:resource", "resource"].iter().find_map(|name| tag.filled(name)).map(str::to_owned);
        let text = self.reader.line(tag);
        let Some(url) = self.address(raw.as_deref().unwrap_or(&text), base) else { return };
        let media_type = tag.filled("type").map(str::to_owned);
        let length = tag.filled("length").and_then(|length| length.parse().ok());
        draft.add_enclosure(Enclosure { url, media_type, length });
    }

    fn entry_date(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>, published: Option<u8>, updated: Option<u8>) {
        let text = self.reader.line(tag);
        let date = self.date(&text);
        if let Some(rank) = published {
            draft.published.offer(rank, date);
        }
        if let Some(rank) = updated {
            draft.updated.offer(rank, date);
        }
    }

    fn entry_body(&mut self, draft: &mut EntryDraft<'a>, tag: &XmlTag<'a>, base: Option<&Rc<Url>>, target: BodyTarget) {
        let (slot, rank) = match target {
            BodyTarget::Content(rank) => (&mut draft.content, rank),
            BodyTarget::Summary(rank) => (&mut draft.summary, rank),
            BodyTarget::Podcast => (&mut draft.podcast_summary, 1),
        };
        if slot.has(rank) {
            self.reader.inner(tag, InnerKind::Body);
            return;
        }
        let atom = self.is_atom(tag) || tag.ns == Ns::Xhtml;
        let html = construct::html(&mut self.reader, tag, atom);
        let body = HtmlBody { html, base: base.cloned() };
        slot.offer(rank, Some(body).filter(|body| !body.html.trim().is_empty()));
    }
}

/// The field for a body, and its rank there.
#[derive(Debug, Clone, Copy)]
enum BodyTarget {
    Content(u8),
    Summary(u8),
    Podcast,
}
