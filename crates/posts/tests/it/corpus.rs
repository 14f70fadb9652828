//! Pages that we wrote, with the posts that are on them.
//!
//! `NAME.expected` has the address of the page, then a line for each post: day, address and title.

use std::{fs, path::Path};

use posts::Absence;

use crate::find;

#[test]
fn posts_of_every_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut checked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "html") {
            check(&path);
            checked += 1;
        }
    }
    assert!(checked >= 13, "{checked}");
}

fn check(path: &Path) {
    let expected = fs::read_to_string(path.with_extension("expected")).unwrap();
    let (base_url, expected) = expected.split_once('\n').unwrap();
    let found = find(&fs::read_to_string(path).unwrap(), base_url);
    let mut lines = String::new();
    for post in &found.posts {
        let day = post.published_at.map_or("-".to_owned(), |at| at.format("%Y-%m-%d").to_string());
        lines += &format!("{day} {} {}\n", post.url, post.title);
    }
    assert_eq!(lines, expected, "{}: {:#?}", path.display(), found.rejected);
    assert_eq!(found.absence.is_some(), expected.is_empty(), "{}", path.display());
}

#[test]
fn pages_without_posts_say_why() {
    let absence = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name);
        find(&fs::read_to_string(path).unwrap(), "https://site.example/").absence
    };
    assert_eq!(absence("shell.html"), Some(Absence::NeedsScript));
    assert_eq!(absence("captcha.html"), Some(Absence::Blocked));
    assert_eq!(absence("shop.html"), Some(Absence::NoList));
    assert_eq!(absence("company.html"), Some(Absence::NoList));
}
