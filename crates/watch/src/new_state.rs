//! The state of a site after a check.

use chrono::TimeDelta;
use config_file::Blog;
use store::watch::{BlogState, Condition, Source};

use crate::{
    SiteChecker,
    check::Before,
    look::FoundSource,
    rhythm,
    site_post::{SitePost, VolatileParameters},
};

/// So many posts of a list are kept, to be shown and to be compared with the next list.
const MAX_KEPT_POSTS: usize = 200;
/// So many keys of the newest entries of a feed are kept.
const MAX_KEPT_KEYS: usize = 50;
/// When feed, sitemap and list are looked for again, in days.
const REDISCOVER_DAYS: std::ops::Range<i64> = 7..30;

impl SiteChecker {
    pub(crate) fn state_after(
        &self,
        before: &Before<'_>,
        found: &FoundSource,
        volatile: &VolatileParameters,
        condition: Condition,
        new: &[SitePost],
    ) -> BlogState {
        let now = self.clock().now();
        let posts: Vec<&SitePost> = found.posts.iter().take(MAX_KEPT_POSTS).collect();
        let dates = found.posts.iter().chain(new).filter_map(|post| post.published_at).filter(|date| *date <= now);
        let newest_post_at = dates.max().max(before.state.and_then(|state| state.newest_post_at));
        let was = before.state.map(|state| state.state).unwrap_or_default();
        let last_change_at = before.state.and_then(|state| state.last_change_at);
        let is_quiet =
            condition == Condition::Ok && new.is_empty() && rhythm::is_quiet(&found.posts, last_change_at, now);
        let condition = if is_quiet { Condition::Quiet } else { condition };
        let is_news = condition != Condition::Ok && condition != was;
        let planned = before.state.map(|state| state.rediscover_at).filter(|_| !before.looked_anew);
        let rediscover_at = planned.unwrap_or_else(|| now + rediscover_after(before.blog));
        let entry_keys = found.feed.as_ref().map(|feed| {
            let keys =
                feed.entries.iter().take(MAX_KEPT_KEYS).filter_map(|entry| entry.id.as_ref().or(entry.link.as_ref()));
            json(&keys.collect::<Vec<_>>())
        });
        let at = |source: Source| (found.source == source).then(|| found.source_url.to_string());
        BlogState {
            // Set when it is stored.
            blog_id: String::new(),
            feed_id: before.feed.unwrap_or_default(),
            etag: found.response.validators.etag.clone(),
            last_modified: found.response.validators.last_modified.clone(),
            url_fingerprint: Some(volatile.fingerprint(&found.posts)),
            feed_url: at(Source::Feed),
            sitemap_url: at(Source::Sitemap),
            recent_entry_keys: entry_keys,
            last_check_at: now,
            last_change_at,
            newest_post_at,
            source: found.source,
            list: before.list.map(str::to_owned),
            volatile_parameters: json(&volatile.0),
            posts: json(&posts),
            include_words: "[]".to_owned(),
            exclude_words: "[]".to_owned(),
            state: condition,
            rediscover_at: if is_news { now } else { rediscover_at },
        }
    }
}

/// When feed, sitemap and list are looked for again.
fn rediscover_after(blog: Option<&Blog>) -> TimeDelta {
    let fixed = blog.and_then(|blog| blog.rediscover).and_then(|after| TimeDelta::from_std(after).ok());
    fixed.unwrap_or_else(|| {
        let days = REDISCOVER_DAYS.end - REDISCOVER_DAYS.start;
        let minutes = (days * 24 * 60) as f64 * rand::random::<f64>();
        TimeDelta::days(REDISCOVER_DAYS.start) + TimeDelta::minutes(minutes as i64)
    })
}

/// Texts and times always have a JSON form.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "[]".to_owned())
}
