//! The job that subscribes to one feed of an OPML file and writes down what became of it.

use std::time::Duration;

use net::Urgency;
use queue::{Attempt, Job, JobKind, Outcome};
use serde::{Deserialize, Serialize};
use store::{
    FeedId, ImportId, UserId,
    imports::{self, ImportFeedKey, ImportOutcome, Imported},
};

use crate::{
    Error, Problem, Reader, Result,
    fetch::Failure,
    subscribe::{SubscribeFolder, SubscribeOptions},
};

/// Why a feed of a file could not be added, where it is no [`Problem`] of the site. The names are stored.
#[derive(Debug, Clone, Copy, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum ImportFailure {
    /// The user has reached the limit of subscriptions.
    Limit,
    /// There is no feed at the address.
    NoFeed,
    /// The file has no usable address for it.
    BadAddress,
    /// This machine lacked files, memory or disk space.
    OutOfResources,
    /// The fault is ours.
    Internal,
}

/// Subscribes to one feed of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImportFeed {
    pub import: ImportId,
    pub position: i64,
    /// The host it is on: a file with a hundred feeds of one host must not fall upon it.
    pub host: String,
}

impl ImportFeed {
    pub(crate) fn new(import: ImportId, position: i64, feed_url: &str) -> ImportFeed {
        let url = net::parse_url(feed_url).ok();
        let host = url.as_ref().and_then(net::Url::host_str).filter(|host| host.len() <= 255).unwrap_or("-");
        ImportFeed { import, position, host: host.to_owned() }
    }
}

impl Job for ImportFeed {
    const KIND: JobKind =
        JobKind { lane_limit: Some(2), timeout: Duration::from_secs(3 * 60), ..JobKind::new("import_feed") };
    type Context = Reader;

    fn key(&self) -> Option<String> {
        Some(format!("{}/{}", self.import, self.position))
    }

    fn lane(&self) -> Option<String> {
        Some(self.host.clone())
    }

    async fn run(self, reader: &Reader, attempt: Attempt) -> Outcome {
        let place = ImportFeedKey { import: self.import, position: self.position };
        match reader.import_one(place, attempt.is_last).await {
            Ok(()) => Outcome::Done,
            Err(error) => {
                if attempt.is_last {
                    reader.give_up(place, &error).await;
                }
                Outcome::retry(error)
            }
        }
    }
}

impl Reader {
    /// Tries a feed of a file once. Only a failure of the database or of this machine, or a host with too many requests before
    /// ours, is worth another attempt.
    async fn import_one(&self, place: ImportFeedKey, is_last: bool) -> Result<()> {
        let Some((user, feed)) = imports::get_feed(&self.db, place).await? else { return Ok(()) };
        if feed.outcome != ImportOutcome::Waiting {
            return Ok(());
        }
        let options = SubscribeOptions {
            folder: feed.folder.map(SubscribeFolder::Named),
            title: Some(feed.title).filter(|title| !title.is_empty()),
            import: Some(place),
            ..SubscribeOptions::default()
        };
        let subscribed = match self.subscribe(user, &feed.feed_url, Urgency::Background, &options).await {
            // A feed that fails now is subscribed all the same, so that the list is complete. The scheduler fetches it later.
            Err(Error::Origin { feed_url, problem, detail, retry_after, .. }) => {
                let failure = Failure { problem, detail, retry_after };
                let address = feed_url.unwrap_or(feed.feed_url);
                self.subscribe_unfetched(user, &address, Some(&failure), &options).await
            }
            // The site was not asked, so nothing is wrong with it. The scheduler waits for its turn.
            Err(Error::OutOfResources(net::Error::Busy { .. })) if is_last => {
                self.subscribe_unfetched(user, &feed.feed_url, None, &options).await
            }
            subscribed => subscribed.map(drop),
        };
        match subscribed {
            Ok(()) => Ok(()),
            Err(error) => self.mark_import(user, place, error).await,
        }
    }

    /// Ends the wait for a feed that no attempt could add.
    async fn give_up(&self, place: ImportFeedKey, error: &Error) {
        let failure = match error {
            Error::OutOfResources(_) => ImportFailure::OutOfResources,
            _ => ImportFailure::Internal,
        };
        let given_up = async {
            let Some((user, _)) = imports::get_feed(&self.db, place).await? else { return Ok(()) };
            let failed =
                Imported { place, outcome: ImportOutcome::Failed, error_code: Some(failure.into()), feed: None };
            let now = self.clock.now();
            self.db.transact(async |tx| imports::mark_imported(tx, user, &failed, now).await.map(drop)).await
        };
        let given_up: store::Result<()> = given_up.await;
        if let Err(error) = given_up {
            tracing::warn!(%error, "what became of an imported feed was not written down");
        }
    }

    async fn mark_import(&self, user: UserId, place: ImportFeedKey, error: Error) -> Result<()> {
        let (outcome, error_code, feed): (_, Option<&'static str>, Option<FeedId>) = match error {
            Error::AlreadySubscribed { feed, .. } => (ImportOutcome::Present, None, Some(feed)),
            error @ (Error::Store(_) | Error::OutOfResources(_)) => return Err(error),
            error => (ImportOutcome::Failed, Some(failure_code(&error)), None),
        };
        let imported = Imported { place, outcome, error_code, feed };
        let marked = self.db.transact(async |tx| imports::mark_imported(tx, user, &imported, self.clock.now()).await);
        marked.await?;
        Ok(())
    }
}

/// The stored code of a failure.
fn failure_code(error: &Error) -> &'static str {
    let failure = match error {
        Error::Origin { problem, .. } => return problem.code(),
        Error::AddressRefused(_) => return Problem::AddressRefused.code(),
        Error::SubscriptionLimit { .. } => ImportFailure::Limit,
        Error::FeedNotFound | Error::FeedsUnreadable { .. } => ImportFailure::NoFeed,
        Error::AddressMissing | Error::AddressTooLong | Error::AddressInvalid | Error::AddressScheme => {
            ImportFailure::BadAddress
        }
        _ => ImportFailure::Internal,
    };
    failure.into()
}
