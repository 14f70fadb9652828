//! The session secret that `serve` creates if none is configured.

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
const MIN_BYTES: usize = 32;

/// The configured secret, or the one in the data folder, created at the first start.
pub fn ensure(config: &Config) -> Result<Secret, Failure> {
    if let Some(secret) = &config.session_secret {
        return Ok(secret.clone());
    }
    let path = config.data_dir.join(FILE);
    let kept = read_or_create(&config.data_dir, &path).map_err(|error| {
        Failure::because(format!("cannot store the session secret in {}", config.data_dir.display()), &error)
    })?;
    let kept = kept.trim();
    if kept.len() < MIN_BYTES {
        return Err(Failure::new(format!(
            "the session secret in {} is shorter than {MIN_BYTES} bytes: remove the file to get a new one, which \
             ends all sessions",
            path.display()
        )));
    }
    Ok(Secret::new(kept.to_owned()))
}

/// Reads the secret from the file. The first of several processes creates it.
fn read_or_create(folder: &Path, path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return read,
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // Written under another name and then linked, so that no process reads a partial file and only one wins.
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
    hex::encode(rand::random::<[u8; 32]>())
}
