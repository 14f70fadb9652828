//! `watch init`: writes an example of the configuration file.

use std::{
    fs::{DirBuilder, OpenOptions},
    io::{self, Write},
    os::unix::fs::DirBuilderExt,
    path::Path,
};

use config_file::ConfigFile;

use crate::{failure::Failure, output};

/// Writes the example to the place of the configuration file, and prints where that is.
pub fn write_example(path: &Path, force: bool) -> Result<(), Failure> {
    let shown = path.display();
    match write(path, force) {
        Ok(()) => {
            output::print(&format!("wrote an example to {shown}: remove the # in front of the lines that you need\n"))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Failure::new(format!("{shown} exists already and was not changed: --force replaces it")))
        }
        Err(error) => Err(Failure::because(format!("cannot write {shown}"), &error)),
    }
}

fn write(path: &Path, force: bool) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true);
    let mut file = match force {
        true => options.create(true).truncate(true).open(path)?,
        false => options.create_new(true).open(path)?,
    };
    file.write_all(ConfigFile::EXAMPLE.as_bytes())?;
    file.sync_all()
}
