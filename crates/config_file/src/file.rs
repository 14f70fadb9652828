//! The whole file: its size, its sections, and the example.

use toml::de::DeTable;

use crate::{
    blogs::{self, Blog},
    problems::{ConfigError, Problems, quoted},
    reader::Value,
    suggest::nearest,
    syntax,
};

/// The content of config.toml.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigFile {
    pub blogs: Vec<Blog>,
}

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// A section of the file.
pub struct Section {
    pub name: &'static str,
    /// True if the file has many of them, with the header `[[name]]`.
    pub is_list: bool,
    pub keys: &'static [&'static str],
    /// Reads the section into the configuration.
    read: fn(&mut ConfigFile, &Value<'_>, &mut SectionContext<'_>),
}

/// What a section needs to read its values.
pub struct SectionContext<'t> {
    /// The text of the whole file.
    pub text: &'t str,
    pub problems: Problems,
}

/// All sections. A new section is a row here and a module.
pub const SECTIONS: &[Section] = &[Section {
    name: blogs::NAME,
    is_list: true,
    keys: blogs::KEYS,
    read: |file, value, context| file.blogs = blogs::read(value, context),
}];

impl Section {
    /// The header of the section, as the file writes it.
    pub fn header(&self) -> String {
        if self.is_list { format!("[[{}]]", self.name) } else { format!("[{}]", self.name) }
    }
}

impl ConfigFile {
    /// A commented example, as `kawaraban watch init` writes it. All its entries are commented out.
    pub const EXAMPLE: &str = include_str!("example.toml");

    /// Reads the text of the file.
    pub fn parse(text: &str) -> Result<ConfigFile, ConfigError> {
        // A byte order mark is not part of the first line.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.len() > MAX_BYTES {
            return Err(too_large());
        }
        let document = DeTable::parse(text).map_err(|error| syntax::explain(text, &error))?;
        let mut file = ConfigFile::default();
        let mut context = SectionContext { text, problems: Problems::default() };
        for (name, value) in document.get_ref() {
            match SECTIONS.iter().find(|section| section.name == name.get_ref().as_ref()) {
                Some(section) => (section.read)(&mut file, value, &mut context),
                None => context.problems.add_with(name.span().start, || unknown_section(name.get_ref())),
            }
        }
        context.problems.into_result(text)?;
        Ok(file)
    }

    /// Reads the bytes of the file.
    pub(crate) fn parse_bytes(bytes: &[u8]) -> Result<ConfigFile, ConfigError> {
        if bytes.len() > MAX_BYTES {
            return Err(too_large());
        }
        match str::from_utf8(bytes) {
            Ok(text) => ConfigFile::parse(text),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).and_then(|bytes| str::from_utf8(bytes).ok());
                let valid = valid.unwrap_or_default();
                Err(ConfigError::at(valid, valid.len(), "this character is not UTF-8: save the file as UTF-8"))
            }
        }
    }
}

fn too_large() -> ConfigError {
    ConfigError::at("", 0, "the file is larger than 4 MiB: remove entries that you do not need")
}

fn unknown_section(name: &str) -> String {
    let shown = quoted(name);
    let near = nearest(name, SECTIONS.iter().map(|section| section.name));
    if let Some(section) = SECTIONS.iter().find(|section| Some(section.name) == near) {
        return format!("`{shown}` is not a section: did you mean {}?", section.header());
    }
    let mut owners = SECTIONS.iter().filter(|section| section.keys.contains(&name)).map(Section::header);
    if let Some(owner) = owners.next() {
        return format!("`{shown}` is outside a section: write {owner} above it");
    }
    let headers: Vec<String> = SECTIONS.iter().map(Section::header).collect();
    format!("`{shown}` is not a section: the file may contain {}", headers.join(", "))
}

#[cfg(test)]
mod tests;
