//! `user`: accounts from a shell, beside a running server and without one.

use std::{
    fs::File,
    io::{Read, Write},
    os::fd::OwnedFd,
    process::Stdio,
    thread,
};

use nix::{
    pty::openpty,
    sys::termios::{LocalFlags, tcgetattr},
};
use serde_json::{Value, json};
use testkit::{TestDb, on_both_databases};

use crate::{
    people::{Browser, PASSWORD, add_user},
    program::{PATIENCE, Program},
};

async fn listed(program: &Program) -> Vec<Value> {
    let json = program.run(&["user", "list", "--json"]).await.expect_code(0).stdout;
    json.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

on_both_databases!(accounts_are_made_listed_and_deleted);
async fn accounts_are_made_listed_and_deleted(db: TestDb) {
    let program = Program::on(&db);
    assert_eq!(program.run(&["user", "list"]).await.expect_code(0).stdout, "");
    let added = add_user(&program, "Me@Example.org", &["--owner"]).await.expect_code(0);
    assert_eq!(added.stdout, "me@example.org has an account now, as an owner\n");
    assert_eq!(
        add_user(&program, "you@example.org", &[]).await.expect_code(0).stdout,
        "you@example.org has an account now\n"
    );

    let shown = program.run(&["user", "list"]).await.expect_code(0).stdout;
    let rows: Vec<Vec<&str>> = shown.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 2, "{shown}");
    assert_eq!(rows[0][1..4], ["me@example.org", "owner", "Somebody"], "the oldest first");
    assert_eq!(rows[1][1..4], ["you@example.org", "member", "Somebody"]);
    let json = listed(&program).await;
    assert_eq!(
        (&json[0]["email"], &json[0]["role"], &json[0]["name"]),
        (&json!("me@example.org"), &json!("owner"), &json!("Somebody"))
    );
    assert_eq!((&json[0]["id"], &json[1]["subscriptions"]), (&json!(rows[0][0]), &json!(0)));
    assert!(json[0]["last_seen_at"].is_null() && json[0]["created_at"].is_string());
    assert!(json.iter().all(|user| !user.to_string().contains("argon2")), "{json:?}");

    let deleted = program.run(&["user", "delete", "YOU@example.org", "--yes"]).await.expect_code(0);
    assert_eq!(deleted.stdout, "YOU@example.org is gone\n");
    assert_eq!(listed(&program).await.len(), 1);
    // The last owner may be deleted too: the set-up link makes another.
    program.run(&["user", "delete", "me@example.org", "-y"]).await.expect_code(0);
    assert_eq!(listed(&program).await.len(), 0);
}

on_both_databases!(what_cannot_be_done_is_said_in_words);
async fn what_cannot_be_done_is_said_in_words(db: TestDb) {
    let program = Program::on(&db);
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let taken = add_user(&program, "ME@example.org", &[]).await.expect_code(1);
    assert!(taken.stderr.contains("somebody has the address ME@example.org already"), "{taken:?}");
    let cases = [
        (&["user", "add", "you@example.org", "--password-stdin"][..], "short", "at least 8 characters"),
        (&["user", "add", "you@example.org", "--password-stdin"], "password123", "commonest"),
        (&["user", "add", "you@example.org", "--password-stdin"], "YOU@example.org", "commonest"),
        (&["user", "add", "you", "--password-stdin"], PASSWORD, "no e-mail address"),
        (&["user", "add", "a\u{1b}[2J@example.org", "--password-stdin"], PASSWORD, "no e-mail address"),
        (&["user", "passwd", "me@example.org", "--password-stdin"], "short", "at least 8 characters"),
        (&["user", "passwd", "x@example.org", "--password-stdin"], PASSWORD, "nobody with the address x@example.org"),
        (&["user", "delete", "x@example.org", "--yes"], "", "nobody with the address x@example.org"),
    ];
    for (arguments, input, words) in cases {
        let finished = program.run_with_input(arguments, input).await.expect_code(1);
        assert!(finished.stderr.contains(words) && !finished.stderr.contains('\u{1b}'), "{arguments:?} {finished:?}");
    }
    assert_eq!(listed(&program).await.len(), 1);
}

on_both_databases!(everything_works_beside_a_running_server);
async fn everything_works_beside_a_running_server(db: TestDb) {
    let program = Program::on(&db).with("LOG_LEVEL", "trace");
    let running = program.start(&["serve"]).await;
    add_user(&program, "me@example.org", &["--owner"]).await.expect_code(0);
    let mut browser = Browser::signed_in(running.main(), "me@example.org").await;
    let me = browser.get("/api/users/me").await.json();
    assert_eq!((&me["email"], &me["role"]), (&json!("me@example.org"), &json!("owner")));

    let changed = program
        .run_with_input(&["user", "passwd", "me@example.org", "--password-stdin"], "another lantern\n")
        .await
        .expect_code(0);
    assert!(changed.stdout.contains("me@example.org has a new password"), "{changed:?}");
    assert!(changed.output().contains("password_changed"), "the command line leaves audit lines too: {changed:?}");
    assert_eq!(browser.get("/api/users/me").await.status, 401, "a new password ends the sessions");
    assert_eq!(browser.sign_in("me@example.org", PASSWORD).await.status, 401);
    assert_eq!(browser.sign_in("me@example.org", "another lantern").await.status, 200);
    assert_eq!(browser.get("/api/users/me").await.status, 200);

    program.run(&["user", "delete", "me@example.org", "--yes"]).await.expect_code(0);
    assert_eq!(browser.get("/api/users/me").await.status, 401, "an account that is gone has no sessions");
    assert_eq!(browser.sign_in("me@example.org", "another lantern").await.status, 401);
    let log = running.log();
    assert!(log.contains("sign_in") && !log.contains("lantern"), "{log}");
}

