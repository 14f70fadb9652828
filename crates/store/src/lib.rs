//! The database of Kawaraban: SQL, migrations and records.
//!
//! A query is written once, in SQL that SQLite and PostgreSQL both understand, and reads
//! `db.read("select … where feed_id = $1").bind(feed_id).all::<Item>()`. A statement that cannot be written once has two texts
//! next to each other; `dialect.rs` says in which files and why. A transaction is `db.transact(async |tx| …)`. This is the only
//! crate that names sqlx.
//!
//! It deliberately has no object mapper, no trait with one implementation per database and no product rules: those are in the
//! crates above it. Its only network connection is the one to the database.
//!
//! Start reading at [`Db`], then [`Query`], then a table's file, for example [`jobs`].

pub mod activity;
mod address;
pub mod bookmarks;
mod clock;
mod columns;
mod connection;
mod db;
pub mod delete_user;
mod dialect;
mod error;
pub mod feeds;
pub mod folders;
pub mod full_texts;
pub mod icons;
pub mod identities;
mod ids;
pub mod imports;
pub mod item_lists;
pub mod items;
pub mod jobs;
mod migrate;
mod postgres;
mod query;
pub mod retention;
pub mod schedules;
pub mod search;
pub mod sessions;
pub mod setup_links;
mod signal;
mod sql;
pub mod states;
pub mod subscription_status;
pub mod subscriptions;
pub mod throttles;
pub mod tokens;
mod transact;
mod tx;
pub mod undos;
pub mod user_settings;
pub mod users;
pub mod watch;
pub mod workers;

pub use address::{DatabaseAddress, DatabaseAddressError};
pub use clock::Clock;
pub use db::Db;
pub use error::{Error, Result};
pub use ids::{
    FeedId, FolderId, IdentityId, ImportId, ItemId, JobId, LeaseToken, SessionId, SubscriptionId, TokenId, UndoId,
    UserId,
};
pub use migrate::Migrated;
pub use query::{Bindable, Query, Row, Scalar};
pub use signal::{Change, Signals, Topic};
pub use tx::Tx;
pub use users::Revised;
