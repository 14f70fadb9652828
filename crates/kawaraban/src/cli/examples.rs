//! The examples at the end of each command's help.

pub const ROOT: &str = "\
Examples:
  kawaraban serve                     start on SQLite, nothing configured
  kawaraban user list                 list the accounts
  kawaraban config                    show the settings in effect
  kawaraban jobs list --status failed list failed jobs

Settings are environment variables: `kawaraban config` lists them, docs/configuration.md explains them.
Exit codes: 0 success, 1 failure, 2 invalid command line or setting.";

pub const SERVE: &str = "\
Examples:
  kawaraban serve
  SERVER_PORT=3000 LOG_LEVEL=debug kawaraban serve
  DATABASE_URL=postgres://kawaraban@localhost/kawaraban kawaraban serve

SIGTERM or Ctrl-C stops it within ten seconds; a second one ends it at once.";

pub const API: &str = "\
Examples:
  DATABASE_URL_FILE=/run/secrets/database_url SESSION_SECRET_FILE=/run/secrets/session_secret kawaraban api";

pub const WORKER: &str = "\
Examples:
  DATABASE_URL=postgres://kawaraban@db/kawaraban kawaraban worker
  JOB_CONCURRENCY=64 METRICS_ADDR=127.0.0.1:9091 kawaraban worker";

pub const MIGRATE: &str = "\
Examples:
  kawaraban migrate
  DATABASE_URL=postgres://kawaraban@localhost/kawaraban kawaraban migrate

Any number of processes may do this at once. A database of a newer version is rejected.";

pub const CONFIG: &str = "\
Examples:
  kawaraban config
  kawaraban config | grep FETCH_
  kawaraban config --markdown > docs/configuration.md";

pub const HEALTHCHECK: &str = "\
Examples:
  kawaraban healthcheck            the API on SERVER_PORT is ready
  kawaraban healthcheck --worker   a worker on this machine was seen within 30 seconds
  kawaraban healthcheck --any      the API or a worker, whichever runs here

The exit code is 0 if it is healthy and 1 if it is not.";

pub const USER: &str = "\
Examples:
  kawaraban user add me@example.org --name Me --owner
  kawaraban user list
  kawaraban user passwd me@example.org
  kawaraban user delete me@example.org

These commands work with and without a running server.";

pub const USER_ADD: &str = "\
Examples:
  kawaraban user add me@example.org --name Me --owner
  kawaraban user add you@example.org --name You --password-stdin < password.txt
  openssl rand -base64 18 | tee password.txt | kawaraban user add you@example.org --name You --password-stdin

On a terminal, you are asked for the password, and it is not shown. The standard input is the password without a newline
at its end. A password has at least 8 characters and must not be a common one.";

pub const USER_LIST: &str = "\
Examples:
  kawaraban user list
  kawaraban user list --json | jq -r 'select(.role == \"owner\").email'

Prints a table on a terminal, otherwise one line each, separated by tabs: id, e-mail, role, name, created_at, last_seen_at, subscriptions.";

pub const USER_PASSWD: &str = "\
Examples:
  kawaraban user passwd me@example.org
  kawaraban user passwd me@example.org --password-stdin < password.txt

All sessions of the user end. API tokens stay valid: delete them in the settings.";

pub const USER_DELETE: &str = "\
Examples:
  kawaraban user delete you@example.org
  kawaraban user delete you@example.org --yes

Sessions, tokens, subscriptions, item states and settings are deleted too. This cannot be undone. Without --yes it
asks for confirmation, on a terminal only.";

pub const REFRESH: &str = "\
Examples:
  kawaraban refresh --all
  kawaraban refresh https://example.com/feed.xml

The running `serve` or `worker` starts to fetch them within ten seconds. Feeds that back off after failures
are fetched too; stopped feeds are not, until a subscriber resumes them.";

pub const OPML: &str = "\
Examples:
  kawaraban opml import subscriptions.opml
  kawaraban opml export > subscriptions.opml";

pub const OPML_IMPORT: &str = "\
Examples:
  kawaraban opml import subscriptions.opml
  kawaraban opml import - --user me@example.com < subscriptions.opml

It works with and without a running server. After an interruption, the server continues with the rest.
On a terminal it shows the progress. At the end it prints the feeds that failed, separated by tabs: code, address.
The exit code is 1 if any feed failed.";

pub const OPML_EXPORT: &str = "\
Examples:
  kawaraban opml export > subscriptions.opml
  kawaraban opml export --user me@example.com | grep -c xmlUrl";

pub const JOBS: &str = "\
Examples:
  kawaraban jobs list --status failed
  kawaraban jobs retry --kind fetch_article
  kawaraban jobs cancel 0197a3c5-1c5e-7f51-8a54-0f6a3d3c9b11 --reason \"no longer needed\"";

pub const JOBS_LIST: &str = "\
Examples:
  kawaraban jobs list
  kawaraban jobs list --status failed --kind fetch_article --limit 10
  kawaraban jobs list --json | jq .last_error

Prints a table on a terminal, otherwise one line each, separated by tabs: id, status, kind, attempts, run_at, key, last_error.";

pub const JOBS_SHOW: &str = "\
Examples:
  kawaraban jobs show 0197a3c5-1c5e-7f51-8a54-0f6a3d3c9b11
  kawaraban jobs show 0197a3c5-1c5e-7f51-8a54-0f6a3d3c9b11 --json | jq .payload";

