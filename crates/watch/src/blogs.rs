//! The operator's blogs, by the feed that each of them is.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use config_file::Blog;
use store::FeedId;

/// The blogs of the configuration file that is in force. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Blogs(Arc<RwLock<Named>>);

#[derive(Default)]
struct Named {
    by_feed: HashMap<FeedId, Arc<Blog>>,
    /// In the order of the file.
    feeds: Vec<FeedId>,
}

impl Blogs {
    pub fn set(&self, blogs: impl IntoIterator<Item = (FeedId, Blog)>) {
        let mut named = Named::default();
        for (feed, blog) in blogs {
            // Two blogs with one address are one feed: the first counts.
            if !named.by_feed.contains_key(&feed) {
                named.by_feed.insert(feed, Arc::new(blog));
                named.feeds.push(feed);
            }
        }
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = named;
    }

    pub fn get(&self, feed: FeedId) -> Option<Arc<Blog>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).by_feed.get(&feed).cloned()
    }

    pub fn feeds(&self) -> Vec<FeedId> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).feeds.clone()
    }

    /// The feed of the blog with this identifier.
    pub fn find(&self, id: &str) -> Option<FeedId> {
        let named = self.0.read().unwrap_or_else(PoisonError::into_inner);
        named.by_feed.iter().find(|(_, blog)| blog.id == id).map(|(feed, _)| *feed)
    }

    /// The identifier of a site: the file's, or the id of its feed.
    pub fn id_of(&self, feed: FeedId) -> String {
        self.get(feed).map_or_else(|| feed.to_string(), |blog| blog.id.clone())
    }
}
