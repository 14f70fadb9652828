//! Redirects over real connections, each hop checked.

use super::support::{Dials, Names, Result, client, fetch, get, kind, settings};
use net::{Budget, Client, Error, HeaderValue, Redirected, Request, Trust, Urgency, header};
use testkit::origin::{Origin, answer, ok, read_request, redirect};
use tokio::io::AsyncWriteExt;

#[tokio::test]
async fn chain_of_five_redirects_is_followed() -> Result {
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/0" => redirect(301, "/1"),
        "/1" => redirect(308, "2"),
        "/2" => redirect(302, "/3"),
        "/3" => redirect(301, "?four"),
        "/3?four" => redirect(307, "/5"),
        _ => ok("end"),
    })
    .await;
    let response = fetch(&origin.url("/0")).await??;
    assert_eq!((response.url.as_str(), response.body.as_ref()), (origin.url("/5").as_str(), b"end".as_slice()));
    assert_eq!(response.redirected, Redirected::Temporary);
    assert_eq!(response.moved_to.map(String::from), Some(origin.url("/2")));
    let moved = fetch(&origin.url("/4")).await??;
    assert_eq!((moved.redirected, moved.moved_to), (Redirected::No, None));
    Ok(())
}

#[tokio::test]
async fn loops_and_long_chains_end() -> Result {
    let origin = Origin::serve(|_| redirect(302, "/")).await;
    assert_eq!(kind(&fetch(&origin.url("/")).await?), "too_many_redirects");
    assert_eq!(origin.seen().len(), 6, "the first request and five redirects");
    let endless = Origin::serve(|seen| redirect(301, &format!("{}x", seen.target))).await;
    assert_eq!(kind(&fetch(&endless.url("/")).await?), "too_many_redirects");
    Ok(())
}

#[tokio::test]
async fn redirect_to_internal_address_is_not_dialled() -> Result {
    let names = Names::of(&[("inner.test", &["10.0.0.1"]), ("mixed.test", &["127.0.0.1", "10.0.0.1"])])?;
    for (to, expected) in [
        ("http://127.0.0.2/", "blocked"),
        ("http://10.0.0.1/", "blocked"),
        ("http://2130706434/", "blocked"),
        ("//0x0a.1/", "blocked"),
        ("http://[::1]/", "blocked"),
        ("https://[::ffff:10.0.0.1]/", "blocked"),
        ("http://inner.test/", "blocked"),
        ("http://mixed.test/", "blocked"),
        ("file:///etc/passwd", "blocked"),
        ("ftp://127.0.0.1/", "blocked"),
        ("gopher://127.0.0.1:70/", "blocked"),
        ("http://user:pass@127.0.0.1/", "blocked"),
        ("http://127.0.0.1:25/", "blocked"),
        ("http://[bad", "redirect"),
        ("", "redirect"),
    ] {
        let origin = Origin::serve(move |_| redirect(302, to)).await;
        let dials = Dials::default();
        let builder = Client::builder(settings(&["127.0.0.1/32"])?).resolver(names.clone());
        let client = builder.on_dial(dials.allow(1)).build()?;
        let result = client.send(get(&origin.url("/"))?).await;
        assert_eq!(kind(&result), expected, "{to}: {result:?}");
        assert_eq!(dials.count(), 1, "{to}: only the origin was dialled");
    }
    Ok(())
}

#[tokio::test]
async fn redirect_without_location_is_an_error() -> Result {
    let origin = Origin::serve(|_| answer("HTTP/1.1 301 Moved\r\n", "")).await;
    let result = fetch(&origin.url("/")).await?;
    assert!(matches!(&result, Err(Error::Redirect { reason }) if reason.contains("has no address")), "{result:?}");
    let choices = Origin::serve(|_| answer("HTTP/1.1 300 Multiple Choices\r\nLocation: /x\r\n", "")).await;
    assert_eq!(fetch(&choices.url("/")).await??.status, 300, "300 is an answer");
    Ok(())
}

