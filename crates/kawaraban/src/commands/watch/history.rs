//! `watch history`: the checks of a site.

use chrono::TimeDelta;
use config_file::ConfigFile;
use serde::Serialize;
use store::watch::{Check, list_checks};

use super::{unknown_site, written};
use crate::{app::App, commands::feed::json_line, failure::Failure, output};

/// A check, as JSON.
#[derive(Serialize)]
struct Line<'a> {
    checked_at: String,
    result: &'static str,
    http_status: Option<i64>,
    error: Option<&'a str>,
}

/// Prints the checks of a site, the newest first. The site need not be in the file any more.
pub async fn list(app: &App<'_>, file: &ConfigFile, id: &str, limit: i64, json: bool) -> Result<(), Failure> {
    // A check of another machine may be a little ahead of this clock.
    let newest = (app.clock.now() + TimeDelta::days(1), i64::MAX);
    let checks = list_checks(&app.db, id, newest, limit).await?;
    if checks.is_empty() && file.blogs.iter().all(|blog| blog.id != id) {
        app.watcher.read_blogs(file).await?;
        let site = app.watcher.get_site(id).await.map_err(|error| Failure::because("cannot find the site", &error))?;
        site.ok_or_else(|| unknown_site(id))?;
    }
    if json {
        let text: Result<String, Failure> = checks.iter().map(|check| json_line(&Line::of(check))).collect();
        return output::print(&text?);
    }
    let rows: Vec<[String; 3]> = checks.iter().map(|check| Line::of(check).row()).collect();
    output::print_table(["TIME", "RESULT", "HTTP STATUS"], &rows)
}

impl<'a> Line<'a> {
    fn of(check: &'a Check) -> Line<'a> {
        let error = check.error_message.as_deref();
        let result = match (error, check.changed != 0, check.skipped != 0) {
            (Some(_), _, _) => "failed",
            (None, true, _) => "new posts",
            (None, false, true) => "not modified",
            (None, false, false) => "nothing new",
        };
        Line { checked_at: written(check.checked_at), result, http_status: check.http_status, error }
    }

    fn row(self) -> [String; 3] {
        let result = match self.error {
            Some(error) => format!("{}: {error}", self.result),
            None => self.result.to_owned(),
        };
        [self.checked_at, result, self.http_status.map(|status| status.to_string()).unwrap_or_default()]
    }
}
