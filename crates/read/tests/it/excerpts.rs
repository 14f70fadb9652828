//! The beginning of an item's text: stored when the item arrives or changes, and filled in for older items.

use read::FillExcerpts;
use store::{ItemId, item_lists::ItemRow};
use testkit::{TestDb, on_both_databases};

use crate::{
    jobs::run_job,
    responses::answer,
    test_reader::{FIRST_PAGE, TestReader},
};

/// The stored excerpts, oldest item first.
async fn stored(db: &store::Db) -> Vec<Option<String>> {
    let excerpts: Vec<(ItemId, Option<String>)> =
        db.read("select id, excerpt from items order by id").all().await.unwrap();
    excerpts.into_iter().map(|(_, excerpt)| excerpt).collect()
}

on_both_databases!(excerpts_are_stored_with_new_and_changed_items);
async fn excerpts_are_stored_with_new_and_changed_items(db: TestDb) {
    let test = TestReader::new(&db).await;
    let ann = test.create_user("ann").await;
    let feed = test.create_subscribed_feed(ann, "/feed").await;
    let entry = |text: &str| {
        let item = format!("<item><guid>a</guid><title>A</title><description>{text}</description></item>");
        answer("200 OK", &[], &format!("<rss version=\"2.0\"><channel><title>F</title>{item}</channel></rss>"))
    };
    test.always("/feed", entry("&lt;p&gt;First &lt;b&gt;text&lt;/b&gt; &amp;amp; more"));
    test.reader.fetch_due().await.unwrap();
    assert_eq!(stored(&test.db).await, [Some("First text & more".to_owned())]);
    test.always("/feed", entry(&"語".repeat(1_000)));
    test.fetch_when_due(feed).await;
    let listed = test.reader.list_items(ann, &FIRST_PAGE).await.unwrap();
    let ItemRow { excerpt, beginning, .. } = &listed.items[0].row;
    assert_eq!(excerpt.as_deref(), Some(format!("{}…", "語".repeat(159)).as_str()));
    assert_eq!((&listed.items[0].excerpt, beginning), (excerpt.as_ref().unwrap(), &None));
}

on_both_databases!(a_job_fills_missing_excerpts);
async fn a_job_fills_missing_excerpts(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.create_titled_feed("one").await;
    test.create_subscription(test.user, feed).await;
    test.add_items(feed, &(0..450).rev().collect::<Vec<_>>()).await;
    db.write("update items set summary = null where id = (select max(id) from items)").execute().await.unwrap();
    let shown = async || {
        let page = test.reader.list_items(test.user, &FIRST_PAGE).await.unwrap();
        page.items.into_iter().map(|item| item.excerpt).collect::<Vec<_>>()
    };
    let before = shown().await;
    assert_eq!(before[..2], ["", "Text of 1"]);
    assert!(stored(&db).await.iter().all(Option::is_none));
    for _ in 0..2 {
        run_job(&test, FillExcerpts {}, test.reader.clone()).await;
        assert_eq!(shown().await, before, "the list is unchanged");
        assert_eq!(stored(&test.db).await[0].as_deref(), Some("Text of 449"));
    }
    assert!(stored(&test.db).await.iter().all(Option::is_some));
}
