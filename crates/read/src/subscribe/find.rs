//! From what a person pasted to a feed that parses: guard, fetch, detect, fall back to what the page names.
//!
//! One deadline and one budget of requests cover all of it, however many candidates there are. What was fetched on the way
//! is what is stored.

use std::{sync::OnceLock, time::Duration};

use feed::discover::{self, Candidate, Kind, Source};
use net::{Budget, Request, Response, StatusCode, Urgency, Url};
use store::feeds::{self, Feed, FetchStatus};
use tokio::time::Instant;

use crate::{
    Error, FEED_KIND, Problem, Reader, Result,
    fetch::document::{self, Document},
    icon::Page,
};

/// The most requests of one search, to all hosts, with redirects: a site without a feed is not to be combed through.
const MOST_REQUESTS: usize = 8;
/// Less is no chance for a site far away.
const SHORTEST_TRY: Duration = Duration::from_secs(1);
/// What the table keeps.
const LONGEST_URL: usize = 2_048;

/// A feed that an address leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub url: String,
    pub title: Option<String>,
    /// What it seems to be.
    pub kind: Kind,
}

/// A feed, known or just fetched.
pub(crate) enum Found {
    /// It is known and well.
    Known(Feed),
    /// It was fetched.
    Fetched(Box<Fetched>),
}

/// A feed that was just fetched.
pub(crate) struct Fetched {
    /// The address to keep: the asked one, or where permanent redirects lead, or that of the feed that is known by it.
    pub feed_url: Url,
    /// The answer with the document.
    pub response: Response,
    pub document: Document,
    /// The page that led to it.
    pub page: Option<Page>,
}

/// What is at an address.
enum Visited {
    Feed(Found),
    Page(Page),
}

/// A search with its limits.
pub(super) struct Search<'a> {
    reader: &'a Reader,
    urgency: Urgency,
    /// The longest that one request may take.
    patience: Duration,
    deadline: Instant,
    budget: Budget,
    /// The status of the first answer that was a page.
    page_status: OnceLock<StatusCode>,
}

/// An address as it was meant.
pub(super) struct Address {
    pub url: Url,
    /// Without a scheme `https` is only a guess.
    is_scheme_guessed: bool,
}

impl Address {
    /// Reads an address as people paste it.
    pub fn read(text: &str) -> Result<Address> {
        let mut url = discover::tidy_address(text)?;
        url.set_fragment(None);
        if url.as_str().len() > LONGEST_URL {
            return Err(Error::AddressTooLong);
        }
        let names_it = text.to_ascii_lowercase().contains("https:");
        Ok(Address { is_scheme_guessed: url.scheme() == "https" && !names_it, url })
    }

    fn without_tls(&self) -> Option<Url> {
        let mut url = self.url.clone();
        (self.is_scheme_guessed && url.set_scheme("http").is_ok()).then_some(url)
    }
}

