//! Video, social networks and blog hosts: YouTube, Reddit, Mastodon, Medium, Substack, WordPress, Tumblr, Blogger.

use memchr::memmem;

use super::{FoundFeed, SiteAddress, atom, rss};

/// Hosts whose `/@name` is not a Mastodon profile.
const NOT_MASTODON: &[&str] = &[
    "youtube.com",
    "m.youtube.com",
    "medium.com",
    "tiktok.com",
    "threads.net",
    "threads.com",
    "substack.com",
    "flipboard.com",
];

const YOUTUBE: &[&str] = &["youtube.com", "m.youtube.com", "music.youtube.com"];

pub fn feeds(address: &SiteAddress) -> Vec<FoundFeed> {
    let host = address.host;
    match host {
        _ if YOUTUBE.contains(&host) => youtube(address),
        "reddit.com" | "old.reddit.com" | "new.reddit.com" | "np.reddit.com" | "m.reddit.com" => reddit(address),
        "medium.com" => medium(address),
        "substack.com" => match address.parts[..] {
            [name, ..] if name.starts_with('@') && name.len() > 1 => {
                vec![rss(format!("https://{}.substack.com/feed", &name[1..]))]
            }
            _ => Vec::new(),
        },
        "tumblr.com" => match address.parts[..] {
            ["dashboard" | "explore" | "tagged" | "search" | "login" | "register", ..] | [] => Vec::new(),
            [name, ..] => vec![rss(format!("https://{name}.tumblr.com/rss"))],
        },
        "bsky.app" => match address.parts[..] {
            ["profile", name, ..] => vec![rss(format!("https://bsky.app/profile/{name}/rss"))],
            _ => Vec::new(),
        },
        _ if address.name_under("medium.com").is_some() => vec![rss(format!("https://{host}/feed"))],
        _ if address.name_under("substack.com").is_some() => vec![rss(format!("https://{host}/feed"))],
        _ if address.name_under("wordpress.com").is_some() => wordpress(address),
        _ if address.name_under("tumblr.com").is_some() => match address.parts[..] {
            ["tagged", tag, ..] => vec![rss(format!("https://{host}/tagged/{tag}/rss"))],
            _ => vec![rss(format!("https://{host}/rss"))],
        },
        _ if host.contains(".blogspot.") => blogger(address),
        _ => mastodon(address),
    }
}

fn youtube(address: &SiteAddress) -> Vec<FoundFeed> {
    let feed = |name: &str, value: &str| atom(format!("https://www.youtube.com/feeds/videos.xml?{name}={value}"));
    // Private lists (watch later, liked) and mixes have no feed.
    let list = address.parameter("list").filter(|list| is_id(list) && !list.starts_with("RD") && list.len() > 2);
    match address.parts[..] {
        ["channel", id, ..] if is_id(id) => vec![feed("channel_id", id)],
        ["user", name, ..] => vec![feed("user", name)],
        ["playlist" | "watch", ..] => list.iter().map(|list| feed("playlist_id", list)).collect(),
        // The channel of `/@handle` and `/c/name` is only in the page.
        _ => Vec::new(),
    }
}

/// The feed of the channel of a YouTube page.
pub fn youtube_channel_in(html: &str, address: &SiteAddress) -> Option<String> {
    if !YOUTUBE.contains(&address.host) {
        return None;
    }
    const MARKS: &[&str] = &[
        "\"externalId\":\"",
        "<meta itemprop=\"channelId\" content=\"",
        "<meta itemprop=\"identifier\" content=\"",
        "https://www.youtube.com/channel/",
        "\"channelId\":\"",
    ];
    MARKS.iter().find_map(|mark| {
        let at = memmem::find(html.as_bytes(), mark.as_bytes())? + mark.len();
        let id: String = html[at..].chars().take(40).take_while(|c| is_id_character(*c)).collect();
        let is_channel = id.starts_with("UC") && id.len() == 24;
        is_channel.then(|| format!("https://www.youtube.com/feeds/videos.xml?channel_id={id}"))
    })
}

fn is_id_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_id_character)
}

fn reddit(address: &SiteAddress) -> Vec<FoundFeed> {
    let at = |path: &str| vec![atom(format!("https://www.reddit.com/{path}.rss"))];
    match address.parts[..] {
        [] => at(""),
        ["r", sub, "comments", id, ..] => at(&format!("r/{sub}/comments/{id}/")),
        ["r", sub, order @ ("new" | "top" | "hot" | "rising" | "controversial"), ..] => {
            at(&format!("r/{sub}/{order}/"))
        }
        ["r", sub, ..] => at(&format!("r/{}/", sub.trim_end_matches(".rss"))),
        ["u" | "user", name, "m", multi, ..] => at(&format!("user/{name}/m/{multi}/")),
        ["u" | "user", name, ..] => at(&format!("user/{}/", name.trim_end_matches(".rss"))),
        ["domain", name, ..] => at(&format!("domain/{name}/")),
        _ => Vec::new(),
    }
}

fn mastodon(address: &SiteAddress) -> Vec<FoundFeed> {
    let host = address.url.host_str().unwrap_or_default();
    let [name, ..] = address.parts[..] else { return Vec::new() };
    let Some(name) = name.strip_prefix('@').filter(|_| !NOT_MASTODON.contains(&address.host)) else {
        return Vec::new();
    };
    let name = name.strip_suffix(".rss").unwrap_or(name);
    match name.split_once('@') {
        Some((name, home)) if home.contains('.') => vec![rss(format!("https://{home}/@{name}.rss"))],
        _ if name.is_empty() => Vec::new(),
        _ => vec![rss(format!("https://{host}/@{name}.rss"))],
    }
}

fn medium(address: &SiteAddress) -> Vec<FoundFeed> {
    match address.parts[..] {
        ["m" | "me" | "search" | "about" | "membership" | "feed" | "p", ..] | [] => Vec::new(),
        ["tag", tag, ..] => vec![rss(format!("https://medium.com/feed/tag/{tag}"))],
        [name, ..] => vec![rss(format!("https://medium.com/feed/{name}"))],
    }
}

fn wordpress(address: &SiteAddress) -> Vec<FoundFeed> {
    let host = address.host;
    let whole = rss(format!("https://{host}/feed/"));
    match address.parts[..] {
        [folder @ ("category" | "tag" | "author"), name, ..] => {
            vec![rss(format!("https://{host}/{folder}/{name}/feed/")), whole]
        }
        _ => vec![whole],
    }
}

fn blogger(address: &SiteAddress) -> Vec<FoundFeed> {
    let host = address.host;
    let all = format!("https://{host}/feeds/posts/default");
    match address.parts[..] {
        ["search", "label", label, ..] => vec![atom(format!("{all}/-/{label}")), atom(all)],
        _ => vec![atom(all.clone()), rss(format!("{all}?alt=rss"))],
    }
}
