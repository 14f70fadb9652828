//! Writing down how a fetch ended.

use std::time::Duration;

use chrono::{DateTime, Utc};
use net::{Response, Url};
use store::{
    Change, Topic,
    feeds::{self, Failed, FetchStatus, Moved, Unchanged},
    subscriptions,
};

use super::{
    Ended, Fetch,
    arrivals::{Arrival, OnItsWay},
    document::{Document, Unreadable},
    plan::{self, Answered, PublisherHints},
};
use crate::{
    Events, FetchIcon, Problem, Reader,
    fetch_icon::site_of,
    problem::{in_full, printable_address},
};

/// So many failures to read in a row stop a feed.
const MOST_PARSE_FAILURES: i64 = 10;
/// A permanent redirect is believed when it is seen this often.
const TIMES_TO_BELIEVE: i64 = 2;
/// The longest validator that is kept.
const LONGEST_VALIDATOR: usize = 500;
/// The longest address of a feed, in bytes.
const LONGEST_ADDRESS: usize = 2_048;

/// A fetch that went well, whatever the document.
pub(super) struct Success {
    etag: Option<String>,
    last_modified: Option<String>,
    final_url: Option<String>,
    moved: Moved,
    freshness: net::Freshness,
    retry_after: Option<net::RetryAfter>,
}

/// A fetch that failed.
pub(crate) struct Failure {
    pub problem: Problem,
    /// The details, for the owner.
    pub detail: String,
    /// How long the site asks us to wait.
    pub retry_after: Option<Duration>,
}

impl Success {
    pub fn of(fetch: &Fetch, response: &Response) -> Success {
        let feed = &fetch.feed;
        let short = |text: &Option<String>| text.clone().filter(|text| text.chars().count() <= LONGEST_VALIDATOR);
        // A 304 may leave out what it does not change.
        let keep = |new: Option<String>, old: &Option<String>| {
            if response.is_not_modified() { new.or_else(|| old.clone()) } else { new }
        };
        let moved_to = response
            .moved_to
            .as_ref()
            .map(Url::to_string)
            .filter(|url| *url != feed.feed_url && url.len() <= LONGEST_ADDRESS);
        let seen = match &moved_to {
            None => 0,
            Some(_) if moved_to == feed.moved_to => feed.moved_seen + 1,
            Some(_) => 1,
        };
        let final_url = response.url.to_string();
        Success {
            etag: keep(short(&response.validators.etag), &feed.etag),
            last_modified: keep(short(&response.validators.last_modified), &feed.last_modified),
            final_url: (final_url != feed.feed_url).then_some(final_url),
            moved: Moved { to: moved_to, seen },
            freshness: response.freshness.clone(),
            retry_after: response.retry_after,
        }
    }

    pub fn unchanged(&self, ended: feeds::Ended) -> Unchanged {
        Unchanged {
            ended,
            etag: self.etag.clone(),
            last_modified: self.last_modified.clone(),
            final_url: self.final_url.clone(),
            moved: self.moved.clone(),
        }
    }

    /// Where the feed has moved, once that is believed.
    fn new_address(&self) -> Option<Url> {
        let believed = self.moved.seen >= TIMES_TO_BELIEVE;
        self.moved.to.as_deref().filter(|_| believed).and_then(|url| Url::parse(url).ok())
    }
}

impl Failure {
    /// The failure that an error means; `None` if the fault is ours.
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

impl Reader {
    /// There is nothing new: one row is written.
    pub(super) async fn apply_unchanged(&self, fetch: &Fetch, success: &Success) -> store::Result<Ended> {
        if success.new_address().is_some() || fetch.feed.consecutive_errors > 0 {
            return self.apply_recovery(fetch, success).await;
        }
        let hints = PublisherHints::kept(fetch.feed.hints.as_deref());
        let ended = self.ended(fetch, success, &hints);
        let kept = feeds::mark_unchanged(&self.db, &success.unchanged(ended)).await?;
        Ok(if kept { Ended::Unchanged } else { Ended::LostLease })
    }

    /// There is nothing new, and somebody should hear that the feed is well again, or has moved.
    async fn apply_recovery(&self, fetch: &Fetch, success: &Success) -> store::Result<Ended> {
        let hints = PublisherHints::kept(fetch.feed.hints.as_deref());
        let ended = self.ended(fetch, success, &hints);
        if !feeds::mark_unchanged(&self.db, &success.unchanged(ended)).await? {
            return Ok(Ended::LostLease);
        }
        self.db
            .transact(async |tx| {
                tx.changed(Change::Feed(fetch.feed.id));
                self.follow(tx, fetch, success).await?;
                Ok(Ended::Unchanged)
            })
            .await
    }

