//! How a person wants pages to look.

use accounts::UserSettings;
use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::user_settings;
use utoipa::ToSchema;

use crate::{ApiError, App, caller::Caller, extract::JsonBody};

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Theme {
    /// Always light.
    Light,
    /// Always dark.
    Dark,
    /// As the machine has it.
    System,
}

/// The language of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PageLanguage {
    /// Japanese.
    Ja,
    /// English.
    En,
}

/// How close together things stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Density {
    /// With room to breathe.
    Comfortable,
    /// More on a screen.
    Compact,
}

/// How you want pages to look.
#[derive(Serialize, Deserialize, ToSchema)]
pub(crate) struct SettingsView {
    /// Light or dark.
    theme: Theme,
    /// The language of pages; null for the browser's.
    #[serde(deserialize_with = "Option::deserialize")]
    language: Option<PageLanguage>,
    /// How close together things stand.
    density: Density,
    /// What pages remember about themselves; at most 16 kB as JSON.
    #[schema(value_type = Object)]
    preferences: Map<String, Value>,
}

/// Show your settings
#[utoipa::path(get, path = "/api/users/me/settings", tag = "users", responses(
    (status = 200, description = "Your settings", body = SettingsView),
))]
pub(crate) async fn get_settings(State(app): State<App>, caller: Caller) -> Result<Json<SettingsView>, ApiError> {
    Ok(Json(app.accounts.settings(caller.user_id).await?.into()))
}

/// Replace your settings
///
/// All of them at once.
#[utoipa::path(put, path = "/api/users/me/settings", tag = "users", request_body = SettingsView, responses(
    (status = 200, description = "Your settings as they are now", body = SettingsView),
))]
pub(crate) async fn replace_settings(
    State(app): State<App>,
    caller: Caller,
    JsonBody(settings): JsonBody<SettingsView>,
) -> Result<Json<SettingsView>, ApiError> {
    app.accounts.put_settings(caller.user_id, &settings.into()).await?;
    Ok(Json(app.accounts.settings(caller.user_id).await?.into()))
}

impl From<UserSettings> for SettingsView {
    fn from(settings: UserSettings) -> Self {
        SettingsView {
            theme: match settings.theme {
                user_settings::Theme::Light => Theme::Light,
                user_settings::Theme::Dark => Theme::Dark,
                user_settings::Theme::System => Theme::System,
            },
            language: settings.language.map(|language| match language {
                user_settings::Language::Ja => PageLanguage::Ja,
                user_settings::Language::En => PageLanguage::En,
            }),
            density: match settings.density {
                user_settings::Density::Comfortable => Density::Comfortable,
                user_settings::Density::Compact => Density::Compact,
            },
            preferences: settings.preferences,
        }
    }
}

impl From<SettingsView> for UserSettings {
    fn from(view: SettingsView) -> Self {
        UserSettings {
            theme: match view.theme {
                Theme::Light => user_settings::Theme::Light,
                Theme::Dark => user_settings::Theme::Dark,
                Theme::System => user_settings::Theme::System,
            },
            language: view.language.map(|language| match language {
                PageLanguage::Ja => user_settings::Language::Ja,
                PageLanguage::En => user_settings::Language::En,
            }),
            density: match view.density {
                Density::Comfortable => user_settings::Density::Comfortable,
                Density::Compact => user_settings::Density::Compact,
            },
            preferences: view.preferences,
        }
    }
}
