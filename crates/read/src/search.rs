//! Search over the title, text, author and feed of a person's items, newest first.
//!
//! An index in the database narrows, [`judge`] decides: so both databases give the same answers, and an index that is
//! a moment behind finds nothing that is not so. Why it is built so is in `docs/adr/0007-search.md`.

mod index;
mod judge;
mod query;
mod snippet;
mod words;

use std::collections::HashMap;

use store::{
    ItemId, UserId,
    item_lists::{self, ItemRow, Position},
    search::{self, IndexQuery, ItemText, Walk},
};

pub(crate) use self::index::SearchIndex;
use self::{
    judge::Judge,
    query::{Field, Query},
};
use crate::{Reader, Result};

/// Bytes that one request judges before it says "there may be more": some hundred items, some ten milliseconds.
const MOST_JUDGED: usize = 450_000;
/// What an item costs beside its text.
const ITEM_BYTES: usize = 1_300;
/// Texts that are read at once.
const TEXTS: usize = 64;
/// Items that are read without the index to learn whether a word is common.
const NEWEST: usize = 64;
/// Candidates that are asked for at once.
const MOST_CANDIDATES: i64 = 400;
/// A person with more feeds than this is not told apart from all others by their feeds.
const MOST_FEEDS: usize = 200;

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The newest first.
    pub items: Vec<FoundItem>,
    /// What was looked for, as search sees it: to mark it in the text.
    pub terms: Vec<String>,
    /// Where to go on, if there may be more.
    pub next: Option<Position>,
}

/// An item that was found.
#[derive(Debug, Clone)]
pub struct FoundItem {
    pub row: ItemRow,
    /// The place in its text where something was found, or its beginning.
    pub snippet: String,
}

impl Reader {
    /// The person's items that fit a question, newest first and at most `most`, older than `before`.
    ///
    /// A page may be short, or empty, and still have a next one: there is only so much work in one request.
    pub async fn search_items(
        &self,
        user: UserId,
        question: &str,
        before: Option<Position>,
        most: usize,
    ) -> Result<Found> {
        let query = Query::parse(question)?;
        let asked = query.wanted.iter().filter(|term| term.field != Field::Feed);
        let terms = asked.map(|term| term.text.trim_matches(' ').to_owned()).collect();
        let feeds = search::list_feed_titles(&self.db, user).await?;
        if feeds.is_empty() {
            return Ok(Found { terms, ..Found::default() });
        }
        let all_feeds = usize::try_from(search::count_feeds(&self.db).await?).unwrap_or(usize::MAX);
        let judge = Judge::new(&query, &feeds);
        let narrowing = judge.narrowing(feeds.len() <= MOST_FEEDS && feeds.len().saturating_mul(4) <= all_feeds);
        let mut page = Page { most, fitting: Vec::new(), judged: 0, last: None };
        let next = self.fill(user, &mut page, before.unwrap_or_else(Position::newest), &judge, &narrowing).await?;
        let ids: Vec<ItemId> = page.fitting.iter().map(|text| text.id).collect();
        let rows = item_lists::list_by_ids(&self.db, user, &ids).await?;
        let texts =
            if judge.needs_texts() { page.fitting } else { search::list_texts(&self.db, user, ids, true).await? };
        let mut texts: HashMap<ItemId, ItemText> = texts.into_iter().map(|text| (text.id, text)).collect();
        let snippet = |row: &ItemRow, texts: &mut HashMap<_, _>| texts.remove(&row.id).map(|text| judge.snippet(&text));
        let found = |row: ItemRow| FoundItem { snippet: snippet(&row, &mut texts).unwrap_or_default(), row };
        Ok(Found { items: rows.into_iter().map(found).collect(), terms, next })
    }

    /// Judges items until the page is full; tells where to go on.
    async fn fill(
        &self,
        user: UserId,
        page: &mut Page,
        before: Position,
        judge: &Judge<'_>,
        narrowing: &IndexQuery,
    ) -> store::Result<Option<Position>> {
        let mut before = before;
        if judge.has_only_beginnings() {
            match self.read_newest(user, page, before, judge).await? {
                Newest::Next(next) => return Ok(next),
                Newest::Rare(last) => before = last,
            }
        }
        let mut walk = Walk::new(&self.db, user, narrowing, before);
        // One more than the page holds tells whether there is a next one.
        let mut most = i64::try_from(page.most).unwrap_or(MOST_CANDIDATES).saturating_add(1).min(MOST_CANDIDATES);
        loop {
            let candidates = walk.next(most).await?;
            if candidates.is_empty() {
                return Ok(None);
            }
            for candidates in candidates.chunks(TEXTS) {
                let ids = candidates.iter().map(|position| position.id);
                let texts = search::list_texts(&self.db, user, ids, judge.needs_texts()).await?;
                let mut texts: HashMap<ItemId, ItemText> = texts.into_iter().map(|text| (text.id, text)).collect();
                for position in candidates {
                    let Some(text) = texts.remove(&position.id) else { continue };
                    if let Some(next) = page.judge(*position, text, judge) {
                        return Ok(Some(next));
                    }
                    // Other requests wait on the same threads.
                    tokio::task::yield_now().await;
                }
            }
            most = (most * 2).min(MOST_CANDIDATES);
        }
    }

    /// Judges the newest items without the index, as long as many of them fit.
    async fn read_newest(
        &self,
        user: UserId,
        page: &mut Page,
        before: Position,
        judge: &Judge<'_>,
    ) -> store::Result<Newest> {
        let mut before = before;
        loop {
            let texts = search::list_newest_texts(&self.db, user, before, NEWEST).await?;
            let (count, fitting) = (texts.len(), page.fitting.len());
            for text in texts {
                before = Position { published_at: text.published_at, id: text.id };
                if let Some(next) = page.judge(before, text, judge) {
                    return Ok(Newest::Next(Some(next)));
                }
                tokio::task::yield_now().await;
            }
            if count < NEWEST {
                return Ok(Newest::Next(None));
            }
            if (page.fitting.len() - fitting) * 4 < count {
                return Ok(Newest::Rare(before));
            }
        }
    }
}

/// How reading the newest items ended.
enum Newest {
    /// With the page, and where the next one begins.
    Next(Option<Position>),
    /// Few items fit, down to here.
    Rare(Position),
}

/// A page that is being filled.
struct Page {
    most: usize,
    fitting: Vec<ItemText>,
    judged: usize,
    /// The last of those that fit.
    last: Option<Position>,
}

impl Page {
    /// Judges one candidate. Tells where to go on once the page is full and there is more, or enough has been judged.
    fn judge(&mut self, position: Position, text: ItemText, judge: &Judge<'_>) -> Option<Position> {
        self.judged +=
            ITEM_BYTES + text.content.as_ref().map_or(0, String::len) + text.summary.as_ref().map_or(0, String::len);
        if judge.fits(&text) {
            if self.fitting.len() == self.most {
                return self.last;
            }
            self.fitting.push(text);
            self.last = Some(position);
        }
        (self.judged > MOST_JUDGED).then_some(position)
    }
}
