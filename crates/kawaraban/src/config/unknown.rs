//! Variables that nobody reads but somebody may have meant for us.

use super::{environment::Environment, settings::TABLE};

/// Names that begin so are ours; other names are only looked at when they are close to one of ours.
const OURS: &[&str] = &["KAWARABAN_", "FETCH_", "HATEBU_", "RATE_LIMIT_"];
/// Ours, but not settings: for the build and for the tests.
const OTHER_USES: &[&str] = &["KAWARABAN_COMMIT", "KAWARABAN_TEST_POSTGRES"];
/// How many letters may be wrong.
const SLIPS: usize = 2;

/// A warning for each, with the name that may have been meant.
pub fn warnings(environment: &Environment) -> Vec<String> {
    let unknown = environment.names().filter(|name| !is_known(name) && !OTHER_USES.contains(name));
    unknown.filter_map(warning).collect()
}

fn is_known(name: &str) -> bool {
    let file_of = name.strip_suffix("_FILE");
    TABLE.iter().any(|setting| setting.name == name || (file_of == Some(setting.name) && setting.kind.hides()))
}

fn warning(name: &str) -> Option<String> {
    let distance = |setting: &'static str| (strsim::damerau_levenshtein(name, setting), setting);
    let nearest = TABLE.iter().map(|setting| distance(setting.name)).min();
    let near = nearest.filter(|(distance, _)| *distance <= SLIPS).map(|(_, setting)| setting);
    match near {
        Some(near) => Some(format!("{name} is no setting and is not read: did you mean {near}?")),
        None if OURS.iter().any(|prefix| name.starts_with(prefix)) => {
            Some(format!("{name} is no setting and is not read: `kawaraban config` lists all there are"))
        }
        None => None,
    }
}
