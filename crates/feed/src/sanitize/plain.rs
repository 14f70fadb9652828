//! Bodies without markup: lines stay lines, blank lines separate paragraphs, and addresses become links.

use memchr::memmem;

/// Characters that end an address.
const ENDS: &[char] =
    &['<', '>', '"', '\'', '`', '「', '」', '『', '』', '（', '）', '【', '】', '、', '。', '，', '．', '！', '？'];
/// Lines of about this many characters were broken by a program, not by a person.
const WRAPPED: std::ops::RangeInclusive<usize> = 58..=82;

/// A body without any tag as HTML; `None` if it has one, or is a single line without an address.
pub(super) fn to_html(text: &str) -> Option<String> {
    let has_markup = memchr::memchr(b'<', text.as_bytes()).is_some();
    let trimmed = text.trim();
    let has_lines = memchr::memchr(b'\n', trimmed.as_bytes()).is_some();
    if has_markup || !has_lines && memmem::find(text.as_bytes(), b"://").is_none() {
        return None;
    }
    let lines: Vec<&str> = trimmed.lines().map(str::trim).collect();
    let between = if is_wrapped(&lines) { " " } else { "<br>" };
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    let is_one = !lines.contains(&"");
    for lines in paragraphs {
        out.push_str(if is_one { "" } else { "<p>" });
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                out.push_str(between);
            }
            push_linked(&mut out, line);
        }
        out.push_str(if is_one { "" } else { "</p>" });
    }
    Some(out)
}

/// Whether most lines that another one follows have the length at which programs break them.
fn is_wrapped(lines: &[&str]) -> bool {
    let mut followed =
        lines.windows(2).filter(|pair| matches!(pair, [first, next] if !first.is_empty() && !next.is_empty()));
    let (mut all, mut wrapped) = (0_usize, 0_usize);
    for pair in followed.by_ref() {
        all += 1;
        wrapped += usize::from(pair.first().is_some_and(|line| WRAPPED.contains(&line.chars().count())));
    }
    all >= 3 && wrapped * 4 >= all * 3
}

/// Adds a line of text, in which character references stay as they are.
fn push_linked(out: &mut String, line: &str) {
    let mut rest = line;
    while let Some(start) = address_start(rest) {
        let (before, after) = rest.split_at(start);
        let address = address(after);
        out.push_str(before);
        out.push_str("<a href=\"");
        out.push_str(address);
        out.push_str("\">");
        out.push_str(address);
        out.push_str("</a>");
        rest = after.get(address.len()..).unwrap_or_default();
    }
    out.push_str(rest);
}

fn address_start(text: &str) -> Option<usize> {
    memmem::find_iter(text.as_bytes(), b"://").find_map(|colon| {
        let before = text.get(..colon)?;
        let scheme = ["https", "http"].into_iter().find(|scheme| {
            let start = before.len().checked_sub(scheme.len());
            start.and_then(|start| before.get(start..)).is_some_and(|found| found.eq_ignore_ascii_case(scheme))
        })?;
        let start = colon - scheme.len();
        let is_word = text.get(..start)?.chars().next_back().is_some_and(|last| last.is_ascii_alphanumeric());
        let has_host = text.get(colon + 3..)?.chars().next().is_some_and(char::is_alphanumeric);
        (!is_word && has_host).then_some(start)
    })
}

/// The address at the start of a text, without the punctuation of the sentence around it.
fn address(text: &str) -> &str {
    let end = text.find(|c: char| c.is_whitespace() || ENDS.contains(&c)).unwrap_or(text.len());
    let mut address = text.get(..end).unwrap_or_default();
    let parentheses = |text: &str, which: char| text.matches(which).count();
    let mut unopened = parentheses(address, ')').saturating_sub(parentheses(address, '('));
    while let Some(last) = address.chars().next_back() {
        match last {
            '.' | ',' | ':' | ';' | '!' | '?' | '*' | ']' | '}' => {}
            ')' if unopened > 0 => unopened -= 1,
            _ => break,
        }
        address = address.get(..address.len() - 1).unwrap_or_default();
    }
    address
}