#[tokio::test]
async fn secrets_are_not_sent_to_another_origin() -> Result {
    let other = Origin::serve_on([127, 0, 0, 2].into(), |_| ok("")).await;
    let elsewhere = other.url("/");
    let origin = Origin::serve(move |seen| match seen.target.as_str() {
        "/" => redirect(307, "/same"),
        _ => redirect(307, &elsewhere),
    })
    .await;
    let request = get(&origin.url("/"))?
        .header(header::AUTHORIZATION, HeaderValue::from_static("Bearer key"))
        .header(header::COOKIE, HeaderValue::from_static("a=b"))
        .header(header::ACCEPT, HeaderValue::from_static("text/html"))
        .if_none_match("\"x\"");
    Client::new(settings(&["127.0.0.0/8"])?)?.send(request).await?;
    for (seen, names_sent) in [(origin.seen(), true), (other.seen(), false)] {
        for request in &seen {
            for name in ["authorization", "cookie", "if-none-match"] {
                assert_eq!(request.header(name).is_some(), names_sent, "{name} at {}", request.target);
            }
            assert_eq!(request.header("accept"), Some("text/html"));
        }
    }
    assert_eq!((origin.seen().len(), other.seen().len()), (2, 1));
    Ok(())
}

#[tokio::test]
async fn trust_ends_at_another_origin() -> Result {
    let other = Origin::serve_on([127, 0, 0, 2].into(), |_| ok("")).await;
    let neighbour = Origin::serve(|_| ok("")).await;
    for (to, expected) in
        [("/end".to_owned(), "answered"), (other.url("/"), "blocked"), (neighbour.url("/"), "blocked")]
    {
        let origin = Origin::serve(move |seen| if seen.target == "/" { redirect(302, &to) } else { ok("") }).await;
        let result = Client::new(settings(&[])?)?.send(get(&origin.url("/"))?.trust(Trust::Operator)).await;
        assert_eq!(kind(&result), expected, "{result:?}");
    }
    assert_eq!((other.connections().accepted, neighbour.connections().accepted), (0, 0));
    Ok(())
}

#[tokio::test]
async fn post_becomes_get_as_in_browsers() -> Result {
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/302" => redirect(302, "/end"),
        "/307" => redirect(307, "/end"),
        _ => ok(""),
    })
    .await;
    for (path, method, body) in [("/302", "GET", ""), ("/307", "POST", "data")] {
        let text = HeaderValue::from_static("text/plain");
        let request = Request::post(net::parse_url(&origin.url(path))?, text, "data");
        client()?.send(request).await?;
        let last = origin.seen().pop().ok_or("no request")?;
        assert_eq!((last.method.as_str(), last.body.as_slice()), (method, body.as_bytes()), "{path}");
        assert_eq!(last.header("content-type").is_some(), !body.is_empty(), "{path}");
    }
    Ok(())
}

/// A server that closes the connection at its second request, as if it had been closing just then.
async fn origin_closing_after_redirect() -> Origin {
    Origin::raw(|mut stream| async move {
        let Some(seen) = read_request(&mut stream).await else { return };
        let bytes = if seen.target == "/" { redirect(302, "/end") } else { ok("end") };
        let _ = stream.write_all(&bytes).await;
        read_request(&mut stream).await;
    })
    .await
}

#[tokio::test]
async fn closed_connection_after_redirect_is_retried() -> Result {
    let origin = origin_closing_after_redirect().await;
    for _ in 0..5 {
        // A new client each time, so that its first request reuses no connection.
        assert_eq!(client()?.send(get(&origin.url("/"))?.urgency(Urgency::Interactive)).await?.body, "end");
    }
    Ok(())
}

#[tokio::test]
async fn retried_request_counts_against_a_budget() -> Result {
    let origin = origin_closing_after_redirect().await;
    for (requests, expected, left) in [(4, "answered", 1), (3, "answered", 0), (2, "connect", 0)] {
        let budget = Budget::new(requests);
        let request = get(&origin.url("/"))?.urgency(Urgency::Interactive).budget(&budget);
        assert_eq!((kind(&client()?.send(request).await), budget.left()), (expected, left), "{requests}");
    }
    Ok(())
}

#[tokio::test]
async fn redirects_count_against_a_budget() -> Result {
    let origin = Origin::serve(|seen| match seen.target.as_str() {
        "/a" => redirect(302, "/b"),
        "/b" => redirect(302, "/c"),
        _ => ok("here"),
    })
    .await;
    let budget = Budget::new(5);
    let ask = async || Result::Ok(kind(&client()?.send(get(&origin.url("/a"))?.budget(&budget)).await));
    assert_eq!((ask().await?, budget.left()), ("answered", 2));
    assert_eq!((ask().await?, budget.left()), ("too_many_redirects", 0));
    assert_eq!(origin.seen().len(), 5);
    Ok(())
}
