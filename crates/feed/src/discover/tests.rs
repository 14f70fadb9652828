use super::*;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// The candidates of a page at https://example.com/blog/, without guesses.
fn found(html: &str) -> Vec<String> {
    let candidates = from_page(html.as_bytes(), None, &url("https://example.com/blog/"));
    let shown = |candidate: &Candidate| {
        let path = candidate.url.as_str().trim_start_matches("https://example.com");
        format!("{path} {:?} {:?}", candidate.kind, candidate.source).to_lowercase()
    };
    candidates.iter().filter(|candidate| candidate.source != CandidateSource::Guess).map(shown).collect()
}

#[test]
fn declared_feeds_keep_the_order_of_the_page() {
    let html = r#"<head>
        <link rel="alternate" type="application/rss+xml" href="https://feeds.example.net/x">
        <link rel="alternate" type="application/atom+xml" href="https://feeds.example.net/y">
        <link rel="alternate" type="application/feed+json" href="/feed.json">
        <link rel="alternate" type="application/rss+xml" href="/rss1">
        <link rel="alternate" type="application/rss+xml" href="/rss2">
        <link rel="alternate" type="application/atom+xml" href="/atom">"#;
    assert_eq!(
        found(html),
        [
            "/atom atom link",
            "/rss1 rss link",
            "/rss2 rss link",
            "/feed.json json link",
            "https://feeds.example.net/y atom link",
            "https://feeds.example.net/x rss link",
        ]
    );
}

#[test]
fn links_are_declared_in_many_ways() {
    for link in [
        r#"<LINK REL='Home ALTERNATE' TYPE='Application/RSS+XML; charset=utf-8' HREF=' /x '>"#,
        r#"<body><p><link type=application/rss+xml rel=alternate href=/x>"#,
        r#"<link rel=alternate type=text/rss href="https://www.example.com/../x">"#,
        r#"<link rel="feed" type="application/rdf+xml" href="feed:https://example.com/x" />"#,
        r#"<noscript><link rel=alternate type=application/rss+xml href=feed://example.com/x></noscript>"#,
    ] {
        let candidates = from_page(link.as_bytes(), None, &url("https://example.com/blog/"));
        assert!(
            candidates[0].url.path() == "/x" && candidates[0].kind == CandidateKind::Rss,
            "{link}: {:?}",
            candidates[0]
        );
    }
    assert_eq!(found("<link rel=alternate href=/index.rdf>"), ["/index.rdf rss link"]);
    assert_eq!(found("<link rel=alternate type=text/xml href=/feed>"), ["/feed unknown link"]);
    assert_eq!(found("<link rel=alternate type=application/json href=/feed.json>"), ["/feed.json json link"]);
}

#[test]
fn other_alternates_are_not_feeds() {
    for link in [
        r#"<link rel="alternate" type="application/json+oembed" href="/wp-json/oembed/1.0/embed?url=x">"#,
        r#"<link rel="alternate" type="text/xml+oembed" href="/oembed?format=xml">"#,
        r#"<link rel="alternate" title="JSON" type="application/json" href="/wp-json/wp/v2/posts/1">"#,
        r#"<link rel="wlwmanifest" type="application/wlwmanifest+xml" href="/wlwmanifest.xml">"#,
        r#"<link rel="alternate" hreflang="ja" href="/ja/">"#,
        r#"<link rel="alternate" media="handheld" href="/m/">"#,
        r#"<link rel="alternate stylesheet" href="/rss.css">"#,
        r#"<link rel="stylesheet" type="application/rss+xml" href="/x">"#,
        r#"<link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">"#,
        r#"<link rel="alternate" type="application/rss+xml">"#,
        r#"<!-- <link rel="alternate" type="application/rss+xml" href="/x"> -->"#,
        r#"<script>"<link rel='alternate' type='application/rss+xml' href='/x'>"</script>"#,
    ] {
        assert_eq!(found(link), Vec::<String>::new(), "{link}");
    }
}

