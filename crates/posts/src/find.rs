//! The steps of the search, in their order.

use article::dom::{Document, Tag};
use chrono::{DateTime, Utc};
use url::Url;

use crate::{
    absent::{self, Absence},
    address::{Address, Role},
    blocks::Blocks,
    frame,
    item::{self, Item},
    links::Links,
    lists::{Choice, ItemList},
    page_dates::PageDates,
    select::{self, PageSigns, Verdict},
    structured::{self, PageFacts},
    when,
};

/// The address of a page, the time, and the list that a user chose.
#[derive(Debug, Clone, Copy)]
pub struct PageContext<'a> {
    /// The address of the page. Without it, the page itself must name its address.
    pub base_url: Option<&'a Url>,
    pub now: DateTime<Utc>,
    /// The list to take: the `id` of a [`PostList`]. Without it, or if the page no longer has it, the best one.
    pub list: Option<&'a str>,
}

/// A post in the list of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Post {
    /// As on the page, but absolute and without a fragment.
    pub url: Url,
    /// Empty if the page shows none.
    pub title: String,
    pub published_at: Option<DateTime<Utc>>,
}

/// A link that is not a post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    pub url: Url,
    pub reason: Reason,
}

/// Why a link is not a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It leads to another site.
    OtherSite,
    /// It leads to an image, a document, a feed or the like.
    File,
    /// It leads to the page that it is on.
    ThisPage,
    /// It leads to the front page or a folder above the page.
    Above,
    /// It leads to the posts of a tag, a category, an author or a further page.
    Listing,
    /// It leads to a page that most sites have, such as "about".
    FixedPage,
    /// It is in navigation, sidebar or footer.
    Frame,
    /// It is in the middle of a sentence.
    InText,
    /// It has a price.
    Price,
    /// Its text is short, and there is no date.
    TooShort,
    /// It differs from the posts of the page, or the page has no posts.
    UnlikePosts,
}

impl Reason {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Reason::OtherSite => "another site",
            Reason::File => "a file",
            Reason::ThisPage => "this page",
            Reason::Above => "the front page or a folder above",
            Reason::Listing => "a list of posts",
            Reason::FixedPage => "a page that is no post",
            Reason::Frame => "navigation, sidebar or footer",
            Reason::InText => "a link in a text",
            Reason::Price => "it has a price",
            Reason::TooShort => "a short text without a date",
            Reason::UnlikePosts => "unlike the posts of the page",
        }
    }
}

/// What is found on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// In the order of the page.
    pub posts: Vec<Post>,
    pub rejected: Vec<Rejected>,
    /// Why there are no posts.
    pub absence: Option<Absence>,
    /// Other lists on the page that could be meant, the likeliest first. At most five.
    pub others: Vec<PostList>,
    /// Which list `posts` is. None if there are none.
    pub list: Option<String>,
}

impl Found {
    fn nothing(absence: Absence) -> Found {
        Found { posts: Vec::new(), rejected: Vec::new(), absence: Some(absence), others: Vec::new(), list: None }
    }
}

/// A list of links that could be posts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostList {
    /// Names the list at later versions of the page: it depends on the template around its links, not on the posts.
    pub id: String,
    pub posts: Vec<Post>,
}

