//! The jobs of Read: one file each, and one line here.

use queue::Worker;

use crate::{CleanItems, CountBookmarks, FetchArticle, FetchIcon, FillExcerpts, ImportFeed, Reader};

/// Registers the jobs of Read with a worker.
pub fn register_jobs(worker: &mut Worker, reader: &Reader) {
    worker.register::<CleanItems>(reader.clone());
    worker.register::<FetchArticle>(reader.clone());
    worker.register::<FetchIcon>(reader.clone());
    worker.register::<FillExcerpts>(reader.clone());
    worker.register::<ImportFeed>(reader.clone());
    // A worker without the setting leaves rounds to workers with it.
    if reader.hatebu().is_some() {
        worker.register::<CountBookmarks>(reader.clone());
    }
}
