use super::*;

fn read(bytes: &[u8], content_type: Option<&str>) -> String {
    decode(bytes, content_type, &mut Warnings::default()).into_owned()
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

#[test]
fn a_possible_declaration_is_used() {
    let text = "<?xml version='1.0' encoding='LABEL'?><a>瓦版の記事です</a>";
    for encoding in [SHIFT_JIS, EUC_JP, ISO_2022_JP, GBK, UTF_8] {
        let text = text.replace("LABEL", encoding.name());
        let bytes = if encoding == UTF_8 { text.as_bytes().to_vec() } else { encoding.encode(&text).0.into_owned() };
        assert_eq!(read(&bytes, None), text, "{}", encoding.name());
        let silent = text.replace("encoding=", "e=");
        let bytes = encoding.encode(&silent).0.into_owned();
        assert_eq!(read(&bytes, Some(&format!("text/xml; charset={}", encoding.name()))), silent);
    }
    for declared in ["iso-8859-1", "utf-16", "no-such-thing", "us-ascii"] {
        let text = text.replace("LABEL", declared);
        assert_eq!(read(text.as_bytes(), None), text);
    }
}

#[test]
fn undeclared_japanese_is_recognised() {
    let text = "<a>これは宣言のない日本語のフィードです。ひらがなが多い。</a>";
    for encoding in [SHIFT_JIS, EUC_JP] {
        assert_eq!(read(&encoding.encode(text).0, None), text);
    }
}

#[test]
fn windows_1252_inside_utf8() {
    assert_eq!(read(b"<a>caf\xe9 \x93q\x94 \xe6\x97\xa5</a>", Some("text/xml; charset=utf-8")), "<a>café “q” 日</a>");
}

#[test]
fn utf16_and_utf32_with_and_without_marks() {
    let text = "<?xml version='1.0'?><a>日本 ok</a>";
    for big in [true, false] {
        assert_eq!(read(&utf16(text, big), None), text);
        assert_eq!(read(&utf16(&format!("\u{feff}{text}"), big), None), text);
    }
    let utf32: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    assert_eq!(read(&utf32, None), text);
}

#[test]
fn control_characters_and_line_ends() {
    assert_eq!(read(b"a\x0bb\x00c\r\nd\re", None), "abc\nd\ne");
}
