//! Pacing as seen by the client. The exact times are tested under paused time beside the code.

use super::support::{Result, get, kind, settings, spawn};
use net::{Client, ClientSettings, Urgency};
use std::time::Duration;
use testkit::origin::{Origin, hostile, ok, redirect};

const NO_WAIT: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3600);

fn paced(host_concurrency: usize, host_gap: Duration) -> Result<Client> {
    Ok(Client::new(ClientSettings { host_concurrency, host_gap, ..settings(&["127.0.0.0/8"])? })?)
}

#[tokio::test]
async fn only_background_requests_are_paced() -> Result {
    let origin = Origin::serve(|_| ok("")).await;
    let client = paced(2, HOUR)?;
    client.send(get(&origin.url("/first"))?).await?;
    let second = client.clone().send(get(&origin.url("/second"))?.max_wait(NO_WAIT)).await;
    assert_eq!(kind(&second), "busy", "clones share their turns");
    client.send(get(&origin.url("/interactive"))?.urgency(Urgency::Interactive).max_wait(NO_WAIT)).await?;
    let elsewhere = Origin::serve_on([127, 0, 0, 2].into(), |_| ok("")).await;
    client.send(get(&elsewhere.url("/"))?.max_wait(NO_WAIT)).await?;
    assert_eq!(origin.seen().len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_host_is_the_same_on_every_port() -> Result {
    let (one, two) = (Origin::serve(|_| ok("")).await, Origin::serve(|_| ok("")).await);
    let client = paced(2, HOUR)?;
    client.send(get(&one.url("/"))?).await?;
    assert_eq!(kind(&client.send(get(&two.url("/"))?.max_wait(NO_WAIT)).await), "busy");
    Ok(())
}

#[tokio::test]
async fn a_slow_host_holds_up_only_itself() -> Result {
    let slow = hostile::silent().await;
    let fast = Origin::serve_on([127, 0, 0, 2].into(), |_| ok("")).await;
    let client = paced(1, Duration::ZERO)?;
    let stuck = spawn(&client, get(&slow.url("/"))?);
    slow.until(|now| now.open == 1).await;
    assert_eq!(kind(&client.send(get(&slow.url("/"))?.max_wait(NO_WAIT)).await), "busy");
    for _ in 0..10 {
        client.send(get(&fast.url("/"))?.max_wait(NO_WAIT)).await?;
    }
    assert!(!stuck.is_finished());
    stuck.abort();
    Ok(())
}

#[tokio::test]
async fn redirect_waits_for_a_turn_at_its_target() -> Result {
    let target = Origin::serve_on([127, 0, 0, 2].into(), |_| ok("")).await;
    let to = target.url("/");
    let origin = Origin::serve(move |_| redirect(302, &to)).await;
    let client = paced(1, HOUR)?;
    client.send(get(&origin.url("/"))?).await?;
    assert_eq!(kind(&client.send(get(&target.url("/"))?.max_wait(NO_WAIT)).await), "busy");
    Ok(())
}

#[tokio::test]
async fn dropped_request_frees_its_turn() -> Result {
    let origin = hostile::silent().await;
    let client = paced(1, Duration::ZERO)?;
    for _ in 0..3 {
        let result = client.send(get(&origin.url("/"))?.timeout(Duration::from_millis(50))).await;
        assert_eq!(kind(&result), "timeout");
    }
    let abandoned = spawn(&client, get(&origin.url("/"))?);
    origin.until(|now| now.accepted == 4).await;
    abandoned.abort();
    assert!(abandoned.await.is_err());
    let next = client.send(get(&origin.url("/"))?.timeout(Duration::from_millis(50)).max_wait(HOUR)).await;
    assert_eq!(kind(&next), "timeout", "it got its turn");
    Ok(())
}

#[tokio::test]
async fn the_deadline_does_not_count_the_wait_for_a_turn() -> Result {
    let origin = Origin::serve(|_| ok("")).await;
    let client = paced(1, Duration::from_millis(2000))?;
    client.send(get(&origin.url("/"))?).await?;
    client.send(get(&origin.url("/"))?.timeout(Duration::from_millis(1900))).await?;
    Ok(())
}

#[tokio::test]
async fn rejected_request_does_not_wait() -> Result {
    let origin = Origin::serve(|_| ok("")).await;
    let client = paced(1, HOUR)?;
    client.send(get(&origin.url("/"))?).await?;
    assert_eq!(kind(&client.send(get("http://127.0.0.1:22/")?.max_wait(NO_WAIT)).await), "blocked");
    Ok(())
}
