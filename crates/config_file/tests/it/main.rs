//! The configuration file as its users see it: a text or a file on disk.

#![cfg(test)]
