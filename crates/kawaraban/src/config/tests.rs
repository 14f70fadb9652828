use std::{collections::BTreeSet, ffi::OsString, fs, os::unix::ffi::OsStringExt, path::Path};

use super::*;

const SECRET: &str = "hunter2-hunter2-hunter2-hunter2-hunter2";

fn environment(variables: &[(&str, &str)]) -> Environment {
    let home = [("HOME", "/home/me")];
    let variables = home.iter().chain(variables).map(|(name, value)| (name.into(), value.into()));
    Environment { variables: variables.collect(), stderr_is_terminal: false }
}

fn load_from(variables: &[(&str, &str)]) -> Loaded {
    load(&environment(variables), Needs::Other)
}

fn config(variables: &[(&str, &str)]) -> Config {
    load_from(variables).config.unwrap()
}

fn problems(variables: &[(&str, &str)]) -> Vec<String> {
    load_from(variables).config.expect_err("settings that cannot be used")
}

fn shown(variables: &[(&str, &str)], name: &str) -> (String, String) {
    let setting = TABLE.iter().find(|setting| setting.name == name).unwrap();
    load_from(variables).shown(setting)
}

#[test]
fn nothing_is_required() {
    let config = config(&[]);
    assert_eq!(config.database_url.to_string(), "sqlite:///home/me/.local/share/kawaraban/kawaraban.db");
    assert_eq!((config.server_host.to_string().as_str(), config.server_port), ("0.0.0.0", 8080));
    assert_eq!(config.base_url.as_str(), "http://localhost:8080/");
    assert_eq!(config.job_lease.as_secs(), 60);
    assert_eq!(config.log_format, LogFormat::Json);
    assert!(load(&environment(&[]), Needs::Serve).config.is_ok());
}

