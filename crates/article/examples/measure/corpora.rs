//! Reads the benchmarks from their folders.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use article::{
    decode,
    dom::{Document, NodeId, Selector},
};
use serde_json::Value;
use url::Url;

/// Japanese pages with a shorter expected text are not counted: 5 of 31, which leaves the 26 of the comparison.
const MIN_CHARS: usize = 300;

/// A page and the text that should be found in it.
pub struct Sample {
    pub path: PathBuf,
    pub url: Option<Url>,
    pub page: Vec<u8>,
    pub expected: String,
}

pub fn article_extraction_benchmark(folder: &Path) -> io::Result<Vec<Sample>> {
    let truth: Value = serde_json::from_slice(&fs::read(folder.join("ground-truth.json"))?)?;
    let mut samples = Vec::new();
    for (key, fields) in truth.as_object().into_iter().flatten() {
        let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        let path = folder.join(format!("html/{key}.html"));
        let page = fs::read(&path)?;
        samples.push(Sample {
            path,
            url: Url::parse(text("url")).ok(),
            page,
            expected: text("articleBody").to_owned(),
        });
    }
    Ok(samples)
}

pub fn mozilla(folder: &Path) -> io::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for path in listed(&folder.join("test/test-pages"))? {
        let expected = fs::read(path.join("expected.html"))?;
        let document = decode(&expected, None);
        let expected = Document::parse(&document).text_of(NodeId::ROOT);
        let path = path.join("source.html");
        let page = fs::read(&path)?;
        samples.push(Sample { path, url: Url::parse("http://fakehost/test/page.html").ok(), page, expected });
    }
    Ok(samples)
}

/// The Japanese pages of two benchmarks.
pub fn japanese(postlight: &Path, mozilla: &[Sample]) -> io::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for path in listed(&postlight.join("fixtures"))? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let site = name.trim_end_matches(".html").split("--").next().unwrap_or_default().to_owned();
        let extractor = postlight.join(format!("src/extractors/custom/{site}/index.js"));
        let (Ok(page), Ok(extractor)) = (fs::read(&path), fs::read_to_string(extractor)) else { continue };
        let expected = selected_text(&decode(&page, None), &extractor).unwrap_or_default();
        let url = Url::parse(&format!("https://{site}/")).ok();
        samples.push(Sample { path, url, page, expected });
    }
    let of_mozilla = mozilla.iter().map(|sample| Sample {
        path: sample.path.clone(),
        url: sample.url.clone(),
        page: sample.page.clone(),
        expected: sample.expected.clone(),
    });
    samples.extend(of_mozilla);
    samples.retain(|sample| is_japanese(&sample.expected));
    Ok(samples)
}

fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Whether a tenth of a text is kana, and the text is long enough to be an article.
fn is_japanese(text: &str) -> bool {
    let kana = text.chars().filter(|c| matches!(c, 'ぁ'..='ヿ')).count();
    let all = text.chars().filter(|c| !c.is_whitespace()).count();
    kana * 10 > all && all >= MIN_CHARS
}

/// The text that the selectors of an extractor choose.
fn selected_text(html: &str, extractor: &str) -> Option<String> {
    let content = extractor.split_once("\n  content: {")?.1;
    let document = Document::parse(html);
    let select = |selector: &String| {
        // The only pseudo-class in use is an additional condition.
        let plain = selector.split(":has").next().unwrap_or_default();
        Selector::parse(plain).map(|selector| selector.select(&document)).unwrap_or_default()
    };
    let chosen = strings(content, "selectors: [").iter().map(select).find(|chosen| !chosen.is_empty())?;
    let dropped: Vec<NodeId> = strings(content, "clean: [").iter().flat_map(select).collect();
    let mut text = String::new();
    let mut end = 0;
    for id in chosen {
        for node in document.range(id).filter(|at| *at >= end).map(NodeId::at) {
            let is_dropped = document.ancestors(node).any(|around| {
                dropped.contains(&around)
                    || matches!(document.name(around), "script" | "style" | "noscript" | "template")
            });
            if !is_dropped {
                text.push_str(document.text(node));
            }
        }
        end = end.max(document.range(id).end);
    }
    Some(text)
}

/// The strings of a list in JavaScript.
fn strings(script: &str, start: &str) -> Vec<String> {
    let Some((_, list)) = script.split_once(start) else { return Vec::new() };
    let mut depth = 1;
    let mut found = Vec::new();
    let mut rest = list;
    while let Some(at) = rest.find(['\'', '[', ']']) {
        let (_, after) = rest.split_at(at + 1);
        match rest.as_bytes().get(at) {
            Some(b'[') => depth += 1,
            Some(b']') => depth -= 1,
            _ => {
                let Some((text, after)) = after.split_once('\'') else { break };
                found.push(text.to_owned());
                rest = after;
                continue;
            }
        }
        if depth == 0 {
            break;
        }
        rest = after;
    }
    found
}