/// Finds the list of posts on a page.
pub fn find_posts(html: &str, context: &PageContext<'_>) -> Found {
    let document = Document::parse(html);
    let Some(page) = context.base_url.cloned().or_else(|| own_address(&document)) else {
        return Found::nothing(Absence::NoAddress);
    };
    // Whatever the links of such a page look like.
    if absent::is_blocked(&document) {
        return Found::nothing(Absence::Blocked);
    }
    let links = Links::of(&document, &page);
    let nodes: Vec<_> = links.candidates.iter().map(|(node, _)| *node).collect();
    let places = frame::places(&document, &nodes);
    let blocks = Blocks::of(&document, &links);
    let mut items = item::items(&document, &links, &blocks, &places);
    let dates = PageDates::of(&document, &places, context.now);
    when::set_dates(&document, &links, &blocks, &dates, &mut items);
    let signs = PageSigns { address: Address::of(&page), has_feed: has_feed(&document) };
    let mut lists = select::select(&items, &links, &signs);
    let facts = PageFacts { url: &page, links: &links, now: context.now, has_list: lists.best.is_some() };
    let data = structured::apply(&document, &facts, &mut items);
    lists.add_data(&data.linked, !data.unlinked.is_empty());
    let Choice { taken, others, best, verdicts } = lists.choose(context.list);
    let posts = |list: &ItemList| -> Vec<Post> {
        let unlinked = if best.as_ref() == Some(&list.id) { &data.unlinked[..] } else { &[] };
        list.members.iter().filter_map(|at| post(items.get(*at)?, &links)).chain(unlinked.iter().cloned()).collect()
    };
    Found {
        absence: taken.is_none().then(|| absent::why(&document, &places, links.candidates.len())),
        posts: taken.as_ref().map(&posts).unwrap_or_default(),
        rejected: rejected(&links, &items, &verdicts),
        others: others.into_iter().map(|list| PostList { posts: posts(&list), id: list.id }).collect(),
        list: taken.map(|list| list.id),
    }
}

fn post(item: &Item, links: &Links) -> Option<Post> {
    let url = links.targets.get(item.target)?.url.clone();
    Some(Post { url, title: item.title.clone(), published_at: item.published })
}

/// Whether the page names a feed.
fn has_feed(document: &Document<'_>) -> bool {
    document.all(Tag::Link).any(|id| {
        let kind = document.raw_attribute(id, "type").unwrap_or_default();
        matches!(kind, "application/rss+xml" | "application/atom+xml" | "application/feed+json")
    })
}

/// The address that a page says it has.
fn own_address(document: &Document<'_>) -> Option<Url> {
    let attribute = |tag: Tag, name: &str, value: &str, wanted: &str| {
        let mut all = document.all(tag);
        { &mut all }
            .find(|id| document.raw_attribute(*id, name).is_some_and(|known| known.eq_ignore_ascii_case(value)))
            .and_then(|id| document.attribute(id, wanted))
    };
    let written = [
        document.first(Tag::Base).and_then(|base| document.attribute(base, "href")),
        attribute(Tag::Link, "rel", "canonical", "href"),
        attribute(Tag::Meta, "property", "og:url", "content"),
    ];
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
    written.into_iter().flatten().filter_map(|written| Url::parse(written.trim()).ok()).find(is_web)
}

fn rejected(links: &Links, items: &[Item], verdicts: &[Verdict]) -> Vec<Rejected> {
    let mut reasons: Vec<Option<Reason>> = links.targets.iter().map(|target| by_address(target.role)).collect();
    for (item, verdict) in items.iter().zip(verdicts) {
        if let Some(reason) = reasons.get_mut(item.target) {
            *reason = match verdict {
                Verdict::Post => None,
                Verdict::Frame => Some(Reason::Frame),
                Verdict::Prose => Some(Reason::InText),
                Verdict::Price => Some(Reason::Price),
                Verdict::Fixed => Some(Reason::FixedPage),
                Verdict::Weak => Some(Reason::TooShort),
                Verdict::Unlike => Some(Reason::UnlikePosts),
            };
        }
    }
    let with_reason = links.targets.iter().zip(reasons).filter_map(|(target, reason)| Some((target, reason?)));
    with_reason.map(|(target, reason)| Rejected { url: target.url.clone(), reason }).collect()
}

fn by_address(role: Role) -> Option<Reason> {
    match role {
        Role::Listing => Some(Reason::Listing),
        Role::File => Some(Reason::File),
        Role::Itself => Some(Reason::ThisPage),
        Role::Above => Some(Reason::Above),
        Role::Elsewhere => Some(Reason::OtherSite),
        Role::Page | Role::Period | Role::Fixed => None,
    }
}
