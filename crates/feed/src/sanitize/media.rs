//! Replaces video, audio and frames by links.

use url::Url;

use super::{address, attribute::Attributes, element::Element, image, tokenize::HtmlToken, tokenize::Tokenizer};

/// A link to a video, audio or frame.
pub(super) struct MediaLink {
    pub(super) href: String,
    pub(super) label: String,
}

/// The link for a frame, video, audio or object; `None` if it would be useless.
pub(super) fn media_link(attributes: &Attributes<'_>, content: &str, base: Option<&Url>) -> Option<MediaLink> {
    let [src, data, lazy, title, label, width, height] =
        attributes.values(["src", "data", "data-src", "title", "aria-label", "width", "height"]);
    if image::is_point(width.as_deref(), height.as_deref()) {
        return None;
    }
    let url = [src, lazy, data]
        .into_iter()
        .flatten()
        .find_map(|written| address::web(&written, base))
        .or_else(|| first_source(content, base))?;
    if image::is_tracker(&url) {
        return None;
    }
    let url = watch_page(&url).unwrap_or(url);
    let named = [title, label].into_iter().flatten().find(|name| !name.trim().is_empty());
    let label = match named {
        Some(name) => format!("▶ {}", image::folded(&name)),
        None => format!("▶ {}", site_name(&url).map_or_else(|| address::label(&url), str::to_owned)),
    };
    Some(MediaLink { href: url.into(), label })
}

fn first_source(content: &str, base: Option<&Url>) -> Option<Url> {
    let mut tokens = Tokenizer::new(content);
    while let Some(token) = tokens.next() {
        if let HtmlToken::Start(start) = token
            && start.element == Element::Source
            && let [Some(src)] = start.attributes.values(["src"])
            && let Some(url) = address::web(&src, base)
        {
            return Some(url);
        }
    }
    None
}

/// The page with the video of a player's address.
fn watch_page(url: &Url) -> Option<Url> {
    let mut segments = url.path_segments()?;
    let (first, second) = (segments.next()?, segments.next());
    let page = match (bare_host(url)?, first, second) {
        ("youtube.com" | "youtube-nocookie.com", "embed", Some("videoseries")) => {
            let list = url.query_pairs().find(|(key, _)| key == "list")?.1;
            format!("https://www.youtube.com/playlist?list={}", id(&list)?)
        }
        ("youtube.com" | "youtube-nocookie.com", "embed" | "v" | "shorts", Some(video)) => {
            // Old players have settings after the name: `/v/NAME&hl=en`.
            format!("https://www.youtube.com/watch?v={}", id(video.split('&').next()?)?)
        }
        ("player.vimeo.com", "video", Some(video)) => format!("https://vimeo.com/{}", id(video)?),
        ("dailymotion.com", "embed", Some("video")) => {
            format!("https://www.dailymotion.com/video/{}", id(segments.next()?)?)
        }
        ("embed.nicovideo.jp", "watch", Some(video)) => format!("https://www.nicovideo.jp/watch/{}", id(video)?),
        _ => return None,
    };
    Url::parse(&page).ok()
}

fn id(text: &str) -> Option<&str> {
    let is_id = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (!text.is_empty() && text.bytes().all(is_id)).then_some(text)
}

fn bare_host(url: &Url) -> Option<&str> {
    let host = url.host_str()?;
    Some(host.strip_prefix("www.").or_else(|| host.strip_prefix("m.")).unwrap_or(host))
}

fn site_name(url: &Url) -> Option<&'static str> {
    Some(match bare_host(url)? {
        "youtube.com" | "youtu.be" => "YouTube",
        "vimeo.com" => "Vimeo",
        "dailymotion.com" => "Dailymotion",
        "nicovideo.jp" => "ニコニコ動画",
        "w.soundcloud.com" | "soundcloud.com" => "SoundCloud",
        "open.spotify.com" => "Spotify",
        _ => return None,
    })
}
