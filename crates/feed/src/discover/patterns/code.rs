//! Code hosting: GitHub, GitLab and the like.

use super::{FoundFeed, SiteAddress, atom, rss};

/// First segments of GitHub paths that are not names of users.
const GITHUB_PAGES: &[&str] = &[
    "about",
    "apps",
    "collections",
    "contact",
    "customer-stories",
    "enterprise",
    "events",
    "explore",
    "features",
    "issues",
    "join",
    "login",
    "marketplace",
    "mobile",
    "new",
    "notifications",
    "orgs",
    "pricing",
    "pulls",
    "readme",
    "search",
    "security",
    "settings",
    "site",
    "sponsors",
    "team",
    "topics",
    "trending",
];

pub fn feeds(address: &SiteAddress) -> Vec<FoundFeed> {
    match address.host {
        "github.com" => github(address),
        "gist.github.com" => match address.parts[..] {
            [user] | [user, ..] => vec![atom(format!("https://gist.github.com/{user}.atom"))],
            [] => Vec::new(),
        },
        "codeberg.org" | "gitea.com" => forgejo(address),
        host if host == "gitlab.com" || host.starts_with("gitlab.") => gitlab(address),
        _ => Vec::new(),
    }
}

fn github(address: &SiteAddress) -> Vec<FoundFeed> {
    let at = |path: String| atom(format!("https://github.com/{path}.atom"));
    match address.parts[..] {
        [] => Vec::new(),
        ["orgs", org, ..] => vec![at(org.to_owned())],
        [page, ..] if GITHUB_PAGES.contains(&page) => Vec::new(),
        [user] => vec![at(user.trim_end_matches(".atom").to_owned())],
        [user, repo, "commits" | "tree", branch] => vec![at(format!("{user}/{}/commits/{branch}", bare(repo)))],
        [user, repo, "wiki", ..] => vec![at(format!("{user}/{}/wiki", bare(repo)))],
        [user, repo, ref rest @ ..] => {
            let mut kinds = ["releases", "commits", "tags"];
            if let Some(asked) = kinds.iter().position(|kind| rest.first() == Some(kind)) {
                kinds[..=asked].rotate_right(1);
            }
            kinds.iter().map(|kind| at(format!("{user}/{}/{kind}", bare(repo)))).collect()
        }
    }
}

/// Removes the `.git` of a clone address.
fn bare(repo: &str) -> &str {
    repo.strip_suffix(".git").unwrap_or(repo)
}

fn gitlab(address: &SiteAddress) -> Vec<FoundFeed> {
    let origin = address.url.origin().ascii_serialization();
    let split = address.parts.iter().position(|part| *part == "-").unwrap_or(address.parts.len());
    let (project, page) = address.parts.split_at(split);
    let path = project.join("/");
    let path = bare(&path);
    match (project, page) {
        ([] | ["explore" | "users" | "help" | "dashboard", ..], _) => Vec::new(),
        ([user], _) => vec![atom(format!("{origin}/{user}.atom"))],
        (_, ["-", "commits" | "tree", branch, ..]) => {
            vec![atom(format!("{origin}/{path}/-/commits/{branch}?format=atom"))]
        }
        (_, ["-", "tags", ..]) => vec![atom(format!("{origin}/{path}/-/tags?format=atom"))],
        _ => vec![
            atom(format!("{origin}/{path}/-/releases.atom")),
            atom(format!("{origin}/{path}/-/tags?format=atom")),
            atom(format!("{origin}/{path}.atom")),
        ],
    }
}

fn forgejo(address: &SiteAddress) -> Vec<FoundFeed> {
    let host = address.host;
    match address.parts[..] {
        [] | ["explore", ..] => Vec::new(),
        [user] => vec![rss(format!("https://{host}/{user}.rss"))],
        [user, repo, ..] => {
            let repo = bare(repo);
            vec![
                rss(format!("https://{host}/{user}/{repo}/releases.rss")),
                rss(format!("https://{host}/{user}/{repo}.rss")),
            ]
        }
    }
}
