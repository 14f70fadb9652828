//! API tokens and display settings.

use accounts::{Density, DisplayLanguage, DisplaySettings, Scope, Theme, TokenId};
use serde_json::json;
use testkit::{TestDb, on_both_databases};

use crate::test_accounts::{TestAccounts, refusal};

on_both_databases!(token_works_until_it_is_deleted);
async fn token_works_until_it_is_deleted(db: TestDb) {
    let test = TestAccounts::new(db);
    let (ann, bob) = (test.create_user("ann@example.org").await, test.create_user("bob@example.org").await);
    let (info, secret) = test.accounts.create_token(ann.id, " my\nscript ", Scope::Read).await.unwrap();
    assert_eq!((info.name.as_str(), info.scope, info.last_used_at), ("my script", Scope::Read, None));
    assert!(secret.expose().starts_with("kwb_") && secret.expose().len() == 47);
    let used = test.accounts.find_token(secret.expose()).await.unwrap().unwrap();
    assert_eq!((used.user.id, used.token_id, used.scope), (ann.id, info.id, Scope::Read));
    let (_, other) = test.accounts.create_token(ann.id, "my script", Scope::Write).await.expect("names may be equal");
    assert_ne!(other, secret);
    assert_eq!(test.accounts.find_token(other.expose()).await.unwrap().unwrap().scope, Scope::Write);

    assert_eq!(refusal(test.accounts.delete_token(bob.id, info.id).await), "NotFound", "another user's");
    assert_eq!(refusal(test.accounts.delete_token(ann.id, TokenId::new()).await), "NotFound");
    test.accounts.delete_token(ann.id, info.id).await.unwrap();
    assert!(test.accounts.find_token(secret.expose()).await.unwrap().is_none());
    assert!(test.accounts.find_token(other.expose()).await.unwrap().is_some());
    assert_eq!(test.accounts.list_tokens(ann.id).await.unwrap().len(), 1);
    assert!(test.accounts.list_tokens(bob.id).await.unwrap().is_empty());
}

on_both_databases!(last_use_of_a_token_is_recorded_once_a_minute);
async fn last_use_of_a_token_is_recorded_once_a_minute(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    let (_, secret) = test.accounts.create_token(ann.id, "script", Scope::Read).await.unwrap();
    let used = async || {
        test.accounts.find_token(secret.expose()).await.unwrap().unwrap();
        (test.clock.now() - test.accounts.list_tokens(ann.id).await.unwrap()[0].last_used_at.unwrap()).num_seconds()
    };
    assert_eq!(used().await, 0);
    test.advance(59);
    assert_eq!(used().await, 59);
    test.advance(1);
    assert_eq!(used().await, 0);
    assert_eq!(test.accounts.list_users(None, 1).await.unwrap()[0].last_seen_at, Some(test.clock.now()));
}

on_both_databases!(invalid_tokens_are_rejected);
async fn invalid_tokens_are_rejected(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    let (_, secret) = test.accounts.create_token(ann.id, "script", Scope::Read).await.unwrap();
    let hash: String = test.db.read("select token_hash from api_tokens").scalar().await.unwrap();
    let text = secret.expose();
    for wrong in [
        "",
        "kwb_",
        &text[4..],
        &text[..46],
        &format!("{text}A"),
        &text.to_uppercase(),
        &hash,
        "a\0b",
        &format!("kwb_{}", "A".repeat(43)),
    ] {
        assert!(test.accounts.find_token(wrong).await.unwrap().is_none(), "{wrong}");
    }
}

on_both_databases!(token_names_and_number_are_limited);
async fn token_names_and_number_are_limited(db: TestDb) {
    let test = TestAccounts::new(db);
    let ann = test.create_user("ann@example.org").await;
    assert_eq!(refusal(test.accounts.create_token(ann.id, " \t", Scope::Read).await), "NameMissing");
    assert_eq!(
        refusal(test.accounts.create_token(ann.id, &"あ".repeat(101), Scope::Read).await),
        "NameTooLong { max: 100 }"
    );
    assert_eq!(refusal(test.accounts.create_token(store::UserId::new(), "x", Scope::Read).await), "NotFound");
    for _ in 0..100 {
        test.accounts.create_token(ann.id, &"あ".repeat(100), Scope::Read).await.unwrap();
    }
    assert_eq!(refusal(test.accounts.create_token(ann.id, "one more", Scope::Read).await), "TokenLimit { max: 100 }");
}

on_both_databases!(settings_are_replaced_as_a_whole);
async fn settings_are_replaced_as_a_whole(db: TestDb) {
    let test = TestAccounts::new(db);
    let (ann, bob) = (test.create_user("ann@example.org").await, test.create_user("bob@example.org").await);
    assert_eq!(test.accounts.get_settings(ann.id).await.unwrap(), DisplaySettings::default());
    let preferences = json!({ "list": { "sort": "oldest", "nothing": null, "nul": "\0" }, "日本": ["語"] });
    let settings = DisplaySettings {
        theme: Theme::System,
        language: Some(DisplayLanguage::Ja),
        density: Density::Compact,
        bookmark_counts: Some(false),
        preferences: preferences.as_object().unwrap().clone(),
    };
    for _ in 0..2 {
        test.accounts.update_settings(ann.id, &settings).await.unwrap();
        assert_eq!(test.accounts.get_settings(ann.id).await.unwrap(), settings);
    }
    assert_eq!(test.accounts.get_settings(bob.id).await.unwrap(), DisplaySettings::default(), "other users");
    let large = json!({ "x": "y".repeat(16 * 1024 - 8) }).as_object().unwrap().clone();
    test.accounts.update_settings(ann.id, &DisplaySettings { preferences: large, ..settings.clone() }).await.unwrap();
    let larger = json!({ "x": "y".repeat(16 * 1024 - 7) }).as_object().unwrap().clone();
    let refused = test.accounts.update_settings(ann.id, &DisplaySettings { preferences: larger, ..settings }).await;
    assert_eq!(refusal(refused), "PreferencesTooLarge { kilobytes: 16 }");
    assert_eq!(
        refusal(test.accounts.update_settings(store::UserId::new(), &DisplaySettings::default()).await),
        "NotFound"
    );
}
