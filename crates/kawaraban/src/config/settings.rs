//! The table of settings: one row each, and everything else follows from it: reading, checking, `kawaraban config`
//! and docs/configuration.md.
//!
//! A row reads `NAME field: Type = kind, default;`, in groups that name the commands that use them. A default that depends on others names only rows above it.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use accounts::SignupAllowed;
use ipnet::IpNet;
use store::DatabaseAddress;
use url::Url;

use super::{
    defaults::{self, Known},
    kinds::{
        AnyKind, Database, Durations, Email, EmailsAndDomains, File, Filter, Folder, Format, Hidden, HttpUrl, Ip,
        Issuer, Kind, Label, ListenOn, LogFormat, Nets, Number, Optional, Origin, Switch, Text,
    },
    secret::Secret,
};

/// What is said about a setting.
pub struct Setting {
    pub name: &'static str,
    /// The group it is shown in.
    pub section: &'static str,
    /// The commands that use it.
    pub used_by: &'static str,
    /// What it is for, in a sentence or two.
    pub doc: &'static str,
    pub kind: &'static dyn AnyKind,
    /// What holds when it is not set.
    pub fallback: Fallback,
}

/// What holds when a setting is not set.
pub enum Fallback {
    /// Nothing.
    Nothing,
    /// This text.
    Text(&'static str),
    /// A text that depends on other settings, and how to say so.
    Derived(&'static str, fn(&Known<'_>) -> Option<String>),
}

