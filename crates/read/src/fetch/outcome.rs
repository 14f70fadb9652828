//! The outcome of a fetch: the feed's new row and what else becomes true with it. Nothing here does IO.

use std::time::Duration;

use chrono::{DateTime, Utc};
use net::{Response, Url};
use store::feeds::{FetchRecord, FetchStatus};

use super::{
    Asked, Ended, Fetch,
    document::{Changes, Document, Unreadable},
    plan::{self, Answered, PublisherHints},
};
use crate::{FetchIcon, Notes, Problem, StoredFetch, fetch_icon::site_of, problem::in_full};

/// This many responses in a row that are not feeds stop a feed.
const MAX_PARSE_FAILURES: i64 = 10;
/// A permanent redirect is believed when it is seen this often.
const TIMES_TO_BELIEVE: i64 = 2;
/// The limit of the columns for validators, in characters.
const MAX_VALIDATOR: usize = 500;
/// The longest address of a feed, in bytes.
const MAX_ADDRESS: usize = 2_048;

/// What a fetch came to, ready to be stored.
pub(crate) struct Outcome {
    pub asked: Asked,
    pub ended: Ended,
    pub record: FetchRecord,
    pub changes: Changes,
    /// The search for an icon, if the feed never had one.
    pub icon: Option<FetchIcon>,
    /// The fetcher's own.
    pub notes: Option<Notes>,
}

/// Why a fetch failed.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub problem: Problem,
    /// The details, for the owner.
    pub detail: String,
    /// How long the site asks us to wait.
    pub retry_after: Option<Duration>,
}

impl Outcome {
    pub fn unchanged(asked: Asked, response: &Response, now: DateTime<Utc>) -> Outcome {
        let record = asked.fetch.unchanged(response, now);
        Outcome { asked, ended: Ended::Unchanged, record, changes: Changes::default(), icon: None, notes: None }
    }

    pub fn changed(
        asked: Asked,
        response: &Response,
        document: &Document,
        changes: Changes,
        now: DateTime<Utc>,
    ) -> Outcome {
        let record = asked.fetch.fetched(response, document, &changes, now);
        let icon = missing_icon(&asked.fetch, document);
        let ended = Ended::Changed { new: changes.new.len(), changed: changes.changed.len() };
        Outcome { asked, ended, record, changes, icon, notes: None }
    }

    pub fn failed(asked: Asked, failure: Failure, now: DateTime<Utc>) -> Outcome {
        let ended = Ended::Failed(failure.problem);
        let record = asked.fetch.failed(failure, now);
        Outcome { asked, ended, record, changes: Changes::default(), icon: None, notes: None }
    }

    /// Where the feed has moved, once that is believed.
    pub fn new_address(&self) -> Option<Url> {
        let believed = self.record.moved_seen >= TIMES_TO_BELIEVE && !matches!(self.ended, Ended::Failed(_));
        self.record.moved_to.as_deref().filter(|_| believed).and_then(|url| Url::parse(url).ok())
    }

    /// The outcome as its fetcher sees it.
    pub fn stored(&self) -> StoredFetch<'_> {
        let problem = match self.ended {
            Ended::Failed(problem) => Some((problem, self.record.error_message.as_deref().unwrap_or_default())),
            _ => None,
        };
        StoredFetch {
            feed: self.record.feed,
            feed_url: &self.asked.fetch.feed.feed_url,
            now: self.record.now,
            status: self.asked.status,
            is_unchanged: self.ended == Ended::Unchanged,
            new_items: &self.changes.new,
            problem,
            failed_before: self.asked.fetch.feed.consecutive_errors > 0,
            notes: self.notes.as_ref(),
        }
    }

    /// Whether open pages show something else than before.
    pub fn is_visible(&self) -> bool {
        self.ended != Ended::Unchanged || self.asked.fetch.feed.consecutive_errors > 0 || self.new_address().is_some()
    }
}

impl Failure {
    /// The failure that an error means; `None` if the request was not sent.
    pub fn of_error(error: &net::Error) -> Option<Failure> {
        let problem = Problem::of_error(error)?;
        Some(Failure { problem, detail: in_full(error), retry_after: None })
    }

