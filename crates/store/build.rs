//! Lists the migrations for `src/migrate.rs`: every file below `migrations/sqlite`, with the one of the same name for
//! PostgreSQL. A new migration is two files and no line elsewhere.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

#[expect(clippy::disallowed_methods, reason = "cargo passes paths to a build script in its environment")]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=migrations");
    let migrations = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("migrations");
    let mut names = Vec::new();
    for file in fs::read_dir(migrations.join("sqlite"))? {
        let path = file?.path();
        names.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_owned));
    }
    names.sort();
    let mut steps = String::from("&[");
    for name in names {
        let version: i64 = name.split('_').next().unwrap_or_default().parse()?;
        let [sqlite, postgres] =
            ["sqlite", "postgres"].map(|folder| migrations.join(folder).join(format!("{name}.sql")));
        steps += &format!(
            "Step {{ version: {version}, name: {name:?}, sqlite: include_str!({sqlite:?}), postgres: include_str!({postgres:?}) }},"
        );
    }
    steps.push(']');
    fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("steps.rs"), steps)?;
    Ok(())
}
