//! Search: which items are found, with the same results on both databases.

use chrono::{DateTime, TimeDelta, Utc};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRng, TestRunner},
};
use read::Error;
use store::{Db, FeedId, ItemId, Topic, UserId, items, items::NewItem, search, subscriptions};
use testkit::{TestDb, on_both_databases};
use tokio_util::sync::CancellationToken;

use crate::test_reader::{TestReader, start};

impl TestReader {
    async fn subscribed_feed(&self, title: &str) -> FeedId {
        let feed = self.create_titled_feed(title).await;
        self.create_subscription(self.user, feed).await;
        feed
    }

    /// Stores items with their states, not yet indexed.
    async fn add(&self, feed: FeedId, new: &[NewItem]) -> Vec<ItemId> {
        let mut tx = self.db.begin().await.unwrap();
        let ids = items::insert(&mut tx, feed, new, start()).await.unwrap();
        items::fan_out(&mut tx, feed, &ids, 1_000, start()).await.unwrap();
        search::mark_pending(&mut tx, ids.iter().copied()).await.unwrap();
        tx.announce(Topic::Words);
        tx.commit().await.unwrap();
        ids
    }

    async fn change(&self, id: ItemId, item: NewItem) {
        change(&self.db, id, item).await;
    }

    async fn index(&self) -> u64 {
        self.reader.index_all_pending().await.unwrap()
    }

    /// The titles of all results.
    async fn find(&self, query: &str) -> Vec<String> {
        self.pages(self.user, query, 50).await.concat()
    }

    async fn pages(&self, user: UserId, query: &str, limit: usize) -> Vec<Vec<String>> {
        let mut pages = Vec::new();
        let mut before = None;
        loop {
            let found = self.reader.search_items(user, query, before, limit).await.unwrap();
            pages.push(found.items.into_iter().map(|item| item.row.title).collect());
            match found.next {
                Some(next) => before = Some(next),
                None => return pages,
            }
        }
    }
}

async fn change(db: &Db, id: ItemId, item: NewItem) {
    let mut tx = db.begin().await.unwrap();
    items::change(&mut tx, &[items::ItemChange { id, moves: true, item }], start()).await.unwrap();
    search::mark_pending(&mut tx, [id]).await.unwrap();
    tx.announce(Topic::Words);
    tx.commit().await.unwrap();
}

/// An item published this many minutes before [`start`].
fn item(title: &str, content: &str, minutes: i64) -> NewItem {
    item_at(title, content, start() - TimeDelta::minutes(minutes))
}

fn item_at(title: &str, content: &str, published_at: DateTime<Utc>) -> NewItem {
    NewItem {
        title: title.to_owned(),
        content: Some(content.to_owned()),
        published_at,
        categories: "[]".to_owned(),
        enclosures: "[]".to_owned(),
        ..NewItem::default()
    }
}

