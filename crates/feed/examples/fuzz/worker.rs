//! The worker threads, their counters, and saving failing inputs.

use std::{
    fs, panic,
    path::PathBuf,
    process::{self, ExitCode},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rand::{SeedableRng, rngs::SmallRng};

use crate::{
    folder, mutate,
    seeds::Seeds,
    targets::{self, TARGETS, Target},
};

const THREADS: usize = 2;
const STACK: usize = 2 * 1024 * 1024;
const BATCH: usize = 500;
// A hundred times what a quiet machine needs; quadratic behaviour exceeds it.
const BUDGET: Duration = Duration::from_millis(250);
const NANOSECONDS_PER_BYTE: u64 = 2000;
const STUCK: Duration = Duration::from_secs(20);

/// A number of runs determined by the seed.
#[derive(Debug, Clone, Copy)]
pub struct Batch {
    pub thread: usize,
    pub number: u64,
}

#[derive(Default, Clone)]
struct Count {
    runs: u64,
    bytes: u64,
    failures: u64,
    slowest: Slowest,
}

#[derive(Default, Clone)]
struct Slowest {
    nanoseconds_per_byte: u64,
    bytes: usize,
    start: String,
}

/// The current input of each thread, for the watchdog.
type Current = Arc<Mutex<(Instant, Vec<u8>)>>;

/// Fuzzes for the given time; fails if an input failed.
pub fn work(seed: u64, seconds: u64) -> ExitCode {
    let is_over = Arc::new(AtomicBool::new(false));
    let mut threads: Vec<(JoinHandle<Vec<Count>>, Current)> = Vec::new();
    for thread in 0..THREADS {
        let current: Current = Arc::new(Mutex::new((Instant::now(), Vec::new())));
        let (is_over, mine) = (is_over.clone(), current.clone());
        let run = move || run(seed, thread, &is_over, &mine);
        threads.push((thread::Builder::new().stack_size(STACK).spawn(run).unwrap(), current));
    }
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        thread::park_timeout(Duration::from_millis(500));
        threads.iter().for_each(|(_, current)| watch(current));
    }
    is_over.store(true, Ordering::Relaxed);
    let mut totals = vec![Count::default(); TARGETS.len()];
    for (thread, _) in threads {
        for (total, count) in totals.iter_mut().zip(thread.join().unwrap()) {
            add(total, count);
        }
    }
    report(&totals)
}

/// Repeats a batch, saving each input before it is tried.
pub fn again(seed: u64, batch: Batch) -> ExitCode {
    let current: Current = Arc::new(Mutex::new((Instant::now(), Vec::new())));
    let run = move || {
        let mut counts = vec![Count::default(); TARGETS.len()];
        let path = input_of(batch.thread);
        do_batch(seed, batch, &Seeds::read(), &mut counts, &current, &mut |input| fs::write(&path, input).unwrap());
    };
    thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
    ExitCode::SUCCESS
}

/// The batches that were running when the process died.
pub fn last_batches() -> Vec<Batch> {
    let number = |thread| fs::read_to_string(status_of(thread)).ok()?.trim().parse().ok();
    (0..THREADS).filter_map(|thread| Some(Batch { thread, number: number(thread)? })).collect()
}

/// The file for the input of a thread.
pub fn input_of(thread: usize) -> PathBuf {
    folder().join(format!("died-{thread}"))
}

fn status_of(thread: usize) -> PathBuf {
    folder().join(format!("batch-{thread}"))
}

fn run(seed: u64, thread: usize, is_over: &AtomicBool, current: &Current) -> Vec<Count> {
    let seeds = Seeds::read();
    let mut counts = vec![Count::default(); TARGETS.len()];
    let mut number = 0;
    while !is_over.load(Ordering::Relaxed) {
        fs::write(status_of(thread), number.to_string()).unwrap();
        do_batch(seed, Batch { thread, number }, &seeds, &mut counts, current, &mut |_| {});
        number += 1;
    }
    counts
}

