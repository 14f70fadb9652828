use super::*;

fn tokens(html: &str) -> Vec<String> {
    let mut tokenizer = HtmlTokenizer::new(html);
    let mut found = Vec::new();
    while let Some(token) = tokenizer.next() {
        found.push(match token {
            HtmlToken::Text(text) => format!("'{text}'"),
            HtmlToken::Start { name, is_self_closing } => {
                let attributes: String =
                    tokenizer.attributes().iter().map(|(name, value)| format!(" {name}={value}")).collect();
                format!("<{name}{attributes}{}>", if is_self_closing { "/" } else { "" })
            }
            HtmlToken::End { name } => format!("</{name}>"),
        });
    }
    found
}

#[track_caller]
fn check(html: &str, expected: &[&str]) {
    assert_eq!(tokens(html), expected, "{html}");
}

#[test]
fn tags_and_texts() {
    check("a<b>c</b >d", &["'a'", "<b>", "'c'", "</b>", "'d'"]);
    check("<a HREF='x y' class=z>", &["<a HREF=x y class=z>"]);
    check("<br/><br /><a b=c/d>", &["<br/>", "<br/>", "<a b=c/d>"]);
    check("<a b><a b = c><a =b>", &["<a b=>", "<a b=c>", "<a =b=>"]);
}

#[test]
fn text_with_angle_brackets_stays_text() {
    check("1 < 2 <3 a<", &["'1 < 2 <3 a<'"]);
}

#[test]
fn comments_and_declarations_are_skipped() {
    check("<!doctype html>a<!-- <b> -->c<!-->d<?xml ?>e", &["'a'", "'c'", "'d'", "'e'"]);
    check("a<![CDATA[<b>]]>c", &["'a'", "'c'"]);
    check("a<!-- b", &["'a'"]);
}

#[test]
fn truncated_tags_are_dropped() {
    for html in ["a<b", "a<b c", "a<b c=", "a<b c=\"d>e", "a</b"] {
        check(html, &["'a'"]);
    }
}

#[test]
fn raw_text_ends_at_its_end_tag() {
    let mut tokenizer = HtmlTokenizer::new("<script>a</b></scripts></SCRIPT >c<style>d");
    assert_eq!(tokenizer.next(), Some(HtmlToken::Start { name: "script", is_self_closing: false }));
    assert_eq!(tokenizer.raw_text("script"), "a</b></scripts>");
    assert_eq!(tokenizer.next(), Some(HtmlToken::Text("c")));
    tokenizer.next();
    assert_eq!(tokenizer.raw_text("style"), "");
    assert_eq!(tokenizer.next(), Some(HtmlToken::Text("d")));
}

#[test]
fn pages_are_decoded() {
    let check = |bytes: &[u8], expected: &str| assert_eq!(decode_page(bytes, None, 1 << 20), expected);
    check("<p>日本".as_bytes(), "<p>日本");
    check(b"\xef\xbb\xbf<p>", "<p>");
    check(b"<p>\x1b$BF|K\\\x1b(B</p>", "<p>日本</p>");
    check(b"<meta charset=shift_jis><p>\x93\xfa\x96\x7b", "<meta charset=shift_jis><p>日本");
    assert_eq!(decode_page(b"<p>caf\xe9</p>", Some("text/html; charset=iso-8859-1"), 100), "<p>café</p>");
    assert_eq!(decode_page("日本".as_bytes(), None, 4), "日", "cut between characters");
}

#[test]
fn references_are_decoded() {
    assert_eq!(unescape("&#x65E5;&#26412; &amp; &eacute;"), "日本 & é");
}
