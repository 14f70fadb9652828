//! Finds the feed behind a pasted address: fetches it, and if it is a page, tries the feeds that the page names.
//!
//! One deadline and one budget of requests cover the whole search. The documents fetched here are stored; they are not
//! fetched a second time.

use std::{sync::OnceLock, time::Duration};

use feed::discover::{self, Candidate, CandidateKind, CandidateSource};
use net::{Budget, Request, Response, StatusCode, Urgency, Url};
use store::feeds::{self, Feed, FetchStatus};
use tokio::time::Instant;

use crate::{
    Error, FEED_KIND, Notes, Problem, Reader, Result,
    fetch::document::{self, Document},
    icon::HtmlPage,
};

/// The maximum number of requests of one search, to all hosts, including redirects.
const MAX_REQUESTS: usize = 8;
/// Shorter timeouts would exclude distant sites.
const MIN_TIMEOUT: Duration = Duration::from_secs(1);
/// The limit of the column.
const MAX_URL_BYTES: usize = 2_048;

/// A feed that an address may lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedCandidate {
    pub url: String,
    pub title: Option<String>,
    pub kind: CandidateKind,
}

/// A feed that was found.
pub(crate) enum Found {
    /// It is stored and healthy.
    Known(Feed),
    Fetched(Box<Fetched>),
}

/// A feed that was just fetched.
pub(crate) struct Fetched {
    /// The address to store: the requested one, the target of permanent redirects, or that of a stored feed.
    pub feed_url: Url,
    pub kind: &'static str,
    pub response: Response,
    pub document: Document,
    /// The page that led to it.
    pub page: Option<HtmlPage>,
    /// What the fetcher of its kind keeps.
    pub notes: Option<Notes>,
}

/// The result of one request.
enum Visited {
    Feed(Found),
    Page(HtmlPage),
}

pub(super) struct Search<'a> {
    reader: &'a Reader,
    urgency: Urgency,
    request_timeout: Duration,
    deadline: Instant,
    budget: Budget,
    /// The status of the first response that was a page.
    page_status: OnceLock<StatusCode>,
}

/// A parsed address.
pub(super) struct Address {
    pub url: Url,
    /// The text had no scheme, and `https` was assumed.
    is_scheme_guessed: bool,
}

impl Address {
    /// Parses an address as users paste it.
    pub fn read(text: &str) -> Result<Address> {
        let mut url = discover::tidy_address(text)?;
        url.set_fragment(None);
        if url.as_str().len() > MAX_URL_BYTES {
            return Err(Error::AddressTooLong);
        }
        let has_scheme = text.to_ascii_lowercase().contains("https:");
        Ok(Address { is_scheme_guessed: url.scheme() == "https" && !has_scheme, url })
    }

    fn without_tls(&self) -> Option<Url> {
        let mut url = self.url.clone();
        (self.is_scheme_guessed && url.set_scheme("http").is_ok()).then_some(url)
    }
}

