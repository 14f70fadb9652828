//! The operator's blogs: `watch init`, `list`, `check` and `history`, and a running process that follows the file.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use chrono::TimeDelta;
use nix::sys::signal::Signal::SIGHUP;
use serde_json::json;
use store::{
    Clock,
    feeds::{self, NewFeed},
    subscriptions, users,
};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, answer, ok},
};

use crate::{
    feed::lines,
    process::{Finished, Program, until},
};

/// A site without a feed, with as many posts as asked for, and no answer for other addresses.
async fn growing_site() -> (Origin, Arc<AtomicUsize>) {
    let posts = Arc::new(AtomicUsize::new(5));
    let count = Arc::clone(&posts);
    let origin = Origin::serve(move |seen| {
        let count = count.load(Ordering::SeqCst);
        if seen.target == "/" {
            return ok(list_page(count));
        }
        match seen.target.strip_prefix("/posts/news-of-the-river-").and_then(|number| number.parse::<usize>().ok()) {
            Some(number) if number <= count => ok(post_page(number)),
            _ => answer("HTTP/1.1 404 Not Found\r\n", ""),
        }
    })
    .await;
    (origin, posts)
}

/// The day of a post: recent, so that the site is not quiet.
fn day(number: usize) -> String {
    let days_ago = 10 - i64::try_from(number).unwrap();
    (Clock::system().now() - TimeDelta::days(days_ago)).format("%Y-%m-%d").to_string()
}

fn list_page(count: usize) -> String {
    let post = |number: usize| {
        format!(
            "<li>{} <a href=/posts/news-of-the-river-{number}>News of the river, part {number}</a></li>",
            day(number)
        )
    };
    let posts: String = (1..=count).rev().map(post).collect();
    format!(
        "<html lang=en><title>River log</title><body><nav><a href=/about>About</a></nav><ul>{posts}</ul></body></html>"
    )
}

fn post_page(number: usize) -> String {
    let text = "<p>The river rose again in the night, and the people of the village carried stones to the bridge until
        the morning came. Nobody slept, and the water stayed below the road.</p>";
    format!(
        "<html lang=en><title>Part {number}</title><body><article><h1>News of the river, part {number}</h1>{}</article></body></html>",
        text.repeat(6)
    )
}

/// The binary with a configuration file of these entries, as TOML.
fn program(db: &TestDb, blogs: &str) -> Program {
    let program = Program::on(db).with("FETCH_ALLOW_NETS", "127.0.0.0/8").with("FETCH_HOST_GAP", "0");
    write_config(&program, blogs);
    program
}

fn write_config(program: &Program, blogs: &str) {
    fs::create_dir_all(program.path("data")).unwrap();
    fs::write(program.path("data/config.toml"), blogs).unwrap();
}

fn blog(id: &str, url: &str) -> String {
    format!("[[blogs]]\nid = \"{id}\"\nurl = \"{url}\"\n")
}

async fn count(db: &TestDb, sql: &'static str) -> i64 {
    db.read(sql).scalar().await.unwrap()
}

/// The lines about new posts.
fn new_posts(finished: &Finished) -> Vec<&str> {
    finished.stdout.lines().filter(|line| line.starts_with("* ")).collect()
}

