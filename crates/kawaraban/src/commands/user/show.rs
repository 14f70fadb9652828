//! Prints users.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::json;
use store::users::{Role, UserSummary};

use crate::{failure::Failure, output};

/// Prints users, one per line.
pub fn list(users: &[UserSummary], json: bool) -> Result<(), Failure> {
    if json {
        return output::print(&users.iter().map(json_line).collect::<String>());
    }
    let rows: Vec<[String; 7]> = users.iter().map(row).collect();
    output::print_table(["ID", "E-MAIL", "ROLE", "NAME", "CREATED AT", "LAST SEEN AT", "SUBSCRIPTIONS"], &rows)
}

fn row(summary: &UserSummary) -> [String; 7] {
    let UserSummary { user, subscriptions, last_seen_at } = summary;
    [
        user.id.to_string(),
        user.email.clone(),
        role_text(user.role).to_owned(),
        user.name.clone(),
        time(user.created_at),
        last_seen_at.map(time).unwrap_or_default(),
        subscriptions.to_string(),
    ]
}

fn json_line(summary: &UserSummary) -> String {
    let UserSummary { user, subscriptions, last_seen_at } = summary;
    let line = json!({
        "id": user.id,
        "email": user.email,
        "role": role_text(user.role),
        "name": user.name,
        "has_password": user.has_password,
        "created_at": time(user.created_at),
        "last_seen_at": last_seen_at.map(time),
        "subscriptions": subscriptions,
    });
    format!("{line}\n")
}

fn role_text(role: Role) -> &'static str {
    match role {
        Role::Member => "member",
        Role::Owner => "owner",
    }
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
