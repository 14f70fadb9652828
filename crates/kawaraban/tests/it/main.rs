//! The real binary, as a person, a container or a monitor meets it: arguments and environment in, output, code and
//! answers out.
#![cfg(test)]

mod cable;
mod command_line;
mod databases;
mod feed;
mod fetching;
mod flood;
mod healthcheck;
mod jobs;
mod logs;
mod opml;
mod outages;
mod people;
mod program;
mod refresh;
mod serving;
mod settings;
mod signing_in;
mod site;
mod stopping;
mod subscribing;
mod user;
