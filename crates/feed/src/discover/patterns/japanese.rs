//! Japanese platforms: Hatena, note, Qiita, Zenn.

use super::{Found, Place, atom, rss};

const HATENA_BLOGS: &[&str] =
    &["hatenablog.com", "hatenablog.jp", "hateblo.jp", "hatenadiary.com", "hatenadiary.jp", "hatenadiary.org"];

/// First parts of addresses that are nobody's name.
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

pub fn feeds(place: &Place) -> Vec<Found> {
    match place.host {
        "b.hatena.ne.jp" => hatena_bookmark(place),
        "note.com" => note(place),
        "qiita.com" => qiita(place),
        "zenn.dev" => zenn(place),
        host if place.name_under("note.jp").is_some() => vec![rss(format!("https://{host}/rss"))],
        host if HATENA_BLOGS.iter().any(|domain| place.name_under(domain).is_some()) => hatena_blog(place, host),
        _ => Vec::new(),
    }
}

fn hatena_blog(place: &Place, host: &str) -> Vec<Found> {
    match place.parts[..] {
        ["archive", "category", category, ..] => vec![
            atom(format!("https://{host}/feed/category/{category}")),
            rss(format!("https://{host}/rss/category/{category}")),
        ],
        _ => vec![atom(format!("https://{host}/feed")), rss(format!("https://{host}/rss"))],
    }
}

fn hatena_bookmark(place: &Place) -> Vec<Found> {
    const AT: &str = "https://b.hatena.ne.jp";
    match place.parts[..] {
        [] => vec![rss(format!("{AT}/hotentry.rss"))],
        [list @ ("hotentry" | "entrylist")] => vec![rss(format!("{AT}/{list}.rss"))],
        [list @ ("hotentry" | "entrylist"), category, ..] => {
            vec![rss(format!("{AT}/{list}/{}.rss", category.trim_end_matches(".rss")))]
        }
        ["q" | "search" | "site", ..] => {
            let mut url = place.url.clone();
            if place.parameter("mode").as_deref() != Some("rss") {
                url.query_pairs_mut().append_pair("mode", "rss");
            }
            vec![rss(url.into())]
        }
        ["entry" | "my" | "guide" | "login" | "register", ..] => Vec::new(),
        [user, ..] => vec![rss(format!("{AT}/{user}/bookmark.rss"))],
    }
}

fn note(place: &Place) -> Vec<Found> {
    match place.parts[..] {
        [user, "m", magazine, ..] => vec![rss(format!("https://note.com/{user}/m/{magazine}/rss"))],
        [user, ..] if !PAGES.contains(&user) => vec![rss(format!("https://note.com/{user}/rss"))],
        _ => Vec::new(),
    }
}

fn qiita(place: &Place) -> Vec<Found> {
    match place.parts[..] {
        [] | ["popular-items" | "trend", ..] => vec![atom("https://qiita.com/popular-items/feed".to_owned())],
        ["tags", tag, ..] => vec![atom(format!("https://qiita.com/tags/{tag}/feed"))],
        ["organizations", name, ..] => vec![atom(format!("https://qiita.com/organizations/{name}/activities.atom"))],
        [user, ..] if !PAGES.contains(&user) => vec![atom(format!("https://qiita.com/{user}/feed"))],
        _ => Vec::new(),
    }
}

fn zenn(place: &Place) -> Vec<Found> {
    match place.parts[..] {
        [] => vec![rss("https://zenn.dev/feed".to_owned())],
        [folder @ ("topics" | "p"), name, ..] => vec![rss(format!("https://zenn.dev/{folder}/{name}/feed"))],
        [user, ..] if !PAGES.contains(&user) => vec![rss(format!("https://zenn.dev/{user}/feed"))],
        _ => Vec::new(),
    }
}
