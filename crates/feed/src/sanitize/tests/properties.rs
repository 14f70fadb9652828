//! Properties of any input, checked on random markup.

use proptest::prelude::*;
use url::Url;

use super::checker::{check_harmless, check_output};
use crate::{excerpt, plain_text, sanitize, sanitize_article};

const FRAGMENTS: &[&str] = &[
    "a",
    "b ",
    " ",
    "\n",
    "日本",
    "\u{a0}",
    "&",
    "&amp;",
    "&lt;",
    "&nbsp;",
    "&#13;",
    "&#10;",
    "\r\n",
    "\0",
    "\t",
    "<",
    ">",
    "\"",
    "'",
    "=",
    "/",
    "<p>",
    "</p>",
    "<p ",
    "<div>",
    "</div>",
    "<br>",
    "</br>",
    "<hr>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<em>",
    "</em>",
    "<code>",
    "</code>",
    "<pre>",
    "</pre>",
    "<pre>\n",
    "<ul>",
    "</ul>",
    "<ol>",
    "</ol>",
    "<li>",
    "</li>",
    "<blockquote>",
    "</blockquote>",
    "<a href=https://x.example/>",
    "<a href=/x>",
    "<a href=javascript:x>",
    "</a>",
    "<img src=https://x.example/i.png>",
    "<img src=http://x.example/i.png>",
    "<img src=x alt='y z'>",
    "<img alt=' q ' title='\n' src=//x.example/ width=3>",
    "<h1>",
    "</h1>",
    "<figure>",
    "</figure>",
    "<figcaption>",
    "</figcaption>",
    "<dl>",
    "</dl>",
    "<dt>",
    "<dd>",
    "<table>",
    "</table>",
    "<thead>",
    "<tbody>",
    "<tr>",
    "</tr>",
    "<td>",
    "</td>",
    "<th>",
    "</th>",
    "<q>",
    "</q>",
    "<ruby>",
    "<rt>",
    "</rt>",
    "<rp>",
    "</rp>",
    "</ruby>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea>",
    "<template>",
    "</template>",
    "<noscript>",
    "</noscript>",
    "<iframe src=https://y.example/>",
    "<iframe src=https://y.example/ />",
    "</iframe>",
    "<video>",
    "<source src=https://x.example/f>",
    "</video>",
    "<xmp>",
    "</xmp>",
    "<plaintext>",
    "<!--",
    "-->",
    "--!>",
    "<![CDATA[",
    "]]>",
    "<!x>",
    "<?x>",
    "</>",
    "<details>",
    "<summary>",
    "</summary>",
    "<object data=https://z.example/>",
    "</object>",
    "<font>",
    "<a href=#n>",
    "<a id=n>",
    "<p id=n>",
    "<li id=m>",
    "<a href=#m>",
    "<span id=m>",
    "<span lang=ja>",
    "</span>",
    "<div dir=rtl>",
    "<sub>",
    "</sub>",
    "<s>",
    "</s>",
    "<abbr title=t>",
    "</abbr>",
    "<wbr>",
    "<caption>",
    "</caption>",
    "<td colspan=2>",
    "<table width=9>",
    "<table><tr><td>1<td>2<tr><td>3<td>4</table>",
    "<td class=gutter>1</td>",
    "<math><mi>x</mi><mo>+</mo></math>",
    "<math><mrow><mi>y",
    "<mtext>",
    "</details>",
    "<input type=checkbox checked>",
    "<ol start=3 reversed>",
    "<li value=2>",
    "<pre class=language-js>",
    "<code class=language-c>",
    "<h2>",
    "</h3>",
    "<a href=#n>#</a>",
    "<rb>",
    "<q>",
];

fn markup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(FRAGMENTS), 0..60).prop_map(|fragments| fragments.concat())
}

fn bytes_of_markup() -> impl Strategy<Value = String> {
    "[<>/a-p=\"' \n!&;#x-]{0,80}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_output_is_harmless_stable_and_short(html in prop_oneof![4 => markup(), 1 => bytes_of_markup(), 1 => any::<String>()]) {
        let base = Url::parse("https://e.example/dir/page").unwrap();
        for base in [None, Some(&base)] {
            let out = sanitize(&html, base);
            check_output(&out, &html);
            prop_assert!(out.len() <= 60 * html.len() + 16);
        }
    }

    #[test]
    fn articles_are_harmless_and_stable(html in prop_oneof![markup(), "(a |<b>|</p>|\n|\n\n|&lt;|https://x\\.example/[a.)&;]{0,3}){0,9}"]) {
        let page = Url::parse("https://x.example/a").unwrap();
        let out = sanitize_article(&html, None, Some(&page));
        check_harmless(&out, &html);
        prop_assert_eq!(sanitize_article(&out, None, Some(&page)), out);
    }

    #[test]
    fn excerpts_are_the_start_of_the_text(html in markup(), most in 0_usize..40) {
        let text = plain_text(&html);
        prop_assert!(!text.starts_with(['\n', ' ']) && !text.ends_with(['\n', ' ']) && !text.contains("\n\n"));
        let short = excerpt(&html, most);
        let line = text.replace('\n', " ");
        prop_assert!(unicode_segmentation::UnicodeSegmentation::graphemes(short.as_str(), true).count() <= most);
        prop_assert!(line.starts_with(short.trim_end_matches('…')));
    }

    #[test]
    fn escaped_text_survives(text in "[<>&\"'a-z;#/]{0,40}") {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
        prop_assert_eq!(plain_text(&escaped), text.clone());
        let out = sanitize(&escaped, None);
        check_harmless(&out, &escaped);
        prop_assert_eq!(plain_text(&out), text);
    }
}
