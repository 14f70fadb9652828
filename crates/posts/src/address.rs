//! What the address of a link says about its target.

mod words;

use chrono::NaiveDate;
use url::Url;

/// What a link probably leads to, by its address alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing speaks against a post.
    Page,
    /// A tag, a category, a further page of a list.
    Listing,
    /// `/2026/03`: the posts of a month, but on some sites a post.
    Period,
    /// A page that most sites have, such as `/about`.
    Fixed,
    /// A file that is no page.
    File,
    /// The page itself.
    Itself,
    /// The front page, or a folder above the page.
    Above,
    Elsewhere,
}

/// The parts of an address that matter here.
#[derive(Debug)]
pub(crate) struct Address {
    /// The path in lower case, in parts, without the ending of the last.
    segments: Vec<String>,
    ending: String,
    query: String,
}

impl Address {
    pub(crate) fn of(url: &Url) -> Address {
        let mut segments: Vec<String> =
            url.path().split('/').filter(|segment| !segment.is_empty()).map(str::to_lowercase).collect();
        let mut ending = String::new();
        if let Some(last) = segments.last_mut()
            && let Some((stem, known)) = last.rsplit_once('.').map(|(stem, end)| (stem.to_owned(), end.to_owned()))
            && (1..=5).contains(&known.len())
            && known.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !known.bytes().all(|byte| byte.is_ascii_digit())
        {
            // `a-talk-about-node.js` is a title.
            if words::is_page(&known) || stem.split('-').count() < 4 {
                (*last, ending) = (stem, known);
            }
        }
        if segments.last().is_some_and(|last| matches!(last.as_str(), "index" | "default")) && words::is_page(&ending) {
            segments.pop();
        }
        Address { segments, ending, query: url.query().unwrap_or_default().to_lowercase() }
    }

    /// The role of a link on a page.
    pub(crate) fn role(&self, page: &Address) -> Role {
        if self.segments == page.segments && self.query == page.query {
            return Role::Itself;
        }
        if !self.ending.is_empty() && !words::is_page(&self.ending) {
            return Role::File;
        }
        if self.query.is_empty() && page.segments.starts_with(&self.segments) || self.is_translated_root(page) {
            return Role::Above;
        }
        if self.is_listing() {
            return Role::Listing;
        }
        if self.is_period() {
            return Role::Period;
        }
        let last = self.segments.last().map_or("", String::as_str);
        if self.query.is_empty() && words::FIXED.contains(&last) {
            return Role::Fixed;
        }
        Role::Page
    }

    /// `/en/` beside `/ja/`.
    fn is_translated_root(&self, page: &Address) -> bool {
        let is_language = |segment: &String| {
            let (language, region) = segment.split_once(['-', '_']).unwrap_or((segment, ""));
            words::LANGUAGES.contains(&language) && region.len() <= 4
        };
        let bare = |segments: &[String]| match segments {
            [first, rest @ ..] if is_language(first) => rest.to_vec(),
            all => all.to_vec(),
        };
        self.query.is_empty()
            && self.segments.first().is_some_and(is_language)
            && (self.segments.len() == 1 || bare(&self.segments) == bare(&page.segments))
    }

    fn is_listing(&self) -> bool {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        if { pairs }.any(|(name, _)| words::LISTING_PARAMETERS.contains(&name)) {
            return true;
        }
        let count = self.segments.len();
        self.segments.iter().enumerate().any(|(at, segment)| {
            // `/blog/tags/a`, but not `/tags/a/2026/a-post`.
            let rest = count - at - 1;
            words::LISTINGS.contains(&segment.as_str()) && (rest <= 1 || rest == 2 && !self.has_slug())
                || segment == "page" && rest <= 1
                || is_part_of_post(segment) && rest == 0 && at > 0
                || segment.starts_with('@') && rest == 0
                || words::is_numbered_page(segment) && rest == 0
        })
    }

