//! The treatment of each kind of markup.

use url::Url;

use super::checker::check_output;
use crate::sanitize;

fn check(cases: &[(&str, &str)]) {
    let base = Url::parse("https://e.example/blog/post").unwrap();
    for (html, expected) in cases {
        let out = sanitize(html, Some(&base));
        assert_eq!(out, *expected, "{html}");
        check_output(&out, html);
    }
}

#[test]
fn text_and_spaces() {
    check(&[
        ("", ""),
        (" \n ", ""),
        ("hello", "hello"),
        ("  a \n\t b  ", "a b"),
        ("a &amp; b &lt;i&gt; \"q\" &copy; &nbsp; &#x3042;&#12354;", "a &amp; b &lt;i&gt; \"q\" © ああ"),
        (
            "AT&T R & D &unknown; &ampx &#; &#x; &#0; &#x110000; &#150;",
            "AT&amp;T R &amp; D &amp;unknown; &amp;x &amp;#; &amp;#x; \u{fffd} \u{fffd} –",
        ),
        ("&amp;lt;script&amp;gt;", "&amp;lt;script&amp;gt;"),
        ("1 < 2 > 1 <3 << </", "1 &lt; 2 &gt; 1 &lt;3 &lt;&lt; &lt;/"),
        ("a\0b\u{1}c\u{7f}d", "abcd"),
        ("a&nbsp;b &nbsp;c<i>&nbsp;</i>d&nbsp; <p>&nbsp;</p>", "a&nbsp;b c d"),
        ("日本語の\n文", "日本語の 文"),
    ]);
}

#[test]
fn allowed_tags_stay() {
    check(&[
        ("<p>a</p><p>b</p>", "<p>a</p><p>b</p>"),
        ("<P CLASS=x onclick=y>a", "<p>a</p>"),
        ("a<br>b<br/>c", "a<br>b<br>c"),
        ("<br>a<br><br><br>b<br>", "a<br><br>b"),
        ("<ul><li>a</li><li>b</li></ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<ol start=3><li value=2>a</ol>", "<ol start=\"3\"><li value=\"2\">a</li></ol>"),
        ("<blockquote cite=x><p>a</p>b</blockquote>", "<blockquote><p>a</p>b</blockquote>"),
        ("<pre>\n\n  a\n\tb  \n</pre>", "<pre>  a\n\tb</pre>"),
        ("<pre><code>\n  fn\r\n  x</code></pre>", "<pre><code>  fn\n  x</code></pre>"),
        ("<pre>a<br>b<div>c</div>d</pre>", "<pre>a\nb\nc\nd</pre>"),
        ("x <code>a  b</code> y", "x <code>a b</code> y"),
        ("<strong>a</strong> <em>b</em>", "<strong>a</strong> <em>b</em>"),
        ("<strong> a </strong>b", "<strong>a</strong> b"),
        ("a<strong> b</strong>", "a <strong>b</strong>"),
        ("<p></p><strong></strong><ul><li></li></ul><blockquote> </blockquote>", ""),
    ]);
}

#[test]
fn links() {
    const END: &str = " target=\"_blank\" rel=\"noopener noreferrer\">";
    for (href, expected) in [
        ("https://x.example/a?b=1&amp;c=2", Some("https://x.example/a?b=1&amp;c=2")),
        ("http://x.example", Some("http://x.example/")),
        ("mailto:a@b.example", Some("mailto:a@b.example")),
        ("other", Some("https://e.example/blog/other")),
        ("/root", Some("https://e.example/root")),
        ("#part", Some("https://e.example/blog/post#part")),
        ("//x.example/y", Some("https://x.example/y")),
        ("https:/foo", Some("https://e.example/foo")),
        ("http:/foo", Some("http://foo/")),
        ("https://bank.example@thief.example/", Some("https://thief.example/")),
        (" \u{1}https://x.example/\n", Some("https://x.example/")),
        ("https://日本.example/道?問#片", Some("https://xn--wgv71a.example/%E9%81%93?%E5%95%8F#%E7%89%87")),
        ("", None),
        ("javascript:alert(1)", None),
        ("JaVa\tScRiPt:alert(1)", None),
        ("&#106;avascript:alert(1)", None),
        ("data:text/html,x", None),
        ("vbscript:x", None),
        ("tel:123", None),
        ("file:///etc/passwd", None),
        ("https://", None),
    ] {
        let html = format!("<a rel=x target=_top href=\"{href}\" title=t>w</a>");
        let expected = expected.map_or("w".to_owned(), |href| format!("<a href=\"{href}\"{END}w</a>"));
        check(&[(&html, &expected)]);
    }
    assert_eq!(sanitize("<a href='/x'>w</a>", None), "w");
    assert_eq!(sanitize("<a href='https:/x'>w</a>", None), format!("<a href=\"https://x/\"{END}w</a>"));
    assert_eq!(sanitize("<a href='//x.example'>w</a>", None), format!("<a href=\"https://x.example/\"{END}w</a>"));
    check(&[
        ("<a>w</a> <a name=x>v</a>", "w v"),
        (
            "<a href=https://x.example>a<a href=https://y.example>b</a>c</a>",
            &format!("<a href=\"https://x.example/\"{END}a</a><a href=\"https://y.example/\"{END}b</a>c"),
        ),
        ("<a href=https://x.example></a>", ""),
    ]);
    let long = format!("<a href='https://x.example/{}'>w</a>", "x".repeat(5000));
    check(&[(&long, "w")]);
}

