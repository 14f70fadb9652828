//! `watch check --dry-run`: checks sites and stores nothing.

use ::watch::{CheckReport, SitePost, Watcher};
use config_file::ConfigFile;

use super::{
    check::{finish, no_blogs},
    shown::{post_line, rejected_line},
    unknown_site,
};
use crate::{failure::Failure, output};

/// Shows what a check of one site, or of all blogs of the file, would find.
pub async fn check(watcher: &Watcher, file: &ConfigFile, id: Option<&str>) -> Result<(), Failure> {
    let sites = match id {
        Some(id) => vec![find(watcher, file, id).await?],
        None => file.blogs.iter().map(|blog| (blog.id.clone(), blog.url.to_string())).collect(),
    };
    if sites.is_empty() {
        return no_blogs();
    }
    let mut failed = 0;
    for (id, url) in &sites {
        let checked = watcher.dry_run(id, url).await;
        failed += usize::from(checked.is_err());
        let found = match checked {
            Ok(Some(report)) => readable(&report),
            Ok(None) => "not modified\n".to_owned(),
            Err(error) => format!("failed: {}\n", output::on_one_line(&error.to_string())),
        };
        output::print(&format!("{id} {url}\n{found}\n"))?;
    }
    finish(failed, sites.len())
}

/// The identifier and the address of a site.
async fn find(watcher: &Watcher, file: &ConfigFile, id: &str) -> Result<(String, String), Failure> {
    if let Some(blog) = file.blogs.iter().find(|blog| blog.id == id) {
        return Ok((blog.id.clone(), blog.url.to_string()));
    }
    let site = watcher.get_site(id).await.map_err(|error| Failure::because("cannot find the site", &error))?;
    site.map(|site| (site.id, site.feed.feed_url)).ok_or_else(|| unknown_site(id))
}

/// Source, posts, then the other links with the reason.
fn readable(report: &CheckReport) -> String {
    let (posts, new, waiting) = (report.posts.len(), report.new.len(), report.waiting.len());
    let mut out = format!(
        "source: {} {}\nposts: {posts}, new: {new}, waiting for confirmation: {waiting}\n",
        report.source.as_str(),
        report.source_url
    );
    for post in &report.posts {
        let is_in = |posts: &[SitePost]| posts.iter().any(|other| other.url == post.url);
        let sign = match (is_in(&report.new), is_in(&report.waiting)) {
            (true, _) => '*',
            (false, true) => '?',
            (false, false) => '+',
        };
        out.push_str(&post_line(sign, post.url.as_str(), &post.title, post.published_at));
    }
    report.rejected.iter().for_each(|rejected| out.push_str(&rejected_line(rejected)));
    out
}
