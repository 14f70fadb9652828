//! Decides whether an item matches a query, in the same way for both databases.

use std::{cell::OnceCell, collections::HashMap};

use store::{
    FeedId,
    search::{Expression, FeedTitles, IndexQuery, ItemText},
};

use super::{
    query::{Field, ParsedQuery, Term},
    snippet::snippet,
    words::{self, Key},
};

/// Separates fields, so that no phrase matches across two of them.
const SEPARATOR: char = '\n';

/// A query on the feeds of one user.
pub(super) struct Matcher<'a> {
    query: &'a ParsedQuery,
    feeds: HashMap<FeedId, String>,
}

impl<'a> Matcher<'a> {
    pub fn new(query: &'a ParsedQuery, feeds: &[FeedTitles]) -> Matcher<'a> {
        let folded = |feed: &FeedTitles| {
            let own = feed.own_title.as_deref().map(words::fold).unwrap_or_default();
            format!("{}{SEPARATOR}{own}", words::fold(&feed.title))
        };
        Matcher { query, feeds: feeds.iter().map(|feed| (feed.feed_id, folded(feed))).collect() }
    }

    /// The query of the index. `within` limits it to the user's feeds.
    ///
    /// Broad terms, which are slow in the index, are left to [`Matcher::matches`] if there are others.
    pub fn narrowing(&self, within: bool) -> IndexQuery {
        let is_broad = |term: &&Term| term.field != Field::Feed && term.keys().iter().all(Key::is_broad);
        let (broad, narrow): (Vec<&Term>, Vec<&Term>) = self.query.wanted.iter().partition(is_broad);
        let indexed = if narrow.is_empty() { broad } else { narrow };
        let mut must: Vec<Expression> = indexed.into_iter().map(|term| self.expression(term)).collect();
        if within {
            must.push(Expression::Any(self.feeds.keys().map(|feed| Expression::Feed(*feed)).collect()));
        }
        let exact = |term: &&Term| term.field == Field::Anywhere && words::is_one_word(&term.text);
        let but_not =
            self.query.unwanted.iter().filter(exact).map(|term| term.text.trim_matches(' ').to_owned()).collect();
        IndexQuery { must: Expression::All(must), but_not }
    }

    /// Whether all words are prefixes. The index reads every word with the prefix, which is slow for common ones.
    pub fn has_only_prefixes(&self) -> bool {
        let terms = self.query.wanted.iter().filter(|term| term.field != Field::Feed);
        let mut keys = terms.flat_map(Term::keys).peekable();
        keys.peek().is_some() && keys.all(|key| key.is_prefix)
    }

    /// Whether matching needs the texts of items, besides titles and authors.
    pub fn needs_texts(&self) -> bool {
        self.query.wanted.iter().chain(&self.query.unwanted).any(|term| term.field == Field::Anywhere)
    }

    /// Whether all wanted terms and no unwanted ones occur.
    pub fn matches(&self, item: &ItemText) -> bool {
        let text = FoldedItem::new(item, self.feeds.get(&item.feed_id).map_or("", String::as_str));
        self.query.wanted.iter().all(|term| text.has(term)) && !self.query.unwanted.iter().any(|term| text.has(term))
    }

    /// The text around the first match, or its beginning.
    pub fn snippet(&self, item: &ItemText) -> String {
        let needles: Vec<&str> = self.query.wanted.iter().map(Term::needle).collect();
        let texts = [item.content.as_deref(), item.summary.as_deref()];
        let mut snippets = texts.into_iter().flatten().map(|html| snippet(&feed::plain_text(html), &needles));
        let first = snippets.next().unwrap_or_default();
        if first.1 { first.0 } else { snippets.find(|(_, is_hit)| *is_hit).unwrap_or(first).0 }
    }

    fn expression(&self, term: &Term) -> Expression {
        let mut any: Vec<Expression> = Vec::new();
        if term.field != Field::Feed {
            let expression = |key: Key<'_>| match key.is_prefix {
                true => Expression::Beginning(key.text.to_owned()),
                false => Expression::Word(key.text.to_owned()),
            };
            any.push(Expression::All(term.keys().into_iter().map(expression).collect()));
        }
        if matches!(term.field, Field::Anywhere | Field::Feed) {
            let needle = term.needle();
            let named = self.feeds.iter().filter(|(_, titles)| titles.contains(needle));
            any.extend(named.map(|(feed, _)| Expression::Feed(*feed)));
        }
        Expression::Any(any)
    }
}

/// The folded fields of an item, computed when first used.
struct FoldedItem<'a> {
    item: &'a ItemText,
    title: OnceCell<String>,
    author: OnceCell<String>,
    text: OnceCell<String>,
    feed: &'a str,
}

impl<'a> FoldedItem<'a> {
    fn new(item: &'a ItemText, feed: &'a str) -> FoldedItem<'a> {
        FoldedItem { item, title: OnceCell::new(), author: OnceCell::new(), text: OnceCell::new(), feed }
    }

    fn has(&self, term: &Term) -> bool {
        let needle = term.needle();
        let title = || self.title.get_or_init(|| words::fold(&self.item.title)).contains(needle);
        let author = || self.author.get_or_init(|| fold_author(self.item)).contains(needle);
        let feed = || self.feed.contains(needle);
        match term.field {
            Field::Title => title(),
            Field::Author => author(),
            Field::Feed => feed(),
            Field::Anywhere => {
                title() || author() || feed() || self.text.get_or_init(|| fold_texts(self.item)).contains(needle)
            }
        }
    }
}

fn fold_author(item: &ItemText) -> String {
    item.author.as_deref().map(words::fold).unwrap_or_default()
}

/// The words of an item for the index, separated by spaces, without the titles of its feed: those can change.
pub(super) fn words_of(item: &ItemText) -> String {
    let author = fold_author(item);
    let whole = format!("{} {author} {}", words::fold(&item.title), fold_texts(item).replace(SEPARATOR, " "));
    words::words(&whole).join(" ")
}

/// Content and summary, folded.
fn fold_texts(item: &ItemText) -> String {
    let folded =
        |html: &Option<String>| html.as_deref().map(|html| words::fold(&feed::plain_text(html))).unwrap_or_default();
    let mut text = folded(&item.content);
    if item.summary.is_some() && item.summary != item.content {
        text.push(SEPARATOR);
        text.push_str(&folded(&item.summary));
    }
    text
}
