//! The operator's blogs, by address and by the feed that each of them is.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, PoisonError, RwLock},
};

use config_file::Blog;
use store::FeedId;

/// The blogs of the configuration file that is in force. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Blogs(Arc<RwLock<Named>>);

#[derive(Default)]
struct Named {
    by_url: HashMap<String, Arc<Blog>>,
    /// In the order of the file.
    feeds: Vec<(FeedId, Arc<Blog>)>,
}

impl Blogs {
    /// Takes the blogs of a file. A feed with one of their addresses is known by it from now on, also before
    /// [`Blogs::set_feeds`] has told its id.
    pub fn set(&self, blogs: &[Blog]) {
        let by_url = blogs.iter().map(|blog| (blog.url.to_string(), Arc::new(blog.clone()))).collect();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Named { by_url, feeds: Vec::new() };
    }

    /// Sets the feeds of the blogs, in the order of the file.
    pub fn set_feeds(&self, blogs: &[Blog], feeds: &[FeedId]) {
        let mut seen = HashSet::new();
        let pairs = feeds.iter().zip(blogs).filter(|(feed, _)| seen.insert(**feed));
        let feeds = pairs.map(|(feed, blog)| (*feed, Arc::new(blog.clone()))).collect();
        self.0.write().unwrap_or_else(PoisonError::into_inner).feeds = feeds;
    }

    /// The blog with this address.
    pub fn get(&self, url: &str) -> Option<Arc<Blog>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).by_url.get(url).cloned()
    }

    /// The feeds of the blogs, in the order of the file.
    pub fn feeds(&self) -> Vec<FeedId> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).feeds.iter().map(|(feed, _)| *feed).collect()
    }

    /// The feed of the blog with this identifier.
    pub fn find(&self, id: &str) -> Option<FeedId> {
        let named = self.0.read().unwrap_or_else(PoisonError::into_inner);
        named.feeds.iter().find(|(_, blog)| blog.id == id).map(|(feed, _)| *feed)
    }

    /// The identifier of a site: the file's, or the id of its feed.
    pub fn id_of(&self, feed: FeedId, url: &str) -> String {
        self.get(url).map_or_else(|| feed.to_string(), |blog| blog.id.clone())
    }
}
