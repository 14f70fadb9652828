//! Ordinary requests and responses.

use super::support::{Names, Result, client, fetch, get, kind, settings, spawn};
use net::{
    Client, ClientSettings, Error, HeaderValue, Request, Resolver, RetryAfter, StatusCode, SystemResolver, Urgency,
    header,
};
use std::net::IpAddr;
use std::time::Duration;
use testkit::origin::{Origin, Seen, answer, hostile, ok};

fn header<'a>(seen: &'a [Seen], name: &str) -> Option<&'a str> {
    seen.first().and_then(|request| request.header(name))
}

#[tokio::test]
async fn default_headers_are_sent() -> Result {
    let origin = Origin::serve(|_| ok("")).await;
    fetch(&origin.url("/feed?x=1#part")).await??;
    let seen = origin.seen();
    assert_eq!((seen[0].method.as_str(), seen[0].target.as_str()), ("GET", "/feed?x=1"));
    assert_eq!(header(&seen, "user-agent"), Some(net::default_user_agent().as_str()));
    assert_eq!(header(&seen, "accept-encoding"), Some("gzip, br, zstd, deflate"));
    assert_eq!((header(&seen, "referer"), header(&seen, "cookie")), (None, None));
    Ok(())
}

#[tokio::test]
async fn the_user_agent_can_be_set() -> Result {
    let origin = Origin::serve(|_| ok("")).await;
    let settings =
        ClientSettings { user_agent: net::user_agent("https://reader.test/about"), ..settings(&["127.0.0.1/32"])? };
    Client::new(settings)?.send(get(&origin.url("/"))?).await?;
    let agent = header(&origin.seen(), "user-agent").map(str::to_owned);
    assert!(agent.as_deref().is_some_and(|agent| agent.ends_with("(+https://reader.test/about)")), "{agent:?}");
    let broken = Client::new(ClientSettings { user_agent: "two\nlines".to_owned(), ..ClientSettings::default() });
    assert!(matches!(broken, Err(Error::Setup { .. })));
    Ok(())
}

