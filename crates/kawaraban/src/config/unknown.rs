//! Warnings about unknown variables that may be misspelt settings.

use super::{environment::Environment, settings::TABLE};

/// All names with these prefixes are checked; other names only if they are similar to a setting.
const PREFIXES: &[&str] = &["KAWARABAN_", "FETCH_", "HATEBU_", "RATE_LIMIT_", "WATCH_"];
/// Variables of the build and the tests.
const OTHER_USES: &[&str] = &["KAWARABAN_COMMIT", "KAWARABAN_TEST_POSTGRES"];
/// The maximum number of wrong letters.
const MAX_TYPOS: usize = 2;

/// A warning for each, with a similar name.
pub fn warnings(environment: &Environment) -> Vec<String> {
    let unknown = environment.names().filter(|name| !is_known(name) && !OTHER_USES.contains(name));
    unknown.filter_map(warning).collect()
}

fn is_known(name: &str) -> bool {
    let file_of = name.strip_suffix("_FILE");
    TABLE.iter().any(|setting| setting.name == name || (file_of == Some(setting.name) && setting.kind.is_hidden()))
}

fn warning(name: &str) -> Option<String> {
    let distance = |setting: &'static str| (strsim::damerau_levenshtein(name, setting), setting);
    let nearest = TABLE.iter().map(|setting| distance(setting.name)).min();
    let near = nearest.filter(|(distance, _)| *distance <= MAX_TYPOS).map(|(_, setting)| setting);
    match near {
        Some(near) => Some(format!("{name} is not a setting: did you mean {near}?")),
        None if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) => {
            Some(format!("{name} is not a setting: `kawaraban config` lists all settings"))
        }
        None => None,
    }
}