on_both_databases!(example_is_written_once_and_is_valid);
async fn example_is_written_once_and_is_valid(db: TestDb) {
    let program = Program::on(&db);
    let path = program.path("data/config.toml");
    let written = program.run(&["watch", "init"]).await.expect_code(0);
    assert!(written.stdout.contains(path.to_str().unwrap()), "{written:?}");
    assert_eq!(program.run(&["watch", "list"]).await.expect_code(0).stdout, "");
    let checked = program.run(&["watch", "check"]).await.expect_code(0);
    assert!(checked.stdout.contains("has no blogs"), "{checked:?}");

    fs::write(&path, "# mine").unwrap();
    let refused = program.run(&["watch", "init"]).await.expect_code(1);
    assert!(refused.stderr.contains("--force"), "{refused:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "# mine");
    program.run(&["watch", "init", "--force"]).await.expect_code(0);
    assert!(fs::read_to_string(&path).unwrap().contains("#[[blogs]]"));
}

#[tokio::test]
async fn example_is_written_where_the_setting_says() {
    let program = Program::new();
    let path = program.path("etc/news.toml");
    let program = program.with("KAWARABAN_CONFIG", path.to_str().unwrap());
    let missing = program.run(&["watch", "list"]).await.expect_code(2);
    assert!(missing.stderr.contains("does not exist: create it, or unset KAWARABAN_CONFIG"), "{missing:?}");
    program.run(&["watch", "init"]).await.expect_code(0);
    assert!(path.exists());
}

on_both_databases!(new_post_is_printed_exactly_once);
async fn new_post_is_printed_exactly_once(db: TestDb) {
    let (origin, posts) = growing_site().await;
    let program = program(&db, &blog("river", &origin.url("/")));
    let first = program.run(&["watch", "check"]).await.expect_code(0);
    assert_eq!(first.stdout, "river: page, 5 posts, first check\n");

    posts.store(6, Ordering::SeqCst);
    let second = program.run(&["watch", "check", "river"]).await.expect_code(0);
    assert!(second.stdout.starts_with("river: page, 6 posts, 1 new\n"), "{second:?}");
    let url = origin.url("/posts/news-of-the-river-6");
    assert_eq!(new_posts(&second), [format!("* {} {url} News of the river, part 6", day(6))]);

    let third = program.run(&["watch", "check"]).await.expect_code(0);
    assert_eq!(third.stdout, "river: page, 6 posts, nothing new\n");
    assert_eq!(count(&db, "select count(*) from items").await, 6);

    let history = program.run(&["watch", "history", "river"]).await.expect_code(0).stdout;
    let results: Vec<&str> = history.lines().map(|line| line.split_once('\t').unwrap().1).collect();
    assert_eq!(results, ["not modified\t200", "new posts\t200", "nothing new\t200"]);
    let newest = lines(&program.run(&["watch", "history", "river", "--limit", "1", "--json"]).await).remove(0);
    assert_eq!((&newest["result"], &newest["error"]), (&json!("not modified"), &json!(null)));

    let site = lines(&program.run(&["watch", "list", "--json"]).await.expect_code(0)).remove(0);
    assert_eq!(site["url"], origin.url("/"));
    assert_eq!((&site["id"], &site["state"], &site["source"]), (&json!("river"), &json!("ok"), &json!("page")));
    assert!(site["last_change_at"].is_string() && site["next_check_at"].is_string(), "{site}");
    write_config(&program, "");
    let kept = program.run(&["watch", "history", "river"]).await.expect_code(0).stdout;
    assert_eq!(kept, history, "also when the blog is no longer in the file");
}

on_both_databases!(concurrent_checks_print_a_new_post_once);
async fn concurrent_checks_print_a_new_post_once(db: TestDb) {
    let (origin, posts) = growing_site().await;
    let program = program(&db, &blog("river", &origin.url("/")));
    program.run(&["watch", "check"]).await.expect_code(0);
    posts.store(6, Ordering::SeqCst);
    let check = || program.run(&["watch", "check", "river"]);
    let (a, b, c) = tokio::join!(check(), check(), check());
    let printed: usize = [a, b, c].map(|finished| new_posts(&finished.expect_code(0)).len()).iter().sum();
    assert_eq!(printed, 1);
    assert_eq!(count(&db, "select count(*) from items").await, 6);
    assert_eq!(count(&db, "select count(*) from check_history").await, 4);
}

on_both_databases!(dry_run_stores_nothing);
async fn dry_run_stores_nothing(db: TestDb) {
    let (origin, posts) = growing_site().await;
    let program = program(&db, &blog("river", &origin.url("/")));
    let dry = program.run(&["watch", "check", "--dry-run"]).await.expect_code(0).stdout;
    assert!(dry.contains("source: page") && dry.contains("posts: 5, new: 0, waiting for confirmation: 0"), "{dry}");
    assert!(dry.contains("- ") && dry.contains("/about ("), "{dry}");
    assert_eq!(count(&db, "select count(*) from feeds").await, 0);
    let site = lines(&program.run(&["watch", "list", "--json"]).await.expect_code(0)).remove(0);
    assert_eq!((&site["id"], &site["state"]), (&json!("river"), &json!("new")));

    program.run(&["watch", "check"]).await.expect_code(0);
    posts.store(6, Ordering::SeqCst);
    for _ in 0..2 {
        let dry = program.run(&["watch", "check", "river", "--dry-run"]).await.expect_code(0);
        assert_eq!(new_posts(&dry).len(), 1, "{dry:?}");
    }
    assert_eq!(count(&db, "select count(*) from items").await, 5);
    assert_eq!(count(&db, "select count(*) from check_history").await, 1);
}

on_both_databases!(sites_of_users_are_listed_and_checked);
async fn sites_of_users_are_listed_and_checked(db: TestDb) {
    let (origin, _) = growing_site().await;
    let now = Clock::system().now();
    let user = users::create_unclaimed(&db, "reader@example.org", "Reader", now).await.unwrap();
    let new = NewFeed {
        feed_url: origin.url("/"),
        host: "127.0.0.1".to_owned(),
        site_url: None,
        title: "River".to_owned(),
        kind: "site",
        next_fetch_at: now,
    };
    let mut tx = db.begin().await.unwrap();
    let (feed, _) = feeds::add(&mut tx, &new, now).await.unwrap();
    subscriptions::create(&mut tx, user, feed, 100, now).await.unwrap();
    tx.commit().await.unwrap();
    let program = program(&db, "");
    assert_eq!(program.run(&["watch", "list"]).await.expect_code(0).stdout, "");
    let site = lines(&program.run(&["watch", "list", "--all", "--json"]).await.expect_code(0)).remove(0);
    let id = feed.to_string();
    assert_eq!((&site["id"], &site["is_operators"]), (&json!(id), &json!(false)));
    let checked = program.run(&["watch", "check", &id]).await.expect_code(0);
    assert_eq!(checked.stdout, format!("{id}: page, 5 posts, first check\n"));
    assert_eq!(program.run(&["watch", "history", &id]).await.expect_code(0).stdout.lines().count(), 1);
}

on_both_databases!(failed_check_does_not_stop_the_others);
async fn failed_check_does_not_stop_the_others(db: TestDb) {
    let (origin, _) = growing_site().await;
    let blogs = [blog("gone", &origin.url("/nowhere")), blog("river", &origin.url("/"))].concat();
    let program = program(&db, &blogs);
    let finished = program.run(&["watch", "check"]).await.expect_code(1);
    assert!(finished.stdout.starts_with("gone: failed: not_found: "), "{finished:?}");
    assert!(finished.stdout.contains("river: page, 5 posts, first check\n"), "{finished:?}");
    assert!(finished.stderr.contains("1 of 2 checks failed"), "{finished:?}");

    let stopped = program.run(&["watch", "check"]).await.expect_code(1);
    assert!(stopped.stdout.starts_with("gone: failed: it is stopped (not_found)"), "{stopped:?}");
    let again = program.run(&["watch", "check", "gone"]).await.expect_code(1);
    assert!(again.stdout.starts_with("gone: failed: not_found: "), "a blog that is named is tried again: {again:?}");
    let history = program.run(&["watch", "history", "gone"]).await.expect_code(0).stdout;
    assert_eq!(history.lines().count(), 2, "{history}");
    assert!(history.lines().all(|line| line.contains("failed: not_found: ") && line.ends_with("\t404")), "{history}");
    let dry = program.run(&["watch", "check", "gone", "--dry-run"]).await.expect_code(1);
    assert!(dry.stdout.contains("failed: not_found: "), "{dry:?}");

    for command in [&["check"] as &[&str], &["check", "--dry-run"], &["history"]] {
        let arguments = [&["watch"], command, &["nobody"]].concat();
        let unknown = program.run(&arguments).await.expect_code(1);
        assert!(unknown.stderr.contains("there is no blog nobody"), "{unknown:?}");
    }
}

on_both_databases!(bad_file_stops_only_the_commands_that_need_it);
async fn bad_file_stops_only_the_commands_that_need_it(db: TestDb) {
    let program = program(&db, "[[blogs]]\nid = \"river\"\nurl = \"river.example\"\n");
    for command in [&["watch", "list"] as &[&str], &["watch", "check"], &["serve"], &["worker"]] {
        let finished = program.run(command).await.expect_code(2);
        assert!(finished.stderr.contains("config.toml is not valid:\nline 3, column 7: "), "{finished:?}");
    }
    for command in [&["jobs", "list"] as &[&str], &["user", "list"], &["migrate"], &["config"]] {
        program.run(command).await.expect_code(0);
    }
}

on_both_databases!(running_process_follows_the_file);
async fn running_process_follows_the_file(db: TestDb) {
    let (origin, _) = growing_site().await;
    let url = |number: usize| origin.url(&format!("/?{number}"));
    let program = program(&db, &blog("one", &url(1)));
    let named = "select count(*) from feed_uses where used_by = 'watch'";
    let running = program.start(&["serve"]).await;
    assert_eq!(count(&db, named).await, 1);

    // The signal is faster than the next look at the file.
    write_config(&program, &[blog("one", &url(1)), blog("two", &url(2))].concat());
    running.signal(SIGHUP);
    until(async || count(&db, named).await == 2).await;

    write_config(&program, &[blog("one", &url(1)), blog("two", &url(2)), blog("three", &url(3))].concat());
    until(async || count(&db, named).await == 3).await;

    write_config(&program, "[[blogs]]\n");
    running.signal(SIGHUP);
    running.wait_for_log("the last good configuration stays in force").await;
    assert_eq!(count(&db, named).await, 3);
    assert_eq!(running.stop().await, Some(0));
}
