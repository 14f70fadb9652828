//! `opml`: subscriptions in from a file and out as one, without a server.

use std::fs;

use store::{Clock, users};
use testkit::{
    TestDb, on_both_databases,
    origin::{Origin, answer, ok},
};

use crate::{people::add_user, program::Program};

fn program(db: &TestDb) -> Program {
    Program::on(db).with("FETCH_ALLOW_NETS", "127.0.0.0/8").with("FETCH_HOST_GAP", "0")
}

async fn add_person(db: &TestDb, email: &str) {
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

on_both_databases!(a_file_goes_in_and_comes_out);
async fn a_file_goes_in_and_comes_out(db: TestDb) {
    let (program, origin) = (program(&db), origin().await);
    add_person(&db, "me@example.com").await;
    let file = program.path("in.opml");
    fs::write(&file, format!(
            "<opml><body><outline text='News'><outline text='Mine' xmlUrl='{}'/></outline><outline xmlUrl='{}'/></body></opml>",
            origin.url("/a.rss"), origin.url("/b.rss"),
        )).unwrap();
    let name = file.display().to_string();
    let imported = program.run(&["opml", "import", &name]).await.expect_code(0);
    assert_eq!(imported.stdout, "2 feeds: 2 added, 0 there already, 0 not added\n");
    let exported = program.run(&["opml", "export"]).await.expect_code(0).stdout;
    assert!(
        exported.contains("text=\"News\"")
            && exported.contains("text=\"Mine\"")
            && exported.contains("text=\"/b.rss\""),
        "{exported}"
    );
    let again = program.run(&["opml", "import", &name, "--user", "ME@example.com"]).await.expect_code(0);
    assert_eq!(again.stdout, "2 feeds: 0 added, 2 there already, 0 not added\n");
}

on_both_databases!(what_cannot_be_added_is_listed);
async fn what_cannot_be_added_is_listed(db: TestDb) {
    let (program, origin) = (program(&db), origin().await);
    add_person(&db, "me@example.com").await;
    let file = program.path("in.opml");
    fs::write(&file, format!(
            "<opml><body><outline xmlUrl='{}'/><outline xmlUrl='http://10.0.0.1/'/><outline xmlUrl='{}'/></body></opml>",
            origin.url("/page"), origin.url("/gone"),
        )).unwrap();
    let imported = program.run(&["opml", "import", &file.display().to_string()]).await.expect_code(1);
    let lines: Vec<&str> = imported.stdout.lines().collect();
    assert_eq!(lines[0], "3 feeds: 1 added, 0 there already, 2 not added");
    assert_eq!(lines[1], format!("no_feed\t{}", origin.url("/page")));
    assert_eq!(lines[2], "address_refused\thttp://10.0.0.1/");
}

on_both_databases!(it_says_whose_list_and_which_file);
async fn it_says_whose_list_and_which_file(db: TestDb) {
    let program = program(&db);
    let nobody = program.run(&["opml", "export"]).await.expect_code(1);
    assert!(nobody.stderr.contains("there is nobody yet"), "{nobody:?}");
    add_person(&db, "me@example.com").await;
    add_person(&db, "you@example.com").await;
    let several = program.run(&["opml", "export"]).await.expect_code(1);
    assert!(several.stderr.contains("--user EMAIL"), "{several:?}");
    add_user(&program, "owner@example.com", &["--owner"]).await.expect_code(0);
    program.run(&["opml", "export"]).await.expect_code(0);
    add_user(&program, "other@example.com", &["--owner"]).await.expect_code(0);
    program.run(&["opml", "export"]).await.expect_code(1);
    let stranger = program.run(&["opml", "export", "--user", "x@example.com"]).await.expect_code(1);
    assert!(stranger.stderr.contains("nobody with the address x@example.com"), "{stranger:?}");
    let missing = program.run(&["opml", "import", "/nowhere.opml", "--user", "me@example.com"]).await.expect_code(1);
    assert!(missing.stderr.contains("cannot read /nowhere.opml"), "{missing:?}");
    let page = program.path("page.html");
    fs::write(&page, "<html></html>").unwrap();
    let wrong =
        program.run(&["opml", "import", &page.display().to_string(), "--user", "me@example.com"]).await.expect_code(1);
    assert!(wrong.stderr.contains("this is no OPML file"), "{wrong:?}");
}
