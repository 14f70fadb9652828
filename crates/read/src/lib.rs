//! The rules of Read: subscribing, fetching, states with undo, counts, search, retention.
//!
//! A handler in `web`, a command and a job call the same function of [`Reader`]. It has no SQL (that is `store`'s) and no
//! words for people (those are `web`'s): what went wrong is a value with a code, [`Problem`].
//!
//! Start reading at [`Reader`], then `fetch.rs` for the life of a fetch.

mod clean_items;
mod count_bookmarks;
mod cursor;
mod fetch;
mod fetch_icon;
mod fill_excerpts;
mod folders;
mod icon;
mod import_feed;
mod items;
mod opml;
mod problem;
mod reader;
mod refresh;
mod refusal;
mod scheduler;
mod search;
mod settings;
mod states;
mod subscribe;
mod subscriptions;

pub use clean_items::{CleanItems, Cleaned};
pub use count_bookmarks::{CountBookmarks, Ended as RoundEnded, Round};
pub use cursor::{Cursor, NotACursor};
pub use feed::discover::{AddressError, Kind as OfferKind};
pub use fetch_icon::FetchIcon;
pub use fill_excerpts::FillExcerpts;
pub use folders::{FolderPatch, MOST_FOLDERS};
pub use icon::Icon;
pub use import_feed::ImportFeed;
pub use items::{ItemPage, ListWish, ListedItem};
pub use opml::{ImportError, MOST_IMPORTED};
pub use problem::Problem;
pub use reader::Reader;
pub use refresh::Refresh;
pub use refusal::Refusal;
pub use search::{Found, FoundItem, MOST_CHARS, MOST_TERMS, QueryError, SearchError};
pub use settings::{HatebuSettings, Settings};
pub use states::{MarkWish, Marked, StatePatch};
pub use subscribe::{Folder, Offer, SubscribeError, Subscribed, Wish};
pub use subscriptions::shown_title;
