//! Watched sites as users see them.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use read::{Error, Refresh, Result, SubscribeOptions, Subscribed};
pub use store::watch::DayOfChecks;
use store::{
    Change, FeedId, SubscriptionId, Topic, UserId,
    feeds::{self, Feed, FetchStatus},
    full_texts::FullText,
    watch::{self, BlogState, Check, Condition, Source},
};

use crate::{SITE_KIND, SitePost, Watcher};

/// Days of checks that are shown.
const SHOWN_DAYS: i64 = 30;
/// The most words of a site, and the longest.
const MAX_WORDS: usize = 50;
const MAX_WORD_CHARS: usize = 100;

/// How a site is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchState {
    /// It was never checked.
    New,
    /// Nothing is wrong.
    Ok,
    /// No new post for a long time.
    Quiet,
    /// Many posts appeared at once and were taken for old ones.
    Rebuilt,
    /// The last check failed.
    Failing,
    /// It is not checked until somebody resumes it.
    Stopped,
}

/// A watched site.
#[derive(Debug, Clone)]
pub struct Blog {
    pub id: String,
    pub feed: Feed,
    pub name: String,
    /// Whether the configuration file names it.
    pub is_operators: bool,
    pub state: WatchState,
    pub source: Option<Source>,
    pub source_url: Option<String>,
    pub last_check_at: Option<DateTime<Utc>>,
    pub last_change_at: Option<DateTime<Utc>>,
    /// The user's own.
    pub subscription: Option<SubscriptionId>,
    pub can_check: bool,
    pub can_edit: bool,
    pub include_words: Vec<String>,
    pub exclude_words: Vec<String>,
    /// The last 30 days, the oldest first, days without checks included.
    pub days: Vec<DayOfChecks>,
    /// What the last check found.
    pub posts: Vec<SitePost>,
}

impl Watcher {
    /// The operator's blogs, and the sites that the user has added.
    pub async fn list(&self, user: UserId, is_owner: bool) -> Result<Vec<Blog>> {
        let mut ids = self.blog_feeds();
        let own = watch::list_subscribed_sites(self.reader.db(), user).await?;
        let named: HashSet<FeedId> = ids.iter().copied().collect();
        ids.extend(own.into_iter().filter(|feed| !named.contains(feed)));
        self.blogs(user, is_owner, ids).await
    }

    /// One of them.
    pub async fn get(&self, user: UserId, is_owner: bool, id: &str) -> Result<Blog> {
        let feed = self.find(id).ok_or(Error::NotFound)?;
        let mut found = self.blogs(user, is_owner, vec![feed]).await?;
        let blog = found.pop().ok_or(Error::NotFound)?;
        let is_own = blog.subscription.is_some() && blog.feed.kind == SITE_KIND;
        if blog.is_operators || is_own { Ok(blog) } else { Err(Error::NotFound) }
    }

    /// Its checks before this one, the newest first.
    pub async fn history(&self, blog: &Blog, before: (DateTime<Utc>, i64), limit: i64) -> Result<Vec<Check>> {
        Ok(watch::list_checks(self.reader.db(), &blog.id, before, limit).await?)
    }

    /// Makes a site due now, for a subscriber or an owner. A stopped site is resumed by that.
    pub async fn check(&self, user: UserId, blog: &Blog) -> Result<Refresh> {
        if !blog.can_check {
            return Ok(Refresh::NotSubscribed);
        }
        if blog.state == WatchState::Stopped {
            self.reader.resume_feed(blog.feed.id).await?;
            return Ok(Refresh::Asked);
        }
        if blog.subscription.is_some() {
            return Ok(self.reader.refresh(user, blog.feed.id).await?);
        }
        let (feed, now) = (blog.feed.id, self.reader.clock().now());
        let asked = self.reader.db().transact(async |tx| {
            tx.announce(Topic::Feeds);
            feeds::ask_refresh(tx, feed, now).await
        });
        Ok(if asked.await? { Refresh::Asked } else { Refresh::Stopped })
    }

    /// Subscribes a user to one of the operator's blogs.
    pub async fn subscribe_to_blog(&self, user: UserId, blog: &Blog, options: SubscribeOptions) -> Result<Subscribed> {
        let options = SubscribeOptions { full_text: FullText::Auto, ..options };
        self.reader.subscribe_to_known(user, blog.feed.id, &options).await
    }

    /// Sets which titles become items.
    pub async fn set_words(&self, blog: &Blog, include: &[String], exclude: &[String]) -> Result<()> {
        if !blog.can_edit {
            return Err(Error::RulesShared);
        }
        let (include, exclude) = (tidy_words(include)?, tidy_words(exclude)?);
        let json = |words: &[String]| serde_json::to_string(words).unwrap_or_else(|_| "[]".to_owned());
        let (feed, include, exclude) = (blog.feed.id, json(&include), json(&exclude));
        let set = self.reader.db().transact(async |tx| {
            tx.changed(Change::Feed(feed));
            watch::set_words(tx, feed, &include, &exclude).await
        });
        if set.await? { Ok(()) } else { Err(Error::NotFound) }
    }

    /// The feed of a site: by the identifier in the file, or by its id.
    pub(crate) fn find(&self, id: &str) -> Option<FeedId> {
        self.checker.blogs.find(id).or_else(|| id.parse().ok())
    }

