//! The job that subscribes to one feed of an OPML file and writes down what became of it.

use std::time::Duration;

use net::Asker;
use queue::{Attempt, Job, Kind, Outcome};
use serde::{Deserialize, Serialize};
use store::{
    FeedId, ImportId, UserId,
    imports::{self, ImportOutcome, ImportPlace, Imported},
};

use crate::{
    Reader,
    fetch::Failure,
    subscribe::{Folder, SubscribeError, Wish},
};

/// Subscribes to one feed of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImportFeed {
    /// The file.
    pub import: ImportId,
    /// The place in it.
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
    const KIND: Kind = Kind { lane_limit: Some(2), timeout: Duration::from_secs(3 * 60), ..Kind::new("import_feed") };

    fn key(&self) -> Option<String> {
        Some(format!("{}/{}", self.import, self.position))
    }

    fn lane(&self) -> Option<String> {
        Some(self.host.clone())
    }
}

impl Reader {
    /// Runs the job.
    pub async fn import_feed(&self, job: ImportFeed, attempt: Attempt) -> Outcome {
        let place = ImportPlace { import: job.import, position: job.position };
        match self.import_one(place).await {
            Ok(()) => Outcome::Done,
            Err(error) => {
                if attempt.is_last {
                    self.give_up(place, &error).await;
                }
                Outcome::retry(error)
            }
        }
    }

    /// Tries a feed of a file once. Only a failure of the database or of this machine is worth another attempt.
    async fn import_one(&self, place: ImportPlace) -> Result<(), SubscribeError> {
        let Some((user, feed)) = imports::get_feed(&self.db, place).await? else { return Ok(()) };
        if feed.outcome != ImportOutcome::Waiting {
            return Ok(());
        }
        let wish = Wish {
            folder: feed.folder.map(Folder::Named),
            title: Some(feed.title).filter(|title| !title.is_empty()),
            import: Some(place),
        };
        let subscribed = match self.subscribe(user, &feed.feed_url, Asker::Background, &wish).await {
            // A feed that fails now is subscribed all the same, so that the list is complete. The scheduler fetches it later.
            Err(SubscribeError::Origin { problem, detail, retry_after, .. }) => {
                let failure = Failure { problem, detail, retry_after };
                self.subscribe_failing(user, &feed.feed_url, &failure, &wish).await
            }
            subscribed => subscribed.map(drop),
        };
        match subscribed {
            Ok(()) => Ok(()),
            Err(error) => self.mark_import(user, place, error).await,
        }
    }

    /// Ends the wait for a feed that no attempt could add.
    async fn give_up(&self, place: ImportPlace, error: &SubscribeError) {
        let error_code = match error {
            SubscribeError::OutOfResources(_) => "out_of_resources",
            _ => "internal",
        };
        let given_up = async {
            let Some((user, _)) = imports::get_feed(&self.db, place).await? else { return Ok(()) };
            let failed = Imported { place, outcome: ImportOutcome::Failed, error_code: Some(error_code), feed: None };
            let now = self.clock.now();
            self.db.transact(async |tx| imports::mark_imported(tx, user, &failed, now).await.map(drop)).await
        };
        let given_up: store::Result<()> = given_up.await;
        if let Err(error) = given_up {
            tracing::warn!(%error, "what became of an imported feed was not written down");
        }
    }

    async fn mark_import(&self, user: UserId, place: ImportPlace, error: SubscribeError) -> Result<(), SubscribeError> {
        let (outcome, error_code, feed): (_, Option<&'static str>, Option<FeedId>) = match error {
            SubscribeError::AlreadySubscribed { feed, .. } => (ImportOutcome::Present, None, Some(feed)),
            SubscribeError::Full { .. } => (ImportOutcome::Failed, Some("limit"), None),
            SubscribeError::NoFeed { .. } => (ImportOutcome::Failed, Some("no_feed"), None),
            SubscribeError::Address(_) => (ImportOutcome::Failed, Some("bad_address"), None),
            SubscribeError::Refused(_) => (ImportOutcome::Failed, Some("address_refused"), None),
            SubscribeError::Origin { problem, .. } => (ImportOutcome::Failed, Some(problem.code()), None),
            SubscribeError::UnknownFolder | SubscribeError::NotSubscribed => {
                (ImportOutcome::Failed, Some("internal"), None)
            }
            error @ (SubscribeError::Store(_) | SubscribeError::OutOfResources(_)) => return Err(error),
        };
        let imported = Imported { place, outcome, error_code, feed };
        let marked = self.db.transact(async |tx| imports::mark_imported(tx, user, &imported, self.clock.now()).await);
        marked.await?;
        Ok(())
    }
}
