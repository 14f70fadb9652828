//! The whole text of an item, from its page, beside what the feed says.
//!
//! A reader asks for one text, or sets a subscription to `on` or `auto`; then a job fetches the pages of new items. A page that
//! cannot be read leaves its problem with the item and never hides the feed's text.

mod robots;

use std::time::Duration;

use article::{PageContext, Rules, pdf};
use chrono::{DateTime, Utc};
use net::{Request, Response, Urgency, Url};
pub(crate) use robots::RobotsCache;
use store::{
    FeedId, ItemId, Topic, Tx, UserId,
    full_texts::{self, ItemSource},
    item_lists::ItemDetail,
    search,
};

use crate::{ArticleRules, Error, FetchError, Problem, Reader, Result, fetch_article};

/// A feed's text with fewer characters of HTML is short.
pub(crate) const SHORT_TEXT: i64 = 1_500;
/// The newest items of a feed whose pages are fetched when a subscriber turns it on, or when its rules change.
pub(crate) const FETCHED_AT_FIRST: i64 = 30;
/// How many times longer the text of a page must be to be worth showing without being asked for.
const LONGER: usize = 2;
const MAX_PAGE_BYTES: usize = 5 * 1024 * 1024;
/// The longest that somebody waits for a page.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a page ended.
pub(crate) enum PageOutcome {
    /// Its text has been stored, if it has one worth showing.
    Stored,
    /// Its problem has been stored.
    Failed(Problem),
    /// It was not asked for, for lack of our own resources or of a turn. Try again later.
    NotSent(net::Error),
}

/// Why a page has no text.
pub(crate) enum PageError {
    Problem(Problem),
    /// As in [`PageOutcome::NotSent`].
    NotSent(net::Error),
}

impl From<Problem> for PageError {
    fn from(problem: Problem) -> Self {
        PageError::Problem(problem)
    }
}

impl From<net::Error> for PageError {
    fn from(error: net::Error) -> Self {
        match Problem::of_error(&error) {
            Some(problem) => PageError::Problem(problem),
            None => PageError::NotSent(error),
        }
    }
}

/// The text of a page.
pub(crate) struct PageText {
    pub html: String,
    chars: usize,
}

impl Reader {
    /// The item with its whole text, which is fetched unless it is there.
    pub async fn get_full_text(&self, user: UserId, item: ItemId) -> Result<ItemDetail> {
        let detail = self.get_item(user, item).await?;
        if detail.full_text.full_text.is_some() {
            return Ok(detail);
        }
        match self.fetch_full_text(item, Urgency::Interactive).await? {
            PageOutcome::Stored | PageOutcome::Failed(_) => self.get_item(user, item).await,
            PageOutcome::NotSent(error) => Err(Error::OutOfResources(error)),
        }
    }

    /// Fetches the page of an item and stores its text, or why there is none.
    pub(crate) async fn fetch_full_text(&self, item: ItemId, urgency: Urgency) -> store::Result<PageOutcome> {
        let Some(source) = full_texts::get_source(&self.db, item).await? else { return Ok(PageOutcome::Stored) };
        let rules = ArticleRules::stored(source.rules.as_deref());
        let text = match self.read_page(source.link.as_deref(), rules, urgency).await {
            Ok(text) => Ok(Some(text).filter(|text| urgency == Urgency::Interactive || is_worth_it(&source, text))),
            Err(PageError::Problem(problem)) => Err(problem),
            Err(PageError::NotSent(error)) => return Ok(PageOutcome::NotSent(error)),
        };
        let html = text.as_ref().ok().and_then(Option::as_ref).map(|text| text.html.as_str());
        let error = text.as_ref().err().map(|problem| problem.code());
        self.db
            .transact(async |tx| {
                full_texts::store(tx, item, html, error, self.clock.now()).await?;
                if html.is_some() {
                    search::mark_pending(tx, [item]).await?;
                    tx.announce(Topic::Words);
                }
                Ok::<_, store::Error>(())
            })
            .await?;
        Ok(text.map_or_else(PageOutcome::Failed, |_| PageOutcome::Stored))
    }

    /// Fails if the site asks robots not to fetch this page.
    pub async fn check_robots(&self, url: &Url) -> std::result::Result<(), FetchError> {
        let detail = || "robots.txt".to_owned();
        match self.robots.allow(&self.net, url).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(FetchError::Unusable { problem: Problem::RobotsRefused, detail: detail() }),
            Err(PageError::Problem(problem)) => Err(FetchError::Unusable { problem, detail: detail() }),
            Err(PageError::NotSent(error)) => Err(error.into()),
        }
    }

    /// Fetches the pages of the newest items of a feed that a subscriber wants.
    pub(crate) async fn fetch_newest_articles(&self, tx: &mut Tx, feed: FeedId) -> Result<()> {
        let wanted = full_texts::list_newest_wanted(tx, feed, SHORT_TEXT, FETCHED_AT_FIRST).await?;
        Ok(fetch_article::enqueue(tx, &self.clock, &wanted).await?)
    }

    pub(crate) async fn read_page(
        &self,
        link: Option<&str>,
        rules: Rules,
        urgency: Urgency,
    ) -> std::result::Result<PageText, PageError> {
        let url = link.and_then(|link| net::parse_url(link).ok());
        let url = url.ok_or(Problem::AddressRefused)?;
        // A person may read what a robot should not fetch by itself.
        if urgency == Urgency::Background && !self.robots.allow(&self.net, &url).await? {
            return Err(Problem::RobotsRefused.into());
        }
        let request = Request::get(url).urgency(urgency).timeout(PATIENCE).max_wait(PATIENCE);
        let response = self.net.send(request.max_body_bytes(MAX_PAGE_BYTES)).await?;
        if let Some(problem) = Problem::of_status(&response) {
            return Err(problem.into());
        }
        let now = self.clock.now();
        let read = tokio::task::spawn_blocking(move || text_of(&response, &rules, now)).await;
        Ok(read.ok().flatten().ok_or(Problem::NoArticle)?)
    }
}

fn text_of(response: &Response, rules: &Rules, now: DateTime<Utc>) -> Option<PageText> {
    let article = if pdf::is_pdf(&response.body) {
        pdf::article(&response.body).ok()?
    } else {
        let page = article::decode(&response.body, response.content_type.as_deref());
        article::extract(&page, &PageContext { base_url: Some(&response.url), rules, now }).ok()?
    };
    Some(PageText { chars: article.text.chars().count(), html: article.html })
}

/// Whether a text is shown without being asked for: a subscriber wants it, or it is much longer than what the feed says.
fn is_worth_it(source: &ItemSource, text: &PageText) -> bool {
    let chars = |html: &Option<String>| html.as_deref().map_or(0, |html| feed::plain_text(html).chars().count());
    source.is_wanted || text.chars > LONGER * chars(&source.content).max(chars(&source.summary))
}
