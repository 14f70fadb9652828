//! Asks the source of a site for its posts, or looks for a source: a feed, the list on the page, a sitemap.

use std::time::Duration;

use config_file::BlogKind;
use feed::{
    ParseOptions, ParsedFeed,
    discover::{self, CandidateSource},
};
use net::{Budget, Request, Response, Urgency, Url};
use posts::{Absence, Found, PageContext, PostList, Rejected};
use read::{FetchError, Problem};
use store::{
    feeds::Claimed,
    watch::{BlogState, Source},
};

use crate::{SiteChecker, site_post::SitePost};

/// The most requests of one search for a source, redirects included.
const MAX_REQUESTS: usize = 12;
/// Of the feeds that a page may have, only the first ones are tried.
const MAX_FEEDS: usize = 4;
/// Of the sitemaps that a site may have, and those that an index names.
const MAX_SITEMAPS: usize = 5;
/// The longest look at a site, which may take several requests: below the lease of a fetch, and shorter while a person waits.
const LONGEST_LOOK: Duration = Duration::from_secs(100);
const LONGEST_WAIT: Duration = Duration::from_secs(12);
/// The most posts of a page. A page with more is not a list of posts.
const MAX_POSTS: usize = 5_000;
/// The longest wait for one answer while a person waits.
const PATIENCE: Duration = Duration::from_secs(10);
/// A feed whose newest entry is this much older than the newest post on the page is silent while the site goes on.
const SILENT: chrono::TimeDelta = chrono::TimeDelta::days(30);
const MAX_ROBOTS_BYTES: usize = 500 * 1024;

/// A site to look at.
pub(crate) struct Site<'a> {
    pub url: &'a Url,
    /// The state after the last check.
    pub state: Option<&'a BlogState>,
    /// The validators of the last answer.
    pub claimed: Option<&'a Claimed>,
    /// Which sources may be used.
    pub kind: BlogKind,
    /// The list on the page that was chosen.
    pub list: Option<&'a str>,
    pub urgency: Urgency,
    /// Ask for the whole answer, even if it is the same as before.
    pub is_whole: bool,
}

/// What a site answered.
pub(crate) enum Listing {
    /// The source is the same as at the last check.
    Unchanged(Response),
    /// The status is an error.
    Refused(Response),
    Found(Box<FoundSource>),
}

/// The posts of a site.
pub(crate) struct FoundSource {
    pub response: Response,
    pub source: Source,
    pub source_url: Url,
    /// What the site calls itself.
    pub title: Option<String>,
    pub posts: Vec<SitePost>,
    /// The document, if the source is a feed.
    pub feed: Option<ParsedFeed>,
    /// Which list of the page it is, and what else could be meant.
    pub list: Option<String>,
    pub others: Vec<PostList>,
    pub rejected: Vec<Rejected>,
}

/// A page that was read.
struct ReadPage {
    response: Response,
    title: Option<String>,
    found: Found,
}

impl SiteChecker {
    /// The posts of a site: from its known source, or from one that is looked for.
    pub(crate) async fn look(&self, site: &Site<'_>) -> Result<Listing, FetchError> {
        let longest = if site.urgency == Urgency::Interactive { LONGEST_WAIT } else { LONGEST_LOOK };
        let too_long =
            FetchError::Unusable { problem: Problem::Timeout, detail: format!("no posts after {longest:?}") };
        tokio::time::timeout(longest, self.look_now(site)).await.unwrap_or(Err(too_long))
    }

    async fn look_now(&self, site: &Site<'_>) -> Result<Listing, FetchError> {
        let now = self.clock().now();
        let failed = site.claimed.is_some_and(|claimed| claimed.consecutive_errors > 0);
        match site.state.filter(|state| !failed && state.rediscover_at > now) {
            Some(state) => self.ask_source(site, state).await,
            None => self.find_source(site).await,
        }
    }

