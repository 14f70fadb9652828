//! Bodies in the style of blogs, newspapers and newsletters, in English and Japanese; the same in every run.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
};

const ENGLISH: &[&str] = &[
    "The council approved the plan on Tuesday evening after a debate that lasted longer than anybody had expected.",
    "When I first tried this, I thought the compiler was wrong; it turned out that I had misread the documentation.",
    "Researchers at the institute measured the effect in three separate experiments &#8211; each with its own controls.",
    "It&#8217;s worth noting that the new release drops support for older systems, which some users won&#8217;t like.",
    "“We did not expect so many visitors,” said the director of the museum, “and we are very grateful for every one.”",
];
const JAPANESE: &[&str] = &[
    "市議会は火曜日の夜、予想よりもはるかに長い議論の末に、この計画を賛成多数で承認した。",
    "最初に試したときはコンパイラの不具合だと思ったのですが、実際には私がドキュメントを読み違えていました。",
    "研究チームは三つの独立した実験でこの効果を測定し、いずれの結果も統計的に有意であったと報告している。",
    "新しいバージョンでは古い環境のサポートが打ち切られるため、アップデートの前に必ず確認してください。",
    "「これほど多くの方に来ていただけるとは思っていませんでした」と館長は話し、来場者への感謝を述べた。",
];

/// Four hundred bodies.
pub fn all() -> Vec<String> {
    (0..400).map(body).collect()
}

/// The body of the entry with a number.
pub fn body(number: usize) -> String {
    let sentences = if number.is_multiple_of(2) { ENGLISH } else { JAPANESE };
    match number % 5 {
        0 | 1 => blog(number, sentences),
        2 => newspaper(number, sentences),
        3 => newsletter(number, sentences),
        _ => technical(number, sentences),
    }
}

/// ammonia with the most similar list of tags and attributes; it rewrites nothing.
pub fn nearest_policy() -> ammonia::Builder<'static> {
    let mut policy = ammonia::Builder::empty();
    let tags = ["p", "br", "a", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em", "img"];
    policy
        .tags(HashSet::from(tags))
        .generic_attributes(HashSet::new())
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href"])),
            ("img", HashSet::from(["src", "alt", "title", "width", "height"])),
        ]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .link_rel(Some("noopener noreferrer"))
        .set_tag_attribute_value("a", "target", "_blank");
    policy
}

fn paragraph(number: usize, sentences: &[&str]) -> String {
    let count = 2 + number % 4;
    let chosen: Vec<&str> = (0..count).map(|index| sentences[(number * 3 + index) % sentences.len()]).collect();
    chosen.join(" ")
}

fn blog(number: usize, sentences: &[&str]) -> String {
    let mut out = String::new();
    for index in 0..4 + number % 7 {
        let text = paragraph(number + index, sentences);
        match index % 4 {
            1 => writeln!(out, "<p>{text} <a href=\"https://blog.example/{number}/{index}/?utm_source=rss&amp;utm_medium=feed\" target=\"_blank\">{}</a> <strong>{}</strong></p>", sentences[0], sentences[1]),
            2 => writeln!(out, "<figure class=\"wp-block-image size-large\"><img loading=\"lazy\" decoding=\"async\" width=\"1024\" height=\"683\" src=\"https://blog.example/wp-content/uploads/2026/{number}-1024x683.jpg\" alt=\"{}\" class=\"wp-image-{number}\" srcset=\"https://blog.example/{number}-300x200.jpg 300w, https://blog.example/{number}-1024x683.jpg 1024w\" sizes=\"(max-width: 1024px) 100vw\" /><figcaption>{}</figcaption></figure>\n<p>{text}</p>", sentences[2], sentences[3]),
            3 => writeln!(out, "<h2 class=\"wp-block-heading\">{}</h2>\n<ul class=\"wp-block-list\">\n<li>{}</li>\n\n<li><em>{}</em></li>\n</ul>\n<blockquote class=\"wp-block-quote\"><p>{text}</p></blockquote>", sentences[4], sentences[0], sentences[1]),
            _ => writeln!(out, "\n<p class=\"wp-block-paragraph\">{text}</p>"),
        }
        .unwrap();
    }
    out + "<p>The post appeared first on <a rel=\"nofollow\" href=\"https://blog.example\">Blog</a>.</p><img src=\"https://pixel.wp.com/b.gif?host=blog.example\" width=\"1\" height=\"1\">"
}

fn newspaper(number: usize, sentences: &[&str]) -> String {
    let mut out = String::from("<div class=\"article\"><div class=\"body\">");
    for index in 0..6 + number % 5 {
        let text = paragraph(number + index, sentences);
        write!(out, "<div data-component=\"text-block\"><p dir=\"ltr\"><span style=\"color:#222;font-size:16px\">{text}</span></p></div>").unwrap();
    }
    out + "<iframe src=\"https://www.youtube.com/embed/abcdefghijk\" allowfullscreen></iframe></div></div><script>track(1);</script>"
}

fn newsletter(number: usize, sentences: &[&str]) -> String {
    let mut out = String::from("<table width=\"600\" cellpadding=\"0\" style=\"border-collapse:collapse\"><tbody>");
    for index in 0..5 + number % 5 {
        let text = paragraph(number + index, sentences);
        writeln!(out, "<tr><td align=\"left\" style=\"padding:0 20px;font-family:Helvetica,Arial,sans-serif\"><a href=\"https://news.example/{number}/{index}\" style=\"color:#0066cc;text-decoration:none\"><b>{}</b></a><br />{text}</td><td valign=\"top\"><img src=\"https://news.example/{index}.png\" width=\"120\" alt=\"\"></td></tr>", sentences[0]).unwrap();
    }
    out + "</tbody></table>"
}

fn technical(number: usize, sentences: &[&str]) -> String {
    let mut out = String::new();
    for index in 0..4 + number % 4 {
        let text = paragraph(number + index, sentences);
        writeln!(out, "<p>{text} <code>Vec&lt;String&gt;</code></p>\n<pre><code class=\"language-rust\">fn main() {{\n    let values: Vec&lt;u32&gt; = (0..{number}).collect();\n    println!(&quot;{{values:?}}&quot;);\n}}\n</code></pre>\n<ol><li>{}</li><li>{}</li></ol>", sentences[1], sentences[2]).unwrap();
    }
    out
}
