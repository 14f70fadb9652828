//! The queue on both databases, with real workers.
#![cfg(test)]

mod ends;
mod limits;
mod stage;
mod survives;
mod time;
