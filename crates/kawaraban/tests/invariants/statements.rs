//! SQL is in one crate, and transactions are closures. `Db::read`, `Db::write` and `Db::begin` are public only for tests.

use syn::{
    Expr, ExprLit, ExprMethodCall, Lit, Member,
    visit::{self, Visit},
};

use crate::{
    Breach, assert_kept,
    layers::TESTKIT,
    places,
    tree::{self, SourceFile},
};

/// The lines with `.read("…")`, `.write("…")` or `.query("…")`, and with `db.begin()`.
#[derive(Default)]
struct Statements(Vec<usize>);

impl Visit<'_> for Statements {
    fn visit_expr_method_call(&mut self, call: &ExprMethodCall) {
        let asks = ["read", "write", "query"].iter().any(|name| call.method == name);
        let text = matches!(call.args.first(), Some(Expr::Lit(ExprLit { lit: Lit::Str(_), .. })));
        if asks && text || call.method == "begin" && is_db(&call.receiver) {
            self.0.push(call.method.span().start().line);
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// `db`, or a field of that name.
fn is_db(receiver: &Expr) -> bool {
    match receiver {
        Expr::Path(path) => path.path.is_ident("db"),
        Expr::Field(field) => matches!(&field.member, Member::Named(name) if name == "db"),
        _ => false,
    }
}

fn statements_elsewhere(file: &SourceFile) -> Vec<Breach> {
    if file.krate() == "store" || file.krate() == TESTKIT {
        return Vec::new();
    }
    let mut statements = Statements::default();
    match file.items_without_tests() {
        Ok(items) => items.iter().for_each(|item| statements.visit_item(item)),
        Err(breach) => return vec![breach],
    }
    let breach = |line: &usize| {
        Breach::new(
            format!("{}:{line}", file.path),
            "SQL belongs in store, in its table's file; a transaction is `db.transact(async |tx| …)`",
        )
    };
    statements.0.iter().map(breach).collect()
}

#[test]
fn all_sql_is_in_store() {
    assert_kept(&tree::rust_files().iter().flat_map(statements_elsewhere).collect::<Vec<_>>());
}

#[test]
fn sql_elsewhere_is_seen() {
    let text = "async fn f(db: Db) {\n db.read(\"select 1\").one().await;\n file.read(&mut buffer); tx.query(\"x\"); }";
    let seen = statements_elsewhere(&SourceFile::new("crates/queue/src/lib.rs", text));
    assert_eq!(places(&seen), ["crates/queue/src/lib.rs:2", "crates/queue/src/lib.rs:3"]);
    assert_eq!(statements_elsewhere(&SourceFile::new("crates/store/src/jobs.rs", text)), []);
    let text = "async fn f() {\n self.db.begin().await;\n db.begin();\n provider.begin(); }";
    let seen = statements_elsewhere(&SourceFile::new("crates/read/src/lib.rs", text));
    assert_eq!(places(&seen), ["crates/read/src/lib.rs:2", "crates/read/src/lib.rs:3"]);
}

/// The files of store that ask which database it is, without `dialect.rs`, which names them, and those that use its texts.
fn differing(files: &[SourceFile]) -> Vec<String> {
    let own_texts = |text: &str| text.replace("_either(dialect::", "").contains("_either(");
    let asks = |file: &&SourceFile| file.text.contains("is_postgres()") || own_texts(&file.text);
    let names = files.iter().filter(asks).filter_map(|file| file.path.strip_prefix("crates/store/src/"));
    names.filter(|name| *name != "dialect.rs").map(str::to_owned).collect()
}

#[test]
fn dialect_names_every_difference() {
    let files = tree::rust_files();
    let dialect = files.iter().find(|file| file.path == "crates/store/src/dialect.rs").unwrap();
    let heading: Vec<&str> = dialect.text.lines().take_while(|line| line.starts_with("//!")).collect();
    let heading = heading.join("\n");
    let named = |name: &str| heading.contains(&format!("`{name}`"));
    let missing: Vec<Breach> = differing(&files)
        .iter()
        .filter(|name| !named(name))
        .map(|name| Breach::new(name, "has SQL for one database: name it in dialect.rs, with the reason"))
        .collect();
    assert_kept(&missing);
    let differing = differing(&files);
    let names = heading.split('`').filter(|name| name.ends_with(".rs") && !differing.iter().any(|file| file == name));
    let stale: Vec<Breach> =
        names.map(|name| Breach::new(name, "is named in dialect.rs and has no difference")).collect();
    assert_kept(&stale);
}

#[test]
fn a_difference_is_seen() {
    let file = |path, text| SourceFile::new(path, text);
    let files = [
        file("crates/store/src/users.rs", "tx.query_either(\"a\", \"b\")"),
        file("crates/store/src/feeds/claim.rs", "if db.is_postgres() {}"),
        file("crates/store/src/dialect.rs", "if tx.is_postgres() {}"),
        file("crates/store/src/tokens.rs", "tx.query(\"a\")"),
        file("crates/store/src/jobs/claim.rs", "tx.query_either(dialect::SQLITE, dialect::POSTGRES)"),
        file("crates/read/src/reader.rs", "db.is_postgres()"),
    ];
    assert_eq!(differing(&files), ["users.rs", "feeds/claim.rs"]);
}