impl<'a> Search<'a> {
    pub fn new(reader: &'a Reader, urgency: Urgency, request_timeout: Duration, deadline: Instant) -> Search<'a> {
        let (budget, page_status) = (Budget::new(MAX_REQUESTS), OnceLock::new());
        Search { reader, urgency, request_timeout, deadline, budget, page_status }
    }

    /// The status of the first response that was a page instead of a feed.
    pub fn page_status(&self) -> Option<StatusCode> {
        self.page_status.get().copied()
    }

    /// The feed at this address, or the first that its page leads to.
    pub async fn find(&self, address: &Address) -> Result<Found> {
        let page = match self.visit_first(address).await {
            Ok(Visited::Feed(found)) => return Ok(found),
            Ok(Visited::Page(page)) => page,
            // A site may reject our request for the page but not for the feed. For some sites the address alone gives the
            // feed's address.
            Err(error) => return self.find_by_address(&address.url, error).await,
        };
        let (page, candidates) = candidates_of(page).await;
        self.try_all(&candidates, page).await
    }

    /// All feeds of an address: the feed itself, the feeds that its page names, or else the first of the usual addresses
    /// that is a feed.
    pub async fn list(&self, address: &Address) -> Result<Vec<FeedCandidate>> {
        let page = match self.visit_first(address).await {
            Ok(Visited::Feed(found)) => return Ok(vec![found.candidate()]),
            Ok(Visited::Page(page)) => page,
            Err(error) => {
                let by_address: Vec<FeedCandidate> =
                    discover::from_address(&address.url).iter().map(FeedCandidate::of).collect();
                return if by_address.is_empty() { Err(error) } else { Ok(by_address) };
            }
        };
        let (_, candidates) = candidates_of(page).await;
        let named: Vec<FeedCandidate> = named(&candidates).collect();
        if !named.is_empty() {
            return Ok(named);
        }
        self.try_all(&candidates, None).await.map(|found| vec![found.candidate()])
    }

    /// If `https` was assumed and there is no connection, tries `http`: some hosts only support that.
    async fn visit_first(&self, address: &Address) -> Result<Visited> {
        let Some(other) = address.without_tls() else { return self.visit(&address.url, 1).await };
        let result = self.visit(&address.url, 3).await;
        match &result {
            Err(Error::Origin { problem, .. }) if is_connection_failure(*problem) => {
                self.visit(&other, 1).await.or(result)
            }
            _ => result,
        }
    }

    async fn find_by_address(&self, url: &Url, error: Error) -> Result<Found> {
        if !matches!(error, Error::Origin { .. }) {
            return Err(error);
        }
        let candidates = discover::from_address(url);
        self.try_all(&candidates, None).await.map_err(|_| error)
    }

    /// The first candidate that is a feed, within the budget of requests.
    async fn try_all(&self, candidates: &[Candidate], page: Option<HtmlPage>) -> Result<Found> {
        let mut fault = None;
        for candidate in candidates {
            if self.budget.left() == 0 {
                break;
            }
            if candidate.url.as_str().len() > MAX_URL_BYTES {
                continue;
            }
            // Half of the remaining time: a slow candidate must leave time for the next ones.
            match self.visit(&candidate.url, 2).await {
                Ok(Visited::Feed(found)) => return Ok(found.with_page(page)),
                Ok(Visited::Page(_)) => {}
                Err(error @ (Error::Store(_) | Error::OutOfResources(_))) => return Err(error),
                Err(error) if candidate.source == CandidateSource::Guess => {
                    if self.left().is_zero() {
                        return Err(error);
                    }
                }
                Err(error) if self.left().is_zero() => return Err(error.at_feed(&candidate.url)),
                Err(error) if error.may_pass() => fault = fault.or(Some(error.at_feed(&candidate.url))),
                Err(_) => {}
            }
        }
        // A feed that fails temporarily is reported as failing, not as missing.
        let candidates: Vec<FeedCandidate> = named(candidates).collect();
        Err(fault.unwrap_or(match candidates.is_empty() {
            true => Error::FeedNotFound,
            false => Error::FeedsUnreadable { candidates },
        }))
    }

    /// Fetches one address within `1 / part` of the remaining time.
    async fn visit(&self, url: &Url, part: u32) -> Result<Visited> {
        if let Some(known) = self.find_healthy(url).await? {
            return Ok(Visited::Feed(Found::Known(known)));
        }
        let response = self.get(url, part).await?;
        let bare = |mut url: Url| {
            url.set_fragment(None);
            url
        };
        let moved = response.moved_to.clone().map(bare).filter(|to| to.as_str().len() <= MAX_URL_BYTES);
        let mut feed_url = moved.clone().unwrap_or_else(|| bare(url.clone()));
        for other in moved.into_iter().chain([bare(response.url.clone())]).filter(|other| other != url) {
            match feeds::find_by_url(&self.reader.db, other.as_str()).await? {
                Some(feed) if is_well(&feed) => return Ok(Visited::Feed(Found::Known(feed))),
                // This fetch makes it healthy again.
                Some(_) => feed_url = other,
                None => {}
            }
        }
        if let Some(problem) = Problem::of_status(&response) {
            return Err(Error::from_status(problem, &response, self.reader.clock.now()));
        }
        self.parse(response, feed_url).await
    }

    /// Distinguishes a feed from a page by the content, because content types are unreliable.
    async fn parse(&self, response: Response, feed_url: Url) -> Result<Visited> {
        let (url, content_type) = (response.url.clone(), response.content_type.clone());
        let now = self.reader.clock.now();
        let hash = document::hash(&response.body);
        let read = Document::read(response.body.clone(), hash, url.clone(), content_type.clone(), now).await;
        Ok(match read {
            Ok(document) => {
                let fetched = Fetched { feed_url, kind: FEED_KIND, response, document, page: None, notes: None };
                Visited::Feed(Found::Fetched(Box::new(fetched)))
            }
            Err(_) => {
                self.page_status.get_or_init(|| response.status);
                Visited::Page(HtmlPage { url, content_type, body: response.body.to_vec() })
            }
        })
    }

    async fn find_healthy(&self, url: &Url) -> Result<Option<Feed>> {
        let feed = feeds::find_by_url(&self.reader.db, url.as_str()).await?;
        Ok(feed.filter(is_well))
    }

    async fn get(&self, url: &Url, part: u32) -> Result<Response> {
        let left = self.left();
        let timeout = self.request_timeout.min(left).min((left / part).max(MIN_TIMEOUT));
        // A longer wait would leave no time for the request.
        let max_wait = left.saturating_sub(MIN_TIMEOUT);
        let request = Request::get(url.clone()).urgency(self.urgency).timeout(timeout);
        let request = request.max_wait(max_wait).budget(&self.budget);
        let answer = tokio::time::timeout(left, self.reader.net.send(request)).await;
        answer.unwrap_or(Err(net::Error::Timeout { after: timeout })).map_err(Error::from_net)
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

impl Found {
    fn with_page(self, page: Option<HtmlPage>) -> Found {
        match self {
            Found::Fetched(mut fetched) => {
                fetched.page = page;
                Found::Fetched(fetched)
            }
            known => known,
        }
    }

    fn candidate(&self) -> FeedCandidate {
        match self {
            Found::Known(feed) => FeedCandidate {
                url: feed.feed_url.clone(),
                title: Some(feed.title.clone()).filter(|title| !title.is_empty()),
                kind: CandidateKind::Unknown,
            },
            Found::Fetched(fetched) => FeedCandidate {
                url: fetched.feed_url.to_string(),
                title: Some(fetched.document.title()),
                kind: discover::is_feed(&fetched.response.body, fetched.response.content_type.as_deref())
                    .unwrap_or(CandidateKind::Unknown),
            },
        }
    }
}

impl FeedCandidate {
    fn of(candidate: &Candidate) -> FeedCandidate {
        FeedCandidate { url: candidate.url.to_string(), title: candidate.title.clone(), kind: candidate.kind }
    }
}

fn is_connection_failure(problem: Problem) -> bool {
    matches!(problem, Problem::Unreachable | Problem::InsecureConnection | Problem::BrokenAnswer | Problem::Timeout)
}

/// Parses on a blocking thread: a page may have five megabytes.
async fn candidates_of(page: HtmlPage) -> (Option<HtmlPage>, Vec<Candidate>) {
    let read = move || {
        let candidates = discover::from_page(&page.body, page.content_type.as_deref(), &page.url);
        (Some(page), candidates)
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

/// The candidates that are more than guesses.
fn named(candidates: &[Candidate]) -> impl Iterator<Item = FeedCandidate> {
    candidates.iter().filter(|candidate| candidate.source != CandidateSource::Guess).map(FeedCandidate::of)
}

/// Whether the feed is fetched regularly, so that it need not be fetched now.
pub(super) fn is_well(feed: &Feed) -> bool {
    feed.kind != FEED_KIND || feed.fetch_status == FetchStatus::Active && feed.last_fetched_at.is_some()
}
