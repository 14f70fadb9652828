//! The failure of a command: its message and exit code.

use std::{error::Error, fmt, process::ExitCode};

/// A command's failure.
#[derive(Debug)]
pub enum Failure {
    /// Invalid settings.
    Settings(Vec<String>),
    /// An invalid command line.
    CommandLine(String),
    /// An invalid configuration file.
    ConfigFile(String),
    /// A failure while running.
    Running(String),
}

impl Failure {
    /// A failure while running.
    pub fn new(words: impl Into<String>) -> Self {
        Failure::Running(words.into())
    }

    /// A failure with its chain of causes.
    pub fn because(what: impl fmt::Display, why: &dyn Error) -> Self {
        Failure::Running(format!("{what}: {}", chain(why)))
    }

    /// An invalid setting.
    pub fn setting(problem: impl Into<String>) -> Self {
        Failure::Settings(vec![problem.into()])
    }

    /// Adds problems to [`Failure::Settings`]. Other failures stay unchanged.
    pub fn with_settings(self, more: impl IntoIterator<Item = String>) -> Self {
        match self {
            Failure::Settings(problems) => Failure::Settings(problems.into_iter().chain(more).collect()),
            other => other,
        }
    }

    /// An invalid command line.
    pub fn command_line(words: impl Into<String>) -> Self {
        Failure::CommandLine(words.into())
    }

    /// 1 for a failure while running, 2 for invalid settings, an invalid configuration file or an invalid command line.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Running(_) => 1,
            Failure::Settings(_) | Failure::ConfigFile(_) | Failure::CommandLine(_) => 2,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Running(words) | Failure::ConfigFile(words) | Failure::CommandLine(words) => f.write_str(words),
            Failure::Settings(problems) => {
                let subject = if problems.len() == 1 { "this setting is" } else { "these settings are" };
                write!(f, "{subject} not valid:")?;
                problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))?;
                f.write_str("\n`kawaraban config` shows all settings and their origin")
            }
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Failure::Running(chain(&error))
    }
}

/// An error and its causes on one line. A cause that its parent repeats appears once.
pub fn chain(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !words.ends_with(&next) {
            words.push_str(": ");
            words.push_str(&next);
        }
        cause = error.source();
    }
    words
}
