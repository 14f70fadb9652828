use chrono::{DateTime, Utc};

use super::*;

fn entry(guid: &str, link: &str, title: &str) -> Entry {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Entry { id: some(guid), link: some(link), title: title.to_owned(), ..Entry::default() }
}

fn at(seconds: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(seconds, 0)
}

/// The stored keys of a document.
fn stored(found: &[EntryIdentity]) -> Vec<StoredKeys> {
    let known = |keys: &EntryKeys| StoredKeys {
        guid: keys.guid.clone(),
        link: keys.link.clone(),
        content: Some(keys.content.clone()),
    };
    found.iter().map(|identity| known(&identity.keys)).collect()
}

fn known(found: &[EntryIdentity]) -> Vec<Option<usize>> {
    found.iter().map(|identity| identity.known).collect()
}

fn by(found: &[EntryIdentity]) -> Vec<IdentifiedBy> {
    found.iter().map(|identity| identity.by).collect()
}

#[test]
fn guid_decides_before_link_before_content() {
    let document = [entry("g", "https://e.com/1", "a"), entry("", "https://e.com/2", "b"), entry("", "", "c")];
    let first = identify(&document, &[]);
    assert_eq!(by(&first), [IdentifiedBy::Guid, IdentifiedBy::Link, IdentifiedBy::Content]);
    assert_eq!(known(&first), [None, None, None]);
    let edited =
        [entry("g", "https://e.com/9", "A"), entry("", "http://e.com/2/?utm_source=x", "B"), entry("", "", "c")];
    assert_eq!(known(&identify(&edited, &stored(&first))), [Some(0), Some(1), Some(2)]);
}

#[test]
fn different_guids_never_merge() {
    let same = |guid| entry(guid, "https://e.com/one", "the same title");
    let document = [same("a"), same("b"), same("c")];
    let first = identify(&document, &[]);
    assert_eq!(first.len(), 3);
    let next = [same("a"), same("b"), same("c"), same("d")];
    assert_eq!(known(&identify(&next, &stored(&first))), [Some(0), Some(1), Some(2), None]);
}

#[test]
fn a_guid_on_every_entry_is_ignored() {
    let document: Vec<Entry> = (0..5).map(|n| entry("0", &format!("https://e.com/{n}"), &format!("t{n}"))).collect();
    let first = identify(&document, &[]);
    assert_eq!(by(&first), [IdentifiedBy::Link; 5]);
    assert!(first.iter().all(|identity| identity.keys.guid.is_none()));
    let mut next = vec![entry("0", "https://e.com/new", "new")];
    next.extend(document);
    let second = identify(&next, &stored(&first));
    assert_eq!(known(&second), [None, Some(0), Some(1), Some(2), Some(3), Some(4)]);
}

#[test]
fn a_shared_guid_does_not_affect_other_guids() {
    let document = [entry("x", "https://e.com/1", "1"), entry("x", "https://e.com/2", "2"), entry("y", "", "3")];
    assert_eq!(by(&identify(&document, &[])), [IdentifiedBy::Link, IdentifiedBy::Link, IdentifiedBy::Guid]);
    let without_links = [entry("x", "", "1"), entry("x", "", "2")];
    assert_eq!(by(&identify(&without_links, &[])), [IdentifiedBy::Content, IdentifiedBy::Content]);
}

#[test]
fn guids_that_change_with_every_fetch_are_ignored() {
    let fetch = |round: &str, from: usize| -> Vec<Entry> {
        (from..from + 4).map(|n| entry(&format!("{round}-{n}"), &format!("https://e.com/{n}"), "t")).collect()
    };
    let mut rows = stored(&identify(&fetch("a", 1), &[]));
    for round in ["b", "c", "d"] {
        let found = identify(&fetch(round, 0), &rows);
        assert_eq!(by(&found), [IdentifiedBy::Link; 4]);
        assert_eq!(known(&found)[1..], [Some(0), Some(1), Some(2)]);
        for identity in &found {
            match identity.known {
                Some(place) => rows[place].guid = identity.keys.guid.clone(),
                None => {
                    rows.push(StoredKeys { guid: None, link: identity.keys.link.clone(), content: None });
                }
            }
        }
    }
    assert_eq!(rows.len(), 5);
}

#[test]
fn guids_that_number_the_entries_are_ignored() {
    let first = identify(&[entry("1", "https://e.com/b", "b"), entry("2", "https://e.com/a", "a")], &[]);
    let next =
        [entry("1", "https://e.com/c", "c"), entry("2", "https://e.com/b", "b"), entry("3", "https://e.com/a", "a")];
    assert_eq!(known(&identify(&next, &stored(&first))), [None, Some(0), Some(1)]);
}

