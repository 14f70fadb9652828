use lopdf::{
    Document, EncryptionState, EncryptionVersion, Permissions, Stream,
    content::{Content, Operation},
    dictionary,
};

use super::*;

/// A file with these lines on each of so many pages.
fn document(lines: &[&str], pages: usize) -> Document {
    let mut document = Document::with_version("1.5");
    let parent = document.new_object_id();
    let font = document.add_object(dictionary! {"Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica"});
    let resources = document.add_object(dictionary! {"Font" => dictionary! {"F1" => font}});
    let mut operations = vec![Operation::new("BT", vec![]), Operation::new("Tf", vec!["F1".into(), 12.into()])];
    for line in lines {
        operations.push(Operation::new("Td", vec![0.into(), (-20).into()]));
        operations.push(Operation::new("Tj", vec![Object::string_literal(*line)]));
    }
    operations.push(Operation::new("ET", vec![]));
    let content = Content { operations }.encode().unwrap();
    let content = document.add_object(Stream::new(dictionary! {}, content));
    let kids: Vec<Object> = (0..pages)
        .map(|_| {
            let page =
                dictionary! {"Type" => "Page", "Parent" => parent, "Contents" => content, "Resources" => resources};
            document.add_object(page).into()
        })
        .collect();
    let count = i64::try_from(pages).unwrap();
    let tree = dictionary! {"Type" => "Pages", "Kids" => kids, "Count" => count};
    document.objects.insert(parent, Object::Dictionary(tree));
    let catalog = document.add_object(dictionary! {"Type" => "Catalog", "Pages" => parent});
    document.trailer.set("Root", catalog);
    let information = document.add_object(dictionary! {"Title" => Object::string_literal("A title")});
    document.trailer.set("Info", information);
    document
}

fn saved(mut document: Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn text_and_title_are_read() {
    let bytes = saved(document(&["A first line,", "and a second < line."], 1));
    assert!(is_pdf(&bytes));
    let text = text(&bytes).unwrap();
    assert!(text.contains("A first line,") && text.contains("and a second < line."), "{text}");
    let article = article(&bytes).unwrap();
    assert_eq!(article.title.as_deref(), Some("A title"));
    assert!(
        article.html.starts_with("<p>A first line,") && article.html.contains("second &lt; line."),
        "{}",
        article.html
    );
}

#[test]
fn broken_files_are_errors() {
    let bytes = saved(document(&["Text"], 1));
    assert_eq!(text(b"%PDF-1.5 and nothing else"), Err(PdfError::Broken));
    assert_eq!(text(b""), Err(PdfError::Broken));
    // Every cut and every changed byte is an answer, never a panic.
    for at in (0..bytes.len()).step_by(7) {
        let _ = text(&bytes[..at]);
        let mut changed = bytes.clone();
        changed[at] = changed[at].wrapping_add(13);
        let _ = text(&changed);
    }
}

#[test]
fn files_without_text_are_errors() {
    assert_eq!(text(&saved(document(&[], 1))), Err(PdfError::NoText));
    assert_eq!(text(&saved(document(&["x"], 0))), Err(PdfError::NoText));
}

#[test]
fn encrypted_files_are_errors() {
    let mut document = document(&["Secret"], 1);
    let id = Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", vec![id.clone(), id]);
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password: "user",
        key_length: 128,
        permissions: Permissions::all(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    assert_eq!(text(&saved(document)), Err(PdfError::Encrypted));
}

#[test]
fn large_files_are_errors() {
    assert_eq!(text(&vec![b' '; MAX_FILE_BYTES + 1]), Err(PdfError::TooLarge));
}

#[test]
fn text_of_many_pages_is_limited() {
    let line = "word ".repeat(2000);
    let text = text(&saved(document(&[&line], 200))).unwrap();
    assert!(text.len() <= MAX_TEXT_BYTES);
}

#[test]
fn object_streams_that_grow_are_errors() {
    let mut zeros = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut zeros, &vec![b' '; 7 * 1024 * 1024]).unwrap();
    let zeros = zeros.finish().unwrap();
    let mut bytes = b"%PDF-1.5\n".to_vec();
    for number in 1..=10 {
        bytes.extend(format!("{number} 0 obj <</Type /ObjStm /Filter /FlateDecode>> stream\n").bytes());
        bytes.extend(&zeros);
        bytes.extend(b"\nendstream endobj\n");
    }
    assert_eq!(text(&bytes), Err(PdfError::TooLarge));
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for open in ["[", "<<", "<</A", "("] {
        let mut bytes = b"%PDF-1.5\n1 0 obj\n".to_vec();
        bytes.extend(open.repeat(100_000).bytes());
        bytes.extend(b"\nendobj\ntrailer <</Root 1 0 R>>\nstartxref\n9\n%%EOF");
        assert!(text(&bytes).is_err());
    }
}
