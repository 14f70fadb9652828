//! Mutation fuzzing of all parsers of untrusted bytes, on stable Rust.
//!
//! `make fuzz` runs it for `FUZZ_SECONDS` (60); `FUZZ_SEED` repeats a run. A child process does the work on two threads with
//! stacks of 2 MB, in batches that depend on the seed. If it dies, its batches are repeated, and each input is saved before
//! it is tried, so that a stack overflow can be reproduced. An input that causes a panic, ends the process, violates a
//! property or takes more than linear time is saved in `target/fuzz`, and the run fails.
#![expect(clippy::unwrap_used, reason = "a run that cannot be made ends")]

mod mutate;
mod seeds;
mod targets;
mod worker;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::{SystemTime, UNIX_EPOCH},
};

use worker::Batch;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["work", seed, seconds] => worker::work(seed.parse().unwrap(), seconds.parse().unwrap()),
        ["again", seed, thread, number] => {
            let batch = Batch { thread: thread.parse().unwrap(), number: number.parse().unwrap() };
            worker::again(seed.parse().unwrap(), batch)
        }
        _ => supervise(),
    }
}

fn supervise() -> ExitCode {
    let seconds: u64 = setting("FUZZ_SECONDS").unwrap_or(60);
    let seed: u64 = setting("FUZZ_SEED").unwrap_or_else(seed_of_the_day);
    fs::create_dir_all(folder()).unwrap();
    println!("{seconds} s with seed {seed} (FUZZ_SEED={seed} repeats the run)");
    let mut work = Command::new(env::current_exe().unwrap());
    let status = work.args(["work", &seed.to_string(), &seconds.to_string()]).status().unwrap();
    match status.code() {
        Some(0) => return ExitCode::SUCCESS,
        Some(1) => return ExitCode::FAILURE,
        _ => println!("the process died ({status}); searching for the input"),
    }
    for batch in worker::last_batches() {
        let mut again = Command::new(env::current_exe().unwrap());
        let (thread, number) = (batch.thread.to_string(), batch.number.to_string());
        if !again.args(["again", &seed.to_string(), &thread, &number]).status().unwrap().success() {
            println!("found: {}", worker::input_of(batch.thread).display());
        }
    }
    ExitCode::FAILURE
}

/// The folder of failing inputs.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz")
}

#[expect(clippy::disallowed_methods, reason = "settings of a run")]
fn setting(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

#[expect(clippy::disallowed_methods, reason = "each run has another seed")]
fn seed_of_the_day() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs())
}
