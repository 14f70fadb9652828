//! What tests stand on: an empty database of their own on SQLite or PostgreSQL, and origin servers on loopback.
//!
//! Only tests depend on this crate, so it fails loudly instead of returning errors. Nothing here is a double of
//! something that could be run for real.
//!
//! Start reading at [`on_both_databases`] and [`TestDb`].
#![expect(clippy::expect_used, clippy::panic, reason = "only tests use this crate, and a test fails by panicking")]

mod database;
mod log;
pub mod origin;

pub use database::TestDb;
pub use log::Log;

/// Makes two tests of each story: one on SQLite, one on PostgreSQL.
///
/// ```text
/// on_both_databases! {
///     async fn a_job_is_taken_once(db: TestDb) { … }
/// }
/// ```
#[macro_export]
macro_rules! on_both_databases {
    ($(async fn $name:ident($db:ident: $database:ty) $story:block)*) => {$(
        mod $name {
            #[expect(unused_imports, reason = "a story may need nothing from around it")]
            use super::*;

            async fn story($db: $database) $story

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                story($crate::TestDb::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                story($crate::TestDb::postgres().await).await;
            }
        }
    )*};
}
