//! Defaults that depend on the machine or on other settings.

use std::{cell::RefCell, collections::BTreeMap, path::PathBuf};

use super::{environment::Environment, text::Text};

/// What is known when a default is needed: the environment, and the settings above in the table.
pub struct Known<'a> {
    environment: &'a Environment,
    texts: &'a BTreeMap<&'static str, Text>,
    used: RefCell<Vec<&'static str>>,
}

impl<'a> Known<'a> {
    /// The environment, and the texts of the settings above.
    pub fn new(environment: &'a Environment, texts: &'a BTreeMap<&'static str, Text>) -> Self {
        Known { environment, texts, used: RefCell::default() }
    }

    /// The settings that were asked for.
    pub fn used(self) -> Vec<&'static str> {
        self.used.into_inner()
    }

    fn text(&self, name: &'static str) -> Option<&str> {
        self.used.borrow_mut().push(name);
        self.texts.get(name).map(|text| text.text.as_str())
    }

    /// The text of a setting that somebody wrote, not its default.
    fn written(&self, name: &'static str) -> Option<&str> {
        self.used.borrow_mut().push(name);
        self.texts.get(name).filter(|text| text.is_written()).map(|text| text.text.as_str())
    }
}

pub fn data_dir(known: &Known<'_>) -> Option<String> {
    let folder = |name| known.environment.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")))?;
    data.join("kawaraban").to_str().map(str::to_owned)
}

pub fn database_url(known: &Known<'_>) -> Option<String> {
    Some(format!("sqlite://{}/kawaraban.db", known.text("KAWARABAN_DATA_DIR")?.trim_end_matches('/')))
}

pub fn base_url(known: &Known<'_>) -> Option<String> {
    Some(format!("http://localhost:{}", known.text("SERVER_PORT")?))
}

pub fn frontend_url(known: &Known<'_>) -> Option<String> {
    known.text("CORS_ALLOWED_ORIGIN").or(known.text("BASE_URL")).map(str::to_owned)
}

pub fn google_issuer(known: &Known<'_>) -> Option<String> {
    known.written("GOOGLE_CLIENT_ID").map(|_| "https://accounts.google.com".to_owned())
}

pub fn oidc_name(known: &Known<'_>) -> Option<String> {
    known.written("OIDC_ISSUER").map(|_| "OpenID".to_owned())
}

pub fn oidc_redirect_url(known: &Known<'_>) -> Option<String> {
    known.written("OIDC_ISSUER")?;
    Some(format!("{}/auth/oidc/callback", known.text("BASE_URL")?.trim_end_matches('/')))
}

pub fn local_accounts(known: &Known<'_>) -> Option<String> {
    let has_provider = ["GOOGLE_CLIENT_ID", "OIDC_ISSUER"].iter().any(|name| known.written(name).is_some());
    Some((!has_provider).to_string())
}

pub fn user_agent(known: &Known<'_>) -> Option<String> {
    Some(known.written("BASE_URL").map_or_else(net::default_user_agent, net::user_agent))
}

pub fn log_format(known: &Known<'_>) -> Option<String> {
    Some(if known.environment.stderr_is_terminal { "text" } else { "json" }.to_owned())
}