#[test]
fn documented_names_exist_once() {
    let names: Vec<&str> = TABLE.iter().map(|setting| setting.name).collect();
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
    let documents = "DATABASE_URL GOOGLE_CLIENT_ID GOOGLE_CLIENT_SECRET GOOGLE_REDIRECT_URL SESSION_SECRET SESSION_MAX_AGE \
        FETCH_TIMEOUT FETCH_MAX_SIZE FETCH_MAX_CONCURRENT FETCH_INTERVAL RATE_LIMIT_GENERAL RATE_LIMIT_FEED_REG HATEBU_TTL \
        HATEBU_BATCH_INTERVAL HATEBU_API_INTERVAL HATEBU_MAX_CALLS_PER_CYCLE SERVER_PORT BASE_URL CORS_ALLOWED_ORIGIN \
        FETCH_USER_AGENT FETCH_ALLOW_NETS FETCH_HOST_CONCURRENCY FETCH_HOST_GAP HATEBU_ENABLED HATEBU_API_URL FRONTEND_URL \
        METRICS_TOKEN METRICS_ADDR JOB_LEASE LOG_DIR LOG_FORMAT KAWARABAN_CONFIG KAWARABAN_DATA_DIR GOOGLE_ISSUER OIDC_ISSUER \
        OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_NAME OIDC_REDIRECT_URL LOCAL_ACCOUNTS LOCAL_REGISTRATION SIGNUP_ALLOWED \
        OWNER_EMAIL TRUSTED_PROXIES WATCH_HISTORY_DAYS WATCH_WEBHOOK_URL WATCH_WEBHOOK_SECRET";
    for name in documents.split_whitespace() {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn empty_and_blank_values_are_handled() {
    let config = config(&[("SERVER_PORT", ""), ("SESSION_SECRET", ""), ("FETCH_TIMEOUT", " 5s ")]);
    assert_eq!(config.server_port, 8080);
    assert!(config.session_secret.is_none());
    assert_eq!(config.fetch_timeout.as_secs(), 5);
}

#[test]
fn defaults_follow_other_settings() {
    let xdg = config(&[("XDG_DATA_HOME", "/data/me"), ("SERVER_PORT", "3000")]);
    assert_eq!(xdg.data_dir, Path::new("/data/me/kawaraban"));
    assert_eq!(xdg.base_url.as_str(), "http://localhost:3000/");
    assert_eq!(config(&[("XDG_DATA_HOME", "not/absolute")]).data_dir, Path::new("/home/me/.local/share/kawaraban"));
    let frontend = |variables: &[(&str, &str)]| config(variables).frontend_url.to_string();
    assert_eq!(frontend(&[("BASE_URL", "https://a.example")]), "https://a.example/");
    assert_eq!(
        frontend(&[("BASE_URL", "https://a.example"), ("CORS_ALLOWED_ORIGIN", "https://b.example")]),
        "https://b.example/"
    );
    assert!(config(&[("BASE_URL", "https://a.example")]).fetch_user_agent.contains("https://a.example"));
    let terminal = Environment { stderr_is_terminal: true, ..environment(&[]) };
    assert_eq!(load(&terminal, Needs::Other).config.unwrap().log_format, LogFormat::Text);
}

#[test]
fn all_problems_are_reported_with_advice() {
    let reported = problems(&[
        ("DATABASE_URL", "mysql://me:hunter2-hunter2@db/news"),
        ("SERVER_PORT", "99999"),
        ("FETCH_TIMEOUT", "10 parsecs"),
        ("HATEBU_ENABLED", "yes"),
        ("BASE_URL", "https://me:hunter2-hunter2@a.example"),
        ("LOG_LEVEL", "loud"),
        ("METRICS_TOKEN", "hunter2"),
        ("METRICS_ADDR", "9090"),
        ("FETCH_ALLOW_NETS", "10.0.0.0/99"),
        ("KAWARABAN_CONFIG", "/"),
    ]);
    assert_eq!(reported.len(), 10, "{reported:#?}");
    assert!(reported.iter().all(|problem| problem.contains("write ")), "{reported:#?}");
    assert!(reported.contains(&"SERVER_PORT=99999: write a number from 0 to 65535".to_owned()), "{reported:#?}");
    assert!(!reported.concat().contains("hunter2"), "{reported:#?}");
}

#[test]
fn rule_problems_are_reported_with_the_rest() {
    let wrong = [
        ("SERVER_PORT", "99999"),
        ("GOOGLE_CLIENT_ID", "id"),
        ("GOOGLE_REDIRECT_URL", "nowhere"),
        ("OIDC_ISSUER", "nowhere"),
        ("OIDC_CLIENT_SECRET", SECRET),
        ("OIDC_CLIENT_SECRET_FILE", "/no/such/file"),
        ("LOCAL_REGISTRATION", "true"),
        ("METRICS_ADDR", "127.0.0.1:8080"),
    ];
    let reported = |variables: &[(&str, &str)]| load(&environment(variables), Needs::Api).config.unwrap_err();
    let names = |reported: &[String]| -> BTreeSet<String> {
        reported.iter().map(|problem| problem.split([':', '=', ' ', ',']).next().unwrap().to_owned()).collect()
    };
    let expected = [
        "SERVER_PORT",
        "GOOGLE_REDIRECT_URL",
        "GOOGLE_CLIENT_SECRET",
        "OIDC_ISSUER",
        "OIDC_CLIENT_SECRET",
        "OIDC_CLIENT_ID",
        "LOCAL_REGISTRATION",
        "SESSION_SECRET",
    ];
    let problems = reported(&wrong);
    assert_eq!(names(&problems), expected.map(str::to_owned).into(), "{problems:#?}");
    assert_eq!(problems.len(), expected.len(), "each once, and nothing that follows from another: {problems:#?}");
    let same_port = reported(&[("METRICS_ADDR", "127.0.0.1:8080"), ("FETCH_TIMEOUT", "10 parsecs")]);
    assert_eq!(names(&same_port), ["METRICS_ADDR", "FETCH_TIMEOUT", "SESSION_SECRET"].map(str::to_owned).into());
}

#[test]
fn missing_default_is_reported_with_the_rest() {
    let variables = [("SERVER_PORT", "99999")].map(|(name, value)| (name.into(), value.into())).into();
    let reported = load(&Environment { variables, ..Environment::default() }, Needs::Other).config.unwrap_err();
    assert_eq!(reported.len(), 2, "not DATABASE_URL and BASE_URL, which follow from these: {reported:#?}");
    assert!(
        reported[0].starts_with("KAWARABAN_DATA_DIR is not set") && reported[1].starts_with("SERVER_PORT="),
        "{reported:#?}"
    );
}

#[test]
fn values_in_problems_are_short_and_on_one_line() {
    let reported = problems(&[("SERVER_PORT", &format!("1\n\x1b[2J{}", "x".repeat(500)))]);
    assert!(reported[0].len() < 200 && !reported[0].contains(['\n', '\x1b']), "{reported:?}");
}

#[test]
fn without_home_the_data_folder_is_required() {
    let reported = load(&Environment::default(), Needs::Other).config.unwrap_err();
    assert!(reported.iter().any(|problem| problem.starts_with("KAWARABAN_DATA_DIR is not set")), "{reported:?}");
    let named =
        Environment { variables: [("KAWARABAN_DATA_DIR".into(), "/data".into())].into(), ..Environment::default() };
    assert!(load(&named, Needs::Serve).config.is_ok());
}

#[test]
fn a_value_that_is_not_utf_8_is_a_problem() {
    let mut environment = environment(&[]);
    environment.variables.insert("SERVER_PORT".into(), OsString::from_vec(vec![b'8', 0xff]));
    let reported = load(&environment, Needs::Other).config.unwrap_err();
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(reported[0].starts_with("SERVER_PORT is not UTF-8"), "{reported:?}");
}

#[test]
fn secrets_may_be_in_files() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = |name: &str, text: &[u8]| {
        fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).to_str().unwrap().to_owned()
    };
    let secret = file("secret", format!("{SECRET}\n").as_bytes());
    let database = file("database", b"postgres://me:hunter2@db/news\r\n");
    let variables = [("SESSION_SECRET_FILE", secret.as_str()), ("DATABASE_URL_FILE", &database)];
    let loaded = config(&variables);
    assert_eq!(loaded.session_secret.unwrap().expose(), SECRET);
    assert_eq!(loaded.database_url.to_string(), "postgres://me@db:5432/news");
    assert_eq!(shown(&variables, "SESSION_SECRET"), ("(hidden)".into(), format!("file {secret}")));

    let (empty, binary, short) = (file("empty", b"\n"), file("binary", &[0xff]), file("short", b"hunter2"));
    for path in [&empty, &binary, &short, "/no/such/file", "/dev/zero", folder.path().to_str().unwrap()] {
        let reported = problems(&[("SESSION_SECRET_FILE", path)]);
        assert!(reported.len() == 1 && reported[0].starts_with("SESSION_SECRET_FILE="), "{reported:?}");
        assert!(!reported[0].contains("hunter2"), "{reported:?}");
    }
    let both = problems(&[("SESSION_SECRET_FILE", &secret), ("SESSION_SECRET", SECRET)]);
    assert_eq!(both, ["SESSION_SECRET and SESSION_SECRET_FILE are both set: keep one of them"]);
}

