use super::*;

fn api() -> Url {
    Url::parse("https://bookmark.example/api/").unwrap()
}

fn items(links: &[&str]) -> Vec<UncountedItem> {
    let item = |(n, link): (usize, &&str)| UncountedItem {
        id: ItemId(i64::try_from(n).unwrap() + 1),
        link: (!link.is_empty()).then(|| (*link).to_owned()),
        hatebu_fetched_at: None,
    };
    links.iter().enumerate().map(item).collect()
}

/// The counts of these links, in order, for this response.
fn counts(links: &[&str], response: &str) -> Vec<i64> {
    let (batches, _) = batches(&api(), items(links));
    assert_eq!(batches.len(), 1);
    let mut counts = parse_counts(&batches[0], response.as_bytes()).unwrap();
    counts.sort();
    counts.into_iter().map(|(_, count)| count).collect()
}

#[test]
fn a_batch_has_up_to_fifty_encoded_addresses() {
    let links: Vec<String> = (0..120).map(|n| format!("https://a.example/{n}?x=1&y=瓦#z")).collect();
    let (batches, unaskable) = batches(&api(), items(&links.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!((batches.iter().map(Batch::len).collect::<Vec<_>>(), unaskable.len()), (vec![50, 50, 20], 0));
    let url = batches[0].url.as_str();
    let first = "https://bookmark.example/api/count/entries?url=https%3A%2F%2Fa.example%2F0%3Fx%3D1%26y%3D%25E7%2593%25A6%23z&url=";
    assert!(url.starts_with(first), "{url}");
}

#[test]
fn a_request_url_has_up_to_4096_bytes() {
    let links: Vec<String> = (0..9).map(|n| format!("https://a.example/{n}/{}", "x".repeat(1_000))).collect();
    let (batches, unaskable) = batches(&api(), items(&links.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!((batches.iter().map(Batch::len).collect::<Vec<_>>(), unaskable.len()), (vec![3, 3, 3], 0));
    assert!(batches.iter().all(|batch| batch.url.as_str().len() <= MAX_URL_BYTES));
}

#[test]
fn items_without_a_usable_address_are_left_out() {
    let long = format!("https://a.example/{}", "x".repeat(MAX_URL_BYTES));
    let (batches, mut unaskable) = batches(
        &api(),
        items(&["https://a.example/", "", "mailto:a@b.example", "no address", &long, "http://b.example/"]),
    );
    unaskable.sort();
    assert_eq!(unaskable, [2, 3, 4, 5].map(ItemId));
    let links: Vec<&str> = batches.iter().flat_map(|batch| &batch.links).map(|group| group.link.as_str()).collect();
    assert_eq!(links, ["https://a.example/", "http://b.example/"]);
}

#[test]
fn items_with_the_same_address_share_a_request() {
    let links = ["https://a.example/x", "https://b.example/", "https://A.example:443/x"];
    let (batches, _) = batches(&api(), items(&links));
    assert_eq!(batches[0].len(), 2);
    assert_eq!(counts(&links, r#"{"https://a.example/x":7}"#), [7, 0, 7]);
}

#[test]
fn keys_may_differ_from_the_requested_address() {
    let link = ["https://a.example/x?id=1"];
    for (answer, expected) in [
        (r#"{"https://a.example/x?id=1":1,"http://a.example/x?id=1":2,"https://a.example/x":3}"#, 1),
        (r#"{"http://a.example/x?id=1":2,"https://a.example/x":3,"http://a.example/x":4}"#, 2),
        (r#"{"https://a.example/x":3,"http://a.example/x":4}"#, 3),
        (r#"{"http://a.example/x":4}"#, 4),
        (r#"{"https://a.example/other":5}"#, 0),
        ("{}", 0),
    ] {
        assert_eq!(counts(&link, answer), [expected], "{answer}");
    }
    assert_eq!(counts(&["https://a.example/瓦"], r#"{"https://a.example/瓦":6}"#), [6]);
}

#[test]
fn a_requested_key_counts_for_its_own_link_only() {
    let links = ["https://a.example/", "http://a.example/", "https://a.example/?page=2"];
    assert_eq!(counts(&links, r#"{"http://a.example/":9}"#), [0, 9, 0]);
}

#[test]
fn other_responses_are_errors() {
    let (batches, _) = batches(&api(), items(&["https://a.example/"]));
    for answer in ["", "null", "[]", "<html></html>", r#"{"error":"down"}"#, r#"{"https://a.example/":-1}"#] {
        assert!(parse_counts(&batches[0], answer.as_bytes()).is_err(), "{answer}");
    }
}
