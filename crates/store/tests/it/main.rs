//! The store on both databases: the same stories, a database of its own for each.
#![cfg(test)]

mod claims;
mod faults;
mod jobs;
mod lists;
mod migrations;
mod neighbours;
mod queries;
mod reader_tables;
mod throttles;
mod transactions;
mod upgrade;
