//! `serve`, `api` and `worker`: what they answer, and what they refuse to start with.

use std::os::unix::fs::PermissionsExt;

use testkit::{TestDb, on_both_databases};

use crate::process::{Program, Running, ask, get};

const SECRET: &str = "0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn serve_needs_no_settings_and_keeps_its_data_private() {
    let program = Program::new();
    let running = program.start(&["serve"]).await;
    assert_eq!(get(running.main(), "/readyz").await.status, 200);
    assert_eq!(running.stop().await, Some(0));
    let mode = |name: &str| program.path(name).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("data"), 0o700);
    assert_eq!(mode("data/kawaraban.db"), 0o600);
    assert_eq!(mode("data/session-secret"), 0o600);

    let secret = std::fs::read_to_string(program.path("data/session-secret")).unwrap();
    assert!(secret.len() >= 32);
    assert_eq!(program.start(&["serve"]).await.stop().await, Some(0));
    assert_eq!(std::fs::read_to_string(program.path("data/session-secret")).unwrap(), secret, "kept");
}

#[tokio::test]
async fn truncated_session_secret_is_rejected() {
    let program = Program::new();
    std::fs::create_dir(program.path("data")).unwrap();
    std::fs::write(program.path("data/session-secret"), "short").unwrap();
    let finished = program.run(&["serve"]).await.expect_code(1);
    assert!(finished.stderr.contains("remove the file to get a new one"), "{finished:?}");
}

/// What every process with a main port answers.
async fn check_answers(running: &Running) {
    let main = running.main();
    assert_eq!(get(main, "/healthz").await.json()["status"], "alive");
    assert_eq!(get(main, "/readyz").await.json()["status"], "ready");
    let missing = get(main, "/nowhere").await;
    assert_eq!((missing.status, missing.json()["code"].as_str()), (404, Some("not_found")));
    let wrong = ask(main, "POST", "/readyz", &[("accept-language", "ja-JP")]).await;
    assert_eq!((wrong.status, wrong.json()["code"].as_str()), (405, Some("method_not_allowed")));
    assert!(wrong.json()["message"].as_str().unwrap().contains("メソッド"), "{wrong:?}");
    assert!(wrong.head.contains("allow: get,head") && wrong.head.contains("x-request-id: "), "{wrong:?}");
    assert_eq!(get(main, "/metrics").await.status, 404, "without a token there is no such page");
}

on_both_databases!(serve_answers);
async fn serve_answers(db: TestDb) {
    let running = Program::on(&db).start(&["serve"]).await;
    check_answers(&running).await;
    assert_eq!(running.stop().await, Some(0));
}

on_both_databases!(api_and_worker_run_separately);
async fn api_and_worker_run_separately(db: TestDb) {
    let program = Program::on(&db).with("SESSION_SECRET", SECRET);
    let api = program.start(&["api"]).await;
    check_answers(&api).await;
    let worker = Program::on(&db).with("METRICS_ADDR", "127.0.0.1:0").start(&["worker"]).await;
    assert_eq!(get(worker.metrics(), "/metrics").await.status, 200);
    assert_eq!((worker.stop().await, api.stop().await), (Some(0), Some(0)));
}

#[tokio::test]
async fn metrics_need_a_token_or_their_own_port() {
    let program = Program::new().with("METRICS_TOKEN", SECRET).with("METRICS_ADDR", "127.0.0.1:0");
    let running = program.start(&["serve"]).await;
    assert_eq!(get(running.main(), "/metrics").await.status, 401);
    let authorization = format!("Bearer {SECRET}");
    let shown = ask(running.main(), "GET", "/metrics", &[("authorization", &authorization)]).await;
    assert_eq!(shown.status, 200);

    for path in ["/made-up/1", "/made-up/2", "/healthz"] {
        get(running.main(), path).await;
    }
    let page = get(running.metrics(), "/metrics").await.body;
    for text in [
        "http_requests_total{method=\"GET\",route=\"/healthz\",status=\"200\"} 1",
        "http_requests_total{method=\"GET\",route=\"unmatched\",status=\"404\"} 2",
        "# TYPE http_request_duration_seconds histogram",
        "http_request_duration_seconds_bucket{method=\"GET\",route=\"/healthz\",le=\"+Inf\"} 1",
        "fetch_success_count 0",
        concat!("kawaraban_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\""),
    ] {
        assert!(page.contains(text), "{text} is not in:\n{page}");
    }
    assert!(!page.contains("made-up"), "no label for an unknown path:\n{page}");
    let families: Vec<&str> = page.lines().filter(|line| line.starts_with("# TYPE")).collect();
    assert!(!families.iter().any(|line| line.ends_with("summary")), "{families:?}");
}

#[tokio::test]
async fn taken_port_names_the_setting() {
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap();
    let main = Program::new().with("SERVER_PORT", &address.port().to_string()).run(&["serve"]).await.expect_code(1);
    assert!(
        main.stderr.contains(&format!("kawaraban: cannot listen on {address}, choose another with SERVER_PORT")),
        "{main:?}"
    );
    let metrics = Program::new().with("METRICS_ADDR", &address.to_string()).run(&["worker"]).await.expect_code(1);
    assert!(metrics.stderr.contains("choose another with METRICS_ADDR"), "{metrics:?}");
}
