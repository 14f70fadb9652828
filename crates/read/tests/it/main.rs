//! The rules of Read on real databases, against real origin servers on loopback.

#![cfg(test)]

mod cleaning;
mod counters;
mod counting;
mod desk;
mod events;
mod excerpts;
mod fetching;
mod figures;
mod icons;
mod importing;
mod job;
mod kinds;
mod leftovers;
mod marking;
mod merging;
mod newsroom;
mod reading_room;
mod searching;
mod shelves;
mod subscribing;