#[test]
fn comment_feeds_come_just_before_guesses() {
    let html = r#"<link rel=alternate type=application/atom+xml title="Blog &raquo; Comments Feed" href="/c">
        <link rel=alternate type=application/rss+xml title="Blog &raquo; Feed" href="/feed/">
        <link rel=alternate type=application/rss+xml href="/comments/feed/"><a href="/other.rss">x</a>"#;
    assert_eq!(found(html), ["/feed/ rss link", "/other.rss rss anchor", "/c atom link", "/comments/feed/ rss link"]);
    let candidates = from_page(html.as_bytes(), None, &url("https://example.com"));
    assert_eq!(candidates[0].title.as_deref(), Some("Blog » Feed"));
}

#[test]
fn the_first_base_is_used() {
    let html = "<link rel=alternate type=application/rss+xml href=a><base href=/sub/><base href=/no/>\
        <link rel=alternate type=application/rss+xml href=b>";
    assert_eq!(found(html), ["/blog/a rss link", "/sub/b rss link"]);
}

#[test]
fn anchors_of_feeds_come_after_declared_feeds() {
    let html = r#"<a href="/about">About our feeding programme, which is long</a> <a href="/x">RSS</a>
        <a href="/y"><img alt="Atom"></a> <a href="/z" title="RSSフィード"></a> <a href="/news.atom">n</a>
        <a href="/?feed=rss2">n</a> <a href="/rss/">n</a> <a href="/img/rss.png">RSS</a>
        <a href="https://feedly.com/i/subscription/feed/https://example.com/">RSS</a> <a href="mailto:rss@x.y">RSS</a>"#;
    assert_eq!(
        found(html),
        [
            "/news.atom atom anchor",
            "/?feed=rss2 rss anchor",
            "/rss/ rss anchor",
            "/x unknown anchor",
            "/y unknown anchor",
            "/z unknown anchor"
        ]
    );
}

/// The paths of the guesses for a page with this generator.
fn guessed(address: &str, generator: &str) -> Vec<String> {
    let html = format!("<META Content='{generator}' NAME=Generator>");
    let candidates = from_page(html.as_bytes(), None, &url(address));
    let path = |candidate: Candidate| candidate.url.as_str().trim_start_matches("https://example.com").to_owned();
    candidates.into_iter().filter(|candidate| candidate.source == CandidateSource::Guess).map(path).collect()
}

