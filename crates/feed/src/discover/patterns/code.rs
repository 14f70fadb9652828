//! Where code is kept: GitHub, GitLab and the like.

use super::{Found, Place, atom, rss};

/// First parts of GitHub's addresses that are nobody's name.
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

pub fn feeds(place: &Place) -> Vec<Found> {
    match place.host {
        "github.com" => github(place),
        "gist.github.com" => match place.parts[..] {
            [user] | [user, ..] => vec![atom(format!("https://gist.github.com/{user}.atom"))],
            [] => Vec::new(),
        },
        "codeberg.org" | "gitea.com" => forgejo(place),
        host if host == "gitlab.com" || host.starts_with("gitlab.") => gitlab(place),
        _ => Vec::new(),
    }
}

fn github(place: &Place) -> Vec<Found> {
    let at = |path: String| atom(format!("https://github.com/{path}.atom"));
    match place.parts[..] {
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

/// As it is cloned, so it is pasted.
fn bare(repo: &str) -> &str {
    repo.strip_suffix(".git").unwrap_or(repo)
}

fn gitlab(place: &Place) -> Vec<Found> {
    let origin = place.url.origin().ascii_serialization();
    let split = place.parts.iter().position(|part| *part == "-").unwrap_or(place.parts.len());
    let (project, page) = place.parts.split_at(split);
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

fn forgejo(place: &Place) -> Vec<Found> {
    let host = place.host;
    match place.parts[..] {
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
