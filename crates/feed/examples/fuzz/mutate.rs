//! Generates inputs: mutated seeds, and documents made of fragments.

use rand::{RngExt, rngs::SmallRng};

use crate::{
    seeds::{Seeds, fragments},
    targets::Kind,
};

const MAX_BYTES: usize = 8 * 1024;
const MAX_ENLARGED_BYTES: usize = 512 * 1024;

/// The next input.
pub fn input(random: &mut SmallRng, seeds: &Seeds, kind: Kind) -> Vec<u8> {
    let mut input = match random.random_range(0..10) {
        0..5 => made_of_fragments(random, kind),
        _ => seeds.pick(random, kind).to_vec(),
    };
    for _ in 0..random.random_range(0..6) {
        mutate(random, seeds, kind, &mut input);
    }
    input.truncate(MAX_BYTES);
    if random.random_range(0..1000) == 0 {
        enlarge(random, &mut input);
    }
    input
}

fn made_of_fragments(random: &mut SmallRng, kind: Kind) -> Vec<u8> {
    let most = if kind == Kind::Short { 8 } else { 60 };
    let count = random.random_range(1..most);
    (0..count).flat_map(|_| fragment(random, kind).bytes()).collect()
}

fn fragment(random: &mut SmallRng, kind: Kind) -> &'static str {
    let fragments = fragments(kind);
    fragments[random.random_range(0..fragments.len())]
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
        2 | 3 => drop(input.splice(start..start, fragment(random, kind).bytes())),
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
    input.truncate(2 * MAX_BYTES);
}

/// Sometimes enlarges an input to the maximum size of a document.
fn enlarge(random: &mut SmallRng, input: &mut Vec<u8>) {
    if input.is_empty() {
        return;
    }
    let (start, end) = range(random, input.len());
    let part = input[start..(start + 200).min(end.max(start + 1))].to_vec();
    let times = random.random_range(1..=MAX_ENLARGED_BYTES / part.len());
    input.splice(start..start, part.repeat(times));
    input.truncate(MAX_ENLARGED_BYTES);
}

fn range(random: &mut SmallRng, length: usize) -> (usize, usize) {
    if length == 0 {
        return (0, 0);
    }
    let start = random.random_range(0..length);
    let most = if random.random_range(0..4) == 0 { length } else { (start + 40).min(length) };
    (start, random.random_range(start..=most))
}
