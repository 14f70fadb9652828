//! One check of a site: its posts, which of them are new, and what is written down about it.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use config_file::{Blog, BlogKind};
use feed::{Entry, ParsedFeed};
use net::Urgency;
use posts::Rejected;
use queue::EnqueueError;
use read::{Answer, Content, FetchError, Fetcher, Problem, Reader, StoredFetch};
use store::{
    Clock, FeedId, Tx,
    feeds::Claimed,
    watch::{self, BlogState, Condition, NewCheck, Source, UrlStatus},
};

use tokio::time::Instant;

use crate::{
    blogs::Blogs,
    compare::{KeyedPost, Known},
    confirm::{LONGEST_READING, MAX_PAGES, entry_of},
    entries::{compare_source, feed_entries, site_feed},
    look::{FoundSource, Listing, Site},
    rhythm,
    send_webhook::{self, WebhookEvent},
    site_post::{SitePost, VolatileParameters},
    watcher::Webhook,
    words::Filter,
};

/// Checks sites: the fetcher of feeds of the kind `site`.
#[derive(Clone)]
pub struct SiteChecker {
    /// A reader that does not know this fetcher.
    pub(crate) reader: Reader,
    pub(crate) net: net::Client,
    pub(crate) blogs: Blogs,
    pub(crate) webhook: Option<Arc<Webhook>>,
    /// How long a request waits for its turn at the host.
    pub(crate) max_wait: std::time::Duration,
}

/// What a check found, before anything is stored.
pub struct CheckReport {
    pub source: Source,
    pub source_url: String,
    /// The posts of the list.
    pub posts: Vec<SitePost>,
    /// Those that are new.
    pub new: Vec<SitePost>,
    /// Those that the next check has to confirm.
    pub waiting: Vec<SitePost>,
    pub rejected: Vec<Rejected>,
}

/// What is to be written down about a check.
pub(crate) struct CheckNotes {
    state: BlogState,
    /// Keys of addresses.
    told: Vec<String>,
    pending: Vec<String>,
    silent: Vec<String>,
    listed: Vec<String>,
    /// There was no check before.
    is_first: bool,
    /// The source has not changed.
    is_skipped: bool,
}

/// A list after the comparison with the last one.
pub(crate) struct Checked {
    pub notes: CheckNotes,
    pub feed: ParsedFeed,
    pub report: CheckReport,
}

/// A site before a check.
pub(crate) struct Before<'a> {
    pub feed: Option<FeedId>,
    pub title: &'a str,
    pub state: Option<&'a BlogState>,
    pub blog: Option<&'a Blog>,
    /// The list that a user has chosen.
    pub list: Option<&'a str>,
    pub urgency: Urgency,
    /// Whether feed, sitemap and list were looked for.
    pub looked_anew: bool,
}

impl Fetcher for SiteChecker {
    async fn fetch(&self, feed: &Claimed) -> Result<Answer, FetchError> {
        let state = watch::get_state(self.reader.db(), feed.id).await?;
        let blog = self.blogs.get(&feed.feed_url);
        let now = self.clock().now();
        let (listing, before) = self.visit(feed, state.as_ref(), blog.as_deref()).await?;
        let found = match listing {
            Listing::Refused(response) => return Ok(Answer { response, content: Content::Document, notes: None }),
            Listing::Unchanged(response) => {
                let notes = state.as_ref().and_then(|state| quiet_notes(state, now)).map(|notes| Arc::new(notes) as _);
                return Ok(Answer { response, content: Content::Unchanged, notes });
            }
            Listing::Found(found) => found,
        };
        let checked = self.compare_list(&before, &found).await?;
        let content = match checked.feed.entries.is_empty() {
            true => Content::Unchanged,
            false => Content::Entries { feed: Box::new(checked.feed), start_read: checked.notes.is_first },
        };
        Ok(Answer { response: found.response, content, notes: Some(Arc::new(checked.notes)) })
    }

