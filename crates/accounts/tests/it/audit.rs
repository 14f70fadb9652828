//! The audit log says what happened, and nothing that is a secret.

use std::{
    io,
    sync::{Arc, Mutex},
};

use accounts::{Password, Scope};
use serde_json::Value;
use testkit::{TestDb, on_both_databases};
use tracing_subscriber::fmt::MakeWriter;

use crate::house::{House, PASSWORD, account, browser, claims, open};

/// Lines of a log, kept.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;
    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}

impl Log {
    /// What was logged since the last look: all of it, and the fields of the audit's events.
    fn take(&self) -> (String, Vec<Value>) {
        let text = String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let events = lines.filter(|line| line["target"] == "audit").map(|line| line["fields"].clone()).collect();
        (text, events)
    }

    fn events(&self) -> Vec<String> {
        self.take().1.iter().map(|fields| fields["event"].as_str().unwrap().to_owned()).collect()
    }
}

on_both_databases! {
    async fn everything_that_matters_leaves_a_line(db: TestDb) {
        let house = House::with(db, open());
        let log = Log::default();
        let subscriber = tracing_subscriber::fmt().json().with_writer(log.clone()).with_max_level(tracing::Level::TRACE).finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        let accounts = &house.accounts;

        let link = accounts.setup_link().await.unwrap().unwrap();
        let ann = accounts.set_up(link.expose(), &account("ann@example.org"), &browser(1)).await.unwrap();
        assert_eq!(log.events(), ["set_up"]);
        accounts.register(&account("bob@example.org"), &browser(1)).await.unwrap();
        assert_eq!(log.events(), ["register"]);

        let own = house.sign_in("ann@example.org", PASSWORD).await.unwrap();
        let (text, events) = log.take();
        assert_eq!(events.len(), 1);
        assert_eq!((&events[0]["event"], &events[0]["method"]), (&Value::from("sign_in"), &Value::from("password")));
        assert_eq!(events[0]["user_id"], Value::from(ann.user.id.to_string()));
        assert_eq!(events[0]["address"], Value::from("192.0.2.1"));
        assert!(!text.contains(own.secret.expose()) && !text.contains(PASSWORD));

        house.sign_in("ann@example.org", "wrong password").await.unwrap_err();
        let (text, events) = log.take();
        assert_eq!((&events[0]["event"], &events[0]["user_id"]), (&Value::from("sign_in_failed"), &Value::from(ann.user.id.to_string())));
        assert!(!text.contains("wrong password"));
        house.sign_in("hunter2-in-the-wrong-field", "x").await.unwrap_err();
        let (text, events) = log.take();
        assert_eq!((&events[0]["event"], &events[0]["user_id"]), (&Value::from("sign_in_failed"), &Value::Null));
        assert!(!text.contains("hunter2"), "{text}");
        for _ in 0..9 {
            let _ = house.sign_in("nobody@example.org", "x").await;
        }
        assert_eq!(log.events().last().unwrap(), "throttled");

        let (new, current) = (Password::new("another horse, another day"), Password::new(PASSWORD));
        accounts.change_password(ann.user.id, &own.session, Some(&current), &new, &browser(1)).await.unwrap();
        assert_eq!(log.events(), ["password_changed"]);
        accounts.link(ann.user.id, &claims("1", "ann@example.org")).await.unwrap();
        let identity = accounts.identities(ann.user.id).await.unwrap()[0].id;
        accounts.unlink(ann.user.id, identity).await.unwrap();
        assert_eq!(log.events(), ["identity_linked", "identity_unlinked"]);

        let (token, secret) = accounts.create_token(ann.user.id, "script", Scope::Read).await.unwrap();
        for _ in 0..3 {
            accounts.token(secret.expose()).await.unwrap();
        }
        house.pass(60);
        accounts.token(secret.expose()).await.unwrap();
        accounts.revoke_token(ann.user.id, token.id).await.unwrap();
        let (text, events) = log.take();
        let named: Vec<_> = events.iter().map(|fields| fields["event"].as_str().unwrap()).collect();
        assert_eq!(named, ["token_created", "token_used", "token_used", "token_revoked"], "use is told once a minute");
        assert!(!text.contains(secret.expose()) && text.contains(&token.id.to_string()));

        let other = accounts.sign_in_as(&claims("2", "cat@example.org"), &browser(1)).await.unwrap();
        assert_eq!(log.events(), ["register", "sign_in"]);
        accounts.end_session(other.user.id, other.session).await.unwrap();
        accounts.sign_out(&own.secret).await.unwrap();
        accounts.leave(other.user.id).await.unwrap();
        assert_eq!(log.events(), ["session_ended", "sign_out", "account_deleted"]);
    }
}
