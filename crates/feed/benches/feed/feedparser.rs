//! Python's feedparser on the same documents.

use std::{env, fs, process::Command};

use crate::documents::Document;

const SCRIPT: &str = "
import sys, time, feedparser
for name in sys.argv[1:]:
    data = open(name, 'rb').read()
    best = 1e9
    for _ in range(2):
        start = time.perf_counter()
        feedparser.parse(data, sanitize_html=False)
        best = min(best, time.perf_counter() - start)
    print(best)
";

/// The seconds for each document, best of two. `None`, with a message, if feedparser is not installed.
#[expect(clippy::disallowed_methods, reason = "settings of a run")]
pub fn seconds(documents: &[Document]) -> Option<Vec<f64>> {
    let Some(python) = env::var("FEEDPARSER_PYTHON").ok().filter(|python| !python.is_empty()) else {
        println!("Python's feedparser is not measured: FEEDPARSER_PYTHON is not set (`make bench` sets it)\n");
        return None;
    };
    let folder = env::temp_dir().join(format!("kawaraban-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]);
    for (index, document) in documents.iter().enumerate() {
        let path = folder.join(index.to_string());
        fs::write(&path, &document.bytes).unwrap();
        command.arg(path);
    }
    let output = command.output();
    fs::remove_dir_all(&folder).unwrap();
    let seconds: Option<Vec<f64>> = output
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().ok()).collect());
    if seconds.is_none() {
        println!("Python's feedparser is not measured: it did not run\n");
    }
    seconds
}
