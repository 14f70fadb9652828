//! The last check of the peer's address, which a working guard makes unreachable from outside.

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
async fn rejected_peer_is_not_read() -> Result {
    let origin = Origin::serve(|_| ok("secret")).await;
    let builder = Client::builder(ClientSettings::default()).resolver(ToLoopback);
    // A resolver without a guard, as if the guard had been bypassed.
    let level = || builder.trust_level(None, tls::config(Vec::new())?).map_err(Box::<dyn std::error::Error>::from);
    let inner = Inner {
        timeout: Duration::from_secs(10),
        max_body_bytes: 1024,
        guard: Guard::default(),
        pace: Pace::new(1, Duration::ZERO),
        public: level()?,
        operator: level()?,
    };
    let client = Client { inner: Arc::new(inner) };
    let url = crate::parse_url(&origin.url_as("a.test", "/"))?;
    let result = client.send(Request::get(url)).await;
    assert!(matches!(result, Err(Error::Blocked { reason: Refusal::Address { .. } })), "{result:?}");
    assert_eq!(client.check_peer(None), Err(Refusal::UnknownPeer));
    Ok(())
}