impl<'a> Search<'a> {
    /// A search that ends by the deadline.
    pub fn new(reader: &'a Reader, urgency: Urgency, patience: Duration, deadline: Instant) -> Search<'a> {
        Search { reader, urgency, patience, deadline, budget: Budget::new(MOST_REQUESTS), page_status: OnceLock::new() }
    }

    /// The status of the first answer that was a page instead of a feed.
    pub fn page_status(&self) -> Option<StatusCode> {
        self.page_status.get().copied()
    }

    /// The feed at this address, or the first that its page leads to.
    pub async fn find(&self, address: &Address) -> Result<Found> {
        let page = match self.visit_first(address).await {
            Ok(Visited::Feed(found)) => return Ok(found),
            Ok(Visited::Page(page)) => page,
            // A page that turns programs away may have a feed that does not; the address tells where.
            Err(error) => return self.find_by_shape(&address.url, error).await,
        };
        let (page, candidates) = candidates_of(page).await;
        self.try_all(&candidates, page).await
    }

    /// What an address offers, without deciding: the feed itself, what its page names, else the first usual place.
    pub async fn offer(&self, address: &Address) -> Result<Vec<Offer>> {
        let page = match self.visit_first(address).await {
            Ok(Visited::Feed(found)) => return Ok(vec![found.offer()]),
            Ok(Visited::Page(page)) => page,
            Err(error) => {
                let offers: Vec<Offer> = discover::from_address(&address.url).iter().map(Offer::of).collect();
                return if offers.is_empty() { Err(error) } else { Ok(offers) };
            }
        };
        let (_, candidates) = candidates_of(page).await;
        let named: Vec<Offer> = named(&candidates).collect();
        if !named.is_empty() {
            return Ok(named);
        }
        self.try_all(&candidates, None).await.map(|found| vec![found.offer()])
    }

    /// Where `https` was only a guess, `http` is the next one: some hosts answer there alone.
    async fn visit_first(&self, address: &Address) -> Result<Visited> {
        let Some(other) = address.without_tls() else { return self.visit(&address.url, 1).await };
        let result = self.visit(&address.url, 3).await;
        match &result {
            Err(Error::Origin { problem, .. }) if is_no_connection(*problem) => self.visit(&other, 1).await.or(result),
            _ => result,
        }
    }

    async fn find_by_shape(&self, url: &Url, error: Error) -> Result<Found> {
        if !matches!(error, Error::Origin { .. }) {
            return Err(error);
        }
        let candidates = discover::from_address(url);
        self.try_all(&candidates, None).await.map_err(|_| error)
    }

    /// The first candidate that is a feed, as far as the budget goes.
    async fn try_all(&self, candidates: &[Candidate], page: Option<Page>) -> Result<Found> {
        let mut fault = None;
        for candidate in candidates {
            if self.budget.left() == 0 {
                break;
            }
            if candidate.url.as_str().len() > LONGEST_URL {
                continue;
            }
            // Half of what is left: a slow one must not use up the time of those after it.
            match self.visit(&candidate.url, 2).await {
                Ok(Visited::Feed(found)) => return Ok(found.by_way_of(page)),
                Ok(Visited::Page(_)) => {}
                Err(error @ (Error::Store(_) | Error::OutOfResources(_))) => return Err(error),
                Err(error) if candidate.source == Source::Guess => {
                    if self.left().is_zero() {
                        return Err(error);
                    }
                }
                Err(error) if self.left().is_zero() => return Err(error.at_feed(&candidate.url)),
                Err(error) if error.may_pass() => fault = fault.or(Some(error.at_feed(&candidate.url))),
                Err(_) => {}
            }
        }
        // A feed that is there but does not answer just now is not "no feed".
        let candidates: Vec<Offer> = named(candidates).collect();
        Err(fault.unwrap_or(match candidates.is_empty() {
            true => Error::FeedNotFound,
            false => Error::FeedsUnreadable { candidates },
        }))
    }

    /// Looks at one address, for at most this part of the time that is left.
    async fn visit(&self, url: &Url, part: u32) -> Result<Visited> {
        if let Some(known) = self.known(url).await? {
            return Ok(Visited::Feed(Found::Known(known)));
        }
        let response = self.get(url, part).await?;
        let bare = |mut url: Url| {
            url.set_fragment(None);
            url
        };
        let moved = response.moved_to.clone().map(bare).filter(|to| to.as_str().len() <= LONGEST_URL);
        let mut feed_url = moved.clone().unwrap_or_else(|| bare(url.clone()));
        for other in moved.into_iter().chain([bare(response.url.clone())]).filter(|other| other != url) {
            match feeds::find_by_url(&self.reader.db, other.as_str()).await? {
                Some(feed) if is_well(&feed) => return Ok(Visited::Feed(Found::Known(feed))),
                // It is fetched here and now, and well again.
                Some(_) => feed_url = other,
                None => {}
            }
        }
        if let Some(problem) = Problem::of_status(&response) {
            return Err(Error::from_status(problem, &response, self.reader.clock.now()));
        }
        self.judge(response, feed_url).await
    }

    /// Tells a feed from a page by what is in it: headers lie.
    async fn judge(&self, response: Response, feed_url: Url) -> Result<Visited> {
        let (url, content_type) = (response.url.clone(), response.content_type.clone());
        let now = self.reader.clock.now();
        let hash = document::hash(&response.body);
        let read = Document::read(response.body.clone(), hash, url.clone(), content_type.clone(), now).await;
        Ok(match read {
            Ok(document) => {
                Visited::Feed(Found::Fetched(Box::new(Fetched { feed_url, response, document, page: None })))
            }
            Err(_) => {
                self.page_status.get_or_init(|| response.status);
                Visited::Page(Page { url, content_type, body: response.body.to_vec() })
            }
        })
    }

    async fn known(&self, url: &Url) -> Result<Option<Feed>> {
        let feed = feeds::find_by_url(&self.reader.db, url.as_str()).await?;
        Ok(feed.filter(is_well))
    }

    async fn get(&self, url: &Url, part: u32) -> Result<Response> {
        let left = self.left();
        let timeout = self.patience.min(left).min((left / part).max(SHORTEST_TRY));
        // A turn that comes later leaves no time for the request.
        let max_wait = left.saturating_sub(SHORTEST_TRY);
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
    fn by_way_of(self, page: Option<Page>) -> Found {
        match self {
            Found::Fetched(mut fetched) => {
                fetched.page = page;
                Found::Fetched(fetched)
            }
            known => known,
        }
    }

    fn offer(&self) -> Offer {
        match self {
            Found::Known(feed) => Offer {
                url: feed.feed_url.clone(),
                title: Some(feed.title.clone()).filter(|title| !title.is_empty()),
                kind: Kind::Unknown,
            },
            Found::Fetched(fetched) => Offer {
                url: fetched.feed_url.to_string(),
                title: Some(fetched.document.title()),
                kind: discover::is_feed(&fetched.response.body, fetched.response.content_type.as_deref())
                    .unwrap_or(Kind::Unknown),
            },
        }
    }
}

impl Offer {
    fn of(candidate: &Candidate) -> Offer {
        Offer { url: candidate.url.to_string(), title: candidate.title.clone(), kind: candidate.kind }
    }
}

fn is_no_connection(problem: Problem) -> bool {
    matches!(problem, Problem::Unreachable | Problem::InsecureConnection | Problem::BrokenAnswer | Problem::Timeout)
}

/// Off the threads that answer requests: a page of five megabytes takes its time.
async fn candidates_of(page: Page) -> (Option<Page>, Vec<Candidate>) {
    let read = move || {
        let candidates = discover::from_page(&page.body, page.content_type.as_deref(), &page.url);
        (Some(page), candidates)
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

/// What is more than a guess.
fn named(candidates: &[Candidate]) -> impl Iterator<Item = Offer> {
    candidates.iter().filter(|candidate| candidate.source != Source::Guess).map(Offer::of)
}

/// Somebody fetches it regularly, so it need not be fetched now.
pub(super) fn is_well(feed: &Feed) -> bool {
    feed.kind != FEED_KIND || feed.fetch_status == FetchStatus::Active && feed.last_fetched_at.is_some()
}
