//! Generated articles: a third English, two thirds Japanese, with common and rare words.

use rand::{RngExt, SeedableRng, rngs::StdRng};

const ENGLISH: usize = 30_000;
const JAPANESE: usize = 20_000;
const SYLLABLES: [&str; 24] = [
    "ta", "ren", "mo", "si", "va", "lor", "ki", "den", "pa", "ous", "tri", "mel", "ga", "bert", "ish", "con", "pro",
    "ment", "al", "er", "stu", "nic", "wo", "fy",
];
const PARTICLES: [&str; 12] = ["の", "を", "に", "は", "が", "と", "で", "も", "から", "した", "している", "について"];

/// Generates the same articles for the same seed.
pub struct Texts {
    random: StdRng,
    english: Vec<String>,
    japanese: Vec<String>,
}

impl Texts {
    pub fn new(seed: u64) -> Texts {
        let mut random = StdRng::seed_from_u64(seed);
        let english =
            (0..ENGLISH).map(|_| (0..random.random_range(1..4)).map(|_| pick(&mut random, &SYLLABLES)).collect());
        let english = english.collect();
        let japanese = (0..JAPANESE).map(|_| japanese_word(&mut random)).collect();
        Texts { random, english, japanese }
    }

    /// A title and a body of about 1.5 kB.
    pub fn article(&mut self) -> (String, String) {
        if self.random.random_bool(0.35) { self.english_article() } else { self.japanese_article() }
    }

    fn english_article(&mut self) -> (String, String) {
        let title: Vec<String> = (0..8).map(|_| self.english_word()).collect();
        let mut words: Vec<String> = (0..self.random.random_range(120..300)).map(|_| self.english_word()).collect();
        for (word, share) in [("people", 0.6), ("today", 0.6), ("zyzzyva", 0.0003), ("people today", 0.05)] {
            self.sprinkle(&mut words, word, share);
        }
        let paragraphs: Vec<String> = words.chunks(60).map(|words| format!("<p>{}.</p>", words.join(" "))).collect();
        (title.join(" "), paragraphs.join("\n"))
    }

    fn japanese_article(&mut self) -> (String, String) {
        let title: Vec<String> = (0..5).map(|_| self.japanese_phrase()).collect();
        let mut words: Vec<String> = (0..self.random.random_range(60..160)).map(|_| self.japanese_phrase()).collect();
        for (word, share) in
            [("東京", 0.3), ("大阪", 0.3), ("瓦版", 0.0003), ("機械学習", 0.03), ("猫", 0.05), ("鼬", 0.0002)]
        {
            self.sprinkle(&mut words, word, share);
        }
        let paragraphs: Vec<String> = words.chunks(30).map(|words| format!("<p>{}。</p>", words.concat())).collect();
        (title.concat(), paragraphs.join("\n"))
    }

    fn sprinkle(&mut self, words: &mut Vec<String>, word: &str, share: f64) {
        if self.random.random_bool(share) {
            let at = self.random.random_range(0..words.len());
            words.insert(at, word.to_owned());
        }
    }

    fn english_word(&mut self) -> String {
        let place = skewed(&mut self.random, ENGLISH);
        self.english[place].clone()
    }

    fn japanese_phrase(&mut self) -> String {
        let place = skewed(&mut self.random, JAPANESE);
        format!("{}{}", self.japanese[place], pick(&mut self.random, &PARTICLES))
    }
}

/// A random number below `most` that is small more often, as in the frequency of words: each power of two is as likely as
/// the next.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "small numbers"
)]
fn skewed(random: &mut StdRng, most: usize) -> usize {
    ((most as f64).powf(random.random_range(0.0..1.0)) as usize).min(most - 1)
}

fn pick<'a>(random: &mut StdRng, from: &[&'a str]) -> &'a str {
    from[random.random_range(0..from.len())]
}

/// Two or three Han characters of two thousand, or a word in katakana.
fn japanese_word(random: &mut StdRng) -> String {
    let (first, count, letters) = if random.random_bool(0.7) { (0x4E00, 2_000, 1..4) } else { (0x30A2, 60, 3..6) };
    let letter = |random: &mut StdRng| char::from_u32(first + u32::try_from(skewed(random, count)).unwrap_or_default());
    (0..random.random_range(letters)).filter_map(|_| letter(random)).collect()
}
