//! `watch check`: checks sites now, in this process, and stores the result.

use std::{sync::Arc, time::Duration};

use ::watch::{Blog, WatchState, Watcher};
use config_file::ConfigFile;
use read::{FetchedNow, Reader};
use store::feeds;
use tokio::{
    sync::Semaphore,
    time::{Instant, sleep},
};

use super::{shown::post_line, unknown_site};
use crate::{app::App, failure::Failure, output};

/// How long to wait for another process that checks the same site.
const MAX_WAIT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Checks one site, or all blogs of the file.
pub async fn check(app: &App<'_>, file: &ConfigFile, id: Option<&str>) -> Result<(), Failure> {
    // Without blogs, the file may be the wrong one: the blogs in the database stay as they are.
    if !file.blogs.is_empty() {
        app.watcher.sync_blogs(file).await?;
    }
    let checker = Checker { reader: app.reader.clone(), watcher: app.watcher.clone() };
    let cannot_find = |error: read::Error| Failure::because("cannot find the site", &error);
    let sites = match id {
        Some(id) => {
            let site = app.watcher.get_site(id).await.map_err(cannot_find)?.ok_or_else(|| unknown_site(id))?;
            vec![checker.resumed(site).await?]
        }
        None => app.watcher.list_sites(false).await.map_err(cannot_find)?,
    };
    if sites.is_empty() {
        return no_blogs();
    }
    let asking = Arc::new(Semaphore::new(app.config.fetch_max_concurrent));
    let count = sites.len();
    let checks: Vec<_> = sites
        .into_iter()
        .map(|site| {
            let (checker, asking) = (checker.clone(), Arc::clone(&asking));
            tokio::spawn(async move {
                // Never closed.
                let _turn = asking.acquire().await;
                checker.check(&site).await
            })
        })
        .collect();
    let mut failed = 0;
    for check in checks {
        match check.await {
            Ok(checked) => {
                failed += usize::from(!checked.is_fine);
                output::print(&checked.text)?;
            }
            Err(error) => {
                failed += 1;
                output::print_error(&format!("a check ended unexpectedly: {error}"));
            }
        }
    }
    finish(failed, count)
}

/// The file has no blogs.
pub fn no_blogs() -> Result<(), Failure> {
    output::print("the configuration file has no blogs: `kawaraban watch init` writes an example\n")
}

/// The result of all checks.
pub fn finish(failed: usize, all: usize) -> Result<(), Failure> {
    match (failed, all) {
        (0, _) => Ok(()),
        (1, 1) => Err(Failure::new("the check failed")),
        (failed, all) => Err(Failure::new(format!("{failed} of {all} checks failed"))),
    }
}

/// A check that has ended.
struct Checked {
    text: String,
    is_fine: bool,
}

#[derive(Clone)]
struct Checker {
    reader: Reader,
    watcher: Watcher,
}

impl Checker {
    async fn check(&self, site: &Blog) -> Checked {
        let (result, is_fine) = match self.try_check(site).await {
            Ok(result) => (result, true),
            Err(why) => (format!("failed: {}\n", output::on_one_line(&why)), false),
        };
        Checked { text: format!("{}: {result}", site.id), is_fine }
    }

    /// The result in words, or what is wrong.
    async fn try_check(&self, site: &Blog) -> Result<String, String> {
        if site.state == WatchState::Stopped {
            let code = site.feed.error_code.as_deref().unwrap_or("unknown");
            return Err(format!("it is stopped ({code}): `kawaraban watch check {}` tries it again", site.id));
        }
        let fetched = self.fetch(site).await.map_err(|error| error.to_string())?;
        let (new, words) = match fetched {
            FetchedNow::Changed { start_read: true, .. } => (Vec::new(), "first check".to_owned()),
            FetchedNow::Changed { new, .. } if new.is_empty() => (new, "nothing new".to_owned()),
            FetchedNow::Changed { new, .. } => {
                let count = new.len();
                (new, format!("{count} new"))
            }
            FetchedNow::Unchanged => (Vec::new(), "nothing new".to_owned()),
            FetchedNow::Failed { problem, detail } => return Err(format!("{problem}: {detail}")),
            FetchedNow::NotClaimed => return Err("another process is checking it: try again later".to_owned()),
            FetchedNow::NotSent => return Err("the request could not be sent: try again later".to_owned()),
        };
        let mut out = format!("{}{words}\n", self.source_text(site).await?);
        for item in &new {
            let published_at = Some(item.published_at).filter(|_| !item.is_date_estimated);
            out.push_str(&post_line('*', item.link.as_deref().unwrap_or_default(), &item.title, published_at));
        }
        Ok(out)
    }

    /// Waits for another process that checks the same site.
    async fn fetch(&self, site: &Blog) -> store::Result<FetchedNow> {
        let give_up_at = Instant::now() + MAX_WAIT;
        loop {
            match self.reader.fetch_now(site.feed.id).await? {
                FetchedNow::NotClaimed if Instant::now() < give_up_at => sleep(POLL_INTERVAL).await,
                fetched => return Ok(fetched),
            }
        }
    }

    /// Where the posts come from, and how many there are.
    async fn source_text(&self, site: &Blog) -> Result<String, String> {
        let site = self.watcher.get_site(&site.id).await.map_err(|error| error.to_string())?;
        let found = site.and_then(|site| Some((site.source?, site.posts.len())));
        Ok(match found {
            Some((source, 1)) => format!("{}, 1 post, ", source.as_str()),
            Some((source, posts)) => format!("{}, {posts} posts, ", source.as_str()),
            // An address that is read as a feed.
            None => "feed, ".to_owned(),
        })
    }

    /// A stopped site that the operator names is checked again.
    async fn resumed(&self, site: Blog) -> Result<Blog, Failure> {
        if site.state != WatchState::Stopped {
            return Ok(site);
        }
        let (feed, now) = (site.feed.id, self.reader.clock().now());
        self.reader.db().transact(async |tx| feeds::resume(tx, feed, now).await).await?;
        Ok(Blog { state: WatchState::Failing, ..site })
    }
}