#[tokio::test]
async fn the_first_account_needs_no_database_yet() {
    let program = Program::new();
    let nothing = program.run(&["user", "list"]).await.expect_code(1);
    assert!(nothing.stderr.contains("there is no database at"), "{nothing:?}");
    add_user(&program, "me@example.org", &["--owner"]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    assert_eq!(running.setup_link(), None, "there is somebody");
    Browser::signed_in(running.main(), "me@example.org").await;
}

#[tokio::test]
async fn a_database_of_an_older_program_is_left_to_migrate() {
    let db = TestDb::sqlite().await;
    db.write("delete from schema_migrations where version > 1").execute().await.unwrap();
    let finished = add_user(&Program::on(&db), "me@example.org", &[]).await.expect_code(1);
    assert!(finished.stderr.contains("run `kawaraban migrate`"), "{finished:?}");
}

#[tokio::test]
async fn without_a_terminal_it_has_to_be_said_where_the_password_comes_from() {
    let program = Program::new();
    for arguments in [["user", "add", "me@example.org"], ["user", "passwd", "me@example.org"]] {
        let finished = program.run(&arguments).await.expect_code(2);
        assert!(finished.stderr.contains("--password-stdin"), "{finished:?}");
    }
    let finished = program.run(&["user", "delete", "me@example.org"]).await.expect_code(2);
    assert!(finished.stderr.contains("--yes"), "{finished:?}");
    assert!(!program.path("data").exists());
}

/// Runs a command at a terminal at which somebody types `keys`, each when the text before it has appeared. All that the
/// terminal showed.
async fn at_a_terminal(program: &Program, arguments: &[&str], keys: &[(&str, &str)]) -> (Option<i32>, String) {
    let terminal = openpty(None, None).unwrap();
    let slave = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut child = program.command(arguments).stdin(slave()).stdout(slave()).stderr(slave()).spawn().unwrap();
    let keys: Vec<(String, String)> = keys.iter().map(|(before, key)| ((*before).into(), (*key).into())).collect();
    let typing = tokio::task::spawn_blocking(move || type_keys(terminal.master, &keys));
    let status = tokio::time::timeout(PATIENCE, child.wait()).await.expect("an end in time").unwrap();
    drop(terminal.slave);
    (status.code(), typing.await.unwrap())
}

fn key_is_secret(prompt: &str) -> bool {
    ["Password: ", "Again: "].contains(&prompt)
}

fn type_keys(master: OwnedFd, keys: &[(String, String)]) -> String {
    let mut master = File::from(master);
    let (mut shown, mut seen) = (String::new(), 0);
    let mut keys = keys.iter().peekable();
    let mut buffer = [0; 1_024];
    // The other end is closed when reading fails.
    while let Ok(count @ 1..) = master.read(&mut buffer) {
        shown.push_str(&String::from_utf8_lossy(&buffer[..count]));
        while let Some((before, key)) = keys.peek()
            && let Some(at) = shown[seen..].find(before.as_str())
        {
            seen += at + before.len();
            // A password is typed once the terminal no longer shows it, which is a moment after the prompt.
            while key_is_secret(before) && tcgetattr(&master).unwrap().local_flags.contains(LocalFlags::ECHO) {
                thread::yield_now();
            }
            master.write_all(key.as_bytes()).unwrap();
            keys.next();
        }
    }
    shown
}

#[tokio::test]
async fn on_a_terminal_the_password_is_asked_for_and_not_shown() {
    let program = Program::new().with("LOG_LEVEL", "error");
    let add = ["user", "add", "me@example.org", "--owner"];
    let typed = [("Password: ", "a lantexx\u{7f}\u{7f}rn in the rain\r"), ("Again: ", "a lantern in the rain\r")];
    let (code, shown) = at_a_terminal(&program, &add, &typed).await;
    assert!(code == Some(0) && shown.contains("me@example.org has an account now"), "{shown}");
    assert!(!shown.contains("lant") && !shown.contains("rain"), "{shown}");

    let passwd = ["user", "passwd", "me@example.org"];
    let (code, shown) =
        at_a_terminal(&program, &passwd, &[("Password: ", "one of them\r"), ("Again: ", "the other\r")]).await;
    assert!(code == Some(1) && shown.contains("are not the same"), "{shown}");
    let (code, shown) = at_a_terminal(&program, &passwd, &[("Password: ", "one of\u{3}")]).await;
    assert!(code == Some(1) && shown.contains("nothing was changed"), "{shown}");

    let running = program.start(&["serve"]).await;
    Browser::signed_in(running.main(), "me@example.org").await;
    let delete = ["user", "delete", "me@example.org"];
    let question = "Delete me@example.org with everything of theirs? Type yes: ";
    let (code, shown) = at_a_terminal(&program, &delete, &[(question, "no\r")]).await;
    assert!(code == Some(1) && shown.contains("nothing was changed"), "{shown}");
    assert_eq!(listed(&program).await.len(), 1);
    let (code, shown) = at_a_terminal(&program, &delete, &[(question, "yes\r")]).await;
    assert!(code == Some(0) && shown.contains("is gone"), "{shown}");
    assert_eq!(listed(&program).await.len(), 0);
}