    fn is_period(&self) -> bool {
        let is_number = |segment: &String, digits: usize| {
            segment.len() <= digits && !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_year = |segment: &String| segment.len() == 4 && is_number(segment, 4) && is_year(segment);
        let is_month = |segment: &String| is_number(segment, 2) || month(segment).is_some();
        match self.segments.as_slice() {
            [.., year, month, day] if is_year(year) && is_month(month) && is_number(day, 2) => true,
            [.., year, month] if is_year(year) && is_month(month) => true,
            [.., year] => is_year(year),
            [] => false,
        }
    }

    /// A date in the path: `/2026/03/04/`, `/2026/mar/04/`, `/2026-03-04-`, `/20260304`.
    pub(crate) fn date(&self) -> Option<NaiveDate> {
        let number = |text: Option<&str>| text.filter(|text| !text.is_empty())?.parse::<u32>().ok();
        for (at, segment) in self.segments.iter().enumerate() {
            if segment.len() == 4 && is_year(segment) {
                let month = self.segments.get(at + 1).and_then(|segment| month(segment));
                let day = self.segments.get(at + 2).map(|text| text.split(['-', '_']).next().unwrap_or_default());
                if let (Some(month), Some(day)) = (month, number(day.filter(|day| day.len() <= 2))) {
                    return NaiveDate::from_ymd_opt(segment.parse().ok()?, month, day);
                }
            }
            let digits: String = segment.chars().filter(|c| !matches!(c, '-' | '_')).take(8).collect();
            let is_dated = segment.get(..4).is_some_and(is_year) && digits.len() == 8 && digits.is_ascii();
            let follows = segment.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_'));
            let head = segment.len() - follows.len();
            if is_dated
                && (8..=12).contains(&head)
                && !segment.get(8..9).is_some_and(|c| c != "-" && head == 8 && follows.is_empty())
            {
                let day = NaiveDate::parse_from_str(&digits, "%Y%m%d");
                if let Ok(day) = day {
                    return Some(day);
                }
            }
        }
        None
    }

    /// Whether the path has a year and a month, as on many blogs.
    pub(crate) fn has_period(&self) -> bool {
        self.segments.windows(2).any(|pair| match pair {
            [year, name] => year.len() == 4 && is_year(year) && month(name).is_some(),
            _ => false,
        })
    }

    /// The form of the address: addresses of posts on one site share it.
    pub(crate) fn shape(&self) -> String {
        let mut shape = String::new();
        let last = self.segments.len().saturating_sub(1);
        for (at, segment) in self.segments.iter().enumerate() {
            shape.push('/');
            let is_number = segment.bytes().all(|byte| byte.is_ascii_digit());
            match (is_number, at == last) {
                (true, _) => shape.push('9'),
                (false, true) => shape.push('w'),
                (false, false) => shape.push_str(segment),
            }
        }
        shape.push('.');
        shape.push_str(&self.ending);
        for (name, _) in self.query.split('&').filter_map(|pair| pair.split_once('=')) {
            shape.push('?');
            shape.push_str(name);
        }
        shape
    }

    /// The first part of the path. Empty for pages at the root.
    pub(crate) fn folder(&self) -> &str {
        match self.segments.as_slice() {
            [first, _, ..] => first,
            _ => "",
        }
    }

    pub(crate) fn depth(&self) -> usize {
        self.segments.len()
    }

    /// Whether the last part names one thing: several words, or a number.
    pub(crate) fn has_slug(&self) -> bool {
        let last = self.segments.last().map_or("", String::as_str);
        let words = last.split(['-', '_', '+']).filter(|word| !word.is_empty()).count();
        let is_number = last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_digit());
        words >= 3
            || is_number
            || last.contains('%')
            || !self.query.is_empty() && self.query.bytes().any(|byte| byte.is_ascii_digit())
    }

    /// Whether the path says that there are posts below it: `/blog/a`.
    pub(crate) fn is_below_posts(&self) -> bool {
        let above = self.segments.split_last().map_or(&[][..], |(_, above)| above);
        above.iter().any(|segment| words::POSTS.contains(&segment.as_str()))
    }

    /// Whether the address alone says that it is a post: it has a date, or it names one thing among posts.
    pub(crate) fn is_post_like(&self) -> bool {
        self.date().is_some() || self.has_period() || self.is_below_posts() && self.has_slug()
    }

    /// Whether the page itself is named as a list of posts.
    pub(crate) fn is_named_posts(&self) -> bool {
        self.segments.iter().any(|segment| words::POSTS.contains(&segment.as_str()))
    }
}

/// A month as a number or as a name in English.
fn month(segment: &str) -> Option<u32> {
    if segment.len() <= 2 && segment.bytes().all(|byte| byte.is_ascii_digit()) {
        return segment.parse().ok();
    }
    MONTHS
        .iter()
        .zip(1..)
        .find(|(name, _)| segment == **name || segment.len() == 3 && name.starts_with(segment))
        .map(|(_, month)| month)
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The last part of addresses that belong to a post, such as its comments.
fn is_part_of_post(segment: &str) -> bool {
    matches!(segment, "comments" | "trackback" | "respond")
}

fn is_year(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|year| (1990..=2100).contains(&year))
}

/// The host without `www.`.
pub(crate) fn bare_host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

#[cfg(test)]
mod tests;
