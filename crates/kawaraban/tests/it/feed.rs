//! `feed`: the output of its commands.

use std::fs;

use serde_json::{Value, json};
use testkit::origin::{Origin, answer, ok};

use crate::process::{Finished, Program};

const FEED: &str = r#"<?xml version="1.0"?><rss version="2.0"><channel><title>AT&amp;T</title><link>https://example.com/</link>
    <item><guid>g1</guid><link>/1</link><title>One</title><description>&lt;b&gt;Text&lt;/b&gt;</description>
    <author>Me</author><pubDate>Mon, 01 Jan 2024 09:00:00 +0900</pubDate><category>news</category>
    <enclosure url="/a.mp3" type="audio/mpeg" length="12"/></item>
    <item><title>Two</title></item></channel></rss>"#;

impl Program {
    /// Writes a file into the folder of this program, and gives its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path.display().to_string()
    }
}

pub fn lines(finished: &Finished) -> Vec<Value> {
    finished.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_feed_as_json() {
    let program = Program::new();
    let file = program.file("feed.xml", FEED);
    let finished = program.run(&["feed", "parse", &file, "--url", "https://example.com/feed", "--json"]).await;
    let line = lines(&finished.expect_code(0)).remove(0);
    assert_eq!(
        line,
        json!({
            "file": file, "ok": true, "error": null, "format": "rss 2.0", "title": "AT&T", "link": "https://example.com/",
            "warnings": [],
            "entries": [
                {
                    "id": "g1", "link": "https://example.com/1", "title": "One", "summary": "<b>Text</b>", "content": null,
                    "author": "Me", "published": "2024-01-01T00:00:00Z", "updated": null, "categories": ["news"],
                    "enclosures": [{"url": "https://example.com/a.mp3", "type": "audio/mpeg", "length": 12}],
                },
                {
                    "id": null, "link": null, "title": "Two", "summary": null, "content": null, "author": null,
                    "published": null, "updated": null, "categories": [], "enclosures": [],
                },
            ],
        })
    );
}

#[tokio::test]
async fn bad_file_does_not_stop_the_others() {
    let program = Program::new();
    let good = program.file("good.xml", FEED);
    let page = program.file("page.html", "<!DOCTYPE html><html><body>hello</body></html>");
    let empty = program.file("empty.xml", "");
    let folder = program.path("").display().to_string();
    let missing = program.path("missing.xml").display().to_string();
    let files = [page.as_str(), &folder, &missing, &empty, &good];
    let finished = program.run(&[&["feed", "parse", "--json"], &files[..]].concat()).await.expect_code(1);
    let lines = lines(&finished);
    let read: Vec<&Value> = lines.iter().map(|line| &line["ok"]).collect();
    assert_eq!(read, [false, false, false, false, true], "{lines:#?}");
    for (line, file) in lines.iter().zip(files) {
        assert_eq!(line["file"], file);
        assert!(line["entries"].is_array() && line["error"].is_string() != (line["ok"] == true), "{line}");
    }
    assert!(finished.stderr.contains("4 of 5"), "{}", finished.stderr);
    for (line, words) in lines.iter().zip(["page", "directory", "No such file", "empty"]) {
        assert!(line["error"].as_str().unwrap().contains(words), "{line}");
    }
}

#[tokio::test]
async fn standard_input_and_the_content_type() {
    let program = Program::new();
    let feed = b"<rss><channel><title>\x93\xfa\x96\x7b</title><item><title>x</title></item></channel></rss>";
    let arguments = ["feed", "parse", "-", "--json", "--content-type", "text/xml; charset=Shift_JIS"];
    let line = lines(&program.run_with_input(&arguments, feed).await.expect_code(0)).remove(0);
    assert_eq!((&line["file"], &line["title"]), (&json!("-"), &json!("日本")));
}

#[tokio::test]
async fn readable_lines_have_no_control_characters() {
    let program = Program::new();
    let feed = "<rss><channel><title>T</title><item><title>One&#27;[2J</title><description>&lt;p&gt;Hello&lt;/p&gt;</description>";
    let file = program.file("feed.xml", feed);
    let text = program.run(&["feed", "parse", &file]).await.expect_code(0).stdout;
    assert!(text.starts_with(&file) && text.contains("title      T\n") && text.contains("  1. One"), "{text}");
    assert!(text.contains("text       Hello\n") && !text.contains('\x1b') && text.contains("warning    "), "{text}");
}

#[tokio::test]
async fn address_is_fetched_through_the_guard() {
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/feed" => ok(FEED),
        _ => answer("HTTP/1.1 404 Not Found\r\n", "gone"),
    })
    .await;
    let (feed, missing) = (origin.url("/feed"), origin.url("/missing"));
    let refused = Program::new().run(&["feed", "parse", "--json", &feed]).await.expect_code(1);
    assert!(lines(&refused)[0]["error"].as_str().unwrap().contains("refused"), "{refused:?}");
    let open = Program::new().with("FETCH_ALLOW_NETS", "127.0.0.0/8");
    let finished = open.run(&["feed", "parse", "--json", &missing, &feed]).await.expect_code(1);
    let lines = lines(&finished);
    assert!(lines[0]["ok"] == false && lines[0]["error"].as_str().unwrap().contains("404"), "{lines:?}");
    assert_eq!((&lines[1]["file"], &lines[1]["entries"][0]["link"]), (&json!(feed), &json!(origin.url("/1"))));
}

