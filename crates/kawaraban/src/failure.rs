//! Why a command failed, for a person to read, and the code it ends with.

use std::{error::Error, fmt, process::ExitCode};

/// A command's failure.
#[derive(Debug)]
pub enum Failure {
    /// The settings cannot be used.
    Settings(Vec<String>),
    /// The command line cannot be used.
    CommandLine(String),
    /// Something went wrong while running.
    Running(String),
}

impl Failure {
    /// A failure while running.
    pub fn new(words: impl Into<String>) -> Self {
        Failure::Running(words.into())
    }

    /// What could not be done, and why, down to the first cause.
    pub fn because(what: impl fmt::Display, why: &dyn Error) -> Self {
        Failure::Running(format!("{what}: {}", chain(why)))
    }

    /// A setting that turned out to be unusable.
    pub fn setting(problem: impl Into<String>) -> Self {
        Failure::Settings(vec![problem.into()])
    }

    /// The same with more lines about settings; other failures stay as they are.
    pub fn with_settings(self, more: impl IntoIterator<Item = String>) -> Self {
        match self {
            Failure::Settings(problems) => Failure::Settings(problems.into_iter().chain(more).collect()),
            other => other,
        }
    }

    /// A command line that turned out to be unusable.
    pub fn command_line(words: impl Into<String>) -> Self {
        Failure::CommandLine(words.into())
    }

    /// 1 for what went wrong while running, 2 for what somebody wrote.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Running(_) => 1,
            Failure::Settings(_) | Failure::CommandLine(_) => 2,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Running(words) | Failure::CommandLine(words) => f.write_str(words),
            Failure::Settings(problems) => {
                let those = if problems.len() == 1 { "this setting" } else { "these settings" };
                write!(f, "{those} cannot be used:")?;
                problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))?;
                f.write_str("\n`kawaraban config` shows every setting and where it comes from")
            }
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Failure::Running(chain(&error))
    }
}

/// An error and its causes on one line; a cause that its parent repeats is told once.
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
