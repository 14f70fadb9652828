//! Rejected addresses are never dialled: observed directly above the sockets.

use super::support::{Dials, Names, Result, get, kind, settings};
use net::{Client, Error, Refusal, Request, Trust};
use testkit::origin::{Origin, ok, redirect};

/// A client with a connector that counts connections and forbids them.
fn counting_client(names: Names, nets: &[&str]) -> Result<(Client, Dials)> {
    let dials = Dials::default();
    let client = Client::builder(settings(nets)?).resolver(names).on_dial(dials.allow(0)).build()?;
    Ok((client, dials))
}

#[tokio::test]
async fn rejected_addresses_are_never_dialled() -> Result {
    let (client, dials) = counting_client(Names::default(), &[])?;
    for url in [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://127.1/",
        "http://0/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://127.0.0.1./",
        "http://１２７.０.０.１/",
        "http://①②⑦.⓪.⓪.①/",
        "http://127。0。0。1/",
        "http://%31%32%37.0.0.1/",
        "http://user@127.0.0.1/",
        "http://public.test@127.0.0.1/",
        "https://[::1]/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[2002:7f00:1::]/",
        "ftp://93.184.216.34/",
        "file:///etc/passwd",
        "http://93.184.216.34:22/",
        "https://93.184.216.34:6667/",
        "http://user:pass@93.184.216.34/",
    ] {
        for request in [get(url)?, Request::head(url.parse()?)] {
            let result = client.send(request).await;
            assert_eq!(kind(&result), "blocked", "{url}: {result:?}");
        }
    }
    assert_eq!(dials.count(), 0);
    Ok(())
}

#[tokio::test]
async fn names_with_internal_addresses_are_not_dialled() -> Result {
    let names = Names::of(&[
        ("loopback.test", &["127.0.0.1"]),
        ("private.test", &["192.168.1.1"]),
        ("mixed.test", &["93.184.216.34", "10.0.0.1"]),
        ("mixed6.test", &["2606:2800:220:1::1", "::1"]),
        ("mapped.test", &["::ffff:10.0.0.1"]),
        ("metadata.test", &["169.254.169.254"]),
        ("localhost", &["127.0.0.1"]),
        ("localhost.", &["127.0.0.1"]),
        ("a.localhost", &["::1"]),
    ])?;
    let (client, dials) = counting_client(names, &[])?;
    for name in ["loopback.test", "private.test", "mixed.test", "mixed6.test", "mapped.test", "metadata.test"]
        .into_iter()
        .chain(["localhost", "localhost.", "a.localhost"])
    {
        let result = client.send(get(&format!("http://{name}:8080/"))?).await;
        assert!(matches!(result, Err(Error::Blocked { reason: Refusal::Address { .. } })), "{name}: {result:?}");
    }
    assert_eq!(dials.count(), 0);
    Ok(())
}

/// Names of this machine, which the resolvers of these tests do not know.
const THIS_MACHINE: [&str; 9] = [
    "localhost",
    "localhost.",
    "LocalHost",
    "a.localhost",
    "localhost.localdomain",
    "localhost.localdomain.",
    "ip6-localhost",
    "ip6-loopback",
    "localhost6.localdomain6",
];

#[tokio::test]
async fn local_names_are_rejected_without_a_look_up() -> Result {
    let names = Names::default();
    let (client, dials) = counting_client(names.clone(), &["10.0.0.0/8"])?;
    for name in THIS_MACHINE {
        let result = client.send(get(&format!("http://{name}:8080/"))?).await;
        assert!(matches!(result, Err(Error::Blocked { reason: Refusal::Address { .. } })), "{name}: {result:?}");
    }
    let origin = Origin::serve(|_| redirect(302, "http://localhost:8080/")).await;
    let client = Client::builder(settings(&["127.0.0.2/32"])?).resolver(names.clone()).build()?;
    let led_here = client.send(get(&origin.url("/"))?.trust(Trust::Operator)).await;
    assert_eq!(kind(&led_here), "blocked", "{led_here:?}");
    assert_eq!((dials.count(), names.asked()), (0, 0));
    Ok(())
}

