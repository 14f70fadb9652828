//! Problems of a file, collected with their places.

use std::fmt;

/// The maximum number of problems that are reported; further ones are only counted.
const MAX_PROBLEMS: usize = 100;
/// The maximum length of a quotation from the file.
const MAX_QUOTED_CHARS: usize = 60;

/// All problems of a file, in the order of their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    pub problems: Vec<ConfigProblem>,
}

/// One problem, with what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    pub message: String,
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl ConfigError {
    /// A single problem at a byte of the text.
    pub(crate) fn at(text: &str, offset: usize, message: impl Into<String>) -> ConfigError {
        ConfigError { problems: vec![place(text, offset, message.into())] }
    }
}

/// Collects problems by their byte in the text.
#[derive(Default)]
pub struct Problems {
    found: Vec<(usize, String)>,
    /// The byte of the first problem beyond the limit, and the number of those problems.
    more: Option<(usize, usize)>,
}

impl Problems {
    pub fn add(&mut self, offset: usize, message: impl Into<String>) {
        self.add_with(offset, || message.into());
    }

    /// Adds a problem whose message is slow to make. It is made only if it is reported.
    pub fn add_with(&mut self, offset: usize, message: impl FnOnce() -> String) {
        if self.found.len() < MAX_PROBLEMS {
            self.found.push((offset, message()));
        } else {
            let (first, count) = self.more.unwrap_or((offset, 0));
            self.more = Some((first, count + 1));
        }
    }

    /// All problems as an error, or nothing if there are none.
    pub fn into_result(mut self, text: &str) -> Result<(), ConfigError> {
        if self.found.is_empty() {
            return Ok(());
        }
        self.found.sort_by_key(|(offset, _)| *offset);
        if let Some((offset, count)) = self.more {
            self.found.push((offset, format!("{count} more problems are not listed: correct the others first")));
        }
        let problems = self.found.into_iter().map(|(offset, message)| place(text, offset, message)).collect();
        Err(ConfigError { problems })
    }
}

/// The number of the line with this byte, counted from 1.
pub fn line_of(text: &str, offset: usize) -> usize {
    before(text, offset).matches('\n').count() + 1
}

/// A quotation for a message: short, on one line, and without a possible password.
pub fn quoted(text: &str) -> String {
    if text.contains('@') {
        return "…".to_owned();
    }
    let mut shown: String =
        text.chars().take(MAX_QUOTED_CHARS).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MAX_QUOTED_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

fn place(text: &str, offset: usize, message: String) -> ConfigProblem {
    let before = before(text, offset);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
    ConfigProblem { line: line_of(text, offset), column, message }
}

/// The text before a byte. A place outside the text or inside a character moves to the next valid place before it.
fn before(text: &str, offset: usize) -> &str {
    text.get(..text.floor_char_boundary(offset)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "あい = 1\r\nb\n";
        let cases = [(0, 1, 1), (3, 1, 2), (4, 1, 2), (6, 1, 3), (12, 2, 1), (13, 2, 2), (14, 3, 1), (99, 3, 1)];
        for (offset, line, column) in cases {
            let problem = place(text, offset, String::new());
            assert_eq!((problem.line, problem.column), (line, column), "{offset}");
        }
    }

    #[test]
    fn problems_are_sorted_and_limited() {
        let mut problems = Problems::default();
        for offset in (0..150).rev() {
            problems.add(offset, format!("problem {offset}"));
        }
        let ConfigError { problems } = problems.into_result(&"\n".repeat(200)).unwrap_err();
        assert_eq!(problems.len(), MAX_PROBLEMS + 1);
        assert_eq!(problems[0].to_string(), "line 51, column 1: problem 50");
        let last = "line 50, column 1: 50 more problems are not listed: correct the others first";
        assert_eq!(problems[MAX_PROBLEMS].to_string(), last);
        assert_eq!(Problems::default().into_result(""), Ok(()));
    }

    #[test]
    fn quotations_are_short_and_on_one_line() {
        assert_eq!(quoted("a\nb"), "a\u{fffd}b");
        assert_eq!(quoted("https://user:password@example.com"), "…");
        assert_eq!(quoted(&"あ".repeat(60)), "あ".repeat(60));
        assert_eq!(quoted(&"あ".repeat(61)), format!("{}…", "あ".repeat(60)));
    }
}
