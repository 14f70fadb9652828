//! `user`: accounts from the command line, with and without a running server.

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
    browser::{Browser, PASSWORD, add_user},
    process::{PATIENCE, Program},
};

async fn listed(program: &Program) -> Vec<Value> {
    let json = program.run(&["user", "list", "--json"]).await.expect_code(0).stdout;
    json.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

on_both_databases!(accounts_are_created_listed_and_deleted);
async fn accounts_are_created_listed_and_deleted(db: TestDb) {
    let program = Program::on(&db);
    assert_eq!(program.run(&["user", "list"]).await.expect_code(0).stdout, "");
    let added = add_user(&program, "Me@Example.org", &["--owner"]).await.expect_code(0);
    assert_eq!(added.stdout, "created the account me@example.org, as an owner\n");
    assert_eq!(
        add_user(&program, "you@example.org", &[]).await.expect_code(0).stdout,
        "created the account you@example.org\n"
    );

    let shown = program.run(&["user", "list"]).await.expect_code(0).stdout;
    let rows: Vec<Vec<&str>> = shown.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 2, "{shown}");
    assert_eq!(rows[0][1..4], ["me@example.org", "owner", "Name"], "the oldest first");
    assert_eq!(rows[1][1..4], ["you@example.org", "member", "Name"]);
    let json = listed(&program).await;
    assert_eq!(
        (&json[0]["email"], &json[0]["role"], &json[0]["name"]),
        (&json!("me@example.org"), &json!("owner"), &json!("Name"))
    );
    assert_eq!((&json[0]["id"], &json[1]["subscriptions"]), (&json!(rows[0][0]), &json!(0)));
    assert!(json[0]["last_seen_at"].is_null() && json[0]["created_at"].is_string());
    assert!(json.iter().all(|user| !user.to_string().contains("argon2")), "{json:?}");

    let deleted = program.run(&["user", "delete", "YOU@example.org", "--yes"]).await.expect_code(0);
    assert_eq!(deleted.stdout, "deleted the account YOU@example.org\n");
    assert_eq!(listed(&program).await.len(), 1);
    // The last owner may be deleted too: the set-up link creates another.
    program.run(&["user", "delete", "me@example.org", "-y"]).await.expect_code(0);
    assert_eq!(listed(&program).await.len(), 0);
}

on_both_databases!(errors_have_plain_messages);
async fn errors_have_plain_messages(db: TestDb) {
    let program = Program::on(&db);
    add_user(&program, "me@example.org", &[]).await.expect_code(0);
    let taken = add_user(&program, "ME@example.org", &[]).await.expect_code(1);
    assert!(taken.stderr.contains("the address ME@example.org is taken"), "{taken:?}");
    let cases = [
        (&["user", "add", "you@example.org", "--password-stdin"][..], "short", "at least 8 characters"),
        (&["user", "add", "you@example.org", "--password-stdin"], "password123", "too common"),
        (&["user", "add", "you@example.org", "--password-stdin"], "YOU@example.org", "too common"),
        (&["user", "add", "you", "--password-stdin"], PASSWORD, "not an e-mail address"),
        (&["user", "add", "a\u{1b}[2J@example.org", "--password-stdin"], PASSWORD, "not an e-mail address"),
        (&["user", "passwd", "me@example.org", "--password-stdin"], "short", "at least 8 characters"),
        (&["user", "passwd", "x@example.org", "--password-stdin"], PASSWORD, "no user with the address x@example.org"),
        (&["user", "delete", "x@example.org", "--yes"], "", "no user with the address x@example.org"),
    ];
    for (arguments, input, words) in cases {
        let finished = program.run_with_input(arguments, input).await.expect_code(1);
        assert!(finished.stderr.contains(words) && !finished.stderr.contains('\u{1b}'), "{arguments:?} {finished:?}");
    }
    assert_eq!(listed(&program).await.len(), 1);
}