    async fn ask_source(&self, site: &Site<'_>, state: &BlogState) -> Result<Listing, FetchError> {
        let address = |url: &Option<String>| url.as_deref().and_then(|url| Url::parse(url).ok());
        let url = match state.source {
            Source::Page => Some(site.url.clone()),
            Source::Feed => address(&state.feed_url),
            Source::Sitemap => address(&state.sitemap_url),
        };
        let Some(url) = url else { return self.find_source(site).await };
        if state.source == Source::Page && site.urgency == Urgency::Background {
            self.reader.check_robots(&url).await?;
        }
        let response = self.send(self.conditional(site, state.source, url.clone())).await?;
        match Problem::of_status(&response) {
            None => {}
            // A feed or sitemap that fails for a while is asked again.
            Some(problem) if state.source == Source::Page || problem.passes() => return Ok(Listing::Refused(response)),
            // It is gone; the site may not be.
            Some(_) => return self.find_source(site).await,
        }
        let known = site.claimed.and_then(|claimed| claimed.content_hash.as_deref());
        let is_same = response.is_not_modified() || known == Some(&read::body_hash(&response.body));
        if is_same && !site.is_whole {
            return Ok(Listing::Unchanged(response));
        }
        match state.source {
            Source::Page => {
                let page = self.read_page(response, site.list).await?;
                // A redesign may have brought a feed, or the list is elsewhere now.
                if page.found.posts.is_empty() {
                    return self.find_source(site).await;
                }
                Ok(Listing::Found(Box::new(page.into_source())))
            }
            Source::Feed => match self.as_feed(response, url).await? {
                Some(found) => Ok(Listing::Found(Box::new(found))),
                None => self.find_source(site).await,
            },
            Source::Sitemap => match as_sitemap(response, site.url, url).await {
                Some(found) => Ok(Listing::Found(Box::new(found))),
                None => self.find_source(site).await,
            },
        }
    }

    /// Looks for the source of a site: what its page is and names.
    async fn find_source(&self, site: &Site<'_>) -> Result<Listing, FetchError> {
        let budget = Budget::new(MAX_REQUESTS);
        if site.urgency == Urgency::Background && site.kind != BlogKind::Feed {
            self.reader.check_robots(site.url).await?;
        }
        let response = self.send(self.request(site, site.url.clone()).budget(&budget)).await?;
        if Problem::of_status(&response).is_some() {
            return Ok(Listing::Refused(response));
        }
        let is_allowed = |kind: BlogKind| site.kind == BlogKind::Auto || site.kind == kind;
        if is_allowed(BlogKind::Feed)
            && let Some(found) = self.as_feed(response.clone(), site.url.clone()).await?
        {
            return Ok(Listing::Found(Box::new(found)));
        }
        if site.kind == BlogKind::Sitemap
            && let Some(found) = as_sitemap(response.clone(), site.url, site.url.clone()).await
        {
            return Ok(Listing::Found(Box::new(found)));
        }
        let page = self.read_page(response, site.list).await?;
        // A list that the user has chosen is what is wanted, even if there is a feed.
        if site.list.is_none()
            && is_allowed(BlogKind::Feed)
            && let Some(found) = self.find_feed(site, &page, &budget).await?
        {
            return Ok(Listing::Found(Box::new(found)));
        }
        if is_allowed(BlogKind::Page) && !page.found.posts.is_empty() {
            return Ok(Listing::Found(Box::new(page.into_source())));
        }
        if is_allowed(BlogKind::Sitemap)
            && let Some(mut found) = self.find_sitemap(site, &budget).await?
        {
            found.title = page.title;
            found.others = page.found.others;
            return Ok(Listing::Found(Box::new(found)));
        }
        if site.urgency == Urgency::Interactive && !page.found.others.is_empty() {
            return Ok(Listing::Found(Box::new(page.into_source())));
        }
        Err(nothing_found(site, page.found.absence))
    }

