//! Which images are kept, and with which address.

use super::checker::check_output;
use crate::sanitize;

fn check(cases: &[(&str, &str)]) {
    for (attributes, expected) in cases {
        let html = format!("<img {attributes}>");
        let out = sanitize(&html, None);
        assert_eq!(out, *expected, "{html}");
        check_output(&out, &html);
    }
}

#[test]
fn only_https_images_are_shown() {
    check(&[
        ("src=https://x.example/a.png", "<img src=\"https://x.example/a.png\">"),
        ("src=//x.example/a.png alt=''", "<img src=\"https://x.example/a.png\" alt=\"\">"),
        (
            "height=20 width=' 0100 ' title=' t  u ' alt='a &quot;<b>&quot;' src=https://x.example/a.png onerror=x loading=lazy",
            "<img src=\"https://x.example/a.png\" alt=\"a &quot;&lt;b&gt;&quot;\" title=\"t u\" width=\"100\" height=\"20\">",
        ),
        ("src=https://x.example/a.png width=100% height=5em", "<img src=\"https://x.example/a.png\">"),
        ("src=https://x.example/a.png width=10000 height=-3", "<img src=\"https://x.example/a.png\">"),
        (
            "src=http://x.example/a.png alt='a cat'",
            "<a href=\"http://x.example/a.png\" target=\"_blank\" rel=\"noopener noreferrer\">a cat</a>",
        ),
        (
            "src=http://x.example/a.png",
            "<a href=\"http://x.example/a.png\" target=\"_blank\" rel=\"noopener noreferrer\">a.png</a>",
        ),
        ("src=data:image/png;base64,AAAA alt=cat", "cat"),
        ("src=data:image/png;base64,AAAA", ""),
        ("src=a.png alt=cat", "cat"),
        ("src=javascript:alert(1) alt='&lt;script&gt;'", "&lt;script&gt;"),
        ("alt=cat", "cat"),
        ("", ""),
    ]);
}

#[test]
fn lazily_loaded_images_are_found() {
    const REAL: &str = "<img src=\"https://x.example/real.jpg\">";
    check(&[
        ("data-src=https://x.example/real.jpg", REAL),
        ("src=data:image/gif;base64,R0 data-original=https://x.example/real.jpg", REAL),
        ("src=https://x.example/lazy-placeholder.png data-lazy-src=https://x.example/real.jpg", REAL),
        ("src=https://x.example/real.jpg data-src=https://x.example/other.jpg", REAL),
        ("src=http://x.example/real.jpg srcset='https://x.example/real.jpg 1x'", REAL),
        ("src='' data-srcset='https://x.example/real.jpg'", REAL),
        ("src=data:x data-src=javascript:alert(1)", ""),
        ("src=https://x.example/placeholder.png", "<img src=\"https://x.example/placeholder.png\">"),
    ]);
}

