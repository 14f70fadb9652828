//! The metadata of articles.

use article::Article;

use crate::{TEXT, read};

fn with_head(head: &str) -> Article {
    read(&format!("<html><head>{head}</head><body><div>{TEXT}</div></body></html>"))
}

#[test]
fn json_ld_is_read() {
    let article = with_head(
        r#"<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [{"@type": "WebPage"},
        {"@type": ["NewsArticle"], "headline": "The headline &amp; more", "author": [{"name": "Ann"}, {"name": "Bo"}],
        "datePublished": "2026-01-02T03:04:05+09:00", "publisher": {"name": "The Paper"}, "image": {"url": "/i.jpg"},
        "description": "In short."}]}</script>"#,
    );
    assert_eq!(article.title.as_deref(), Some("The headline & more"));
    assert_eq!(article.byline.as_deref(), Some("Ann, Bo"));
    assert_eq!(article.published_at.map(|at| at.to_rfc3339()).as_deref(), Some("2026-01-01T18:04:05+00:00"));
    assert_eq!(article.site_name.as_deref(), Some("The Paper"));
    assert_eq!(article.image.map(String::from).as_deref(), Some("https://example.com/i.jpg"));
    assert_eq!(article.excerpt, "In short.");
}

#[test]
fn the_body_of_json_ld_replaces_a_page_without_text() {
    let page = |body: &str| {
        format!(
            "<script type='application/ld+json'>{{\"@type\":\"Article\",\"articleBody\":\"{body}\"}}</script><p>Please wait."
        )
    };
    let line = "A sentence of the article, with clauses, that goes on. ".repeat(4);
    let article = read(&page(&format!("{line}\\n\\n{line}1 &lt; 2")));
    assert!(article.text.starts_with("A sentence") && article.text.ends_with("1 < 2"), "{}", article.text);
    assert_eq!(article.html.matches("<p>").count(), 2, "{}", article.html);
    let article = read(&page(&format!("<p>{line}</p><p onclick=evil()>{line}</p>")));
    assert!(article.html.matches("<p>").count() == 2 && !article.html.contains("evil"), "{}", article.html);
    assert_eq!(read(&page("Only a teaser.")).text, "Please wait.");
}

#[test]
fn meta_elements_are_read() {
    let article = with_head(
        "<meta property='og:title' content='A title'><meta name=author content='By Cy Lee'><meta property='og:site_name' content=Site>\
        <meta property='article:published_time' content='2026-03-04'><link rel=canonical href='/canonical'>\
        <meta property='og:image' content='javascript:x'><meta http-equiv=content-language content='de_DE'>",
    );
    assert_eq!(article.title.as_deref(), Some("A title"));
    assert_eq!(article.byline.as_deref(), Some("Cy Lee"));
    assert_eq!(article.published_at.map(|at| at.to_rfc3339()).as_deref(), Some("2026-03-04T00:00:00+00:00"));
    assert_eq!(article.canonical_url.map(String::from).as_deref(), Some("https://example.com/canonical"));
    assert_eq!(article.lang.as_deref(), Some("de-DE"));
    assert_eq!(article.image, None);
}

#[test]
fn title_loses_the_name_of_the_site() {
    let title = |text: &str| with_head(&format!("<title>{text}</title>")).title.unwrap();
    assert_eq!(title("A river reaches the sea | The Paper"), "A river reaches the sea");
    assert_eq!(title("The Paper - A river reaches the wide sea"), "A river reaches the wide sea");
    assert_eq!(title("川が海に着くまでの長い旅の話 | 新聞"), "川が海に着くまでの長い旅の話");
    assert_eq!(title("Short | Site"), "Short | Site");
}

#[test]
fn byline_is_found_on_the_page() {
    let article = read(&format!("<div><p class=byline>By Dee Fox</p>{TEXT}</div>"));
    assert_eq!(article.byline.as_deref(), Some("Dee Fox"));
}

#[test]
fn base_element_is_respected() {
    let article = with_head("<base href='https://cdn.example/x/'><link rel=canonical href='y'>");
    assert_eq!(article.canonical_url.map(String::from).as_deref(), Some("https://cdn.example/x/y"));
}

#[test]
fn broken_metadata_is_ignored() {
    let deep = "[".repeat(10_000);
    let article = with_head(&format!(
        "<script type='application/ld+json'>{deep}</script><script type='application/ld+json'>{{\"@type\":\"Article\",\
        \"headline\":7,\"author\":[[]],\"image\":[]}}</script><meta name=author content=''><meta property=og:title>"
    ));
    assert_eq!((article.byline, article.published_at, article.image), (None, None, None));
}