    /// There is a new document: items, states, counters, validators and schedule become true together.
    pub(super) async fn apply_document(
        &self,
        fetch: &Fetch,
        success: Success,
        document: Document,
        on_its_way: OnItsWay<'_>,
    ) -> store::Result<Ended> {
        let now = self.clock.now();
        let changes = match fetch.feed.items_added {
            0 => document.all_new(now).await,
            _ => document.compare(&self.db, fetch.feed.id, now).await?,
        };
        let arrival = Arrival { fetch: fetch.clone(), success, document: document.clone(), changes };
        let ended = self.store_arrival(arrival, on_its_way).await?;
        self.ask_for_missing_icon(fetch, &document).await;
        Ok(ended)
    }

    /// A feed that came without an icon, from a file or while its site was down, gets its chance.
    async fn ask_for_missing_icon(&self, fetch: &Fetch, document: &Document) {
        if fetch.feed.favicon_checked_at.is_some() {
            return;
        }
        let site = site_of(document.site_url().as_deref(), &fetch.feed.feed_url);
        let job =
            FetchIcon { named: document.icon().map(str::to_owned), ..FetchIcon::new(fetch.feed.id, site.as_ref()) };
        if let Err(error) = self.ask_for_icon(job).await {
            tracing::warn!(feed_id = %fetch.feed.id, %error, "the icon of a feed was not asked for");
        }
    }

    /// Gives the feed its new address, or its subscribers the feed that has it already.
    pub(super) async fn follow(&self, tx: &mut store::Tx, fetch: &Fetch, success: &Success) -> store::Result<()> {
        let Some(address) = success.new_address() else { return Ok(()) };
        let (feed, now) = (fetch.feed.id, self.clock.now());
        if feeds::is_named(tx, feed).await? {
            tracing::debug!(feed_id = %feed, "a feed has moved and keeps its address: a configuration file names it");
            return Ok(());
        }
        match feeds::find_id(tx, address.as_str()).await? {
            Some(other) => {
                let moved = subscriptions::move_all(tx, feed, other, now).await?;
                tx.changed(Change::Feed(other));
                tracing::info!(feed_id = %feed, other = %other, moved, "a feed has moved to the address of another; its subscribers went along");
            }
            None => {
                feeds::mark_moved(tx, feed, address.as_str(), address.host_str().unwrap_or_default(), now).await?;
                let (from, to) = (printable_address(&fetch.feed.feed_url), printable_address(address.as_str()));
                tracing::info!(feed_id = %feed, from, to, "a feed has a new address");
            }
        }
        tx.announce(Topic::Feeds);
        Ok(())
    }

    /// It failed: another try later, or none.
    pub(super) async fn apply_failure(&self, fetch: &Fetch, failure: Failure) -> store::Result<Ended> {
        let now = self.clock.now();
        let consecutive_errors = fetch.feed.consecutive_errors + 1;
        let parse_failures = fetch.feed.parse_failures + i64::from(failure.problem == Problem::NotAFeed);
        let stops = failure.problem.stops() || parse_failures >= MOST_PARSE_FAILURES;
        let next_fetch_at = plan::after_failure(now, consecutive_errors, failure.retry_after, rand::random());
        let failed = Failed {
            ended: self.ended_at(fetch, now, next_fetch_at),
            status: if stops { FetchStatus::Stopped } else { FetchStatus::Error },
            consecutive_errors,
            parse_failures,
            error_code: failure.problem.code(),
            error_message: failure.detail,
        };
        self.db
            .transact(async |tx| {
                if !feeds::mark_failed(tx, &failed).await? {
                    return Ok(Ended::LostLease);
                }
                tx.changed(Change::Feed(fetch.feed.id));
                let feeds_stopped = if stops { vec![fetch.feed.id] } else { Vec::new() };
                self.publish(tx, &Events { feeds_stopped, ..Events::default() }).await?;
                Ok(Ended::Failed(failure.problem))
            })
            .await
    }

    /// This machine could not fetch it: the feed stays as it is and is due again after a pause.
    pub(super) async fn postpone(&self, fetch: &Fetch) -> store::Result<Ended> {
        let due_at = plan::after_lack(self.clock.now(), rand::random());
        feeds::release(&self.db, fetch.feed.id, fetch.token, due_at).await?;
        Ok(Ended::OutOfResources)
    }

    pub(super) fn ended(&self, fetch: &Fetch, success: &Success, hints: &PublisherHints) -> feeds::Ended {
        let now = self.clock.now();
        let answered = Answered {
            interval_minutes: fetch.feed.interval_minutes,
            hints,
            fresh_for: success.freshness.fresh_for(now),
            retry_after: success.retry_after.map(|at| at.wait(now)),
        };
        self.ended_at(fetch, now, plan::after_success(now, answered, rand::random()))
    }

    fn ended_at(&self, fetch: &Fetch, now: DateTime<Utc>, next_fetch_at: DateTime<Utc>) -> feeds::Ended {
        feeds::Ended { feed: fetch.feed.id, token: fetch.token, started_at: fetch.started_at, now, next_fetch_at }
    }
}
