//! Watching a site in the reader: a preview of its posts, then a subscription.

use config_file::BlogKind;
use feed::discover::tidy_address;
use net::{Urgency, Url};
use read::{Error, FetchError, FetchedSite, Problem, Result, SubscribeOptions, Subscribed};
use store::{UserId, full_texts::FullText, watch::Source};

use crate::{
    SITE_KIND, SitePost, Watcher,
    check::Before,
    look::{FoundSource, Listing, Site},
};

/// The limit of the column.
const MAX_URL_BYTES: usize = 2_048;

/// What watching a site would bring.
#[derive(Debug, Clone)]
pub struct Preview {
    pub url: Url,
    pub title: String,
    pub source: Source,
    pub source_url: Url,
    /// The lists that could be meant, the best first.
    pub lists: Vec<PostChoice>,
}

/// A list of posts to choose.
#[derive(Debug, Clone)]
pub struct PostChoice {
    /// Empty for the posts of a feed or sitemap.
    pub id: String,
    pub posts: Vec<SitePost>,
}

impl Watcher {
    /// Looks at a site as it would be watched. Nothing is stored.
    pub async fn preview(&self, address: &str) -> Result<Preview> {
        let url = read_address(address)?;
        let found = self.look_at(&url, None).await?;
        let best = PostChoice { id: found.list.clone().unwrap_or_default(), posts: found.posts };
        let others = found
            .others
            .into_iter()
            .map(|list| PostChoice { id: list.id, posts: list.posts.into_iter().map(SitePost::from).collect() });
        let lists = std::iter::once(best).filter(|list| !list.posts.is_empty()).chain(others);
        Ok(Preview {
            title: found.title.unwrap_or_else(|| url.host_str().unwrap_or_default().to_owned()),
            source: found.source,
            source_url: found.source_url,
            lists: lists.collect(),
            url,
        })
    }

    /// Subscribes a user to a site. Its posts start as read, unless the options say otherwise.
    pub async fn subscribe(
        &self,
        user: UserId,
        address: &str,
        list: Option<&str>,
        options: SubscribeOptions,
    ) -> Result<Subscribed> {
        let url = read_address(address)?;
        let list = list.filter(|list| !list.is_empty());
        let mut found = self.look_at(&url, None).await?;
        // The best list is found anew at every check. Another one is kept.
        let list = list.filter(|list| found.list.as_deref() != Some(list));
        if list.is_some() {
            found = self.look_at(&url, list).await?;
        }
        if found.posts.is_empty() {
            let detail = "the page has no list of posts".to_owned();
            return Err(FetchError::Unusable { problem: Problem::NoPosts, detail }.into());
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        let before = Before {
            feed: None,
            title: &host,
            state: None,
            blog: None,
            list: list.filter(|_| found.source == Source::Page),
            urgency: Urgency::Interactive,
            looked_anew: true,
        };
        let checked = self.checker.compare_list(&before, &found).await?;
        let site = FetchedSite {
            kind: SITE_KIND,
            url,
            response: found.response,
            feed: checked.feed,
            notes: std::sync::Arc::new(checked.notes),
        };
        self.reader.subscribe_to_site(user, site, &SubscribeOptions { full_text: FullText::Auto, ..options }).await
    }

    /// Looks at a site while a person waits.
    async fn look_at(&self, url: &Url, list: Option<&str>) -> Result<FoundSource> {
        let site = Site {
            url,
            state: None,
            claimed: None,
            kind: BlogKind::Auto,
            list,
            urgency: Urgency::Interactive,
            is_whole: true,
        };
        match self.checker.look(&site).await? {
            Listing::Found(found) => Ok(*found),
            Listing::Refused(response) | Listing::Unchanged(response) => {
                let problem = Problem::of_status(&response).unwrap_or(Problem::UnexpectedStatus);
                Err(Error::from_status(problem, &response, self.reader.clock().now()))
            }
        }
    }
}

/// An address as users paste it.
fn read_address(text: &str) -> Result<Url> {
    let mut url = tidy_address(text)?;
    url.set_fragment(None);
    if url.as_str().len() > MAX_URL_BYTES { Err(Error::AddressTooLong) } else { Ok(url) }
}
