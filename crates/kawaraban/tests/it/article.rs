//! `article`: the output of the command.

use serde_json::json;
use testkit::origin::{Origin, ok};

use crate::{feed::lines, process::Program};

const PAGE: &str = "<html lang=en><head><title>A river reaches the sea | Paper</title><meta name=author content='Jo Smith'>
    <meta property='article:published_time' content='2026-01-02T03:04:05Z'></head><body><div class=menu><a href=/>Home</a></div>
    <div><p>The river is long, old, and slow, and it takes its time on the way to the sea.</p>
    <p>People live <a href='/x'>along it</a>, build bridges, and wait, as people do, for the fish.</p></div></body></html>";

#[tokio::test]
async fn an_article_as_json() {
    let program = Program::new();
    let file = program.file("page.html", PAGE);
    let finished = program.run(&["article", &file, "--base-url", "https://example.com/news/", "--json"]).await;
    let line = lines(&finished.expect_code(0)).remove(0);
    assert_eq!((&line["file"], &line["ok"]), (&json!(file), &json!(true)));
    assert_eq!(line["title"], "A river reaches the sea");
    assert_eq!(line["byline"], "Jo Smith");
    assert_eq!(line["published_at"], "2026-01-02T03:04:05Z");
    assert_eq!(line["lang"], "en");
    let (text, html) = (line["text"].as_str().unwrap(), line["html"].as_str().unwrap());
    assert!(text.starts_with("The river is long") && !text.contains("Home"), "{text}");
    assert!(html.contains("https://example.com/x"), "{html}");
    assert_eq!(line.get("error"), None);
}

#[tokio::test]
async fn page_without_text_does_not_stop_the_others() {
    let program = Program::new();
    let empty = program.file("empty.html", "<script>app()</script>");
    let page = program.file("page.html", PAGE);
    let finished = program.run(&["article", "--json", &empty, "/nonexistent", &page]).await.expect_code(1);
    let lines = lines(&finished);
    assert_eq!(lines[0]["error"], "the page has no text");
    assert_eq!((&lines[0]["ok"], &lines[0]["text"]), (&json!(false), &json!("")));
    assert!(lines[1]["error"].as_str().unwrap().contains("cannot be opened"), "{lines:?}");
    assert_eq!(lines[2]["ok"], true);
    assert!(finished.stderr.contains("2 of 3 files"), "{finished:?}");
}

#[tokio::test]
async fn an_article_for_people() {
    let program = Program::new();
    let finished = program.run_with_input(&["article", "-"], PAGE.as_bytes()).await.expect_code(0);
    assert!(finished.stdout.contains("A river reaches the sea\n"), "{finished:?}");
    assert!(finished.stdout.contains("for the fish."), "{finished:?}");
}

#[tokio::test]
async fn pages_are_fetched_through_the_guard() {
    let origin = Origin::serve(|_| ok(PAGE)).await;
    let page = origin.url("/page");
    let refused = Program::new().run(&["article", "--json", &page]).await.expect_code(1);
    assert!(lines(&refused)[0]["error"].as_str().unwrap().contains("refused"), "{refused:?}");
    let open = Program::new().with("FETCH_ALLOW_NETS", "127.0.0.0/8");
    let line = lines(&open.run(&["article", "--json", &page]).await.expect_code(0)).remove(0);
    assert!(line["html"].as_str().unwrap().contains(&origin.url("/x")), "{line}");
}