#[test]
fn a_link_around_blocks_is_repeated_up_to_a_limit() {
    let out = sanitize(&format!("<a href=https://x.example>{}</a>", "<div>x</div>".repeat(100)), None);
    assert_eq!(out.matches("<a ").count(), 8);
    assert_eq!(out.matches("<p>").count(), 100);
    check_output(&out, "a link around a hundred blocks");
}

#[test]
fn inline_markup() {
    for tag in [
        "b", "i", "u", "s", "del", "ins", "mark", "small", "sub", "sup", "kbd", "samp", "var", "cite", "q", "abbr",
        "dfn", "time", "bdi", "em", "strong", "code",
    ] {
        let html = format!("<{tag} class=x style=y onclick=z>a</{tag}>");
        check(&[(&html, &format!("<{tag}>a</{tag}>"))]);
    }
    check(&[
        ("<tt>a</tt><strike>b</strike><acronym>c</acronym>", "<code>a</code><s>b</s><abbr>c</abbr>"),
        ("H<sub>2</sub>O 2<sup>x<sup>2</sup></sup>", "H<sub>2</sub>O 2<sup>x<sup>2</sup></sup>"),
        (
            "<abbr title=' a\tb '>x</abbr><time datetime=2026-11-18>y</time><time datetime='<'>z</time>",
            "<abbr title=\"a b\">x</abbr><time datetime=\"2026-11-18\">y</time><time>z</time>",
        ),
        ("<span style=x>a</span><font color=red>b</font><custom-tag>c</custom-tag>", "abc"),
        (
            "<span lang=ja>a</span><bdo dir=RTL>b</bdo><bdo>c</bdo>",
            "<span lang=\"ja\">a</span><bdo dir=\"rtl\">b</bdo>c",
        ),
        ("<span lang='x y'>a</span><span dir=x>b</span>", "ab"),
        (
            "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</ruby>を",
            "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>を",
        ),
        ("漢<rt>かん</rt>を", "漢（かん）を"),
        ("<b>a<b>b</b>c</b>d", "<b>abc</b>d"),
        ("<b>a<i>b</b>c</i>d", "<b>a<i>b</i></b><i>c</i>d"),
        ("<b>a<p>b</p>c</b>", "<b>a</b><p><b>b</b></p><b>c</b>"),
        ("<p><b>a</p><p>b</p>", "<p><b>a</b></p><p>b</p>"),
        ("a<wbr>b&shy;c<wbr>", "a<wbr>b\u{ad}c"),
    ]);
}

#[test]
fn dropped_elements() {
    check(&[
        ("a<script>alert('</b>')</script>b", "ab"),
        ("a<script><!--<script>x</script>--></script>b", "a--&gt;b"),
        ("a<script>never closed <p>b", "a"),
        ("a<script src=x />b", "ab"),
        ("a<style>p{}</style>b<STYLE>x</style >c", "abc"),
        ("a<textarea><img src=https://x.example/y></textarea>b", "ab"),
        ("<html><head><title>t</title><meta charset=x></head><body>a</body></html>", "a"),
        ("a<svg><text>x</text><style></svg>b", "ab"),
        ("a<template><p>x</template>b<button>c</button><select><option>d</select>e<canvas>f</canvas>", "abe"),
        ("a<input value=x>b<form action=x><label>c</label></form>", "ab<p>c</p>"),
        ("a<!-- <p>x --> b<!--> c<!---> d<!--x--!>e<!--->f--->g", "a b c def---&gt;g"),
        ("a<!DOCTYPE html>b<?php echo '>' ?>c</ x>d</>e", "ab' ?&gt;cde"),
        ("a<![CDATA[ <p>x</p> ]]>b<![CDATA[c>d", "abd"),
        ("a<!-- never closed <p>b", "a"),
        ("a<noembed><p>x</noembed><noframes>y</noframes>b", "ab"),
        ("a<plaintext><b>b</plaintext>", "a&lt;b&gt;b&lt;/plaintext&gt;"),
        ("<xmp><b>x</b> &amp;</xmp>", "<pre>&lt;b&gt;x&lt;/b&gt; &amp;amp;</pre>"),
        ("a<svg>never closed", "anever closed"),
        ("a <p class='x", "a"),
        (
            "a<base href=https://evil.example><a href=x>b</a>",
            "a<a href=\"https://e.example/blog/x\" target=\"_blank\" rel=\"noopener noreferrer\">b</a>",
        ),
    ]);
}