#[tokio::test]
async fn response_has_all_fields() -> Result {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml; charset=utf-8\r\nETag: W/\"a b\"\r\n\
                Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nCache-Control: max-age=600\r\nX-Own: yes\r\n";
    let origin = Origin::serve(move |_| answer(head, "<rss/>")).await;
    let response = fetch(&origin.url("/feed")).await??;
    assert_eq!(response.status, StatusCode::OK);
    assert_eq!(response.url.as_str(), origin.url("/feed"));
    assert_eq!(response.body, "<rss/>");
    assert_eq!(response.content_type.as_deref(), Some("application/rss+xml; charset=utf-8"));
    assert_eq!(response.validators.etag.as_deref(), Some("W/\"a b\""));
    assert_eq!(response.validators.last_modified.as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    assert_eq!(response.freshness.fresh_for(chrono::DateTime::UNIX_EPOCH), Some(Duration::from_secs(600)));
    assert_eq!(response.headers.get("x-own"), Some(&HeaderValue::from_static("yes")));
    assert_eq!(response.remote_addr, Some(origin.addr()));
    assert_eq!((response.redirected, response.moved_to), (net::Redirected::No, None));
    Ok(())
}

#[tokio::test]
async fn validators_are_sent_and_304_is_a_response() -> Result {
    let origin = Origin::serve(|seen| match seen.header("if-none-match") {
        Some("\"v1\"") => b"HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nContent-Encoding: gzip\r\n\r\n".to_vec(),
        _ => answer("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n", "new"),
    })
    .await;
    let first = fetch(&origin.url("/")).await??;
    let etag = first.validators.etag.ok_or("no etag")?;
    let request = get(&origin.url("/"))?.if_none_match(&etag).if_modified_since("Sun, 06 Nov 1994 08:49:37 GMT");
    let second = client()?.send(request).await?;
    assert!(second.is_not_modified() && second.body.is_empty());
    assert_eq!(origin.seen()[1].header("if-modified-since"), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    assert!(second.error_for_status().is_ok());
    Ok(())
}

#[tokio::test]
async fn error_status_is_a_response_by_default() -> Result {
    let head = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 120\r\n";
    let origin = Origin::serve(move |_| answer(head, "later")).await;
    let response = fetch(&origin.url("/")).await??;
    assert_eq!((response.status, response.body.as_ref()), (StatusCode::SERVICE_UNAVAILABLE, b"later".as_slice()));
    let wait = RetryAfter::In(Duration::from_secs(120));
    assert_eq!(response.retry_after, Some(wait));
    let error = response.error_for_status();
    assert_eq!(kind(&error), "status");
    assert!(matches!(error, Err(Error::Status { status, retry_after }) if status == 503 && retry_after == Some(wait)));
    Ok(())
}

#[tokio::test]
async fn head_asks_for_headers_only() -> Result {
    for coding in ["", "Content-Encoding: gzip\r\n"] {
        let large = format!("HTTP/1.1 200 OK\r\n{coding}Content-Length: 999999999\r\n\r\n").into_bytes();
        let origin = Origin::serve(move |_| large.clone()).await;
        let response = client()?.send(Request::head(net::parse_url(&origin.url("/"))?)).await?;
        assert_eq!(origin.seen()[0].method, "HEAD");
        assert!(response.body.is_empty() && response.headers.contains_key(header::CONTENT_LENGTH));
    }
    Ok(())
}

#[tokio::test]
async fn post_sends_a_body_with_its_type() -> Result {
    let origin = Origin::serve(|_| ok("{}")).await;
    let json = HeaderValue::from_static("application/json");
    let request = Request::post(net::parse_url(&origin.url("/api"))?, json, "{\"a\":1}")
        .header(header::AUTHORIZATION, HeaderValue::from_static("Bearer key"));
    client()?.send(request).await?;
    let seen = origin.seen();
    assert_eq!((seen[0].method.as_str(), seen[0].body.as_slice()), ("POST", b"{\"a\":1}".as_slice()));
    assert_eq!(header(&seen, "content-type"), Some("application/json"));
    assert_eq!(header(&seen, "authorization"), Some("Bearer key"));
    Ok(())
}

#[tokio::test]
async fn bodies_are_decoded_and_stacks_rejected() -> Result {
    let encoded = zstd::encode_all(&b"some text"[..], 1)?;
    let origin = Origin::serve(move |seen| match seen.target.as_str() {
        "/zstd" => answer("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n", &encoded),
        "/lie" => answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n", "some text"),
        _ => answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n", "xx"),
    })
    .await;
    assert_eq!(fetch(&origin.url("/zstd")).await??.body, "some text");
    assert_eq!(kind(&fetch(&origin.url("/lie")).await?), "decode");
    let stacked = fetch(&origin.url("/stacked")).await?;
    assert!(matches!(&stacked, Err(Error::Decode { coding, source: None }) if coding == "gzip, gzip"), "{stacked:?}");
    Ok(())
}

#[tokio::test]
async fn the_largest_body_can_be_set_for_one_request() -> Result {
    let origin = Origin::serve(|_| ok(vec![b'x'; 1000])).await;
    let client = client()?;
    let sized = |size: usize| Result::Ok(client.send(get(&origin.url("/"))?.max_body_bytes(size)));
    assert_eq!(sized(1000)?.await?.body.len(), 1000);
    assert_eq!(kind(&sized(999)?.await), "too_large");
    Ok(())
}

#[tokio::test]
async fn connections_are_reused_then_closed() -> Result {
    let origin = Origin::serve(|_| ok("")).await;
    let settings = ClientSettings { idle_timeout: Duration::from_millis(300), ..settings(&["127.0.0.1/32"])? };
    let client = Client::new(settings)?;
    client.send(get(&origin.url("/"))?).await?;
    client.clone().send(get(&origin.url("/"))?).await?;
    assert_eq!(origin.seen().len(), 2);
    // The connection must be closed although the client still exists.
    let closed = tokio::time::timeout(Duration::from_secs(30), origin.until(|now| now.open == 0)).await;
    assert!(closed.is_ok(), "{:?}", origin.connections());
    drop(client);
    Ok(())
}

#[tokio::test]
async fn idle_connections_are_limited() -> Result {
    let origin = Origin::serve(|_| ok("")).await;
    let settings =
        ClientSettings { host_concurrency: 2, idle_timeout: Duration::from_secs(600), ..settings(&["127.0.0.1/32"])? };
    let client = Client::new(settings)?;
    let requests: Vec<_> = (0..20)
        .map(|_| Result::Ok(spawn(&client, get(&origin.url("/"))?.urgency(Urgency::Interactive))))
        .collect::<Result<_>>()?;
    for request in requests {
        request.await??;
    }
    let few = tokio::time::timeout(Duration::from_secs(30), origin.until(|now| now.open <= 2)).await;
    assert!(few.is_ok(), "{:?}", origin.connections());
    Ok(())
}

#[tokio::test]
async fn unknown_names_and_closed_ports_fail() -> Result {
    let closed_port = hostile::silent().await.url("/");
    let client = Client::builder(settings(&["127.0.0.1/32"])?).resolver(Names::default()).build()?;
    assert_eq!(kind(&client.send(get("http://nowhere.test/")?).await), "dns");
    assert_eq!(kind(&client.send(get("http://nowhere.test/")?.trust(net::Trust::Operator)).await), "dns");
    let refused = client.send(get(&closed_port)?).await;
    assert_eq!(kind(&refused), "connect", "{refused:?}");
    Ok(())
}

#[tokio::test]
async fn too_long_url_is_rejected() -> Result {
    let url = format!("http://127.0.0.1/{}", "x".repeat(9000)).parse()?;
    let result = client()?.send(Request::get(url)).await;
    assert_eq!(kind(&result), "invalid_url");
    Ok(())
}

#[tokio::test]
async fn errors_do_not_contain_the_url() -> Result {
    let origin = hostile::cut_at_accept().await;
    let error = fetch(&origin.url("/?key=hunter2")).await?.err().ok_or("answered")?;
    let mut words = format!("{error} {error:?}");
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        words += &error.to_string();
        cause = error.source();
    }
    assert!(!words.contains("hunter2"), "{words}");
    Ok(())
}

#[tokio::test]
async fn system_resolver_resolves_localhost() -> Result {
    // The client handles this name without the resolver, so ask the resolver directly.
    let addresses = SystemResolver.lookup("localhost").await?;
    assert!(!addresses.is_empty() && addresses.iter().all(IpAddr::is_loopback), "{addresses:?}");
    let origin = Origin::serve(|_| ok("hello")).await;
    let client = Client::new(settings(&["127.0.0.0/8", "::1/128"])?)?;
    assert_eq!(client.send(get(&origin.url_as("localhost", "/"))?).await?.body, "hello");
    let closed = Client::new(settings(&[])?)?;
    assert_eq!(kind(&closed.send(get(&origin.url_as("localhost", "/"))?).await), "blocked");
    assert_eq!(origin.seen().len(), 1);
    Ok(())
}
