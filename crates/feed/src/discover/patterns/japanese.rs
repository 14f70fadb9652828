//! Japanese platforms: Hatena, note, Qiita, Zenn.

use super::{FoundFeed, SiteAddress, atom, rss};

const HATENA_BLOGS: &[&str] =
    &["hatenablog.com", "hatenablog.jp", "hateblo.jp", "hatenadiary.com", "hatenadiary.jp", "hatenadiary.org"];

/// First segments of paths that are not names of users.
const PAGES: &[&str] = &[
    "about",
    "hashtag",
    "explore",
    "login",
    "search",
    "settings",
    "signup",
    "tags",
    "topics",
    "trend",
    "privacy",
    "terms",
    "items",
    "contests",
    "magazines",
    "ranking",
    "help",
    "api",
    "advent-calendar",
    "question-feed",
    "timeline",
    "books",
    "articles",
    "scraps",
    "interests",
    "categories",
    "notes",
    "opportunities",
    "official-events",
    "stock",
    "opensource",
];

pub fn feeds(address: &SiteAddress) -> Vec<FoundFeed> {
    match address.host {
        "b.hatena.ne.jp" => hatena_bookmark(address),
        "note.com" => note(address),
        "qiita.com" => qiita(address),
        "zenn.dev" => zenn(address),
        host if address.name_under("note.jp").is_some() => vec![rss(format!("https://{host}/rss"))],
        host if HATENA_BLOGS.iter().any(|domain| address.name_under(domain).is_some()) => hatena_blog(address, host),
        _ => Vec::new(),
    }
}

fn hatena_blog(address: &SiteAddress, host: &str) -> Vec<FoundFeed> {
    match address.parts[..] {
        ["archive", "category", category, ..] => vec![
            atom(format!("https://{host}/feed/category/{category}")),
            rss(format!("https://{host}/rss/category/{category}")),
        ],
        _ => vec![atom(format!("https://{host}/feed")), rss(format!("https://{host}/rss"))],
    }
}

fn hatena_bookmark(address: &SiteAddress) -> Vec<FoundFeed> {
    const AT: &str = "https://b.hatena.ne.jp";
    match address.parts[..] {
        [] => vec![rss(format!("{AT}/hotentry.rss"))],
        [list @ ("hotentry" | "entrylist")] => vec![rss(format!("{AT}/{list}.rss"))],
        [list @ ("hotentry" | "entrylist"), category, ..] => {
            vec![rss(format!("{AT}/{list}/{}.rss", category.trim_end_matches(".rss")))]
        }
        ["q" | "search" | "site", ..] => {
            let mut url = address.url.clone();
            if address.parameter("mode").as_deref() != Some("rss") {
                url.query_pairs_mut().append_pair("mode", "rss");
            }
            vec![rss(url.into())]
        }
        ["entry" | "my" | "guide" | "login" | "register", ..] => Vec::new(),
        [user, ..] => vec![rss(format!("{AT}/{user}/bookmark.rss"))],
    }
}

fn note(address: &SiteAddress) -> Vec<FoundFeed> {
    match address.parts[..] {
        [user, "m", magazine, ..] => vec![rss(format!("https://note.com/{user}/m/{magazine}/rss"))],
        [user, ..] if !PAGES.contains(&user) => vec![rss(format!("https://note.com/{user}/rss"))],
        _ => Vec::new(),
    }
}

fn qiita(address: &SiteAddress) -> Vec<FoundFeed> {
    match address.parts[..] {
        [] | ["popular-items" | "trend", ..] => vec![atom("https://qiita.com/popular-items/feed".to_owned())],
        ["tags", tag, ..] => vec![atom(format!("https://qiita.com/tags/{tag}/feed"))],
        ["organizations", name, ..] => vec![atom(format!("https://qiita.com/organizations/{name}/activities.atom"))],
        [user, ..] if !PAGES.contains(&user) => vec![atom(format!("https://qiita.com/{user}/feed"))],
        _ => Vec::new(),
    }
}

fn zenn(address: &SiteAddress) -> Vec<FoundFeed> {
    match address.parts[..] {
        [] => vec![rss("https://zenn.dev/feed".to_owned())],
        [folder @ ("topics" | "p"), name, ..] => vec![rss(format!("https://zenn.dev/{folder}/{name}/feed"))],
        [user, ..] if !PAGES.contains(&user) => vec![rss(format!("https://zenn.dev/{user}/feed"))],
        _ => Vec::new(),
    }
}
