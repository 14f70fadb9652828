//! Inputs: seeds that were changed in the ways in which documents get broken, and documents made of pieces.

use rand::{RngExt, rngs::SmallRng};

use crate::{
    seeds::{Seeds, pieces},
    targets::Kind,
};

const LONGEST: usize = 8 * 1024;
const LONGEST_OF_ALL: usize = 512 * 1024;

/// The next input.
pub fn input(random: &mut SmallRng, seeds: &Seeds, kind: Kind) -> Vec<u8> {
    let mut input = match random.random_range(0..10) {
        0..5 => made_of_pieces(random, kind),
        _ => seeds.pick(random, kind).to_vec(),
    };
    for _ in 0..random.random_range(0..6) {
        mutate(random, seeds, kind, &mut input);
    }
    input.truncate(LONGEST);
    if random.random_range(0..1000) == 0 {
        enlarge(random, &mut input);
    }
    input
}

fn made_of_pieces(random: &mut SmallRng, kind: Kind) -> Vec<u8> {
    let most = if kind == Kind::Short { 8 } else { 60 };
    let count = random.random_range(1..most);
    (0..count).flat_map(|_| piece(random, kind).bytes()).collect()
}

fn piece(random: &mut SmallRng, kind: Kind) -> &'static str {
    let pieces = pieces(kind);
    pieces[random.random_range(0..pieces.len())]
}

fn mutate(random: &mut SmallRng, seeds: &Seeds, kind: Kind, input: &mut Vec<u8>) {
    let (start, end) = range(random, input.len());
    match random.random_range(0..9) {
        0 => {
            if let Some(byte) = input.get_mut(start) {
                *byte ^= 1 << random.random_range(0..8);
            }
        }
        1 => {
            if let Some(byte) = input.get_mut(start) {
                *byte = *b"<>&\"'=/ \n\0\x80\xc2\xe3\xff;![]-?".get(random.random_range(0..20)).unwrap();
            }
        }
        2 | 3 => drop(input.splice(start..start, piece(random, kind).bytes())),
        4 => drop(input.drain(start..end)),
        5 => {
            let copy = input[start..end].to_vec();
            input.splice(start..start, copy);
        }
        6 => {
            let copy = input[start..end.min(start + 64)].repeat(random.random_range(2..40));
            input.splice(start..start, copy);
        }
        7 => {
            let other = seeds.pick(random, kind);
            let (from, to) = range(random, other.len());
            input.splice(start..start, other[from..to].iter().copied());
        }
        _ => input.truncate(end),
    }
    input.truncate(2 * LONGEST);
}

/// Once in a while something as large as anything may be.
fn enlarge(random: &mut SmallRng, input: &mut Vec<u8>) {
    if input.is_empty() {
        return;
    }
    let (start, end) = range(random, input.len());
    let part = input[start..(start + 200).min(end.max(start + 1))].to_vec();
    let times = random.random_range(1..=LONGEST_OF_ALL / part.len());
    input.splice(start..start, part.repeat(times));
    input.truncate(LONGEST_OF_ALL);
}

fn range(random: &mut SmallRng, length: usize) -> (usize, usize) {
    if length == 0 {
        return (0, 0);
    }
    let start = random.random_range(0..length);
    let most = if random.random_range(0..4) == 0 { length } else { (start + 40).min(length) };
    (start, random.random_range(start..=most))
}
