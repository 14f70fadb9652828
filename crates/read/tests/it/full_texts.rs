//! Whole texts of items: by hand, on and auto, robots.txt, failures.

use read::{ArticleRules, Error, Problem};
use store::{FeedId, ItemId, full_texts::FullText, subscriptions::SubscriptionPatch};
use testkit::{TestDb, on_both_databases};

use crate::{
    jobs::run_jobs,
    responses::{answer, feed_response, html},
    test_reader::TestReader,
};

const WORDS: &str = "The printers of Edo cut their news into wood, and sold it in the street before noon. ";

/// A feed with one short item whose page is at `/post` of the origin.
async fn teaser(test: &TestReader) -> (FeedId, ItemId) {
    let feed = test.create_subscribed_feed(test.user, "/feed").await;
    let link = test.origin.url("/post");
    test.always(
        "/feed",
        feed_response(format!(
            "<rss version=\"2.0\"><channel><title>News</title><item><guid>a</guid><title>Printers</title><link>{link}</link>\
             <description>The printers of Edo…</description></item></channel></rss>"
        )),
    );
    test.always("/robots.txt", answer("404 Not Found", &[], ""));
    test.always("/post", page(&WORDS.repeat(20)));
    test.reader.fetch_due().await.unwrap();
    let items = test.list_unread(test.user).await;
    (feed, items[0])
}

fn page(text: &str) -> Vec<u8> {
    html(format!(
        "<html><body><nav><a href=/>Home</a></nav><article><h1>Printers</h1><p>{text}</p></article></body></html>"
    ))
}

async fn set(test: &TestReader, feed: FeedId, full_text: FullText) {
    let subscription = store::subscriptions::find(&test.db, test.user, feed).await.unwrap().unwrap();
    let patch = SubscriptionPatch { full_text: Some(full_text), ..SubscriptionPatch::default() };
    let changed = test.reader.update_subscription(test.user, subscription, patch).await.unwrap();
    assert_eq!(changed.full_text, full_text);
}

/// Runs the jobs, and returns how many pages waited.
async fn fetch_pages(test: &TestReader) -> i64 {
    let waiting = test.count("select count(*) from jobs where kind = 'fetch_article' and status = 'queued'").await;
    run_jobs(test).await;
    waiting
}

on_both_databases!(a_text_is_fetched_by_hand_and_kept);
async fn a_text_is_fetched_by_hand_and_kept(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (_, item) = teaser(&test).await;
    assert_eq!(fetch_pages(&test).await, 0, "nobody has asked for it");
    let before = test.reader.get_item(test.user, item).await.unwrap();
    assert_eq!((before.full_text.full_text, before.full_text.is_full_text_wanted), (None, false));
    let detail = test.reader.get_full_text(test.user, item).await.unwrap();
    let text = detail.full_text.full_text.unwrap();
    assert!(text.contains("sold it in the street") && !text.contains("Home"), "{text}");
    assert!(detail.summary.unwrap().contains("printers of Edo…"), "the feed's text stays");
    assert_eq!(test.request_count("/robots.txt"), 0, "a person asks, not a robot");
    test.reader.get_full_text(test.user, item).await.unwrap();
    assert_eq!(test.request_count("/post"), 1, "it is fetched once");
    test.reader.index_all_pending().await.unwrap();
    let found = test.reader.search_items(test.user, "street noon", None, 10).await.unwrap();
    assert_eq!(found.items.len(), 1, "its words are found");
    let stranger = test.create_user("stranger").await;
    assert!(test.reader.get_full_text(stranger, item).await.is_err());
}

on_both_databases!(a_page_that_fails_says_why_and_is_tried_again);
async fn a_page_that_fails_says_why_and_is_tried_again(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (_, item) = teaser(&test).await;
    for (response, code) in [
        (answer("404 Not Found", &[], ""), "not_found"),
        (answer("503 Down", &[], ""), "server_error"),
        (html("<html><body><script>app()</script></body></html>"), "no_article"),
    ] {
        test.always("/post", response);
        let detail = test.reader.get_full_text(test.user, item).await.unwrap();
        assert_eq!((detail.full_text.full_text, detail.full_text.full_text_error.as_deref()), (None, Some(code)));
        assert!(detail.summary.is_some(), "the feed's text stays");
    }
    test.always("/post", page(&WORDS.repeat(20)));
    let detail = test.reader.get_full_text(test.user, item).await.unwrap();
    assert!(detail.full_text.full_text.is_some() && detail.full_text.full_text_error.is_none());
}