    async fn store(&self, tx: &mut Tx, stored: &StoredFetch<'_>) -> Result<(), EnqueueError> {
        let notes = stored.notes.and_then(|notes| notes.downcast_ref::<CheckNotes>());
        let (feed, now) = (stored.feed, stored.now);
        let blog_id = self.blogs.id_of(feed, stored.feed_url);
        let before = watch::get_state_in(tx, feed).await?;
        let is_changed = !stored.new_items.is_empty() && notes.is_some_and(|notes| !notes.is_first);
        if let Some(notes) = notes {
            let mut state = notes.state.clone();
            state.feed_id = feed;
            state.blog_id.clone_from(&blog_id);
            if let Some(before) = &before {
                state.last_change_at = before.last_change_at;
                // They may have changed while the site was asked.
                state.include_words.clone_from(&before.include_words);
                state.exclude_words.clone_from(&before.exclude_words);
            }
            if is_changed {
                state.last_change_at = Some(now);
            }
            watch::put_state(tx, &state).await?;
            watch::put_urls(tx, feed, notes.told.clone(), UrlStatus::Told, now).await?;
            watch::put_urls(tx, feed, notes.silent.clone(), UrlStatus::Silent, now).await?;
            watch::put_urls(tx, feed, notes.pending.clone(), UrlStatus::Pending, now).await?;
            if !notes.is_skipped {
                watch::drop_pending_urls(tx, feed, notes.listed.clone()).await?;
            }
        } else {
            watch::touch_state(tx, feed, &blog_id, now).await?;
        }
        let is_skipped = stored.is_unchanged && notes.is_none_or(|notes| notes.is_skipped);
        let check = NewCheck {
            blog_id: blog_id.clone(),
            checked_at: now,
            http_status: stored.status.map(|status| i64::from(status.as_u16())),
            is_skipped,
            is_changed,
            url_fingerprint: notes.filter(|_| !is_skipped).and_then(|notes| notes.state.url_fingerprint.clone()),
            error_message: stored.problem.map(|(problem, detail)| format!("{problem}: {detail}")),
        };
        watch::add_check(tx, &check).await?;
        if self.webhook.is_some() {
            let events = events(stored, notes, before.as_ref(), is_changed);
            send_webhook::enqueue(tx, self.clock(), &blog_id, stored.feed_url, events).await?;
        }
        Ok(())
    }
}

/// What is announced about a check.
fn events(
    stored: &StoredFetch<'_>,
    notes: Option<&CheckNotes>,
    before: Option<&BlogState>,
    is_changed: bool,
) -> Vec<WebhookEvent> {
    let mut events = Vec::new();
    if is_changed {
        let posts = stored.new_items.iter().rev().map(|item| send_webhook::WebhookPost {
            url: item.link.clone().unwrap_or_default(),
            title: item.title.clone(),
            published_at: item.published_at,
        });
        events.push(WebhookEvent::Posts { posts: posts.collect() });
    }
    let condition = notes.map(|notes| notes.state.state).filter(|now| before.is_some_and(|was| was.state != *now));
    match condition {
        Some(Condition::Quiet) => events.push(WebhookEvent::State { state: "quiet".to_owned() }),
        Some(Condition::Rebuilt) => events.push(WebhookEvent::State { state: "rebuilt".to_owned() }),
        Some(Condition::Ok) | None => {}
    }
    if let Some((problem, _)) = stored.problem.filter(|_| !stored.failed_before) {
        events.push(WebhookEvent::State { state: problem.code().to_owned() });
    }
    events
}

impl SiteChecker {
    pub(crate) fn clock(&self) -> &Clock {
        self.reader.clock()
    }

    /// Checks a site without storing anything. `None` if its source has not changed.
    pub async fn dry_run(&self, feed: &Claimed) -> Result<Option<CheckReport>, FetchError> {
        let state = watch::get_state(self.reader.db(), feed.id).await?;
        let blog = self.blogs.get(&feed.feed_url);
        let (listing, before) = self.visit(feed, state.as_ref(), blog.as_deref()).await?;
        match listing {
            Listing::Found(found) => Ok(Some(self.compare_list(&before, &found).await?.report)),
            Listing::Refused(response) => {
                let problem = Problem::of_status(&response).unwrap_or(Problem::UnexpectedStatus);
                Err(FetchError::Unusable { problem, detail: format!("the server answered {}", response.status) })
            }
            Listing::Unchanged(_) => Ok(None),
        }
    }

