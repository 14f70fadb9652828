//! Pages that we wrote, with the posts that are on them.
//!
//! `NAME.expected` has the address of the page, then a line for each post: day, address and title.

use std::{fs, path::Path};

use posts::{Absence, Post};

use crate::{find, find_list};

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
    assert!(checked >= 41, "{checked}");
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

fn read(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    fs::read_to_string(folder.join(name).with_extension("html")).unwrap()
}

#[test]
fn pages_without_posts_say_why() {
    let absence = |name: &str| find(&read(name), "https://site.example/").absence;
    for name in ["shell", "shell-shop"] {
        assert_eq!(absence(name), Some(Absence::NeedsScript), "{name}");
    }
    for name in ["captcha", "captcha-ja"] {
        assert_eq!(absence(name), Some(Absence::Blocked), "{name}");
    }
    for name in ["shop", "shop-ja", "company", "restaurant", "documentation", "town-services", "jobs", "portfolio"] {
        assert_eq!(absence(name), Some(Absence::NoList), "{name}");
    }
}

#[test]
fn a_redesign_keeps_the_posts() {
    let url = "https://river.example/";
    let before = find(&read("redesign-before"), url);
    let after = find_list(&read("redesign-after"), url, before.list.as_deref());
    assert!(after.list.is_some() && after.list != before.list);
    let new: Vec<&Post> = after.posts.iter().filter(|post| !before.posts.contains(post)).collect();
    assert_eq!(new.iter().map(|post| post.title.as_str()).collect::<Vec<_>>(), ["First swallows"]);
}

#[test]
fn lists_of_other_things_are_only_offered() {
    let services = find(&read("town-services"), "https://umibe.example/kurashi/");
    assert_eq!(services.others.first().map(|list| list.posts.len()), Some(5));
    assert!(find(&read("captcha"), "https://news.example/").others.is_empty());
}
