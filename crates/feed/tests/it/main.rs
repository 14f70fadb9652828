//! The parser on whole documents: valid ones of each format, damaged ones and hostile ones.
#![cfg(test)]

mod damage;
mod encodings;
mod formats;
mod hostile;
mod recovery;

use std::{fs, path::PathBuf};

use chrono::DateTime;
use feed::{NotAFeed, ParseOptions, Parsed};

fn options() -> ParseOptions {
    let now = DateTime::from_timestamp(1_794_736_800, 0).expect("a time");
    ParseOptions { url: "https://origin.example/feeds/main.xml".parse().ok(), content_type: None, now }
}

fn parse(bytes: &[u8]) -> Result<Parsed, NotAFeed> {
    feed::parse(bytes, &options())
}

/// Every fixture by name, in order.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let files = fs::read_dir(folder).expect("the fixtures").map(|file| file.expect("a file").path());
    let mut all: Vec<(String, Vec<u8>)> = files
        .filter(|path| path.is_file())
        .map(|path| {
            (path.file_name().expect("a name").to_string_lossy().into_owned(), fs::read(&path).expect("its bytes"))
        })
        .collect();
    all.sort();
    assert!(all.len() >= 10, "the fixtures are missing");
    all
}

fn fixture(name: &str) -> Vec<u8> {
    fixtures().into_iter().find(|(known, _)| known == name).expect("a fixture").1
}
