//! Search: what is found and what is not, the same on both databases.

use chrono::{DateTime, TimeDelta, Utc};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRng, TestRunner},
};
use read::{Error, Reader, Settings};
use store::{Clock, Db, FeedId, ItemId, Topic, UserId, feeds, items, items::NewItem, search, subscriptions};
use testkit::{TestDb, on_both_databases};
use tokio_util::sync::CancellationToken;

use crate::newsroom::{net, start};

/// A reader with one person, and feeds by name.
pub struct Library {
    pub db: Db,
    pub reader: Reader,
    pub user: UserId,
}

impl Library {
    pub async fn new(db: &TestDb) -> Library {
        let reader = Reader::new(db.db(), net(), Clock::manual(start()), Settings::default());
        let user = store::users::create_unclaimed(db, "reader@example.org", "Reader", start()).await.unwrap();
        Library { db: db.db(), reader, user }
    }

    pub async fn feed(&self, title: &str) -> FeedId {
        let feed = self.feed_of_nobody(title).await;
        let mut tx = self.db.begin().await.unwrap();
        subscriptions::create(&mut tx, self.user, feed, 1_000, start()).await.unwrap();
        tx.commit().await.unwrap();
        feed
    }

    pub async fn feed_of_nobody(&self, title: &str) -> FeedId {
        let new = feeds::NewFeed {
            feed_url: format!("https://example.org/{title}"),
            host: "example.org".to_owned(),
            site_url: None,
            title: title.to_owned(),
            kind: "feed",
            next_fetch_at: start(),
        };
        let mut tx = self.db.begin().await.unwrap();
        let (feed, _) = feeds::add(&mut tx, &new, start()).await.unwrap();
        tx.commit().await.unwrap();
        feed
    }

    /// Adds items, each with its states, and waits for nothing.
    pub async fn add(&self, feed: FeedId, new: &[NewItem]) -> Vec<ItemId> {
        let mut tx = self.db.begin().await.unwrap();
        let ids = items::insert(&mut tx, feed, new, start()).await.unwrap();
        items::fan_out(&mut tx, feed, &ids, 1_000, start()).await.unwrap();
        search::mark_pending(&mut tx, ids.iter().copied()).await.unwrap();
        tx.announce(Topic::Words);
        tx.commit().await.unwrap();
        ids
    }

    pub async fn change(&self, id: ItemId, item: NewItem) {
        change(&self.db, id, item).await;
    }

    pub async fn index(&self) -> u64 {
        self.reader.index_all_pending().await.unwrap()
    }

    /// The titles of all that is found, page by page.
    pub async fn find(&self, question: &str) -> Vec<String> {
        self.pages(self.user, question, 50).await.concat()
    }

