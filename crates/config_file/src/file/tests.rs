//! The file as a whole: sections, limits, the example, and random texts.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::BlogKind;

fn check(text: &str, expected: &str) {
    assert_eq!(ConfigFile::parse(text).unwrap_err().to_string(), expected, "{text}");
}

#[test]
fn unknown_sections_get_a_suggestion() {
    check("[[blog]]\nid = \"a\"", "line 1, column 3: `blog` is not a section: did you mean [[blogs]]?");
    check("[Blogs]", "line 1, column 2: `Blogs` is not a section: did you mean [[blogs]]?");
    check("[server]\nport = 1", "line 1, column 2: `server` is not a section: the file may contain [[blogs]]");
    check("\n url = \"https://example.com\"", "line 2, column 2: `url` is outside a section: write [[blogs]] above it");
}

#[test]
fn an_empty_file_is_valid() {
    for text in ["", "\n", "# comment", "\u{feff}", "blogs = []"] {
        assert_eq!(ConfigFile::parse(text), Ok(ConfigFile::default()), "{text:?}");
    }
}

#[test]
fn large_files_are_rejected() {
    let expected = "line 1, column 1: the file is larger than 4 MiB: remove entries that you do not need";
    let text = "#".repeat(MAX_BYTES);
    assert_eq!(ConfigFile::parse(&text), Ok(ConfigFile::default()));
    check(&format!("{text}#"), expected);
    assert_eq!(ConfigFile::parse_bytes(&vec![0xff; MAX_BYTES + 1]).unwrap_err().to_string(), expected);
}

#[test]
fn other_encodings_are_named_by_their_place() {
    let error = ConfigFile::parse_bytes(b"# a\nname = \"\x83u\"").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 9: this character is not UTF-8: save the file as UTF-8");
    assert_eq!(ConfigFile::parse_bytes("# 瓦版".as_bytes()), Ok(ConfigFile::default()));
}

#[test]
fn the_example_is_valid_with_and_without_its_comment_signs() {
    assert_eq!(ConfigFile::parse(ConfigFile::EXAMPLE), Ok(ConfigFile::default()));
    let is_entry = |line: &str| line.starts_with('#') && !line.starts_with("# ") && line != "#";
    let lines = ConfigFile::EXAMPLE.lines().map(|line| if is_entry(line) { &line[1..] } else { line });
    let text = lines.collect::<Vec<_>>().join("\n");
    let file = ConfigFile::parse(&text).unwrap();
    let [short, long] = file.blogs.as_slice() else { panic!("{} blogs", file.blogs.len()) };
    assert_eq!((short.id.as_str(), short.url.as_str()), ("example-blog", "https://example.com/blog/"));
    assert_eq!((long.kind, long.interval), (BlogKind::Auto, Some(Duration::from_secs(6 * 60 * 60))));
    for key in crate::blogs::KEYS {
        assert!(text.lines().any(|line| line.starts_with(&format!("{key} = "))), "{key}");
    }
    assert!(ConfigFile::EXAMPLE.lines().all(|line| line.chars().count() <= 120));
}

#[test]
fn the_document_has_every_key_and_a_valid_example() {
    let document = include_str!("../../../../docs/config-file.md");
    let example = document.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(ConfigFile::parse(example).unwrap().blogs.len(), 2);
    let keys = document.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let known = SECTIONS.iter().flat_map(|section| section.keys.iter().copied());
    assert_eq!(keys.collect::<Vec<_>>(), known.collect::<Vec<_>>());
}

#[test]
fn hostile_files_are_read_quickly() {
    let hostile = [
        "[[blogs]]\nid=\"a\"\n".repeat(58_000),
        "[[blogs]]\n".repeat(100_000),
        format!("blogs = [{}]", "{},".repeat(340_000)),
        format!("blogs = [{}]", "{id='a'},".repeat(110_000)),
        (0..100_000).map(|key| format!("k{key}=1\n")).collect(),
        format!("[[blogs]]\n{} = 1", "k".repeat(1_000_000)),
        format!("[[blogs]]\nid = \"{}\"\nurl = \"https://{}\"", "a".repeat(500_000), "a".repeat(500_000)),
        format!("[[blogs]]\ninclude = [{}]", "\"/\",".repeat(250_000)),
        "=\n".repeat(500_000),
        "[a.b.c]\n".repeat(130_000),
    ];
    for text in hostile {
        assert!(text.len() <= MAX_BYTES, "{}", text.len());
        let start = Instant::now();
        let error = ConfigFile::parse(&text).unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(10), "{:?} {:.60}", start.elapsed(), text);
        assert!(error.problems.len() <= 101 && error.to_string().len() < 100_000);
    }
}

/// A line of a file, right or wrong.
fn line() -> impl Strategy<Value = String> {
    let key =
        prop::sample::select(vec!["id", "url", "name", "interval", "kind", "include", "exclude", "rediscover", "uri"]);
    let value = prop::sample::select(vec![
        "\"a\"",
        "\"https://example.com/\"",
        "\"6h\"",
        "\"page\"",
        "[\"*/a/*\"]",
        "[1]",
        "1",
        "true",
        "{a = 1}",
        "あ",
        "",
        "[",
    ]);
    prop_oneof![
        1 => Just("[[blogs]]".to_owned()),
        4 => (key, value).prop_map(|(key, value)| format!("{key} = {value}")),
        1 => "\\PC{0,10}",
    ]
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        let _ = ConfigFile::parse(&text);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = ConfigFile::parse_bytes(&bytes);
    }

    #[test]
    fn problems_have_a_place_in_the_text(lines in prop::collection::vec(line(), 0..12)) {
        let text = lines.join("\n");
        let ids = lines.iter().filter(|line| *line == "[[blogs]]").count();
        match ConfigFile::parse(&text) {
            Ok(file) => prop_assert_eq!(file.blogs.len(), ids),
            Err(error) => {
                prop_assert!(!error.problems.is_empty());
                for problem in error.problems {
                    let line = text.split('\n').nth(problem.line - 1);
                    let columns = line.map(|line| line.chars().count() + 1);
                    prop_assert!(columns.is_some_and(|columns| problem.column <= columns), "{} in {:?}", problem, text);
                }
            }
        }
    }
}
