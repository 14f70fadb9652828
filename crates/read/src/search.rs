//! Search over the title, text, author and feed of a user's items, newest first.
//!
//! The index of the database finds candidates and [`matcher`] decides. Both databases therefore give the same results, and
//! an index that is out of date gives no false ones. The reasons are in `docs/adr/0007-search.md`.

mod index;
mod matcher;
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
    matcher::Matcher,
    query::{Field, ParsedQuery},
};
use crate::{Reader, Result};

/// Bytes that one request examines before it returns a short page: about a hundred items, about ten milliseconds.
const MAX_EXAMINED_BYTES: usize = 450_000;
/// The cost of an item besides its text, in bytes.
const ITEM_BYTES: usize = 1_300;
/// Texts per query.
const TEXT_BATCH: usize = 64;
/// Items per query while reading without the index.
const NEWEST_BATCH: usize = 64;
/// The maximum number of candidates per query.
const MAX_CANDIDATES: i64 = 400;
/// The index query names the user's feeds only if there are at most this many.
const MAX_FEEDS_IN_QUERY: usize = 200;

/// A page of search results.
#[derive(Debug, Clone, Default)]
pub struct SearchPage {
    /// The newest first.
    pub items: Vec<SearchHit>,
    /// The folded search terms, to be highlighted in the text.
    pub terms: Vec<String>,
    /// The `before` of the next page, if there may be more.
    pub next: Option<Position>,
}

/// An item that matches a query.
#[derive(Debug, Clone)]
pub struct SearchHit {
    pub row: ItemRow,
    /// The text around the first match, or its beginning.
    pub snippet: String,
}

impl Reader {
    /// The user's items that match a query, older than `before`, newest first, at most `limit`.
    ///
    /// A page may be short, or empty, and still have a next one: the work of one request is limited.
    pub async fn search_items(
        &self,
        user: UserId,
        query: &str,
        before: Option<Position>,
        limit: usize,
    ) -> Result<SearchPage> {
        let query = ParsedQuery::parse(query)?;
        let highlighted = query.wanted.iter().filter(|term| term.field != Field::Feed);
        let terms = highlighted.map(|term| term.text.trim_matches(' ').to_owned()).collect();
        let feeds = search::list_feed_titles(&self.db, user).await?;
        if feeds.is_empty() {
            return Ok(SearchPage { terms, ..SearchPage::default() });
        }
        let all_feeds = usize::try_from(search::count_feeds(&self.db).await?).unwrap_or(usize::MAX);
        let matcher = Matcher::new(&query, &feeds);
        let narrowing =
            matcher.narrowing(feeds.len() <= MAX_FEEDS_IN_QUERY && feeds.len().saturating_mul(4) <= all_feeds);
        let mut page = PageBuilder { limit, matching: Vec::new(), examined_bytes: 0, last: None };
        let next = self.fill(user, &mut page, before.unwrap_or_else(Position::newest), &matcher, &narrowing).await?;
        let ids: Vec<ItemId> = page.matching.iter().map(|text| text.id).collect();
        let rows = item_lists::list_by_ids(&self.db, user, &ids).await?;
        let texts =
            if matcher.needs_texts() { page.matching } else { search::list_texts(&self.db, user, ids, true).await? };
        let mut texts: HashMap<ItemId, ItemText> = texts.into_iter().map(|text| (text.id, text)).collect();
        let snippet =
            |row: &ItemRow, texts: &mut HashMap<_, _>| texts.remove(&row.id).map(|text| matcher.snippet(&text));
        let hit = |row: ItemRow| SearchHit { snippet: snippet(&row, &mut texts).unwrap_or_default(), row };
        Ok(SearchPage { items: rows.into_iter().map(hit).collect(), terms, next })
    }

    /// Examines items until the page is full. Returns where the next page begins.
    async fn fill(
        &self,
        user: UserId,
        page: &mut PageBuilder,
        before: Position,
        matcher: &Matcher<'_>,
        narrowing: &IndexQuery,
    ) -> store::Result<Option<Position>> {
        let mut before = before;
        if matcher.has_only_prefixes() {
            match self.read_newest(user, page, before, matcher).await? {
                NewestEnd::Next(next) => return Ok(next),
                NewestEnd::Rare(last) => before = last,
            }
        }
        let mut walk = Walk::new(&self.db, user, narrowing, before);
        // One more than the page holds shows whether there is a next page.
        let mut limit = i64::try_from(page.limit).unwrap_or(MAX_CANDIDATES).saturating_add(1).min(MAX_CANDIDATES);
        loop {
            let candidates = walk.next(limit).await?;
            if candidates.is_empty() {
                return Ok(None);
            }
            for candidates in candidates.chunks(TEXT_BATCH) {
                let ids = candidates.iter().map(|position| position.id);
                let texts = search::list_texts(&self.db, user, ids, matcher.needs_texts()).await?;
                let mut texts: HashMap<ItemId, ItemText> = texts.into_iter().map(|text| (text.id, text)).collect();
                for position in candidates {
                    let Some(text) = texts.remove(&position.id) else { continue };
                    if let Some(next) = page.examine(*position, text, matcher) {
                        return Ok(Some(next));
                    }
                    // Other requests run on the same threads.
                    tokio::task::yield_now().await;
                }
            }
            limit = (limit * 2).min(MAX_CANDIDATES);
        }
    }

    /// Examines the newest items without the index, as long as many of them match.
    async fn read_newest(
        &self,
        user: UserId,
        page: &mut PageBuilder,
        before: Position,
        matcher: &Matcher<'_>,
    ) -> store::Result<NewestEnd> {
        let mut before = before;
        loop {
            let texts = search::list_newest_texts(&self.db, user, before, NEWEST_BATCH).await?;
            let (count, matched_before) = (texts.len(), page.matching.len());
            for text in texts {
                before = Position { published_at: text.published_at, id: text.id };
                if let Some(next) = page.examine(before, text, matcher) {
                    return Ok(NewestEnd::Next(Some(next)));
                }
                tokio::task::yield_now().await;
            }
            if count < NEWEST_BATCH {
                return Ok(NewestEnd::Next(None));
            }
            if (page.matching.len() - matched_before) * 4 < count {
                return Ok(NewestEnd::Rare(before));
            }
        }
    }
}

/// How reading the newest items ended.
enum NewestEnd {
    /// The page is complete; the next one begins here.
    Next(Option<Position>),
    /// Few items match, down to here.
    Rare(Position),
}

struct PageBuilder {
    limit: usize,
    matching: Vec<ItemText>,
    examined_bytes: usize,
    /// The last item that matches.
    last: Option<Position>,
}

impl PageBuilder {
    /// Adds the candidate if it matches. Returns where the next page begins once this one is full and there is more, or the
    /// limit of work is reached.
    fn examine(&mut self, position: Position, text: ItemText, matcher: &Matcher<'_>) -> Option<Position> {
        self.examined_bytes +=
            ITEM_BYTES + text.content.as_ref().map_or(0, String::len) + text.summary.as_ref().map_or(0, String::len);
        if matcher.matches(&text) {
            if self.matching.len() == self.limit {
                return self.last;
            }
            self.matching.push(text);
            self.last = Some(position);
        }
        (self.examined_bytes > MAX_EXAMINED_BYTES).then_some(position)
    }
}
