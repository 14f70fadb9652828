//! A user's settings for the pages.

use accounts::DisplaySettings;
use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::user_settings;
use utoipa::ToSchema;

use crate::{ApiError, ApiState, caller::Caller, extract::JsonBody};

/// The colour theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Theme)]
pub(crate) enum ThemeView {
    /// Always light.
    Light,
    /// Always dark.
    Dark,
    /// The theme of the operating system.
    System,
}

/// The language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PageLanguage {
    /// Japanese.
    Ja,
    /// English.
    En,
}

/// The density of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Density)]
pub(crate) enum DensityView {
    /// More space.
    Comfortable,
    /// More rows per screen.
    Compact,
}

/// Your settings for the pages.
#[derive(Serialize, Deserialize, ToSchema)]
pub(crate) struct SettingsView {
    /// The colour theme.
    theme: ThemeView,
    /// The language of the pages. Null uses the language of the browser.
    #[serde(deserialize_with = "Option::deserialize")]
    language: Option<PageLanguage>,
    /// The density of lists.
    density: DensityView,
    /// Whether Hatena bookmark counts are shown. Null without a choice of your own.
    #[serde(deserialize_with = "Option::deserialize")]
    bookmark_counts: Option<bool>,
    /// Whether they are shown without a choice; null if this server shows none. Ignored in requests.
    #[serde(deserialize_with = "Option::deserialize")]
    bookmark_counts_default: Option<bool>,
    /// State that the pages store, at most 16 kB of JSON.
    #[schema(value_type = Object)]
    preferences: Map<String, Value>,
}

/// Get your settings
#[utoipa::path(get, path = "/api/users/me/settings", tag = "users", responses(
    (status = 200, description = "Your settings", body = SettingsView),
))]
pub(crate) async fn get_settings(State(app): State<ApiState>, caller: Caller) -> Result<Json<SettingsView>, ApiError> {
    Ok(Json(SettingsView::of(&app, caller).await?))
}

/// Replace your settings
///
/// All fields are required.
#[utoipa::path(put, path = "/api/users/me/settings", tag = "users", request_body = SettingsView, responses(
    (status = 200, description = "The updated settings", body = SettingsView),
))]
pub(crate) async fn update_settings(
    State(app): State<ApiState>,
    caller: Caller,
    JsonBody(settings): JsonBody<SettingsView>,
) -> Result<Json<SettingsView>, ApiError> {
    app.accounts.update_settings(caller.user_id, &settings.into()).await?;
    Ok(Json(SettingsView::of(&app, caller).await?))
}

impl SettingsView {
    async fn of(app: &ApiState, caller: Caller) -> Result<Self, ApiError> {
        let settings = app.accounts.get_settings(caller.user_id).await?;
        let is_japanese = settings.language == Some(user_settings::DisplayLanguage::Ja);
        Ok(SettingsView {
            theme: match settings.theme {
                user_settings::Theme::Light => ThemeView::Light,
                user_settings::Theme::Dark => ThemeView::Dark,
                user_settings::Theme::System => ThemeView::System,
            },
            language: settings.language.map(|language| match language {
                user_settings::DisplayLanguage::Ja => PageLanguage::Ja,
                user_settings::DisplayLanguage::En => PageLanguage::En,
            }),
            density: match settings.density {
                user_settings::Density::Comfortable => DensityView::Comfortable,
                user_settings::Density::Compact => DensityView::Compact,
            },
            bookmark_counts: settings.bookmark_counts,
            bookmark_counts_default: app.reader.bookmark_counts_default(is_japanese),
            preferences: settings.preferences,
        })
    }
}

impl From<SettingsView> for DisplaySettings {
    fn from(view: SettingsView) -> Self {
        DisplaySettings {
            theme: match view.theme {
                ThemeView::Light => user_settings::Theme::Light,
                ThemeView::Dark => user_settings::Theme::Dark,
                ThemeView::System => user_settings::Theme::System,
            },
            language: view.language.map(|language| match language {
                PageLanguage::Ja => user_settings::DisplayLanguage::Ja,
                PageLanguage::En => user_settings::DisplayLanguage::En,
            }),
            density: match view.density {
                DensityView::Comfortable => user_settings::Density::Comfortable,
                DensityView::Compact => user_settings::Density::Compact,
            },
            bookmark_counts: view.bookmark_counts,
            preferences: view.preferences,
        }
    }
}
