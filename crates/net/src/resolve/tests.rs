//! The addresses that the connector gets from a resolver's answers.

use super::*;
use crate::guard::Refusal;
use std::sync::atomic::{AtomicUsize, Ordering};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Returns one answer after the other, then repeats the last one.
struct FixedAnswers {
    answers: Vec<Vec<IpAddr>>,
    asked: Arc<AtomicUsize>,
}

impl Resolver for FixedAnswers {
    fn lookup(&self, _host: &str) -> Lookup {
        let turn = self.asked.fetch_add(1, Ordering::SeqCst).min(self.answers.len() - 1);
        let answer = self.answers[turn].clone();
        Box::pin(async move { Ok(answer) })
    }
}

fn resolver_with(answers: &[&[&str]], guard: Option<Guard>) -> Result<(Arc<GuardedResolver>, Arc<AtomicUsize>)> {
    let answers: std::result::Result<_, _> =
        answers.iter().map(|answer| answer.iter().map(|text| text.parse()).collect()).collect();
    let asked = Arc::new(AtomicUsize::new(0));
    let script = FixedAnswers { answers: answers?, asked: Arc::clone(&asked) };
    Ok((Arc::new(GuardedResolver::new(Arc::new(script), guard)), asked))
}

async fn dial(resolver: &Arc<GuardedResolver>, name: &str) -> Result<Vec<SocketAddr>> {
    let answer = ConnectorResolver(Arc::clone(resolver)).resolve(name.parse()?).await;
    Ok(answer.map_err(|error| error as Box<dyn std::error::Error>)?.collect())
}

#[tokio::test(start_paused = true)]
async fn connector_gets_the_checked_addresses() -> Result {
    let (resolver, asked) = resolver_with(&[&["8.8.8.8"], &["127.0.0.1"]], Some(Guard::default()))?;
    assert_eq!(resolver.resolve("a.test").await?, ["8.8.8.8".parse::<IpAddr>()?]);
    assert_eq!(dial(&resolver, "a.test").await?, ["8.8.8.8:0".parse()?]);
    assert_eq!(asked.load(Ordering::SeqCst), 1, "one look-up serves judging and dialling");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn changed_answer_is_checked_again() -> Result {
    let (resolver, asked) = resolver_with(&[&["8.8.8.8"], &["127.0.0.1"]], Some(Guard::default()))?;
    resolver.resolve("a.test").await?;
    tokio::time::advance(ADDRESS_TTL).await;
    let error = dial(&resolver, "a.test").await.err().ok_or("the second answer passed")?;
    assert!(error.downcast_ref::<Refusal>().is_some(), "{error}");
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    Ok(())
}

#[tokio::test]
async fn rejected_answer_is_not_remembered() -> Result {
    let (resolver, _) = resolver_with(&[&["10.0.0.1"], &["8.8.8.8"]], Some(Guard::default()))?;
    assert!(matches!(resolver.resolve("a.test").await, Err(Error::Blocked { .. })));
    assert_eq!(dial(&resolver, "a.test").await?, ["8.8.8.8:0".parse()?]);
    Ok(())
}

#[tokio::test]
async fn one_bad_answer_among_good_rejects_the_name() -> Result {
    for answer in [&["8.8.8.8", "10.0.0.1"][..], &["::1", "2606:2800:220:1::1"], &["8.8.8.8", "::ffff:127.0.0.1"]] {
        let (resolver, _) = resolver_with(&[answer], Some(Guard::default()))?;
        assert!(matches!(resolver.resolve("a.test").await, Err(Error::Blocked { .. })), "{answer:?}");
        assert!(dial(&resolver, "a.test").await.is_err(), "{answer:?}");
    }
    Ok(())
}

#[tokio::test]
async fn without_a_guard_every_address_is_dialled() -> Result {
    let (resolver, _) = resolver_with(&[&["10.0.0.1", "::1"]], None)?;
    assert_eq!(dial(&resolver, "a.test").await?, ["10.0.0.1:0".parse()?, "[::1]:0".parse()?]);
    Ok(())
}

#[tokio::test]
async fn a_name_without_addresses_is_a_dns_error() -> Result {
    let (resolver, _) = resolver_with(&[&[]], Some(Guard::default()))?;
    let result = resolver.resolve("a.test").await;
    assert!(matches!(&result, Err(Error::Dns { host, .. }) if host == "a.test"), "{result:?}");
    let error = dial(&resolver, "a.test").await.err().ok_or("no addresses were dialled")?;
    assert!(error.downcast_ref::<LookupFailed>().is_some(), "{error}");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn checked_answers_are_few_and_short_lived() -> Result {
    let (resolver, asked) = resolver_with(&[&["8.8.8.8"]], Some(Guard::default()))?;
    let known = || resolver.checked.lock().map(|checked| checked.len()).unwrap_or_default();
    for number in 0..MAX_NAMES + 10 {
        resolver.resolve(&format!("{number}.test")).await?;
    }
    assert_eq!(known(), MAX_NAMES);
    tokio::time::advance(ADDRESS_TTL).await;
    resolver.resolve("0.test").await?;
    assert_eq!(known(), 1);
    assert_eq!(asked.load(Ordering::SeqCst), MAX_NAMES + 11);
    Ok(())
}

/// A resolver with fixed answers that records the names it was asked for.
#[derive(Default)]
struct RecordingResolver {
    answers: HashMap<&'static str, Vec<IpAddr>>,
    never: Option<&'static str>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Resolver for RecordingResolver {
    fn lookup(&self, host: &str) -> Lookup {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(host.to_owned());
        if self.never == Some(host) {
            return Box::pin(std::future::pending());
        }
        let answer = self.answers.get(host).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound));
        Box::pin(async move { answer })
    }
}

