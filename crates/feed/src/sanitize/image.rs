//! Images: chooses the best address, and removes tracking pixels.

mod source_set;
mod tracker;

use url::Url;

use super::{address, attribute::Attributes, writer::push_attribute};
use source_set::Candidate;
pub(super) use tracker::is_tracker;

const MAX_CHARS: usize = 2000;
const MAX_PIXELS: u32 = 9999;

/// How an image is written.
pub(super) enum Picture {
    /// Its address and its tag.
    Shown {
        src: Url,
        tag: String,
    },
    /// A link, because its address is not `https`, with its text or the name of its file.
    Linked {
        href: String,
        label: String,
    },
    /// Only its alternative text.
    Text(String),
    Nothing,
}

/// Decides how an image is written.
///
/// `picture_set` is the `srcset` of the `picture` around it.
pub(super) fn picture(attributes: &Attributes<'_>, picture_set: Option<&str>, base: Option<&Url>) -> Picture {
    let [src, alt, title, width, height, style, class] =
        attributes.values(["src", "alt", "title", "width", "height", "style", "class"]);
    // The picture of a formula for browsers without MathML.
    if class.is_some_and(|class| class.contains("math-fallback")) {
        return Picture::Nothing;
    }
    if is_point(width.as_deref(), height.as_deref()) || style.is_some_and(|style| is_point_by_style(&style)) {
        return Picture::Nothing;
    }
    let alt = alt.map(|alt| folded(&alt));
    let sets = source_set::find(attributes, picture_set, base);
    let Some(url) = best_address(src.as_deref(), attributes, &sets, base) else {
        return alt.filter(|alt| !alt.is_empty()).map_or(Picture::Nothing, Picture::Text);
    };
    if is_tracker(&url) {
        return Picture::Nothing;
    }
    if url.scheme() != "https" {
        let label = alt.filter(|alt| !alt.is_empty()).unwrap_or_else(|| address::label(&url));
        return Picture::Linked { href: url.into(), label };
    }
    let mut tag = String::from("<img");
    push_attribute(&mut tag, "src", url.as_str());
    source_set::push(&mut tag, &sets, attributes);
    if let Some(alt) = alt {
        push_attribute(&mut tag, "alt", &alt);
    }
    if let Some(title) = title.map(|title| folded(&title)).filter(|title| !title.is_empty()) {
        push_attribute(&mut tag, "title", &title);
    }
    let [width, height] = [width, height].map(|side| side.and_then(|side| plain_number(&side)));
    // `width=1 height=2em` is no tracking pixel, but would be one without its height.
    if [width, height].into_iter().flatten().any(|side| side > 1) {
        for (name, pixels) in [("width", width), ("height", height)] {
            if let Some(pixels) = pixels {
                push_attribute(&mut tag, name, &pixels.to_string());
            }
        }
    }
    tag.push('>');
    Picture::Shown { src: url, tag }
}

/// The alternative text of an image, if it is an emoji.
pub(super) fn sign(attributes: &Attributes<'_>) -> Option<String> {
    let [Some(alt)] = attributes.values(["alt"]) else { return None };
    let is_sign =
        !alt.is_empty() && alt.chars().count() <= 8 && alt.chars().all(|c| !c.is_alphanumeric() && !c.is_ascii());
    is_sign.then(|| alt.into_owned())
}

/// Whether these sizes are those of an invisible image.
pub(super) fn is_point(width: Option<&str>, height: Option<&str>) -> bool {
    let sides = [width, height].map(|side| side.and_then(leading_number));
    sides.iter().any(Option::is_some) && sides.iter().flatten().all(|side| *side <= 1)
}

/// Folds white space and limits the length.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::new();
    let shown = text.split_ascii_whitespace().map(|word| word.replace(|c: char| c.is_ascii_control(), ""));
    for word in shown.filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&word);
    }
    if let Some((end, _)) = out.char_indices().nth(MAX_CHARS) {
        out.truncate(end);
        out.truncate(out.trim_ascii_end().len());
    }
    out
}

/// The address of the image itself, with `https` if there is one.
fn best_address(
    src: Option<&str>,
    attributes: &Attributes<'_>,
    sets: &[Vec<Candidate>],
    base: Option<&Url>,
) -> Option<Url> {
    let src = src.and_then(|src| address::web(src, base));
    let is_placeholder = src.as_ref().is_none_or(tracker::is_placeholder);
    if !is_placeholder && src.as_ref().is_some_and(|src| src.scheme() == "https") {
        return src;
    }
    let lazy = attributes.values([
        "data-src",
        "data-original",
        "data-lazy-src",
        "data-orig-file",
        "data-actualsrc",
        "data-hi-res-src",
        "data-large-file",
    ]);
    let others = lazy.into_iter().flatten().filter_map(|url| address::web(&url, base));
    let best = sets.iter().filter_map(|set| source_set::largest(set));
    let mut found: Vec<Url> = others.chain(best).collect();
    let encrypted = found.iter().position(|url| url.scheme() == "https");
    match encrypted {
        Some(index) => Some(found.swap_remove(index)),
        None if is_placeholder && !found.is_empty() => Some(found.swap_remove(0)),
        None => src,
    }
}

fn plain_number(text: &str) -> Option<u32> {
    let text = text.trim_ascii();
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|pixels| is_plain && *pixels <= MAX_PIXELS)
}

/// The number at the start of `1px`; `None` for a percentage.
fn leading_number(text: &str) -> Option<u32> {
    let text = text.trim_ascii();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at_checked(digits)?;
    if unit.starts_with('%') { None } else { number.parse().ok() }
}

fn is_point_by_style(style: &str) -> bool {
    let mut sides = [None, None];
    for declaration in style.split(';').take(64) {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let side = match property.trim_ascii() {
            name if name.eq_ignore_ascii_case("width") => 0,
            name if name.eq_ignore_ascii_case("height") => 1,
            _ => continue,
        };
        if let Some(slot) = sides.get_mut(side) {
            *slot = leading_number(value);
        }
    }
    sides.iter().all(|side| side.is_some_and(|side| side <= 1))
}
