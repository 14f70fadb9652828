//! `feed sanitize`: sanitises HTML from the standard input.

use std::io::{self, BufRead, IsTerminal, Read};

use url::Url;

use super::{Pipe, json_line, write};
use crate::failure::Failure;

/// Sanitises the whole standard input as one text.
pub fn whole(base: Option<&Url>) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(cannot_read)?;
    let mut html = feed::sanitize_article(&String::from_utf8_lossy(&bytes), base, base);
    // On a terminal, a newline puts the prompt on its own line.
    if io::stdout().is_terminal() && !html.ends_with('\n') {
        html.push('\n');
    }
    write(&html).map(|_| ())
}

/// Sanitises one JSON string per line and flushes each result.
pub fn lines(base: Option<&Url>) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let (mut line, mut count, mut bad) = (Vec::new(), 0_u64, Vec::new());
    while input.read_until(b'\n', &mut line).map_err(cannot_read)? > 0 {
        count += 1;
        let html = serde_json::from_slice::<String>(&line).ok();
        if html.is_none() {
            bad.push(count);
        }
        let clean = html.map(|html| feed::sanitize_article(&html, base, base));
        if write(&json_line(&clean)?)? == Pipe::Closed {
            return Ok(());
        }
        line.clear();
    }
    match bad.as_slice() {
        [] => Ok(()),
        [first] => Err(Failure::new(format!("line {first} is not a JSON string"))),
        [first, ..] => {
            Err(Failure::new(format!("{} lines are not JSON strings, the first is line {first}", bad.len())))
        }
    }
}

fn cannot_read(error: io::Error) -> Failure {
    Failure::because("cannot read the standard input", &error)
}
