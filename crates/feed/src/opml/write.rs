//! Writes OPML 2.0.

use std::collections::HashMap;

use super::OpmlFeed;

/// A folder with its children, in order.
#[derive(Default)]
struct Folder<'a> {
    name: &'a str,
    children: Vec<Child>,
}

#[derive(Clone, Copy)]
enum Child {
    Folder(usize),
    Feed(usize),
}

/// Writes a list as OPML 2.0, each folder at the position of its first feed.
pub fn write(title: &str, feeds: &[OpmlFeed]) -> String {
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n  <head>\n    <title>");
    escape(title, &mut out);
    out.push_str("</title>\n  </head>\n  <body>\n");
    let folders = folder_tree(feeds);
    // Without recursion, because untrusted files have paths of any depth.
    let mut open: Vec<(usize, usize)> = vec![(0, 0)];
    while let Some((folder, index)) = open.pop() {
        let Some(children) = folders[folder].children.get(index) else {
            if !open.is_empty() {
                indent(open.len() + 1, &mut out);
                out.push_str("</outline>\n");
            }
            continue;
        };
        open.push((folder, index + 1));
        indent(open.len() + 1, &mut out);
        match *children {
            Child::Feed(feed) => outline(&feeds[feed], &mut out),
            Child::Folder(folder) => {
                out.push_str("<outline");
                attribute("text", folders[folder].name, &mut out);
                attribute("title", folders[folder].name, &mut out);
                out.push_str(">\n");
                open.push((folder, 0));
            }
        }
    }
    out.push_str("  </body>\n</opml>\n");
    out
}

/// The folders as a tree in a vector; the first is the body.
fn folder_tree(feeds: &[OpmlFeed]) -> Vec<Folder<'_>> {
    let mut folders = vec![Folder::default()];
    let mut indexes: HashMap<(usize, &str), usize> = HashMap::new();
    for (feed, one) in feeds.iter().enumerate() {
        let mut at = 0;
        for name in &one.folders {
            let next = *indexes.entry((at, name)).or_insert(folders.len());
            if next == folders.len() {
                folders.push(Folder { name, children: Vec::new() });
                folders[at].children.push(Child::Folder(next));
            }
            at = next;
        }
        folders[at].children.push(Child::Feed(feed));
    }
    folders
}

fn outline(feed: &OpmlFeed, out: &mut String) {
    out.push_str("<outline");
    // The specification requires a text.
    let title = if feed.title.is_empty() { &feed.feed_url } else { &feed.title };
    attribute("text", title, out);
    attribute("title", title, out);
    attribute("type", "rss", out);
    attribute("xmlUrl", &feed.feed_url, out);
    if let Some(site_url) = &feed.site_url {
        attribute("htmlUrl", site_url, out);
    }
    out.push_str("/>\n");
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape(value, out);
    out.push('"');
}

/// Limits the indentation: a path of thousands of folders would make the size quadratic.
fn indent(depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("  ", depth.min(12)));
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            // XML does not allow these.
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
}
