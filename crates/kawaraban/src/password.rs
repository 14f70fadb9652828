//! A password from the standard input, or asked for on a terminal without showing it.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::{config::Secret, failure::Failure};

/// More than any password has; whoever pipes a film in is told so before all of it is read.
const LONGEST: usize = 4_096;

/// The password: all of the standard input when asked to read that, otherwise what a person types twice.
pub fn read(from_stdin: bool) -> Result<Secret, Failure> {
    let stdin = io::stdin();
    match (stdin.is_terminal(), from_stdin) {
        (true, _) => ask_twice(),
        (false, true) => whole(stdin.lock()),
        (false, false) => {
            Err(Failure::command_line("say --password-stdin to have the password read from the standard input"))
        }
    }
}

fn whole(from: impl Read) -> Result<Secret, Failure> {
    let mut bytes = Vec::new();
    let read = from.take(LONGEST as u64 + 3).read_to_end(&mut bytes);
    read.map_err(|error| Failure::because("cannot read the password", &error))?;
    // Editors and `echo` end files with a newline that nobody means.
    let text = bytes.strip_suffix(b"\n").map_or(&bytes[..], |text| text.strip_suffix(b"\r").unwrap_or(text));
    if text.len() > LONGEST {
        return Err(Failure::new(format!("the password has more than {LONGEST} bytes")));
    }
    secret(text)
}

fn secret(bytes: &[u8]) -> Result<Secret, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|_| Failure::new("the password is not UTF-8 text"))?;
    Ok(Secret::new(text.to_owned()))
}

fn ask_twice() -> Result<Secret, Failure> {
    let first = ask("Password: ")?;
    if ask("Again: ")? != first {
        return Err(Failure::new("the two passwords are not the same: nothing was changed"));
    }
    Ok(first)
}

fn ask(prompt: &str) -> Result<Secret, Failure> {
    let failed = |error: io::Error| Failure::because("cannot ask for the password", &error);
    let _quiet = Quiet::start().map_err(failed)?;
    // To the standard error, as every answer goes to the standard output.
    let mut out = io::stderr().lock();
    out.write_all(prompt.as_bytes()).map_err(failed)?;
    let line = typed_line(io::stdin().lock());
    // A newline was typed and not shown.
    out.write_all(b"\n").map_err(failed)?;
    match line.map_err(failed)? {
        Some(line) => secret(&line),
        None => Err(Failure::new("nothing was changed")),
    }
}

/// What is typed up to Enter; nothing if the person breaks off.
fn typed_line(from: impl BufRead) -> io::Result<Option<Vec<u8>>> {
    const BREAK: u8 = 3;
    const END: u8 = 4;
    const BACKSPACE: u8 = 8;
    const CLEAR: u8 = 21;
    const DELETE: u8 = 127;
    let mut line = Vec::new();
    for byte in from.bytes() {
        match byte? {
            b'\n' | b'\r' => return Ok(Some(line)),
            BREAK | END => return Ok(None),
            CLEAR => line.clear(),
            BACKSPACE | DELETE => remove_last_character(&mut line),
            byte if line.len() <= LONGEST => line.push(byte),
            _ => {}
        }
    }
    Ok(None)
}

fn remove_last_character(line: &mut Vec<u8>) {
    let is_inside = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
    while line.pop().is_some_and(is_inside) {}
}

/// The terminal shows nothing while this lives. It hands every key over as it is, Ctrl-C too, so that no interruption
/// leaves it silent.
struct Quiet(Termios);

impl Quiet {
    fn start() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        tcsetattr(io::stdin(), OptionalActions::Flush, &quiet)?;
        Ok(Quiet(before))
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // A terminal that has gone needs nothing back.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_the_last_newline_is_the_password() {
        for (text, expected) in
            [("secret\n", "secret"), ("secret\r\n", "secret"), (" se\ncret \n\n", " se\ncret \n"), ("", "")]
        {
            assert_eq!(whole(text.as_bytes()).unwrap().expose(), expected);
        }
        assert!(whole(&[0xff, 0xfe][..]).is_err() && whole(io::repeat(b'a')).is_err());
        assert_eq!(whole(&[b'a'; LONGEST][..]).unwrap().expose().len(), LONGEST);
    }

    #[test]
    fn a_typed_line_can_be_corrected_and_broken_off() {
        let typed = |text: &str| typed_line(text.as_bytes()).unwrap().map(|line| String::from_utf8(line).unwrap());
        assert_eq!(typed("sekr\u{7f}\u{7f}cret\nmore"), Some("secret".into()));
        assert_eq!(typed("瓦版\u{8}\r"), Some("瓦".into()));
        assert_eq!(typed("\u{7f}wrong\u{15}right\n"), Some("right".into()));
        assert_eq!((typed("sec\u{3}ret\n"), typed("sec\u{4}"), typed("sec")), (None, None, None));
    }
}
