//! The rules of Read: subscribing, fetching, states with undo, counts, search, retention.
//!
//! A handler in `web`, a command and a job call the same method of [`Reader`]. This crate has no SQL, which is in `store`,
//! and no messages for users, which are in `web`: errors are values with a code, [`Error`] or [`Problem`].
//!
//! Start reading at [`Reader`], then `fetch.rs` for the life of a fetch. Other capabilities plug in at `events.rs` and
//! `fetchers.rs`.

mod article_rules;
mod clean_items;
mod count_bookmarks;
mod cursor;
mod error;
mod events;
mod fetch;
mod fetch_article;
mod fetch_icon;
mod fetch_now;
mod fetchers;
mod fill_excerpts;
mod folders;
mod full_text;
mod icon;
mod import_feed;
mod items;
mod jobs;
mod opml;
mod problem;
mod reader;
mod refresh;
mod scheduler;
mod search;
mod settings;
mod states;
mod subscribe;
mod subscriptions;
mod uses;

pub use article_rules::{ArticlePreview, ArticleRules};
pub use clean_items::{CleanItems, Cleaned};
pub use count_bookmarks::{CountBookmarks, Round, RoundEnd};
pub use cursor::{ItemCursor, NotACursor};
pub use error::{Error, Result};
pub use events::{EventHandler, Events, FeedItem};
pub use feed::discover::CandidateKind;
pub use fetch::document::hash as body_hash;
pub use fetch_article::FetchArticle;
pub use fetch_icon::FetchIcon;
pub use fetch_now::FetchedNow;
pub use fetchers::{Answer, Content, FEED_KIND, FetchError, Fetcher, Notes, StoredFetch};
pub use fill_excerpts::FillExcerpts;
pub use folders::{FolderPatch, MAX_FOLDERS};
pub use icon::IconFile;
pub use import_feed::{ImportFailure, ImportFeed};
pub use items::{ItemPage, ListQuery, ListedItem};
pub use jobs::register_jobs;
pub use problem::Problem;
pub use reader::Reader;
pub use refresh::Refresh;
pub use search::{SearchHit, SearchPage};
pub use settings::{HatebuSettings, ReaderSettings};
pub use states::{MarkRead, MarkedAsRead, StatePatch};
pub use subscribe::{FeedCandidate, FetchedSite, SubscribeFolder, SubscribeOptions, Subscribed};
pub use subscriptions::shown_title;
pub use uses::NamedFeed;