#[test]
fn secrets_are_never_shown() {
    let variables = [
        ("SESSION_SECRET", SECRET),
        ("METRICS_TOKEN", SECRET),
        ("DATABASE_URL", "postgres://me:hunter2@db/news?password=hunter2"),
        ("GOOGLE_CLIENT_ID", "id"),
        ("GOOGLE_CLIENT_SECRET", SECRET),
        ("GOOGLE_REDIRECT_URL", "https://a.example/auth/google/callback"),
        ("OIDC_ISSUER", "https://id.example"),
        ("OIDC_CLIENT_ID", "id"),
        ("OIDC_CLIENT_SECRET", SECRET),
    ];
    let loaded = load_from(&variables);
    let all: String = TABLE.iter().map(|setting| loaded.shown(setting).0).collect();
    let debug = format!("{:?}", loaded.config.unwrap());
    assert!(!all.contains("hunter2") && !debug.contains("hunter2"), "{all} {debug}");
    assert!(all.contains("postgres://me@db:5432/news"), "{all}");
}

#[test]
fn settings_must_agree_with_each_other() {
    let reported = problems(&[("GOOGLE_CLIENT_ID", "id")]);
    assert!(reported[0].starts_with("GOOGLE_CLIENT_SECRET, GOOGLE_REDIRECT_URL:"), "{reported:?}");
    let api = |variables: &[(&str, &str)]| load(&environment(variables), Needs::Api).config.err().unwrap_or_default();
    assert!(api(&[])[0].starts_with("SESSION_SECRET is not set"));
    assert!(api(&[("SESSION_SECRET", SECRET)]).is_empty());
    let same_port = [("SESSION_SECRET", SECRET), ("METRICS_ADDR", "127.0.0.1:8080")];
    assert!(api(&same_port)[0].starts_with("METRICS_ADDR="));
    assert!(load_from(&same_port).config.is_ok(), "a worker has no main port");
}

