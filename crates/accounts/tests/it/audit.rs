//! The audit log records changes and contains no secret.

use accounts::{Password, Scope};
use serde_json::{Value, json};
use testkit::{CapturedLog, TestDb, on_both_databases};

use crate::test_accounts::{PASSWORD, TestAccounts, account, browser, claims, with_registration};

/// The log since the last call: its text, and the fields of the audit events.
fn take(log: &CapturedLog) -> (String, Vec<Value>) {
    let text = log.take();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let events = lines.filter(|line| line["target"] == "audit").map(|line| line["fields"].clone()).collect();
    (text, events)
}

fn names(log: &CapturedLog) -> Vec<String> {
    take(log).1.iter().map(|fields| fields["event"].as_str().unwrap().to_owned()).collect()
}

on_both_databases!(changes_are_audited);
async fn changes_are_audited(db: TestDb) {
    let test = TestAccounts::with(db, with_registration());
    let log = CapturedLog::start("trace");
    let accounts = &test.accounts;

    let link = accounts.create_setup_link().await.unwrap().unwrap();
    let ann = accounts.set_up(link.expose(), &account("ann@example.org"), &browser(1)).await.unwrap();
    assert_eq!(names(&log), ["set_up"]);
    accounts.register(&account("bob@example.org"), &browser(1)).await.unwrap();
    assert_eq!(names(&log), ["register"]);

    let own = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let (text, events) = take(&log);
    assert_eq!(events.len(), 1);
    assert_eq!((&events[0]["event"], &events[0]["method"]), (&Value::from("sign_in"), &Value::from("password")));
    assert_eq!(events[0]["user_id"], Value::from(ann.user.id.to_string()));
    assert_eq!(events[0]["address"], Value::from("192.0.2.1"));
    assert!(!text.contains(own.secret.expose()) && !text.contains(PASSWORD));

    for (email, user) in [("ann@example.org", Some(ann.user.id)), ("hunter2-in-the-wrong-field", None)] {
        let wrong = Password::new("wrong password");
        let failed = accounts.sign_in(email, &wrong, None, &browser(1)).await.unwrap_err();
        assert_eq!(failed.user, user, "the caller writes the line");
        let (text, events) = take(&log);
        assert!(events.is_empty() && !text.contains("wrong password") && !text.contains("hunter2"), "{text}");
    }

    let (new, current) = (Password::new("another horse, another day"), Password::new(PASSWORD));
    accounts.update_password(ann.user.id, &own.session, Some(&current), &new, &browser(1)).await.unwrap();
    assert_eq!(names(&log), ["password_changed"]);
    accounts.link_identity(ann.user.id, &claims("1", "ann@example.org")).await.unwrap();
    let identity = accounts.list_identities(ann.user.id).await.unwrap()[0].id;
    accounts.delete_identity(ann.user.id, identity).await.unwrap();
    assert_eq!(names(&log), ["identity_linked", "identity_unlinked"]);

    let (token, secret) = accounts.create_token(ann.user.id, "script", Scope::Read).await.unwrap();
    for _ in 0..3 {
        accounts.find_token(secret.expose()).await.unwrap();
    }
    test.advance(60);
    accounts.find_token(secret.expose()).await.unwrap();
    accounts.delete_token(ann.user.id, token.id).await.unwrap();
    let (text, events) = take(&log);
    let named: Vec<_> = events.iter().map(|fields| fields["event"].as_str().unwrap()).collect();
    assert_eq!(named, ["token_created", "token_used", "token_used", "token_revoked"], "use is logged once a minute");
    assert!(!text.contains(secret.expose()) && text.contains(&token.id.to_string()));

    let other = accounts.sign_in_with_provider(&claims("2", "cat@example.org"), &browser(1)).await.unwrap();
    assert_eq!(names(&log), ["register", "sign_in"]);
    accounts.delete_session(other.user.id, other.session).await.unwrap();
    accounts.sign_out(&own.secret).await.unwrap();
    accounts.delete_user(other.user.id).await.unwrap();
    assert_eq!(names(&log), ["session_ended", "sign_out", "account_deleted"]);
}

on_both_databases!(failed_password_changes_are_audited);
async fn failed_password_changes_are_audited(db: TestDb) {
    let test = TestAccounts::with(db, with_registration());
    let ann = test.create_user("ann@example.org").await;
    let own = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let log = CapturedLog::start("trace");
    let line = |event: &str, reason: &str| {
        json!({
            "message": event, "event": event, "user_id": ann.id.to_string(), "method": "password", "reason": reason,
            "address": "192.0.2.1",
        })
    };
    let (new, wrong) = (Password::new("another horse, another day"), Password::new("hunter2"));
    let change = async || {
        test.accounts.update_password(ann.id, &own.session, Some(&wrong), &new, &browser(1)).await.unwrap_err();
        let (text, events) = take(&log);
        assert!(!text.contains("hunter2"), "{text}");
        events
    };
    for _ in 0..10 {
        assert_eq!(change().await, [line("password_change_failed", "wrong_credentials")]);
    }
    assert_eq!(change().await, [line("throttled", "too_many_attempts")]);
}
