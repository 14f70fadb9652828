//! Compares texts by their sequences of four words or characters.

use std::collections::HashMap;

const LENGTH: usize = 4;

/// What a sequence is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Words,
    Characters,
}

/// The shares of sequences that are in both texts, in the found one only, and in the expected one only.
pub struct Overlap {
    both: f64,
    extra: f64,
    missing: f64,
}

impl Overlap {
    pub fn precision(&self) -> f64 {
        share(self.both, self.extra, self.missing)
    }

    pub fn recall(&self) -> f64 {
        share(self.both, self.missing, self.extra)
    }
}

fn share(both: f64, errors: f64, others: f64) -> f64 {
    if errors == 0.0 && others == 0.0 {
        1.0
    } else if both == 0.0 {
        0.0
    } else {
        both / (both + errors)
    }
}

pub fn overlap(expected: &str, found: &str, unit: Unit) -> Overlap {
    let (expected, found) = (sequences(expected, unit), sequences(found, unit));
    let both: usize = expected.iter().map(|(key, count)| (*count).min(found.get(key).copied().unwrap_or(0))).sum();
    let total = |counts: &HashMap<Vec<String>, usize>| counts.values().sum::<usize>();
    let (extra, missing) = (total(&found) - both, total(&expected) - both);
    Overlap { both: both as f64, extra: extra as f64, missing: missing as f64 }
}

/// The mean precision and recall. Pages where nothing was found have no precision, as in the benchmark.
pub fn mean(overlaps: &[Overlap]) -> (f64, f64) {
    let average = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let found = overlaps.iter().filter(|overlap| overlap.both + overlap.extra > 0.0);
    let expected = overlaps.iter().filter(|overlap| overlap.both + overlap.missing > 0.0);
    (average(found.map(Overlap::precision).collect()), average(expected.map(Overlap::recall).collect()))
}

pub fn f1(precision: f64, recall: f64) -> f64 {
    if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
}

fn sequences(text: &str, unit: Unit) -> HashMap<Vec<String>, usize> {
    let parts: Vec<String> = match unit {
        Unit::Words => text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect(),
        Unit::Characters => text.chars().filter(|c| !c.is_whitespace()).map(String::from).collect(),
    };
    let mut counts = HashMap::new();
    if !parts.is_empty() && parts.len() < LENGTH {
        counts.insert(parts, 1);
        return counts;
    }
    for part in parts.windows(LENGTH) {
        *counts.entry(part.to_vec()).or_insert(0) += 1;
    }
    counts
}
