//! Settings of commands: all problems together, before anything is opened, without secrets in the output.

use testkit::TestDb;

use crate::process::{Program, ask};

const SECRET: &str = "hunter2-hunter2-hunter2-hunter2-hunter2";
const EVERY_COMMAND: [&[&str]; 11] = [
    &["serve"],
    &["api"],
    &["worker"],
    &["migrate"],
    &["healthcheck"],
    &["healthcheck", "--worker"],
    &["jobs", "list"],
    &["watch", "list"],
    &["watch", "check"],
    &["user", "list"],
    &["user", "delete", "me@example.org", "--yes"],
];

#[tokio::test]
async fn all_problems_are_reported_before_opening() {
    let program = Program::new().with("FETCH_TIMEOUT", "soon").with("JOB_LEASE", "0").with("LOG_FORMAT", "xml");
    for command in EVERY_COMMAND {
        let finished = program.run(command).await.expect_code(2);
        assert!(finished.stderr.starts_with("kawaraban: these settings are not valid:\n  "), "{finished:?}");
        for name in ["FETCH_TIMEOUT=soon: write", "JOB_LEASE=0: write", "LOG_FORMAT=xml: write text or json"] {
            assert!(finished.stderr.contains(name), "{finished:?}");
        }
        assert!(!program.path("data").exists(), "{command:?}");
    }
    let shown = program.run(&["config"]).await.expect_code(2);
    assert!(shown.stdout.contains("SERVER_PORT\t0\tenvironment\n"), "{shown:?}");
}

#[tokio::test]
async fn unknown_database_creates_no_file() {
    let program = Program::new();
    let file = program.path("news.db");
    for url in [format!("mysql://{}", file.display()), file.display().to_string(), "news.db".to_owned()] {
        let program = Program::new().with("DATABASE_URL", &url);
        for command in EVERY_COMMAND {
            let finished = program.run(command).await.expect_code(2);
            assert!(finished.stderr.contains("write sqlite://"), "{finished:?}");
        }
        assert!(!program.path("data").exists());
    }
    assert!(!file.exists());
}

#[tokio::test]
async fn separate_api_needs_a_session_secret() {
    let finished = Program::new().run(&["api"]).await.expect_code(2);
    assert!(finished.stderr.contains("SESSION_SECRET is not set: write"), "{finished:?}");
    let finished = Program::new().with("SESSION_SECRT", SECRET).run(&["api"]).await.expect_code(2);
    assert!(finished.stderr.contains("did you mean SESSION_SECRET?"), "{finished:?}");
    assert!(!finished.stderr.contains(SECRET), "{finished:?}");
}

#[tokio::test]
async fn config_shows_values_and_origins() {
    let program = Program::new();
    let file = program.path("token");
    std::fs::write(&file, format!("{SECRET}\n")).unwrap();
    let program = program.with("METRICS_TOKEN_FILE", file.to_str().unwrap()).with("FETCH_TIMOUT", "1s");
    let shown = program.run(&["config"]).await.expect_code(0);
    for line in [
        "SERVER_HOST\t127.0.0.1\tenvironment\n".to_owned(),
        "FETCH_TIMEOUT\t10s\tdefault\n".to_owned(),
        "SESSION_SECRET\t\tnot set\n".to_owned(),
        format!("METRICS_TOKEN\t(hidden)\tfile {}\n", file.display()),
    ] {
        assert!(shown.stdout.contains(&line), "{line} {shown:?}");
    }
    assert!(shown.stderr.contains("did you mean FETCH_TIMEOUT?"), "{shown:?}");
}

/// All secrets set, with a database behind a password.
fn with_secrets(database: &str) -> Program {
    Program::new()
        .with("DATABASE_URL", database)
        .with("SESSION_SECRET", SECRET)
        .with("METRICS_TOKEN", SECRET)
        .with("WATCH_WEBHOOK_URL", "https://hooks.example.org/")
        .with("WATCH_WEBHOOK_SECRET", SECRET)
        .with("GOOGLE_CLIENT_ID", "id")
        .with("GOOGLE_CLIENT_SECRET", SECRET)
        .with("GOOGLE_REDIRECT_URL", "https://news.example/auth/google/callback")
        .with("OIDC_ISSUER", "https://id.example")
        .with("OIDC_CLIENT_ID", "id")
        .with("OIDC_CLIENT_SECRET", SECRET)
        .with("LOG_LEVEL", "trace")
}

#[tokio::test]
async fn failing_commands_print_no_secret() {
    let db = TestDb::postgres().await;
    let server = db.url().split_once("://postgres@").expect("the test server's address").1;
    let unknown_user = format!("postgres://unknown_user:{SECRET}@{server}");
    let unknown_database = format!("postgres://postgres:{SECRET}@{server}_not_here");
    let closed_port = format!("postgres://postgres:{SECRET}@127.0.0.1:1/news");
    let malformed = format!("postgres://postgres:{SECRET}@127.0.0.1:port/news");
    let unknown_scheme = format!("mysql://root:{SECRET}@127.0.0.1/news");
    for url in [unknown_user, unknown_database, closed_port, malformed, unknown_scheme] {
        let program = with_secrets(&url);
        for command in EVERY_COMMAND.iter().copied().chain([&["config"] as &[&str]]) {
            let finished = program.run(command).await;
            let output = finished.output();
            assert!(!output.contains("hunter2"), "{command:?} {output}");
            assert!(!output.contains("Error {") && !output.contains("Some("), "no dumps: {output}");
            let wanted = if command == ["config"] { 0..=2 } else { 1..=2 };
            assert!(wanted.contains(&finished.code.unwrap()), "{command:?} {finished:?}");
        }
    }
}

#[tokio::test]
async fn running_commands_print_no_secret() {
    let db = TestDb::postgres().await;
    let url = db.url().replace("postgres@", &format!("postgres:{SECRET}@"));
    let program = with_secrets(&url);
    let mut running = program.start(&["serve"]).await;
    let authorization = format!("Bearer {SECRET}");
    let answer = ask(running.main(), "GET", "/metrics", &[("authorization", &authorization)]).await;
    assert_eq!(answer.status, 200);
    assert!(!answer.body.contains("hunter2"));
    for command in [&["config"] as &[&str], &["jobs", "list"], &["user", "list"], &["migrate"]] {
        let output = program.run(command).await.expect_code(0).output();
        assert!(!output.contains("hunter2"), "{command:?} {output}");
    }
    running.signal(nix::sys::signal::Signal::SIGTERM);
    assert_eq!(running.code().await, Some(0));
    assert!(!running.log().contains("hunter2"));
}
