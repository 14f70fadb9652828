//! Mutation fuzzing of pages and PDF files, on stable Rust.
//!
//! `make fuzz` runs it for `FUZZ_SECONDS` (60); `FUZZ_SEED` repeats a run. The work is done on a stack of 2 MB. Each input is
//! saved in `target/fuzz` before it is tried and deleted after, so that the one that ends the process is left.
#![expect(clippy::unwrap_used, reason = "a run that cannot be made ends")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use article::{PageContext, Rules, decode, extract, pdf};
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// An ordinary page in pieces: tags, texts, metadata.
const FRAGMENTS: &[&str] = &[
    "<div class=content>",
    "</div>",
    "<div id=comments>",
    "<p>",
    "</p>",
    "<br><br>",
    "<a href=/x>",
    "</a>",
    "<table><tr><td>",
    "</table>",
    "<th>",
    "<ul><li>",
    "</ul>",
    "<h1>",
    "<h2 class=share>",
    "</h2>",
    "<img src=a.jpg>",
    "<img data-src=b.jpg>",
    "<noscript>",
    "</noscript>",
    "<figure>",
    "<figcaption>",
    "</figure>",
    "<pre>",
    "<code>",
    "</code>",
    "<iframe src=x>",
    "<form>",
    "<input>",
    "<b>",
    "<i>",
    "</b>",
    "<svg>",
    "<math><mi>",
    "<title>",
    "</title>",
    "<meta property=og:title content='x'>",
    "<script type='application/ld+json'>",
    "{\"@type\":\"Article\",\"articleBody\":\"",
    "\"}",
    "</script>",
    "<html lang=ja>",
    "<head>",
    "<body>",
    "<time>",
    "<aside>",
    "<footer>",
    "<template>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&amp;",
    "&#x65e5;",
    "<",
    ">",
    "\"",
    "'",
    "\0",
    "Some text, with clauses, and an end. ",
    "日本語の文章は、こうして書かれます。",
];

/// Parts of a PDF file.
const PDF_FRAGMENTS: &[&str] = &[
    "%PDF-1.5\n",
    "1 0 obj\n",
    "2 0 obj\n",
    "<</Type /Catalog /Pages 2 0 R>>",
    "<</Type /Pages /Kids [3 0 R] /Count 1>>",
    "<</Type /Page /Parent 2 0 R /Contents 4 0 R>>",
    "<</Type /ObjStm /N 1 /First 4>>",
    "\nstream\n",
    "\nendstream\n",
    "endobj\n",
    "BT /F1 12 Tf (Text) Tj ET",
    "xref\n0 5\n",
    "0000000000 65535 f \n",
    "trailer\n",
    "<</Root 1 0 R /Size 5>>",
    "startxref\n9\n",
    "%%EOF",
    "<<",
    ">>",
    "[",
    "]",
    "(",
    ")",
    "/Length 10",
    "3 0 obj\n",
    "4 0 obj\n",
    "-1",
    "99999999999999999999",
    "\0",
];

fn main() -> ExitCode {
    let seconds = setting("FUZZ_SECONDS").unwrap_or(60);
    let seed = setting("FUZZ_SEED").unwrap_or_else(seed_of_the_day);
    println!("{seconds} s with seed {seed} (FUZZ_SEED={seed} repeats the run)");
    fs::create_dir_all(folder()).unwrap();
    let work = thread::Builder::new().stack_size(2 << 20).spawn(move || work(seed, Duration::from_secs(seconds)));
    match work.unwrap().join() {
        Ok(inputs) => println!("{inputs} inputs"),
        Err(_) => {
            println!("found: {}", input_file().display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn work(seed: u64, most: Duration) -> u64 {
    let mut random = SmallRng::seed_from_u64(seed);
    let start = Instant::now();
    let mut inputs = 0;
    while start.elapsed() < most {
        let fragments = if random.random_range(0..8) == 0 { PDF_FRAGMENTS } else { FRAGMENTS };
        let input = input(&mut random, fragments);
        fs::write(input_file(), &input).unwrap();
        check(&input);
        inputs += 1;
    }
    fs::remove_file(input_file()).unwrap();
    inputs
}

fn input(random: &mut SmallRng, fragments: &[&str]) -> Vec<u8> {
    let mut input = Vec::new();
    for _ in 0..random.random_range(1..60) {
        let fragment = fragments[random.random_range(0..fragments.len())];
        let times = if random.random_range(0..40) == 0 { random.random_range(1..3000) } else { 1 };
        input.extend(fragment.repeat(times).bytes());
    }
    for _ in 0..random.random_range(0..4) {
        let at = random.random_range(0..input.len());
        input[at] = random.random();
    }
    input
}

/// Any input is answered, and the HTML of an article is safe already.
fn check(input: &[u8]) {
    let rules = Rules::default();
    let context = PageContext { base_url: None, rules: &rules, now: chrono::DateTime::UNIX_EPOCH };
    if let Ok(article) = extract(&decode(input, None), &context) {
        assert_eq!(feed::sanitize(&article.html, None), article.html, "sanitised again");
        assert!(!article.text.is_empty(), "an article has text");
    }
    let _ = pdf::text(input);
}

/// The folder of failing inputs.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz")
}

fn input_file() -> PathBuf {
    folder().join("article")
}

#[expect(clippy::disallowed_methods, reason = "settings of a run")]
fn setting(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

#[expect(clippy::disallowed_methods, reason = "each run has another seed")]
fn seed_of_the_day() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs())
}
