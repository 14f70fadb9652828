//! Under paused time: what is asserted is exact, whatever the machine is doing.

use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::mpsc;
use tokio::task::yield_now;

const GAP: Duration = Duration::from_millis(500);

impl Pace {
    fn known_hosts(&self) -> usize {
        self.shared.lock().by_name.len()
    }
}

#[tokio::test(start_paused = true)]
async fn starts_at_one_host_are_a_gap_apart() {
    let pace = Pace::new(2, GAP);
    let begin = Instant::now();
    for expected in 0..4 {
        drop(pace.turn("a.test").await);
        assert_eq!(begin.elapsed(), GAP * expected);
    }
}

#[tokio::test(start_paused = true)]
async fn the_gap_holds_after_the_host_was_idle_and_ends_after_it() {
    let pace = Pace::new(2, GAP);
    drop(pace.turn("a.test").await);
    let begin = Instant::now();
    drop(pace.turn("a.test").await);
    assert_eq!(begin.elapsed(), GAP);
    tokio::time::advance(GAP * 3).await;
    let begin = Instant::now();
    drop(pace.turn("a.test").await);
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn no_more_than_the_allowed_number_at_once() {
    let pace = Pace::new(2, Duration::ZERO);
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let visits: Vec<_> = (0..20)
        .map(|_| {
            let (pace, now, most) = (pace.clone(), Arc::clone(&now), Arc::clone(&most));
            tokio::spawn(async move {
                let _turn = pace.turn("a.test").await;
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::advance(Duration::ZERO).await;
                yield_now().await;
                now.fetch_sub(1, Ordering::SeqCst);
            })
        })
        .collect();
    for visit in visits {
        assert!(visit.await.is_ok());
    }
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn first_come_first_served() {
    let pace = Pace::new(1, GAP);
    let (sender, mut order) = mpsc::unbounded_channel();
    for number in 0..10 {
        let (pace, sender) = (pace.clone(), sender.clone());
        tokio::spawn(async move {
            let _turn = pace.turn("a.test").await;
            sender.send(number)
        });
        yield_now().await;
    }
    for expected in 0..10 {
        assert_eq!(order.recv().await, Some(expected));
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_host_delays_no_other() {
    let pace = Pace::new(1, GAP);
    let _stuck = pace.turn("slow.test").await;
    let waiting = tokio::spawn({
        let pace = pace.clone();
        async move { pace.turn("slow.test").await }
    });
    yield_now().await;
    let begin = Instant::now();
    for host in 0..100 {
        drop(pace.turn(&format!("{host}.test")).await);
    }
    assert_eq!(begin.elapsed(), Duration::ZERO);
    assert!(!waiting.is_finished());
    waiting.abort();
}

#[tokio::test(start_paused = true)]
async fn a_dropped_wait_leaves_the_queue() {
    let pace = Pace::new(1, Duration::ZERO);
    let first = pace.turn("a.test").await;
    let gave_up = tokio::spawn({
        let pace = pace.clone();
        async move { pace.turn("a.test").await }
    });
    yield_now().await;
    gave_up.abort();
    assert!(gave_up.await.is_err());
    drop(first);
    let next = tokio::time::timeout(GAP, pace.turn("a.test")).await;
    assert!(next.is_ok());
}

#[tokio::test(start_paused = true)]
async fn hosts_are_forgotten_once_idle() {
    let pace = Pace::new(2, GAP);
    for host in 0..1000 {
        drop(pace.turn(&format!("{host}.test")).await);
    }
    assert_eq!(pace.known_hosts(), 1000, "all within one gap");
    tokio::time::advance(GAP).await;
    let _last = pace.turn("last.test").await;
    assert_eq!(pace.known_hosts(), 1);
}

#[tokio::test(start_paused = true)]
async fn without_a_gap_nothing_is_remembered() {
    let pace = Pace::new(2, Duration::ZERO);
    for _ in 0..3 {
        drop(pace.turn("a.test").await);
        assert_eq!(pace.known_hosts(), 0);
    }
}
