//! Targets, methods and headers of redirects.

use super::*;
use http::header::{ACCEPT, AUTHORIZATION, HeaderName, HeaderValue, IF_NONE_MATCH};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const FROM: &str = "https://a.test/dir/page?q=1#part";

fn location(value: &[u8]) -> Result<HeaderMap> {
    Ok(HeaderMap::from_iter([(LOCATION, HeaderValue::from_bytes(value)?)]))
}

fn post(url: &str) -> Result<Hop> {
    let request = Request::post(url.parse()?, HeaderValue::from_static("text/plain"), "body")
        .header(AUTHORIZATION, HeaderValue::from_static("Bearer x"))
        .header(HeaderName::from_static("x-api-key"), HeaderValue::from_static("x"))
        .header(ACCEPT, HeaderValue::from_static("*/*"))
        .trust(Trust::Operator);
    Ok(Hop::first(&request))
}

fn get(url: &str) -> Result<Hop> {
    let mut hop = post(url)?;
    hop.method = Method::GET;
    hop.body = None;
    hop.headers.remove(CONTENT_TYPE);
    Ok(hop)
}

#[test]
fn locations_are_read_as_browsers_read_them() -> Result {
    for (value, expected) in [
        ("https://b.test/x", "https://b.test/x#part"),
        ("https://b.test/x#own", "https://b.test/x#own"),
        ("https://b.test/x#", "https://b.test/x#"),
        ("//b.test/x", "https://b.test/x#part"),
        ("/x", "https://a.test/x#part"),
        ("x", "https://a.test/dir/x#part"),
        ("../x", "https://a.test/x#part"),
        ("?r=2", "https://a.test/dir/page?r=2#part"),
        ("#other", "https://a.test/dir/page?q=1#other"),
        ("  /x  ", "https://a.test/x#part"),
        ("HTTPS://B.TEST:443/x", "https://b.test/x#part"),
        ("/記事", "https://a.test/%E8%A8%98%E4%BA%8B#part"),
        ("https://例え.test/", "https://xn--r8jz45g.test/#part"),
        ("\\\\b.test\\x", "https://b.test/x#part"),
        // CheckedAddresses, and refused, by the guard.
        ("https://user:pass@b.test/", "https://user:pass@b.test/#part"),
        ("file:///etc/passwd", "file:///etc/passwd#part"),
    ] {
        let url = target(&FROM.parse()?, &location(value.as_bytes())?)?;
        assert_eq!(url.as_str(), expected, "{value}");
    }
    let latin1 = target(&FROM.parse()?, &location(b"/caf\xe9")?)?;
    assert_eq!(latin1.path(), "/caf%E9");
    Ok(())
}

#[test]
fn invalid_locations_have_a_reason() -> Result {
    let long = format!("/{}", "x".repeat(MAX_URL_BYTES));
    for (value, words) in [
        ("", "empty"),
        ("   ", "empty"),
        ("http://", "not valid"),
        ("http://256.256.256.256/", "not valid"),
        ("https://a b.test/", "not valid"),
        ("http://[::1", "not valid"),
        (long.as_str(), "too long"),
    ] {
        let result = target(&FROM.parse()?, &location(value.as_bytes())?);
        assert!(matches!(&result, Err(Error::Redirect { reason }) if reason.contains(words)), "{value}: {result:?}");
    }
    let mut twice = location(b"/x")?;
    twice.append(LOCATION, HeaderValue::from_static("/x"));
    assert!(target(&FROM.parse()?, &twice).is_ok(), "the same address twice is one address");
    twice.append(LOCATION, HeaderValue::from_static("/y"));
    for headers in [HeaderMap::new(), twice] {
        assert!(matches!(target(&FROM.parse()?, &headers), Err(Error::Redirect { .. })));
    }
    Ok(())
}

#[test]
fn methods_change_as_in_browsers() -> Result {
    for (status, method, expected) in [
        (301, Method::POST, Method::GET),
        (302, Method::POST, Method::GET),
        (303, Method::POST, Method::GET),
        (307, Method::POST, Method::POST),
        (308, Method::POST, Method::POST),
        (301, Method::HEAD, Method::HEAD),
        (302, Method::HEAD, Method::HEAD),
        (303, Method::HEAD, Method::HEAD),
        (303, Method::GET, Method::GET),
        (308, Method::GET, Method::GET),
    ] {
        let mut hop = if method == Method::POST { post(FROM)? } else { get(FROM)? };
        hop.method = method;
        let next = hop.clone().follow(StatusCode::from_u16(status)?, &location(b"/x")?)?;
        assert_eq!(next.method, expected, "{status} {}", hop.method);
        let kept = expected == Method::POST;
        assert_eq!(next.body.is_some(), kept, "{status}: the body goes with the method");
        assert_eq!(next.headers().contains_key(CONTENT_TYPE), kept, "{status}: and so does its type");
    }
    Ok(())
}

