//! From the environment to the text of each setting: set directly, in a file, or by default.

use std::{collections::BTreeMap, ffi::OsStr, fmt, fs, io::Read, path::Path};

use super::{
    defaults::Known,
    environment::Environment,
    settings::{Fallback, Setting, TABLE},
};

/// A setting's text and where it comes from.
pub struct Text {
    pub text: String,
    pub origin: Origin,
}

/// Where a text comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum Origin {
    /// The variable itself.
    Environment,
    /// The file that the variable `…_FILE` names.
    File(String),
    /// Nobody wrote it.
    Default,
}

impl Text {
    /// Whether somebody wrote it.
    pub fn is_written(&self) -> bool {
        self.origin != Origin::Default
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Environment => f.write_str("environment"),
            Origin::File(path) => write!(f, "file {path}"),
            Origin::Default => f.write_str("default"),
        }
    }
}

/// No secret is longer, and `/dev/zero` has no end.
const LONGEST_FILE: u64 = 64 * 1024;

/// The texts of all settings that have one, and what is wrong with those that cannot be read.
pub fn collect(environment: &Environment) -> (BTreeMap<&'static str, Text>, BTreeMap<&'static str, String>) {
    let (mut texts, mut problems) = (BTreeMap::new(), BTreeMap::new());
    for setting in TABLE {
        let text = match written(setting, environment) {
            Ok(Some(text)) => Some(text),
            Ok(None) => by_default(setting, &Known::new(environment, &texts)),
            Err(problem) => {
                problems.insert(setting.name, problem);
                None
            }
        };
        texts.extend(text.map(|text| (setting.name, text)));
    }
    (texts, problems)
}

/// Whether this setting is written, in its variable or in a file, even if it cannot be used.
pub fn is_written(environment: &Environment, name: &str) -> bool {
    let may_be_in_file = TABLE.iter().any(|setting| setting.name == name && setting.kind.hides());
    environment.get(name).is_some() || (may_be_in_file && environment.get(&format!("{name}_FILE")).is_some())
}

fn by_default(setting: &Setting, known: &Known<'_>) -> Option<Text> {
    let text = match &setting.fallback {
        Fallback::Nothing => None,
        Fallback::Text(text) => Some((*text).to_owned()),
        Fallback::Derived(_, from) => from(known),
    };
    text.map(|text| Text { text, origin: Origin::Default })
}

fn written(setting: &Setting, environment: &Environment) -> Result<Option<Text>, String> {
    let name = setting.name;
    let direct = environment.get(name);
    let file_name = format!("{name}_FILE");
    let file = environment.get(&file_name).filter(|_| setting.kind.hides());
    match (direct, file) {
        (Some(_), Some(_)) => Err(format!("{name} and {file_name} are both set: keep one of them")),
        (Some(value), None) => utf8(name, value).map(|text| Some(direct_text(setting, text))),
        (None, Some(path)) => from_file(&file_name, path).map(Some),
        (None, None) => Ok(None),
    }
}

fn direct_text(setting: &Setting, text: &str) -> Text {
    // Blanks around a secret may belong to it; around anything else they are a slip.
    let text = if setting.kind.hides() { text } else { text.trim() };
    Text { text: text.to_owned(), origin: Origin::Environment }
}

fn utf8<'a>(name: &str, value: &'a OsStr) -> Result<&'a str, String> {
    value.to_str().ok_or_else(|| format!("{name} is not UTF-8 text: write it with characters of UTF-8"))
}

fn from_file(name: &str, path: &OsStr) -> Result<Text, String> {
    let shown = Path::new(path).display().to_string();
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(LONGEST_FILE + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("{name}={shown}: {error}: write the path of a file that can be read"))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(format!("{name}={shown}: has more than {LONGEST_FILE} bytes: write the path of a smaller file"));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{name}={shown}: the file is not UTF-8 text"))?;
    // Editors and `echo` end files with a newline that nobody means.
    let text = text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
    if text.is_empty() {
        return Err(format!("{name}={shown}: the file is empty: write the secret into it"));
    }
    Ok(Text { text: text.to_owned(), origin: Origin::File(shown) })
}