#[test]
fn guesses_come_last_without_duplicates() {
    let html = "<link rel=alternate type=application/rss+xml href=/feed><a href='/feed#top'>RSS</a>";
    let candidates = from_page(html.as_bytes(), None, &url("https://example.com/blog/"));
    let urls: Vec<&str> = candidates.iter().map(|candidate| candidate.url.as_str()).collect();
    assert_eq!(
        urls[..3],
        ["https://example.com/feed", "https://example.com/blog/feed", "https://example.com/blog/rss.xml"]
    );
    assert_eq!(urls.len(), urls.iter().collect::<HashSet<_>>().len());
    let usual = ["/feed", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml", "/rss", "/feeds/posts/default"];
    for page in ["https://example.com", "https://example.com/post.html"] {
        assert_eq!(guessed(page, ""), usual, "{page}");
    }
    let in_folder = ["/blog/feed", "/feed", "/blog/rss.xml", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml"];
    for page in ["https://example.com/blog", "https://example.com/blog/"] {
        assert_eq!(guessed(page, "")[..7], in_folder, "{page}");
    }
}

#[test]
fn the_generator_of_a_page_suggests_its_feed() {
    for (generator, place) in [
        ("WordPress 6.5", "/feed"),
        ("Hugo 0.123.0", "/index.xml"),
        ("Jekyll v4.3.2", "/feed.xml"),
        ("Ghost 5.80", "/rss"),
        ("blogger", "/feeds/posts/default"),
        ("Hexo 7.0", "/atom.xml"),
        ("Drupal 10 (https://www.drupal.org)", "/rss.xml"),
        ("Joomla! - Open CandidateSource Content Management", "/?format=feed&type=rss"),
    ] {
        assert_eq!(guessed("https://example.com/", generator)[0], place, "{generator}");
    }
    assert_eq!(guessed("https://example.com/blog/", "Hugo 0.1")[..3], ["/blog/index.xml", "/index.xml", "/blog/feed"]);
}

#[test]
fn hostile_pages_give_few_candidates() {
    let link = "<link rel=alternate type=application/rss+xml href=/";
    let many: String = (0..20_000).map(|n| format!("{link}{n}><a href=/{n}.rss>")).collect();
    assert_eq!(from_page(many.as_bytes(), None, &url("https://example.com")).len(), MAX_CANDIDATES);
    let tokens = ["<a ", " a", "<a b=\"", "<!--", "<script", "<script>", "&", "<", "'", "\"", "</", "<title><"];
    for token in tokens {
        let html = format!("<a {}", token.repeat((1 << 20) / token.len()));
        from_page(html.as_bytes(), None, &url("https://example.com"));
        icons(html.as_bytes(), None, &url("https://example.com"));
        is_feed(html.as_bytes(), None);
    }
}

#[test]
fn known_addresses_have_feeds() {
    let check = |address: &str, expected: &[&str]| {
        let found: Vec<String> = from_address(&url(address)).into_iter().map(|found| found.url.into()).collect();
        assert_eq!(found, expected, "{address}");
    };
    let videos = |query: &str| format!("https://www.youtube.com/feeds/videos.xml?{query}");
    check("https://youtube.com/channel/UCabc/videos", &[&videos("channel_id=UCabc")]);
    check("https://m.youtube.com/user/me", &[&videos("user=me")]);
    check("https://www.youtube.com/playlist?list=PLx-1", &[&videos("playlist_id=PLx-1")]);
    check("https://www.youtube.com/watch?v=1&list=PLx", &[&videos("playlist_id=PLx")]);
    check("https://www.youtube.com/@me", &[]);
    check("https://old.reddit.com/r/rust/", &["https://www.reddit.com/r/rust/.rss"]);
    check("https://www.reddit.com/r/rust/top/?t=day", &["https://www.reddit.com/r/rust/top/.rss"]);
    check("https://www.reddit.com/u/me", &["https://www.reddit.com/user/me/.rss"]);
    check("https://reddit.com/r/rust/comments/1ab/title/", &["https://www.reddit.com/r/rust/comments/1ab/.rss"]);
    let repo = |kind: &str| format!("https://github.com/o/r/{kind}.atom");
    check("https://github.com/o/r.git", &[&repo("releases"), &repo("commits"), &repo("tags")]);
    check("https://github.com/o/r/tags", &[&repo("tags"), &repo("releases"), &repo("commits")]);
    check("https://github.com/o/r/commits/main", &[&repo("commits/main")]);
    check("https://github.com/o", &["https://github.com/o.atom"]);
    check("https://github.com/features/x", &[]);
    check("https://gitlab.com/g/s/p/-/commits/main", &["https://gitlab.com/g/s/p/-/commits/main?format=atom"]);
    check(
        "https://gitlab.example.org/g/p",
        &[
            "https://gitlab.example.org/g/p/-/releases.atom",
            "https://gitlab.example.org/g/p/-/tags?format=atom",
            "https://gitlab.example.org/g/p.atom",
        ],
    );
    check("https://mastodon.social/@me/with_replies", &["https://mastodon.social/@me.rss"]);
    check("https://mastodon.social/@me@other.example", &["https://other.example/@me.rss"]);
    check("https://me.hatenablog.com/entry/1", &["https://me.hatenablog.com/feed", "https://me.hatenablog.com/rss"]);
    check("https://b.hatena.ne.jp/hotentry/it", &["https://b.hatena.ne.jp/hotentry/it.rss"]);
    check("https://b.hatena.ne.jp/me/", &["https://b.hatena.ne.jp/me/bookmark.rss"]);
    check("https://note.com/me/n/n123", &["https://note.com/me/rss"]);
    check("https://note.com/me/m/m1", &["https://note.com/me/m/m1/rss"]);
    check("https://qiita.com/me/items/1", &["https://qiita.com/me/feed"]);
    check("https://qiita.com/tags/rust", &["https://qiita.com/tags/rust/feed"]);
    check("https://qiita.com/organizations/x", &["https://qiita.com/organizations/x/activities.atom"]);
    check("https://zenn.dev/topics/rust", &["https://zenn.dev/topics/rust/feed"]);
    check("https://zenn.dev/p/pub", &["https://zenn.dev/p/pub/feed"]);
    check("https://zenn.dev/me/articles/1", &["https://zenn.dev/me/feed"]);
    check("https://medium.com/@me", &["https://medium.com/feed/@me"]);
    check("https://me.medium.com/post-1", &["https://me.medium.com/feed"]);
    check("https://me.substack.com/p/x", &["https://me.substack.com/feed"]);
    check("https://substack.com/@me", &["https://me.substack.com/feed"]);
    check("https://me.wordpress.com/2020/01/", &["https://me.wordpress.com/feed/"]);
    check("https://me.tumblr.com/post/1", &["https://me.tumblr.com/rss"]);
    check("https://www.tumblr.com/me", &["https://me.tumblr.com/rss"]);
    let blog = "https://me.blogspot.com/feeds/posts/default";
    check("https://me.blogspot.com/2020/01/x.html", &[blog, &format!("{blog}?alt=rss")]);
    check("https://me.blogspot.com/search/label/x", &[&format!("{blog}/-/x"), blog]);
    check("https://example.com/", &[]);
    check("ftp://github.com/o", &[]);
}

#[test]
fn the_page_of_a_handle_names_the_channel() {
    let id = "UCabcdefghijklmnopqrstuv";
    let feed = format!("https://www.youtube.com/feeds/videos.xml?channel_id={id}");
    for html in [format!(r#"{{"externalId":"{id}"}}"#), format!(r#"<meta itemprop="channelId" content="{id}">"#)] {
        let candidates = from_page(html.as_bytes(), None, &url("https://www.youtube.com/@me"));
        assert_eq!(candidates[0].url.as_str(), feed, "{html}");
        assert!(
            from_page(html.as_bytes(), None, &url("https://example.com/@me")).iter().all(|c| c.url.as_str() != feed)
        );
    }
}

#[test]
fn icons_come_in_order() {
    let html = r#"<link rel="apple-touch-icon" href="/touch.png"><link rel="icon" sizes="16x16" href="/16.png">
        <link rel="icon" sizes="192x192" href="/192.png"><link rel="SHORTCUT ICON" href="/plain.ico">
        <link rel="icon" type="image/svg+xml" sizes="any" href="/any.svg"><link rel="icon" sizes="48x48 32x32" href="/48.png">
        <link rel="mask-icon" href="/mask.svg"><link rel="icon" href="data:image/png;base64,AA">"#;
    let icons = icons(html.as_bytes(), None, &url("https://example.com/a/"));
    let paths: Vec<&str> = icons.iter().map(|icon| icon.url.path()).collect();
    assert_eq!(paths, ["/48.png", "/192.png", "/any.svg", "/plain.ico", "/16.png", "/touch.png", "/favicon.ico"]);
}

#[test]
fn the_content_decides_what_is_a_feed() {
    let check = |text: &str, content_type: Option<&str>, expected: Option<CandidateKind>| {
        assert_eq!(is_feed(text.as_bytes(), content_type), expected, "{text}");
    };
    check("<?xml version='1.0'?><!-- x --><rss version='2.0'>", Some("text/html"), Some(CandidateKind::Rss));
    check("\u{feff}\n <feed xmlns='http://www.w3.org/2005/Atom'>", None, Some(CandidateKind::Atom));
    check("<atom:feed>", None, Some(CandidateKind::Atom));
    check("<rdf:RDF xmlns='http://purl.org/rss/1.0/'>", None, Some(CandidateKind::Rss));
    check("<rdf:RDF xmlns:foaf='http://xmlns.com/foaf/0.1/'>", None, None);
    check("<br /><b>Warning</b>: x <?xml version='1.0'?><RSS>", None, Some(CandidateKind::Rss));
    check("<channel><item>", None, Some(CandidateKind::Rss));
    check("<!DOCTYPE html><html><body><rss>", Some("application/rss+xml"), None);
    check("<urlset><url>", Some("application/xml"), None);
    check(r#" {"version": "https://jsonfeed.org/version/1.1", "items": []}"#, None, Some(CandidateKind::Json));
    check(r#"{"version": "https:\/\/jsonfeed.org\/version\/1"}"#, None, Some(CandidateKind::Json));
    check(r#"{"items": []}"#, Some("application/feed+json"), Some(CandidateKind::Json));
    check(r#"{"items": []}"#, Some("application/json"), None);
    check("", None, None);
    check("plain words", Some("application/rss+xml"), None);
    let wide: Vec<u8> = "\u{feff}<rss>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(is_feed(&wide, None), Some(CandidateKind::Rss));
}

#[test]
fn addresses_are_tidied() {
    let check = |text: &str, expected: &str| {
        assert_eq!(tidy_address(text).map(String::from), Ok(expected.to_owned()), "{text}");
    };
    check("example.com", "https://example.com/");
    check("  Example.com/Feed \n", "https://example.com/Feed");
    check("feed://example.com/x", "https://example.com/x");
    check("feed:http://example.com/x", "http://example.com/x");
    check("feed://https://example.com/x", "https://example.com/x");
    check("itpc://example.com/x", "https://example.com/x");
    check("<https://example.com/x>.", "https://example.com/x");
    check("「https://example.com/x」", "https://example.com/x");
    check("(see https://example.com/a_(b)).", "https://example.com/a_(b)");
    check("\"example.com/x\",", "https://example.com/x");
    check("ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｃｏｍ／ｘ", "https://example.com/x");
    check("ttps://example.com/", "https://example.com/");
    check("https//example.com", "https://example.com/");
    check("http:/example.com", "http://example.com/");
    check("//example.com/x", "https://example.com/x");
    check("example.com:8080/feed?x=a:b", "https://example.com:8080/feed?x=a:b");
    check("localhost:8080", "https://localhost:8080/");
    check("http://[::1]/x", "http://[::1]/x");
    check("http://intranet/feed", "http://intranet/feed");
    check("192.0.2.1/x", "https://192.0.2.1/x");
    check("https://日本.example/記事！", "https://xn--wgv71a.example/%E8%A8%98%E4%BA%8B%EF%BC%81");
    check("\u{200b}https://example.com/x\u{feff}", "https://example.com/x");
    check("@me@mastodon.example", "https://mastodon.example/@me");
    check("my blog: https://example.com/x", "https://example.com/x");
    check("https://example.com/?q=1?", "https://example.com/?q=1");
}

#[test]
fn invalid_addresses_are_rejected_with_a_hint() {
    assert_eq!(tidy_address(" \n"), Err(AddressError::Empty));
    assert_eq!(tidy_address("<>"), Err(AddressError::Empty));
    assert_eq!(tidy_address("news"), Err(AddressError::NoAddress));
    assert_eq!(tidy_address("some words"), Err(AddressError::NoAddress));
    assert_eq!(tidy_address("me@example.com"), Err(AddressError::NoAddress));
    assert_eq!(tidy_address("javascript:alert(1)"), Err(AddressError::Scheme("javascript".to_owned())));
    assert_eq!(tidy_address("file:///etc/passwd"), Err(AddressError::Scheme("file".to_owned())));
    assert_eq!(tidy_address(&"x".repeat(10_000)), Err(AddressError::TooLong));
}

proptest::proptest! {
    #[test]
    fn nothing_panics(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200), text in "[<a-z='\"/ !&;-]{0,80}") {
        for input in [&bytes[..], text.as_bytes()] {
            from_page(input, None, &url("https://example.com/a"));
            icons(input, None, &url("https://example.com/a"));
            is_feed(input, None);
            let _ = tidy_address(&String::from_utf8_lossy(input));
        }
    }
}