/// Query and titles, newest first.
const TABLE: &[(&str, &[&str])] = &[
    // Latin: words by their prefixes, ignoring case, width and accents.
    ("rust", &["en1", "en2"]),
    ("ＲＵＳＴ", &["en1", "en2"]),
    ("rus", &["en1", "en2"]),
    ("ru", &[]),
    ("ust", &[]),
    ("comp", &["en1"]),
    ("\"rus\"", &[]),
    ("\"rust\"", &["en1", "en2"]),
    ("rust -caf", &["en1", "en2"]),
    ("\"borrow check\"", &[]),
    ("borrow-check", &["en1"]),
    ("lang comp", &["en1"]),
    ("cafe", &["en2"]),
    ("CAFÉ", &["en2"]),
    ("rust compiler", &["en1"]),
    ("\"borrow checker\"", &["en1"]),
    ("\"checker borrow\"", &[]),
    ("\"checker the\"", &["en1"]),
    ("borrow-checker", &["en1"]),
    ("\"rust is", &["en1"]),
    ("rust -cafe", &["en1"]),
    ("rust -\"borrow checker\"", &["en2"]),
    ("rust -\"checker borrow\"", &["en1", "en2"]),
    ("script", &["en2"]),
    ("strong", &[]),
    ("R&D", &["en2"]),
    ("2024", &["ja3"]),
    // Japanese: any substring.
    ("東", &["ja1", "ja2", "ja3"]),
    ("東京", &["ja1", "ja2"]),
    ("京都", &["ja2", "ja3"]),
    ("東京都", &["ja2"]),
    ("東京タワー", &["ja1"]),
    ("タワー", &["ja1"]),
    ("ﾀﾜｰ", &["ja1"]),
    ("たわー", &[]),
    ("ワ", &["ja1"]),
    ("猫", &["ja2"]),
    ("猫 東京", &["ja2"]),
    ("東京 -猫", &["ja1"]),
    ("東京 -都", &["ja1"]),
    ("「東京の空」", &["ja1"]),
    ("空東京", &[]),
    ("ばら", &["ja3"]),
    ("はら", &[]),
    ("第3回", &["ja3"]),
    ("第３回", &["ja3"]),
    ("\"京都 大阪\"", &["ja3"]),
    ("\"大阪 京都\"", &[]),
    ("京都大阪", &[]),
    ("iPhone発売", &["ja3"]),
    ("발매", &["ko"]),
    ("발", &["ko"]),
    // Fields.
    ("title:en1", &["en1"]),
    ("feed:dai", &["en1", "en2"]),
    ("title:rust", &[]),
    ("author:山田", &["ja1"]),
    ("山田", &["ja1", "ja2"]),
    ("author:山田 -猫", &["ja1"]),
    ("feed:daily", &["en1", "en2"]),
    ("daily", &["en1", "en2"]),
    ("daily -cafe", &["en1"]),
    ("瓦版 猫", &["ja2"]),
    ("東 -feed:瓦版", &[]),
    ("feed:私の", &["ja1", "ja2", "ja3", "ko"]),
    ("feed:nobody", &[]),
    ("feed:daily 東京", &[]),
];

on_both_databases!(queries_find_the_expected_items);
async fn queries_find_the_expected_items(db: TestDb) {
    let test = TestReader::new(&db).await;
    let english = test.subscribed_feed("The Daily Crab").await;
    let japanese = test.subscribed_feed("江戸瓦版").await;
    test.add(
        english,
        &[
            item("en1", "<p>Rust is a language with a <b>borrow</b> checker.</p><p>The compiler helps.</p>", 1),
            item("en2", "<p>A café for rust &amp; r&amp;d, <em>script</em> <strong>included</strong></p>", 2),
        ],
    )
    .await;
    let author = |mut item: NewItem, name: &str| {
        item.author = Some(name.to_owned());
        item
    };
    test.add(
        japanese,
        &[
            author(item("ja1", "<p>東京ﾀﾜｰが見える。東京の空。</p>", 3), "山田太郎"),
            item("ja2", "<p>東京都の猫は山田さんの猫です。</p>", 4),
            item("ja3", "<p>2024年の第3回、京都、大阪。iPhone 発売。東のばら。</p>", 5),
            item("ko", "<p>새 전화기 발매 소식</p>", 6),
        ],
    )
    .await;
    db.write("update subscriptions set title = '私の新聞' where feed_id = $1").bind(japanese).execute().await.unwrap();
    assert_eq!(test.find("東京").await, [""; 0], "it is not indexed yet");
    assert_eq!(test.find("rust").await, ["en1", "en2"], "a prefix search reads the newest items without the index");
    assert_eq!(test.index().await, 6);
    for (query, expected) in TABLE {
        assert_eq!(test.find(query).await, *expected, "{query}");
    }
    // The same with many feeds of other users, where the index query names the feeds.
    for number in 0..8 {
        let feed = test.create_titled_feed(&format!("Other {number}")).await;
        test.add(feed, &[item("other", "<p>Rust borrow checker 東京 猫</p>", number)]).await;
    }
    assert_eq!(test.index().await, 8);
    for (query, expected) in TABLE {
        assert_eq!(test.find(query).await, *expected, "{query}, among other feeds");
    }
    // The same below more newer items than are read without the index.
    let filling = test.subscribed_feed("Padding").await;
    let new: Vec<NewItem> = (1..150).map(|n| item("padding", "<p>padding</p>", -n)).collect();
    test.add(filling, &new).await;
    assert_eq!(test.index().await, 149);
    for (query, expected) in TABLE {
        assert_eq!(test.find(query).await, *expected, "{query}, below newer items");
    }
}

