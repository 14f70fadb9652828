//! `watch`: shows which posts are found at an address. Nothing is stored.

mod find;
mod shown;

use crate::{cli::WatchCommand, config::Environment, failure::Failure};

/// Runs one of the commands.
pub fn run(environment: &Environment, command: &WatchCommand) -> Result<(), Failure> {
    match command {
        WatchCommand::Find(what) => find::find(environment, what),
    }
}
