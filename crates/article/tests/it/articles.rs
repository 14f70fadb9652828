//! What is part of an article.

use article::{ExtractError, Rules, decode};

use crate::{TEXT, read, try_read};

#[track_caller]
fn check_without(html: &str, unwanted: &str) {
    let article = read(html);
    assert!(article.text.contains("first paragraph") && article.text.contains("third paragraph"), "{}", article.text);
    assert!(!article.text.contains(unwanted), "{}", article.text);
    assert!(!article.html.contains(unwanted), "{}", article.html);
}

#[test]
fn navigation_and_comments_are_left_out() {
    let links = "<ul><li><a href=/a>Home page</a></li><li><a href=/b>Other news</a></li></ul>";
    check_without(&format!("<div class=menu>{links}</div><div id=story>{TEXT}</div>"), "Home page");
    check_without(&format!("<nav role=navigation>{links}</nav><div>{TEXT}</div>"), "Home page");
    check_without(&format!("<div>{TEXT}</div><div id=comments><p>I agree, wholly, and so on.</p></div>"), "I agree");
    check_without(&format!("<div>{TEXT}<footer>All rights are reserved.</footer></div>"), "rights");
}

#[test]
fn hidden_text_is_left_out() {
    for hidden in ["style='display: none'", "hidden", "aria-hidden=true", "style=visibility:hidden"] {
        check_without(&format!("<div>{TEXT}<p {hidden}>Nobody sees this sentence, it is hidden.</p></div>"), "Nobody");
    }
    check_without(&format!("<div>{TEXT}<script>var unseen = 1</script><style>.unseen{{}}</style></div>"), "unseen");
}

#[test]
fn pieces_around_the_text_are_left_out() {
    check_without(&format!("<div>{TEXT}<p>ADVERTISEMENT</p></div>"), "ADVERT");
    check_without(&format!("<div><p class=byline>By Jo Smith, Tuesday</p>{TEXT}</div>"), "Jo Smith");
    check_without(&format!("<div>{TEXT}<p><a href=/x>Read more: another story</a></p></div>"), "another story");
    check_without(&format!("<div>{TEXT}<div class=share>Post it everywhere</div></div>"), "everywhere");
}

#[test]
fn title_is_not_repeated() {
    let page = format!("<title>A river reaches the sea</title><div><h1>A river reaches the sea</h1>{TEXT}</div>");
    assert_eq!(read(&page).title.as_deref(), Some("A river reaches the sea"));
    check_without(&page, "reaches the sea");
}

#[test]
fn siblings_of_the_best_element_are_kept() {
    let page = format!("<main><div class=part>{TEXT}</div><div class=ad>x</div><div class=part>{TEXT}</div></main>");
    assert_eq!(read(&page).text.matches("first paragraph").count(), 2);
}

#[test]
fn pieces_of_an_article_are_joined() {
    let piece = format!("<div><div class=piece>{TEXT}</div></div>");
    let page = format!("<main>{piece}<div><a href=/x>Most popular stories of the week</a></div>{piece}</main>");
    let article = read(&page);
    assert_eq!(article.text.matches("first paragraph").count(), 2);
    assert!(!article.text.contains("popular"));
}

#[test]
fn texts_without_paragraphs_are_read() {
    let page = TEXT.replace("<p>", "").replace("</p>", "<br><br>");
    let article = read(&format!("<body><div>{page}</div></body>"));
    assert_eq!(article.text.lines().filter(|line| !line.is_empty()).count(), 3, "{}", article.text);
}

#[test]
fn captions_are_in_the_html_only() {
    let figure = "<figure><img src=/a.jpg alt=River><figcaption>A photo of the river.</figcaption></figure>";
    let article = read(&format!("<div>{figure}{TEXT}</div>"));
    assert!(article.html.contains("A photo of the river."));
    assert!(!article.text.contains("A photo"));
}

#[test]
fn captions_that_are_most_of_the_article_are_text() {
    let figure = "<figure><img src=/a.jpg><figcaption>A long caption, with clauses, about the bridge and the river, and \
        about the people who built it, one after another, over a century.</figcaption></figure>";
    let page = format!("<article><p>Some words first, and then the pictures of it.</p>{}</article>", figure.repeat(6));
    assert!(read(&page).text.contains("A long caption"));
}

#[test]
fn lazy_images_are_resolved() {
    let check = |image: &str| {
        let article = read(&format!("<div>{TEXT}<p>{image}</p></div>"));
        assert!(article.html.contains("src=\"https://example.com/real.jpg\""), "{image}: {}", article.html);
        assert!(!article.html.contains("dummy"), "{image}: {}", article.html);
    };
    check("<img src='data:image/gif;base64,dummy' data-src=/real.jpg>");
    check("<img data-original='/real.jpg'>");
    check("<img src='data:image/gif;base64,dummy' data-srcset='/small.jpg 100w, /real.jpg 900w'>");
    check("<img src='/dummy.gif' data-lazy-src='/real.jpg'>");
    check("<img src='/dummy.gif'><noscript><img src='/real.jpg'></noscript>");
}

#[test]
fn japanese_is_read() {
    let text = "<p>川は山から海へ流れ、その途中で多くの町を通ります。人々は橋を架け、船を浮かべ、魚を獲って暮らしてきました。</p>";
    let menu = "<div class=menu><a href=/>ホーム</a><a href=/n>ニュース一覧</a></div>";
    let page = format!("<html lang=ja>{menu}<div id=honbun>{}</div>", text.repeat(5));
    let article = read(&page);
    assert!(article.text.starts_with("川は山から海へ"), "{}", article.text);
    assert!(!article.text.contains("ニュース一覧"));
    assert_eq!(article.lang.as_deref(), Some("ja"));
    let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode(&page);
    assert_eq!(decode(&bytes, Some("text/html; charset=Shift_JIS")), page);
}

#[test]
fn short_pages_are_read_with_looser_rules() {
    assert_eq!(read("<div class=comment>Only this.</div>").text, "Only this.");
    assert_eq!(read("Just a line").text, "Just a line");
}

#[test]
fn pages_without_text_are_errors() {
    for page in ["", "<script>app()</script>", "<div id=root></div>", "<img src=a.jpg>"] {
        assert_eq!(try_read(page, &Rules::default()), Err(ExtractError::NoText), "{page}");
    }
}

#[test]
fn output_is_safe() {
    let page =
        format!("<div>{TEXT}<p onclick=evil()>A <a href='javascript:evil()'>link, and more</a> of it.</p></div>");
    assert!(!read(&page).html.contains("evil"));
}
