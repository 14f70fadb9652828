//! The columns of a table with their types and values, listed once for inserts, updates and copies.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{Query, Result, Row, Tx, sql::Sql};

/// A column, and how a row of type `R` fills it.
pub(crate) struct Column<R> {
    pub name: &'static str,
    value: Value<R>,
}

enum Value<R> {
    Uuid(fn(&R) -> Uuid),
    Text(for<'r> fn(&'r R) -> Option<&'r str>),
    Time(fn(&R) -> DateTime<Utc>),
    Number(fn(&R) -> i64),
    Bool(fn(&R) -> bool),
}

impl<R> Column<R> {
    pub const fn uuid(name: &'static str, value: fn(&R) -> Uuid) -> Self {
        Column { name, value: Value::Uuid(value) }
    }

    pub const fn text(name: &'static str, value: for<'r> fn(&'r R) -> Option<&'r str>) -> Self {
        Column { name, value: Value::Text(value) }
    }

    pub const fn time(name: &'static str, value: fn(&R) -> DateTime<Utc>) -> Self {
        Column { name, value: Value::Time(value) }
    }

    pub const fn number(name: &'static str, value: fn(&R) -> i64) -> Self {
        Column { name, value: Value::Number(value) }
    }

    pub const fn bool(name: &'static str, value: fn(&R) -> bool) -> Self {
        Column { name, value: Value::Bool(value) }
    }

    /// The PostgreSQL type.
    fn type_name(&self) -> &'static str {
        match self.value {
            Value::Uuid(_) => "uuid",
            Value::Text(_) => "text",
            Value::Time(_) => "timestamptz",
            Value::Number(_) => "bigint",
            Value::Bool(_) => "boolean",
        }
    }

    /// Binds the value of one row.
    pub fn bind<'q>(&self, query: Query<'q>, row: &R) -> Query<'q> {
        match self.value {
            Value::Uuid(of) => query.bind(of(row)),
            Value::Text(of) => query.bind(of(row).map(str::to_owned)),
            Value::Time(of) => query.bind(of(row)),
            Value::Number(of) => query.bind(of(row)),
            Value::Bool(of) => query.bind(of(row)),
        }
    }

    /// Binds the values of all rows, for `unnest` on PostgreSQL.
    fn bind_all<'q>(&self, query: Query<'q>, rows: &[R]) -> Query<'q> {
        match self.value {
            Value::Uuid(of) => query.bind_column(rows.iter().map(of).collect()),
            Value::Text(of) => query.bind_column(rows.iter().map(of).collect()),
            Value::Time(of) => query.bind_column(rows.iter().map(of).collect()),
            Value::Number(of) => query.bind_column(rows.iter().map(of).collect()),
            Value::Bool(of) => query.bind_column(rows.iter().map(of).collect()),
        }
    }
}

/// `a, b`: the names of columns, each with `prefix`.
pub(crate) fn names<R>(prefix: &'static str, columns: &[Column<R>]) -> Sql {
    Sql::list(prefix, columns.iter().map(|column| column.name))
}

/// `unnest(cast($1 as uuid[]), …) as e (a, …)`: rows as a table on PostgreSQL. [`bind_table`] binds the values.
pub(crate) fn table<R>(columns: &[Column<R>]) -> Sql {
    let arrays = Sql::arrays(columns.iter().map(Column::type_name));
    Sql::from("unnest({arrays}) as e ({names})").with("arrays", &arrays).with("names", &names("", columns))
}

/// Binds the values of [`table`].
pub(crate) fn bind_table<'q, R>(query: Query<'q>, columns: &[Column<R>], rows: &[R]) -> Query<'q> {
    columns.iter().fold(query, |query, column| column.bind_all(query, rows))
}

impl Tx {
    /// Inserts rows with few statements. Returns the rows of the `returning` clause in `tail`.
    ///
    /// PostgreSQL gets one array per column: a placeholder for each value costs the server more than the rows do. SQLite has no
    /// arrays and gets placeholders.
    pub(crate) async fn insert_rows<R, T: Row>(
        &mut self,
        table_name: &'static str,
        columns: &[Column<R>],
        tail: &'static str,
        rows: &[R],
    ) -> Result<Vec<T>> {
        let insert = Sql::fill(&["insert into {table} ({names})"], &[("table", table_name)]);
        let insert = insert.with("names", &names("", columns));
        if !self.is_postgres() {
            return self
                .insert_values(&insert, columns.len(), tail, rows, |query, row| {
                    columns.iter().fold(query, |query, column| column.bind(query, row))
                })
                .await;
        }
        let sql = Sql::fill(&["{insert} select e.* from {table} {tail}"], &[("tail", tail)]);
        let sql = sql.with("insert", &insert).with("table", &table(columns));
        bind_table(self.query_built(sql), columns, rows).all().await
    }
}
