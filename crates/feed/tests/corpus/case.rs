//! A test case: a document with headers and an expectation in its first comment.

use std::{fs, path::Path};

use chrono::{DateTime, Utc};
use feed::{NotAFeed, ParseOptions, Parsed};
use url::Url;

pub struct Case {
    /// The path below `tests`.
    pub name: String,
    bytes: Vec<u8>,
    headers: Vec<(String, String)>,
    pub expect: Option<String>,
}

/// The cases of a set, by name.
pub fn all(tests: &Path, set: &str) -> Vec<Case> {
    let (mut folders, mut files) = (vec![tests.join(set)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let name = |path: &Path| path.strip_prefix(tests).unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| Case::new(name(path), fs::read(path).unwrap())).collect()
}

impl Case {
    fn new(name: String, bytes: Vec<u8>) -> Case {
        // Comments are ASCII, also in UTF-16 and UTF-32.
        let narrow: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
        let text = String::from_utf8_lossy(&narrow);
        let comment = text.split_once("Expect:").and_then(|(_, rest)| rest.split("-->").next());
        let expect =
            comment.map(|comment| comment.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned());
        let headers = text.lines().filter_map(|line| line.strip_prefix("Header:")?.split_once(':'));
        let headers =
            headers.map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned())).collect();
        Case { name, bytes, headers, expect }
    }

    fn header(&self, wanted: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
    }

    pub fn parse(&self) -> Result<Parsed, NotAFeed> {
        // The address that feedparser's tests use.
        let served = Url::parse(&format!("http://127.0.0.1:8097/tests/{}", self.name)).unwrap();
        let located = self.header("content-location").and_then(|location| served.join(location).ok());
        let url = located.filter(|url| matches!(url.scheme(), "http" | "https")).unwrap_or(served);
        let options = ParseOptions {
            url: Some(url),
            content_type: self.header("content-type").map(str::to_owned),
            now: DateTime::<Utc>::from_timestamp(1_700_000_000, 0).unwrap(),
        };
        feed::parse(&self.bytes, &options)
    }
}