const GOOGLE: [(&str, &str); 3] = [
    ("GOOGLE_CLIENT_ID", "id"),
    ("GOOGLE_CLIENT_SECRET", SECRET),
    ("GOOGLE_REDIRECT_URL", "https://a.example/auth/google/callback"),
];
const OPENID: [(&str, &str); 3] =
    [("OIDC_ISSUER", "https://id.example"), ("OIDC_CLIENT_ID", "id"), ("OIDC_CLIENT_SECRET", SECRET)];

#[test]
fn incomplete_provider_is_rejected() {
    for (group, beside) in [
        (GOOGLE, &[("GOOGLE_ISSUER", "https://id.example")][..]),
        (OPENID, &[("OIDC_NAME", "Work"), ("OIDC_REDIRECT_URL", "https://a.example/back")]),
    ] {
        assert!(load_from(&group).config.is_ok());
        for left_out in group {
            let rest: Vec<_> = group.into_iter().filter(|variable| *variable != left_out).collect();
            let reported = problems(&rest);
            assert!(reported.len() == 1 && reported[0].starts_with(&format!("{}: write ", left_out.0)), "{reported:?}");
            assert!(reported[0].ends_with(", or none"), "{reported:?}");
        }
        for alone in beside {
            let reported = problems(&[*alone]);
            assert!(reported.len() == 1 && group.iter().all(|(name, _)| reported[0].contains(name)), "{reported:?}");
        }
    }
}

#[test]
fn provider_defaults_are_derived() {
    let google = config(&GOOGLE);
    assert_eq!(google.google_issuer.unwrap().as_str(), "https://accounts.google.com/");
    let openid = config(&[&OPENID[..], &[("BASE_URL", "https://a.example/")]].concat());
    assert_eq!(openid.oidc_name.unwrap(), "OpenID");
    assert_eq!(openid.oidc_redirect_url.unwrap().as_str(), "https://a.example/auth/oidc/callback");
    let none = config(&[]);
    assert!(none.google_issuer.is_none() && none.oidc_name.is_none() && none.oidc_redirect_url.is_none());
}

#[test]
fn passwords_are_on_only_without_a_provider() {
    assert!(config(&[]).local_accounts && !config(&[]).local_registration);
    for provider in [GOOGLE, OPENID] {
        assert!(!config(&provider).local_accounts);
        let asked = [&provider[..], &[("LOCAL_ACCOUNTS", "true"), ("LOCAL_REGISTRATION", "true")]].concat();
        assert!(config(&asked).local_accounts);
        let reported = problems(&[&provider[..], &[("LOCAL_REGISTRATION", "true")]].concat());
        assert!(reported[0].starts_with("LOCAL_REGISTRATION=true: needs"), "{reported:?}");
    }
    assert_eq!(problems(&[("LOCAL_ACCOUNTS", "false"), ("LOCAL_REGISTRATION", "true")]).len(), 1);
    let warned = |variables: &[(&str, &str)]| load(&environment(variables), Needs::Serve).warnings.concat();
    assert!(warned(&GOOGLE).contains("anyone with a Google account") && warned(&OPENID).is_empty());
    assert_eq!(warned(&[&GOOGLE[..], &[("SIGNUP_ALLOWED", "a.example")]].concat()), "");
    let shut = load(&environment(&[("LOCAL_ACCOUNTS", "false")]), Needs::Serve);
    assert!(shut.config.is_ok() && shut.warnings.concat().contains("no user can sign in"), "{:?}", shut.warnings);
}