    /// The first feed that the page names or that is at a usual place, unless it is silent while the site goes on.
    async fn find_feed(
        &self,
        site: &Site<'_>,
        page: &ReadPage,
        budget: &Budget,
    ) -> Result<Option<FoundSource>, FetchError> {
        let response = &page.response;
        let candidates = discover::from_page(&response.body, response.content_type.as_deref(), &response.url);
        let newest_post = page.found.posts.iter().filter_map(|post| post.published_at).max();
        for candidate in candidates.into_iter().take(MAX_FEEDS) {
            if budget.left() == 0 {
                break;
            }
            let is_guess = candidate.source == CandidateSource::Guess;
            let request = self.request(site, candidate.url.clone()).budget(budget);
            let Some(answer) = self.try_send(request).await? else { continue };
            let Some(found) = self.as_feed(answer, candidate.url).await? else { continue };
            let newest_entry = found.posts.iter().filter_map(|post| post.published_at).max();
            let is_silent = newest_post.zip(newest_entry).is_some_and(|(post, entry)| post > entry + SILENT);
            // A guessed address may be the feed of the comments.
            let is_unrelated = is_guess && is_other(&found, page);
            if !found.posts.is_empty() && !is_silent && !is_unrelated {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The first sitemap with posts: those that `robots.txt` names, then the usual places.
    async fn find_sitemap(&self, site: &Site<'_>, budget: &Budget) -> Result<Option<FoundSource>, FetchError> {
        let mut waiting = self.named_sitemaps(site, budget).await?;
        let usual = posts::USUAL_PLACES.iter().filter_map(|place| site.url.join(place).ok());
        waiting.extend(usual.collect::<Vec<_>>());
        let mut asked = std::collections::HashSet::new();
        waiting.reverse();
        while let Some(url) = waiting.pop() {
            if budget.left() == 0 || asked.len() >= MAX_SITEMAPS * 2 {
                break;
            }
            if !asked.insert(url.clone()) {
                continue;
            }
            let request = self.request(site, url.clone()).budget(budget);
            let Some(answer) = self.try_send(request).await? else { continue };
            let Some((found, further)) = read_sitemap(answer, site.url, url).await else { continue };
            if !further.is_empty() {
                waiting.extend(likely_first(further).into_iter().take(MAX_SITEMAPS).rev());
            } else if !found.posts.is_empty() {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    async fn named_sitemaps(&self, site: &Site<'_>, budget: &Budget) -> Result<Vec<Url>, FetchError> {
        let Ok(url) = site.url.join("/robots.txt") else { return Ok(Vec::new()) };
        let request = self.request(site, url.clone()).budget(budget).max_body_bytes(MAX_ROBOTS_BYTES);
        let answer = self.try_send(request).await?;
        Ok(answer
            .map_or_else(Vec::new, |robots| posts::sitemaps_in_robots(&String::from_utf8_lossy(&robots.body), &url)))
    }

    fn request(&self, site: &Site<'_>, url: Url) -> Request {
        let request = Request::get(url).urgency(site.urgency).max_wait(self.max_wait);
        if site.urgency == Urgency::Interactive { request.timeout(PATIENCE) } else { request }
    }

    /// A request that the server may answer with "not modified".
    fn conditional(&self, site: &Site<'_>, source: Source, url: Url) -> Request {
        let mut request = self.request(site, url);
        let Some(claimed) = site.claimed.filter(|claimed| claimed.content_hash.is_some() && !site.is_whole) else {
            return request;
        };
        request = claimed.etag.iter().fold(request, |request, etag| request.if_none_match(etag));
        request = claimed.last_modified.iter().fold(request, |request, date| request.if_modified_since(date));
        let issuer = claimed.final_url.as_deref().filter(|_| source == Source::Page);
        issuer.and_then(|url| Url::parse(url).ok()).into_iter().fold(request, Request::validated_at)
    }

    pub(crate) async fn send(&self, request: Request) -> Result<Response, FetchError> {
        Ok(self.net.send(request).await?)
    }

    /// The answer, or `None` if the site has none. Fails if this machine could not ask.
    async fn try_send(&self, request: Request) -> Result<Option<Response>, FetchError> {
        match self.net.send(request).await {
            Ok(answer) => Ok(Some(answer).filter(|answer| Problem::of_status(answer).is_none())),
            Err(error) if Problem::of_error(&error).is_none() => Err(error.into()),
            Err(_) => Ok(None),
        }
    }

    async fn read_page(&self, response: Response, list: Option<&str>) -> Result<ReadPage, FetchError> {
        let (now, list) = (self.clock().now(), list.map(str::to_owned));
        let read = move || {
            let html = article::decode(&response.body, response.content_type.as_deref());
            let context = PageContext { base_url: Some(&response.url), now, list: list.as_deref() };
            let found = posts::find_posts(&html, &context);
            let title = page_title(&html);
            ReadPage { title, found, response }
        };
        let broken =
            |_| FetchError::Unusable { problem: Problem::NoPosts, detail: "reading the page failed".to_owned() };
        tokio::task::spawn_blocking(read).await.map_err(broken)
    }

    /// The posts of a feed. None if the answer is no feed.
    async fn as_feed(&self, mut response: Response, url: Url) -> Result<Option<FoundSource>, FetchError> {
        let now = self.clock().now();
        let (body, at, content_type) = (response.body.clone(), response.url.clone(), response.content_type.clone());
        let parse = move || {
            discover::is_feed(&body, content_type.as_deref())?;
            feed::parse(&body, &ParseOptions { url: Some(at), content_type, now }).ok()
        };
        let Some(parsed) = tokio::task::spawn_blocking(parse).await.ok().flatten() else { return Ok(None) };
        // The address of the site stays what it is.
        response.moved_to = None;
        let posts = parsed.feed.entries.iter().filter_map(|entry| {
            let url = Url::parse(entry.link.as_deref()?).ok()?;
            Some(SitePost { url, title: entry.title.clone(), published_at: entry.published.or(entry.updated) })
        });
        Ok(Some(FoundSource {
            source: Source::Feed,
            source_url: url,
            title: Some(parsed.feed.title.clone()).filter(|title| !title.is_empty()),
            posts: posts.collect(),
            feed: Some(parsed.feed),
            list: None,
            others: Vec::new(),
            rejected: Vec::new(),
            response,
        }))
    }
}

impl ReadPage {
    fn into_source(self) -> FoundSource {
        let Found { posts, rejected, others, list, .. } = self.found;
        FoundSource {
            source: Source::Page,
            source_url: self.response.url.clone(),
            title: self.title,
            posts: posts.into_iter().take(MAX_POSTS).map(SitePost::from).collect(),
            feed: None,
            list,
            others,
            rejected,
            response: self.response,
        }
    }
}

/// The posts of a sitemap. `None` if the answer is no sitemap.
async fn as_sitemap(response: Response, page: &Url, url: Url) -> Option<FoundSource> {
    read_sitemap(response, page, url).await.map(|(found, _)| found)
}

/// The posts of a sitemap, and the further sitemaps that it names.
async fn read_sitemap(mut response: Response, page: &Url, url: Url) -> Option<(FoundSource, Vec<posts::SitemapUrl>)> {
    let (body, at, page) = (response.body.clone(), response.url.clone(), page.clone());
    let read = move || {
        let sitemap = posts::parse_sitemap(&body, &at)?;
        Some((posts::posts_in_sitemap(&sitemap, &page), sitemap.sitemaps))
    };
    let (posts, further) = tokio::task::spawn_blocking(read).await.ok().flatten()?;
    // The address of the site stays what it is.
    response.moved_to = None;
    let found = FoundSource {
        source: Source::Sitemap,
        source_url: url,
        title: None,
        posts: posts.into_iter().map(SitePost::from).collect(),
        feed: None,
        list: None,
        others: Vec::new(),
        rejected: Vec::new(),
        response,
    };
    Some((found, further))
}

/// The sitemaps of an index, those that probably name posts first, then the newest.
fn likely_first(mut sitemaps: Vec<posts::SitemapUrl>) -> Vec<Url> {
    let rank = |url: &Url| {
        let path = url.path().to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| path.contains(word));
        if has(&["post", "news", "blog", "article", "entry"]) {
            0
        } else if has(&["categor", "tag", "author", "user", "product", "image", "video", "page-sitemap"]) {
            2
        } else {
            1
        }
    };
    sitemaps.sort_by_key(|sitemap| (rank(&sitemap.url), std::cmp::Reverse(sitemap.changed_at)));
    sitemaps.into_iter().map(|sitemap| sitemap.url).collect()
}

/// Whether a feed has nothing to do with the posts of the page: not one of them is in it.
fn is_other(found: &FoundSource, page: &ReadPage) -> bool {
    let key = |url: &Url| feed::link::normalise(url.as_str());
    let entries: std::collections::HashSet<String> = found.posts.iter().map(|post| key(&post.url)).collect();
    !page.found.posts.is_empty() && !page.found.posts.iter().any(|post| entries.contains(&key(&post.url)))
}

fn nothing_found(site: &Site<'_>, absence: Option<Absence>) -> FetchError {
    let had_posts = site.state.is_some_and(|state| state.posts != "[]");
    let problem = match absence {
        Some(Absence::Blocked) => Problem::Captcha,
        Some(Absence::NeedsScript) => Problem::NeedsScript,
        _ if had_posts => Problem::ListBroke,
        _ => Problem::NoPosts,
    };
    let detail = absence.map_or("nothing to watch was found", Absence::text);
    FetchError::Unusable { problem, detail: detail.to_owned() }
}

/// What a page calls the site: `og:site_name`, else its title.
fn page_title(html: &str) -> Option<String> {
    use article::dom::{Document, Tag};
    let document = Document::parse(html);
    let named = document
        .all(Tag::Meta)
        .find(|id| document.raw_attribute(*id, "property") == Some("og:site_name"))
        .and_then(|id| document.attribute(id, "content").map(|name| name.into_owned()));
    let title = || document.first(Tag::Title).map(|id| document.text_of(id));
    let name = named.filter(|name| !name.trim().is_empty()).or_else(title)?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}
