//! The jobs of Read. Each is a file of its own, and a line here.

use queue::Worker;

use crate::{CleanItems, CountBookmarks, FetchIcon, FillExcerpts, ImportFeed, Reader};

/// Lets a worker run the jobs of Read.
pub fn register_jobs(worker: &mut Worker, reader: &Reader) {
    worker.register::<CleanItems>(reader.clone());
    worker.register::<FetchIcon>(reader.clone());
    worker.register::<FillExcerpts>(reader.clone());
    worker.register::<ImportFeed>(reader.clone());
    // A worker without the setting leaves rounds to those that have it.
    if reader.hatebu().is_some() {
        worker.register::<CountBookmarks>(reader.clone());
    }
}