fn recording_resolver(
    answers: &[(&'static str, &str)],
    never: Option<&'static str>,
) -> Result<(GuardedResolver, impl Fn(&str) -> usize + use<>)> {
    let answers = answers.iter().map(|(name, ip)| Ok((*name, vec![ip.parse()?]))).collect::<Result<_>>()?;
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let book = RecordingResolver { answers, never, asked: Arc::clone(&asked) };
    let count = move |name: &str| {
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().filter(|host| *host == name).count()
    };
    Ok((GuardedResolver { has_ipv4: || true, ..GuardedResolver::new(Arc::new(book), Some(Guard::default())) }, count))
}

#[tokio::test(start_paused = true)]
async fn the_nat64_prefix_is_looked_up_once_an_hour() -> Result {
    let (resolver, asked) = recording_resolver(
        &[
            ("ipv4only.arpa.", "2a00:64::c000:aa"),
            ("six.test", "2606:2800:220:1::1"),
            ("site.test", "2a00:64::808:808"),
            ("inside.test", "2a00:64::a00:1"),
            ("four.test", "8.8.8.8"),
        ],
        None,
    )?;
    resolver.resolve("four.test").await?;
    assert_eq!(asked("ipv4only.arpa."), 0, "IPv4 answers do not need it");
    for _ in 0..3 {
        resolver.resolve("six.test").await?;
        resolver.resolve("site.test").await?;
        assert!(matches!(resolver.resolve("inside.test").await, Err(Error::Blocked { .. })));
        tokio::time::advance(ADDRESS_TTL).await;
    }
    assert_eq!(asked("ipv4only.arpa."), 1);
    tokio::time::advance(NAT64_TTL).await;
    resolver.resolve("six.test").await?;
    assert_eq!(asked("ipv4only.arpa."), 2);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn failed_prefix_look_up_is_retried() -> Result {
    for never in [None, Some("ipv4only.arpa.")] {
        let (resolver, asked) = recording_resolver(&[("six.test", "2606:2800:220:1::1")], never)?;
        resolver.resolve("six.test").await?;
        tokio::time::advance(ADDRESS_TTL).await;
        resolver.resolve("six.test").await?;
        assert_eq!(asked("ipv4only.arpa."), 1, "{never:?}");
        tokio::time::advance(RETRY_NAT64).await;
        resolver.resolve("six.test").await?;
        assert_eq!(asked("ipv4only.arpa."), 2, "{never:?}");
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn known_prefix_survives_an_answer_without_one() -> Result {
    let script: &[&[&str]] = &[
        &["2a00:64::a00:1"],
        &["192.0.0.170", "2a00:64::c000:aa"],
        &["2a00:64::a00:1"],
        &["192.0.0.170"],
        &["2a00:64::a00:1"],
        &["192.0.0.170"],
        &["2a00:64::a00:1"],
    ];
    let (resolver, asked) = resolver_with(script, Some(Guard::default()))?;
    for (after, expected) in [(Duration::ZERO, 2), (NAT64_TTL, 4), (RETRY_NAT64, 6), (ADDRESS_TTL, 7)] {
        tokio::time::advance(after).await;
        let result = resolver.resolve("inside.test").await;
        assert!(matches!(result, Err(Error::Blocked { .. })), "{result:?}");
        assert_eq!(asked.load(Ordering::SeqCst), expected, "the name, and the prefix when it is time");
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn without_ipv4_the_prefix_is_required() -> Result {
    let answers = [("six.test", "2606:2800:220:1::1"), ("four.test", "8.8.8.8"), ("known.test", "64:ff9b::808:808")];
    let (resolver, asked) = recording_resolver(&answers, None)?;
    let resolver = GuardedResolver { has_ipv4: || false, ..resolver };
    for expected in [1, 1, 2] {
        let result = resolver.resolve("six.test").await;
        assert!(matches!(&result, Err(Error::Dns { host, .. }) if host == "ipv4only.arpa."), "{result:?}");
        assert_eq!(asked("ipv4only.arpa."), expected, "a failure stands for a few seconds");
        tokio::time::advance(RETRY_REQUIRED_NAT64 / 2).await;
    }
    resolver.resolve("four.test").await?;
    resolver.resolve("known.test").await?;
    let allowed = Guard::new(vec!["2606:2800::/32".parse()?]);
    GuardedResolver { guard: Some(allowed), ..resolver }.resolve("six.test").await?;

    let (resolver, _) = resolver_with(&[&["2606:2800:220:1::1"], &["192.0.0.170"]], Some(Guard::default()))?;
    resolver.resolve("six.test").await?;
    Ok(())
}
