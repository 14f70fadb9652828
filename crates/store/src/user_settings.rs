//! The table `user_settings`: display settings. Users with default settings have no row.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Change, Db, Result, Tx, UserId};

/// The colour theme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Theme {
    /// Always light.
    Light,
    /// Always dark.
    Dark,
    /// The setting of the operating system.
    #[default]
    System,
}

/// The language of pages and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum DisplayLanguage {
    /// Japanese.
    Ja,
    /// English.
    En,
}

/// The spacing of the interface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Density {
    /// Wide spacing.
    #[default]
    Comfortable,
    /// Narrow spacing.
    Compact,
}

/// A user's settings.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct UserSettings {
    pub theme: Theme,
    /// None for the browser's language.
    pub language: Option<DisplayLanguage>,
    /// The spacing of the interface.
    pub density: Density,
    /// Whether Hatena bookmark counts are wanted. None without a choice.
    pub bookmark_counts: Option<bool>,
    /// State of the web client, a JSON object.
    pub preferences: String,
}

impl Default for UserSettings {
    fn default() -> Self {
        UserSettings {
            theme: Theme::default(),
            language: None,
            density: Density::default(),
            bookmark_counts: None,
            preferences: "{}".to_owned(),
        }
    }
}

/// The user's settings. None for the defaults.
pub async fn get(db: &Db, user: UserId) -> Result<Option<UserSettings>> {
    db.read(
        "select cast(theme as text) as theme, cast(language as text) as language, cast(density as text) as density,
            bookmark_counts, preferences
         from user_settings where user_id = $1",
    )
    .bind(user)
    .optional()
    .await
}

/// Stores all settings.
pub async fn upsert(tx: &mut Tx, user: UserId, settings: &UserSettings, now: DateTime<Utc>) -> Result<()> {
    tx.query(
        "insert into user_settings (id, user_id, theme, language, density, bookmark_counts, preferences, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (user_id) do update set theme = excluded.theme, language = excluded.language,
            density = excluded.density, bookmark_counts = excluded.bookmark_counts,
            preferences = excluded.preferences, updated_at = excluded.updated_at",
    )
    .bind(Uuid::now_v7())
    .bind(user)
    .bind(settings.theme)
    .bind(settings.language)
    .bind(settings.density)
    .bind(settings.bookmark_counts)
    .bind(settings.preferences.clone())
    .bind(now)
    .execute()
    .await?;
    tx.changed(Change::User(user));
    Ok(())
}
