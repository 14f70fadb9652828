//! Tests of the store. Each runs on both databases, with its own database.
#![cfg(test)]

mod claims;
mod faults;
mod jobs;
mod lists;
mod locked_rows;
mod migrations;
mod queries;
mod reader_tables;
mod throttles;
mod transactions;
mod upgrade;
