//! What every rule works with.

use std::sync::Arc;

use store::{Clock, Db};

use crate::{
    FEED_KIND, ReaderSettings,
    events::Handlers,
    fetch::FetchStats,
    fetch_article::FullTexts,
    fetchers::{FeedFetcher, Fetchers},
    full_text::RobotsCache,
    search::SearchIndex,
};

/// The reader: the rules of Read with what they need. Cheap to clone. Its methods are in the files named for what they do.
#[derive(Clone)]
pub struct Reader {
    pub(crate) db: Db,
    pub(crate) net: net::Client,
    pub(crate) clock: Clock,
    pub(crate) settings: Arc<ReaderSettings>,
    pub(crate) fetch_stats: Arc<FetchStats>,
    pub(crate) handlers: Handlers,
    pub(crate) fetchers: Fetchers,
    pub(crate) robots: RobotsCache,
}

impl Reader {
    /// A reader on this database, with this client for the network. It fetches feeds and keeps the search index; other
    /// capabilities register themselves before the reader is cloned.
    pub fn new(db: Db, net: net::Client, clock: Clock, settings: ReaderSettings) -> Reader {
        let mut reader = Reader {
            db,
            net: net.clone(),
            clock,
            fetch_stats: Arc::default(),
            handlers: Handlers::default(),
            fetchers: Fetchers::default(),
            robots: RobotsCache::default(),
            settings: Arc::new(settings),
        };
        reader.on_events(SearchIndex);
        reader.on_events(FullTexts(reader.clock.clone()));
        reader.register_fetcher(FEED_KIND, FeedFetcher { net, max_wait: reader.settings.lease });
        reader
    }

    /// The database it works on.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The time as it sees it.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }
}
