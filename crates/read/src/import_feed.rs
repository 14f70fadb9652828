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
        match self.import_one(place, attempt.is_last).await {
            Ok(outcome) => outcome,
            Err(error) => {
                if attempt.is_last {
                    self.give_up(place).await;
                }
                Outcome::retry(error)
            }
        }
    }

    async fn import_one(&self, place: ImportPlace, is_last: bool) -> store::Result<Outcome> {
        let Some((user, feed)) = imports::get_feed(&self.db, place).await? else { return Ok(Outcome::Done) };
        if feed.outcome != ImportOutcome::Waiting {
            return Ok(Outcome::Done);
        }
        let wish = Wish {
            folder: feed.folder.map(Folder::Named),
            title: Some(feed.title).filter(|title| !title.is_empty()),
            import: Some(place),
        };
        let subscribed = self.subscribe(user, &feed.feed_url, Asker::Background, &wish).await;
        let error = match subscribed {
            Ok(_) => return Ok(Outcome::Done),
            Err(error) if error.may_pass() && !is_last => return Ok(Outcome::retry(error)),
            Err(error) => error,
        };
        // Somebody who brings a list wants it whole: what is dead today is there, and says why it is empty.
        let error = match error {
            SubscribeError::Origin { problem, detail } => {
                match self.subscribe_failing(user, &feed.feed_url, (problem, detail), &wish).await {
                    Ok(()) => return Ok(Outcome::Done),
                    Err(error) => error,
                }
            }
            error => error,
        };
        self.mark_import(user, place, error).await?;
        Ok(Outcome::Done)
    }

    /// So that nobody waits for what will not come.
    async fn give_up(&self, place: ImportPlace) {
        let given_up = async {
            let Some((user, _)) = imports::get_feed(&self.db, place).await? else { return Ok(()) };
            let failed = Imported { place, outcome: ImportOutcome::Failed, error_code: Some("internal"), feed: None };
            let mut tx = self.db.begin().await?;
            imports::mark_imported(&mut tx, user, &failed, self.clock.now()).await?;
            tx.commit().await
        };
        if let Err(error) = given_up.await {
            tracing::warn!(%error, "what became of an imported feed was not written down");
        }
    }

    async fn mark_import(&self, user: UserId, place: ImportPlace, error: SubscribeError) -> store::Result<()> {
        let (outcome, error_code, feed): (_, Option<&'static str>, Option<FeedId>) = match error {
            SubscribeError::AlreadySubscribed { feed, .. } => (ImportOutcome::Present, None, Some(feed)),
            SubscribeError::Full { .. } => (ImportOutcome::Failed, Some("limit"), None),
            SubscribeError::NoFeed { .. } => (ImportOutcome::Failed, Some("no_feed"), None),
            SubscribeError::Address(_) => (ImportOutcome::Failed, Some("bad_address"), None),
            SubscribeError::Refused(_) => (ImportOutcome::Failed, Some("address_refused"), None),
            SubscribeError::Origin { problem, .. } => (ImportOutcome::Failed, Some(problem.code()), None),
            SubscribeError::OutOfResources(_) => (ImportOutcome::Failed, Some("out_of_resources"), None),
            SubscribeError::UnknownFolder | SubscribeError::NotSubscribed => {
                (ImportOutcome::Failed, Some("internal"), None)
            }
            SubscribeError::Store(error) => return Err(error),
        };
        let mut tx = self.db.begin().await?;
        let imported = Imported { place, outcome, error_code, feed };
        imports::mark_imported(&mut tx, user, &imported, self.clock.now()).await?;
        tx.commit().await
    }
}
