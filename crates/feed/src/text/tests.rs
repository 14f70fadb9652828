use super::{excerpt, plain_text};

#[test]
fn text_has_a_line_for_each_block() {
    let cases = [
        ("", ""),
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("<p>one</p>\n\n<p>two <b>words</b></p>", "one\ntwo words"),
        ("one<br>two<br/><br>three", "one\ntwo\nthree"),
        ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
        ("<h1>T</h1>x", "T\nx"),
        ("a<script>alert(1)</script>b<style>p{}</style>c<!-- d -->e", "abce"),
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a | b\n1 | 2"),
        ("<pre>  x\n\n  y</pre>z", "x\ny\nz"),
        ("<img src='https://e.example/x.png' alt='a cat'>see", "see"),
        ("well <img src='https://e.example/x.png' alt='🙂'>", "well 🙂"),
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>", "漢字（かんじ）"),
        ("a\u{a0}b", "a\u{a0}b"),
        ("a<b", "a"),
        ("1 < 2 & 3", "1 < 2 & 3"),
        ("<iframe src='https://www.youtube.com/embed/x'></iframe>t", "t"),
    ];
    for (html, text) in cases {
        assert_eq!(plain_text(html), text, "{html}");
    }
}

#[test]
fn an_excerpt_ends_between_words_and_letters() {
    let cases = [
        ("<p>hello</p>", 10, "hello"),
        ("<p>hello</p><p>world</p>", 11, "hello world"),
        ("<p>hello there world</p>", 12, "hello there…"),
        ("<p>hello there world</p>", 11, "hello…"),
        ("abcdefghijklmnop", 5, "abcd…"),
        ("これは日本語の文章です。", 6, "これは日本…"),
        ("これは日本語", 6, "これは日本語"),
        ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 2, "👨‍👩‍👧‍👦…"),
        ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
        ("abc", 0, ""),
        ("abc", 1, "…"),
        ("", 3, ""),
    ];
    for (html, most, expected) in cases {
        assert_eq!(excerpt(html, most), expected, "{html} {most}");
    }
}

#[test]
fn an_excerpt_reads_only_the_start_of_a_text() {
    let html = "word ".repeat(100_000);
    let short = excerpt(&html, 100);
    assert!(short.ends_with("word…") && short.chars().count() <= 100, "{short}");
    let marks = format!("a{}", "\u{301}".repeat(10_000));
    assert!(excerpt(&marks, 3).len() < 200);
}
