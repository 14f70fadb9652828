//! What reading the file again has led to, and its log lines.

use std::{collections::HashMap, path::Path};

use tracing::{info, warn};

use super::load::LoadError;
use crate::{Blog, ConfigFile};

/// The result of reading the file again.
pub enum Report {
    /// The content is in force.
    InForce(Changes),
    /// The optional file has never been there.
    StillMissing,
    /// The last good content stays in force.
    Problem(LoadError),
}

/// The numbers of blogs that differ between two contents.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    added: usize,
    removed: usize,
    changed: usize,
    /// The number of blogs now.
    blogs: usize,
}

impl Report {
    pub fn is_problem(&self) -> bool {
        matches!(self, Report::Problem(_))
    }

    pub fn log(&self, path: &Path) {
        let path = path.display();
        match self {
            Report::InForce(Changes { added: 0, removed: 0, changed: 0, blogs }) => {
                info!(%path, blogs, "configuration file read again: no blog has changed");
            }
            Report::InForce(Changes { added, removed, changed, blogs }) => {
                info!(%path, blogs, added, removed, changed, "configuration file read again");
            }
            Report::StillMissing => info!(%path, "there is no configuration file"),
            Report::Problem(error) => log_problem(path, error),
        }
    }
}

fn log_problem(path: impl std::fmt::Display, error: &LoadError) {
    if let LoadError::Invalid(error) = error {
        for problem in &error.problems {
            let (line, column) = (problem.line, problem.column);
            warn!(%path, line, column, "configuration file: {}", problem.message);
        }
        warn!(%path, "the configuration file is not valid: correct it; the last good configuration stays in force");
    } else {
        warn!(%path, "configuration file: {error}; the last good configuration stays in force");
    }
}

impl Changes {
    pub fn between(old: &ConfigFile, new: &ConfigFile) -> Changes {
        let known: HashMap<&str, &Blog> = old.blogs.iter().map(|blog| (blog.id.as_str(), blog)).collect();
        let mut changes = Changes { blogs: new.blogs.len(), ..Changes::default() };
        let mut kept = 0;
        for blog in &new.blogs {
            match known.get(blog.id.as_str()) {
                None => changes.added += 1,
                Some(before) => {
                    kept += 1;
                    changes.changed += usize::from(*before != blog);
                }
            }
        }
        changes.removed = known.len().saturating_sub(kept);
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted_by_id() {
        let file = |blogs: &[(&str, &str)]| {
            let entry = |(id, path): &(&str, &str)| {
                format!("[[blogs]]\nid = \"{id}\"\nurl = \"https://{id}.example/{path}\"\n")
            };
            ConfigFile::parse(&blogs.iter().map(entry).collect::<String>()).unwrap()
        };
        let old = file(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]);
        let new = file(&[("e", "1"), ("d", "1"), ("a", "2"), ("b", "1")]);
        let expected = Changes { added: 1, removed: 1, changed: 1, blogs: 4 };
        assert_eq!(Changes::between(&old, &new), expected);
        assert_eq!(Changes::between(&new, &new), Changes { blogs: 4, ..Changes::default() });
    }
}
