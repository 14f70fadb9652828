//! Compares the parser with the test cases of Python's feedparser.
//!
//! `make corpus` fetches the cases and writes docs/feed-conformance.md; this test fails when that document is stale,
//! when a failing case has no reason in `reasons.txt`, and when fewer cases hold than before.
#![cfg(test)]

mod case;
mod compare;
mod dates;
mod expect;
mod fields;
mod report;

use std::{collections::BTreeMap, env, fs, path::Path};

use case::Case;
use expect::Verdict;

/// The sets of cases, with minimum results: in how many cases feedparser and our parser find a title or an entry, and how
/// many expectations in scope hold.
const SETS: &[Floor] = &[
    Floor { set: "wellformed", feedparser: 1271, useful: 1271, holding: 396 },
    Floor { set: "illformed", feedparser: 15, useful: 15, holding: 2 },
    Floor { set: "encoding", feedparser: 149, useful: 149, holding: 114 },
    Floor { set: "entities", feedparser: 254, useful: 254, holding: 254 },
    Floor { set: "dates", feedparser: 45, useful: 41, holding: 37 },
];

struct Floor {
    set: &'static str,
    feedparser: usize,
    useful: usize,
    holding: usize,
}

/// The results of a set.
#[derive(Default)]
struct Tally {
    cases: usize,
    useful: usize,
    in_scope: usize,
    holding: usize,
    failing: Vec<(String, String)>,
}

fn check_case(case: &Case, tally: &mut Tally) {
    tally.cases += 1;
    let parsed = case.parse();
    let useful = parsed.as_ref().is_ok_and(|parsed| !parsed.feed.title.is_empty() || !parsed.feed.entries.is_empty());
    tally.useful += usize::from(useful);
    // feedparser's sanitiser keeps elements that ours rewrites; ours has its own tests.
    let Some(expected) = case.expect.as_deref().filter(|_| !case.name.starts_with("wellformed/sanitize/")) else {
        return;
    };
    match expect::check(expected, parsed.ok().map(|parsed| parsed.feed).as_ref()) {
        Verdict::OutOfScope => {}
        Verdict::Holds => {
            tally.in_scope += 1;
            tally.holding += 1;
        }
        Verdict::Fails(what) => {
            tally.in_scope += 1;
            tally.failing.push((case.name.clone(), what));
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a test takes no arguments; `make corpus` sets this variable")]
fn is_to_be_written() -> bool {
    env::var_os("WRITE_CONFORMANCE").is_some()
}

#[test]
fn as_good_as_feedparser() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cases = root.join("target/corpus/feedparser-6.0.14");
    assert!(
        cases.join(".complete").exists(),
        "the corpus is missing: fetch it with `make corpus` (or `scripts/corpus`)"
    );
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for floor in SETS {
        let tally = tallies.entry(floor.set).or_default();
        match floor.set {
            "dates" => dates::check_all(&cases.join("tests"), tally),
            set => case::all(&cases.join("tests"), set).iter().for_each(|case| check_case(case, tally)),
        }
        println!(
            "{}: {} of {} useful (feedparser: {}), {} of {} expectations in scope hold",
            floor.set, tally.useful, tally.cases, floor.feedparser, tally.holding, tally.in_scope
        );
    }
    let (document, unexplained) = report::write(&tallies, SETS);
    let path = root.join("docs/feed-conformance.md");
    if is_to_be_written() {
        fs::write(&path, &document).unwrap();
    }
    for floor in SETS {
        let tally = &tallies[floor.set];
        assert!(tally.useful >= floor.useful, "{}: {} useful results, fewer than before", floor.set, tally.useful);
        assert!(tally.holding >= floor.holding, "{}: {} hold, fewer than before", floor.set, tally.holding);
    }
    assert!(
        unexplained.is_empty(),
        "fix these cases or add a reason to tests/corpus/reasons.txt:\n{}",
        unexplained.join("\n")
    );
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == document, "docs/feed-conformance.md is stale: run `make corpus`");
}
