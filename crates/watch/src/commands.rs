//! What the operator's commands need: all sites, without a user, and without writing anything.

use std::collections::{HashMap, HashSet};

use config_file::ConfigFile;
use read::{FetchError, Result};
use store::{
    FeedId,
    feeds::{self, Claimed, Feed, FetchStatus},
    watch::{self, BlogState},
};

use crate::{Blog, CheckReport, SITE_KIND, Watcher};

impl Watcher {
    /// Takes the blogs of the file as the ones that are watched, like [`Watcher::sync_blogs`], but writes nothing. A blog that
    /// is not in the database has a feed in memory only.
    pub async fn read_blogs(&self, file: &ConfigFile) -> store::Result<()> {
        let urls = file.blogs.iter().map(|blog| blog.url.to_string()).collect();
        let known: HashMap<String, FeedId> =
            feeds::list_ids_by_url(self.reader.db(), urls).await?.into_iter().collect();
        let feed = |url: &str| known.get(url).copied().unwrap_or_default();
        let feeds: Vec<FeedId> = file.blogs.iter().map(|blog| feed(blog.url.as_str())).collect();
        self.checker.blogs.set(&file.blogs);
        self.checker.blogs.set_feeds(&file.blogs, &feeds);
        Ok(())
    }

    /// The operator's blogs that are in the database, in the order of the file. With `with_users`, the users' own sites too.
    pub async fn list_sites(&self, with_users: bool) -> Result<Vec<Blog>> {
        let mut ids = self.blog_feeds();
        if with_users {
            let own = watch::list_all_subscribed_sites(self.reader.db()).await?;
            let named: HashSet<FeedId> = ids.iter().copied().collect();
            ids.extend(own.into_iter().filter(|feed| !named.contains(feed)));
        }
        self.sites(ids).await
    }

    /// The operator's blog, or a user's own site, with this identifier.
    pub async fn get_site(&self, id: &str) -> Result<Option<Blog>> {
        let Some(feed) = self.find(id) else { return Ok(None) };
        Ok(self.sites(vec![feed]).await?.pop())
    }

    /// Checks the site with this identifier and address without storing anything. The database need not know it. `None` if
    /// the source has not changed.
    pub async fn dry_run(&self, id: &str, url: &str) -> std::result::Result<Option<CheckReport>, FetchError> {
        let feed = self.find(id).unwrap_or_default();
        let known = feeds::get(self.reader.db(), feed).await?;
        self.checker.dry_run(&unclaimed(feed, url, known)).await
    }

    async fn sites(&self, ids: Vec<FeedId>) -> Result<Vec<Blog>> {
        let db = self.reader.db();
        let feeds = feeds::list(db, &ids).await?.into_iter().map(|feed| (feed.id, feed));
        let mut feeds: HashMap<FeedId, Feed> = feeds.collect();
        let states = watch::list_states(db, &ids).await?.into_iter().map(|state| (state.feed_id, state));
        let mut states: HashMap<FeedId, BlogState> = states.collect();
        let site = |id: FeedId| Some(self.blog(feeds.remove(&id)?, states.remove(&id), None));
        Ok(ids.into_iter().filter_map(site).collect())
    }
}

/// A feed as a fetch would see it, without a claim.
fn unclaimed(id: FeedId, url: &str, known: Option<Feed>) -> Claimed {
    let errors = known.as_ref().map_or(0, |feed| feed.consecutive_errors);
    Claimed {
        id,
        kind: SITE_KIND.to_owned(),
        feed_url: url.to_owned(),
        title: known.map(|feed| feed.title).unwrap_or_default(),
        site_url: None,
        etag: None,
        last_modified: None,
        content_hash: None,
        fetch_status: FetchStatus::Active,
        consecutive_errors: errors,
        parse_failures: 0,
        moved_to: None,
        moved_seen: 0,
        final_url: None,
        hints: None,
        items_added: 0,
        interval_minutes: None,
        favicon_checked_at: None,
    }
}
