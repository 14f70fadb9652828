//! What is wrong with a feed, as a code. `web` has the words for it in each language.

/// Why a feed cannot be fetched or read. The codes are stored and part of the API.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[strum(serialize_all = "snake_case")]
pub enum Problem {
    /// The site says the feed is gone for good (410).
    Gone,
    /// There is nothing at the address (404).
    NotFound,
    /// The site wants a sign-in (401).
    LoginRequired,
    /// The site refuses us (403).
    Forbidden,
    /// The site wants a browser and a person in front of it (a challenge).
    BotWall,
    /// We have asked too often (429).
    RateLimited,
    /// The site is broken (5xx).
    ServerError,
    /// The site answered with a status that makes no sense here.
    UnexpectedStatus,
    /// It took too long.
    Timeout,
    /// The name has no address.
    UnknownHost,
    /// No connection, or it was cut.
    Unreachable,
    /// The certificate or the encryption is wrong.
    InsecureConnection,
    /// What came is not HTTP, or its encoding is wrong.
    BrokenAnswer,
    /// It is larger than what is accepted.
    TooLarge,
    /// Redirects that do not end or lead nowhere.
    RedirectLoop,
    /// The address is one that is not fetched from: a private network, a strange port.
    AddressRefused,
    /// What came is not a feed.
    NotAFeed,
    /// The page has no list of posts.
    NoPosts,
    /// The page had a list of posts, and has none now.
    ListBroke,
    /// Scripts write the page, so that it has no posts without a browser.
    NeedsScript,
    /// The page asks for a captcha or a login.
    Captcha,
    /// The page has no text that could be an article.
    NoArticle,
    /// The site asks robots not to fetch the page.
    RobotsRefused,
}

impl Problem {
    /// The stored name.
    pub fn code(self) -> &'static str {
        self.into()
    }

    /// The problem with this stored name.
    pub fn from_code(code: &str) -> Option<Problem> {
        code.parse().ok()
    }

    /// Whether fetching stops at once: asking again would only annoy.
    pub fn stops(self) -> bool {
        matches!(
            self,
            Problem::Gone | Problem::NotFound | Problem::LoginRequired | Problem::Forbidden | Problem::BotWall
        )
    }

    /// Whether it may be over soon.
    pub fn passes(self) -> bool {
        matches!(
            self,
            Problem::RateLimited
                | Problem::ServerError
                | Problem::Timeout
                | Problem::UnknownHost
                | Problem::Unreachable
                | Problem::BrokenAnswer
        )
    }

    /// The problem that an answer's status means; none if it is no error.
    pub fn of_status(response: &net::Response) -> Option<Problem> {
        match response.status.as_u16() {
            200..=399 => None,
            401 => Some(Problem::LoginRequired),
            403 if response.headers.contains_key("cf-mitigated") => Some(Problem::BotWall),
            403 => Some(Problem::Forbidden),
            404 => Some(Problem::NotFound),
            410 => Some(Problem::Gone),
            429 => Some(Problem::RateLimited),
            500..=599 => Some(Problem::ServerError),
            _ => Some(Problem::UnexpectedStatus),
        }
    }

    /// The problem that a failed request means; `None` if it was not sent, for lack of our own resources or of a turn.
    pub fn of_error(error: &net::Error) -> Option<Problem> {
        Some(match error {
            net::Error::OutOfResources { .. } | net::Error::Busy { .. } => return None,
            net::Error::InvalidUrl { .. } | net::Error::Blocked { .. } => Problem::AddressRefused,
            net::Error::Dns { .. } => Problem::UnknownHost,
            net::Error::Connect { .. } | net::Error::Setup { .. } => Problem::Unreachable,
            net::Error::Tls { .. } => Problem::InsecureConnection,
            net::Error::Timeout { .. } => Problem::Timeout,
            net::Error::TooLarge { .. } => Problem::TooLarge,
            net::Error::TooManyRedirects { .. } | net::Error::Redirect { .. } => Problem::RedirectLoop,
            net::Error::Status { status, .. } if status.is_server_error() => Problem::ServerError,
            net::Error::Status { .. } => Problem::UnexpectedStatus,
            // `Protocol`, `Decode`, and whatever comes.
            _ => Problem::BrokenAnswer,
        })
    }
}

/// An address for the log: without credentials, query and fragment, which may hold secrets.
pub(crate) fn printable_address(address: &str) -> String {
    let Ok(mut url) = net::Url::parse(address) else { return "not an address".to_owned() };
    // Both fail only for addresses that cannot have credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

/// The longest detail that is kept, in characters.
const LONGEST_DETAIL: usize = 500;

/// An error with its causes, for the owner.
pub(crate) fn in_full(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    let words = causes.map(ToString::to_string).fold(error.to_string(), |words, cause| {
        // Some errors say their cause themselves.
        if words.ends_with(&cause) { words } else { format!("{words}: {cause}") }
    });
    words.chars().take(LONGEST_DETAIL).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_leads_back_to_its_problem() {
        for code in <Problem as strum::VariantNames>::VARIANTS {
            assert_eq!(Problem::from_code(code).map(Problem::code), Some(*code));
        }
        assert_eq!(Problem::from_code("no such thing"), None);
    }

    #[test]
    fn a_logged_address_has_no_secrets() {
        assert_eq!(printable_address("https://me:pw@example.com/feed?key=hunter2#top"), "https://example.com/feed");
        assert_eq!(printable_address("https://example.com/feed.xml"), "https://example.com/feed.xml");
        assert_eq!(printable_address("hunter2"), "not an address");
    }
}
