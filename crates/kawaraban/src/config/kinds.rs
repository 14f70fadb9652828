//! The kinds of settings: how each is written, read and shown.

mod addresses;
mod numbers;
mod people;

pub use addresses::{Database, HttpUrl, Ip, Issuer, ListenOn, Nets, Origin};
pub use numbers::{Durations, Number};
pub use people::{Email, EmailsAndDomains, Label};

use std::path::PathBuf;

use tracing_subscriber::EnvFilter;

use super::secret::{HIDDEN, Secret};

/// A kind of setting.
pub trait Kind {
    /// What it becomes.
    type Value;

    /// How to write one, after the word "write".
    fn how(&self) -> String;

    /// Reads one; the error says what to write instead, and repeats nothing of a secret.
    fn parse(&self, text: &str) -> Result<Self::Value, String>;

    /// The value when nothing is written and there is no default; `None` if there must be one.
    fn absent(&self) -> Option<Self::Value> {
        None
    }

    /// Whether it may hold a secret: then it is not repeated, and may be in a file.
    fn is_secret(&self) -> bool {
        false
    }

    /// A text of this kind as it may be shown to anybody.
    fn show(&self, text: &str) -> String {
        if self.is_secret() { HIDDEN.to_owned() } else { text.to_owned() }
    }
}

/// What can be said about a [`Kind`] without knowing its value's type.
pub trait AnyKind: Sync {
    /// [`Kind::how`].
    fn words(&self) -> String;
    /// [`Kind::is_secret`].
    fn hides(&self) -> bool;
    /// [`Kind::show`].
    fn shown(&self, text: &str) -> String;
}

impl<K: Kind + Sync> AnyKind for K {
    fn words(&self) -> String {
        self.how()
    }

    fn hides(&self) -> bool {
        self.is_secret()
    }

    fn shown(&self, text: &str) -> String {
        self.show(text)
    }
}

/// A setting that may be left out.
pub struct Optional<K>(pub K);

impl<K: Kind> Kind for Optional<K> {
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

impl Kind for Switch {
    type Value = bool;

    fn how(&self) -> String {
        "`true` or `false`".into()
    }

    fn parse(&self, text: &str) -> Result<bool, String> {
        text.parse().map_err(|_| "write true or false".into())
    }
}

/// Any text on one line.
pub struct Text;

impl Kind for Text {
    type Value = String;

    fn how(&self) -> String {
        "text on one line".into()
    }

    fn parse(&self, text: &str) -> Result<String, String> {
        // It ends up in a header; others than printable characters are refused there, at every request.
        if text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
            Ok(text.to_owned())
        } else {
            Err("write printable ASCII characters on one line".into())
        }
    }
}

/// A secret of at least so many bytes.
pub struct Hidden {
    /// The least number of bytes.
    pub least_bytes: usize,
}

impl Kind for Hidden {
    type Value = Secret;

    fn how(&self) -> String {
        match self.least_bytes {
            0 | 1 => "text".into(),
            bytes => format!("text of {bytes} bytes or more, for example from `openssl rand -hex 32`"),
        }
    }

    fn parse(&self, text: &str) -> Result<Secret, String> {
        if text.len() < self.least_bytes {
            return Err(format!("has {} bytes: write {}", text.len(), self.how()));
        }
        Ok(Secret::new(text.to_owned()))
    }

    fn is_secret(&self) -> bool {
        true
    }
}

/// A folder, which need not exist yet.
pub struct Folder;

impl Kind for Folder {
    type Value = PathBuf;

    fn how(&self) -> String {
        "the path of a folder; it is made when missing".into()
    }

    fn parse(&self, text: &str) -> Result<PathBuf, String> {
        let path = PathBuf::from(text);
        if path.exists() && !path.is_dir() {
            return Err("is not a folder: write the path of a folder".into());
        }
        Ok(path)
    }
}

/// A file, which must exist.
pub struct File;

impl Kind for File {
    type Value = PathBuf;

    fn how(&self) -> String {
        "the path of a file that exists".into()
    }

    fn parse(&self, text: &str) -> Result<PathBuf, String> {
        let path = PathBuf::from(text);
        if path.is_file() { Ok(path) } else { Err(format!("there is no such file: write {}", self.how())) }
    }
}

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// A JSON object a line.
    Json,
}

/// `text` or `json`.
pub struct Format;

impl Kind for Format {
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

/// A level, or a filter as the crate tracing-subscriber reads it.
pub struct Filter;

impl Kind for Filter {
    type Value = String;

    fn how(&self) -> String {
        "`error`, `warn`, `info`, `debug` or `trace`, or a filter such as `info,queue=debug`".into()
    }

    fn parse(&self, text: &str) -> Result<String, String> {
        // A bare word that is no level would be taken for the name of a module, and hide everything else.
        let levels = ["error", "warn", "info", "debug", "trace", "off"];
        let bare = text.split(',').filter(|part| !part.contains(['=', '[']));
        let known = bare.map(|word| word.trim().to_ascii_lowercase()).all(|word| levels.contains(&word.as_str()));
        if known && EnvFilter::builder().parse(text).is_ok() {
            return Ok(text.to_owned());
        }
        Err("write error, warn, info, debug or trace, or a filter such as info,queue=debug".into())
    }
}
