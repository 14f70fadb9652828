//! Properties of any page.

use article::{Rules, decode};
use proptest::prelude::*;
use url::Url;

use crate::{TEXT, try_read};

const FRAGMENTS: &[&str] = &[
    "<div>",
    "</div>",
    "<div class='article-body'>",
    "<div id=comments class=sidebar>",
    "<p>",
    "</p>",
    "<br><br>",
    "<a href=/x>",
    "</a>",
    "<table><tr><td>",
    "</table>",
    "<th>",
    "<ul><li>",
    "</ul>",
    "<li>",
    "<h1>",
    "<h2>",
    "</h2>",
    "<img src=a.jpg>",
    "<img data-src='b.jpg 2x'>",
    "<noscript>",
    "</noscript>",
    "<figure>",
    "<figcaption>",
    "</figure>",
    "<pre>",
    "</pre>",
    "<code>",
    "<iframe src='https://www.youtube.com/embed/1'>",
    "</iframe>",
    "<form><input>",
    "</form>",
    "<b>",
    "<i>",
    "</b>",
    "</i>",
    "<svg>",
    "<math><mi>",
    "<title>",
    "</title>",
    "<meta property=og:title content='",
    "'>",
    "<base href=//x/>",
    "<script type='application/ld+json'>",
    "{\"@type\":\"Article\",\"author\":",
    "</script>",
    "<html lang=",
    "<head>",
    "<body>",
    "<time>",
    "<aside>",
    "<footer>",
    "<template>",
    "<!--",
    "-->",
    "&amp;",
    "&#x65e5;",
    "<",
    ">",
    "\"",
    "Some text, with clauses, and an end. ",
    "日本語の文章は、こうして書かれます。",
    "\0",
    " ",
    TEXT,
];

fn page() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(FRAGMENTS), 0..40).prop_map(|parts| parts.concat())
}

fn selector() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["", "div", ".article-body", "p, li", "div > p"][..])
}

proptest! {
    #[test]
    fn any_page_gives_safe_html(page in page(), content in selector(), drop in selector()) {
        let rules = Rules::parse(content, [drop]).unwrap();
        if let Ok(article) = try_read(&page, &rules) {
            let base = Url::parse("https://example.com/news/1").unwrap();
            prop_assert_eq!(&feed::sanitize(&article.html, Some(&base)), &article.html);
            prop_assert!(!article.text.is_empty());
            prop_assert_eq!(article.text.trim(), &article.text);
        }
    }

    #[test]
    fn articles_stay_articles(page in page()) {
        // What was found is found again, at most without a few more of its edges.
        if let Ok(article) = try_read(&page, &Rules::default()) && !article.html.is_empty() {
            let again = try_read(&article.html, &Rules::default());
            if let Ok(again) = again {
                prop_assert!(again.text.chars().count() <= article.text.chars().count() * 2 + 200);
            }
        }
    }

    #[test]
    fn any_bytes_are_a_page(bytes in prop::collection::vec(any::<u8>(), 0..500), charset in "[a-z0-9_-]{0,12}") {
        let page = decode(&bytes, Some(&format!("text/html; charset={charset}")));
        let _ = try_read(&page, &Rules::default());
    }
}
