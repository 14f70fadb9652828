//! A query with its parameters, for either database.

use std::fmt::Write as _;

use sqlx::{
    Arguments, AssertSqlSafe, Decode, Encode, FromRow, Postgres, Sqlite, SqlitePool, Type,
    postgres::{PgArguments, PgConnection, PgRow},
    sqlite::{SqliteArguments, SqliteRow},
};
use uuid::Uuid;

use crate::{Result, connection::Conn, postgres::Pool, sql::Sql};

/// A value that both databases can store.
pub trait Bindable: for<'q> Encode<'q, Sqlite> + Type<Sqlite> + for<'q> Encode<'q, Postgres> + Type<Postgres> {}
impl<T> Bindable for T where T: for<'q> Encode<'q, Sqlite> + Type<Sqlite> + for<'q> Encode<'q, Postgres> + Type<Postgres>
{}

/// A row that both databases can produce: `#[derive(FromRow)]` or a tuple.
pub trait Row: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}
impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// A single column that both databases can produce.
pub trait Scalar:
    for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres> + Send + Unpin
{
}
impl<T> Scalar for T where
    T: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres> + Send + Unpin
{
}

/// A query with its parameters. Nothing happens until one of the last five methods is awaited.
#[must_use = "a query does nothing until it is awaited"]
pub struct Query<'a> {
    target: Target<'a>,
    sql: Sql,
    args: Args,
    error: Option<sqlx::Error>,
    /// Whether the prepared statement is cached.
    is_prepared: bool,
}