#[test]
fn one_entry_with_a_new_guid_is_found_by_its_link() {
    let first = identify(&[entry("a", "https://e.com/1", "1"), entry("b", "https://e.com/2", "2")], &[]);
    let next = [entry("a2", "https://e.com/1", "1, edited"), entry("b", "https://e.com/2", "2")];
    assert_eq!(known(&identify(&next, &stored(&first))), [Some(0), Some(1)]);
}

#[test]
fn a_link_to_the_front_page_does_not_identify() {
    let first = identify(&[entry("a", "https://e.com", "yesterday")], &[]);
    assert_eq!(known(&identify(&[entry("b", "https://e.com/", "today")], &stored(&first))), [None]);
}

#[test]
fn a_moved_site_is_recognised_by_its_content() {
    let dated = |guid, link| Entry { published: at(1_000), ..entry(guid, link, "title") };
    let first = identify(&[dated("http://old.example/1", "http://old.example/1")], &[]);
    let moved = [dated("https://new.example/1", "https://new.example/1")];
    assert_eq!(known(&identify(&moved, &stored(&first))), [Some(0)]);
    let undated = [entry("https://new.example/1", "https://new.example/1", "title")];
    let first = identify(&[entry("http://old.example/1", "http://old.example/1", "title")], &[]);
    assert_eq!(known(&identify(&undated, &stored(&first))), [None]);
}

#[test]
fn fragments_count_if_entries_differ_by_them() {
    let version = |n: u32| entry("", &format!("https://e.com/changes#v{n}"), "release");
    let first = identify(&[version(2), version(1)], &[]);
    assert_eq!((first.len(), by(&first)), (2, vec![IdentifiedBy::Link, IdentifiedBy::Link]));
    assert_eq!(known(&identify(&[version(2)], &stored(&first))), [Some(0)]);
    let looked_up = keys(&[version(2)]);
    assert!(looked_up.iter().any(|keys| keys.link == first[0].keys.link), "the key with the fragment is looked up too");
}

#[test]
fn entries_that_share_a_link_differ_by_content() {
    let document = [entry("", "https://e.com/x", "1"), entry("", "https://e.com/x", "2")];
    let first = identify(&document, &[]);
    assert_eq!(by(&first), [IdentifiedBy::Content, IdentifiedBy::Content]);
    assert_eq!(known(&identify(&document, &stored(&first))), [Some(0), Some(1)]);
}

#[test]
fn of_duplicates_the_newest_counts() {
    let dated = |seconds| Entry { updated: at(seconds), ..entry("g", "https://e.com/1", "t") };
    let found = identify(&[dated(1), dated(3), dated(2)], &[]);
    assert_eq!(found.iter().map(|identity| identity.entry).collect::<Vec<_>>(), [1]);
    let found = identify(&[entry("", "https://e.com/1", "t"), entry("", "https://e.com/1", "t")], &[]);
    assert_eq!(found.iter().map(|identity| identity.entry).collect::<Vec<_>>(), [0]);
}

#[test]
fn keys_fit_their_columns() {
    let long = entry(&"é".repeat(1_001), &format!("https://e.com/{}", "x".repeat(100_000)), "t");
    let keys = &keys(&[long])[0];
    let lengths =
        [keys.guid.as_deref(), keys.link.as_deref(), Some(keys.content.as_str())].map(|key| key.map(str::len));
    assert_eq!(lengths, [Some(64); 3]);
    assert_eq!(super::keys(&[entry(&"x".repeat(2_000), "", "")])[0].guid.as_deref().map(str::len), Some(2_000));
    assert_eq!(super::keys(&[entry("  ", "  ", "")])[0].guid, None);
}

#[test]
fn the_parts_of_the_content_hash_are_separate() {
    let said = |title: &str, published, summary: Option<&str>| {
        content_key(&Entry { title: title.into(), published, summary: summary.map(Into::into), ..Entry::default() })
    };
    assert_ne!(said("a", None, Some("b")), said("ab", None, None));
    assert_ne!(said("a", at(1), None), said("a", None, Some("1")));
    assert_eq!(said("a", at(1), None), said("a", at(1), Some("")));
}

#[test]
fn many_entries_are_matched() {
    let entries: Vec<Entry> = (0..10_000).map(|n| entry(&n.to_string(), &format!("https://e.com/{n}"), "t")).collect();
    let first = identify(&entries, &[]);
    assert!(identify(&entries, &stored(&first)).iter().all(|identity| identity.known == Some(identity.entry)));
}
