//! Compares the table of errors with the error enums.

use std::collections::{BTreeMap, BTreeSet};

use accounts::openid::OpenIdError;
use read::{ImportFailure, Problem};
use strum::VariantNames;

use super::{
    ApiError, Error,
    problem_table::{self, IMPORT_FAILURES, PROBLEMS},
    row::{ErrorRow, MessageValues, next_placeholder},
    table::{self, ERRORS},
};

/// Variants with an inner error, which has its own row.
const WITHOUT_ROW: [&str; 3] = ["store", "origin", "address_refused"];

impl ApiError {
    /// The error with this code, without its numbers.
    pub(crate) fn of_code(code: &str) -> ApiError {
        ApiError::new(table::find(code), MessageValues::new())
    }

    /// The error with this stored problem code.
    pub(crate) fn of_problem(code: &str) -> ApiError {
        ApiError::new(problem_table::find_problem(code), MessageValues::new())
    }
}

#[test]
fn codes_and_rows_match() {
    let enums = [Error::VARIANTS, store::Error::VARIANTS, accounts::Error::VARIANTS, OpenIdError::VARIANTS];
    let mut codes: BTreeSet<&str> = enums.concat().into_iter().chain(read::Error::VARIANTS.iter().copied()).collect();
    codes.retain(|code| !WITHOUT_ROW.contains(code));
    check_keys(ERRORS, codes);
    check_keys(PROBLEMS, Problem::VARIANTS.iter().copied().collect());
    check_keys(IMPORT_FAILURES, ImportFailure::VARIANTS.iter().copied().collect());
}

fn check_keys(rows: &[ErrorRow], codes: BTreeSet<&str>) {
    let keys: BTreeSet<&str> = rows.iter().map(|row| row.key).collect();
    assert_eq!(keys, codes);
    assert_eq!(keys.len(), rows.len(), "one row per code");
}

#[test]
fn numbers_are_the_placeholders_of_the_row() {
    let sources = [
        (Error::VARIANTS, include_str!("../error.rs")),
        (accounts::Error::VARIANTS, include_str!("../../../accounts/src/error.rs")),
        (read::Error::VARIANTS, include_str!("../../../read/src/error.rs")),
    ];
    let mut numbers = BTreeMap::new();
    for (codes, source) in sources {
        let variants = numbers_of_variants(source);
        assert_eq!(codes.len(), variants.len());
        for (code, names) in codes.iter().zip(variants) {
            let known = numbers.entry(*code).or_insert_with(|| names.clone());
            assert_eq!(*known, names, "{code} in several crates");
        }
    }
    for row in ERRORS.iter().chain(PROBLEMS).chain(IMPORT_FAILURES) {
        let numbers = numbers.get(row.key).cloned().unwrap_or_default();
        assert_eq!(placeholders([row.message.en, row.action.en]), numbers, "{} in English", row.key);
        assert_eq!(placeholders([row.message.ja, row.action.ja]), numbers, "{} in Japanese", row.key);
    }
}

/// The names of the numbers in each variant of `enum Error`.
fn numbers_of_variants(source: &str) -> Vec<BTreeSet<String>> {
    let file = syn::parse_file(source).unwrap();
    let found = file.items.into_iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == "Error" => Some(item.variants),
        _ => None,
    });
    let is_number = |field: &syn::Field| match &field.ty {
        syn::Type::Path(path) => ["u32", "u64", "usize", "i64"].iter().any(|number| path.path.is_ident(number)),
        _ => false,
    };
    let names = |fields: syn::Fields| {
        let numbers = fields.into_iter().filter(is_number);
        numbers.filter_map(|field| Some(field.ident?.to_string())).collect()
    };
    found.unwrap().into_iter().map(|variant| names(variant.fields)).collect()
}

fn placeholders(texts: [&str; 2]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for mut text in texts {
        while let Some((_, inside, after)) = next_placeholder(text) {
            found.extend(inside.split(' ').next().map(str::to_owned));
            text = after;
        }
    }
    found
}

#[test]
fn messages_are_sentences_in_both_languages() {
    for row in ERRORS.iter().chain(PROBLEMS).chain(IMPORT_FAILURES) {
        assert!(row.status().is_client_error() || row.status().is_server_error(), "{}", row.key);
        let action = row.field.is_none().then_some(row.action);
        for words in [Some(row.message), action].into_iter().flatten() {
            assert!(words.en.is_ascii() && words.en.ends_with('.'), "{}: {}", row.key, words.en);
            assert!(words.ja.ends_with('。') && !words.ja.contains("。 "), "{}: {}", row.key, words.ja);
        }
    }
}

#[test]
fn numbers_fill_the_messages() {
    let with_message = |error: ApiError| (error.row.message.filled(crate::Language::English, &error.values), error);
    let (message, _) = with_message(read::Error::FolderLimit { max: 1_000 }.into());
    assert_eq!(message, "You have reached the limit of 1,000 folders.");
    let (_, error) = with_message(read::Error::InvalidInterval { min: 30, max: 720, step: 30 }.into());
    let message = error.fields[0].row.message.filled(crate::Language::Japanese, &error.fields[0].values);
    assert_eq!(message, "30 分から 720 分の間で、30 分単位で指定してください。");
    let (_, error) = with_message(accounts::Error::TooManyAttempts { seconds: 1 }.into());
    assert_eq!(error.row.action.filled(crate::Language::English, &error.values), "Try again in 1 second.");
}
