//! The database contains no secret.

use accounts::Scope;
use store::Db;
use testkit::{TestDb, on_both_databases};

use crate::test_accounts::{PASSWORD, TestAccounts, account, browser};

/// All rows of all tables as text.
async fn dump(db: &Db) -> String {
    let tables: Vec<(String,)> = if db.is_postgres() {
        db.read("select cast(table_name as text) from information_schema.tables where table_schema = 'public'")
            .all()
            .await
            .unwrap()
    } else {
        db.read("select name from sqlite_schema where type = 'table' and name not like 'item_words%' and name not like 'sqlite_%'")
            .all()
            .await
            .unwrap()
    };
    let mut all = String::new();
    for (table,) in tables {
        let sql = if db.is_postgres() {
            format!("select coalesce(string_agg(cast(t as text), ' '), '') from {table} t")
        } else {
            let columns: String = format!(
                "select group_concat('quote(' || name || ')', ' || '' '' || ') from pragma_table_info('{table}')"
            );
            let columns: String = db.read(columns.leak()).scalar().await.unwrap();
            format!("select coalesce(group_concat({columns}, ' '), '') from {table}")
        };
        let rows: String = db.read(sql.leak()).scalar().await.unwrap();
        all += &format!("{table}: {rows}\n");
    }
    all
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

on_both_databases!(no_secret_is_in_any_table);
async fn no_secret_is_in_any_table(db: TestDb) {
    let test = TestAccounts::new(db);
    let (link, unused) = (
        test.accounts.create_setup_link().await.unwrap().unwrap(),
        test.accounts.create_setup_link().await.unwrap().unwrap(),
    );
    let links = dump(&test.db).await;
    let owner = test.accounts.set_up(link.expose(), &account("ann@example.org"), &browser(1)).await.unwrap();
    let signed_in = test.sign_in("ann@example.org", PASSWORD).await.unwrap();
    let (_, token) = test.accounts.create_token(owner.user.id, "script", Scope::Write).await.unwrap();
    // A password typed where the address belongs.
    test.sign_in("hunter2-in-the-wrong-field", "wrong password").await.unwrap_err();
    let all = dump(&test.db).await;
    let lower = all.to_lowercase();
    for secret in [
        PASSWORD,
        "wrong password",
        "hunter2-in-the-wrong-field",
        link.expose(),
        unused.expose(),
        owner.secret.expose(),
        signed_in.secret.expose(),
        token.expose(),
        &token.expose()[4..],
    ] {
        assert!(!all.contains(secret) && !links.contains(secret), "{secret} is stored");
        assert!(!lower.contains(&hex(secret)), "{secret} is stored as bytes");
    }
    // The search finds values that are stored.
    assert!(all.contains("ann@example.org") && all.contains("script") && all.contains("$argon2id$"));
    assert!(lower.contains(&hex("Browser/1")), "values stored as bytes");
    assert_eq!(links.matches("setup_links: ").count(), 1);
    assert!(links.lines().any(|line| line.starts_with("setup_links: ") && line.len() > 100));
}