#[test]
fn secrets_and_trust_stay_with_their_origin() -> Result {
    for (from, to, stays) in [
        ("https://a.test/", "https://a.test/other", true),
        ("http://a.test/", "https://a.test/", true),
        ("http://a.test:80/", "https://a.test:443/", true),
        ("https://a.test/", "http://a.test/", false),
        ("https://a.test/", "https://a.test:8443/", false),
        ("http://a.test:8080/", "https://a.test/", false),
        ("http://a.test/", "https://a.test:8443/", false),
        ("https://a.test/", "https://b.test/", false),
        ("https://a.test/", "https://sub.a.test/", false),
        ("https://a.test/", "https://a.test./", false),
        ("http://127.0.0.1/", "http://127.0.0.2/", false),
    ] {
        let next = get(from)?.follow(StatusCode::FOUND, &location(to.as_bytes())?)?;
        let headers = next.headers();
        assert_eq!(headers.contains_key(AUTHORIZATION), stays, "{from} to {to}");
        assert_eq!(headers.contains_key("x-api-key"), stays, "{from} to {to}");
        assert_eq!(next.trust == Trust::Operator, stays, "{from} to {to}");
        assert!(headers.contains_key(ACCEPT), "{from} to {to}: what is harmless goes along");
    }
    Ok(())
}

#[test]
fn dropped_secrets_are_not_restored() -> Result {
    let away = get("https://a.test/")?.follow(StatusCode::FOUND, &location(b"https://b.test/")?)?;
    let back = away.follow(StatusCode::FOUND, &location(b"https://a.test/")?)?;
    assert!(!back.headers().contains_key(AUTHORIZATION) && back.trust == Trust::Public);
    Ok(())
}

#[test]
fn a_body_is_not_sent_to_another_origin() -> Result {
    for (status, to, sent) in [
        (307, "https://a.test/x", true),
        (308, "https://b.test/", false),
        (307, "http://a.test/", false),
        (301, "https://b.test/", true),
    ] {
        let result = post("https://a.test/")?.follow(StatusCode::from_u16(status)?, &location(to.as_bytes())?);
        assert_eq!(result.is_ok(), sent, "{status} to {to}");
    }
    Ok(())
}

#[test]
fn validators_go_to_the_origin_that_issued_them() -> Result {
    let request = |url: &str| Result::Ok(Request::get(url.parse()?).if_none_match("\"x\""));
    let sent = |hop: &Hop| hop.headers().contains_key(IF_NONE_MATCH);
    let first = Hop::first(&request("https://a.test/")?);
    assert!(sent(&first));
    let next = first.follow(StatusCode::FOUND, &location(b"https://b.test/")?)?;
    assert!(!sent(&next));
    let first = Hop::first(&request("https://a.test/")?.validated_at("https://b.test/feed".parse()?));
    assert!(!sent(&first));
    let next = first.follow(StatusCode::FOUND, &location(b"https://b.test/feed")?)?;
    assert!(sent(&next));
    Ok(())
}

#[test]
fn moved_to_ends_at_a_temporary_redirect() -> Result {
    for (statuses, redirected, moved_to) in [
        (&[][..], Redirected::No, None),
        (&[301][..], Redirected::Permanent, Some(0)),
        (&[301, 308][..], Redirected::Permanent, Some(1)),
        (&[308, 302][..], Redirected::Temporary, Some(0)),
        (&[308, 302, 301][..], Redirected::Temporary, Some(0)),
        (&[307, 301][..], Redirected::Temporary, None),
        (&[303][..], Redirected::Temporary, None),
    ] {
        let mut chain = RedirectChain::default();
        let url = |step: usize| format!("https://a.test/{step}").parse::<Url>();
        for (step, status) in statuses.iter().enumerate() {
            chain.add(StatusCode::from_u16(*status)?, &url(step)?)?;
        }
        assert_eq!(chain.redirected, redirected, "{statuses:?}");
        assert_eq!(chain.moved_to, moved_to.map(url).transpose()?, "{statuses:?}");
    }
    Ok(())
}

#[test]
fn at_most_five_redirects_are_followed() -> Result {
    let (mut chain, url) = (RedirectChain::default(), FROM.parse()?);
    for _ in 0..5 {
        chain.add(StatusCode::FOUND, &url)?;
    }
    assert!(matches!(chain.add(StatusCode::FOUND, &url), Err(Error::TooManyRedirects { limit: 5 })));
    Ok(())
}