on_both_databases!(commands_work_with_a_running_server);
async fn commands_work_with_a_running_server(db: TestDb) {
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
    assert!(changed.stdout.contains("changed the password of me@example.org"), "{changed:?}");
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
async fn first_account_creates_the_database() {
    let program = Program::new();
    let nothing = program.run(&["user", "list"]).await.expect_code(1);
    assert!(nothing.stderr.contains("there is no database at"), "{nothing:?}");
    add_user(&program, "me@example.org", &["--owner"]).await.expect_code(0);
    let running = program.start(&["serve"]).await;
    assert_eq!(running.setup_link(), None, "an account exists");
    Browser::signed_in(running.main(), "me@example.org").await;
}

#[tokio::test]
async fn older_database_is_not_migrated() {
    let db = TestDb::sqlite().await;
    db.write("delete from schema_migrations where version > 1").execute().await.unwrap();
    let finished = add_user(&Program::on(&db), "me@example.org", &[]).await.expect_code(1);
    assert!(finished.stderr.contains("run `kawaraban migrate`"), "{finished:?}");
}

#[tokio::test]
async fn no_terminal_needs_password_stdin() {
    let program = Program::new();
    for arguments in [["user", "add", "me@example.org"], ["user", "passwd", "me@example.org"]] {
        let finished = program.run(&arguments).await.expect_code(2);
        assert!(finished.stderr.contains("--password-stdin"), "{finished:?}");
    }
    let finished = program.run(&["user", "delete", "me@example.org"]).await.expect_code(2);
    assert!(finished.stderr.contains("--yes"), "{finished:?}");
    assert!(!program.path("data").exists());
}

/// Runs a command on a terminal and types each of `keys` after its prompt has appeared. Returns the exit code and the output.
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
    // A read error means that the other end is closed.
    while let Ok(count @ 1..) = master.read(&mut buffer) {
        shown.push_str(&String::from_utf8_lossy(&buffer[..count]));
        while let Some((before, key)) = keys.peek()
            && let Some(at) = shown[seen..].find(before.as_str())
        {
            seen += at + before.len();
            // Wait until the terminal's echo is off, shortly after the prompt.
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
async fn terminal_asks_for_a_hidden_password() {
    let program = Program::new().with("LOG_LEVEL", "error");
    let add = ["user", "add", "me@example.org", "--owner"];
    let typed = [("Password: ", "a lantexx\u{7f}\u{7f}rn in the rain\r"), ("Again: ", "a lantern in the rain\r")];
    let (code, shown) = at_a_terminal(&program, &add, &typed).await;
    assert!(code == Some(0) && shown.contains("created the account me@example.org"), "{shown}");
    assert!(!shown.contains("lant") && !shown.contains("rain"), "{shown}");

    let passwd = ["user", "passwd", "me@example.org"];
    let (code, shown) =
        at_a_terminal(&program, &passwd, &[("Password: ", "one of them\r"), ("Again: ", "the other\r")]).await;
    assert!(code == Some(1) && shown.contains("the two passwords differ"), "{shown}");
    let (code, shown) = at_a_terminal(&program, &passwd, &[("Password: ", "one of\u{3}")]).await;
    assert!(code == Some(1) && shown.contains("nothing was changed"), "{shown}");

    let running = program.start(&["serve"]).await;
    Browser::signed_in(running.main(), "me@example.org").await;
    let delete = ["user", "delete", "me@example.org"];
    let question = "Delete me@example.org with all their data? Type yes: ";
    let (code, shown) = at_a_terminal(&program, &delete, &[(question, "no\r")]).await;
    assert!(code == Some(1) && shown.contains("nothing was changed"), "{shown}");
    assert_eq!(listed(&program).await.len(), 1);
    let (code, shown) = at_a_terminal(&program, &delete, &[(question, "yes\r")]).await;
    assert!(code == Some(0) && shown.contains("deleted the account"), "{shown}");
    assert_eq!(listed(&program).await.len(), 0);
}
