//! Which posts of a list are new. Pure: the known addresses and the time are passed in.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use store::watch::{Condition, UrlStatus};

use crate::site_post::SitePost;

/// A post that is this much older than the newest known one is an old post that surfaces.
const OLD: TimeDelta = TimeDelta::days(31);
/// At least so many unknown posts at once, and more than half of the list, are a list that was rebuilt.
const MANY: usize = 5;
/// Posts of the first list that become items.
pub(crate) const FIRST_ITEMS: usize = 30;

/// A post with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyedPost {
    pub key: String,
    pub post: SitePost,
}

/// Earlier lists of a site.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The status of each address that was seen before.
    pub urls: HashMap<String, UrlStatus>,
    /// The date of the newest post that was ever seen.
    pub newest: Option<DateTime<Utc>>,
    /// The posts of the last list.
    pub listed: Vec<KeyedPost>,
    /// There was no check before: nothing is new.
    pub is_first: bool,
    /// The posts come from another source than before.
    pub is_other_source: bool,
    /// The keys are other ones than before, because parameters were learned.
    pub has_learned: bool,
}

/// What becomes of the posts of a list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// New. The page of each confirms it, or the next check.
    pub fresh: Vec<KeyedPost>,
    /// New, and seen for the second time.
    pub confirmed: Vec<KeyedPost>,
    /// Keys of posts that never become items.
    pub silent: Vec<String>,
    /// The first posts of a site.
    pub first: Vec<KeyedPost>,
    pub condition: Condition,
}

/// Compares a list with earlier ones. Each key counts once.
pub(crate) fn compare(posts: Vec<KeyedPost>, known: &Known) -> Comparison {
    let mut seen = HashSet::new();
    let posts: Vec<KeyedPost> = posts.into_iter().filter(|post| seen.insert(post.key.clone())).collect();
    if known.is_first {
        return first_list(posts);
    }
    let mut compared = Comparison::default();
    let listed = posts.len();
    let moved = Moved::between(&known.listed, &posts);
    for post in posts {
        match known.urls.get(&post.key) {
            Some(UrlStatus::Told | UrlStatus::Silent) => {}
            Some(UrlStatus::Pending) => compared.confirmed.push(post),
            None if known.is_old(&post.post) || moved.contains(&post) => compared.silent.push(post.key),
            None => compared.fresh.push(post),
        }
    }
    let is_newer =
        |post: &KeyedPost| post.post.published_at.is_some() && known.newest.is_some() && !known.is_old(&post.post);
    // Old posts, posts that have moved, and posts without a date.
    let unsure = compared.silent.len() + compared.fresh.iter().filter(|post| !is_newer(post)).count();
    let is_rebuilt = unsure >= MANY && unsure * 2 > listed;
    if is_rebuilt || known.is_other_source {
        let (newer, older) = compared.fresh.drain(..).partition(is_newer);
        compared.fresh = newer;
        compared.silent.extend(older.into_iter().map(|post: KeyedPost| post.key));
    }
    if is_rebuilt {
        compared.condition = Condition::Rebuilt;
    }
    compared
}

impl Known {
    /// The keys of known posts, if they are other ones than before.
    pub fn relearned(&self) -> Vec<String> {
        let is_told = |(_, status): &(&String, &UrlStatus)| self.has_learned && **status == UrlStatus::Told;
        self.urls.iter().filter(is_told).map(|(key, _)| key.clone()).collect()
    }

    /// Whether a post is an old one that surfaces: much older than the newest known one, or older than all that were listed.
    pub fn is_old(&self, post: &SitePost) -> bool {
        let Some(published) = post.published_at else { return false };
        let oldest = self.listed.iter().filter_map(|listed| listed.post.published_at).min();
        self.newest.is_some_and(|newest| published < newest - OLD) || oldest.is_some_and(|oldest| published < oldest)
    }
}

/// Titles of posts whose address has changed: they were listed before, and their old address is gone.
struct Moved(HashSet<String>);

/// Titles that are narrower than this many characters are not compared.
const MIN_TITLE: usize = 4;

impl Moved {
    fn between(before: &[KeyedPost], now: &[KeyedPost]) -> Moved {
        let mut times: HashMap<String, usize> = HashMap::new();
        for post in now {
            *times.entry(title_key(&post.post)).or_default() += 1;
        }
        let listed: HashSet<&str> = now.iter().map(|post| post.key.as_str()).collect();
        let gone = before.iter().filter(|post| !listed.contains(post.key.as_str())).map(|post| title_key(&post.post));
        // A title that is listed twice says nothing about one post.
        let is_certain = |title: &String| title.chars().count() >= MIN_TITLE && times.get(title) == Some(&1);
        Moved(gone.filter(is_certain).collect())
    }

    fn contains(&self, post: &KeyedPost) -> bool {
        self.0.contains(&title_key(&post.post))
    }
}

