//! What cannot be reached from outside: the last line of defence behind a guard that does its work.

use super::*;
use std::net::IpAddr;
use testkit::origin::{Origin, ok};

use crate::resolve::{Lookup, Resolver};
use crate::tls;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

struct ToLoopback;

impl Resolver for ToLoopback {
    fn lookup(&self, _host: &str) -> Lookup {
        Box::pin(async { Ok(vec![IpAddr::from([127, 0, 0, 1])]) })
    }
}

#[tokio::test]
async fn nothing_is_read_from_a_peer_that_is_refused() -> Result {
    let origin = Origin::serve(|_| ok("secret")).await;
    let builder = Client::builder(Settings::default()).resolver(ToLoopback);
    // A lane whose resolver judges nothing, as if the guard had been got round.
    let lane = || builder.lane(None, tls::config(Vec::new())?).map_err(Box::<dyn std::error::Error>::from);
    let inner = Inner {
        timeout: Duration::from_secs(10),
        max_body_bytes: 1024,
        guard: Guard::default(),
        pace: Pace::new(1, Duration::ZERO),
        public: lane()?,
        operator: lane()?,
    };
    let client = Client { inner: Arc::new(inner) };
    let url = crate::parse_url(&origin.url_as("a.test", "/"))?;
    let result = client.send(Request::get(url)).await;
    assert!(matches!(result, Err(Error::Blocked { reason: Refusal::Address { .. } })), "{result:?}");
    assert_eq!(client.judge_peer(None), Err(Refusal::UnknownPeer));
    Ok(())
}