    async fn pages(&self, user: UserId, question: &str, most: usize) -> Vec<Vec<String>> {
        let mut pages = Vec::new();
        let mut before = None;
        loop {
            let found = self.reader.search_items(user, question, before, most).await.unwrap();
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

/// An item that says this, published so many minutes before the tests begin.
pub fn item(title: &str, content: &str, minutes: i64) -> NewItem {
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

/// Question and titles, newest first.
const TABLE: &[(&str, &[&str])] = &[
    // Latin: words by their beginnings, whatever their case, width and accents.
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
    // Japanese: any run of characters, however short.
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

on_both_databases!(what_is_asked_for_is_found);
async fn what_is_asked_for_is_found(db: TestDb) {
    let library = Library::new(&db).await;
    let english = library.feed("The Daily Crab").await;
    let japanese = library.feed("江戸瓦版").await;
    library
        .add(
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
    library
        .add(
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
    assert_eq!(library.find("東京").await, [""; 0], "not before it is indexed");
    assert_eq!(library.find("rust").await, ["en1", "en2"], "unless the newest items are read anyway");
    assert_eq!(library.index().await, 6);
    for (question, expected) in TABLE {
        assert_eq!(library.find(question).await, *expected, "{question}");
    }
    // The same with the feeds of many others around, which narrows by feed.
    for number in 0..8 {
        let feed = library.feed_of_nobody(&format!("Other {number}")).await;
        library.add(feed, &[item("other", "<p>Rust borrow checker 東京 猫</p>", number)]).await;
    }
    assert_eq!(library.index().await, 8);
    for (question, expected) in TABLE {
        assert_eq!(library.find(question).await, *expected, "{question}, among others");
    }
    // The same below newer items, more than are read without the index.
    let filling = library.feed("Padding").await;
    let new: Vec<NewItem> = (1..150).map(|n| item("padding", "<p>padding</p>", -n)).collect();
    library.add(filling, &new).await;
    assert_eq!(library.index().await, 149);
    for (question, expected) in TABLE {
        assert_eq!(library.find(question).await, *expected, "{question}, below others");
    }
}

on_both_databases!(an_answer_shows_where_and_what_was_found);
async fn an_answer_shows_where_and_what_was_found(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    let text =
        format!("<p>{}</p><p>Here is the Café of 東京ﾀﾜｰ.</p><p>{}</p>", "before ".repeat(60), "after ".repeat(60));
    let mut new = item("in the summary", "", 2);
    (new.content, new.summary) = (Some("<p>nothing</p>".to_owned()), Some("<p>the cafe</p>".to_owned()));
    library.add(feed, &[item("long", &text, 1), new, item("cafe in the title", "<p>else</p>", 3)]).await;
    library.index().await;
    let found = library.reader.search_items(library.user, "CAFÉ -moon", None, 50).await.unwrap();
    assert_eq!(found.terms, ["cafe"]);
    assert_eq!(found.next, None);
    let snippets: Vec<&str> = found.items.iter().map(|item| item.snippet.as_str()).collect();
    assert!(
        snippets[0].starts_with("…before ") && snippets[0].contains("the Café of 東京ﾀﾜｰ. after"),
        "{}",
        snippets[0]
    );
    assert_eq!(snippets[1..], ["the cafe", "else"]);
    let found = library.reader.search_items(library.user, "title:long", None, 50).await.unwrap();
    assert!(found.items[0].snippet.starts_with("before before"), "{}", found.items[0].snippet);
}

on_both_databases!(nobody_finds_what_others_read);
async fn nobody_finds_what_others_read(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Mine").await;
    library.add(feed, &[item("mine", "word", 1)]).await;
    library.index().await;
    let other = store::users::create_unclaimed(&db, "other@example.org", "Other", start()).await.unwrap();
    assert_eq!(library.pages(other, "word", 50).await.concat(), [""; 0], "without any feed");
    let theirs = library.feed_of_nobody("Theirs").await;
    let mut tx = db.begin().await.unwrap();
    subscriptions::create(&mut tx, other, theirs, 100, start()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(library.pages(other, "word", 50).await.concat(), [""; 0], "with another one");
    assert_eq!(library.pages(other, "mine", 50).await.concat(), [""; 0], "by the name of the feed");
    assert_eq!(library.find("word").await, ["mine"]);
}

on_both_databases!(pages_follow_each_other_without_gaps_or_repeats);
async fn pages_follow_each_other_without_gaps_or_repeats(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    // Seconds with many items, in no order, apart by microseconds or by their ids alone.
    let at = |n: i64| start() - TimeDelta::seconds(n / 40) - TimeDelta::microseconds((n * 7_919) % 13);
    let new: Vec<NewItem> = (0..170).map(|n| item_at(&format!("{n}"), "<p>word</p>", at(n))).collect();
    let ids = library.add(feed, &new).await;
    library.index().await;
    let mut expected: Vec<(DateTime<Utc>, ItemId, String)> =
        new.iter().zip(ids).map(|(item, id)| (item.published_at, id, item.title.clone())).collect();
    expected.sort_by(|one, other| other.cmp(one));
    let expected: Vec<String> = expected.into_iter().map(|(_, _, title)| title).collect();
    for most in [1, 7, 50, 170, 200] {
        let pages = library.pages(library.user, "word", most).await;
        assert_eq!(pages.concat(), expected, "pages of {most}");
        assert!(pages.iter().rev().skip(1).all(|page| page.len() == most), "only the last may be short");
        assert_eq!(pages.len(), 170_usize.div_ceil(most), "and there is none too many");
    }
}

on_both_databases!(a_rare_word_is_found_far_down);
async fn a_rare_word_is_found_far_down(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    let text = |n: i64| if n % 1_300 == 1_299 { "<p>rare word</p>" } else { "<p>word</p>" };
    let new: Vec<NewItem> = (0..2_600).map(|n| item(&format!("{n}"), text(n), n * 30)).collect();
    library.add(feed, &new).await;
    library.index().await;
    assert_eq!(library.find("rare").await, ["1299", "2599"]);
    assert_eq!(library.pages(library.user, "rare", 1).await, [["1299"], ["2599"]]);
    assert_eq!(library.find("rare -word").await, [""; 0]);
    let all: Vec<String> = (0..2_600).map(|n| n.to_string()).collect();
    assert_eq!(library.find("word").await, all);
}

on_both_databases!(a_request_judges_only_so_much);
async fn a_request_judges_only_so_much(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    let long = "filling ".repeat(2_000);
    let text = |n: i64| if n == 99 { "<p>one two</p>".to_owned() } else { format!("<p>two one {long}</p>") };
    let new: Vec<NewItem> = (0..100).map(|n| item(&format!("{n}"), &text(n), n)).collect();
    library.add(feed, &new).await;
    library.index().await;
    let pages = library.pages(library.user, "\"one two\"", 50).await;
    assert!(pages.len() > 2 && pages[0].is_empty(), "{}", pages.len());
    assert_eq!(pages.concat(), ["99"]);
}

on_both_databases!(a_changed_item_is_found_by_what_it_says_now);
async fn a_changed_item_is_found_by_what_it_says_now(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    let ids = library.add(feed, &[item("a", "<p>old both</p>", 1), item("b", "<p>both</p>", 2)]).await;
    library.index().await;
    assert_eq!(library.find("both").await, ["a", "b"]);
    library.change(ids[0], item("a", "<p>new both</p>", 3)).await;
    assert_eq!(library.find("old").await, [""; 0], "before it is indexed again");
    assert_eq!(library.index().await, 1);
    assert_eq!(library.find("old").await, [""; 0]);
    assert_eq!(library.find("new").await, ["a"]);
    assert_eq!(library.find("both").await, ["b", "a"], "and where it stands now");
    assert_eq!(library.index().await, 0);
}

on_both_databases!(a_deleted_item_leaves_the_index_by_itself);
async fn a_deleted_item_leaves_the_index_by_itself(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    library.add(feed, &[item("a", "word", 1), item("b", "word", 2)]).await;
    library.index().await;
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
    assert_eq!(library.find("word").await, ["b"]);
    // With its feed, two steps away.
    db.write("delete from feeds").execute().await.unwrap();
    assert_eq!(count().await, 0);
    assert_eq!(db.read("select count(*) from search_pending").scalar::<i64>().await.unwrap(), 0);
}

on_both_databases!(an_item_that_changes_while_it_is_indexed_is_indexed_again);
async fn an_item_that_changes_while_it_is_indexed_is_indexed_again(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    let ids = library.add(feed, &[item("a", "<p>old</p>", 1)]).await;
    let chunk = store::search::claim(&db, 10).await.unwrap();
    assert_eq!(chunk.items().len(), 1);
    let (own, id) = (db.db(), ids[0]);
    let changing = tokio::spawn(async move { change(&own, id, item("a", "<p>new</p>", 1)).await });
    if db.is_postgres() {
        // Whoever changes it waits for whoever indexes it.
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
    assert_eq!(library.index().await, 1, "it waits again");
    assert_eq!(library.find("new").await, ["a"]);
}

on_both_databases!(two_at_once_index_everything_once);
async fn two_at_once_index_everything_once(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    let new: Vec<NewItem> = (0..450).map(|n| item(&format!("{n}"), "word", n)).collect();
    library.add(feed, &new).await;
    let (one, other) = (library.reader.clone(), library.reader.clone());
    let both = [
        tokio::spawn(async move { one.index_all_pending().await }),
        tokio::spawn(async move { other.index_all_pending().await }),
    ];
    for running in both {
        running.await.unwrap().unwrap();
    }
    library.index().await;
    assert_eq!(library.find("word").await.len(), 450);
    assert_eq!(db.read("select count(*) from item_search").scalar::<i64>().await.unwrap(), 450);
}

on_both_databases!(what_arrives_is_indexed_by_the_loop);
async fn what_arrives_is_indexed_by_the_loop(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    let stop = CancellationToken::new();
    let (reader, stopped) = (library.reader.clone(), stop.clone());
    let running = tokio::spawn(async move { reader.index_words(stopped).await });
    for n in 0..3 {
        library.add(feed, &[item(&format!("{n}"), "word", n)]).await;
        while library.find("word").await.len() <= usize::try_from(n).unwrap() {
            tokio::task::yield_now().await;
        }
    }
    stop.cancel();
    running.await.unwrap();
}

on_both_databases!(no_question_is_an_error_of_ours);
async fn no_question_is_an_error_of_ours(db: TestDb) {
    let library = Library::new(&db).await;
    let feed = library.feed("Feed \" ' \\ & | ! * : ( ) NEAR").await;
    library.add(feed, &[item("a", "<p>word AND NOT OR near 東京 don't</p>", 1)]).await;
    library.index().await;
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
    let mut questions: Vec<String> = fixed.map(str::to_owned).to_vec();
    questions.extend((0..300).map(|_| strategy.new_tree(&mut runner).unwrap().current()));
    questions.push("東".repeat(200));
    questions.push((0..20).map(|n| format!("-word{n} ")).collect::<String>().chars().take(198).collect());
    for question in questions {
        match library.reader.search_items(library.user, &question, None, 50).await {
            Ok(found) => assert!(found.items.len() <= 1, "{question:?}"),
            Err(Error::Store(error)) => panic!("{question:?}: {error}"),
            Err(_) => {}
        }
    }
    assert_eq!(library.find("don't word* NOT").await, ["a"], "and yet words are found");
    let refused = library.reader.search_items(library.user, "-a", None, 50).await.unwrap_err();
    assert!(matches!(refused, Error::QueryOnlyExcludes));
}

/// On SQLite only one writes at a time, and whoever reads sees what was before.
#[tokio::test]
async fn an_item_that_is_being_changed_on_postgres_is_left_for_later() {
    let db = TestDb::postgres().await;
    let library = Library::new(&db).await;
    let feed = library.feed("Feed").await;
    let ids = library.add(feed, &[item("a", "<p>old</p>", 1), item("b", "<p>old</p>", 2)]).await;
    let mut tx = db.begin().await.unwrap();
    let change = items::ItemChange { id: ids[0], moves: false, item: item("a", "<p>new</p>", 1) };
    items::change(&mut tx, &[change], start()).await.unwrap();
    search::mark_pending(&mut tx, [ids[0]]).await.unwrap();
    assert_eq!(library.index().await, 1, "the other one, without waiting");
    tx.commit().await.unwrap();
    assert_eq!(library.index().await, 1);
    assert_eq!(library.find("new").await, ["a"]);
}