fn title_key(post: &SitePost) -> String {
    post.title.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The newest posts become items, the others are only remembered.
fn first_list(mut posts: Vec<KeyedPost>) -> Comparison {
    // The sort keeps the order of the list where dates are equal or unknown.
    if posts.iter().all(|post| post.post.published_at.is_some()) {
        posts.sort_by_key(|post| std::cmp::Reverse(post.post.published_at));
    }
    let rest = posts.split_off(posts.len().min(FIRST_ITEMS));
    Comparison { first: posts, silent: rest.into_iter().map(|post| post.key).collect(), ..Comparison::default() }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    fn post(key: &str, day: Option<u32>) -> KeyedPost {
        let published_at = day.map(|day| format!("2026-03-{day:02}T00:00:00Z").parse().unwrap());
        let url = Url::parse(&format!("https://e.example/{key}")).unwrap();
        KeyedPost { key: key.to_owned(), post: SitePost { url, title: key.to_owned(), published_at } }
    }

    fn known(keys: &[(&str, UrlStatus)], newest_day: Option<u32>) -> Known {
        Known {
            urls: keys.iter().map(|(key, status)| ((*key).to_owned(), *status)).collect(),
            newest: newest_day.map(|day| format!("2026-03-{day:02}T00:00:00Z").parse().unwrap()),
            ..Known::default()
        }
    }

    fn keys(posts: &[KeyedPost]) -> Vec<&str> {
        posts.iter().map(|post| post.key.as_str()).collect()
    }

    #[test]
    fn the_first_list_is_silent() {
        let posts = (0..40).map(|n| post(&n.to_string(), None)).collect();
        let compared = compare(posts, &Known { is_first: true, ..Known::default() });
        assert_eq!((compared.first.len(), compared.silent.len()), (30, 10));
        assert!(compared.fresh.is_empty() && compared.confirmed.is_empty());
    }

    #[test]
    fn a_post_is_new_once_and_confirmed_by_the_second_sight() {
        let before = known(&[("a", UrlStatus::Told), ("b", UrlStatus::Silent), ("c", UrlStatus::Pending)], Some(5));
        let compared = compare(vec![post("d", Some(6)), post("c", None), post("b", None), post("a", None)], &before);
        assert_eq!((keys(&compared.fresh), keys(&compared.confirmed)), (vec!["d"], vec!["c"]));
        assert!(compared.silent.is_empty());
        // Twice in one list is one post.
        let twice = compare(vec![post("d", Some(6)), post("d", Some(6))], &before);
        assert_eq!(keys(&twice.fresh), ["d"]);
    }

    #[test]
    fn old_posts_that_surface_are_not_new() {
        let mut before = known(&[("a", UrlStatus::Told)], Some(25));
        before.listed = vec![post("a", Some(25)), post("b", Some(12))];
        let compared = compare(vec![post("old", Some(3)), post("late", Some(20)), post("a", Some(25))], &before);
        assert_eq!((keys(&compared.fresh), compared.silent), (vec!["late"], vec!["old".to_owned()]));
        // Much older than the newest, though nothing was listed.
        before = known(&[], Some(25));
        before.newest = before.newest.map(|newest| newest + TimeDelta::days(20));
        assert_eq!(compare(vec![post("old", Some(3))], &before).silent, ["old"]);
    }

    #[test]
    fn posts_that_wait_are_confirmed_whatever_came_meanwhile() {
        let mut before = known(&[("waits", UrlStatus::Pending)], Some(28));
        before.newest = before.newest.map(|newest| newest + TimeDelta::days(60));
        assert_eq!(keys(&compare(vec![post("waits", Some(3))], &before).confirmed), ["waits"]);
    }

    #[test]
    fn a_post_with_a_new_address_is_not_new() {
        let titled = |key: &str, title: &str| {
            let mut post = post(key, None);
            post.post.title = title.to_owned();
            post
        };
        let mut before = known(&[("old", UrlStatus::Told)], None);
        before.listed = vec![titled("old", "A  Field guide"), titled("weekly-1", "Weekly links")];
        let now = vec![
            titled("moved", "A field guide"),
            titled("weekly-2", "Weekly links"),
            titled("weekly-1", "Weekly links"),
        ];
        before.urls.insert("weekly-1".to_owned(), UrlStatus::Told);
        let compared = compare(now, &before);
        assert_eq!((keys(&compared.fresh), compared.silent), (vec!["weekly-2"], vec!["moved".to_owned()]));
    }

    #[test]
    fn a_list_that_was_rebuilt_announces_only_what_is_newer() {
        let mut before = known(&[("a", UrlStatus::Told)], Some(20));
        before.listed = vec![post("a", Some(20)), post("b", Some(17))];
        let mut posts: Vec<_> = (0..6).map(|n| post(&n.to_string(), Some(10 + n))).collect();
        posts.push(post("new", Some(21)));
        let compared = compare(posts, &before);
        assert_eq!((keys(&compared.fresh), compared.silent.len()), (vec!["new"], 6));
        assert_eq!(compared.condition, Condition::Rebuilt);
    }

    #[test]
    fn many_new_posts_with_new_dates_are_new() {
        let before = known(&[("a", UrlStatus::Told)], Some(10));
        let posts: Vec<_> = (0..8).map(|n| post(&n.to_string(), Some(11 + n))).collect();
        let compared = compare(posts, &before);
        assert_eq!((compared.fresh.len(), compared.condition), (8, Condition::Ok));
    }
}
