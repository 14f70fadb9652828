//! `refresh`: makes feeds due now. A running worker fetches them.

use std::time::Duration;

use store::{
    Clock, Db, Topic,
    feeds::{self, FetchStatus},
};

use crate::{cli::RefreshArgs, config::Config, database, failure::Failure, output};

/// Retries for feeds that another transaction has locked.
const MAX_RETRIES: u32 = 5;
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Makes one feed or all feeds due, on a migrated database.
pub async fn refresh(config: &Config, which: RefreshArgs) -> Result<(), Failure> {
    let (db, clock) = database::open_ready(config).await?;
    let done = match which.url {
        Some(url) => refresh_one(&db, &clock, &url).await,
        None => refresh_all(&db, &clock).await,
    };
    database::close(&db).await;
    done
}

async fn refresh_all(db: &Db, clock: &Clock) -> Result<(), Failure> {
    let (mut asked, mut skipped) = feeds::ask_refresh_all(db, clock.now()).await?;
    for _ in 0..MAX_RETRIES {
        if skipped.is_empty() {
            break;
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
        let left = feeds::ask_refresh_of(db, &skipped, clock.now()).await?;
        asked += (skipped.len() - left.len()) as u64;
        skipped = left;
    }
    let mut words = match asked {
        0 => "no feed to refresh\n".to_owned(),
        1 => "1 feed is due now\n".to_owned(),
        asked => format!("{asked} feeds are due now\n"),
    };
    match skipped.len() {
        0 => {}
        1 => words.push_str("1 feed is being changed by another process and was skipped\n"),
        skipped => words.push_str(&format!("{skipped} feeds are being changed by other processes and were skipped\n")),
    }
    match feeds::count_stopped(db).await? {
        0 => {}
        1 => words.push_str("1 feed is stopped; it is not fetched until a subscriber resumes it\n"),
        stopped => words
            .push_str(&format!("{stopped} feeds are stopped; they are not fetched until a subscriber resumes them\n")),
    }
    output::print(&words)
}

async fn refresh_one(db: &Db, clock: &Clock, text: &str) -> Result<(), Failure> {
    let url = feed::discover::tidy_address(text).map_err(|error| Failure::because(shown(text), &error))?;
    let Some(feed) = feeds::find_by_url(db, url.as_str()).await? else {
        return Err(Failure::new(format!("there is no feed with the address {url}: subscribe to it first")));
    };
    if feeds::is_resting(db, feed.id).await? {
        return Err(Failure::new(format!("{url} has no subscriber: subscribe to it first")));
    }
    let asked = db.transact(async |tx| {
        tx.announce(Topic::Feeds);
        feeds::ask_refresh(tx, feed.id, clock.now()).await
    });
    if !asked.await? || feed.fetch_status == FetchStatus::Stopped {
        let why = feed.error_code.map(|code| format!(" ({code})")).unwrap_or_default();
        return Err(Failure::new(format!("{url} is stopped{why}: a subscriber has to resume it first")));
    }
    output::print(&format!("{url} is due now\n"))
}

/// The argument, shortened for an error message.
fn shown(text: &str) -> String {
    output::on_one_line(text).chars().take(200).collect()
}
