//! The log: JSON or text on the standard error, files by the day.

use std::fs;

use serde_json::Value;
use testkit::TestDb;

use crate::process::{Program, ask, get, until};

/// The line with `message` among those of the request with `id`.
fn line<'a>(lines: &'a [Value], id: &str, message: &str) -> &'a Value {
    let found = lines.iter().find(|line| line["request_id"] == id && line["message"] == message);
    found.unwrap_or_else(|| panic!("no line {message:?} of {id} in {lines:#?}"))
}

#[tokio::test]
async fn json_lines_are_flat() {
    let db = TestDb::sqlite().await;
    let running = Program::on(&db).start(&["serve"]).await;
    ask(running.main(), "GET", "/nowhere?token=hunter2", &[("x-request-id", "first")]).await;
    let made = get(running.main(), "/elsewhere").await;
    let made = made.head.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned();
    // The cause of a 5xx is hidden from the response and logged once.
    db.write("delete from schema_migrations where version > 1").execute().await.unwrap();
    let failed = ask(running.main(), "GET", "/readyz", &[("x-request-id", "second")]).await;
    assert_eq!(failed.status, 503);

    let lines = running.log_lines();
    let answered = line(&lines, "first", "answered");
    assert_eq!(
        (&answered["method"], &answered["path"], &answered["status"]),
        (&"GET".into(), &"/nowhere".into(), &404.into())
    );
    assert!(answered["duration_ms"].is_f64() && answered["level"] == "INFO" && answered["timestamp"].is_string());
    line(&lines, &made, "answered");
    let cause = line(&lines, "second", "request failed");
    assert_eq!((&cause["level"], &cause["error_kind"]), (&"ERROR".into(), &"database_version".into()));
    assert!(cause["error"].as_str().unwrap().contains("kawaraban migrate"), "{cause}");
    assert_eq!(lines.iter().filter(|line| line["level"] == "ERROR").count(), 1, "once");
    assert!(!running.log().contains("hunter2"), "a query may hold a token");
}

#[tokio::test]
async fn probes_are_logged_only_at_debug() {
    let quiet = Program::new().start(&["serve"]).await;
    get(quiet.main(), "/healthz").await;
    get(quiet.main(), "/loud").await;
    assert!(quiet.log().contains("/loud") && !quiet.log().contains("/healthz"), "{}", quiet.log());
    let loud = Program::new().with("LOG_LEVEL", "info,web=debug").start(&["serve"]).await;
    get(loud.main(), "/healthz").await;
    assert!(loud.log().contains("/healthz"), "{}", loud.log());
}

#[tokio::test]
async fn text_format_is_readable() {
    let running = Program::new().with("LOG_FORMAT", "text").start(&["serve"]).await;
    get(running.main(), "/nowhere").await;
    let log = running.log();
    let answered = log.lines().find(|line| line.contains("answered")).unwrap_or_else(|| panic!("{log}"));
    for text in ["INFO", "request_id=", "path=\"/nowhere\"", "status=404", "duration_ms="] {
        assert!(answered.contains(text), "{text} is not in {answered}");
    }
    assert!(!log.contains('\x1b') && !log.contains('{') || log.contains("request{"), "no colours in a file: {log}");
}

#[tokio::test]
async fn files_are_written_as_well() {
    let program = Program::new();
    let folder = program.path("logs/here");
    let program = program.with("LOG_DIR", folder.to_str().unwrap()).with("LOG_FORMAT", "text");
    let running = program.start(&["serve"]).await;
    ask(running.main(), "GET", "/nowhere", &[("x-request-id", "first")]).await;
    let log = running.log();
    assert_eq!(running.stop().await, Some(0));
    assert!(log.contains("answered"), "to the standard error too");
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    let names = files.iter().map(|path| path.file_name().unwrap().to_str().unwrap());
    assert!(names.clone().all(|name| name.starts_with("kawaraban.20") && name.ends_with(".log")), "{files:?}");
    let text: String = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    line(&lines, "first", "answered");
    assert!(lines.iter().any(|line| line["message"] == "stopped"), "written to the end: {text}");
}

#[tokio::test]
async fn old_files_are_deleted() {
    let program = Program::new();
    let folder = program.path("logs");
    fs::create_dir(&folder).unwrap();
    for day in 1..=20 {
        fs::write(folder.join(format!("kawaraban.2020-01-{day:02}.log")), "").unwrap();
    }
    fs::write(folder.join("other.log"), "").unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 21);
    let program = program.with("LOG_DIR", folder.to_str().unwrap());
    let running = program.start(&["worker"]).await;
    let count = || {
        fs::read_dir(&folder)
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with("kawaraban."))
            .count()
    };
    until(async || count() == 1).await;
    assert!(folder.join("other.log").exists());
    assert_eq!(running.stop().await, Some(0));
}

#[tokio::test]
async fn unusable_log_folder_is_an_invalid_setting() {
    let program = Program::new();
    let file = program.path("file");
    fs::write(&file, "").unwrap();
    for folder in [file.clone(), file.join("below"), "/dev/null/below".into()] {
        let program = Program::new().with("LOG_DIR", folder.to_str().unwrap());
        let finished = program.run(&["serve"]).await.expect_code(2);
        assert!(finished.stderr.contains("LOG_DIR=") && finished.stderr.contains("write "), "{finished:?}");
        assert!(!program.path("data").exists());
        let program = program.with("FETCH_TIMEOUT", "soon").with("FETCH_TIMOUT", "1s");
        for command in ["serve", "worker"] {
            let finished = program.run(&[command]).await.expect_code(2);
            for words in ["LOG_DIR=", "FETCH_TIMEOUT=soon", "did you mean FETCH_TIMEOUT?"] {
                assert!(finished.stderr.contains(words), "all at once: {words} {finished:?}");
            }
        }
        let finished = program.run(&["migrate"]).await.expect_code(2);
        let is_no_folder = folder == file;
        assert_eq!(finished.stderr.contains("LOG_DIR="), is_no_folder, "migrate writes no files: {finished:?}");
    }
    let program = Program::new();
    let folder = program.path("not/yet/there");
    let program = program.with("LOG_DIR", folder.to_str().unwrap()).with("FETCH_TIMEOUT", "soon");
    let finished = program.run(&["serve"]).await.expect_code(2);
    assert!(!finished.stderr.contains("LOG_DIR=") && !program.path("not").exists(), "{finished:?}");
}
