//! `completions`: a completion script for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{cli::Cli, failure::Failure, output};

/// Prints the script for `shell`.
pub fn print(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "kawaraban", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
