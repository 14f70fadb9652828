//! The session secret that `serve` makes for itself when none is configured.

use std::{
    fs, io,
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
};

use crate::{
    config::{Config, Secret},
    failure::Failure,
};

const FILE: &str = "session-secret";
const LEAST_BYTES: usize = 32;

/// The secret: the configured one, or one kept in the data folder, made at the first start.
pub fn ensure(config: &Config) -> Result<Secret, Failure> {
    if let Some(secret) = &config.session_secret {
        return Ok(secret.clone());
    }
    let path = config.data_dir.join(FILE);
    let kept = keep(&config.data_dir, &path).map_err(|error| {
        Failure::because(format!("cannot keep the session secret in {}", config.data_dir.display()), &error)
    })?;
    let kept = kept.trim();
    if kept.len() < LEAST_BYTES {
        return Err(Failure::new(format!(
            "the session secret in {} is shorter than {LEAST_BYTES} bytes: remove the file to get a new one, which \
             signs everybody out",
            path.display()
        )));
    }
    Ok(Secret::new(kept.to_owned()))
}

/// The secret in the file; whoever of several processes starts first makes it.
fn keep(folder: &Path, path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return read,
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // Written under another name and then linked, so that nobody ever reads half of it and only one of many wins.
    let draft = folder.join(format!(".{FILE}.{}", uuid::Uuid::new_v4().simple()));
    let written = write_private(&draft, &random_text()).and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let removed = fs::remove_file(&draft);
    written.and(removed)?;
    fs::read_to_string(path)
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// 256 random bits as text.
fn random_text() -> String {
    let bytes: [u8; 32] = rand::random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
