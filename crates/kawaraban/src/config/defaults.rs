//! Defaults that depend on the machine or on other settings.

use std::{cell::RefCell, collections::BTreeMap, path::PathBuf};

use super::{environment::Environment, text::SettingText};

/// The name of the configuration file in the data folder.
pub const CONFIG_FILE: &str = "config.toml";

/// The environment and the settings above in the table, from which defaults are derived.
pub struct KnownSettings<'a> {
    environment: &'a Environment,
    texts: &'a BTreeMap<&'static str, SettingText>,
    used: RefCell<Vec<&'static str>>,
}

impl<'a> KnownSettings<'a> {
    /// Created for each setting.
    pub fn new(environment: &'a Environment, texts: &'a BTreeMap<&'static str, SettingText>) -> Self {
        KnownSettings { environment, texts, used: RefCell::default() }
    }

    /// The settings that were read.
    pub fn used(self) -> Vec<&'static str> {
        self.used.into_inner()
    }

    fn text(&self, name: &'static str) -> Option<&str> {
        self.used.borrow_mut().push(name);
        self.texts.get(name).map(|text| text.text.as_str())
    }

    /// The text of a setting that is set, not its default.
    fn written(&self, name: &'static str) -> Option<&str> {
        self.used.borrow_mut().push(name);
        self.texts.get(name).filter(|text| text.is_written()).map(|text| text.text.as_str())
    }
}

pub fn data_dir(known: &KnownSettings<'_>) -> Option<String> {
    let folder = |name| known.environment.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")))?;
    data.join("kawaraban").to_str().map(str::to_owned)
}

pub fn database_url(known: &KnownSettings<'_>) -> Option<String> {
    Some(format!("sqlite://{}/kawaraban.db", known.text("KAWARABAN_DATA_DIR")?.trim_end_matches('/')))
}

pub fn config_file(known: &KnownSettings<'_>) -> Option<String> {
    Some(format!("{}/{CONFIG_FILE}", known.text("KAWARABAN_DATA_DIR")?.trim_end_matches('/')))
}

pub fn base_url(known: &KnownSettings<'_>) -> Option<String> {
    Some(format!("http://localhost:{}", known.text("SERVER_PORT")?))
}

pub fn frontend_url(known: &KnownSettings<'_>) -> Option<String> {
    known.text("CORS_ALLOWED_ORIGIN").or(known.text("BASE_URL")).map(str::to_owned)
}

pub fn google_issuer(known: &KnownSettings<'_>) -> Option<String> {
    known.written("GOOGLE_CLIENT_ID").map(|_| "https://accounts.google.com".to_owned())
}

pub fn oidc_name(known: &KnownSettings<'_>) -> Option<String> {
    known.written("OIDC_ISSUER").map(|_| "OpenID".to_owned())
}

pub fn oidc_redirect_url(known: &KnownSettings<'_>) -> Option<String> {
    known.written("OIDC_ISSUER")?;
    Some(format!("{}/auth/oidc/callback", known.text("BASE_URL")?.trim_end_matches('/')))
}

pub fn local_accounts(known: &KnownSettings<'_>) -> Option<String> {
    let has_provider = ["GOOGLE_CLIENT_ID", "OIDC_ISSUER"].iter().any(|name| known.written(name).is_some());
    Some((!has_provider).to_string())
}

pub fn user_agent(known: &KnownSettings<'_>) -> Option<String> {
    Some(known.written("BASE_URL").map_or_else(net::default_user_agent, net::user_agent))
}

pub fn log_format(known: &KnownSettings<'_>) -> Option<String> {
    Some(if known.environment.stderr_is_terminal { "text" } else { "json" }.to_owned())
}