/// Where the table's texts come from and where its problems go.
pub trait Source {
    /// The value of a setting, if it can be used.
    fn value<K: Kind>(&mut self, name: &'static str, kind: &K) -> Option<K::Value>;
}

macro_rules! settings {
    ($($section:literal for $used_by:literal { $($(#[doc = $doc:literal])+ $name:ident $field:ident: $type:ty = $kind:expr, $fallback:expr;)* })*) => {
        /// All settings, checked and typed. Read once at the start, never changed.
        #[derive(Debug)]
        #[expect(dead_code, reason = "chapters to come read the rest; what the documents name is checked from the start")]
        pub struct Config {
            $($($(#[doc = $doc])+ pub $field: $type,)*)*
        }

        /// Every setting, in the order they are shown.
        pub const TABLE: &[Setting] = &[$($(Setting {
            name: stringify!($name),
            section: $section,
            used_by: $used_by,
            doc: concat!($($doc),+),
            kind: &$kind,
            fallback: $fallback,
        },)*)*];

        /// The settings as far as they can be used: `None` is one that cannot.
        pub(super) struct Draft {
            $($(pub(super) $field: Option<$type>,)*)*
        }

        impl Draft {
            /// Reads every setting, so that all problems are found.
            pub(super) fn read(from: &mut impl Source) -> Draft {
                Draft { $($($field: from.value(stringify!($name), &$kind),)*)* }
            }

            /// The typed settings, if all of them can be used.
            pub(super) fn complete(self) -> Option<Config> {
                Some(Config { $($($field: self.$field?,)*)* })
            }
        }
    };
}

use Fallback::{Derived, Nothing, Text as Is};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const YEAR: u64 = 8_760 * HOUR;

settings! {
    "Data" for "every command" {
        /// Where everything is kept that this machine keeps: the SQLite database and the session secret.
        KAWARABAN_DATA_DIR data_dir: PathBuf = Folder,
            Derived("`$XDG_DATA_HOME/kawaraban`, else `~/.local/share/kawaraban`", defaults::data_dir);
        /// The database. SQLite is for one machine; PostgreSQL is for several, with `api` and `worker` apart.
        DATABASE_URL database_url: DatabaseAddress = Database,
            Derived("the SQLite file `kawaraban.db` in `KAWARABAN_DATA_DIR`", defaults::database_url);
        /// The most connections that one process opens to PostgreSQL. SQLite does not use it.
        DATABASE_MAX_CONNECTIONS database_max_connections: u32 = Number { least: 2, most: 1_000 }, Is("10");
        /// The file with watched blogs and bots (chapters Watch and Post).
        KAWARABAN_CONFIG config_file: Option<PathBuf> = Optional(File), Nothing;
    }
    "Server" for "`serve`, `api` and `healthcheck`" {
        /// The address of this machine to listen on.
        SERVER_HOST server_host: IpAddr = Ip, Is("0.0.0.0");
        /// The port to listen on; 0 takes any free one and prints it.
        SERVER_PORT server_port: u16 = Number { least: 0, most: u16::MAX }, Is("8080");
        /// The address that users type. With https, cookies are for https only.
        BASE_URL base_url: Url = HttpUrl, Derived("`http://localhost:SERVER_PORT`", defaults::base_url);
        /// The one other origin from which browsers may use the API.
        CORS_ALLOWED_ORIGIN cors_allowed_origin: Option<Url> = Optional(Origin), Nothing;
        /// Where sign-in returns to.
        FRONTEND_URL frontend_url: Url = HttpUrl,
            Derived("`CORS_ALLOWED_ORIGIN`, else `BASE_URL`", defaults::frontend_url);
        /// The reverse proxies whose `X-Forwarded-For` is believed. Without any, whoever connects is who asks.
        TRUSTED_PROXIES trusted_proxies: Vec<IpNet> = Nets, Nothing;
    }
    "Sign-in" for "`serve` and `api`" {
        /// What cookies are encrypted and signed with. `api` needs it; `serve` makes one and keeps it in
        /// `KAWARABAN_DATA_DIR`.
        SESSION_SECRET session_secret: Option<Secret> = Optional(Hidden { least_bytes: 32 }), Nothing;
        /// How long a session lasts after it was last used.
        SESSION_MAX_AGE session_max_age: Duration = Durations { least_ms: MINUTE, most_ms: 10 * YEAR }, Is("86400");
        /// The client id that Google gave. All three of Google's, or none.
        GOOGLE_CLIENT_ID google_client_id: Option<String> = Optional(Text), Nothing;
        /// The client secret that Google gave.
        GOOGLE_CLIENT_SECRET google_client_secret: Option<Secret> = Optional(Hidden { least_bytes: 1 }), Nothing;
        /// Where Google sends users back to, as registered there: `BASE_URL/auth/google/callback`.
        GOOGLE_REDIRECT_URL google_redirect_url: Option<Url> = Optional(HttpUrl), Nothing;
        /// Google's issuer; another one is for tests.
        GOOGLE_ISSUER google_issuer: Option<Url> = Optional(Issuer),
            Derived("`https://accounts.google.com`, with Google's other settings", defaults::google_issuer);
        /// The issuer of any other OpenID provider, exactly as its discovery document names it. With `OIDC_CLIENT_ID` and
        /// `OIDC_CLIENT_SECRET`, or none of them.
        OIDC_ISSUER oidc_issuer: Option<Url> = Optional(Issuer), Nothing;
        /// The client id that the provider gave.
        OIDC_CLIENT_ID oidc_client_id: Option<String> = Optional(Text), Nothing;
        /// The client secret that the provider gave.
        OIDC_CLIENT_SECRET oidc_client_secret: Option<Secret> = Optional(Hidden { least_bytes: 1 }), Nothing;
        /// What the provider is called where people sign in.
        OIDC_NAME oidc_name: Option<String> = Optional(Label),
            Derived("`OpenID`, with the other settings of the provider", defaults::oidc_name);
        /// Where the provider sends users back to, as registered there.
        OIDC_REDIRECT_URL oidc_redirect_url: Option<Url> = Optional(HttpUrl),
            Derived("`BASE_URL/auth/oidc/callback`", defaults::oidc_redirect_url);
        /// Whether people may sign in with a password. Without a provider nobody else can.
        LOCAL_ACCOUNTS local_accounts: bool = Switch,
            Derived("`true`; `false` when a provider is configured", defaults::local_accounts);
        /// Whether anybody may make themselves an account with a password.
        LOCAL_REGISTRATION local_registration: bool = Switch, Is("false");
        /// Who may make an account, with a password or with a provider. Everybody if not set. It does not shut out who has one.
        SIGNUP_ALLOWED signup_allowed: SignupAllowed = EmailsAndDomains, Nothing;
        /// Who becomes an owner when they sign in with a provider that has verified this address.
        OWNER_EMAIL owner_email: Option<String> = Optional(Email), Nothing;
        /// How many requests a user may make in a minute; as many are for an address before it is known who asks.
        RATE_LIMIT_GENERAL rate_limit_general: u32 = Number { least: 1, most: 1_000_000 }, Is("120");
        /// How many feeds a user may register in a minute.
        RATE_LIMIT_FEED_REG rate_limit_feed_reg: u32 = Number { least: 1, most: 1_000_000 }, Is("10");
        /// How often an address may try to sign in or to register in a minute. Of these, ten wrong passwords at the most.
        RATE_LIMIT_SIGN_IN rate_limit_sign_in: u32 = Number { least: 1, most: 1_000_000 }, Is("60");
    }
    "Reading" for "`serve`, `api` and `worker`" {
        /// The most feeds that a member may subscribe to; 0 for any number. Owners have no limit.
        SUBSCRIPTION_LIMIT subscription_limit: u32 = Number { least: 0, most: 1_000_000 }, Is("100");
        /// For how many days items are kept after they arrived. Starred ones, and those their feed still has, stay.
        ITEM_RETENTION_DAYS item_retention_days: u32 = Number { least: 1, most: 36_500 }, Is("180");
        /// For how many days a feed is kept that nobody subscribes to, with its items; 0 keeps it for ever.
        ORPHAN_FEED_DAYS orphan_feed_days: u32 = Number { least: 0, most: 36_500 }, Is("90");
    }
    "Fetching" for "`serve`, `api` and `worker`" {
        /// How long one fetch may take, redirects included.
        FETCH_TIMEOUT fetch_timeout: Duration = Durations { least_ms: 100, most_ms: HOUR }, Is("10s");
        /// The largest body that is accepted, in bytes after decompression.
        FETCH_MAX_SIZE fetch_max_size: usize = Number { least: 1_024, most: 1_073_741_824 }, Is("5242880");
        /// How many feeds are fetched at once.
        FETCH_MAX_CONCURRENT fetch_max_concurrent: usize = Number { least: 1, most: 10_000 }, Is("10");
        /// How long the scheduler sleeps at the most.
        FETCH_INTERVAL fetch_interval: Duration = Durations { least_ms: 1_000, most_ms: 24 * HOUR }, Is("5m");
        /// Who we say we are. Name a page or an address where you can be reached.
        FETCH_USER_AGENT fetch_user_agent: String = Text,
            Derived("the program and its version, with `BASE_URL` when that is set", defaults::user_agent);
        /// Networks that may be fetched from although they are not public: your own, where your feeds are.
        FETCH_ALLOW_NETS fetch_allow_nets: Vec<IpNet> = Nets, Nothing;
        /// How many background fetches go to one host at once.
        FETCH_HOST_CONCURRENCY fetch_host_concurrency: usize = Number { least: 1, most: 1_000 }, Is("2");
        /// How far apart background fetches from one host start.
        FETCH_HOST_GAP fetch_host_gap: Duration = Durations { least_ms: 0, most_ms: HOUR }, Is("500ms");
    }
    "Hatena bookmarks" for "`serve` and `worker`" {
        /// Whether bookmark counts are asked for.
        HATEBU_ENABLED hatebu_enabled: bool = Switch, Is("true");
        /// The API; `/count/entries` is appended.
        HATEBU_API_URL hatebu_api_url: Url = HttpUrl, Is("https://bookmark.hatenaapis.com");
        /// How long a count is good for.
        HATEBU_TTL hatebu_ttl: Duration = Durations { least_ms: MINUTE, most_ms: YEAR }, Is("24h");
        /// How far apart rounds start.
        HATEBU_BATCH_INTERVAL hatebu_batch_interval: Duration = Durations { least_ms: 1_000, most_ms: 24 * HOUR }, Is("10m");
        /// How far apart the calls of a round start.
        HATEBU_API_INTERVAL hatebu_api_interval: Duration = Durations { least_ms: 0, most_ms: HOUR }, Is("5s");
        /// The most calls in a round.
        HATEBU_MAX_CALLS_PER_CYCLE hatebu_max_calls_per_cycle: u32 = Number { least: 1, most: 10_000 }, Is("100");
        /// The most calls in a day (UTC), of all workers together.
        HATEBU_MAX_CALLS_PER_DAY hatebu_max_calls_per_day: u32 = Number { least: 1, most: 10_000_000 }, Is("14400");
    }
    "Jobs" for "`serve` and `worker`" {
        /// How long a job belongs to a worker that gives no sign of life. Renewed while it runs.
        JOB_LEASE job_lease: Duration = Durations { least_ms: 1_000, most_ms: 24 * HOUR }, Is("60s");
        /// How many jobs a worker runs at once.
        JOB_CONCURRENCY job_concurrency: usize = Number { least: 1, most: 1_000 }, Is("16");
        /// How long succeeded jobs are kept.
        JOB_KEEP_SUCCEEDED job_keep_succeeded: Duration = Durations { least_ms: 0, most_ms: 10 * YEAR }, Is("24h");
        /// How long failed jobs are kept, for a person to look at and retry.
        JOB_KEEP_FAILED job_keep_failed: Duration = Durations { least_ms: 0, most_ms: 10 * YEAR }, Is("720h");
    }
    "Metrics" for "`serve`, `api` and `worker`" {
        /// The token that opens `/metrics` on the main port, as `Authorization: Bearer …`. Without it the page is not
        /// there.
        METRICS_TOKEN metrics_token: Option<Secret> = Optional(Hidden { least_bytes: 16 }), Nothing;
        /// A second address with `/metrics` alone, without a token. `worker` has it too.
        METRICS_ADDR metrics_addr: Option<SocketAddr> = Optional(ListenOn), Nothing;
    }
    "Log" for "every command" {
        /// How much is logged, to the standard error.
        LOG_LEVEL log_level: String = Filter, Is("info");
        /// How it is written.
        LOG_FORMAT log_format: LogFormat = Format, Derived("`text` on a terminal, else `json`", defaults::log_format);
        /// A folder for the log of `serve`, `api` and `worker` as well: JSON, one file a day (UTC). Files older than 14 days are removed.
        LOG_DIR log_dir: Option<PathBuf> = Optional(Folder), Nothing;
    }
}
