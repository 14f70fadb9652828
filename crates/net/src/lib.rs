//! The only door to the network: every request that Kawaraban makes goes through one [`Client`].
//!
//! What the door does, in the order in which a request meets it:
//!
//! 1. [the guard](Refusal) judges the parsed URL: http or https, no credentials, no port that browsers refuse, no
//!    literal address that is not the public internet;
//! 2. background requests wait for their turn at the host ([`Urgency`]); a person waiting for an answer does not;
//! 3. the name is resolved, every answer is judged, and exactly the judged addresses are dialled;
//! 4. redirects are followed by hand, five at most, each judged again from step 1, secrets left behind at the border;
//! 5. the body is decoded while it arrives, up to a cap on the decoded size, and one deadline covers all of it but the
//!    wait of step 2.
//!
//! What it deliberately does not do: no proxies (the environment's are ignored), no cookies, no cache (it reads
//! [`Freshness`], the caller keeps it), no retries (callers have their own back-off; only a connection that turns out to
//! be closed right after a redirect is replaced), no parsing of bodies, no metrics (the fetcher that knows what a request
//! was for counts it). It cannot know of a network's own NAT64 prefix inside the global unicast range; an operator who
//! has one must keep it from reaching inside.
//!
//! An endpoint that the operator configured (a model on the local network, say) is asked with [`Trust::Operator`]: the
//! addresses are then not judged, every other limit stays.
//!
//! ```no_run
//! # async fn example() -> Result<(), net::Error> {
//! let client = net::Client::new(net::Settings::default())?;
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
pub use error::{Cause, Error, Part};
pub use freshness::{Freshness, RetryAfter};
pub use guard::Refusal;
pub use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
pub use ipnet::IpNet;
pub use request::{Budget, Request, Trust, Urgency, parse_url};
pub use resolve::{Lookup, Resolver, SystemResolver};
pub use response::{Redirected, Response, Validators};
pub use settings::{Settings, default_user_agent, user_agent};
pub use url::Url;
