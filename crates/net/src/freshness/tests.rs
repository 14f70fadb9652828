//! Valid and invalid caching headers.

use super::*;
use http::HeaderValue;

fn headers(pairs: &[(HeaderName, &[u8])]) -> HeaderMap {
    let read = |(name, value): &(HeaderName, &[u8])| Some((name.clone(), HeaderValue::from_bytes(value).ok()?));
    let map: HeaderMap = pairs.iter().filter_map(read).collect();
    assert_eq!(map.len(), pairs.len(), "a test header was not accepted");
    map
}

/// Sunday, 6 November 1994, 08:49:37: the date of the RFCs.
fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(784_111_777, 0).unwrap_or_default()
}

fn secs(seconds: u64) -> Option<Duration> {
    Some(Duration::from_secs(seconds))
}

#[test]
fn max_age_is_read_in_every_spelling() {
    for (value, expected) in [
        ("max-age=60", secs(60)),
        ("MAX-AGE = 60", secs(60)),
        ("max-age=\"60\"", secs(60)),
        ("public, max-age=60, immutable", secs(60)),
        ("max-age=60, max-age=9", secs(60)),
        ("private=\"a, max-age=5\", max-age=60", secs(60)),
        ("private=\"\\\", max-age=5\", max-age=60", secs(60)),
        ("max-age=0", secs(0)),
        ("max-age=2147483648", secs(1 << 31)),
        ("max-age=2147483649", secs(1 << 31)),
        ("max-age=999999999999999999999999999999", secs(1 << 31)),
        ("max-age=-1", secs(0)),
        ("max-age=+60", secs(0)),
        ("max-age=60.5", secs(0)),
        ("max-age=1e9", secs(0)),
        ("max-age=\u{ff16}\u{ff10}", secs(0)),
        ("max-age=", secs(0)),
        ("max-age", secs(0)),
        ("s-maxage=60", None),
        ("xmax-age=60", None),
        (",,, =, ;", None),
        ("\"", None),
        ("private=\"never closed, max-age=60", None),
        ("", None),
    ] {
        let read = Freshness::from_headers(&headers(&[(CACHE_CONTROL, value.as_bytes())]));
        assert_eq!(read.max_age, expected, "{value}");
    }
}

#[test]
fn directives_span_lines_and_ignore_case() {
    let mut map = headers(&[(CACHE_CONTROL, b"No-Store")]);
    map.append(CACHE_CONTROL, HeaderValue::from_static("MUST-REVALIDATE, max-age=60"));
    let read = Freshness::from_headers(&map);
    assert!(read.no_store && read.must_revalidate && !read.no_cache);
    assert_eq!(read.max_age, secs(60));
    assert_eq!(read.fresh_for(now()), secs(0), "what may not be kept is never fresh");
}

#[test]
fn no_cache_for_single_headers_is_not_no_cache() {
    let whole = Freshness::from_headers(&headers(&[(CACHE_CONTROL, b"no-cache, max-age=60")]));
    let partial = Freshness::from_headers(&headers(&[(CACHE_CONTROL, b"no-cache=\"set-cookie\", max-age=60")]));
    assert_eq!(whole.fresh_for(now()), secs(0));
    assert_eq!(partial.fresh_for(now()), secs(60));
}

#[test]
fn three_date_forms_are_parsed() {
    for text in [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        " Sun, 06 Nov 1994 08:49:37 GMT ",
    ] {
        assert_eq!(http_date(text), Some(now()), "{text}");
    }
    for text in
        ["", "0", "-1", "now", "1994-11-06T08:49:37Z", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT"]
    {
        assert_eq!(http_date(text), None, "{text}");
    }
}

#[test]
fn expires_counts_from_the_servers_own_date() {
    let later = b"Sun, 06 Nov 1994 09:49:37 GMT".as_slice();
    let by_our_clock = Freshness::from_headers(&headers(&[(EXPIRES, later)]));
    assert_eq!(by_our_clock.fresh_for(now()), secs(3600));
    let by_theirs = Freshness::from_headers(&headers(&[(EXPIRES, later), (DATE, b"Sun, 06 Nov 1994 09:39:37 GMT")]));
    assert_eq!(by_theirs.fresh_for(now()), secs(600));
    let aged = Freshness::from_headers(&headers(&[(EXPIRES, later), (AGE, b"600")]));
    assert_eq!(aged.fresh_for(now()), secs(3000));
}

#[test]
fn max_age_wins_over_expires() {
    let both = headers(&[(CACHE_CONTROL, b"max-age=60"), (EXPIRES, b"Sun, 06 Nov 1994 09:49:37 GMT")]);
    assert_eq!(Freshness::from_headers(&both).fresh_for(now()), secs(60));
}

#[test]
fn invalid_expires_means_stale() {
    for value in ["0", "-1", "never", "", "Thu, 99 Xxx 1994 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:36 GMT"] {
        let read = Freshness::from_headers(&headers(&[(EXPIRES, value.as_bytes())]));
        assert_eq!(read.fresh_for(now()), secs(0), "{value}");
    }
    let far = Freshness::from_headers(&headers(&[(EXPIRES, b"Fri, 31 Dec 9999 23:59:59 GMT")]));
    assert_eq!(far.fresh_for(now()), secs(1 << 31));
    assert_eq!(Freshness::default().fresh_for(now()), None, "silence is not staleness");
}

#[test]
fn invalid_age_is_ignored() {
    for (age, expected) in [("-5", 60), ("x", 60), ("", 60), ("20", 40), ("99999999999999999999", 0)] {
        let map = headers(&[(CACHE_CONTROL, b"max-age=60"), (AGE, age.as_bytes())]);
        assert_eq!(Freshness::from_headers(&map).fresh_for(now()), secs(expected), "{age}");
    }
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    for (value, expected) in [
        ("120", secs(120)),
        (" 120 ", secs(120)),
        ("0", secs(0)),
        ("99999999999999999999999", secs(1 << 31)),
        ("Sun, 06 Nov 1994 08:50:37 GMT", secs(60)),
        ("Sunday, 06-Nov-94 08:50:37 GMT", secs(60)),
        ("Sun, 06 Nov 1994 08:40:00 GMT", secs(0)),
        ("Fri, 31 Dec 9999 23:59:59 GMT", secs(1 << 31)),
        ("-120", None),
        ("1.5", None),
        ("soon", None),
        ("\"120\"", None),
        ("", None),
    ] {
        let read = RetryAfter::from_headers(&headers(&[(RETRY_AFTER, value.as_bytes())]));
        assert_eq!(read.map(|retry| retry.wait(now())), expected, "{value}");
    }
    assert_eq!(RetryAfter::from_headers(&HeaderMap::new()), None);
    assert_eq!(RetryAfter::from_headers(&headers(&[(RETRY_AFTER, b"\xff\xfe")])), None);
}
