//! The page of a new post: it confirms the post, and has its text, author and date.

use std::time::Duration;

use article::{PageContext, Rules};
use feed::Entry;
use net::{Request, Urgency, Url};
use read::{FetchError, Problem};

use crate::{
    SiteChecker,
    compare::KeyedPost,
    site_post::{SitePost, VolatileParameters, title_of_address},
};

/// Of the new posts of one check, so many are confirmed by their pages. The others wait for the next check.
pub(crate) const MAX_PAGES: usize = 10;
const MAX_PAGE_BYTES: usize = 5 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest time for the pages of one check. Posts whose pages were not read by then wait for the next check.
pub(crate) const LONGEST_READING: Duration = Duration::from_secs(60);

/// A new post with what its page says.
pub(crate) struct PostPage {
    pub entry: Entry,
    /// The keys of the addresses that the page has too: after redirects, and the one it asks to be known by.
    pub other_keys: Vec<String>,
}

impl SiteChecker {
    /// Reads the page of a post. None if there is none, or nothing like an article on it.
    pub(crate) async fn read_post(
        &self,
        post: &KeyedPost,
        volatile: &VolatileParameters,
        urgency: Urgency,
    ) -> Result<Option<PostPage>, FetchError> {
        let url = &post.post.url;
        if urgency == Urgency::Background {
            match self.reader.check_robots(url).await {
                Ok(()) => {}
                Err(FetchError::Unusable { .. }) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let request = Request::get(url.clone()).urgency(urgency).timeout(PATIENCE).max_wait(PATIENCE);
        let response = match self.send(request.max_body_bytes(MAX_PAGE_BYTES)).await {
            Ok(response) if Problem::of_status(&response).is_none() => response,
            // A page that cannot be asked for now is confirmed by the next check.
            _ => return Ok(None),
        };
        let now = self.clock().now();
        let at = response.url.clone();
        let read = move || {
            let html = article::decode(&response.body, response.content_type.as_deref());
            let rules = Rules::default();
            article::extract(&html, &PageContext { base_url: Some(&response.url), rules: &rules, now }).ok()
        };
        let Some(article) = tokio::task::spawn_blocking(read).await.ok().flatten() else { return Ok(None) };
        let is_same_site = |other: &&Url| other.host_str() == url.host_str() && other.path() != "/";
        let others = [Some(&at), article.canonical_url.as_ref()].into_iter().flatten().filter(is_same_site);
        let other_keys = others.map(|other| volatile.key(other)).filter(|key| *key != post.key).collect();
        let title = if post.post.title.is_empty() { article.title } else { Some(post.post.title.clone()) };
        let entry = Entry {
            title: title.filter(|title| !title.is_empty()).unwrap_or_else(|| title_of_address(url)),
            published: post.post.published_at.or(article.published_at),
            content: Some(article.html),
            authors: article.byline.into_iter().collect(),
            thumbnail: article.image.map(|image| image.to_string()),
            ..entry_of(&post.post)
        };
        Ok(Some(PostPage { entry, other_keys }))
    }
}

/// A post as its list shows it.
pub(crate) fn entry_of(post: &SitePost) -> Entry {
    let title = if post.title.is_empty() { title_of_address(&post.url) } else { post.title.clone() };
    Entry { link: Some(post.url.to_string()), title, published: post.published_at, ..Entry::default() }
}
