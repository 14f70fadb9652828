//! Mutation fuzzing of pages with lists of posts, and of sitemaps, on stable Rust.
//!
//! `make fuzz` runs it for `FUZZ_SECONDS` (60); `FUZZ_SEED` repeats a run. The work is done on a stack of 2 MB. Each input
//! is saved in `target/fuzz` before it is tried and deleted after, so that the one that ends the process is left.
#![expect(clippy::unwrap_used, reason = "a run that cannot be made ends")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use posts::{PageContext, find_posts, parse_sitemap, posts_in_sitemap, sitemaps_in_robots};
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use url::Url;

/// A page in pieces: links, dates, frames, data.
const PAGE_FRAGMENTS: &[&str] = &[
    "<ul class=news>",
    "</ul>",
    "<li>",
    "<article class='post-1 hentry'>",
    "</article>",
    "<div class=ranking>",
    "<div class=card__Z6MsX>",
    "</div>",
    "<nav>",
    "</nav>",
    "<aside>",
    "<main>",
    "<table><tr><td>",
    "<h2>",
    "</h2>",
    "<a href=/blog/one>A long title of a post</a>",
    "<a href=/blog/two>二つ目の記事の題名です</a>",
    "<a href=/2026/03/04/three><h3>Three</h3></a>",
    "<a href='/four?utm_source=x#c'>Read more</a>",
    "<a href=/page/2>2</a>",
    "<a href='//other.example/x'>Elsewhere</a>",
    "<a href=/@name>Name</a>",
    "<a href=",
    "</a>",
    "<time datetime=2026-03-04>",
    "</time>",
    "2026-03-04 ",
    "3月4日",
    "Mar 4, 2026 ",
    "<p>Some words of a text. ",
    "¥100",
    "<base href='https://base.example/'>",
    "<script type=application/ld+json>",
    "<script id=__NEXT_DATA__ type=application/json>",
    "<script id=__NUXT_DATA__ type=application/json>",
    "</script>",
    "{\"@type\":\"BlogPosting\",\"url\":\"/a\",\"headline\":\"A\"}",
    "{\"@type\":\"ItemList\",\"itemListElement\":",
    "{\"title\":\"A\",\"url\":\"/blog/a\",\"date\":\"2026-03-04\"}",
    "{\"title\":1,\"slug\":\"one\",\"date\":2}",
    "[",
    "]",
    "{",
    "}",
    ",",
    "1",
    "\"",
    "<!--",
    "-->",
    "&amp;",
    "\0",
];

/// A sitemap or a `robots.txt` in pieces.
const SITEMAP_FRAGMENTS: &[&str] = &[
    "<urlset>",
    "<sitemapindex>",
    "</urlset>",
    "<url>",
    "</url>",
    "<sitemap>",
    "<loc>",
    "</loc>",
    "<lastmod>",
    "</lastmod>",
    "<news:news>",
    "<news:title>",
    "</news:title>",
    "<news:publication_date>",
    "https://site.example/blog/a",
    "/b?x=1&amp;y=2",
    "2026-03-04T10:00:00Z",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<!DOCTYPE x [<!ENTITY a \"b\">]>",
    "&a;",
    "Sitemap: ",
    "\n",
    "\u{1f}\u{8b}",
    "\0",
    "三",
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
        let is_page = random.random_range(0..3) > 0;
        let input = input(&mut random, if is_page { PAGE_FRAGMENTS } else { SITEMAP_FRAGMENTS });
        fs::write(input_file(), &input).unwrap();
        if is_page {
            check_page(&input)
        } else {
            check_sitemap(&input)
        }
        inputs += 1;
    }
    fs::remove_file(input_file()).unwrap();
    inputs
}

fn input(random: &mut SmallRng, fragments: &[&str]) -> Vec<u8> {
    let mut input = Vec::new();
    for _ in 0..random.random_range(1..80) {
        let fragment = fragments[random.random_range(0..fragments.len())];
        let times = if random.random_range(0..40) == 0 { random.random_range(1..2000) } else { 1 };
        input.extend(fragment.repeat(times).bytes());
    }
    for _ in 0..random.random_range(0..4) {
        let at = random.random_range(0..input.len());
        input[at] = random.random();
    }
    input
}

/// Any page is answered, and each list that is offered can be taken.
fn check_page(input: &[u8]) {
    let html = article::decode(input, None);
    let url = site("/");
    let find = |list: Option<&str>| {
        find_posts(&html, &PageContext { base_url: Some(&url), now: chrono::DateTime::UNIX_EPOCH, list })
    };
    let found = find(None);
    assert_eq!(found.posts.is_empty(), found.absence.is_some(), "either posts or a reason");
    for list in &found.others {
        let chosen = find(Some(&list.id));
        assert_eq!((chosen.posts, chosen.list.as_ref()), (list.posts.clone(), Some(&list.id)), "the list as offered");
    }
}

/// Any bytes are answered.
fn check_sitemap(input: &[u8]) {
    for place in ["/sitemap.xml", "/sitemap.txt"] {
        if let Some(sitemap) = parse_sitemap(input, &site(place)) {
            assert!(posts_in_sitemap(&sitemap, &site("/")).len() <= sitemap.urls.len(), "posts are addresses");
        }
    }
    assert!(sitemaps_in_robots(&String::from_utf8_lossy(input), &site("/robots.txt")).len() <= 20, "few sitemaps");
}

fn site(path: &str) -> Url {
    Url::parse("https://site.example").unwrap().join(path).unwrap()
}

/// The folder of failing inputs.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz")
}

fn input_file() -> PathBuf {
    folder().join("posts")
}

#[expect(clippy::disallowed_methods, reason = "settings of a run")]
fn setting(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

#[expect(clippy::disallowed_methods, reason = "each run has another seed")]
fn seed_of_the_day() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs())
}
