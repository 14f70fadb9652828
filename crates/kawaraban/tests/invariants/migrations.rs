//! Both databases go through the same migrations: same file names, numbered without a gap.

use std::fs;

use crate::{Breach, assert_kept, places, tree};

fn uneven(sqlite: &[String], postgres: &[String]) -> Vec<Breach> {
    let missing = |from: &[String], than: &[String], database: &str| -> Vec<Breach> {
        let names = than.iter().filter(|name| !from.contains(name));
        names.map(|name| Breach::new(name, format!("has no file of that name for {database}"))).collect()
    };
    let mut breaches = missing(sqlite, postgres, "SQLite");
    breaches.extend(missing(postgres, sqlite, "PostgreSQL"));
    breaches
}

fn badly_numbered(names: &[String]) -> Vec<Breach> {
    let wrong =
        |(at, name): &(usize, &String)| !(name.starts_with(&format!("{:04}_", at + 1)) && name.ends_with(".sql"));
    let numbered = names.iter().enumerate().filter(wrong);
    numbered.map(|(at, name)| Breach::new(name, format!("the next name is {:04}_<what it adds>.sql", at + 1))).collect()
}

fn names_in(folder: &str) -> Vec<String> {
    let folder = tree::root().join("crates/store/migrations").join(folder);
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn migrations_are_the_same_for_both_databases() {
    let (sqlite, postgres) = (names_in("sqlite"), names_in("postgres"));
    assert!(!sqlite.is_empty(), "there are no migrations");
    assert_kept(&uneven(&sqlite, &postgres));
    assert_kept(&badly_numbered(&sqlite));
}

#[test]
fn uneven_migrations_are_seen() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let (sqlite, postgres) = (names(&["0001_a.sql", "0002_b.sql"]), names(&["0001_a.sql", "0002_c.sql"]));
    assert_eq!(places(&uneven(&sqlite, &postgres)), ["0002_c.sql", "0002_b.sql"]);
    assert_eq!(
        places(&badly_numbered(&names(&["0001_a.sql", "0003_b.sql", "4_c.sql", "0004_d.sql"]))),
        ["0003_b.sql", "4_c.sql"]
    );
}
