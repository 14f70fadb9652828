//! Writes docs/feed-conformance.md: the results, and the reasons of failing cases.

use std::{collections::BTreeMap, fmt::Write};

use crate::{Floor, Tally};

/// `path<TAB>reason`; a path may end with `*`.
const REASONS: &str = include_str!("reasons.txt");

const HEAD: &str = "# How the feed engine compares with feedparser

Written by `make corpus`; a test fails when it is stale. The cases are those of Python's feedparser 6.0.14. Useful means:
a title or at least one entry; of a date, that it was read. In scope are the expectations about what our model has:
title, link, id, summary, content, author, dates, categories, enclosures and comments of entries; title, link,
description and date of the feed. Values are compared as text or as HTML of one spelling, before and after our
sanitiser. Out of scope: fields that we do not keep, the encoding's name, and what feedparser's own sanitiser leaves of
hostile HTML (`wellformed/sanitize`), whose policy is another than ours.

";

/// The document, and the problems: failing cases without a reason, and reasons of cases that hold.
pub fn write(tallies: &BTreeMap<&str, Tally>, floors: &[Floor]) -> (String, Vec<String>) {
    let mut out = HEAD.to_owned();
    out.push_str(
        "| set | cases | useful | useful with feedparser | in scope | hold | |\n|---|---|---|---|---|---|---|\n",
    );
    for floor in floors {
        let tally = &tallies[floor.set];
        let percent = 100.0 * tally.holding as f64 / tally.in_scope.max(1) as f64;
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {percent:.1} % |",
            floor.set, tally.cases, tally.useful, floor.feedparser, tally.in_scope, tally.holding
        )
        .unwrap();
    }
    let (mut explained, mut unexplained): (BTreeMap<&str, Vec<&str>>, _) = (BTreeMap::new(), Vec::new());
    for (name, what) in tallies.values().flat_map(|tally| &tally.failing) {
        match reason(name) {
            Some(reason) => explained.entry(reason).or_default().push(name),
            None => unexplained.push(format!("{name}: {what}")),
        }
    }
    let failing = || tallies.values().flat_map(|tally| &tally.failing);
    let idle = reasons().filter(|(path, _)| !failing().any(|(name, _)| fits(path, name)));
    unexplained.extend(idle.map(|(path, _)| format!("{path}: holds now, remove its reason")));
    out.push_str("\n## What does not hold, and why\n");
    for (reason, names) in explained {
        writeln!(out, "\n{reason}\n").unwrap();
        names.iter().for_each(|name| writeln!(out, "- {name}").unwrap());
    }
    (out, unexplained)
}

fn reasons() -> impl Iterator<Item = (&'static str, &'static str)> {
    REASONS.lines().filter_map(|line| line.split_once('\t'))
}

fn fits(path: &str, name: &str) -> bool {
    path.strip_suffix('*').map_or(path == name, |start| name.starts_with(start))
}

fn reason(name: &str) -> Option<&'static str> {
    reasons().find(|(path, _)| fits(path, name)).map(|(_, reason)| reason)
}