    async fn blogs(&self, user: UserId, is_owner: bool, ids: Vec<FeedId>) -> Result<Vec<Blog>> {
        let db = self.reader.db();
        let feeds = feeds::list(db, &ids).await?.into_iter().map(|feed| (feed.id, feed));
        let mut feeds: HashMap<FeedId, Feed> = feeds.collect();
        let states = watch::list_states(db, &ids).await?.into_iter().map(|state| (state.feed_id, state));
        let mut states: HashMap<FeedId, BlogState> = states.collect();
        let subscribed: HashMap<FeedId, SubscriptionId> =
            watch::list_subscriptions(db, user, &ids).await?.into_iter().collect();
        let names: Vec<String> = feeds.values().map(|feed| self.checker.blogs.id_of(feed.id, &feed.feed_url)).collect();
        let since = self.first_day();
        let mut days: HashMap<String, Vec<DayOfChecks>> = HashMap::new();
        for day in watch::list_days(db, names, since).await? {
            days.entry(day.blog_id.clone()).or_default().push(day);
        }
        let mut blogs = Vec::with_capacity(ids.len());
        for id in ids {
            let Some(feed) = feeds.remove(&id) else { continue };
            let subscription = subscribed.get(&id).copied();
            let mut blog = self.blog(feed, states.remove(&id), subscription);
            blog.can_check = is_owner || subscription.is_some();
            blog.can_edit = !blog.is_operators
                && subscription.is_some()
                && (is_owner || watch::count_subscribers(db, id).await? == 1);
            blog.days = whole_days(since, &blog.id, days.remove(&blog.id).unwrap_or_default());
            blogs.push(blog);
        }
        Ok(blogs)
    }

    pub(crate) fn blog(&self, feed: Feed, state: Option<BlogState>, subscription: Option<SubscriptionId>) -> Blog {
        let named = self.checker.blogs.get(&feed.feed_url);
        let words = |json: Option<&str>| json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
        let source_url = state.as_ref().map(|state| match state.source {
            Source::Feed => state.feed_url.clone().unwrap_or_default(),
            Source::Sitemap => state.sitemap_url.clone().unwrap_or_default(),
            Source::Page => feed.feed_url.clone(),
        });
        let how = match (feed.fetch_status, state.as_ref().map(|state| state.state)) {
            (FetchStatus::Stopped, _) => WatchState::Stopped,
            (FetchStatus::Error, _) => WatchState::Failing,
            (FetchStatus::Active, Some(Condition::Quiet)) => WatchState::Quiet,
            (FetchStatus::Active, Some(Condition::Rebuilt)) => WatchState::Rebuilt,
            (FetchStatus::Active, Some(Condition::Ok)) => WatchState::Ok,
            // A blog whose address is a feed that somebody reads already.
            (FetchStatus::Active, None) if feed.last_fetched_at.is_some() => WatchState::Ok,
            (FetchStatus::Active, None) => WatchState::New,
        };
        Blog {
            id: self.checker.blogs.id_of(feed.id, &feed.feed_url),
            name: named.as_ref().and_then(|blog| blog.name.clone()).unwrap_or_else(|| feed.title.clone()),
            is_operators: named.is_some(),
            state: how,
            source: state.as_ref().map(|state| state.source),
            source_url,
            last_check_at: state.as_ref().map(|state| state.last_check_at).or(feed.last_fetched_at),
            last_change_at: state.as_ref().and_then(|state| state.last_change_at),
            subscription,
            can_check: false,
            can_edit: false,
            include_words: words(state.as_ref().map(|state| state.include_words.as_str())),
            exclude_words: words(state.as_ref().map(|state| state.exclude_words.as_str())),
            days: Vec::new(),
            posts: state.and_then(|state| serde_json::from_str(&state.posts).ok()).unwrap_or_default(),
            feed,
        }
    }

    fn first_day(&self) -> DateTime<Utc> {
        let today = self.reader.clock().now().date_naive();
        (today - TimeDelta::days(SHOWN_DAYS - 1)).and_time(chrono::NaiveTime::MIN).and_utc()
    }
}

/// A row for each day, those without checks included.
fn whole_days(since: DateTime<Utc>, blog_id: &str, rows: Vec<DayOfChecks>) -> Vec<DayOfChecks> {
    let mut rows: HashMap<String, DayOfChecks> = rows.into_iter().map(|row| (row.day.clone(), row)).collect();
    (0..SHOWN_DAYS)
        .map(|day| (since + TimeDelta::days(day)).format("%Y-%m-%d").to_string())
        .map(|day| {
            rows.remove(&day).unwrap_or_else(|| DayOfChecks {
                blog_id: blog_id.to_owned(),
                day,
                changed: 0,
                failed: 0,
                checks: 0,
            })
        })
        .collect()
}

fn tidy_words(words: &[String]) -> Result<Vec<String>> {
    let words: Vec<String> = words.iter().map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect();
    if words.len() > MAX_WORDS || words.iter().any(|word| word.chars().count() > MAX_WORD_CHARS) {
        return Err(Error::WordsTooLong { words: MAX_WORDS, max: MAX_WORD_CHARS });
    }
    Ok(words)
}
