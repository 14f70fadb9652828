//! The job that announces changes of watched sites to the operator's webhook.
//!
//! It is enqueued in the transaction that stores the check, so each change is announced at least once. A receiver recognises a
//! repetition by the `id`, which stays the same over all attempts.

use std::time::Duration;

use chrono::{DateTime, Utc};
use net::{HeaderName, HeaderValue, Request, Trust, Urgency};
use queue::{Attempt, EnqueueError, Job, JobKind, Outcome, Timing};
use ring::hmac;
use serde::{Deserialize, Serialize};
use store::{Clock, Tx};
use uuid::Uuid;

use crate::Watcher;

const ID_HEADER: HeaderName = HeaderName::from_static("x-kawaraban-event-id");
const SIGNATURE_HEADER: HeaderName = HeaderName::from_static("x-kawaraban-signature");
const PATIENCE: Duration = Duration::from_secs(20);

/// What happened to a site.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum WebhookEvent {
    /// There are new posts.
    Posts { posts: Vec<WebhookPost> },
    /// The site is in another state: `quiet`, `rebuilt`, or the code of a problem.
    State { state: String },
}

/// A new post.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WebhookPost {
    pub url: String,
    pub title: String,
    pub published_at: DateTime<Utc>,
}

/// The body of a request.
#[derive(Debug, Serialize)]
struct Body<'a> {
    id: Uuid,
    blog_id: &'a str,
    /// The address of the site.
    url: &'a str,
    at: DateTime<Utc>,
    #[serde(flatten)]
    event: &'a WebhookEvent,
}

/// Sends one announcement.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SendWebhook {
    /// The same for every attempt.
    pub id: Uuid,
    /// JSON, exactly as it is signed.
    pub body: String,
}

impl Job for SendWebhook {
    const KIND: JobKind =
        JobKind { max_attempts: 10, limit: Some(2), timeout: Duration::from_secs(60), ..JobKind::new("send_webhook") };
    type Context = Watcher;

    fn key(&self) -> Option<String> {
        Some(self.id.to_string())
    }

    async fn run(self, watcher: &Watcher, _attempt: Attempt) -> Outcome {
        let Some(webhook) = watcher.checker.webhook.as_deref() else {
            return Outcome::give_up("WATCH_WEBHOOK_URL is not set any more");
        };
        let (Ok(id), Ok(signature)) =
            (HeaderValue::from_str(&self.id.to_string()), HeaderValue::from_str(&sign(&webhook.secret, &self.body)))
        else {
            return Outcome::give_up("the signature cannot be sent");
        };
        let json = HeaderValue::from_static("application/json");
        let request = Request::post(webhook.url.clone(), json, self.body)
            .header(ID_HEADER, id)
            .header(SIGNATURE_HEADER, signature)
            .trust(Trust::Operator)
            .urgency(Urgency::Interactive)
            .timeout(PATIENCE);
        match watcher.checker.net.send(request).await {
            Ok(response) if response.status.is_success() => Outcome::Done,
            Ok(response) => Outcome::retry(format!("the webhook answered {}", response.status)),
            Err(error) => Outcome::retry(error),
        }
    }
}

/// `sha256=` and the HMAC-SHA256 of the body, in hexadecimal.
fn sign(secret: &str, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    format!("sha256={}", hex::encode(hmac::sign(&key, body.as_bytes())))
}

/// Enqueues the announcements of one check.
pub(crate) async fn enqueue(
    tx: &mut Tx,
    clock: &Clock,
    blog_id: &str,
    url: &str,
    events: Vec<WebhookEvent>,
) -> Result<(), EnqueueError> {
    let job = |event: &WebhookEvent| {
        let id = Uuid::now_v7();
        let body = Body { id, blog_id, url, at: clock.now(), event };
        let body = serde_json::to_string(&body);
        body.map(|body| SendWebhook { id, body })
            .map_err(|source| EnqueueError::Payload { kind: SendWebhook::KIND.name, source })
    };
    let jobs = events.iter().map(job).collect::<Result<Vec<_>, _>>()?;
    queue::enqueue_many(tx, clock, &jobs, Timing::default()).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_usual_one() {
        // The second example of RFC 4231.
        assert_eq!(
            sign("Jefe", "what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
