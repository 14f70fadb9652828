//! A small evaluator for the Python expressions of the cases: comparisons of a field with a literal, joined by `and`.

use feed::ParsedFeed;

use crate::fields::{self, Field};

/// The result of an expectation.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    Holds,
    /// The actual value.
    Fails(String),
    /// Our model does not have the field.
    OutOfScope,
}

/// A value in the expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    Text(String),
    Number(i64),
    Tuple(Vec<i64>),
}

/// Checks an expectation; `feed` is `None` if the document was rejected.
pub fn check(expression: &str, feed: Option<&ParsedFeed>) -> Verdict {
    let mut verdict = Verdict::OutOfScope;
    for part in split(expression, " and ") {
        match check_alternatives(part, feed) {
            Verdict::OutOfScope => {}
            Verdict::Holds => {
                if verdict == Verdict::OutOfScope {
                    verdict = Verdict::Holds;
                }
            }
            fails => return fails,
        }
    }
    verdict
}

fn check_alternatives(part: &str, feed: Option<&ParsedFeed>) -> Verdict {
    let mut last = Verdict::OutOfScope;
    for alternative in split(part, " or ") {
        last = check_comparison(bare(alternative), feed);
        if last == Verdict::Holds {
            break;
        }
    }
    last
}

fn check_comparison(comparison: &str, feed: Option<&ParsedFeed>) -> Verdict {
    if let Some(path) = comparison.strip_prefix("not ").and_then(|rest| rest.strip_suffix(".has_key('link')")) {
        return verdict_of(fields::is_absent(&format!("{path}['link']"), feed));
    }
    let sides = split(comparison, " == ");
    let [paths @ .., literal] = sides.as_slice() else { return Verdict::OutOfScope };
    let Some(literal) = literal_of(literal) else { return Verdict::OutOfScope };
    if paths.is_empty() {
        return Verdict::OutOfScope;
    }
    let mut verdict = Verdict::OutOfScope;
    for path in paths {
        verdict = verdict_of(fields::compare(bare(path), &literal, feed));
        if verdict != Verdict::Holds {
            break;
        }
    }
    verdict
}

fn verdict_of(field: Field) -> Verdict {
    match field {
        Field::Unknown => Verdict::OutOfScope,
        Field::Same => Verdict::Holds,
        Field::Differs(what) => Verdict::Fails(what),
    }
}

/// Removes the brackets around an expression.
fn bare(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map_or(text, str::trim)
}

/// Splits at a word outside strings and brackets.
fn split<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None => match c {
                '\'' | '"' => quote = Some(c),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ if depth == 0 && at >= start && text[at..].starts_with(word) => {
                    parts.push(text[start..at].trim());
                    start = at + word.len();
                }
                _ => {}
            },
        }
    }
    parts.push(text[start..].trim());
    parts
}

pub fn literal_of(text: &str) -> Option<Literal> {
    if let Ok(number) = text.parse() {
        return Some(Literal::Number(number));
    }
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    if let Some(numbers) = inner.and_then(|inner| inner.split(',').map(|one| one.trim().parse().ok()).collect()) {
        return Some(Literal::Tuple(numbers));
    }
    let mut out = String::new();
    for part in split(text, "+") {
        let part = part.trim_start_matches('u');
        let quote = part.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let triple = quote.to_string().repeat(3);
        let inner = match part.strip_prefix(&triple) {
            Some(rest) => rest.strip_suffix(&triple)?,
            None => part.get(1..)?.strip_suffix(quote)?,
        };
        out.push_str(&unescape(inner));
    }
    Some(Literal::Text(out))
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let number = |rest: &mut std::str::Chars, digits: usize| {
            let code: String = rest.by_ref().take(digits).collect();
            u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
        };
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('x') => out.push(number(&mut rest, 2)),
            Some('u') => out.push(number(&mut rest, 4)),
            Some('U') => out.push(number(&mut rest, 8)),
            Some(c @ ('\\' | '\'' | '"')) => out.push(c),
            Some(c) => out.extend(['\\', c]),
            None => out.push('\\'),
        }
    }
    out
}

#[test]
fn literals_are_read() {
    assert_eq!(literal_of("u'a\\x41\\u00e9\\'b' + \"-\\n\""), Some(Literal::Text("aAé'b-\n".to_owned())));
    assert_eq!(literal_of("(2004, 1, 2, 0)"), Some(Literal::Tuple(vec![2004, 1, 2, 0])));
    assert_eq!(literal_of("15"), Some(Literal::Number(15)));
    assert_eq!(literal_of("None"), None);
    assert_eq!(literal_of("{'href': 'x'}"), None);
}

#[test]
fn expressions_are_split_outside_strings() {
    assert_eq!(split("not bozo and a == ' and ' and (b and c)", " and "), ["not bozo", "a == ' and '", "(b and c)"]);
    assert_eq!(bare("(a == 'b')"), "a == 'b'");
}

#[test]
fn unknown_fields_are_out_of_scope() {
    for expression in ["bozo", "not bozo", "not bozo and feed['cloud']['path'] == 'x'", "encoding == 'utf-8'", "1"] {
        assert_eq!(check(expression, None), Verdict::OutOfScope, "{expression}");
    }
    assert!(matches!(check("not bozo and feed['title'] == 'x'", None), Verdict::Fails(_)));
}
