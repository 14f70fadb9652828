//! Answers go to the standard output, everything else to the standard error.

use std::io::{self, IsTerminal, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::failure::Failure;

/// Writes an answer. A reader that has seen enough (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::because("cannot write the answer", &error))
        }
        _ => Ok(()),
    }
}

/// Says what went wrong.
pub fn complain(words: &str) {
    // When even this fails there is nobody left to tell.
    let _ = writeln!(io::stderr().lock(), "kawaraban: {words}");
}

/// The widest cell on a terminal, in columns. Other programs get all of it.
const WIDEST: usize = 100;

/// Rows with a head: aligned columns on a terminal, bare tab-separated lines for other programs.
pub fn print_table<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> Result<(), Failure> {
    print(&if io::stdout().is_terminal() { aligned(head, rows) } else { tab_separated(rows) })
}

fn tab_separated<const N: usize>(rows: &[[String; N]]) -> String {
    rows.iter().map(|row| row.each_ref().map(|cell| on_one_line(cell)).join("\t") + "\n").collect()
}

fn aligned<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let head = head.map(str::to_owned);
    let lines: Vec<[String; N]> =
        std::iter::once(&head).chain(rows).map(|row| row.each_ref().map(|cell| cut(on_one_line(cell)))).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for line in &lines {
        for (cell, width) in line.iter().zip(widths) {
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width - cell.width() + 2));
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

fn cut(mut cell: String) -> String {
    if cell.width() > WIDEST {
        let mut width = 0;
        let wide = |c: char| {
            width += c.width().unwrap_or(0);
            width >= WIDEST
        };
        if let Some(at) = cell.find(wide) {
            cell.truncate(at);
            cell.push('…');
        }
    }
    cell
}

/// A text from outside as it may reach a terminal: without the characters that move its cursor or end a cell.
pub fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_for_wide_characters_too() {
        let rows = [["京都".to_owned(), "a".to_owned()], ["b".to_owned(), "c\x1b[2J\n".to_owned()]];
        assert_eq!(aligned(["KEY", "X"], &rows), "KEY   X\n京都  a\nb     c [2J\n");
    }

    #[test]
    fn long_cells_are_cut_on_a_terminal_only() {
        let rows = [["京".repeat(1_000)]];
        let shown = aligned([""], &rows);
        assert!(shown.trim_start().ends_with("京…\n") && shown.lines().all(|line| line.width() <= WIDEST), "{shown}");
        assert_eq!(tab_separated(&rows), format!("{}\n", "京".repeat(1_000)));
    }

    #[test]
    fn cells_cannot_break_out_of_their_line() {
        assert_eq!(tab_separated(&[["a\tb".to_owned(), "c\r\nd".to_owned()]]), "a b\tc  d\n");
    }
}
