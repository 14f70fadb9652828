//! The kinds of damage.

/// A damaged document and its expected values.
pub(super) struct Damaged {
    pub(super) bytes: Vec<u8>,
    /// Text that was added before the first entry's title.
    pub(super) title: Option<String>,
    /// An enclosure that was added to the first entry.
    pub(super) enclosure: Option<String>,
    /// The number of complete entries, if the document is truncated.
    pub(super) entries: Option<usize>,
}

type Injure = fn(&str) -> Option<Damaged>;

/// All kinds by name.
pub(super) const KINDS: [(&str, Injure); 37] = [
    ("amp-bare-text", |text| in_title(text, "AT&T R & D ", "AT&T R & D ")),
    ("amp-in-url-attr", |text| {
        let url = "https://files.example/a?b=1&c=2";
        let bytes = in_entry(
            text,
            &format!("<enclosure url=\"{url}\" type=\"audio/mpeg\"/><link rel=\"enclosure\" href=\"{url}\"/>"),
        )?;
        Some(Damaged { enclosure: Some(url.to_owned()), ..whole(bytes) })
    }),
    ("atom-ns-0.3", |text| {
        replaced(text, "http://www.w3.org/2005/Atom\"", "http://purl.org/atom/ns#\"").filter(|_| text.contains("<feed"))
    }),
    ("attr-duplicate", |text| in_entry_tag(text, " a=\"1\" a=\"2\"")),
    ("attr-unquoted", |text| in_entry_tag(text, " a=1 b=http://x.example/y")),
    ("charref-ctrl", |text| in_title(text, "A&#11;B&#31; ", "AB ")),
    ("charref-nul-or-huge", |text| in_title(text, "A&#0;B&#99999999; ", "AB\u{fffd} ")),
    ("charref-upperX", |text| in_title(text, "A&#X41;B ", "AAB ")),
    ("comment-dashes", |text| {
        Some(whole(text.replacen(entry(text)?, &format!("<!-- a -- b --->{}", entry(text)?), 1)))
    }),
    ("ctrl-nul", |text| in_title(text, "A\0B ", "AB ")),
    ("ctrl-x0b", |text| in_title(text, "A\u{b}B\u{8}C ", "ABC ")),
    ("doctype-entity", |text| {
        let text = without_head(text)?;
        let titled = in_title(&text, "&co; ", "Acme ")?;
        let body = String::from_utf8(titled.bytes).ok()?;
        Some(Damaged {
            bytes: format!("<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY co \"Acme\">]>{body}").into(),
            ..titled
        })
    }),
    ("enc-cp1251-ok", |text| encoded(text, "windows-1251", encoding_rs::WINDOWS_1251, "При ")),
    ("enc-decl-bogus", |text| declared(text, "x-bogus-42", "café ")),
    ("enc-decl-latin1-bytes-utf8", |text| declared(text, "iso-8859-1", "café ")),
    ("enc-decl-utf16-bytes-utf8", |text| declared(text, "utf-16", "café ")),
    ("enc-decl-utf8-bytes-cp1252", |text| {
        let titled = declared(text, "utf-8", "caf\u{1}\u{2}q\u{3} ")?;
        let bytes = titled
            .bytes
            .iter()
            .map(|byte| match byte {
                1 => 0xe9,
                2 => 0x93,
                3 => 0x94,
                byte => *byte,
            })
            .collect();
        Some(Damaged { bytes, title: Some("café“q” ".to_owned()), ..titled })
    }),
    ("enc-eucjp-ok", |text| encoded(text, "euc-jp", encoding_rs::EUC_JP, "日本 ")),
    ("enc-utf16be-bom", |text| Some(whole(utf16(text, true)))),
    ("enc-utf16le-bom", |text| Some(whole(utf16(text, false)))),
    ("ent-nbsp", |text| in_title(text, "A&nbsp;B ", "A\u{a0}B ")),
    ("ent-unknown", |text| in_title(text, "A&foobar;B ", "A&foobar;B ")),
    ("html-void-in-text", |text| in_title(text, "A<br>B<img src=\"x\"> ", "AB ")),
    ("lead-bom", |text| Some(whole(format!("\u{feff}{text}")))),
    ("lead-bom-space", |text| Some(whole(format!("\u{feff} \n{text}")))),
    ("lead-comment-before-decl", |text| text.starts_with('<').then(|| whole(format!("<!-- made by hand -->{text}")))),
    ("lead-junk-text", |text| Some(whole(format!("Warning: something on line 3\n{text}")))),
    ("lead-newline", |text| Some(whole(format!("\n\n\t{text}")))),
    ("lt-bare-text", |text| in_title(text, "1 < 2 ", "1 < 2 ")),
    ("mismatched-case-close", |text| {
        Some(whole(text.replace("</title>", "</TITLE>").replace("</item>", "</Item>").replace("</entry>", "</ENTRY>")))
    }),
    ("missing-root-close", |text| {
        let ends = ["</rss>", "</channel>", "</feed>", "</rdf:RDF>"];
        text.starts_with('<').then(|| whole(ends.iter().fold(text.to_owned(), |text, end| text.replace(end, ""))))
    }),
    ("ns-prefix-undeclared", |text| Some(whole(in_entry(text, "<foo:bar foo:x=\"1\">y</foo:bar>")?))),
    ("rss-no-version", |text| {
        text.contains("<rss version").then(|| whole(text.replacen("<rss version", "<rss data-version", 1)))
    }),
    ("rss-version-2.0.1", |text| replaced(text, "<rss version=\"2.0\"", "<rss version=\"2.0.1\"")),
    ("trail-junk", |text| Some(whole(format!("{text}\n<!-- 0.2 s --><p>bye & good luck <\n")))),
    ("truncated-80pct", |text| {
        let cut = text.get(..(0..=text.len() * 8 / 10).rev().find(|&at| text.is_char_boundary(at))?)?;
        let entries = if text.starts_with('{') { cut.matches("\n  },").count() } else { 0 };
        let entries = entries + cut.matches("</item>").count() + cut.matches("</entry>").count();
        Some(Damaged { entries: Some(entries), ..whole(cut) })
    }),
    ("unclosed-inner", |text| {
        let start = text.find(entry(text)?)?;
        let (head, rest) = text.split_at(start);
        Some(whole(format!("{head}{}", rest.replacen("</title>", "", 1))))
    }),
];

