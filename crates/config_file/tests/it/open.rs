//! Opening the file at the start.

use std::fs;

use config_file::{ConfigFile, ConfigSource, OpenError};
use tempfile::TempDir;

#[test]
fn a_missing_file_is_empty_unless_it_is_required() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config.toml");
    let source = ConfigSource::open(path.clone(), false).unwrap();
    assert_eq!((&*source.current(), source.problem(), source.path()), (&ConfigFile::default(), None, path.as_path()));
    let error = ConfigSource::open(path.clone(), true).err().unwrap();
    let expected = format!("{} does not exist: create it, or unset KAWARABAN_CONFIG", path.display());
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_bad_file_is_an_error_with_all_problems() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, "[[blogs]]\nid = \"a\"\nuri = 1\n").unwrap();
    let error = ConfigSource::open(path.clone(), false).err().unwrap();
    let expected = format!(
        "{} is not valid:\n\
         line 1, column 1: `url` is missing: write url = \"https://example.com/blog/\"\n\
         line 3, column 1: `uri` is not a key of [[blogs]]: did you mean `url`?",
        path.display()
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_large_file_is_not_read_whole() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config.toml");
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let error = ConfigSource::open(path, false).err().unwrap().to_string();
    let expected = "line 1, column 1: the file is larger than 4 MiB: remove entries that you do not need";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn a_folder_is_not_a_file() {
    let folder = TempDir::new().unwrap();
    let error = ConfigSource::open(folder.path().to_owned(), false).err().unwrap();
    assert!(matches!(error, OpenError::NotAFile { .. }));
    assert_eq!(error.to_string(), format!("{} is not a file: write the path of a file", folder.path().display()));
}

#[test]
fn a_path_below_a_file_cannot_be_read() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let path = file.join("config.toml");
    let error = ConfigSource::open(path.clone(), false).err().unwrap();
    assert!(matches!(error, OpenError::Unreadable { .. }));
    let expected = format!("{} cannot be read: Not a directory (os error 20)", path.display());
    assert_eq!(error.to_string(), expected);
}
