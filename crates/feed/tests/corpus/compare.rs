//! Compares values, ignoring white space, references, the order of attributes and the work of sanitisers.

use std::cell::RefCell;

use html5ever::{
    tendril::StrTendril,
    tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
};

/// Titles: ours are text, theirs may be HTML.
pub fn text(ours: &str, theirs: &str) -> bool {
    let ours = one_line(ours);
    ours == one_line(theirs) || ours == one_line(&feed::plain_text(theirs))
}

/// Bodies: ours are unsanitised HTML, theirs are sanitised HTML or plain text.
pub fn html(ours: &str, theirs: &str) -> bool {
    // Without a base, relative addresses would be dropped.
    let base = url::Url::parse("https://base.example/").ok();
    let sanitised = |html: &str| canonical(&feed::sanitize(html, base.as_ref()));
    canonical(ours) == canonical(theirs)
        || sanitised(ours) == sanitised(theirs)
        || one_line(&feed::plain_text(ours)) == one_line(theirs)
}

/// Names: theirs may be followed by the e-mail address.
pub fn name(ours: &str, theirs: &str) -> bool {
    let without_mail = theirs.split_once(" (").map_or(theirs, |(name, _)| name);
    ours == theirs || ours == without_mail
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[derive(Default)]
struct Written(RefCell<String>);

impl TokenSink for Written {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut out = self.0.borrow_mut();
        match token {
            // A `div` without attributes is only a wrapper.
            Token::TagToken(tag) if &*tag.name == "div" && tag.attrs.iter().all(|one| &*one.name.local == "xmlns") => {}
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => out.push_str(&format!("</{}>", tag.name)),
            Token::TagToken(tag) => {
                let mut attributes: Vec<String> =
                    tag.attrs.iter().map(|one| format!(" {}={:?}", one.name.local, &*one.value)).collect();
                attributes.sort();
                out.push_str(&format!("<{}{}>", tag.name, attributes.concat()));
            }
            Token::CharacterTokens(text) => out.push_str(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn canonical(html: &str) -> String {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let tokenizer = Tokenizer::new(Written::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    one_line(&tokenizer.sink.0.take())
}

#[test]
fn spellings_do_not_matter() {
    assert!(html("<A href='x' b=\"&amp;\">é\n</a>", "<a b=\"&\" href=\"x\">&eacute; </a>"));
    assert!(html("1 &lt; 2", "1 < 2"));
    assert!(!html("<a href='x'>a</a>", "<a href='y'>a</a>"));
    assert!(text("a & b", "<b>a</b> &amp; b") && !text("a", "b"));
    assert!(name("Me", "Me (me@example.com)") && !name("Me", "You (me@example.com)"));
}
