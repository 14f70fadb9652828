//! The packages linked into the program, with their licence texts. `cargo tree` lists them from what this build has fetched;
//! `cargo metadata` would also need the packages of tests and of other systems.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};

/// The beginnings of names of licence files, in lower case.
const BEGINNINGS: &[&str] = &["license", "licence", "copying", "copyright", "notice", "unlicense"];
/// The extensions of other files with such names.
const OTHER_ENDINGS: &[&str] = &["c", "h", "html", "js", "json", "py", "rs", "toml", "yml"];

/// The paths of a build.
pub struct Build {
    pub workspace: PathBuf,
    pub cargo: String,
    pub cargo_home: PathBuf,
    pub rustc: String,
    pub target: String,
}

struct Package {
    name: String,
    version: String,
    license: String,
    repository: String,
    texts: BTreeSet<String>,
}

impl Build {
    /// Writes `{packages, texts}` as gzipped JSON, the form that `web::Licenses` reads.
    ///
    /// Not with zstd: compiling its C library a second time, for the build script, would cost more than the 17 kB it saves.
    pub fn write(&self, output: &Path) -> Result<(), Box<dyn Error>> {
        for file in ["Cargo.lock", "Cargo.toml", "LICENSE-APACHE"] {
            println!("cargo:rerun-if-changed={}", self.workspace.join(file).display());
        }
        for folder in fs::read_dir(self.workspace.join("crates"))? {
            println!("cargo:rerun-if-changed={}", folder?.path().join("Cargo.toml").display());
        }
        let mut packages = self.linked_packages()?;
        packages.push(self.standard_library()?);
        add_missing_texts(&mut packages, &clean(&fs::read(self.workspace.join("LICENSE-APACHE"))?));
        let mut gzip = GzEncoder::new(fs::File::create(output)?, Compression::best());
        gzip.write_all(json(&packages).to_string().as_bytes())?;
        gzip.finish()?;
        Ok(())
    }

    fn linked_packages(&self) -> Result<Vec<Package>, Box<dyn Error>> {
        let tree =
            self.run(Command::new(&self.cargo).args(["tree", "--offline", "--locked", "-p", "kawaraban"]).args([
                "--target",
                &self.target,
                "--edges=normal,no-proc-macro",
                "--prefix=none",
                "--format={p}|{l}|{r}|",
            ]))?;
        let mut packages = BTreeMap::new();
        for line in tree.lines() {
            let [package, license, repository, ..] = line.split('|').collect::<Vec<_>>()[..] else { continue };
            // The workspace's crates have their path as a third word.
            let [name, version] = package.split(' ').collect::<Vec<_>>()[..] else { continue };
            let version = version.trim_start_matches('v');
            packages.entry((name.to_owned(), version.to_owned())).or_insert_with(|| Package {
                name: name.to_owned(),
                version: version.to_owned(),
                license: license.replace('/', " OR "),
                repository: repository.trim_end_matches('/').to_owned(),
                texts: BTreeSet::new(),
            });
        }
        for package in packages.values_mut() {
            for folder in self.sources(package) {
                collect(&folder, &mut package.texts)?;
            }
        }
        Ok(packages.into_values().collect())
    }

    /// The folders with the package's source, in the registries that cargo has unpacked or in `vendor/`.
    fn sources(&self, package: &Package) -> Vec<PathBuf> {
        let folder = format!("{}-{}", package.name, package.version);
        let registries = fs::read_dir(self.cargo_home.join("registry/src")).into_iter().flatten().flatten();
        let vendor = self.workspace.join("vendor");
        let mut folders: Vec<PathBuf> = registries.map(|registry| registry.path().join(&folder)).collect();
        folders.extend([vendor.join(&folder), vendor.join(&package.name)]);
        folders.retain(|folder| folder.is_dir());
        folders
    }

    fn standard_library(&self) -> Result<Package, Box<dyn Error>> {
        let version = self.run(Command::new(&self.rustc).arg("--version"))?;
        Ok(Package {
            name: "Rust standard library".to_owned(),
            version: version.split(' ').nth(1).unwrap_or_default().to_owned(),
            license: "MIT OR Apache-2.0".to_owned(),
            repository: "https://github.com/rust-lang/rust".to_owned(),
            texts: BTreeSet::new(),
        })
    }

    fn run(&self, command: &mut Command) -> Result<String, Box<dyn Error>> {
        let output = command.current_dir(&self.workspace).output()?;
        if !output.status.success() {
            return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}

/// The licences and notices below a folder. Bundled C libraries have theirs in a subfolder.
fn collect(folder: &Path, texts: &mut BTreeSet<String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, texts)?;
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_other = name.rsplit_once('.').is_some_and(|(_, ending)| OTHER_ENDINGS.contains(&ending));
        if !is_other && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
            texts.insert(clean(&fs::read(path)?));
        }
    }
    Ok(())
}

/// Normalises white space, so that equal texts are stored once.
fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.trim_matches(['\u{feff}', '\n', '\r']).lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// A few packages are published without a text. They get the texts of another package of their repository, or the Apache
/// licence if they may be used under it: its text is the same for all.
fn add_missing_texts(packages: &mut [Package], apache: &str) {
    let found: Vec<(String, BTreeSet<String>)> = packages
        .iter()
        .filter(|package| !package.texts.is_empty() && !package.repository.is_empty())
        .map(|package| (package.repository.clone(), package.texts.clone()))
        .collect();
    for package in packages.iter_mut().filter(|package| package.texts.is_empty()) {
        let neighbour = found.iter().find(|(repository, _)| *repository == package.repository);
        match neighbour {
            Some((_, texts)) => package.texts = texts.clone(),
            None if package.license.contains("Apache-2.0") => package.texts = [apache.to_owned()].into(),
            None => println!("cargo:warning={} {} has no licence text", package.name, package.version),
        }
    }
}

fn json(packages: &[Package]) -> Value {
    let texts: BTreeSet<&String> = packages.iter().flat_map(|package| &package.texts).collect();
    let texts: Vec<&String> = texts.into_iter().collect();
    let listed = packages.iter().map(|package| {
        json!({
            "name": package.name,
            "version": package.version,
            "license": package.license,
            "repository": Some(&package.repository).filter(|url| !url.is_empty()),
            "texts": package.texts.iter().filter_map(|text| texts.binary_search(&text).ok()).collect::<Vec<_>>(),
        })
    });
    json!({ "packages": listed.collect::<Vec<_>>(), "texts": texts })
}