#[tokio::test]
async fn local_names_work_if_loopback_is_allowed() -> Result {
    let origin = Origin::serve(|_| ok("here")).await;
    let names = Names::default();
    for (nets, trust) in [(&["127.0.0.0/8"][..], Trust::Public), (&[], Trust::Operator)] {
        let client = Client::builder(settings(nets)?).resolver(names.clone()).build()?;
        for name in THIS_MACHINE {
            let result = client.send(get(&origin.url_as(name, "/"))?.trust(trust)).await;
            assert_eq!(kind(&result), "answered", "{name}: {result:?}");
        }
    }
    assert_eq!(names.asked(), 0);
    Ok(())
}

#[tokio::test]
async fn nat64_allows_only_public_sites() -> Result {
    let names = Names::of(&[
        ("ipv4only.arpa.", &["192.0.0.170", "2a00:64::192.0.0.170", "2a00:64::192.0.0.171"]),
        ("own.test", &["93.184.216.34", "2a00:64::93.184.216.34"]),
        ("known.test", &["64:ff9b::93.184.216.34"]),
        ("own-private.test", &["2a00:64::10.0.0.1"]),
        ("own-metadata.test", &["2a00:64::169.254.169.254"]),
        ("known-loopback.test", &["64:ff9b::127.0.0.1"]),
    ])?;
    let (client, dials) = counting_client(names.clone(), &[])?;
    for (host, expected) in [
        ("own-private.test", "blocked"),
        ("own-metadata.test", "blocked"),
        ("known-loopback.test", "blocked"),
        ("[2a00:64::127.0.0.1]", "blocked"),
        ("[64:ff9b::10.0.0.1]", "blocked"),
        ("own.test", "connect"),
        ("known.test", "connect"),
        ("[2a00:64::93.184.216.34]", "connect"),
        ("[64:ff9b::93.184.216.34]", "connect"),
    ] {
        let result = client.send(get(&format!("http://{host}/"))?).await;
        assert_eq!(kind(&result), expected, "{host}: {result:?}");
    }
    assert_eq!((dials.count(), names.asked()), (4, 6), "five names, and the prefix once");
    // A literal address is checked with the prefix even without an earlier look-up.
    let (client, dials) = counting_client(names, &[])?;
    assert_eq!(kind(&client.send(get("http://[2a00:64::10.0.0.1]/")?).await), "blocked");
    assert_eq!(dials.count(), 0);
    Ok(())
}

#[tokio::test]
async fn public_addresses_would_be_dialled() -> Result {
    // The connector counts and forbids: nothing leaves the machine.
    let names = Names::of(&[("public.test", &["93.184.216.34", "2606:2800:220:1::1"])])?;
    let (client, dials) = counting_client(names, &[])?;
    for url in ["http://93.184.216.34/", "https://[2606:2800:220:1::1]:8443/", "http://public.test/"] {
        assert_eq!(kind(&client.send(get(url)?).await), "connect", "{url}");
    }
    assert_eq!(dials.count(), 3);
    Ok(())
}

#[tokio::test]
async fn dns_rebinding_is_rejected() -> Result {
    let names = Names::of(&[("rebind.test", &["127.0.0.2"])])?;
    let outside = Origin::serve_on([127, 0, 0, 2].into(), |_| ok("outside")).await;
    let client = Client::builder(settings(&["127.0.0.2/32"])?).resolver(names.clone()).build()?;
    let response = client.send(get(&outside.url_as("rebind.test", "/"))?).await?;
    assert_eq!((response.body.as_ref(), names.asked()), (b"outside".as_slice(), 1), "one look-up for one request");
    // A new client has no checked addresses and no connections; the name now has an internal address.
    names.set("rebind.test", &["127.0.0.3"])?;
    let dials = Dials::default();
    let client = Client::builder(settings(&["127.0.0.2/32"])?).resolver(names).on_dial(dials.allow(1)).build()?;
    assert_eq!(kind(&client.send(get(&outside.url_as("rebind.test", "/"))?).await), "blocked");
    assert_eq!(dials.count(), 0);
    Ok(())
}