on_both_databases!(a_subscription_fetches_the_texts_of_old_and_new_items);
async fn a_subscription_fetches_the_texts_of_old_and_new_items(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (feed, item) = teaser(&test).await;
    set(&test, feed, FullText::On).await;
    assert_eq!(fetch_pages(&test).await, 1);
    let detail = test.reader.get_item(test.user, item).await.unwrap();
    assert!(detail.full_text.full_text.is_some() && detail.full_text.is_full_text_wanted);
    assert_eq!(test.request_count("/robots.txt"), 1);
    set(&test, feed, FullText::Auto).await;
    assert_eq!(fetch_pages(&test).await, 0, "it has its text");
    let other = test.create_user("other").await;
    test.create_subscription(other, feed).await;
    let theirs = test.reader.get_item(other, item).await.unwrap();
    assert!(!theirs.full_text.is_full_text_wanted, "each reader chooses");
}

on_both_databases!(auto_keeps_only_texts_that_are_longer);
async fn auto_keeps_only_texts_that_are_longer(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (feed, item) = teaser(&test).await;
    test.always("/post", page("The printers of Edo, again."));
    set(&test, feed, FullText::Auto).await;
    assert_eq!(fetch_pages(&test).await, 1);
    let detail = test.reader.get_item(test.user, item).await.unwrap();
    assert_eq!((detail.full_text.full_text, detail.full_text.full_text_error), (None, None));
}

on_both_databases!(robots_are_refused_by_robots_txt);
async fn robots_are_refused_by_robots_txt(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (feed, item) = teaser(&test).await;
    test.always("/robots.txt", answer("200 OK", &[], "User-agent: *\nDisallow: /post"));
    set(&test, feed, FullText::On).await;
    assert_eq!(fetch_pages(&test).await, 1);
    let detail = test.reader.get_item(test.user, item).await.unwrap();
    assert_eq!(detail.full_text.full_text_error.as_deref(), Some("robots_refused"));
    assert_eq!(test.request_count("/post"), 0);
    let detail = test.reader.get_full_text(test.user, item).await.unwrap();
    assert!(detail.full_text.full_text.is_some(), "a person may read it");
}

on_both_databases!(rules_of_a_feed_correct_the_text);
async fn rules_of_a_feed_correct_the_text(db: TestDb) {
    let test = TestReader::new(&db).await;
    let (feed, item) = teaser(&test).await;
    test.always(
        "/post",
        html("<body><div class=ad>Buy!</div><div class=body>The one true text.</div><p>Other</p></body>"),
    );
    let rules = |content: &str, drop: &str| ArticleRules { content: content.to_owned(), drop: drop.to_owned() };
    let preview = test.reader.preview_article(test.user, feed, &rules(".body, .ad", ".ad")).await.unwrap();
    assert_eq!(preview.html.unwrap(), "<p>The one true text.</p>");
    let nothing = test.reader.preview_article(test.user, feed, &rules(".none", "")).await.unwrap();
    assert_eq!(nothing.html, Err(Problem::NoArticle));
    for wrong in ["..x", "a[", &"x".repeat(2_000)] {
        let error = test.reader.preview_article(test.user, feed, &rules(wrong, "")).await.unwrap_err();
        assert!(matches!(error, Error::InvalidSelector { .. } | Error::SelectorTooLong { .. }), "{error}");
    }
    test.reader.set_article_rules(test.user, false, feed, &rules(".body", "")).await.unwrap();
    assert_eq!(test.reader.get_article_rules(test.user, feed).await.unwrap(), rules(".body", ""));
    let detail = test.reader.get_full_text(test.user, item).await.unwrap();
    assert_eq!(detail.full_text.full_text.as_deref(), Some("<p>The one true text.</p>"));
    let other = test.create_user("other").await;
    let stranger = test.reader.set_article_rules(other, false, feed, &rules("p", "")).await;
    assert!(matches!(stranger, Err(Error::NotFound)));
    test.create_subscription(other, feed).await;
    let shared = test.reader.set_article_rules(other, false, feed, &rules("p", "")).await;
    assert!(matches!(shared, Err(Error::RulesShared)));
    test.reader.set_article_rules(other, true, feed, &rules("", "")).await.unwrap();
    assert_eq!(test.reader.get_article_rules(test.user, feed).await.unwrap(), ArticleRules::default());
}
