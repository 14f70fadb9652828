//! `config`: the settings in effect and where they come from.

use crate::{
    config::{Environment, Needs, TABLE, load, markdown},
    failure::Failure,
    output,
};

/// Prints all settings and fails if they are invalid, or prints docs/configuration.md.
pub fn show(environment: &Environment, as_markdown: bool) -> Result<(), Failure> {
    if as_markdown {
        return output::print(&markdown());
    }
    let loaded = load(environment, Needs::Other);
    let rows: Vec<[String; 3]> = TABLE
        .iter()
        .map(|setting| {
            let (value, origin) = loaded.shown(setting);
            [setting.name.to_owned(), value, origin]
        })
        .collect();
    output::print_table(["SETTING", "VALUE", "FROM"], &rows)?;
    for warning in &loaded.warnings {
        output::print_error(warning);
    }
    loaded.config.map(drop).map_err(Failure::Settings)
}
