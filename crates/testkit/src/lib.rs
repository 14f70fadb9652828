//! Support for tests: an empty database on SQLite or PostgreSQL, and origin servers on loopback.
//!
//! Only tests depend on this crate, so it panics instead of returning errors. It has no mocks of anything that can run for real.
//!
//! Start reading at [`on_both_databases`] and [`TestDb`].
#![expect(clippy::expect_used, clippy::panic, reason = "only tests use this crate, and a test fails by panicking")]

mod cpu;
mod database;
mod log;
pub mod origin;

pub use cpu::cpu_time;
pub use database::TestDb;
pub use log::CapturedLog;

/// Makes two tests of an `async fn` that takes a [`TestDb`]: one on SQLite, one on PostgreSQL.
///
/// It takes the function's name and not its body, so that rustfmt formats the body.
///
/// ```text
/// on_both_databases!(job_is_claimed_once);
/// async fn job_is_claimed_once(db: TestDb) { … }
/// ```
#[macro_export]
macro_rules! on_both_databases {
    ($name:ident) => {
        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name($crate::TestDb::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name($crate::TestDb::postgres().await).await;
            }
        }
    };
}
