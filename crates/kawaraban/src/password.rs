//! A password from the standard input, or asked for on a terminal without showing it.

use std::io::{self, ErrorKind, IsTerminal, Read};

use tokio::signal::unix::{SignalKind, signal};

use crate::{config::Secret, failure::Failure, signals::INTERRUPTED};

/// More than any password has. A longer input is refused before all of it is read.
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
    let text = std::str::from_utf8(text).map_err(|_| Failure::new("the password is not UTF-8 text"))?;
    Ok(Secret::new(text.to_owned()))
}

fn ask_twice() -> Result<Secret, Failure> {
    // Without a handler, Ctrl-C would end the process while the terminal does not show what is typed.
    let mut interrupts = signal(SignalKind::interrupt()).map_err(cannot_ask)?;
    let first = ask("Password: ")?;
    if ask("Again: ")? != first {
        return Err(Failure::new("the two passwords are not the same: nothing was changed"));
    }
    tokio::spawn(async move {
        interrupts.recv().await;
        std::process::exit(INTERRUPTED);
    });
    Ok(first)
}

fn ask(prompt: &str) -> Result<Secret, Failure> {
    // The prompt goes to the standard error, because answers go to the standard output.
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
    fn all_but_the_last_newline_is_the_password() {
        for (text, expected) in
            [("secret\n", "secret"), ("secret\r\n", "secret"), (" se\ncret \n\n", " se\ncret \n"), ("", "")]
        {
            assert_eq!(whole(text.as_bytes()).unwrap().expose(), expected);
        }
        assert!(whole(&[0xff, 0xfe][..]).is_err() && whole(io::repeat(b'a')).is_err());
        assert_eq!(whole(&[b'a'; LONGEST][..]).unwrap().expose().len(), LONGEST);
    }
}
