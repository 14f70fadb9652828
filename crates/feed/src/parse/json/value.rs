//! A tolerant JSON parser, which also reads incomplete text.

use std::borrow::Cow;

/// Deeper values are left out.
const MAX_DEPTH: usize = 32;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json<'a> {
    Null,
    Bool(bool),
    /// As written.
    Number(&'a str),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// A member of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Json<'a>> {
        match self {
            Json::Object(members) => members.iter().find(|(known, _)| known == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The elements of a list; a single value counts as a list of itself.
    pub(crate) fn elements(&self) -> &[Json<'a>] {
        match self {
            Json::List(list) => list,
            Json::Null => &[],
            one => std::slice::from_ref(one),
        }
    }

    /// A text that is not empty, or a number as text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            Json::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// An open list or object, and the name of its next member.
struct OpenValue<'a> {
    value: Json<'a>,
    name: Option<Cow<'a, str>>,
}

/// Parses a text. Also returns whether it was complete.
pub(crate) fn read(source: &str) -> (Json<'_>, bool) {
    let mut reader = JsonReader { source, position: 0, is_complete: true };
    let value = reader.document();
    (value, reader.is_complete)
}

struct JsonReader<'a> {
    source: &'a str,
    position: usize,
    is_complete: bool,
}

impl<'a> JsonReader<'a> {
    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.position).copied()
    }

    /// Parses one value without recursion.
    fn document(&mut self) -> Json<'a> {
        let mut stack: Vec<OpenValue<'a>> = Vec::new();
        let mut skipped = 0usize;
        loop {
            let done = match self.peek() {
                None => {
                    self.is_complete &= stack.is_empty();
                    match stack.pop() {
                        Some(open) => open.value,
                        None => return Json::Null,
                    }
                }
                Some(b' ' | b'\n' | b'\t' | b'\r' | b',' | b':') => {
                    self.position += 1;
                    continue;
                }
                Some(open @ (b'{' | b'[')) => {
                    self.position += 1;
                    if stack.len() >= MAX_DEPTH {
                        skipped += 1;
                        continue;
                    }
                    let value = if open == b'{' { Json::Object(Vec::new()) } else { Json::List(Vec::new()) };
                    stack.push(OpenValue { value, name: None });
                    continue;
                }
                Some(b'}' | b']') => {
                    self.position += 1;
                    if skipped > 0 {
                        skipped -= 1;
                        continue;
                    }
                    match stack.pop() {
                        Some(open) => open.value,
                        None => continue,
                    }
                }
                Some(_) => self.scalar(),
            };
            match stack.last_mut() {
                None => return done,
                Some(_) if skipped > 0 => {}
                Some(around) => add(around, done),
            }
        }
    }

    fn scalar(&mut self) -> Json<'a> {
        if self.peek() == Some(b'"') {
            self.position += 1;
            return Json::Text(self.string());
        }
        let start = self.position;
        let rest = self.source.as_bytes().get(start..).unwrap_or_default();
        let is_end =
            |byte: &u8| matches!(byte, b',' | b':' | b'}' | b']' | b'{' | b'[' | b'"') || byte.is_ascii_whitespace();
        let length = rest.iter().position(is_end).unwrap_or(rest.len()).max(1);
        self.position = start + length;
        match self.source.get(start..self.position).unwrap_or_default() {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            number if number.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => Json::Number(number),
            _ => {
                self.is_complete = false;
                Json::Null
            }
        }
    }

    /// Parses a string after its opening quote.
    fn string(&mut self) -> Cow<'a, str> {
        let start = self.position;
        let mut out: Option<String> = None;
        let mut from = start;
        loop {
            let rest = self.source.as_bytes().get(self.position..).unwrap_or_default();
            let Some(at) = memchr::memchr2(b'"', b'\\', rest) else {
                self.is_complete = false;
                self.position = self.source.len();
                break;
            };
            self.position += at;
            if rest.get(at) == Some(&b'"') {
                break;
            }
            let text = out.get_or_insert_default();
            text.push_str(self.source.get(from..self.position).unwrap_or_default());
            self.position += 1;
            let escaped = self.escape();
            text.extend(escaped);
            from = self.position;
        }
        let tail = self.source.get(from..self.position).unwrap_or_default();
        self.position = (self.position + 1).min(self.source.len());
        match out {
            None => Cow::Borrowed(tail),
            Some(mut text) => {
                text.push_str(tail);
                Cow::Owned(text)
            }
        }
    }

    /// Parses an escape after its backslash.
    fn escape(&mut self) -> Option<char> {
        let rest = self.source.get(self.position..).unwrap_or_default();
        let c = rest.chars().next()?;
        self.position += c.len_utf8();
        Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' | 'f' => ' ',
            'u' => {
                let first = self.unit()?;
                if !(0xd800..0xdc00).contains(&first) {
                    return Some(
                        char::from_u32(first).filter(|c| !c.is_control() || c.is_whitespace()).unwrap_or('\u{fffd}'),
                    );
                }
                let before = self.position;
                let pair = self.source.get(before..).is_some_and(|rest| rest.starts_with("\\u"));
                self.position += if pair { 2 } else { 0 };
                match if pair { self.unit() } else { None } {
                    Some(second) if (0xdc00..0xe000).contains(&second) => {
                        char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)).unwrap_or('\u{fffd}')
                    }
                    _ => {
                        self.position = before;
                        '\u{fffd}'
                    }
                }
            }
            other => other,
        })
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.source.get(self.position..self.position + 4)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        self.position += 4;
        Some(value)
    }
}

fn add<'a>(around: &mut OpenValue<'a>, value: Json<'a>) {
    match (&mut around.value, around.name.take(), value) {
        (Json::List(list), _, value) => list.push(value),
        (Json::Object(members), Some(name), value) => members.push((name, value)),
        (Json::Object(_), None, Json::Text(name)) => around.name = Some(name),
        _ => {}
    }
}
