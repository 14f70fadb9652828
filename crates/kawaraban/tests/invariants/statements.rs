//! SQL is in one crate: nobody else hands a text to the database, though `Db::read` and `Db::write` are public for tests.

use syn::{
    Expr, ExprLit, ExprMethodCall, Lit,
    visit::{self, Visit},
};

use crate::{
    Breach, assert_kept,
    layers::TESTKIT,
    places,
    tree::{self, SourceFile},
};

/// The lines with `.read("…")`, `.write("…")` or `.query("…")`.
#[derive(Default)]
struct Statements(Vec<usize>);

impl Visit<'_> for Statements {
    fn visit_expr_method_call(&mut self, call: &ExprMethodCall) {
        let asks = ["read", "write", "query"].iter().any(|name| call.method == name);
        let text = matches!(call.args.first(), Some(Expr::Lit(ExprLit { lit: Lit::Str(_), .. })));
        if asks && text {
            self.0.push(call.method.span().start().line);
        }
        visit::visit_expr_method_call(self, call);
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
    let breach =
        |line: &usize| Breach::new(format!("{}:{line}", file.path), "SQL belongs in store, in its table's file");
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
}
