//! Results go to the standard output, everything else to the standard error.

use std::io::{self, IsTerminal, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::failure::Failure;

/// Prints a result. A closed pipe (`| head`) is not a failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::because("cannot write the output", &error))
        }
        _ => Ok(()),
    }
}

/// Prints an error or a warning.
pub fn print_error(message: &str) {
    // There is no other place to report a failure here.
    let _ = writeln!(io::stderr().lock(), "kawaraban: {message}");
}

/// The maximum width of a cell on a terminal, in columns. Other programs get the whole text.
const MAX_CELL_WIDTH: usize = 100;

/// Prints rows: aligned columns with a head on a terminal, tab-separated lines otherwise.
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
    if cell.width() > MAX_CELL_WIDTH {
        let mut width = 0;
        let wide = |c: char| {
            width += c.width().unwrap_or(0);
            width >= MAX_CELL_WIDTH
        };
        if let Some(at) = cell.find(wide) {
            cell.truncate(at);
            cell.push('…');
        }
    }
    cell
}

/// Replaces control characters, which could move a terminal's cursor or end a cell.
pub fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_with_wide_characters_are_aligned() {
        let rows = [["京都".to_owned(), "a".to_owned()], ["b".to_owned(), "c\x1b[2J\n".to_owned()]];
        assert_eq!(aligned(["KEY", "X"], &rows), "KEY   X\n京都  a\nb     c [2J\n");
    }

    #[test]
    fn long_cells_are_cut_on_a_terminal_only() {
        let rows = [["京".repeat(1_000)]];
        let shown = aligned([""], &rows);
        assert!(
            shown.trim_start().ends_with("京…\n") && shown.lines().all(|line| line.width() <= MAX_CELL_WIDTH),
            "{shown}"
        );
        assert_eq!(tab_separated(&rows), format!("{}\n", "京".repeat(1_000)));
    }

    #[test]
    fn control_characters_in_cells_are_replaced() {
        assert_eq!(tab_separated(&[["a\tb".to_owned(), "c\r\nd".to_owned()]]), "a b\tc  d\n");
    }
}
