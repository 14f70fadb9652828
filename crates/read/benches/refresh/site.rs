//! The sites: one server on every loopback address, with the same few documents for all of them.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    thread,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// How the sites answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// With the document and nothing to compare it by.
    Plain = 0,
    /// With a validator, and 304 for requests that have it.
    Validating = 1,
}

/// All sites, on a thread of their own.
pub struct Sites {
    port: u16,
    manner: Arc<AtomicU8>,
}

/// Read whole, and answered the same each time.
struct Answers {
    plain: Vec<Vec<u8>>,
    validating: Vec<Vec<u8>>,
    manner: Arc<AtomicU8>,
}

const ITEMS: usize = 20;
const DOCUMENTS: usize = 16;
const NOT_MODIFIED: &[u8] = b"HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n";

impl Sites {
    pub fn start() -> Sites {
        let manner = Arc::new(AtomicU8::new(Manner::Plain as u8));
        let documents: Vec<String> = (0..DOCUMENTS).map(document).collect();
        let with = |headers: &str| documents.iter().map(|document| answer(headers, document)).collect();
        let answers = Answers { plain: with(""), validating: with("ETag: \"v1\"\r\n"), manner: manner.clone() };
        let (tell, told) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.unwrap();
                tell.send(listener.local_addr().unwrap().port()).unwrap();
                let answers = Arc::new(answers);
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, answers.clone()));
                }
            });
        });
        Sites { port: told.recv().unwrap(), manner }
    }

    pub fn answer(&self, manner: Manner) {
        self.manner.store(manner as u8, Ordering::Relaxed);
    }

    /// The host and the address of a feed: each has an address of its own.
    pub fn feed(&self, n: usize) -> (String, String) {
        let [_, _, high, low] = u32::try_from(n + 1).unwrap().to_be_bytes();
        let host = Ipv4Addr::new(127, 1, high, low).to_string();
        let url = format!("http://{host}:{}/{n}.xml", self.port);
        (host, url)
    }
}

async fn serve(mut stream: TcpStream, answers: Arc<Answers>) {
    let mut request = Vec::with_capacity(1_024);
    while matches!(stream.read_buf(&mut request).await, Ok(1..)) {
        if !request.ends_with(b"\r\n\r\n") {
            continue;
        }
        let text = String::from_utf8_lossy(&request);
        let number = text.split(['/', '.']).nth(1).and_then(|number| number.parse::<usize>().ok()).unwrap_or(0);
        let validating = answers.manner.load(Ordering::Relaxed) == Manner::Validating as u8;
        let bytes = match validating {
            true if text.to_ascii_lowercase().contains("if-none-match") => NOT_MODIFIED,
            true => &answers.validating[number % DOCUMENTS],
            false => &answers.plain[number % DOCUMENTS],
        };
        if stream.write_all(bytes).await.is_err() {
            return;
        }
        request.clear();
    }
}

fn answer(headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n{headers}Content-Length: {length}\r\n\r\n{body}")
        .into_bytes()
}

/// A feed as blogs have it: full texts of about two kilobytes with links, pictures and what comes along.
fn document(number: usize) -> String {
    let items: String = (0..ITEMS).map(|item| entry(number, item)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><title>Blog {number} 瓦版</title>\
         <link>https://blog{number}.example/</link><description>Notes</description><language>ja</language>{items}</channel></rss>"
    )
}

fn entry(number: usize, item: usize) -> String {
    let paragraph = |n: usize| {
        format!(
            "<p class=\"lead\" style=\"margin:0\">The {n}th thing about item {item}: a text with <a href=\"/about?utm_source=feed\" \
             onclick=\"track()\">a link</a>, <strong>bold words</strong>, <em>others</em> &amp; an entity. \
             瓦版は江戸時代の新聞である。火事や地震や仇討ちなどの出来事を伝えた。</p>"
        )
    };
    let text: String = (1..=5).map(paragraph).collect();
    format!(
        "<item><title>Item {item} of blog {number}: 見出し</title><link>https://blog{number}.example/posts/{item}</link>\
         <guid isPermaLink=\"false\">https://blog{number}.example/?p={item}</guid><dc:creator>An Author</dc:creator>\
         <pubDate>Sun, 01 Mar 2026 {:02}:00:00 GMT</pubDate><category>News</category><category>記事</category>\
         <description>The beginning of item {item}</description><content:encoded><![CDATA[{text}\
         <figure><img src=\"https://blog{number}.example/{item}.jpg\" width=\"640\" height=\"480\" alt=\"A picture\"></figure>\
         <ul><li>one</li><li>two</li></ul><script>alert(1)</script><blockquote>Said somebody</blockquote>]]></content:encoded></item>",
        item % 24
    )
}