    async fn visit<'a>(
        &self,
        feed: &'a Claimed,
        state: Option<&'a BlogState>,
        blog: Option<&'a Blog>,
    ) -> Result<(Listing, Before<'a>), FetchError> {
        let url = net::parse_url(&feed.feed_url)?;
        let is_whole = state.is_some() && watch::has_pending_urls(self.reader.db(), feed.id).await?;
        let list = state.and_then(|state| state.list.as_deref());
        let site = Site {
            url: &url,
            state,
            claimed: Some(feed),
            kind: blog.map_or(BlogKind::Auto, |blog| blog.kind),
            list,
            urgency: Urgency::Background,
            is_whole,
        };
        let looked_anew =
            state.is_none_or(|state| state.rediscover_at <= self.clock().now()) || feed.consecutive_errors > 0;
        let before = Before {
            feed: Some(feed.id),
            title: &feed.title,
            state,
            blog,
            list,
            urgency: Urgency::Background,
            looked_anew,
        };
        Ok((self.look(&site).await?, before))
    }

    /// Compares a list with earlier lists, and reads the pages of new posts.
    pub(crate) async fn compare_list(&self, before: &Before<'_>, found: &FoundSource) -> Result<Checked, FetchError> {
        let kept: Vec<SitePost> =
            before.state.map(|state| serde_json::from_str(&state.posts).unwrap_or_default()).unwrap_or_default();
        let mut volatile = VolatileParameters(
            before.state.and_then(|state| serde_json::from_str(&state.volatile_parameters).ok()).unwrap_or_default(),
        );
        volatile.learn(&kept, &found.posts);
        let keyed = |post: &SitePost| KeyedPost { key: volatile.key(&post.url), post: post.clone() };
        let all: Vec<KeyedPost> = found.posts.iter().map(keyed).collect();
        let listed: Vec<String> = all.iter().map(|post| post.key.clone()).collect();
        let filter = Filter::of(before.state, before.blog);
        let (wanted, unwanted): (Vec<_>, Vec<_>) = all.into_iter().partition(|post| filter.wants(&post.post));
        let known = self.known(before, found, &kept, &volatile, &listed).await?;
        let mut compared = compare_source(wanted, &known, found);
        compared.silent.extend(unwanted.into_iter().map(|post| post.key));
        let is_first = known.is_first;
        let mut lists = Lists { listed, silent: compared.silent, ..Lists::default() };
        let mut entries = Vec::new();
        let new = if found.feed.is_some() {
            let accepted = [compared.first, compared.fresh, compared.confirmed].concat();
            entries = feed_entries(found, &known, &volatile, &accepted, &lists.silent);
            lists.told.extend(accepted.iter().map(|post| post.key.clone()));
            if is_first { Vec::new() } else { accepted.into_iter().map(|post| post.post).collect() }
        } else {
            lists.told.extend(compared.first.iter().chain(&compared.confirmed).map(|post| post.key.clone()));
            self.add_first(before, found, compared.first, &volatile, &mut entries).await?;
            entries.extend(compared.confirmed.iter().map(|post| entry_of(&post.post)));
            let confirmed = compared.confirmed.into_iter().map(|post| post.post);
            let mut new: Vec<SitePost> = confirmed.collect();
            new.extend(self.add_fresh(before, compared.fresh, &known, &volatile, &mut entries, &mut lists).await?);
            new
        };
        // Keys under the parameters that were just learned.
        lists.told.extend(known.relearned());
        if is_first {
            // They were there before the first check.
            let rejected = found.rejected.iter().filter(|link| link.url.host_str() == found.source_url.host_str());
            lists.silent.extend(rejected.map(|link| volatile.key(&link.url)));
        }
        let state = self.state_after(before, found, &volatile, compared.condition, &new);
        let pending: HashSet<&String> = lists.pending.iter().collect();
        let waiting = found.posts.iter().filter(|post| pending.contains(&volatile.key(&post.url))).cloned();
        let report = CheckReport {
            source: found.source,
            source_url: found.source_url.to_string(),
            posts: found.posts.clone(),
            new,
            waiting: waiting.collect(),
            rejected: found.rejected.clone(),
        };
        let notes = CheckNotes {
            state,
            told: lists.told,
            pending: lists.pending,
            silent: lists.silent,
            listed: lists.listed,
            is_first,
            is_skipped: false,
        };
        Ok(Checked { feed: site_feed(before, found, entries), notes, report })
    }

    async fn known(
        &self,
        before: &Before<'_>,
        found: &FoundSource,
        kept: &[SitePost],
        volatile: &VolatileParameters,
        listed: &[String],
    ) -> Result<Known, FetchError> {
        let (Some(feed), Some(state)) = (before.feed, before.state) else {
            return Ok(Known { is_first: true, ..Known::default() });
        };
        let rows = watch::list_known_urls(self.reader.db(), feed, listed.to_vec()).await?;
        let mut urls: HashMap<String, UrlStatus> = rows.into_iter().collect();
        let was: VolatileParameters =
            VolatileParameters(serde_json::from_str(&state.volatile_parameters).unwrap_or_default());
        if was != *volatile {
            urls.extend(kept.iter().map(|post| (volatile.key(&post.url), UrlStatus::Told)));
        }
        let listed = kept.iter().map(|post| KeyedPost { key: volatile.key(&post.url), post: post.clone() });
        Ok(Known {
            urls,
            newest: state.newest_post_at,
            listed: listed.collect(),
            is_first: false,
            is_other_source: state.source != found.source,
            has_learned: was != *volatile,
        })
    }

    /// The first posts of a site. A sitemap has no titles, so the pages of the newest are read.
    async fn add_first(
        &self,
        before: &Before<'_>,
        found: &FoundSource,
        posts: Vec<KeyedPost>,
        volatile: &VolatileParameters,
        entries: &mut Vec<Entry>,
    ) -> Result<(), FetchError> {
        let begun = Instant::now();
        for (place, post) in posts.into_iter().enumerate() {
            let is_untitled = found.source == Source::Sitemap && post.post.title.is_empty();
            let page = match is_untitled && place < MAX_PAGES && begun.elapsed() < LONGEST_READING {
                true => self.read_post(&post, volatile, before.urgency).await?,
                false => None,
            };
            entries.push(page.map_or_else(|| entry_of(&post.post), |page| page.entry));
        }
        Ok(())
    }

    /// Confirms new posts by their pages. Returns those that are new for certain.
    async fn add_fresh(
        &self,
        before: &Before<'_>,
        posts: Vec<KeyedPost>,
        known: &Known,
        volatile: &VolatileParameters,
        entries: &mut Vec<Entry>,
        lists: &mut Lists,
    ) -> Result<Vec<SitePost>, FetchError> {
        let mut new = Vec::new();
        let begun = Instant::now();
        for (place, post) in posts.into_iter().enumerate() {
            let is_read = place < MAX_PAGES && begun.elapsed() < LONGEST_READING;
            let page = if is_read { self.read_post(&post, volatile, before.urgency).await? } else { None };
            let Some(page) = page else {
                lists.pending.push(post.key);
                continue;
            };
            let dated = SitePost { published_at: page.entry.published, ..post.post };
            let is_told = match before.feed {
                Some(feed) => self.is_told(feed, &page.other_keys).await?,
                None => false,
            };
            // The page of an old post, or another address of a known one.
            if is_told || known.is_old(&dated) {
                lists.silent.push(post.key);
                continue;
            }
            lists.told.push(post.key);
            lists.told.extend(page.other_keys);
            entries.push(page.entry);
            new.push(dated);
        }
        Ok(new)
    }

    async fn is_told(&self, feed: FeedId, keys: &[String]) -> store::Result<bool> {
        if keys.is_empty() {
            return Ok(false);
        }
        let known = watch::list_known_urls(self.reader.db(), feed, keys.to_vec()).await?;
        Ok(known.iter().any(|(_, status)| *status != UrlStatus::Pending))
    }
}

/// Keys by what became of them.
#[derive(Default)]
struct Lists {
    told: Vec<String>,
    pending: Vec<String>,
    silent: Vec<String>,
    listed: Vec<String>,
}

/// The notes about a site that has not changed and has become quiet by that.
fn quiet_notes(state: &BlogState, now: DateTime<Utc>) -> Option<CheckNotes> {
    let posts: Vec<SitePost> = serde_json::from_str(&state.posts).unwrap_or_default();
    if state.state != Condition::Ok || !rhythm::is_quiet(&posts, state.last_change_at, now) {
        return None;
    }
    let state = BlogState { state: Condition::Quiet, rediscover_at: now, last_check_at: now, ..state.clone() };
    let none = Vec::new;
    Some(CheckNotes {
        state,
        told: none(),
        pending: none(),
        silent: none(),
        listed: none(),
        is_first: false,
        is_skipped: true,
    })
}
