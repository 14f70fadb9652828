//! Blocks: headings, figures, lists, tables and videos.

use super::checker::check_output;
use crate::sanitize;

const END: &str = " target=\"_blank\" rel=\"noopener noreferrer\">";

fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        let out = sanitize(html, None);
        assert_eq!(out, expected.replace("@>", END), "{html}");
        check_output(&out, html);
    }
}

#[test]
fn blocks_become_paragraphs() {
    check(&[
        ("<div>a</div>b", "<p>a</p>b"),
        ("<div><div>a<div>b</div>c</div></div>", "<p>a</p><p>b</p><p>c</p>"),
        ("<section><article>a</article></section><center>b</center><address>c</address>", "<p>a</p><p>b</p><p>c</p>"),
        ("a<hr>b", "a<p>b</p>"),
        ("<p>a<hr>b</p>", "<p>a</p>b"),
        ("a<div></div>b", "a<p>b</p>"),
        ("<p>a<div>b</div>c</p>", "<p>a</p><p>b</p>c"),
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<h1>a</h1><h6>b <b>c</b></h6>", "<p><strong>a</strong></p><p><strong>b c</strong></p>"),
        ("<h2><a href=https://x.example/>t</a></h2>", "<p><strong><a href=\"https://x.example/\"@>t</a></strong></p>"),
        (
            "<figure><img src=https://x.example/i.png><figcaption>c</figcaption></figure>",
            "<p><img src=\"https://x.example/i.png\"></p><p><em>c</em></p>",
        ),
        ("<details><summary>s</summary>t</details>", "<p><strong>s</strong></p><p>t</p>"),
        (
            "<dl><dt>a<dd>b<dt>c</dt><dd>d</dd></dl>",
            "<p><strong>a</strong></p><p>b</p><p><strong>c</strong></p><p>d</p>",
        ),
        ("<blockquote>a<footer>b</footer></blockquote>", "<blockquote>a<p>b</p></blockquote>"),
    ]);
}

#[test]
fn lists_contain_only_items() {
    check(&[
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
        ("<ul>x<li>a</ul>", "<ul><li>x</li><li>a</li></ul>"),
        ("<ul><ul><li>a</ul><li>b</ul>", "<ul><li><ul><li>a</li></ul></li><li>b</li></ul>"),
        ("<li>a<li>b", "<p>a</p><p>b</p>"),
        ("<ul><li><p>a</p><p>b</p></ul>", "<ul><li><p>a</p><p>b</p></li></ul>"),
        ("<ul><p>a</p></ul>", "<ul><li><p>a</p></li></ul>"),
        ("<menu><li>a</menu>", "<ul><li>a</li></ul>"),
        ("<ol><li>a</ul>b</ol>c", "<ol><li>ab</li></ol>c"),
        ("<p>a<ul><li>b</ul>c", "<p>a</p><ul><li>b</li></ul>c"),
        ("<b><ul><li>a</ul></b>", "<ul><li><strong>a</strong></li></ul>"),
        ("<blockquote><ul><li>a</blockquote>b", "<blockquote><ul><li>a</li></ul></blockquote>b"),
    ]);
}

#[test]
fn tables_become_lines() {
    check(&[
        (
            "<table><caption>t</caption><thead><tr><th>a<th>b</thead><tr><td>1</td><td>2</td></tr><tr><td><td>3</table>",
            "<p><em>t</em></p><p><strong>a</strong> | <strong>b</strong></p><p>1 | 2</p><p>3</p>",
        ),
        ("<table><thead><tr><td>a<tbody><tr><td>b</table>c", "<p><strong>a</strong></p><p>b</p>c"),
        ("<table><tr><td><p>a</p><p>b</p><td><p>c</table>", "<p>a</p><p>b</p><p>c</p>"),
        ("<table><tr><td>a<table><tr><td>b</table>c</table>d", "<p>a</p><p>b</p><p>c</p>d"),
        ("<td>a<td>b", "a | b"),
        ("<table><tr><td><ul><li>a</td><td>b</table>", "<ul><li>a</li></ul><p>b</p>"),
        ("<table><tr><td>a</div>b</table>", "<p>ab</p>"),
    ]);
}

#[test]
fn videos_and_frames_become_links() {
    check(&[
        (
            "a<iframe width=560 src='https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0'>x</iframe>b",
            "a<br><a href=\"https://www.youtube.com/watch?v=dQw4w9WgXcQ\"@>▶ YouTube</a><br>b",
        ),
        (
            "<iframe src=//player.vimeo.com/video/123 title='A  film'/>b",
            "<a href=\"https://vimeo.com/123\"@>▶ A film</a><br>b",
        ),
        ("<iframe src=https://x.example/map></iframe>", "<a href=\"https://x.example/map\"@>▶ x.example</a>"),
        (
            "<video controls><source src=https://x.example/f.mp4 type=video/mp4>Sorry</video>b",
            "<a href=\"https://x.example/f.mp4\"@>▶ f.mp4</a><br>b",
        ),
        ("<audio src=http://x.example/s.mp3></audio>", "<a href=\"http://x.example/s.mp3\"@>▶ s.mp3</a>"),
        (
            "<object data=https://www.youtube.com/v/abc&amp;hl=en><embed src=https://www.youtube.com/v/abc&amp;hl=en></object>",
            "<a href=\"https://www.youtube.com/watch?v=abc\"@>▶ YouTube</a>",
        ),
        ("<video>Sorry</video>", ""),
        ("<iframe src=javascript:alert(1)></iframe><iframe srcdoc='<script>x</script>'></iframe>a", "a"),
        ("<iframe src=https://www.googletagmanager.com/ns.html width=0 height=0></iframe>", ""),
        (
            "<a href=https://x.example/><video src=https://x.example/f.mp4></video></a>",
            "<a href=\"https://x.example/\"@>▶ f.mp4</a>",
        ),
        ("<iframe src=https://x.example/>a<b>b", "<a href=\"https://x.example/\"@>▶ x.example</a>"),
    ]);
}