#[test]
fn the_browser_chooses_from_a_set() {
    let shown = |src: &str, rest: &str| format!("<img src=\"https://x.example/{src}\"{rest}>");
    let widths = " srcset=\"https://x.example/s.jpg 300w, https://x.example/l.jpg 1200w\"";
    for (attributes, expected) in [
        (
            "src=https://x.example/blank.gif srcset='https://x.example/s.jpg 300w, https://x.example/l.jpg 1200w'",
            shown("l.jpg", widths),
        ),
        (
            "src=//x.example/m.jpg data-srcset='//x.example/s.jpg 300w,  //x.example/l.jpg 1200w' sizes='(max-width: 600px) 100vw, 50em'",
            shown("m.jpg", &format!("{widths} sizes=\"(max-width: 600px) 100vw, 50em\"")),
        ),
        (
            "srcset='https://x.example/s.jpg, https://x.example/l.jpg 2x'",
            shown("l.jpg", " srcset=\"https://x.example/s.jpg, https://x.example/l.jpg 2x\""),
        ),
        // Commas inside an address.
        (
            "src=https://x.example/m.jpg srcset='https://x.example/w_1,h_2/a.jpg 1x, https://x.example/w_2,h_4/a.jpg 2x'",
            shown("m.jpg", " srcset=\"https://x.example/w_1,h_2/a.jpg 1x, https://x.example/w_2,h_4/a.jpg 2x\""),
        ),
        // One candidate is no choice; a candidate that is not encrypted spoils the set.
        ("src=https://x.example/m.jpg srcset='https://x.example/l.jpg 2x'", shown("m.jpg", "")),
        (
            "src=https://x.example/m.jpg srcset='https://x.example/s.jpg 1x, http://x.example/l.jpg 2x'",
            shown("m.jpg", ""),
        ),
        ("src=https://x.example/m.jpg srcset='javascript:x 1x, https://x.example/l.jpg 2x'", shown("m.jpg", "")),
        (
            "src=https://x.example/m.jpg srcset='https://x.example/s.jpg 1w, https://x.example/l.jpg 2w' sizes='url(x)&quot;'",
            shown("m.jpg", " srcset=\"https://x.example/s.jpg 1w, https://x.example/l.jpg 2w\""),
        ),
    ] {
        check(&[(attributes, &expected)]);
    }
}

#[test]
fn a_picture_is_its_best_image() {
    let picture = "<picture><source media='(max-width: 9px)' srcset='https://x.example/crop.jpg 1x, https://x.example/crop2.jpg 2x'>\
         <source type=image/webp srcset='https://x.example/s.webp 1x, https://x.example/l.webp 2x'>\
         <img src=https://x.example/m.jpg alt=a></picture><img src=https://x.example/n.jpg>";
    assert_eq!(
        sanitize(picture, None),
        "<img src=\"https://x.example/m.jpg\" srcset=\"https://x.example/s.webp 1x, https://x.example/l.webp 2x\" alt=\"a\">\
         <img src=\"https://x.example/n.jpg\">"
    );
    let lazy = "<picture><source data-srcset='https://x.example/l.jpg 1200w'><img src=data:image/gif;base64,R0 alt=a></picture>";
    assert_eq!(sanitize(lazy, None), "<img src=\"https://x.example/l.jpg\" alt=\"a\">");
}

#[test]
fn an_image_repeated_in_noscript_is_shown_once() {
    let html =
        "<img src=data:x data-src=https://x.example/a.png><noscript><img src=https://x.example/a.png></noscript>";
    assert_eq!(sanitize(html, None), "<img src=\"https://x.example/a.png\">");
    let html = "a<noscript><p><img src=https://x.example/a.png></noscript>";
    assert_eq!(sanitize(html, None), "a<p><img src=\"https://x.example/a.png\"></p>");
}

#[test]
fn tracking_pixels_are_dropped() {
    check(&[
        ("src=https://x.example/p.png width=1 height=1 alt=x", ""),
        ("src=https://x.example/p.png width=0 height=0", ""),
        ("src=https://x.example/p.png width=1px", ""),
        ("src=https://x.example/p.png style='border:0;width:1px;height: 1px'", ""),
        ("src=https://feeds.feedburner.com/~r/Blog/~4/abc", ""),
        ("src=http://feeds.feedburner.com/~r/Blog/~4/abc", ""),
        ("src=https://ad.doubleclick.net/x", ""),
        ("src=https://pixel.wp.com/b.gif?x", ""),
        ("src=https://stats.wordpress.com/b.gif", ""),
        ("src=https://www.google-analytics.com/collect", ""),
        ("src=https://sb.scorecardresearch.com/p", ""),
        ("src=https://x.example/pixel.gif", ""),
        (
            "src=https://x.example/p.png width=1 height=50",
            "<img src=\"https://x.example/p.png\" width=\"1\" height=\"50\">",
        ),
        ("src=https://x.example/p.png width=1 height=2em", "<img src=\"https://x.example/p.png\">"),
        ("src=https://notdoubleclick.net/x.png", "<img src=\"https://notdoubleclick.net/x.png\">"),
    ]);
}
