//! The configuration file on disk: opened, changed, broken, replaced and deleted.

#![cfg(test)]

mod log_lines;
mod open;
mod reload;
