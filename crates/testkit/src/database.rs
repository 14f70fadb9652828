//! An empty, migrated database for one test, deleted afterwards.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Deref,
    path::Path,
};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use store::{DatabaseAddress, Db};
use tempfile::TempDir;
use tokio::sync::OnceCell;
use uuid::Uuid;

/// Small enough for a hundred concurrent tests on one server.
const MAX_CONNECTIONS: u32 = 4;
/// An arbitrary number for the advisory lock.
const TEMPLATE_LOCK: i64 = 5_720_961;

/// A database that belongs to one test.
pub struct TestDb {
    db: Db,
    url: String,
    home: Home,
}

enum Home {
    Folder(#[expect(dead_code, reason = "removed when dropped")] TempDir),
    Server { name: String },
}

impl TestDb {
    /// An SQLite file, copied from a migrated one.
    pub async fn sqlite() -> TestDb {
        static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
        let template = TEMPLATE.get_or_init(sqlite_template).await;
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("test.db");
        fs::write(&file, template).expect("a copy of the template");
        let url = format!("sqlite://{}", file.display());
        TestDb { db: open(&url).await, url, home: Home::Folder(folder) }
    }

    /// A database on the PostgreSQL server that `scripts/with-postgres` has found or started.
    pub async fn postgres() -> TestDb {
        static TEMPLATE: OnceCell<String> = OnceCell::const_new();
        let template = TEMPLATE.get_or_init(postgres_template).await;
        let name = format!("kawaraban_test_{}", Uuid::new_v4().simple());
        server_statement(format!("create database {name} template {template}")).await;
        let url = database_url(&name);
        TestDb { db: open(&url).await, url, home: Home::Server { name } }
    }

    /// Its address, for another process or another pool.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops `users` and `items` from growing: SQLite may add no page, PostgreSQL raises the error of a full disk.
    pub async fn fill_disk(&self) {
        let statements: &[&'static str] = match self.db.is_postgres() {
            false => &["pragma max_page_count = 1"],
            true => &[
                "create function disk_full() returns trigger language plpgsql as $$
                    begin raise exception 'could not extend file' using errcode = '53100'; end $$",
                "create trigger disk_full before insert on users for each row execute function disk_full()",
                "create trigger disk_full before insert on items for each row execute function disk_full()",
            ],
        };
        for &statement in statements {
            self.db.write(statement).execute().await.expect("a full disk");
        }
    }

    /// Undoes [`TestDb::fill_disk`].
    pub async fn free_disk(&self) {
        let free = match self.db.is_postgres() {
            false => "pragma max_page_count = 4294967294",
            true => "drop function disk_full cascade",
        };
        self.db.write(free).execute().await.expect("room on the disk");
    }

    /// An owned handle.
    pub fn db(&self) -> Db {
        self.db.clone()
    }
}

impl Deref for TestDb {
    type Target = Db;
    fn deref(&self) -> &Db {
        &self.db
    }
}

impl Drop for TestDb {
    fn drop(&mut self) {
        let Home::Server { name } = &self.home else { return };
        let sql = format!("drop database if exists {name} with (force)");
        // A new runtime: the test's may be shutting down.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(server_statement(sql));
        });
        // A panic here during a panic of the test would hide the test's message.
        let _ = dropped.join();
    }
}

async fn open(url: &str) -> Db {
    let address: DatabaseAddress = url.parse().expect("an address made here");
    Db::open(&address, MAX_CONNECTIONS).await.expect("a database made here")
}

async fn sqlite_template() -> Vec<u8> {
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("template.db");
    let db = open(&format!("sqlite://{}", file.display())).await;
    db.migrate().await.expect("migrations");
    // Closing the last connection moves the WAL into the file.
    db.close().await;
    fs::read(&file).expect("the template")
}

/// One template for all processes of a run, named after its migrations.
async fn postgres_template() -> String {
    let name = format!("kawaraban_template_{:016x}", migrations_fingerprint());
    let mut server = server().await;
    let locked = sqlx::query("select pg_advisory_lock($1)").bind(TEMPLATE_LOCK).execute(&mut server).await;
    locked.expect("the template's lock");
    let exists: bool = sqlx::query_scalar("select exists (select 1 from pg_database where datname = $1)")
        .bind(&name)
        .fetch_one(&mut server)
        .await
        .expect("the list of databases");
    if !exists {
        // Created under another name first, so that a crash does not leave an incomplete template.
        let draft = format!("{name}_draft");
        for sql in [format!("drop database if exists {draft} with (force)"), format!("create database {draft}")] {
            server.execute(AssertSqlSafe(sql)).await.expect("a draft of the template");
        }
        let db = open(&database_url(&draft)).await;
        db.migrate().await.expect("migrations");
        db.close().await;
        server.execute(AssertSqlSafe(format!("alter database {draft} rename to {name}"))).await.expect("the template");
    }
    server.close().await.expect("the end of the lock");
    name
}

fn migrations_fingerprint() -> u64 {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/migrations/postgres");
    let entries = fs::read_dir(&folder).expect("the migrations");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a migration").path()).collect();
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        fs::read(&file).expect("a migration").hash(&mut hasher);
    }
    hasher.finish()
}

async fn server_statement(sql: String) {
    let mut server = server().await;
    server.execute(AssertSqlSafe(sql.as_str().to_owned())).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

async fn server() -> PgConnection {
    PgConnection::connect(&server_url()).await.expect("the PostgreSQL server of KAWARABAN_TEST_POSTGRES")
}

/// The server's address with another database in it.
fn database_url(name: &str) -> String {
    let url = server_url();
    let (base, query) = url.split_once('?').map_or((url.as_str(), String::new()), |(b, q)| (b, format!("?{q}")));
    let slash = base.rfind('/').filter(|&at| at > base.find("//").map_or(0, |at| at + 1));
    format!("{}/{name}{query}", &base[..slash.unwrap_or(base.len())])
}

#[expect(clippy::disallowed_methods, reason = "how the test command tells the tests about its server")]
fn server_url() -> String {
    std::env::var("KAWARABAN_TEST_POSTGRES").unwrap_or_else(|_| {
        panic!(
            "this test needs a PostgreSQL server: run `make test`, or `scripts/with-postgres cargo test …`, \
             or set KAWARABAN_TEST_POSTGRES to the address of one in which databases may be created"
        )
    })
}
