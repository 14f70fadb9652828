//! Measures the extraction on public benchmarks. `scripts/measure-article` fetches nothing and runs this with the folders:
//!
//! `measure AEB MOZILLA POSTLIGHT [--pages]`, where AEB has its pages decompressed.

mod corpora;
mod shingles;

use std::time::{Duration, Instant};

use article::{PageContext, Rules, decode, extract};
use corpora::Sample;
use shingles::{Overlap, Unit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let shows_pages = arguments.iter().any(|argument| argument == "--pages");
    arguments.retain(|argument| argument != "--pages");
    let [aeb, mozilla, postlight] = arguments.as_slice() else {
        return Err("usage: measure AEB MOZILLA POSTLIGHT [--pages]".into());
    };
    let mut clock = Clock::default();
    let aeb = corpora::article_extraction_benchmark(aeb.as_ref())?;
    let mozilla = corpora::mozilla(mozilla.as_ref())?;
    let japanese = corpora::japanese(postlight.as_ref(), &mozilla)?;
    let run = |name: &str, samples: &[Sample], unit: Unit, clock: &mut Clock| {
        let overlaps: Vec<Overlap> = samples.iter().map(|sample| clock.score(sample, unit)).collect();
        if shows_pages {
            for (sample, overlap) in samples.iter().zip(&overlaps) {
                println!("{name} {:.3} {:.3} {}", overlap.precision(), overlap.recall(), sample.path.display());
            }
        }
        let (precision, recall) = shingles::mean(&overlaps);
        let f1 = shingles::f1(precision, recall);
        println!("{name:10} {:4} pages  F1 {f1:.4}  precision {precision:.4}  recall {recall:.4}", samples.len());
        let each: f64 = overlaps.iter().map(|overlap| shingles::f1(overlap.precision(), overlap.recall())).sum();
        println!("{:10} mean F1 of pages {:.4}", "", each / overlaps.len().max(1) as f64);
    };
    run("aeb", &aeb, Unit::Words, &mut clock);
    println!("{:10} {:.0} pages/s", "", clock.rate());
    run("mozilla", &mozilla, Unit::Words, &mut clock);
    run("japanese", &japanese, Unit::Characters, &mut clock);
    println!("{:10} {:.0} pages/s", "all", clock.rate());
    Ok(())
}

/// The time spent on extraction alone.
#[derive(Default)]
struct Clock {
    spent: Duration,
    pages: u32,
}

impl Clock {
    fn score(&mut self, sample: &Sample, unit: Unit) -> Overlap {
        let rules = Rules::default();
        let context = PageContext { base_url: sample.url.as_ref(), rules: &rules, now: chrono::DateTime::UNIX_EPOCH };
        let start = Instant::now();
        let found = extract(&decode(&sample.page, None), &context);
        self.spent += start.elapsed();
        self.pages += 1;
        let text = found.map(|article| article.text).unwrap_or_default();
        shingles::overlap(&sample.expected, &text, unit)
    }

    fn rate(&self) -> f64 {
        f64::from(self.pages) / self.spent.as_secs_f64()
    }
}
