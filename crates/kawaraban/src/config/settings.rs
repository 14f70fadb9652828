//! The table of settings, from which reading, checking, `kawaraban config` and docs/configuration.md are generated.
//!
//! A row is `NAME field: Type = kind, default;`, in groups with the commands that use them. A derived default may use only rows
//! above it.

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
    defaults::{self, KnownSettings},
    kinds::{
        AnySettingKind, Database, Durations, Email, EmailsAndDomains, FilePath, FolderPath, Hidden, HttpUrl, Ip,
        Issuer, Label, ListenOn, LogFilter, LogFormat, LogFormatName, Nets, Number, Optional, PlainText, SettingKind,
        Switch, WebOrigin, WebhookUrl,
    },
    secret::Secret,
};

/// A row of the table.
pub struct Setting {
    pub name: &'static str,
    pub section: &'static str,
    pub used_by: &'static str,
    pub doc: &'static str,
    pub kind: &'static dyn AnySettingKind,
    pub fallback: Fallback,
}

/// The default of a setting.
pub enum Fallback {
    /// None.
    Nothing,
    /// A fixed text.
    Text(&'static str),
    /// A text derived from other settings, with its description.
    Derived(&'static str, fn(&KnownSettings<'_>) -> Option<String>),
}

/// Provides the values of settings.
pub trait ValueSource {
    /// The value of a setting. None if it is invalid.
    fn value<K: SettingKind>(&mut self, name: &'static str, kind: &K) -> Option<K::Value>;
}

macro_rules! settings {
    ($($section:literal for $used_by:literal { $($(#[doc = $doc:literal])+ $name:ident $field:ident: $type:ty = $kind:expr, $fallback:expr;)* })*) => {
        /// All settings, checked and typed.
        #[derive(Debug)]
        pub struct Config {
            $($($(#[doc = $doc])+ pub $field: $type,)*)*
        }

        /// All settings in display order.
        pub const TABLE: &[Setting] = &[$($(Setting {
            name: stringify!($name),
            section: $section,
            used_by: $used_by,
            doc: concat!($($doc),+),
            kind: &$kind,
            fallback: $fallback,
        },)*)*];

        /// The settings before the checks are complete: `None` is an invalid one.
        pub(super) struct Draft {
            $($(pub(super) $field: Option<$type>,)*)*
        }

        impl Draft {
            /// Reads every setting, so that all problems are found.
            pub(super) fn read(from: &mut impl ValueSource) -> Draft {
                Draft { $($($field: from.value(stringify!($name), &$kind),)*)* }
            }

            /// The typed settings, if all of them are valid.
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
        /// The folder for the SQLite database and the session secret.
        KAWARABAN_DATA_DIR data_dir: PathBuf = FolderPath,
            Derived("`$XDG_DATA_HOME/kawaraban`, else `~/.local/share/kawaraban`", defaults::data_dir);
        /// The database. SQLite is for one machine; PostgreSQL is for several, with `api` and `worker` apart.
        DATABASE_URL database_url: DatabaseAddress = Database,
            Derived("the SQLite file `kawaraban.db` in `KAWARABAN_DATA_DIR`", defaults::database_url);
        /// The maximum number of connections of one process to PostgreSQL. Not used with SQLite.
        DATABASE_MAX_CONNECTIONS database_max_connections: u32 = Number { min: 2, max: 1_000 }, Is("10");
        /// The configuration file with the watched blogs; `kawaraban watch init` writes an example. At the default place it may
        /// be missing. It is read again when it changes and on SIGHUP. All processes on one database need the same file.
        KAWARABAN_CONFIG config_file: PathBuf = FilePath,
            Derived("`config.toml` in `KAWARABAN_DATA_DIR`", defaults::config_file);
    }
    "Server" for "`serve`, `api` and `healthcheck`" {
        /// The address of this machine to listen on.
        SERVER_HOST server_host: IpAddr = Ip, Is("0.0.0.0");
        /// The port to listen on; 0 for any free port, which is printed.
        SERVER_PORT server_port: u16 = Number { min: 0, max: u16::MAX }, Is("8080");
        /// The public address of this instance. With https, cookies are for https only.
        BASE_URL base_url: Url = HttpUrl, Derived("`http://localhost:SERVER_PORT`", defaults::base_url);
        /// One other origin from which browsers may use the API.
        CORS_ALLOWED_ORIGIN cors_allowed_origin: Option<Url> = Optional(WebOrigin), Nothing;
        /// The address to return to after sign-in.
        FRONTEND_URL frontend_url: Url = HttpUrl,
            Derived("`CORS_ALLOWED_ORIGIN`, else `BASE_URL`", defaults::frontend_url);
        /// The reverse proxies whose `X-Forwarded-For` is trusted. Without any, the address of the connection is the client's.
        TRUSTED_PROXIES trusted_proxies: Vec<IpNet> = Nets, Nothing;
    }
    "Sign-in" for "`serve` and `api`" {
        /// The key for encrypting and signing cookies. `api` requires it; `serve` creates one in `KAWARABAN_DATA_DIR`.
        SESSION_SECRET session_secret: Option<Secret> = Optional(Hidden { min_bytes: 32 }), Nothing;
        /// How long a session lasts after it was last used.
        SESSION_MAX_AGE session_max_age: Duration = Durations { min_ms: MINUTE, max_ms: 10 * YEAR }, Is("720h");
        /// The client id from Google. Set all three settings of Google, or none.
        GOOGLE_CLIENT_ID google_client_id: Option<String> = Optional(PlainText), Nothing;
        /// The client secret from Google.
        GOOGLE_CLIENT_SECRET google_client_secret: Option<Secret> = Optional(Hidden { min_bytes: 1 }), Nothing;
        /// The redirect address registered at Google: `BASE_URL/auth/google/callback`.
        GOOGLE_REDIRECT_URL google_redirect_url: Option<Url> = Optional(HttpUrl), Nothing;
        /// Google's issuer. Change it only for tests.
        GOOGLE_ISSUER google_issuer: Option<Url> = Optional(Issuer),
            Derived("`https://accounts.google.com`, with Google's other settings", defaults::google_issuer);
        /// The issuer of another OpenID provider, exactly as in its discovery document. Requires `OIDC_CLIENT_ID` and
        /// `OIDC_CLIENT_SECRET`.
        OIDC_ISSUER oidc_issuer: Option<Url> = Optional(Issuer), Nothing;
        /// The client id from the provider.
        OIDC_CLIENT_ID oidc_client_id: Option<String> = Optional(PlainText), Nothing;
        /// The client secret from the provider.
        OIDC_CLIENT_SECRET oidc_client_secret: Option<Secret> = Optional(Hidden { min_bytes: 1 }), Nothing;
        /// The name of the provider on the sign-in page.
        OIDC_NAME oidc_name: Option<String> = Optional(Label),
            Derived("`OpenID`, with the other settings of the provider", defaults::oidc_name);
        /// The redirect address registered at the provider.
        OIDC_REDIRECT_URL oidc_redirect_url: Option<Url> = Optional(HttpUrl),
            Derived("`BASE_URL/auth/oidc/callback`", defaults::oidc_redirect_url);
        /// Whether users may sign in with a password.
        LOCAL_ACCOUNTS local_accounts: bool = Switch,
            Derived("`true`; `false` when a provider is configured", defaults::local_accounts);
        /// Whether visitors may create an account with a password.
        LOCAL_REGISTRATION local_registration: bool = Switch, Is("false");
        /// The e-mail addresses and domains that may create an account, with a password or a provider. All if not set. Existing
        /// accounts are not affected.
        SIGNUP_ALLOWED signup_allowed: SignupAllowed = EmailsAndDomains, Nothing;
        /// The user with this address becomes an owner after signing in with a provider that has verified it.
        OWNER_EMAIL owner_email: Option<String> = Optional(Email), Nothing;
        /// The requests per minute of a user, and of an IP address before sign-in.
        RATE_LIMIT_GENERAL rate_limit_general: u32 = Number { min: 1, max: 1_000_000 }, Is("600");
        /// The feeds that a user may register per minute.
        RATE_LIMIT_FEED_REG rate_limit_feed_reg: u32 = Number { min: 1, max: 1_000_000 }, Is("10");
        /// The attempts per minute of an IP address to sign in or register. At most ten of them may have a wrong password.
        RATE_LIMIT_SIGN_IN rate_limit_sign_in: u32 = Number { min: 1, max: 1_000_000 }, Is("60");
    }
    "Reading" for "`serve`, `api` and `worker`" {
        /// The maximum number of subscriptions of a member; 0 for no limit. Owners have no limit.
        SUBSCRIPTION_LIMIT subscription_limit: u32 = Number { min: 0, max: 1_000_000 }, Is("100");
        /// Items are deleted this many days after their arrival, except starred items and items that their feed still contains.
        ITEM_RETENTION_DAYS item_retention_days: u32 = Number { min: 1, max: 36_500 }, Is("180");
        /// A feed without subscribers is deleted with its items after this many days; 0 for never.
        ORPHAN_FEED_DAYS orphan_feed_days: u32 = Number { min: 0, max: 36_500 }, Is("90");
    }
    "Fetching" for "`serve`, `api` and `worker`" {
        /// The time-out of one fetch, redirects included.
        FETCH_TIMEOUT fetch_timeout: Duration = Durations { min_ms: 100, max_ms: HOUR }, Is("10s");
        /// The maximum size of a body, in bytes after decompression.
        FETCH_MAX_SIZE fetch_max_size: usize = Number { min: 1_024, max: 1_073_741_824 }, Is("5242880");
        /// The number of feeds fetched at once.
        FETCH_MAX_CONCURRENT fetch_max_concurrent: usize = Number { min: 1, max: 10_000 }, Is("10");
        /// The longest sleep of the scheduler.
        FETCH_INTERVAL fetch_interval: Duration = Durations { min_ms: 1_000, max_ms: 24 * HOUR }, Is("5m");
        /// The `User-Agent` header. Include a page or an address where you can be reached.
        FETCH_USER_AGENT fetch_user_agent: String = PlainText,
            Derived("the program and its version, with `BASE_URL` when that is set", defaults::user_agent);
        /// Private networks that feeds may be fetched from.
        FETCH_ALLOW_NETS fetch_allow_nets: Vec<IpNet> = Nets, Nothing;
        /// The number of concurrent background fetches from one host.
        FETCH_HOST_CONCURRENCY fetch_host_concurrency: usize = Number { min: 1, max: 1_000 }, Is("2");
        /// The minimum time between the starts of background fetches from one host.
        FETCH_HOST_GAP fetch_host_gap: Duration = Durations { min_ms: 0, max_ms: HOUR }, Is("500ms");
    }
    "Hatena bookmarks" for "`serve` and `worker`" {
        /// `true` shows bookmark counts to all users, `false` to none. Unset, users whose language is Japanese see them. Unless it is `false`, a user's own choice wins. Only items of subscribers who see them are counted.
        HATEBU_ENABLED hatebu_enabled: Option<bool> = Optional(Switch), Nothing;
        /// The address of the API; `/count/entries` is appended.
        HATEBU_API_URL hatebu_api_url: Url = HttpUrl, Is("https://bookmark.hatenaapis.com");
        /// How long a count is valid.
        HATEBU_TTL hatebu_ttl: Duration = Durations { min_ms: MINUTE, max_ms: YEAR }, Is("24h");
        /// The time between the starts of two rounds.
        HATEBU_BATCH_INTERVAL hatebu_batch_interval: Duration = Durations { min_ms: 1_000, max_ms: 24 * HOUR }, Is("10m");
        /// The time between the starts of two calls in a round.
        HATEBU_API_INTERVAL hatebu_api_interval: Duration = Durations { min_ms: 0, max_ms: HOUR }, Is("5s");
        /// The maximum number of calls in a round.
        HATEBU_MAX_CALLS_PER_CYCLE hatebu_max_calls_per_cycle: u32 = Number { min: 1, max: 10_000 }, Is("100");
        /// The maximum number of calls in a day (UTC), over all workers.
        HATEBU_MAX_CALLS_PER_DAY hatebu_max_calls_per_day: u32 = Number { min: 1, max: 10_000_000 }, Is("14400");
    }
    "Watch" for "`serve`, `worker` and `watch`" {
        /// The checks of watched sites are deleted after this many days; 0 for never.
        WATCH_HISTORY_DAYS watch_history_days: u32 = Number { min: 0, max: 36_500 }, Is("30");
        /// Changes of watched sites are sent to this address. It may be in a private network. Requires `WATCH_WEBHOOK_SECRET`.
        WATCH_WEBHOOK_URL watch_webhook_url: Option<Url> = Optional(WebhookUrl), Nothing;
        /// The key that signs what is sent to `WATCH_WEBHOOK_URL`: HMAC-SHA256, in the header `X-Kawaraban-Signature`.
        WATCH_WEBHOOK_SECRET watch_webhook_secret: Option<Secret> = Optional(Hidden { min_bytes: 16 }), Nothing;
    }
    "Jobs" for "`serve` and `worker`" {
        /// The lease of a job. The worker renews it while the job runs; other workers take over a job after its lease has lapsed.
        JOB_LEASE job_lease: Duration = Durations { min_ms: 1_000, max_ms: 24 * HOUR }, Is("60s");
        /// The number of jobs a worker runs at once.
        JOB_CONCURRENCY job_concurrency: usize = Number { min: 1, max: 1_000 }, Is("16");
        /// How long succeeded jobs are stored.
        JOB_KEEP_SUCCEEDED job_keep_succeeded: Duration = Durations { min_ms: 0, max_ms: 10 * YEAR }, Is("24h");
        /// How long failed jobs are stored, to be inspected and retried.
        JOB_KEEP_FAILED job_keep_failed: Duration = Durations { min_ms: 0, max_ms: 10 * YEAR }, Is("720h");
    }
    "Metrics" for "`serve`, `api` and `worker`" {
        /// The token for `/metrics` on the main port, sent as `Authorization: Bearer …`. Without it, the main port has no `/metrics`.
        METRICS_TOKEN metrics_token: Option<Secret> = Optional(Hidden { min_bytes: 16 }), Nothing;
        /// A second address that serves only `/metrics`, without a token. Also for `worker`.
        METRICS_ADDR metrics_addr: Option<SocketAddr> = Optional(ListenOn), Nothing;
    }
    "Log" for "every command" {
        /// The log level of the standard error.
        LOG_LEVEL log_level: String = LogFilter, Is("info");
        /// The format of the log.
        LOG_FORMAT log_format: LogFormat = LogFormatName, Derived("`text` on a terminal, else `json`", defaults::log_format);
        /// A folder for an additional log of `serve`, `api` and `worker`: JSON, one file a day (UTC). Files older than 14 days are deleted.
        LOG_DIR log_dir: Option<PathBuf> = Optional(FolderPath), Nothing;
    }
}