pub(crate) enum Target<'a> {
    LitePool(&'a SqlitePool),
    LiteTx(&'a mut Conn<Sqlite>),
    PgRead(&'a Pool),
    PgWrite(&'a Pool),
    PgTx(&'a mut Conn<Postgres>),
}

impl Target<'_> {
    fn is_sqlite(&self) -> bool {
        matches!(self, Target::LitePool(_) | Target::LiteTx(_))
    }
}

enum Args {
    Lite(SqliteArguments),
    Pg(PgArguments),
}

/// Awaits `$make(sql, args).$method(target)` of sqlx on the database of the query.
macro_rules! run {
    ($query:expr, $make:path, $method:ident) => {{
        let Query { target, sql, args, error, is_prepared } = $query;
        if let Some(error) = error {
            return Err(error.into());
        }
        // A `Sql` is made of `&'static str` fragments and placeholders alone.
        let sql = AssertSqlSafe(sql.into_text());
        match (target, args) {
            (Target::LitePool(at), Args::Lite(args)) => $make(sql, args).persistent(is_prepared).$method(at).await?,
            (Target::LiteTx(tx), Args::Lite(args)) => {
                tx.run(async |at| $make(sql, args).persistent(is_prepared).$method(at).await).await?
            }
            (target, Args::Pg(args)) => {
                on_postgres(target, async |at| $make(sql, args).persistent(is_prepared).$method(at).await).await?
            }
            _ => unreachable!("arguments follow the target"),
        }
    }};
}

/// The same for statements that return no rows: the two result types differ.
macro_rules! affected {
    ($query:expr) => {{
        let Query { target, sql, args, error, .. } = $query;
        if let Some(error) = error {
            return Err(error.into());
        }
        let sql = AssertSqlSafe(sql.into_text());
        match (target, args) {
            (Target::LitePool(at), Args::Lite(args)) => sqlx::query_with(sql, args).execute(at).await?.rows_affected(),
            (Target::LiteTx(tx), Args::Lite(args)) => {
                tx.run(async |at| sqlx::query_with(sql, args).execute(at).await).await?.rows_affected()
            }
            (target, Args::Pg(args)) => {
                on_postgres(target, async |at| sqlx::query_with(sql, args).execute(at).await).await?.rows_affected()
            }
            _ => unreachable!("arguments follow the target"),
        }
    }};
}

/// Runs a statement on a connection from the pool, or in its transaction.
async fn on_postgres<T>(
    target: Target<'_>,
    send: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T>,
) -> sqlx::Result<T> {
    match target {
        Target::PgRead(pool) => pool.for_read().await?.run(send).await,
        Target::PgWrite(pool) => pool.for_write().await?.run(send).await,
        Target::PgTx(transaction) => transaction.run(send).await,
        Target::LitePool(_) | Target::LiteTx(_) => unreachable!("arguments follow the target"),
    }
}

impl<'a> Query<'a> {
    pub(crate) fn new(target: Target<'a>, sql: Sql) -> Self {
        let args = match target.is_sqlite() {
            true => Args::Lite(Default::default()),
            false => Args::Pg(Default::default()),
        };
        Query { target, sql, args, error: None, is_prepared: true }
    }

    /// Sets whether the prepared statement is cached. The default is true.
    pub(crate) fn prepared_if(mut self, is_prepared: bool) -> Self {
        self.is_prepared = is_prepared;
        self
    }

    /// Binds the value of the next placeholder.
    pub fn bind(mut self, value: impl Bindable) -> Self {
        let added = match &mut self.args {
            Args::Lite(args) => args.add(value),
            Args::Pg(args) => args.add(value),
        };
        self.error = self.error.or(added.err().map(sqlx::Error::Encode));
        self
    }

    /// Binds ids for `id in (select unhex(value) from json_each($n))`.
    pub fn bind_ids(mut self, ids: impl IntoIterator<Item = impl Into<Uuid>>) -> Self {
        let ids = ids.into_iter().map(Into::into);
        let added = match &mut self.args {
            Args::Lite(args) => args.add(hex_list(ids)),
            Args::Pg(args) => args.add(ids.collect::<Vec<Uuid>>()),
        };
        self.error = self.error.or(added.err().map(sqlx::Error::Encode));
        self
    }

    /// Binds numbers for `id in (select value from json_each($n))`.
    pub(crate) fn bind_numbers(mut self, numbers: impl IntoIterator<Item = impl Into<i64>>) -> Self {
        let numbers = numbers.into_iter().map(Into::into);
        let added = match &mut self.args {
            Args::Lite(args) => args.add(number_list(numbers)),
            Args::Pg(args) => args.add(numbers.collect::<Vec<i64>>()),
        };
        self.error = self.error.or(added.err().map(sqlx::Error::Encode));
        self
    }

    /// Binds an array for `unnest($n)`, on PostgreSQL only.
    pub(crate) fn bind_column<'v, T>(mut self, values: Vec<T>) -> Self
    where
        Vec<T>: Encode<'v, Postgres> + Type<Postgres>,
    {
        let added = match &mut self.args {
            Args::Lite(_) => Err("columns of values are for PostgreSQL".into()),
            Args::Pg(args) => args.add(values),
        };
        self.error = self.error.or(added.err().map(sqlx::Error::Encode));
        self
    }

    /// Binds texts for `name in (select value from json_each($n))`.
    pub(crate) fn bind_texts(mut self, texts: Vec<String>) -> Self {
        let added = match &mut self.args {
            Args::Lite(args) => args.add(serde_json::Value::from(texts).to_string()),
            Args::Pg(args) => args.add(texts),
        };
        self.error = self.error.or(added.err().map(sqlx::Error::Encode));
        self
    }

    /// Returns all rows.
    pub async fn all<T: Row>(self) -> Result<Vec<T>> {
        Ok(run!(self, sqlx::query_as_with, fetch_all))
    }

    /// Returns the first row. Fails without one.
    pub async fn one<T: Row>(self) -> Result<T> {
        Ok(run!(self, sqlx::query_as_with, fetch_one))
    }

    /// Returns the first row, if there is one.
    pub async fn optional<T: Row>(self) -> Result<Option<T>> {
        Ok(run!(self, sqlx::query_as_with, fetch_optional))
    }

    /// Returns the first column of the first row. Fails without a row.
    pub async fn scalar<T: Scalar>(self) -> Result<T> {
        Ok(run!(self, sqlx::query_scalar_with, fetch_one))
    }

    /// Runs a statement. Returns the number of changed rows.
    pub async fn execute(self) -> Result<u64> {
        Ok(affected!(self))
    }
}

/// A JSON array of numbers.
fn number_list(numbers: impl Iterator<Item = i64>) -> String {
    let mut list = String::from("[");
    for number in numbers {
        let comma = if list.len() > 1 { "," } else { "" };
        // Writing to a String cannot fail.
        let _ = write!(list, "{comma}{number}");
    }
    list.push(']');
    list
}

/// A JSON array of hexadecimal strings. SQLite stores a uuid as a blob, and JSON has no blobs.
fn hex_list(ids: impl Iterator<Item = Uuid>) -> String {
    let mut list = String::from("[");
    for id in ids {
        if list.len() > 1 {
            list.push(',');
        }
        list.push('"');
        list.push_str(id.simple().encode_lower(&mut Uuid::encode_buffer()));
        list.push('"');
    }
    list.push(']');
    list
}