pub const JOBS_RETRY: &str = "\
Examples:
  kawaraban jobs retry 0197a3c5-1c5e-7f51-8a54-0f6a3d3c9b11
  kawaraban jobs retry --kind fetch_article --error \"timed out\"
  kawaraban jobs retry --all

Of several failed jobs with one key, only the newest is retried. Jobs whose key is taken by another job are skipped.";

pub const JOBS_CANCEL: &str = "\
Examples:
  kawaraban jobs cancel 0197a3c5-1c5e-7f51-8a54-0f6a3d3c9b11
  kawaraban jobs cancel 0197a3c5-1c5e-7f51-8a54-0f6a3d3c9b11 --reason \"no longer needed\"

Only a queued job can be cancelled. A running job cannot be stopped.";

pub const FEED: &str = "\
Examples:
  kawaraban feed parse https://example.com/feed.xml
  kawaraban feed discover page.html --url https://example.com/
  kawaraban feed sanitize < article.html

These commands store nothing.";

pub const FEED_PARSE: &str = "\
Examples:
  kawaraban feed parse feed.xml
  kawaraban feed parse --json *.xml | jq -r '.entries[].title'
  kawaraban feed parse https://example.com/feed.xml
  curl -s https://example.com/feed.xml | kawaraban feed parse - --url https://example.com/feed.xml

The exit code is 1 if a file is not a feed or cannot be opened; the other files are still read.
The output is not sanitised: handle it with care.";

pub const FEED_SANITIZE: &str = "\
Examples:
  kawaraban feed sanitize < article.html
  kawaraban feed sanitize --url https://example.com/post/1 < article.html
  jq '.entries[].content' feed.json | kawaraban feed sanitize --jsonl

With --jsonl, a line that is not a JSON string becomes null, and the exit code is 1.";

pub const FEED_DISCOVER: &str = "\
Examples:
  kawaraban feed discover page.html --url https://example.com/
  kawaraban feed discover https://example.com/
  kawaraban feed discover page.html --url https://example.com/ --json | jq -r .url

Prints a table on a terminal, otherwise one line each, separated by tabs: url, kind, source, title.";

pub const ARTICLE: &str = "\
Examples:
  kawaraban article https://example.com/news/1
  kawaraban article --json *.html | jq -r .text
  kawaraban article page.html --base-url https://example.com/news/1
  curl -s https://example.com/news/1 | kawaraban article - --base-url https://example.com/news/1

The exit code is 1 if a file has no text or cannot be opened; the other files are still read.
The command stores nothing. The HTML in the output is sanitised.";

pub const WATCH: &str = "\
Examples:
  kawaraban watch init
  kawaraban watch list
  kawaraban watch check example-blog --dry-run
  kawaraban watch history example-blog
  kawaraban watch find https://example.com/

The blogs are in the configuration file: KAWARABAN_CONFIG, or config.toml in the data folder.";

pub const WATCH_LIST: &str = "\
Examples:
  kawaraban watch list
  kawaraban watch list --all
  kawaraban watch list --json | jq -r 'select(.state == \"failing\").id'

Prints a table on a terminal, otherwise one line each, separated by tabs: id, name, state, source, last check, last change,
next check, address.";

pub const WATCH_CHECK: &str = "\
Examples:
  kawaraban watch check
  kawaraban watch check example-blog
  kawaraban watch check example-blog --dry-run

The first check of a blog stores its posts as read and announces nothing. New posts begin with *. With --dry-run, posts that the
next check has to confirm begin with ?, known posts with +, other links with -.
A blog that is stopped is checked again only if you name it.
The exit code is 1 if a check failed; the other blogs are still checked.";

pub const WATCH_HISTORY: &str = "\
Examples:
  kawaraban watch history example-blog
  kawaraban watch history example-blog --limit 500 --json | jq -r 'select(.error).checked_at'

Prints a table on a terminal, otherwise one line each, separated by tabs: time, result, HTTP status.
Checks are stored for WATCH_HISTORY_DAYS days, also those of a blog that is no longer in the configuration file.";

pub const WATCH_INIT: &str = "\
Examples:
  kawaraban watch init
  KAWARABAN_CONFIG=/etc/kawaraban/config.toml kawaraban watch init
  kawaraban watch init --force

All entries of the example are comments: remove the # in front of the lines that you need.";

pub const WATCH_FIND: &str = "\
Examples:
  kawaraban watch find https://example.com/
  kawaraban watch find --json page.html --base-url https://example.com/blog/ | jq -r '.posts[].url'
  curl -s https://example.com/ | kawaraban watch find - --base-url https://example.com/

A page at an address is read by the feed that it names; of a file, only the page itself is read. Feeds and sitemaps are
read too. The command needs no database.
The exit code is 1 if a page has no posts or cannot be opened; the other pages are still read.";

pub const OPENAPI: &str = "\
Examples:
  kawaraban openapi > docs/openapi.json
  kawaraban openapi | jq -r '.paths | keys[]'";

pub const LICENSES: &str = "\
Examples:
  kawaraban licenses | less
  kawaraban licenses > LICENSES.txt";

pub const COMPLETIONS: &str = "\
Examples:
  kawaraban completions bash > ~/.local/share/bash-completion/completions/kawaraban
  kawaraban completions zsh > ~/.zfunc/_kawaraban
  kawaraban completions fish > ~/.config/fish/completions/kawaraban.fish";