on_both_databases!(results_have_snippets_and_terms);
async fn results_have_snippets_and_terms(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    let text =
        format!("<p>{}</p><p>Here is the Café of 東京ﾀﾜｰ.</p><p>{}</p>", "before ".repeat(60), "after ".repeat(60));
    let mut new = item("in the summary", "", 2);
    (new.content, new.summary) = (Some("<p>nothing</p>".to_owned()), Some("<p>the cafe</p>".to_owned()));
    test.add(feed, &[item("long", &text, 1), new, item("cafe in the title", "<p>else</p>", 3)]).await;
    test.index().await;
    let found = test.reader.search_items(test.user, "CAFÉ -moon", None, 50).await.unwrap();
    assert_eq!(found.terms, ["cafe"]);
    assert_eq!(found.next, None);
    let snippets: Vec<&str> = found.items.iter().map(|item| item.snippet.as_str()).collect();
    assert!(
        snippets[0].starts_with("…before ") && snippets[0].contains("the Café of 東京ﾀﾜｰ. after"),
        "{}",
        snippets[0]
    );
    assert_eq!(snippets[1..], ["the cafe", "else"]);
    let found = test.reader.search_items(test.user, "title:long", None, 50).await.unwrap();
    assert!(found.items[0].snippet.starts_with("before before"), "{}", found.items[0].snippet);
}

