//! The text of each setting: from its variable, from a file, or by default.

use std::{collections::BTreeMap, ffi::OsStr, fmt, fs, io::Read, path::Path};

use super::{
    defaults::KnownSettings,
    environment::Environment,
    settings::{Fallback, Setting, TABLE},
};

/// The text of a setting and its origin.
pub struct SettingText {
    pub text: String,
    pub origin: TextOrigin,
}

/// Where a text comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum TextOrigin {
    /// The variable itself.
    Environment,
    /// The file that the variable `…_FILE` names.
    File(String),
    /// The default.
    Default,
}

impl SettingText {
    /// Whether it is set.
    pub fn is_written(&self) -> bool {
        self.origin != TextOrigin::Default
    }
}

impl fmt::Display for TextOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextOrigin::Environment => f.write_str("environment"),
            TextOrigin::File(path) => write!(f, "file {path}"),
            TextOrigin::Default => f.write_str("default"),
        }
    }
}

/// Longer than any secret. `/dev/zero` is endless.
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// The texts of all settings, and the problems of those that cannot be read.
pub fn collect(environment: &Environment) -> (BTreeMap<&'static str, SettingText>, BTreeMap<&'static str, String>) {
    let (mut texts, mut problems) = (BTreeMap::new(), BTreeMap::new());
    for setting in TABLE {
        let text = match written(setting, environment) {
            Ok(Some(text)) => Some(text),
            Ok(None) => by_default(setting, &KnownSettings::new(environment, &texts)),
            Err(problem) => {
                problems.insert(setting.name, problem);
                None
            }
        };
        texts.extend(text.map(|text| (setting.name, text)));
    }
    (texts, problems)
}

/// Whether this setting is set, in its variable or in a file, even if it is invalid.
pub fn is_written(environment: &Environment, name: &str) -> bool {
    let may_be_in_file = TABLE.iter().any(|setting| setting.name == name && setting.kind.is_hidden());
    environment.get(name).is_some() || (may_be_in_file && environment.get(&format!("{name}_FILE")).is_some())
}

fn by_default(setting: &Setting, known: &KnownSettings<'_>) -> Option<SettingText> {
    let text = match &setting.fallback {
        Fallback::Nothing => None,
        Fallback::Text(text) => Some((*text).to_owned()),
        Fallback::Derived(_, from) => from(known),
    };
    text.map(|text| SettingText { text, origin: TextOrigin::Default })
}

fn written(setting: &Setting, environment: &Environment) -> Result<Option<SettingText>, String> {
    let name = setting.name;
    let direct = environment.get(name);
    let file_name = format!("{name}_FILE");
    let file = environment.get(&file_name).filter(|_| setting.kind.is_hidden());
    match (direct, file) {
        (Some(_), Some(_)) => Err(format!("{name} and {file_name} are both set: keep one of them")),
        (Some(value), None) => utf8(name, value).map(|text| Some(direct_text(setting, text))),
        (None, Some(path)) => from_file(&file_name, path).map(Some),
        (None, None) => Ok(None),
    }
}

fn direct_text(setting: &Setting, text: &str) -> SettingText {
    // Blanks around a secret may belong to it; around other values they are removed.
    let text = if setting.kind.is_hidden() { text } else { text.trim() };
    SettingText { text: text.to_owned(), origin: TextOrigin::Environment }
}

fn utf8<'a>(name: &str, value: &'a OsStr) -> Result<&'a str, String> {
    value.to_str().ok_or_else(|| format!("{name} is not UTF-8 text: write it with characters of UTF-8"))
}

fn from_file(name: &str, path: &OsStr) -> Result<SettingText, String> {
    let shown = Path::new(path).display().to_string();
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("{name}={shown}: {error}: write the path of a file that can be read"))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("{name}={shown}: has more than {MAX_FILE_BYTES} bytes: write the path of a smaller file"));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{name}={shown}: the file is not UTF-8 text"))?;
    // Editors and `echo` end files with a newline.
    let text = text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
    if text.is_empty() {
        return Err(format!("{name}={shown}: the file is empty: write the secret into it"));
    }
    Ok(SettingText { text: text.to_owned(), origin: TextOrigin::File(shown) })
}
