//! The HTTP client: every request that Kawaraban makes goes through one [`Client`].
//!
//! The steps of a request:
//!
//! 1. [The guard](Refusal) checks the parsed URL: http or https, no credentials, no port that browsers block, no literal address
//!    outside the public internet.
//! 2. A background request waits for its turn at the host; an interactive one does not ([`Urgency`]).
//! 3. The name is resolved, every address is checked, and exactly the checked addresses are dialled.
//! 4. At most five redirects are followed, each from step 1. Secrets are not sent to another origin.
//! 5. The body is decoded while it arrives, up to a maximum decoded size. One deadline covers everything but the wait of step 2.
//!
//! Deliberately absent: proxies (those of the environment are ignored), cookies, a cache (it parses [`Freshness`], the caller stores
//! it), retries (callers have their own back-off; only a connection that was closed right after a redirect is replaced), parsing
//! of bodies, and metrics (the fetcher counts its requests).
//!
//! Requests to an endpoint that the operator configured, for example a model on the local network, use [`Trust::Operator`]: its
//! addresses are not checked, all other limits stay.
//!
//! ```no_run
//! # async fn example() -> Result<(), net::Error> {
//! let client = net::Client::new(net::ClientSettings::default())?;
//! let request = net::Request::get(net::parse_url("https://example.com/feed.xml")?).if_none_match("\"abc\"");
//! let response = client.send(request).await?.error_for_status()?;
//! # Ok(())
//! # }
//! ```
//!
//! Start reading at [`Client::send`]; the guard's tables are in `guard/ranges.rs`.

mod client;
mod decode;
mod error;
mod freshness;
mod guard;
mod pace;
mod redirect;
mod request;
mod resolve;
mod response;
mod settings;
mod tls;

pub use client::{Client, ClientBuilder};
pub use error::{Cause, Error, ResponsePart};
pub use freshness::{Freshness, RetryAfter};
pub use guard::Refusal;
pub use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
pub use ipnet::IpNet;
pub use request::{Budget, Request, Trust, Urgency, parse_url};
pub use resolve::{Lookup, Resolver, SystemResolver};
pub use response::{Redirected, Response, Validators};
pub use settings::{ClientSettings, default_user_agent, user_agent};
pub use url::Url;
