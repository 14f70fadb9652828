//! API tokens, and what the pages remember.

use accounts::{Density, Language, Scope, Theme, TokenId, UserSettings};
use serde_json::json;
use testkit::{TestDb, on_both_databases};

use crate::house::{House, refusal};

on_both_databases!(a_token_is_shown_once_and_good_until_it_is_revoked);
async fn a_token_is_shown_once_and_good_until_it_is_revoked(db: TestDb) {
    let house = House::new(db);
    let (ann, bob) = (house.add("ann@example.org").await, house.add("bob@example.org").await);
    let (info, secret) = house.accounts.create_token(ann.id, " my\nscript ", Scope::Read).await.unwrap();
    assert_eq!((info.name.as_str(), info.scope, info.last_used_at), ("my script", Scope::Read, None));
    assert!(secret.expose().starts_with("kwb_") && secret.expose().len() == 47);
    let used = house.accounts.token(secret.expose()).await.unwrap().unwrap();
    assert_eq!((used.user.id, used.token_id, used.scope), (ann.id, info.id, Scope::Read));
    let (_, other) = house.accounts.create_token(ann.id, "my script", Scope::Write).await.expect("names may be equal");
    assert_ne!(other, secret);
    assert_eq!(house.accounts.token(other.expose()).await.unwrap().unwrap().scope, Scope::Write);

    assert_eq!(refusal(house.accounts.revoke_token(bob.id, info.id).await), "NotFound", "not theirs");
    assert_eq!(refusal(house.accounts.revoke_token(ann.id, TokenId::new()).await), "NotFound");
    house.accounts.revoke_token(ann.id, info.id).await.unwrap();
    assert!(house.accounts.token(secret.expose()).await.unwrap().is_none());
    assert!(house.accounts.token(other.expose()).await.unwrap().is_some());
    assert_eq!(house.accounts.tokens(ann.id).await.unwrap().len(), 1);
    assert!(house.accounts.tokens(bob.id).await.unwrap().is_empty());
}

on_both_databases!(when_a_token_was_used_is_known_to_the_minute);
async fn when_a_token_was_used_is_known_to_the_minute(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    let (_, secret) = house.accounts.create_token(ann.id, "script", Scope::Read).await.unwrap();
    let used = async || {
        house.accounts.token(secret.expose()).await.unwrap().unwrap();
        (house.clock.now() - house.accounts.tokens(ann.id).await.unwrap()[0].last_used_at.unwrap()).num_seconds()
    };
    assert_eq!(used().await, 0);
    house.pass(59);
    assert_eq!(used().await, 59);
    house.pass(1);
    assert_eq!(used().await, 0);
    assert_eq!(house.accounts.users(None, 1).await.unwrap()[0].last_seen_at, Some(house.clock.now()));
}

on_both_databases!(what_is_no_token_lets_nobody_in);
async fn what_is_no_token_lets_nobody_in(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    let (_, secret) = house.accounts.create_token(ann.id, "script", Scope::Read).await.unwrap();
    let hash: String = house.db.read("select token_hash from api_tokens").scalar().await.unwrap();
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
        assert!(house.accounts.token(wrong).await.unwrap().is_none(), "{wrong}");
    }
}

on_both_databases!(tokens_have_names_and_there_is_an_end_of_them);
async fn tokens_have_names_and_there_is_an_end_of_them(db: TestDb) {
    let house = House::new(db);
    let ann = house.add("ann@example.org").await;
    assert_eq!(refusal(house.accounts.create_token(ann.id, " \t", Scope::Read).await), "NameMissing");
    assert_eq!(
        refusal(house.accounts.create_token(ann.id, &"あ".repeat(101), Scope::Read).await),
        "NameTooLong { max: 100 }"
    );
    assert_eq!(refusal(house.accounts.create_token(store::UserId::new(), "x", Scope::Read).await), "NotFound");
    for _ in 0..100 {
        house.accounts.create_token(ann.id, &"あ".repeat(100), Scope::Read).await.unwrap();
    }
    assert_eq!(refusal(house.accounts.create_token(ann.id, "one more", Scope::Read).await), "TokenLimit { max: 100 }");
}

on_both_databases!(settings_are_read_and_written_whole);
async fn settings_are_read_and_written_whole(db: TestDb) {
    let house = House::new(db);
    let (ann, bob) = (house.add("ann@example.org").await, house.add("bob@example.org").await);
    assert_eq!(house.accounts.settings(ann.id).await.unwrap(), UserSettings::default());
    let preferences = json!({ "list": { "sort": "oldest", "nothing": null, "nul": "\0" }, "日本": ["語"] });
    let settings = UserSettings {
        theme: Theme::System,
        language: Some(Language::Ja),
        density: Density::Compact,
        preferences: preferences.as_object().unwrap().clone(),
    };
    for _ in 0..2 {
        house.accounts.put_settings(ann.id, &settings).await.unwrap();
        assert_eq!(house.accounts.settings(ann.id).await.unwrap(), settings);
    }
    assert_eq!(house.accounts.settings(bob.id).await.unwrap(), UserSettings::default(), "nobody else's");
    let large = json!({ "x": "y".repeat(16 * 1024 - 8) }).as_object().unwrap().clone();
    house.accounts.put_settings(ann.id, &UserSettings { preferences: large, ..settings.clone() }).await.unwrap();
    let larger = json!({ "x": "y".repeat(16 * 1024 - 7) }).as_object().unwrap().clone();
    let refused = house.accounts.put_settings(ann.id, &UserSettings { preferences: larger, ..settings }).await;
    assert_eq!(refusal(refused), "PreferencesTooLarge { kilobytes: 16 }");
    assert_eq!(refusal(house.accounts.put_settings(store::UserId::new(), &UserSettings::default()).await), "NotFound");
}
