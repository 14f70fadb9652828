//! Embeds the built web client, `ui/dist`, as a table of files with their compressed forms, type and hash. Without it the table
//! is empty and the server shows a page that says how to build it, so the Rust code does not need Node.

use std::{
    error::Error,
    fmt::Write,
    fs,
    hash::{DefaultHasher, Hasher},
    io,
    path::{Path, PathBuf},
};

/// Content types by file extension.
const TYPES: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("webmanifest", "application/manifest+json"),
    ("woff2", "font/woff2"),
];

#[expect(clippy::disallowed_methods, reason = "Cargo configures build scripts by environment variables")]
fn main() -> Result<(), Box<dyn Error>> {
    let ui = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../ui");
    let output = PathBuf::from(std::env::var("OUT_DIR")?);
    let dist = ui.join("dist");
    let is_built = dist.join("index.html").is_file();
    println!("cargo:rerun-if-changed=build.rs");
    // Watches the folder recursively. Cargo would rebuild every time for a missing folder.
    let watched = if is_built { &dist } else { &ui };
    if watched.exists() {
        println!("cargo:rerun-if-changed={}", watched.display());
    }
    let copies = output.join("pages");
    let table = if is_built { table(&dist, &copies)? } else { "&[]".to_owned() };
    fs::write(output.join("pages.rs"), table)?;
    let notices = if is_built { notices(&dist, &copies)? } else { "None".to_owned() };
    fs::write(output.join("notices.rs"), notices)?;
    Ok(())
}

/// The files below `dist` as a Rust expression. They are copied first, because another build of the UI may replace them.
fn table(dist: &Path, copies: &Path) -> Result<String, Box<dyn Error>> {
    match fs::remove_dir_all(copies) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => fs::create_dir_all(copies)?,
    }
    let mut paths = Vec::new();
    collect(dist, &mut paths)?;
    paths.sort();
    let mut table = "&[\n".to_owned();
    for (number, path) in paths.iter().enumerate() {
        let kind = kind_of(path)?;
        let content = fs::read(path)?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&content);
        let include = |ending: &str| -> Result<Option<String>, io::Error> {
            let from = PathBuf::from(format!("{}{ending}", path.display()));
            let copy = copies.join(format!("{number}{ending}"));
            let found = from.is_file();
            if found {
                fs::copy(&from, &copy)?;
            }
            Ok(found.then(|| format!("include_bytes!({:?})", copy.display().to_string())))
        };
        let (plain, brotli, gzip) = (include("")?.unwrap_or_default(), include(".br")?, include(".gz")?);
        let option = |bytes: Option<String>| bytes.map_or("None".to_owned(), |bytes| format!("Some({bytes})"));
        let name = path.strip_prefix(dist)?.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        writeln!(
            table,
            "    StaticFile {{ path: {:?}, content_type: {kind:?}, hash: \"{:016x}\", plain: {plain}, brotli: {}, gzip: {} }},",
            format!("/{name}"),
            hasher.finish(),
            option(brotli),
            option(gzip),
        )?;
    }
    table.push(']');
    Ok(table)
}

/// The licences of the JavaScript packages, which `ui/build/licenses.ts` writes. Older builds of the UI have none.
fn notices(dist: &Path, copies: &Path) -> Result<String, Box<dyn Error>> {
    let (notices, copy) = (dist.join("licenses.json.gz"), copies.join("licenses.json.gz"));
    if !notices.exists() {
        return Ok("None".to_owned());
    }
    fs::copy(notices, &copy)?;
    Ok(format!("Some(include_bytes!({:?}))", copy.display().to_string()))
}

/// The files below a folder, without their compressed forms.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_form = path.extension().is_some_and(|ending| ending == "br" || ending == "gz");
        match path.is_dir() {
            true => collect(&path, paths)?,
            false if is_form => {}
            false => paths.push(path),
        }
    }
    Ok(())
}

fn kind_of(path: &Path) -> Result<&'static str, String> {
    let ending = path.extension().map(|ending| ending.to_string_lossy()).unwrap_or_default();
    let kind = TYPES.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind);
    kind.ok_or_else(|| format!("{}: add the content type of this extension to crates/web/build.rs", path.display()))
}