fn do_batch(
    seed: u64,
    batch: Batch,
    seeds: &Seeds,
    counts: &mut [Count],
    current: &Current,
    before: &mut dyn FnMut(&[u8]),
) {
    let thread = u64::try_from(batch.thread).unwrap();
    let mut random = SmallRng::seed_from_u64(seed ^ (thread << 60) ^ (batch.number << 8));
    let index = usize::try_from(batch.number).unwrap() % TARGETS.len();
    let (target, count) = (&TARGETS[index], &mut counts[index]);
    for _ in 0..BATCH {
        let input = mutate::input(&mut random, seeds, target.kind);
        before(&input);
        {
            let mut current = current.lock().unwrap();
            current.0 = Instant::now();
            current.1.clone_from(&input);
        }
        try_input(target, &input, count);
    }
}

fn try_input(target: &Target, input: &[u8], count: &mut Count) {
    count.runs += 1;
    count.bytes += input.len() as u64;
    let start = Instant::now();
    let result = panic::catch_unwind(|| (target.check)(input));
    let mut time = start.elapsed();
    let failure = match result {
        Ok(Ok(())) => None,
        Ok(Err(words)) => Some(words),
        Err(_) => Some("panicked".to_owned()),
    };
    let length = input.len().max(1024) as u64;
    let per_byte = |time: Duration| u64::try_from(time.as_nanos()).unwrap() / length;
    let limit = BUDGET + Duration::from_nanos(NANOSECONDS_PER_BYTE * length);
    if failure.is_none() && (time > limit || per_byte(time) > count.slowest.nanoseconds_per_byte) {
        // Other processes may have used the processor: the best of a few runs counts.
        for _ in 0..5 {
            let start = Instant::now();
            let _known = (target.check)(input);
            time = time.min(start.elapsed());
        }
        if per_byte(time) > count.slowest.nanoseconds_per_byte {
            let start = String::from_utf8_lossy(input).chars().take(60).collect();
            count.slowest = Slowest { nanoseconds_per_byte: per_byte(time), bytes: input.len(), start };
        }
    }
    let failure = failure.or_else(|| (time > limit).then(|| format!("took {time:?}")));
    if let Some(words) = failure {
        count.failures += 1;
        save(target.name, input, &words, count.failures);
    }
}

fn save(target: &str, input: &[u8], words: &str, failures: u64) {
    if failures <= 20 {
        let path = folder().join(format!("{target}-{:016x}", targets::hash(input)));
        fs::write(&path, input).unwrap();
        println!("{target}: {words}: {}", path.display());
    }
}

fn watch(current: &Current) {
    let current = current.lock().unwrap();
    if current.0.elapsed() > STUCK {
        let path = folder().join(format!("stuck-{:016x}", targets::hash(&current.1)));
        fs::write(&path, &current.1).unwrap();
        println!("an input took more than {STUCK:?}: {}", path.display());
        process::exit(1);
    }
}

fn add(total: &mut Count, count: Count) {
    total.runs += count.runs;
    total.bytes += count.bytes;
    total.failures += count.failures;
    if count.slowest.nanoseconds_per_byte > total.slowest.nanoseconds_per_byte {
        total.slowest = count.slowest;
    }
}

fn report(totals: &[Count]) -> ExitCode {
    println!("\n| target | runs | MB | failures | slowest, ns/byte (of at least 1 kB) | of bytes | which begins |");
    println!("|---|---:|---:|---:|---:|---:|---|");
    for (target, count) in TARGETS.iter().zip(totals) {
        let Slowest { nanoseconds_per_byte, bytes, start } = &count.slowest;
        let (name, megabytes) = (target.name, count.bytes / 1_000_000);
        let (runs, failures, start) = (count.runs, count.failures, start.escape_debug());
        println!("| {name} | {runs} | {megabytes} | {failures} | {nanoseconds_per_byte} | {bytes} | `{start}` |");
    }
    let runs: u64 = totals.iter().map(|count| count.runs).sum();
    let failures: u64 = totals.iter().map(|count| count.failures).sum();
    println!("\n{runs} runs, {failures} failures");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
