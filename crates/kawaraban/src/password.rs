//! Reads a password from the standard input, or from a terminal without echo.

use std::io::{self, ErrorKind, IsTerminal, Read};

use tokio::signal::unix::{SignalKind, signal};

use crate::{config::Secret, failure::Failure, signals::INTERRUPTED};

/// Longer input is rejected before all of it is read.
const MAX_BYTES: usize = 4_096;

/// Reads the password from the standard input, or asks for it twice.
pub fn read(from_stdin: bool) -> Result<Secret, Failure> {
    let stdin = io::stdin();
    match (stdin.is_terminal(), from_stdin) {
        (true, _) => ask_twice(),
        (false, true) => whole(stdin.lock()),
        (false, false) => {
            Err(Failure::command_line("use --password-stdin to read the password from the standard input"))
        }
    }
}

fn whole(from: impl Read) -> Result<Secret, Failure> {
    let mut bytes = Vec::new();
    let read = from.take(MAX_BYTES as u64 + 3).read_to_end(&mut bytes);
    read.map_err(|error| Failure::because("cannot read the password", &error))?;
    // Editors and `echo` end files with a newline.
    let text = bytes.strip_suffix(b"\n").map_or(&bytes[..], |text| text.strip_suffix(b"\r").unwrap_or(text));
    if text.len() > MAX_BYTES {
        return Err(Failure::new(format!("the password has more than {MAX_BYTES} bytes")));
    }
    let text = std::str::from_utf8(text).map_err(|_| Failure::new("the password is not UTF-8 text"))?;
    Ok(Secret::new(text.to_owned()))
}

fn ask_twice() -> Result<Secret, Failure> {
    // Without a handler, Ctrl-C would end the process while the terminal's echo is off.
    let mut interrupts = signal(SignalKind::interrupt()).map_err(cannot_ask)?;
    let first = ask("Password: ")?;
    if ask("Again: ")? != first {
        return Err(Failure::new("the two passwords differ: nothing was changed"));
    }
    tokio::spawn(async move {
        interrupts.recv().await;
        std::process::exit(INTERRUPTED);
    });
    Ok(first)
}

fn ask(prompt: &str) -> Result<Secret, Failure> {
    // The prompt goes to the standard error, because results go to the standard output.
    let terminal = rpassword::ConfigBuilder::new().input_file_path("/dev/stdin").output_writer(io::stderr()).build();
    match rpassword::prompt_password_with_config(prompt, terminal) {
        Ok(typed) => Ok(Secret::new(typed)),
        Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::UnexpectedEof) => {
            Err(Failure::new("nothing was changed"))
        }
        Err(error) => Err(cannot_ask(error)),
    }
}

fn cannot_ask(error: io::Error) -> Failure {
    Failure::because("cannot ask for the password", &error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_newline_is_removed() {
        for (text, expected) in
            [("secret\n", "secret"), ("secret\r\n", "secret"), (" se\ncret \n\n", " se\ncret \n"), ("", "")]
        {
            assert_eq!(whole(text.as_bytes()).unwrap().expose(), expected);
        }
        assert!(whole(&[0xff, 0xfe][..]).is_err() && whole(io::repeat(b'a')).is_err());
        assert_eq!(whole(&[b'a'; MAX_BYTES][..]).unwrap().expose().len(), MAX_BYTES);
    }
}
