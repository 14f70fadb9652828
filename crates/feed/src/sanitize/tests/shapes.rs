//! Blocks: headings, figures, lists, tables, code, footnotes, formulas and videos.

use url::Url;

use super::checker::check_output;
use crate::{sanitize, sanitize_article};

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
        ("<hr>a<hr><hr>b<hr>", "a<hr>b<hr>"),
        ("<p>a<hr>b</p>", "<p>a</p><hr>b"),
        ("a<div></div>b", "a<p>b</p>"),
        ("<p>a<div>b</div>c</p>", "<p>a</p><p>b</p>c"),
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<h2>a</h2><h6>b <b>c</b></h3>", "<h2>a</h2><h6>b <b>c</b></h6>"),
        ("<h2>a</h2><h1>b</h1><h5>c</h5>", "<h3>a</h3><h2>b</h2><h6>c</h6>"),
        ("<h2><a href=https://x.example/>t</a></h2>", "<h2><a href=\"https://x.example/\"@>t</a></h2>"),
        (
            "<figure><img src=https://x.example/i.png><figcaption>c</figcaption></figure>",
            "<figure><img src=\"https://x.example/i.png\"><figcaption>c</figcaption></figure>",
        ),
        ("<figure></figure><details><summary></summary></details>", ""),
        ("<details open><summary>s</summary>t</details>", "<details><summary>s</summary>t</details>"),
        ("<dl><dt>a<dd>b<dt>c</dt><dd>d</dd></dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>"),
        ("<div dir=rtl lang=he>a<p>b</div>c", "<div lang=\"he\" dir=\"rtl\">a<p>b</p></div>c"),
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
        ("<b><ul><li>a</ul></b>", "<ul><li><b>a</b></li></ul>"),
        ("<ol reversed type=A start=0><li value=x>a</ol>", "<ol start=\"0\" type=\"A\" reversed=\"\"><li>a</li></ol>"),
        (
            "<ul><li><input type=checkbox checked disabled>a<li><input type=checkbox>b<li><input>c</ul>",
            "<ul><li>☑ a</li><li>☐ b</li><li>c</li></ul>",
        ),
        ("<blockquote><ul><li>a</blockquote>b", "<blockquote><ul><li>a</li></ul></blockquote>b"),
    ]);
}

#[test]
fn tables_stay_tables() {
    check(&[
        (
            "<table><caption>t</caption><thead><tr><th>a<th>b</thead><tr><td>1</td><td>2</td></tr><tr><td><td>3</table>",
            "<table><caption>t</caption><thead><tr><th>a</th><th>b</th></tr></thead>\
             <tbody><tr><td>1</td><td>2</td></tr><tr><td></td><td>3</td></tr></tbody></table>",
        ),
        (
            "<table border=1><tr><th scope=row colspan=2 rowspan=0>a<td colspan=9999>b</table>c",
            "<table><tbody><tr><th colspan=\"2\" scope=\"row\">a</th><td>b</td></tr></tbody></table>c",
        ),
        (
            "<table><tr><td>a</div>b<td>c<tr><td>d<td><ul><li>e</table>",
            "<table><tbody><tr><td>ab</td><td>c</td></tr><tr><td>d</td><td><ul><li>e</li></ul></td></tr></tbody></table>",
        ),
        ("<td>a<td>b", "<p>a</p><p>b</p>"),
    ]);
}

#[test]
fn tables_that_place_blocks_are_no_tables() {
    check(&[
        ("<table><tr><td><p>a</p><p>b</p><td><p>c</table>", "<p>a</p><p>b</p><p>c</p>"),
        ("<table><tr><td>a<table><tr><td>b</table>c</table>d", "<p>a</p><p>b</p><p>c</p>d"),
        ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "<p>a</p><p>b</p><p>c</p><p>d</p>"),
        ("<table width=600><tr><td><p>a<td>b<tr><td>c<td>d</table>", "<p>a</p><p>b</p><p>c</p><p>d</p>"),
    ]);
}

#[test]
fn code_keeps_its_language_and_loses_its_line_numbers() {
    check(&[
        ("<pre class='highlight lang-rust'>a</pre>", "<pre class=\"language-rust\">a</pre>"),
        ("<pre><code class='hljs language-c++'>a</code></pre>", "<pre class=\"language-c++\"><code>a</code></pre>"),
        ("<pre class='brush: js; x'>a</pre><pre class=x>b</pre>", "<pre class=\"language-js\">a</pre><pre>b</pre>"),
        (
            "<pre class='language-\">x'>a</pre><pre data-lang=go>b</pre>",
            "<pre>a</pre><pre class=\"language-go\">b</pre>",
        ),
        (
            "<table class=highlight><tr><td class=gutter><pre>1\n2</pre></td><td class=code><pre>a\nb</pre></table>",
            "<pre>a\nb</pre>",
        ),
        (
            "<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b <span class=mi>3</span></pre>",
            "<pre>a\nb 3</pre>",
        ),
        ("<p class=gutter>12 apples</p>", "<p>12 apples</p>"),
    ]);
}

#[test]
fn links_to_places_in_the_article_stay_in_it() {
    check(&[
        (
            "a<sup><a href=#fn1 id=r1>1</a></sup><ol><li id=fn1>note <a href=#r1>↩</a></ol>",
            "a<sup><a id=\"article-r1\" href=\"#article-fn1\">1</a></sup>\
             <ol><li id=\"article-fn1\">note <a href=\"#article-r1\">↩</a></li></ol>",
        ),
        ("<p id=x>nobody links here</p><a href=#y>w</a>", "<p>nobody links here</p>w"),
        ("<a name=top></a><p>a <a href=#top>up</a>", "<p id=\"article-top\">a <a href=\"#article-top\">up</a></p>"),
        ("<p id='a b'>x</p><a href='#a%20b'>y</a>", "<p>x</p>y"),
        (
            "<p id=脚注>x</p><a href=#%E8%84%9A%E6%B3%A8>y</a>",
            "<p id=\"article-脚注\">x</p><a href=\"#article-脚注\">y</a>",
        ),
    ]);
    let page = Url::parse("https://e.example/post").unwrap();
    let other = "<p id=n>x <a href=https://e.example/post#n>y</a> <a href=https://e.example/b#n>z</a>";
    assert_eq!(
        sanitize_article(other, None, Some(&page)),
        "<p id=\"article-n\">x <a href=\"#article-n\">y</a> <a href=\"https://e.example/b#n\"@>z</a></p>"
            .replace("@>", END)
    );
}

#[test]
fn a_body_without_tags_is_text() {
    let cases = [
        ("one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"),
        ("see https://x.example/a. Bye", "see <a href=\"https://x.example/a\"@>https://x.example/a</a>. Bye"),
        ("a &amp; b &lt;c&gt;\r\nd", "a &amp; b &lt;c&gt;<br>d"),
        ("one <b>line</b>\n\nand https://x.example/", "one <b>line</b> and https://x.example/"),
    ];
    for (text, expected) in cases {
        assert_eq!(sanitize_article(text, None, None), expected.replace("@>", END), "{text}");
    }
}

#[test]
fn formulas_stay_without_what_acts() {
    check(&[
        (
            "<math alttext='x^2' onclick=y><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>",
            "<math alttext=\"x^2\"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>",
        ),
        (
            "<math><mi href=javascript:x>x</mi><script>y</script><maction><mi>z</mi></maction></math>",
            "<math><mi>x</mi><mi>z</mi></math>",
        ),
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
