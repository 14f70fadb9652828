//! A user's settings for the pages, and the state that the pages store.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::{
    UserId, user_settings,
    user_settings::{Density, DisplayLanguage, Theme},
    users,
};

use crate::{Accounts, Error, Result};

/// Limit of the preferences, as JSON without white space.
const MAX_KILOBYTES: usize = 16;

/// A user's settings for the pages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisplaySettings {
    pub theme: Theme,
    /// `None` uses the browser's language.
    pub language: Option<DisplayLanguage>,
    pub density: Density,
    /// Whether Hatena bookmark counts are shown; `None` without a choice.
    pub bookmark_counts: Option<bool>,
    /// State of the pages, read and written as a whole.
    pub preferences: Map<String, Value>,
}

impl Accounts {
    /// The settings of a user, or the defaults.
    pub async fn get_settings(&self, user: UserId) -> Result<DisplaySettings> {
        let found = user_settings::get(&self.db, user).await?.unwrap_or_default();
        let preferences = serde_json::from_str(&found.preferences).unwrap_or_default();
        Ok(DisplaySettings {
            theme: found.theme,
            language: found.language,
            density: found.density,
            bookmark_counts: found.bookmark_counts,
            preferences,
        })
    }

    /// Replaces all settings of a user.
    pub async fn update_settings(&self, user: UserId, settings: &DisplaySettings) -> Result<()> {
        let preferences = Value::Object(settings.preferences.clone()).to_string();
        if preferences.len() > MAX_KILOBYTES * 1_024 {
            return Err(Error::PreferencesTooLarge { kilobytes: MAX_KILOBYTES });
        }
        let row = user_settings::UserSettings {
            theme: settings.theme,
            language: settings.language,
            density: settings.density,
            bookmark_counts: settings.bookmark_counts,
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
