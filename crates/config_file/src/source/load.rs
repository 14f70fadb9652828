//! Reading the file once.

use std::{
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::Path,
};

use thiserror::Error;

use crate::{ConfigError, ConfigFile, file::MAX_BYTES};

/// Why the file could not be read.
#[derive(Debug, Error)]
pub enum LoadError {
    #[error("the file does not exist any more: put it back")]
    Missing,
    #[error("the path is not a file: put the file back")]
    NotAFile,
    #[error("the file cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    #[error(transparent)]
    Invalid(ConfigError),
}

/// Identifies one state of the file. Another state has another stamp.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    /// The time of the last change of the inode: a copy may keep the time of modification.
    changed: (i64, i64),
}

impl Stamp {
    /// The stamp of a file, through symlinks. `None` if it does not exist or cannot be examined.
    pub fn of(path: &Path) -> Option<Stamp> {
        let metadata = fs::metadata(path).ok()?;
        Some(Stamp {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }
}

/// Reads and checks the file.
pub fn load(path: &Path) -> Result<ConfigFile, LoadError> {
    let bytes = read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => LoadError::Missing,
        _ => LoadError::Unreadable(error),
    })?;
    match bytes {
        Some(bytes) => ConfigFile::parse_bytes(&bytes).map_err(LoadError::Invalid),
        None => Err(LoadError::NotAFile),
    }
}

/// The bytes of the file, at most one more than the limit. `None` if it is not a file.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    // Examined first: opening a pipe would wait for its writer.
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
