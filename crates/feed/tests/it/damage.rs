//! Injects 37 kinds of damage that occur in real feeds into every fixture: no entry may be lost and no text changed.

mod kinds;

use feed::Parsed;

use crate::{fixtures, parse};
use kinds::{Damaged, KINDS};

/// The results of one kind of damage.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    feeds: usize,
    whole: usize,
    right: usize,
}

#[test]
fn damaged_feeds_keep_entries_and_text() {
    assert_eq!(KINDS.len(), 37);
    let mut all = Tally::default();
    let mut lost = Vec::new();
    println!("{:<30} {:>5} {:>5} {:>5}", "kind", "feeds", "whole", "right");
    for (kind, injure) in KINDS {
        let mut tally = Tally::default();
        for (name, bytes) in fixtures() {
            let sound = parse(&bytes).expect("a sound fixture");
            let text = String::from_utf8(bytes).expect("a fixture in UTF-8");
            let Some(damaged) = injure(&text) else { continue };
            let found = parse(&damaged.bytes);
            tally.feeds += 1;
            match found {
                Ok(found) if is_whole(&sound, &found, &damaged) => {
                    tally.whole += 1;
                    match garbled(&sound, &found, &damaged) {
                        None => tally.right += 1,
                        Some(what) => lost.push(format!("{kind} {name}: {what}")),
                    }
                }
                Ok(found) => lost.push(format!("{kind} {name}: {} entries", found.feed.entries.len())),
                Err(error) => lost.push(format!("{kind} {name}: {error}")),
            }
        }
        println!("{kind:<30} {:>5} {:>5} {:>5}", tally.feeds, tally.whole, tally.right);
        all.feeds += tally.feeds;
        all.whole += tally.whole;
        all.right += tally.right;
    }
    println!("{:<30} {:>5} {:>5} {:>5}", "all", all.feeds, all.whole, all.right);
    assert!(all.whole * 100 >= all.feeds * 95, "{lost:#?}");
    assert!(all.right * 100 >= all.feeds * 95, "{lost:#?}");
    // Today nothing is lost; a regression must be noticed.
    assert_eq!(lost, Vec::<String>::new());
}

fn is_whole(sound: &Parsed, found: &Parsed, damaged: &Damaged) -> bool {
    let least = damaged.entries.unwrap_or(sound.feed.entries.len());
    let most = if damaged.entries.is_some() { least + 1 } else { least };
    (least..=most).contains(&found.feed.entries.len())
}

/// The difference in a feed that kept its entries.
fn garbled(sound: &Parsed, found: &Parsed, damaged: &Damaged) -> Option<String> {
    let (before, after) = (&sound.feed.entries, &found.feed.entries);
    if let Some(title) = &damaged.title {
        let expected = format!("{title}{}", before[0].title);
        if after[0].title != expected {
            return Some(format!("title {:?} instead of {expected:?}", after[0].title));
        }
    }
    if let Some(url) = &damaged.enclosure
        && !after[0].enclosures.iter().any(|file| file.url == *url)
    {
        return Some(format!("no enclosure {url}"));
    }
    let cut = damaged.entries.is_some();
    let pairs = before.iter().zip(after).enumerate().take(if cut { damaged.entries.unwrap_or(0) } else { usize::MAX });
    for (at, (one, other)) in pairs {
        let first = at == 0;
        let same = (first || one.title == other.title)
            && one.link == other.link
            && one.id == other.id
            && one.published == other.published
            && (first || one.summary == other.summary && one.content == other.content);
        if !same {
            return Some(format!("entry {at}: {other:?} instead of {one:?}"));
        }
    }
    None
}
