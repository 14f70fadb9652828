//! A cache for documents of a provider. A stale document is used while the provider is down.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Mutex;

use super::OpenIdError;

/// How long a value is used without fetching it again.
const FRESH_FOR: TimeDelta = TimeDelta::hours(1);

/// How long a value is used while the provider is down. The limit bounds how long a withdrawn key is accepted.
const STALE_FOR: TimeDelta = TimeDelta::days(1);

/// Minimum interval between two fetches.
const FETCH_INTERVAL: TimeDelta = TimeDelta::minutes(1);

/// Minimum interval between two fetches while there is no value. It is short, because no sign-in works meanwhile.
const FIRST_FETCH_INTERVAL: TimeDelta = TimeDelta::seconds(5);

/// A cached value. The lock is held during a fetch, so concurrent callers share one fetch.
pub(super) struct Cached<T>(Mutex<State<T>>);

struct State<T> {
    value: Option<(Arc<T>, DateTime<Utc>)>,
    fetched_at: Option<DateTime<Utc>>,
    failure: Option<OpenIdError>,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Mutex::new(State { value: None, fetched_at: None, failure: None }))
    }
}

impl<T> Cached<T> {
    /// The value; fetched if it is older than [`FRESH_FOR`].
    pub(super) async fn get<A>(&self, now: DateTime<Utc>, fetch: A) -> Result<Arc<T>, OpenIdError>
    where
        A: AsyncFnOnce() -> Result<T, OpenIdError>,
    {
        let mut state = self.0.lock().await;
        let known = state.value.clone();
        match known {
            Some((value, at)) if is_within(FRESH_FOR, at, now) => Ok(value),
            Some((value, at)) => match state.fetch(now, FETCH_INTERVAL, fetch).await {
                Err(error) if is_outage(&error) && is_within(STALE_FOR, at, now) => {
                    tracing::warn!(%error, "the provider does not fetched: using its cached document");
                    Ok(value)
                }
                outcome => outcome,
            },
            None => state.fetch(now, FIRST_FETCH_INTERVAL, fetch).await,
        }
    }

    /// A newer value than `known`, or `known` if the last fetch was less than [`FETCH_INTERVAL`] ago.
    pub(super) async fn newer<A>(&self, known: Arc<T>, now: DateTime<Utc>, fetch: A) -> Result<Arc<T>, OpenIdError>
    where
        A: AsyncFnOnce() -> Result<T, OpenIdError>,
    {
        let mut state = self.0.lock().await;
        let current = state.value.as_ref().map(|(value, _)| Arc::clone(value));
        match current {
            Some(value) if !Arc::ptr_eq(&value, &known) => Ok(value),
            _ if state.fetched_at.is_some_and(|at| is_within(FETCH_INTERVAL, at, now)) => Ok(known),
            _ => state.fetch(now, FETCH_INTERVAL, fetch).await,
        }
    }
}

impl<T> State<T> {
    /// Fetches the value. Repeats the last failure if it is less than `interval` ago.
    async fn fetch<A>(&mut self, now: DateTime<Utc>, interval: TimeDelta, fetch: A) -> Result<Arc<T>, OpenIdError>
    where
        A: AsyncFnOnce() -> Result<T, OpenIdError>,
    {
        if let (Some(error), Some(at)) = (&self.failure, self.fetched_at)
            && is_within(interval, at, now)
        {
            return Err(error.clone());
        }
        let fetched = fetch().await;
        self.fetched_at = Some(now);
        self.failure = fetched.as_ref().err().cloned();
        let value = Arc::new(fetched?);
        self.value = Some((Arc::clone(&value), now));
        Ok(value)
    }
}

/// Whether `at` was less than `span` ago. Times in the future do not count.
fn is_within(span: TimeDelta, at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    (TimeDelta::zero()..span).contains(&(now - at))
}

/// Whether the provider is down. A document with unexpected content is not an outage.
fn is_outage(error: &OpenIdError) -> bool {
    matches!(error, OpenIdError::ProviderUnreachable { .. } | OpenIdError::ProviderFailed(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn concurrent_callers_share_one_fetch() -> Result<(), OpenIdError> {
        let (cached, now) = (Cached::default(), DateTime::UNIX_EPOCH);
        let old = cached.get(now, async || Ok(1)).await?;
        let now = now + FETCH_INTERVAL;
        assert_eq!(*cached.newer(Arc::clone(&old), now, async || Ok(2)).await?, 2);
        assert_eq!(*cached.newer(old, now, async || Ok(3)).await?, 2);
        Ok(())
    }
}
