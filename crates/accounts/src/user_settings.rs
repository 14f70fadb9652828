//! How a person wants things to look, and what the pages remember for them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::{
    UserId, user_settings,
    user_settings::{Density, Language, Theme},
    users,
};

use crate::{Accounts, Error, Result};

/// The largest preferences, as JSON without spaces.
const MAX_KILOBYTES: usize = 16;

/// What a person has set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserSettings {
    pub theme: Theme,
    /// None for the browser's.
    pub language: Option<Language>,
    /// How close together things stand.
    pub density: Density,
    /// What the pages remember: read and written whole.
    pub preferences: Map<String, Value>,
}

impl Accounts {
    /// What the person has set, or what holds for who has set nothing.
    pub async fn settings(&self, user: UserId) -> Result<UserSettings> {
        let found = user_settings::get(&self.db, user).await?.unwrap_or_default();
        let preferences = serde_json::from_str(&found.preferences).unwrap_or_default();
        Ok(UserSettings { theme: found.theme, language: found.language, density: found.density, preferences })
    }

    /// Sets it all.
    pub async fn put_settings(&self, user: UserId, settings: &UserSettings) -> Result<()> {
        let preferences = Value::Object(settings.preferences.clone()).to_string();
        if preferences.len() > MAX_KILOBYTES * 1_024 {
            return Err(Error::PreferencesTooLarge { kilobytes: MAX_KILOBYTES });
        }
        let row = user_settings::UserSettings {
            theme: settings.theme,
            language: settings.language,
            density: settings.density,
            preferences,
        };
        self.db
            .transact(async |tx| {
                if !users::lock(tx, user).await? {
                    return Err(Error::NotFound);
                }
                Ok(user_settings::upsert(tx, user, &row, self.clock.now()).await?)
            })
            .await
    }
}
