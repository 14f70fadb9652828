//! SQL is in one crate, and transactions are closures. `Db::read`, `Db::write` and `Db::begin` are public for tests alone.

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
