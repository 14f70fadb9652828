//! `opml`: import and export without a server.

use std::fs;

use store::{Clock, users};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, answer, ok},
};

use crate::{browser::add_user, process::Program};

fn program(db: &TestDb) -> Program {
    Program::on(db).with("FETCH_ALLOW_NETS", "127.0.0.0/8").with("FETCH_HOST_GAP", "0")
}

async fn add_user_without_login(db: &TestDb, email: &str) {
    users::create_unclaimed(db, email, "", Clock::system().now()).await.unwrap();
}

async fn origin() -> Origin {
    Origin::serve(|seen| match seen.target.as_str() {
        "/page" => answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", "<html><p>No feed</p></html>"),
        path if path.ends_with(".rss") => ok(format!(
            "<rss version='2.0'><channel><title>{path}</title><item><title>A</title></item></channel></rss>"
        )),
        _ => answer("HTTP/1.1 404 Not Found\r\n", ""),
    })
    .await
}

on_both_databases!(file_is_imported_and_exported);
async fn file_is_imported_and_exported(db: TestDb) {
    let (program, origin) = (program(&db), origin().await);
    add_user_without_login(&db, "me@example.com").await;
    let file = program.path("in.opml");
    fs::write(&file, format!(
            "<opml><body><outline text='News'><outline text='Mine' xmlUrl='{}'/></outline><outline xmlUrl='{}'/></body></opml>",
            origin.url("/a.rss"), origin.url("/b.rss"),
        )).unwrap();
    let name = file.display().to_string();
    let imported = program.run(&["opml", "import", &name]).await.expect_code(0);
    assert_eq!(imported.stdout, "2 feeds: 2 added, 0 already present, 0 failed\n");
    let exported = program.run(&["opml", "export"]).await.expect_code(0).stdout;
    assert!(
        exported.contains("text=\"News\"")
            && exported.contains("text=\"Mine\"")
            && exported.contains("text=\"/b.rss\""),
        "{exported}"
    );
    let again = program.run(&["opml", "import", &name, "--user", "ME@example.com"]).await.expect_code(0);
    assert_eq!(again.stdout, "2 feeds: 0 added, 2 already present, 0 failed\n");
}

on_both_databases!(feeds_of_many_hosts_need_one_attempt);
async fn feeds_of_many_hosts_need_one_attempt(db: TestDb) {
    let program = Program::on(&db).with("FETCH_ALLOW_NETS", "127.0.0.0/8");
    // An owner may have any number of subscriptions.
    add_user(&program, "me@example.com", &["--owner"]).await.expect_code(0);
    let (mut origins, mut outlines) = (Vec::new(), String::new());
    for host in 2..122_u8 {
        let origin = Origin::serve_on([127, 0, 0, host].into(), |seen| match seen.target.as_str() {
            "/feed" => {
                ok("<rss version='2.0'><channel><title>News</title><item><title>A</title></item></channel></rss>")
            }
            _ => answer("HTTP/1.1 404 Not Found\r\n", ""),
        })
        .await;
        outlines.push_str(&format!("<outline xmlUrl='{}'/>", origin.url("/feed")));
        origins.push(origin);
    }
    let file = program.path("in.opml");
    fs::write(&file, format!("<opml><body>{outlines}</body></opml>")).unwrap();
    let imported = program.run(&["opml", "import", &file.display().to_string()]).await.expect_code(0);
    assert_eq!(imported.stdout, "120 feeds: 120 added, 0 already present, 0 failed\n");
    let attempts: Vec<(i64, i64)> = db
        .read("select attempts, count(*) from jobs where kind = 'import_feed' group by attempts")
        .all()
        .await
        .unwrap();
    assert_eq!(attempts, [(1, 120)], "a second attempt waits longer than the whole import");
    for origin in origins {
        assert_eq!(origin.seen().iter().filter(|seen| seen.target == "/feed").count(), 1);
    }
}

on_both_databases!(failed_feeds_are_listed);
async fn failed_feeds_are_listed(db: TestDb) {
    let (program, origin) = (program(&db), origin().await);
    add_user_without_login(&db, "me@example.com").await;
    let file = program.path("in.opml");
    fs::write(&file, format!(
            "<opml><body><outline xmlUrl='{}'/><outline xmlUrl='http://10.0.0.1/'/><outline xmlUrl='{}'/></body></opml>",
            origin.url("/page"), origin.url("/gone"),
        )).unwrap();
    let imported = program.run(&["opml", "import", &file.display().to_string()]).await.expect_code(1);
    let lines: Vec<&str> = imported.stdout.lines().collect();
    assert_eq!(lines[0], "3 feeds: 1 added, 0 already present, 2 failed");
    assert_eq!(lines[1], format!("no_feed\t{}", origin.url("/page")));
    assert_eq!(lines[2], "address_refused\thttp://10.0.0.1/");
}

on_both_databases!(user_and_file_are_checked);
async fn user_and_file_are_checked(db: TestDb) {
    let program = program(&db);
    let no_user = program.run(&["opml", "export"]).await.expect_code(1);
    assert!(no_user.stderr.contains("there is no user yet"), "{no_user:?}");
    add_user_without_login(&db, "me@example.com").await;
    add_user_without_login(&db, "you@example.com").await;
    let several = program.run(&["opml", "export"]).await.expect_code(1);
    assert!(several.stderr.contains("--user EMAIL"), "{several:?}");
    add_user(&program, "owner@example.com", &["--owner"]).await.expect_code(0);
    program.run(&["opml", "export"]).await.expect_code(0);
    add_user(&program, "other@example.com", &["--owner"]).await.expect_code(0);
    program.run(&["opml", "export"]).await.expect_code(1);
    let unknown = program.run(&["opml", "export", "--user", "x@example.com"]).await.expect_code(1);
    assert!(unknown.stderr.contains("no user with the address x@example.com"), "{unknown:?}");
    let missing = program.run(&["opml", "import", "/nowhere.opml", "--user", "me@example.com"]).await.expect_code(1);
    assert!(missing.stderr.contains("cannot read /nowhere.opml"), "{missing:?}");
    let page = program.path("page.html");
    fs::write(&page, "<html></html>").unwrap();
    let wrong =
        program.run(&["opml", "import", &page.display().to_string(), "--user", "me@example.com"]).await.expect_code(1);
    assert!(wrong.stderr.contains("this is not an OPML file"), "{wrong:?}");
}
