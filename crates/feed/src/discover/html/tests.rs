use super::*;

fn tags(html: &str) -> Vec<String> {
    HtmlTokens::of(html)
        .map(|token| match token {
            HtmlToken::Tag(tag) => format!("{}{} {:?}", if tag.is_end { "/" } else { "" }, tag.name, tag.attributes),
            HtmlToken::Text(text) => text.to_owned(),
        })
        .collect()
}

#[test]
fn tags_and_texts_in_order() {
    assert_eq!(
        tags("<!DOCTYPE html><A HREF='x' b=c d>日本</a >!<br/>"),
        [r#"a [("href", "x"), ("b", "c"), ("d", "")]"#, "日本", "/a []", "!", "br []"]
    );
}

#[test]
fn comments_and_scripts_are_skipped() {
    assert_eq!(tags("<!-- <a> --><script>'</s' <a></SCRIPT><b>"), ["script []", "/script []", "b []"]);
    assert_eq!(tags("<style><a>"), ["style []"]);
    assert_eq!(tags("<!-- <a>"), Vec::<String>::new());
}

#[test]
fn broken_tags_do_not_affect_others() {
    assert_eq!(tags("<a href=\"x><b>"), [r#"a [("href", "x")]"#, "b []"]);
    assert_eq!(tags("1 < 2 <"), ["1 ", "< 2 ", "<"]);
    assert_eq!(tags("<a =x é=1"), [r#"a [("=x", ""), ("é", "1")]"#]);
    assert_eq!(tags("é<é"), ["é", "<é"]);
}

#[test]
fn pages_are_decoded_by_their_declaration() {
    assert_eq!(decode(b"\xef\xbb\xbfa", None), "a");
    assert_eq!(decode(b"\xff\xfea\0", None), "a");
    assert_eq!(decode(b"<meta charset=\"Shift_JIS\">\x93\xfa", None), "<meta charset=\"Shift_JIS\">日");
    assert_eq!(decode(b"\xc6\xfc", Some("text/html; charset=euc-jp")), "日");
    assert_eq!(decode("é".as_bytes(), Some("text/html; charset=iso-8859-1")), "é");
    assert_eq!(decode(b"caf\xe9 ok", None), "café ok");
    assert_eq!(decode(format!("x{}", "é".repeat(MAX_PAGE_BYTES)).as_bytes(), None).len(), MAX_PAGE_BYTES - 1);
}
