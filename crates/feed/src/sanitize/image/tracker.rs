//! Addresses of tracking pixels and placeholders.

use url::Url;

// Hosts, including subdomains.
const HOSTS: &[&str] = &[
    "2o7.net",
    "ad.doubleclick.net",
    "addtoany.com",
    "adnxs.com",
    "analytics.twitter.com",
    "b.scorecardresearch.com",
    "beacon.walmart.com",
    "bat.bing.com",
    "chartbeat.net",
    "counter.yadro.ru",
    "criteo.com",
    "doubleclick.net",
    "feedsportal.com",
    "google-analytics.com",
    "googleadservices.com",
    "googlesyndication.com",
    "googletagmanager.com",
    "hits.blogsoft.org",
    "imrworldwide.com",
    "list-manage.com",
    "mc.yandex.ru",
    "moatads.com",
    "omtrdc.net",
    "outbrain.com",
    "parsely.com",
    "pheedo.com",
    "pixel.quantserve.com",
    "pixel.wp.com",
    "quantserve.com",
    "scorecardresearch.com",
    "statcounter.com",
    "stats.wordpress.com",
    "stats.wp.com",
    "taboola.com",
    "zemanta.com",
];

// Prefixes of paths on a host.
const PATHS: &[(&str, &str)] = &[
    ("feeds.feedburner.com", "/~r/"),
    ("feeds.feedburner.com", "/~ff/"),
    ("feeds2.feedburner.com", "/~r/"),
    ("feedproxy.google.com", "/~r/"),
    ("feedproxy.google.com", "/~ff/"),
    ("feeds.wordpress.com", "/1.0/"),
    ("facebook.com", "/tr"),
    ("medium.com", "/_/stat"),
    ("blogger.googleusercontent.com", "/tracker/"),
    ("t.co", "/i/adsct"),
    ("pi.feedsportal.com", "/"),
    ("rss.buysellads.com", "/"),
    ("reuters.com", "/tracker/"),
];

const FILES: &[&str] = &[
    "1x1.gif",
    "1x1.png",
    "blank.gif",
    "blank.png",
    "clear.gif",
    "pixel.gif",
    "pixel.png",
    "spacer.gif",
    "spacer.png",
    "tracker.gif",
    "tracking.gif",
    "transparent.gif",
    "transparent.png",
    "trans.gif",
];

const PLACEHOLDERS: &[&str] =
    &["placeholder", "lazy", "loading", "loader", "blank", "spacer", "transparent", "grey.gif", "gray.gif", "dummy"];

/// Whether an address is that of a tracking pixel.
pub(in super::super) fn is_tracker(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let path = url.path();
    HOSTS.iter().any(|tracker| is_under(host, tracker))
        || PATHS.iter().any(|(tracker, start)| is_under(host, tracker) && path.starts_with(start))
        || FILES.contains(&file(path))
}

/// Whether an address is probably a placeholder for lazy loading.
pub(super) fn is_placeholder(url: &Url) -> bool {
    let file = file(url.path());
    FILES.contains(&file) || PLACEHOLDERS.iter().any(|word| file.contains(word))
}

fn file(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn is_under(host: &str, tracker: &str) -> bool {
    host.strip_suffix(tracker).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
