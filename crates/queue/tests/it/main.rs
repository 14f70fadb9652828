//! Tests of the queue on both databases, with real workers.
#![cfg(test)]

mod ends;
mod fixture;
mod interruptions;
mod limits;
mod time;