on_both_databases!(items_of_other_users_are_not_found);
async fn items_of_other_users_are_not_found(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Mine").await;
    test.add(feed, &[item("mine", "word", 1)]).await;
    test.index().await;
    let other = store::users::create_unclaimed(&db, "other@example.org", "Other", start()).await.unwrap();
    assert_eq!(test.pages(other, "word", 50).await.concat(), [""; 0], "the other user has no feed");
    let theirs = test.create_titled_feed("Theirs").await;
    let mut tx = db.begin().await.unwrap();
    subscriptions::create(&mut tx, other, theirs, 100, start()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(test.pages(other, "word", 50).await.concat(), [""; 0], "the other user has another feed");
    assert_eq!(test.pages(other, "mine", 50).await.concat(), [""; 0], "the title of the feed does not match either");
    assert_eq!(test.find("word").await, ["mine"]);
}

on_both_databases!(pages_have_no_gaps_or_repeats);
async fn pages_have_no_gaps_or_repeats(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    // Many items within one second, unordered, whose positions differ by microseconds or only by id.
    let at = |n: i64| start() - TimeDelta::seconds(n / 40) - TimeDelta::microseconds((n * 7_919) % 13);
    let new: Vec<NewItem> = (0..170).map(|n| item_at(&format!("{n}"), "<p>word</p>", at(n))).collect();
    let ids = test.add(feed, &new).await;
    test.index().await;
    let mut expected: Vec<(DateTime<Utc>, ItemId, String)> =
        new.iter().zip(ids).map(|(item, id)| (item.published_at, id, item.title.clone())).collect();
    expected.sort_by(|one, other| other.cmp(one));
    let expected: Vec<String> = expected.into_iter().map(|(_, _, title)| title).collect();
    for most in [1, 7, 50, 170, 200] {
        let pages = test.pages(test.user, "word", most).await;
        assert_eq!(pages.concat(), expected, "pages of {most}");
        assert!(pages.iter().rev().skip(1).all(|page| page.len() == most), "only the last page is short");
        assert_eq!(pages.len(), 170_usize.div_ceil(most), "there is no empty last page");
    }
}

on_both_databases!(a_rare_word_is_found_among_many_items);
async fn a_rare_word_is_found_among_many_items(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    let text = |n: i64| if n % 1_300 == 1_299 { "<p>rare word</p>" } else { "<p>word</p>" };
    let new: Vec<NewItem> = (0..2_600).map(|n| item(&format!("{n}"), text(n), n * 30)).collect();
    test.add(feed, &new).await;
    test.index().await;
    assert_eq!(test.find("rare").await, ["1299", "2599"]);
    assert_eq!(test.pages(test.user, "rare", 1).await, [["1299"], ["2599"]]);
    assert_eq!(test.find("rare -word").await, [""; 0]);
    let all: Vec<String> = (0..2_600).map(|n| n.to_string()).collect();
    assert_eq!(test.find("word").await, all);
}

on_both_databases!(a_request_examines_a_limited_amount);
async fn a_request_examines_a_limited_amount(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    let long = "filling ".repeat(2_000);
    let text = |n: i64| if n == 99 { "<p>one two</p>".to_owned() } else { format!("<p>two one {long}</p>") };
    let new: Vec<NewItem> = (0..100).map(|n| item(&format!("{n}"), &text(n), n)).collect();
    test.add(feed, &new).await;
    test.index().await;
    let pages = test.pages(test.user, "\"one two\"", 50).await;
    assert!(pages.len() > 2 && pages[0].is_empty(), "{}", pages.len());
    assert_eq!(pages.concat(), ["99"]);
}

on_both_databases!(a_changed_item_is_found_by_its_new_text);
async fn a_changed_item_is_found_by_its_new_text(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    let ids = test.add(feed, &[item("a", "<p>old both</p>", 1), item("b", "<p>both</p>", 2)]).await;
    test.index().await;
    assert_eq!(test.find("both").await, ["a", "b"]);
    test.change(ids[0], item("a", "<p>new both</p>", 3)).await;
    assert_eq!(test.find("old").await, [""; 0], "before it is indexed again");
    assert_eq!(test.index().await, 1);
    assert_eq!(test.find("old").await, [""; 0]);
    assert_eq!(test.find("new").await, ["a"]);
    assert_eq!(test.find("both").await, ["b", "a"], "in the order of the new date");
    assert_eq!(test.index().await, 0);
}

on_both_databases!(deleting_an_item_removes_it_from_the_index);
async fn deleting_an_item_removes_it_from_the_index(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    test.add(feed, &[item("a", "word", 1), item("b", "word", 2)]).await;
    test.index().await;
    let words = if db.is_postgres() {
        "select count(*) from item_search
         where array_to_tsvector(string_to_array(words, ' ')) @@ cast('word' as tsquery)"
    } else {
        "select count(*) from item_words where item_words match 'word'"
    };
    let count = async || db.read(words).scalar::<i64>().await.unwrap();
    assert_eq!(count().await, 2);
    db.write("delete from items where title = 'a'").execute().await.unwrap();
    assert_eq!(count().await, 1);
    assert_eq!(test.find("word").await, ["b"]);
    // Through two cascades, with its feed.
    db.write("delete from feeds").execute().await.unwrap();
    assert_eq!(count().await, 0);
    assert_eq!(db.read("select count(*) from search_pending").scalar::<i64>().await.unwrap(), 0);
}

on_both_databases!(an_item_changed_during_indexing_is_reindexed);
async fn an_item_changed_during_indexing_is_reindexed(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    let ids = test.add(feed, &[item("a", "<p>old</p>", 1)]).await;
    let chunk = store::search::claim(&db, 10).await.unwrap();
    assert_eq!(chunk.items().len(), 1);
    let (own, id) = (db.db(), ids[0]);
    let changing = tokio::spawn(async move { change(&own, id, item("a", "<p>new</p>", 1)).await });
    if db.is_postgres() {
        // The change waits for the indexer.
        let waits =
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        while db.read(waits).scalar::<i64>().await.unwrap() == 0 {
            tokio::task::yield_now().await;
        }
        chunk.finish(&db, vec!["old".to_owned()]).await.unwrap();
        changing.await.unwrap();
    } else {
        changing.await.unwrap();
        chunk.finish(&db, vec!["old".to_owned()]).await.unwrap();
    }
    assert_eq!(test.index().await, 1, "it is pending again");
    assert_eq!(test.find("new").await, ["a"]);
}

on_both_databases!(concurrent_indexers_index_each_item_once);
async fn concurrent_indexers_index_each_item_once(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    let new: Vec<NewItem> = (0..450).map(|n| item(&format!("{n}"), "word", n)).collect();
    test.add(feed, &new).await;
    let (one, other) = (test.reader.clone(), test.reader.clone());
    let both = [
        tokio::spawn(async move { one.index_all_pending().await }),
        tokio::spawn(async move { other.index_all_pending().await }),
    ];
    for running in both {
        running.await.unwrap().unwrap();
    }
    test.index().await;
    assert_eq!(test.find("word").await.len(), 450);
    assert_eq!(db.read("select count(*) from item_search").scalar::<i64>().await.unwrap(), 450);
}

on_both_databases!(the_loop_indexes_new_items);
async fn the_loop_indexes_new_items(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    let stop = CancellationToken::new();
    let (reader, stopped) = (test.reader.clone(), stop.clone());
    let running = tokio::spawn(async move { reader.index_words(stopped).await });
    for n in 0..3 {
        test.add(feed, &[item(&format!("{n}"), "word", n)]).await;
        while test.find("word").await.len() <= usize::try_from(n).unwrap() {
            tokio::task::yield_now().await;
        }
    }
    stop.cancel();
    running.await.unwrap();
}

on_both_databases!(no_query_causes_a_database_error);
async fn no_query_causes_a_database_error(db: TestDb) {
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed \" ' \\ & | ! * : ( ) NEAR").await;
    test.add(feed, &[item("a", "<p>word AND NOT OR near 東京 don't</p>", 1)]).await;
    test.index().await;
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha),
    );
    let strategy = prop_oneof![
        "\\PC{0,60}",
        "[-\"'\\\\&|!*:()<>^{}+. aword東京\u{0}\u{3099}\u{301}「」\u{e000}]{0,40}",
        "(title|author|feed|words)?[:-]{0,2}[\"「(*]{0,2}(AND|OR|NOT|NEAR|word|東|\u{e000}0){1,3}[\"」)*]{0,2}",
    ];
    let fixed = [
        "\"",
        "-",
        "' or 1=1 --",
        "word*",
        "word AND",
        "NEAR(word 東京)",
        "a:*",
        "!word",
        "\\",
        "{words} : word",
        "^word",
        "don't",
    ];
    let mut queries: Vec<String> = fixed.map(str::to_owned).to_vec();
    queries.extend((0..300).map(|_| strategy.new_tree(&mut runner).unwrap().current()));
    queries.push("東".repeat(200));
    queries.push((0..20).map(|n| format!("-word{n} ")).collect::<String>().chars().take(198).collect());
    for query in queries {
        match test.reader.search_items(test.user, &query, None, 50).await {
            Ok(found) => assert!(found.items.len() <= 1, "{query:?}"),
            Err(Error::Store(error)) => panic!("{query:?}: {error}"),
            Err(_) => {}
        }
    }
    assert_eq!(test.find("don't word* NOT").await, ["a"], "words are still found");
    let refused = test.reader.search_items(test.user, "-a", None, 50).await.unwrap_err();
    assert!(matches!(refused, Error::QueryOnlyExcludes));
}

/// SQLite has one writer at a time, and readers see the state before it.
#[tokio::test]
async fn the_indexer_skips_a_locked_item_on_postgres() {
    let db = TestDb::postgres().await;
    let test = TestReader::new(&db).await;
    let feed = test.subscribed_feed("Feed").await;
    let ids = test.add(feed, &[item("a", "<p>old</p>", 1), item("b", "<p>old</p>", 2)]).await;
    let mut tx = db.begin().await.unwrap();
    let change = items::ItemChange { id: ids[0], moves: false, item: item("a", "<p>new</p>", 1) };
    items::change(&mut tx, &[change], start()).await.unwrap();
    search::mark_pending(&mut tx, [ids[0]]).await.unwrap();
    assert_eq!(test.index().await, 1, "the other item, without waiting");
    tx.commit().await.unwrap();
    assert_eq!(test.index().await, 1);
    assert_eq!(test.find("new").await, ["a"]);
}
