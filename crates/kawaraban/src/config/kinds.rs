//! The kinds of settings: how each is parsed, described and shown.

mod addresses;
mod emails;
mod numbers;

pub use addresses::{Database, HttpUrl, Ip, Issuer, ListenOn, Nets, WebOrigin, WebhookUrl};
pub use emails::{Email, EmailsAndDomains, Label};
pub use numbers::{Durations, Number};

use std::path::PathBuf;

use tracing_subscriber::EnvFilter;

use super::secret::{HIDDEN, Secret};

/// A kind of setting.
pub trait SettingKind {
    type Value;

    /// A description of valid values, to follow the word "write".
    fn how(&self) -> String;

    /// Parses a value. The error says what to write instead, and contains no secret.
    fn parse(&self, text: &str) -> Result<Self::Value, String>;

    /// The value of an unset setting without a default. `None` if it is required.
    fn absent(&self) -> Option<Self::Value> {
        None
    }

    /// Whether it may contain a secret, which is hidden and may be in a file.
    fn is_secret(&self) -> bool {
        false
    }

    /// The text without secrets.
    fn show(&self, text: &str) -> String {
        if self.is_secret() { HIDDEN.to_owned() } else { text.to_owned() }
    }
}

/// The part of [`SettingKind`] that does not depend on the type of the value.
pub trait AnySettingKind: Sync {
    /// [`SettingKind::how`].
    fn words(&self) -> String;
    /// [`SettingKind::is_secret`].
    fn is_hidden(&self) -> bool;
    /// [`SettingKind::show`].
    fn shown(&self, text: &str) -> String;
}

impl<K: SettingKind + Sync> AnySettingKind for K {
    fn words(&self) -> String {
        self.how()
    }

    fn is_hidden(&self) -> bool {
        self.is_secret()
    }

    fn shown(&self, text: &str) -> String {
        self.show(text)
    }
}

/// An optional setting.
pub struct Optional<K>(pub K);

impl<K: SettingKind> SettingKind for Optional<K> {
    type Value = Option<K::Value>;

    fn how(&self) -> String {
        self.0.how()
    }

    fn parse(&self, text: &str) -> Result<Self::Value, String> {
        self.0.parse(text).map(Some)
    }

    fn absent(&self) -> Option<Self::Value> {
        Some(None)
    }

    fn is_secret(&self) -> bool {
        self.0.is_secret()
    }

    fn show(&self, text: &str) -> String {
        self.0.show(text)
    }
}

/// `true` or `false`.
pub struct Switch;

impl SettingKind for Switch {
    type Value = bool;

    fn how(&self) -> String {
        "`true` or `false`".into()
    }

    fn parse(&self, text: &str) -> Result<bool, String> {
        text.parse().map_err(|_| "write true or false".into())
    }
}

/// Any text on one line.
pub struct PlainText;

impl SettingKind for PlainText {
    type Value = String;

    fn how(&self) -> String {
        "text on one line".into()
    }

    fn parse(&self, text: &str) -> Result<String, String> {
        // It is sent as a header, where other characters would fail every request.
        if text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
            Ok(text.to_owned())
        } else {
            Err("write printable ASCII characters on one line".into())
        }
    }
}

/// A secret with a minimum length.
pub struct Hidden {
    pub min_bytes: usize,
}

impl SettingKind for Hidden {
    type Value = Secret;

    fn how(&self) -> String {
        match self.min_bytes {
            0 | 1 => "text".into(),
            bytes => format!("text of {bytes} bytes or more, for example from `openssl rand -hex 32`"),
        }
    }

    fn parse(&self, text: &str) -> Result<Secret, String> {
        if text.len() < self.min_bytes {
            return Err(format!("has {} bytes: write {}", text.len(), self.how()));
        }
        Ok(Secret::new(text.to_owned()))
    }

    fn is_secret(&self) -> bool {
        true
    }
}

/// A folder, which need not exist yet.
pub struct FolderPath;

impl SettingKind for FolderPath {
    type Value = PathBuf;

    fn how(&self) -> String {
        "the path of a folder; it is created if missing".into()
    }

    fn parse(&self, text: &str) -> Result<PathBuf, String> {
        let path = PathBuf::from(text);
        if path.exists() && !path.is_dir() {
            return Err("is not a folder: write the path of a folder".into());
        }
        Ok(path)
    }
}

/// A file, which need not exist yet.
pub struct FilePath;

impl SettingKind for FilePath {
    type Value = PathBuf;

    fn how(&self) -> String {
        "the path of a file".into()
    }

    fn parse(&self, text: &str) -> Result<PathBuf, String> {
        let path = PathBuf::from(text);
        if path.is_dir() { Err("is a folder: write the path of a file".into()) } else { Ok(path) }
    }
}

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

/// `text` or `json`.
pub struct LogFormatName;

impl SettingKind for LogFormatName {
    type Value = LogFormat;

    fn how(&self) -> String {
        "`text` or `json`".into()
    }

    fn parse(&self, text: &str) -> Result<LogFormat, String> {
        match text {
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            _ => Err("write text or json".into()),
        }
    }
}

/// A level, or a filter of the crate tracing-subscriber.
pub struct LogFilter;

impl SettingKind for LogFilter {
    type Value = String;

    fn how(&self) -> String {
        "`error`, `warn`, `info`, `debug` or `trace`, or a filter such as `info,queue=debug`".into()
    }

    fn parse(&self, text: &str) -> Result<String, String> {
        // A bare word that is not a level would be taken as a module name, and hide everything else.
        let levels = ["error", "warn", "info", "debug", "trace", "off"];
        let bare = text.split(',').filter(|part| !part.contains(['=', '[']));
        let known = bare.map(|word| word.trim().to_ascii_lowercase()).all(|word| levels.contains(&word.as_str()));
        if known && EnvFilter::builder().parse(text).is_ok() {
            return Ok(text.to_owned());
        }
        Err("write error, warn, info, debug or trace, or a filter such as info,queue=debug".into())
    }
}
