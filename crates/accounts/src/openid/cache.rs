//! What a provider said, kept for a while: asked for again when it is old, and used past its time while the provider is down.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Mutex;

use super::OpenIdError;

/// How long an answer is used without asking again.
const FRESH: TimeDelta = TimeDelta::hours(1);

/// How long it is used while the provider does not answer. Past that, a key that was withdrawn would live on for good.
const STALE: TimeDelta = TimeDelta::days(1);

/// How far apart the questions are, however many people wait.
const PAUSE: TimeDelta = TimeDelta::minutes(1);

/// How far apart they are while there is nothing to go by: somebody who tries again should not wait a minute.
const PAUSE_WITHOUT: TimeDelta = TimeDelta::seconds(5);

/// An answer of the provider. The lock is held while asking: whoever comes meanwhile shares the outcome.
pub(super) struct Cached<T>(Mutex<State<T>>);

struct State<T> {
    value: Option<(Arc<T>, DateTime<Utc>)>,
    asked_at: Option<DateTime<Utc>>,
    failure: Option<OpenIdError>,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Mutex::new(State { value: None, asked_at: None, failure: None }))
    }
}

impl<T> Cached<T> {
    /// The answer, not older than an hour if the provider can be asked.
    pub(super) async fn get<A>(&self, now: DateTime<Utc>, ask: A) -> Result<Arc<T>, OpenIdError>
    where
        A: AsyncFnOnce() -> Result<T, OpenIdError>,
    {
        let mut state = self.0.lock().await;
        let known = state.value.clone();
        match known {
            Some((value, at)) if is_within(FRESH, at, now) => Ok(value),
            Some((value, at)) => match state.ask(now, PAUSE, ask).await {
                Err(error) if is_outage(&error) && is_within(STALE, at, now) => {
                    tracing::warn!(%error, "a provider does not answer: going by what it said before");
                    Ok(value)
                }
                outcome => outcome,
            },
            None => state.ask(now, PAUSE_WITHOUT, ask).await,
        }
    }

    /// A newer answer than `known`, which lacks something; `known` itself when the provider was asked a moment ago.
    pub(super) async fn newer<A>(&self, known: Arc<T>, now: DateTime<Utc>, ask: A) -> Result<Arc<T>, OpenIdError>
    where
        A: AsyncFnOnce() -> Result<T, OpenIdError>,
    {
        let mut state = self.0.lock().await;
        let current = state.value.as_ref().map(|(value, _)| Arc::clone(value));
        match current {
            Some(value) if !Arc::ptr_eq(&value, &known) => Ok(value),
            _ if state.asked_at.is_some_and(|at| is_within(PAUSE, at, now)) => Ok(known),
            _ => state.ask(now, PAUSE, ask).await,
        }
    }
}

impl<T> State<T> {
    /// Asks, unless it was asked less than `pause` ago and failed: then the failure is repeated.
    async fn ask<A>(&mut self, now: DateTime<Utc>, pause: TimeDelta, ask: A) -> Result<Arc<T>, OpenIdError>
    where
        A: AsyncFnOnce() -> Result<T, OpenIdError>,
    {
        if let (Some(error), Some(at)) = (&self.failure, self.asked_at)
            && is_within(pause, at, now)
        {
            return Err(error.clone());
        }
        let answer = ask().await;
        self.asked_at = Some(now);
        self.failure = answer.as_ref().err().cloned();
        let value = Arc::new(answer?);
        self.value = Some((Arc::clone(&value), now));
        Ok(value)
    }
}

/// Whether `at` was less than `span` ago; a time to come is not "ago".
fn is_within(span: TimeDelta, at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    (TimeDelta::zero()..span).contains(&(now - at))
}

/// Whether the provider is down, as opposed to saying something else than before.
fn is_outage(error: &OpenIdError) -> bool {
    matches!(error, OpenIdError::ProviderUnreachable { .. } | OpenIdError::ProviderFailed(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody who still holds the old answer when another has asked gets the new one, without another question.
    #[tokio::test]
    async fn what_another_learnt_is_shared() -> Result<(), OpenIdError> {
        let (cached, now) = (Cached::default(), DateTime::UNIX_EPOCH);
        let old = cached.get(now, async || Ok(1)).await?;
        let now = now + PAUSE;
        assert_eq!(*cached.newer(Arc::clone(&old), now, async || Ok(2)).await?, 2);
        assert_eq!(*cached.newer(old, now, async || Ok(3)).await?, 2);
        Ok(())
    }
}
