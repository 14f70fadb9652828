//! Rules of a feed for the pages of its items, which correct a wrong whole text.
//!
//! Texts are stored once for all subscribers, so the rules are too: only an owner, or the only subscriber, may change them.

use article::Rules;
use serde::{Deserialize, Serialize};
use store::{FeedId, UserId, full_texts};

use crate::{
    Error, Problem, Reader, Result,
    full_text::{FETCHED_AT_FIRST, PageError},
    problem::in_full,
};

/// The longest selector, in characters.
const MAX_SELECTOR_CHARS: usize = 1_000;

/// CSS selectors: what the text is, and what does not belong to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ArticleRules {
    /// Empty to let the text be found.
    pub content: String,
    /// One selector in each line.
    pub drop: String,
}

/// What a page looks like with some rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticlePreview {
    /// The page: that of the newest item.
    pub link: String,
    /// Sanitised HTML, or why there is none.
    pub html: std::result::Result<String, Problem>,
}

impl ArticleRules {
    fn parse(&self) -> Result<Rules> {
        if self.content.chars().count() + self.drop.chars().count() > MAX_SELECTOR_CHARS {
            return Err(Error::SelectorTooLong { max: MAX_SELECTOR_CHARS });
        }
        let parsed = Rules::parse(&self.content, self.drop.lines());
        parsed.map_err(|error| Error::InvalidSelector { detail: in_full(&error) })
    }

    /// The rules that are stored with a feed; none if they are missing or from a newer version.
    pub(crate) fn stored(json: Option<&str>) -> Rules {
        let rules: Option<ArticleRules> = json.and_then(|json| serde_json::from_str(json).ok());
        rules.and_then(|rules| rules.parse().ok()).unwrap_or_default()
    }
}

impl Reader {
    /// The rules of a feed.
    pub async fn get_article_rules(&self, user: UserId, feed: FeedId) -> Result<ArticleRules> {
        let stored = full_texts::get_rules(&self.db, user, feed).await?.ok_or(Error::NotFound)?;
        Ok(stored.rules.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
    }

    /// Changes the rules of a feed, and fetches the pages of its newest items again.
    pub async fn set_article_rules(
        &self,
        user: UserId,
        is_owner: bool,
        feed: FeedId,
        rules: &ArticleRules,
    ) -> Result<()> {
        let stored = full_texts::get_rules(&self.db, user, feed).await?.ok_or(Error::NotFound)?;
        if !is_owner && stored.subscribers > 1 {
            return Err(Error::RulesShared);
        }
        rules.parse()?;
        let is_empty = rules.content.trim().is_empty() && rules.drop.trim().is_empty();
        let json = if is_empty { None } else { serde_json::to_string(rules).ok() };
        self.db
            .transact(async |tx| {
                full_texts::set_rules(tx, feed, json.as_deref(), FETCHED_AT_FIRST).await?;
                self.fetch_newest_articles(tx, feed).await
            })
            .await
    }

    /// The text of the newest item's page with some rules, which are not stored.
    pub async fn preview_article(&self, user: UserId, feed: FeedId, rules: &ArticleRules) -> Result<ArticlePreview> {
        let rules = rules.parse()?;
        self.check_scope(user, store::item_lists::ItemScope::Feed(feed)).await?;
        let link = full_texts::newest_link(&self.db, feed).await?.ok_or(Error::NoPage)?;
        let html = match self.read_page(Some(&link), rules, net::Urgency::Interactive).await {
            Ok(text) => Ok(text.html),
            Err(PageError::Problem(problem)) => Err(problem),
            Err(PageError::NotSent(error)) => return Err(Error::OutOfResources(error)),
        };
        Ok(ArticlePreview { link, html })
    }
}
