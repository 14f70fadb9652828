//! The rules of Read on real databases, against real origin servers on loopback.

#![cfg(test)]

mod cleaning;
mod counters;
mod counting;
mod events;
mod excerpts;
mod fetching;
mod figures;
mod folders;
mod full_texts;
mod icons;
mod importing;
mod jobs;
mod kinds;
mod marking;
mod merging;
mod responses;
mod searching;
mod subscribing;
mod test_reader;