#[tokio::test]
async fn html_is_sanitised() {
    let program = Program::new();
    let html = br#"<p onclick="x()">Hi <a href="/a">there</a></p><script>alert(1)</script>"#;
    let arguments = ["feed", "sanitize", "--url", "https://example.com/"];
    let clean = program.run_with_input(&arguments, html).await.expect_code(0).stdout;
    assert!(clean.contains("https://example.com/a") && clean.contains("noopener"), "{clean}");
    assert!(!clean.contains("onclick") && !clean.contains("script"), "{clean}");
    let again = program.run_with_input(&arguments, clean.as_bytes()).await.expect_code(0).stdout;
    assert_eq!(again, clean);
}

#[tokio::test]
async fn json_lines_are_answered_at_once() {
    let program = Program::new();
    let input = "\"<b>a</b>\\n\"\n\"\"\nnot json\n\"<script>x</script>c\"";
    let finished = program.run_with_input(&["feed", "sanitize", "--jsonl"], input.as_bytes()).await.expect_code(1);
    let lines = lines(&finished);
    assert_eq!(lines.len(), 4);
    assert!(lines[0].as_str().unwrap().starts_with("<b>a</b>"), "{lines:?}");
    assert_eq!((&lines[1], &lines[2], &lines[3]), (&json!(""), &Value::Null, &json!("c")));
    assert!(finished.stderr.contains("line 3"), "{}", finished.stderr);
    let nothing = program.run_with_input(&["feed", "sanitize", "--jsonl"], b"").await.expect_code(0);
    assert_eq!(nothing.stdout, "");
}

#[tokio::test]
async fn feeds_of_a_page_are_listed_in_order() {
    let program = Program::new();
    let page = r#"<link rel="alternate" type="application/rss+xml" title="R" href="/r"><link rel="alternate"
        type="application/atom+xml" href="/a">"#;
    let file = program.file("page.html", page);
    let arguments = ["feed", "discover", &file, "--url", "https://example.com/"];
    let text = program.run(&arguments).await.expect_code(0).stdout;
    assert!(text.starts_with("https://example.com/a\tatom\tlink\t\nhttps://example.com/r\trss\tlink\tR\n"), "{text}");
    let found = lines(&program.run(&[&arguments[..], &["--json"]].concat()).await.expect_code(0));
    assert_eq!(found[1], json!({"url": "https://example.com/r", "title": "R", "kind": "rss", "source": "link"}));
    assert!(found.last().unwrap()["source"] == "guess", "{found:?}");
    let feed = program.file("feed.xml", FEED);
    let itself =
        program.run(&["feed", "discover", &feed, "--url", "https://example.com/f", "--json"]).await.expect_code(0);
    assert_eq!(lines(&itself)[0]["source"], "itself");
    program.run(&["feed", "discover", "/nowhere/page.html", "--url", "https://example.com/"]).await.expect_code(1);
}

#[tokio::test]
async fn invalid_command_line_ends_with_code_2() {
    let wrong: [&[&str]; 6] = [
        &["feed"],
        &["feed", "parse"],
        &["feed", "parse", "x.xml", "--url", "example.com"],
        &["feed", "parse", "x.xml", "--url", "file:///x"],
        &["feed", "discover"],
        &["feed", "discover", "page.html"],
    ];
    for arguments in wrong {
        let finished = Program::new().run(arguments).await.expect_code(2);
        assert!(finished.stdout.is_empty() && finished.stderr.contains("--help"), "{finished:?}");
    }
}

#[tokio::test]
async fn closed_pipe_is_not_a_failure() {
    let program = Program::new();
    let file = program.file("feed.xml", FEED);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = program.command(&["feed", "parse", &file, &file, "/nowhere"]).stdout(writer).status().await.unwrap();
    assert_eq!(status.code(), Some(0));
}