    pub fn of_status(problem: Problem, response: &Response, now: DateTime<Utc>) -> Failure {
        let retry_after = response.retry_after.map(|at| at.wait(now));
        Failure { problem, detail: format!("the server answered {}", response.status), retry_after }
    }

    pub fn unreadable(error: &Unreadable) -> Failure {
        Failure { problem: Problem::NotAFeed, detail: error.to_string(), retry_after: None }
    }
}

/// The rows that a fetch can lead to. Subscribing uses them too.
impl Fetch {
    /// The row after a document.
    pub fn fetched(
        &self,
        response: &Response,
        document: &Document,
        changes: &Changes,
        now: DateTime<Utc>,
    ) -> FetchRecord {
        let hints = PublisherHints::of(document.hints());
        FetchRecord {
            title: document.title(),
            site_url: document.site_url(),
            content_hash: Some(document.content_hash().to_owned()),
            hints: hints.to_keep(),
            has_document: true,
            items_added: i64::try_from(changes.new.len()).unwrap_or(i64::MAX),
            ..self.answered(response, &hints, now)
        }
    }

    /// The row after a failure: another try later, or none.
    pub fn failed(&self, failure: Failure, now: DateTime<Utc>) -> FetchRecord {
        let Failure { problem, detail, retry_after } = failure;
        let consecutive_errors = self.feed.consecutive_errors + 1;
        let parse_failures = self.feed.parse_failures + i64::from(problem == Problem::NotAFeed);
        let stops = problem.stops() || parse_failures >= MAX_PARSE_FAILURES;
        let next_fetch_at = plan::after_failure(now, consecutive_errors, retry_after, rand::random());
        FetchRecord {
            status: if stops { FetchStatus::Stopped } else { FetchStatus::Error },
            consecutive_errors,
            parse_failures,
            error_code: Some(problem.code()),
            error_message: Some(detail),
            ..FetchRecord::of(&self.feed, self.token, self.started_at, now, next_fetch_at)
        }
    }

    /// The row after an answer without a new document.
    fn unchanged(&self, response: &Response, now: DateTime<Utc>) -> FetchRecord {
        self.answered(response, &PublisherHints::kept(self.feed.hints.as_deref()), now)
    }

    fn answered(&self, response: &Response, hints: &PublisherHints, now: DateTime<Utc>) -> FetchRecord {
        let feed = &self.feed;
        let answered = Answered {
            interval_minutes: feed.interval_minutes,
            hints,
            fresh_for: response.freshness.fresh_for(now),
            retry_after: response.retry_after.map(|at| at.wait(now)),
        };
        let short = |text: &Option<String>| text.clone().filter(|text| text.chars().count() <= MAX_VALIDATOR);
        // A 304 may leave out what it does not change.
        let or_claimed = |new: Option<String>, old: &Option<String>| {
            if response.is_not_modified() { new.or_else(|| old.clone()) } else { new }
        };
        let moved_to = response.moved_to.as_ref().map(Url::to_string);
        let moved_to = moved_to.filter(|url| *url != feed.feed_url && url.len() <= MAX_ADDRESS);
        let moved_seen = match &moved_to {
            None => 0,
            Some(_) if moved_to == feed.moved_to => feed.moved_seen + 1,
            Some(_) => 1,
        };
        let final_url = response.url.to_string();
        let next_fetch_at = plan::after_success(now, answered, rand::random());
        FetchRecord {
            etag: or_claimed(short(&response.validators.etag), &feed.etag),
            last_modified: or_claimed(short(&response.validators.last_modified), &feed.last_modified),
            final_url: (final_url != feed.feed_url).then_some(final_url),
            moved_to,
            moved_seen,
            ..FetchRecord::of(&self.feed, self.token, self.started_at, now, next_fetch_at)
        }
    }
}

/// A feed that came without an icon, from a file or while its site was down, gets its chance.
fn missing_icon(fetch: &Fetch, document: &Document) -> Option<FetchIcon> {
    if fetch.feed.favicon_checked_at.is_some() {
        return None;
    }
    let site = site_of(document.site_url().as_deref(), &fetch.feed.feed_url);
    let named = document.icon().map(str::to_owned);
    Some(FetchIcon { named, ..FetchIcon::new(fetch.feed.id, site.as_ref()) })
}
