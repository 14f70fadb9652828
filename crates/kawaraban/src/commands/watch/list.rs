//! `watch list`: the watched sites.

use std::collections::HashMap;

use ::watch::{Blog, WatchState, Watcher};
use chrono::{DateTime, Utc};
use config_file::ConfigFile;
use serde::Serialize;
use store::feeds::FetchStatus;

use super::written;
use crate::{commands::feed::json_line, failure::Failure, output};

/// A site, as JSON.
#[derive(Serialize)]
struct Line {
    id: String,
    name: String,
    state: String,
    /// Why it fails or was stopped.
    error: Option<String>,
    source: Option<&'static str>,
    last_check_at: Option<String>,
    last_change_at: Option<String>,
    next_check_at: Option<String>,
    url: String,
    is_operators: bool,
}

/// Prints the blogs of the file, and with `all` the users' own sites after them.
pub async fn list(watcher: &Watcher, file: &ConfigFile, all: bool, json: bool) -> Result<(), Failure> {
    let sites = watcher.list_sites(all).await.map_err(|error| Failure::because("cannot list the sites", &error))?;
    let (own, users): (Vec<Blog>, Vec<Blog>) = sites.into_iter().partition(|site| site.is_operators);
    let mut known: HashMap<String, Blog> = own.into_iter().map(|site| (site.id.clone(), site)).collect();
    let mut lines: Vec<Line> = Vec::new();
    for blog in &file.blogs {
        let line = match known.remove(&blog.id) {
            Some(site) => Line::of(site),
            None => Line::unknown(blog),
        };
        lines.push(line);
    }
    lines.extend(users.into_iter().map(Line::of));
    if json {
        let text: Result<String, Failure> = lines.iter().map(json_line).collect();
        return output::print(&text?);
    }
    let head = ["ID", "NAME", "STATE", "SOURCE", "LAST CHECK", "LAST CHANGE", "NEXT CHECK", "ADDRESS"];
    output::print_table(head, &lines.into_iter().map(Line::row).collect::<Vec<_>>())
}

impl Line {
    fn of(site: Blog) -> Line {
        let time = |at: Option<DateTime<Utc>>| at.map(written);
        let is_checked = site.feed.fetch_status != FetchStatus::Stopped;
        Line {
            state: state_text(site.state).to_owned(),
            error: site.feed.error_code.map(|code| match &site.feed.error_message {
                Some(detail) => format!("{code}: {detail}"),
                None => code,
            }),
            source: site.source.map(|source| source.as_str()),
            last_check_at: time(site.last_check_at),
            last_change_at: time(site.last_change_at),
            next_check_at: time(Some(site.feed.next_fetch_at).filter(|_| is_checked)),
            url: site.feed.feed_url,
            id: site.id,
            name: site.name,
            is_operators: site.is_operators,
        }
    }

    /// A blog of the file that the database does not know yet.
    fn unknown(blog: &config_file::Blog) -> Line {
        Line {
            id: blog.id.clone(),
            name: blog.name.clone().unwrap_or_default(),
            state: state_text(WatchState::New).to_owned(),
            error: None,
            source: None,
            last_check_at: None,
            last_change_at: None,
            next_check_at: None,
            url: blog.url.to_string(),
            is_operators: true,
        }
    }

    fn row(self) -> [String; 8] {
        let state = match self.error {
            Some(error) => format!("{} ({error})", self.state),
            None => self.state,
        };
        let text = |value: Option<String>| value.unwrap_or_default();
        [
            self.id,
            self.name,
            state,
            self.source.unwrap_or_default().to_owned(),
            text(self.last_check_at),
            text(self.last_change_at),
            text(self.next_check_at),
            self.url,
        ]
    }
}

fn state_text(state: WatchState) -> &'static str {
    match state {
        WatchState::New => "new",
        WatchState::Ok => "ok",
        WatchState::Quiet => "quiet",
        WatchState::Rebuilt => "rebuilt",
        WatchState::Failing => "failing",
        WatchState::Stopped => "stopped",
    }
}