fn whole(bytes: impl Into<Vec<u8>>) -> Damaged {
    Damaged { bytes: bytes.into(), title: None, enclosure: None, entries: None }
}

/// The start of an entry's tag; `None` for JSON.
fn entry(text: &str) -> Option<&'static str> {
    ["<item>", "<item ", "<entry>"].into_iter().filter(|tag| text.contains(tag)).min_by_key(|tag| text.find(tag))
}

fn replaced(text: &str, from: &str, to: &str) -> Option<Damaged> {
    text.contains(from).then(|| whole(text.replace(from, to)))
}

fn in_title(text: &str, written: &str, read: &str) -> Option<Damaged> {
    let start = text.find(entry(text)?)?;
    let title = start + text[start..].find("<title")?;
    let inside = title + text[title..].find('>')? + 1;
    let bytes = format!("{}{written}{}", &text[..inside], &text[inside..]);
    Some(Damaged { title: Some(read.to_owned()), ..whole(bytes) })
}

fn in_entry(text: &str, written: &str) -> Option<String> {
    let start = text.find(entry(text)?)?;
    let inside = start + text[start..].find('>')? + 1;
    Some(format!("{}{written}{}", &text[..inside], &text[inside..]))
}

fn in_entry_tag(text: &str, written: &str) -> Option<Damaged> {
    let start = text.find(entry(text)?)?;
    let end = start + text[start..].find('>')?;
    Some(whole(format!("{}{written}{}", &text[..end], &text[end..])))
}

/// The document without its declaration and document type; `None` for JSON.
fn without_head(text: &str) -> Option<String> {
    let root = ["<rss", "<feed", "<rdf:RDF"].iter().find_map(|root| text.find(root))?;
    Some(text[root..].to_owned())
}

fn declared(text: &str, label: &str, title: &str) -> Option<Damaged> {
    let titled = in_title(&without_head(text)?, title, title)?;
    let body = String::from_utf8(titled.bytes).ok()?;
    Some(Damaged { bytes: format!("<?xml version=\"1.0\" encoding=\"{label}\"?>\n{body}").into(), ..titled })
}

fn encoded(text: &str, label: &str, encoding: &'static encoding_rs::Encoding, title: &str) -> Option<Damaged> {
    let declared = declared(text, label, title)?;
    let text = String::from_utf8(declared.bytes).ok()?;
    let (bytes, _, unmappable) = encoding.encode(&text);
    // Characters missing from the encoding become references, which do not work in CDATA.
    (!unmappable || !text.contains("CDATA")).then(|| Damaged { bytes: bytes.into_owned(), ..declared })
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(unit).collect()
}