#[test]
fn invalid_signup_lists_are_rejected() {
    assert!(config(&[]).signup_allowed.allows("me@anywhere.example"));
    let some = config(&[("SIGNUP_ALLOWED", "me@a.example, B.example")]).signup_allowed;
    assert!(some.allows("me@a.example") && some.allows("you@b.example") && !some.allows("you@a.example"));
    assert_eq!(config(&[("OWNER_EMAIL", "me@a.example")]).owner_email.unwrap(), "me@a.example");
    for wrong in
        [("SIGNUP_ALLOWED", ","), ("SIGNUP_ALLOWED", "*"), ("OWNER_EMAIL", "me"), ("TRUSTED_PROXIES", "10.0.0.1")]
    {
        assert_eq!(problems(&[wrong]).len(), 1, "{wrong:?}");
    }
}

#[test]
fn misspelt_names_are_warned_about() {
    let warned = |name: &str| load_from(&[(name, "x")]).warnings.concat();
    assert!(warned("FETCH_TIMOUT").contains("did you mean FETCH_TIMEOUT?"));
    assert!(warned("DATABSE_URL").contains("did you mean DATABASE_URL?"));
    assert!(warned("SERVER_PROT").contains("did you mean SERVER_PORT?"));
    assert!(warned("KAWARABAN_COLOUR").contains("`kawaraban config` lists"));
    for other in [
        "SESSION_MANAGER",
        "JOB_NAME",
        "LOG_COLOR",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "PATH",
        "HOME",
        "KAWARABAN_COMMIT",
    ] {
        assert_eq!(warned(other), "", "{other} is not checked");
    }
    assert_eq!(warned("SESSION_SECRET_FILE"), "");
    assert_eq!(warned("SERVER_PORT_FILE"), "", "only secrets have files, and it is no slip of SERVER_PORT");
}

#[test]
fn invalid_log_filters_are_rejected() {
    for level in
        ["debug", "INFO", "info,queue=debug", "off", "warn,store::migrate=trace", "info,[request{path=1}]=debug"]
    {
        assert!(load_from(&[("LOG_LEVEL", level)]).config.is_ok(), "{level}");
    }
    for noise in ["loud", "info,", "queue=loud", "[", "info;debug"] {
        assert_eq!(problems(&[("LOG_LEVEL", noise)]).len(), 1, "{noise}");
    }
}

#[test]
fn configuration_document_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == markdown(), "docs/configuration.md is stale: run `make docs`");
}

#[test]
fn config_file_is_in_the_data_folder_by_default() {
    assert_eq!(config(&[("KAWARABAN_DATA_DIR", "/data/")]).config_file, Path::new("/data/config.toml"));
    assert_eq!(config(&[("KAWARABAN_CONFIG", "/etc/k.toml")]).config_file, Path::new("/etc/k.toml"));
}

#[test]
fn webhook_requires_a_secret() {
    let url = ("WATCH_WEBHOOK_URL", "https://hooks.example.org/news?token=hunter2");
    let reported = problems(&[url]);
    assert!(reported.concat().starts_with("WATCH_WEBHOOK_SECRET is not set: write text of 16 bytes"), "{reported:?}");
    assert!(reported.concat().ends_with("or unset WATCH_WEBHOOK_URL"), "{reported:?}");
    assert_eq!(shown(&[url], "WATCH_WEBHOOK_URL").0, "https://hooks.example.org/news?(hidden)");
    let both = config(&[url, ("WATCH_WEBHOOK_SECRET", SECRET)]);
    assert_eq!(both.watch_webhook_url.unwrap().query(), Some("token=hunter2"));
    assert_eq!(shown(&[("WATCH_WEBHOOK_SECRET", SECRET)], "WATCH_WEBHOOK_SECRET").0, "(hidden)");
    assert!(problems(&[url, ("WATCH_WEBHOOK_SECRET", "short")]).concat().contains("16 bytes or more"));
}