#[tokio::test]
async fn checked_addresses_are_dialled() -> Result {
    let names = Names::of(&[("two.test", &["127.0.0.2", "127.0.0.3"])])?;
    let origin = Origin::serve_on([127, 0, 0, 3].into(), |_| ok("third")).await;
    let client = Client::builder(settings(&["127.0.0.2/31"])?).resolver(names).build()?;
    // No server listens on the first address, so the second is tried.
    let response = client.send(get(&origin.url_as("two.test", "/"))?).await?;
    assert_eq!(response.remote_addr, Some(origin.addr()));
    Ok(())
}

#[tokio::test]
async fn allowed_networks_open_exactly_themselves() -> Result {
    let inside = Origin::serve_on([127, 0, 0, 2].into(), |_| ok("inside")).await;
    let beside = Origin::serve_on([127, 0, 0, 3].into(), |_| ok("beside")).await;
    let names = Names::of(&[("in.test", &["127.0.0.2"]), ("by.test", &["127.0.0.3"])])?;
    let client = Client::builder(settings(&["127.0.0.2/32"])?).resolver(names).build()?;
    for (url, expected) in [
        (inside.url("/"), "answered"),
        (inside.url_as("in.test", "/"), "answered"),
        (inside.url_as("[::ffff:127.0.0.2]", "/"), "answered"),
        (beside.url("/"), "blocked"),
        (inside.url_as("by.test", "/"), "blocked"),
        (beside.url_as("[::ffff:127.0.0.3]", "/"), "blocked"),
        (inside.url_as("[64:ff9b::127.0.0.2]", "/"), "blocked"),
    ] {
        let result = client.send(get(&url)?).await;
        assert_eq!(kind(&result), expected, "{url}: {result:?}");
    }
    assert_eq!((inside.seen().len(), beside.connections().accepted), (3, 0));
    Ok(())
}

#[tokio::test]
async fn operator_endpoints_keep_other_limits() -> Result {
    let origin = Origin::serve(|_| ok(vec![b'x'; 100])).await;
    let client = Client::builder(settings(&[])?).resolver(Names::of(&[("llm.test", &["127.0.0.1"])])?).build()?;
    let trusted = |url: &str| Result::Ok(get(url)?.trust(Trust::Operator));
    assert_eq!(client.send(trusted(&origin.url("/"))?).await?.body.len(), 100);
    assert_eq!(client.send(trusted(&origin.url_as("llm.test", "/"))?).await?.body.len(), 100);
    assert_eq!(kind(&client.send(trusted(&origin.url("/"))?.max_body_bytes(99)).await), "too_large");
    for url in ["http://127.0.0.1:22/", "http://user:pass@127.0.0.1/", "file:///etc/passwd"] {
        assert_eq!(kind(&client.send(trusted(url)?).await), "blocked", "{url}");
    }
    Ok(())
}

#[tokio::test]
async fn trust_is_not_shared_between_requests() -> Result {
    let origin = Origin::serve(|_| ok("inner")).await;
    let client = Client::builder(settings(&[])?).resolver(Names::of(&[("llm.test", &["127.0.0.1"])])?).build()?;
    let url = origin.url_as("llm.test", "/");
    client.send(get(&url)?.trust(Trust::Operator)).await?;
    // Now there is an open connection and a checked address for the name, both of the other trust level.
    assert_eq!(kind(&client.send(get(&url)?).await), "blocked");
    assert_eq!(kind(&client.send(get(&origin.url("/"))?).await), "blocked");
    assert_eq!(origin.seen().len(), 1);
    Ok(())
}
