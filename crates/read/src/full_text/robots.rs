//! What sites ask of robots: `robots.txt`, as RFC 9309 describes it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use net::{Request, Urgency, Url};
use tokio::time::Instant;

use super::PageError;
use crate::Problem;

/// How we are named in `robots.txt`.
const OUR_NAME: &str = "kawaraban";
const MAX_BYTES: usize = 500 * 1024;
const MAX_RULES: usize = 2_000;
/// How many sites are remembered, and for how long.
const MAX_SITES: usize = 500;
const KEPT_FOR: Duration = Duration::from_secs(24 * 60 * 60);
const PATIENCE: Duration = Duration::from_secs(10);

/// The rules of sites that were asked lately.
#[derive(Clone, Default)]
pub(crate) struct RobotsCache(Arc<Mutex<Sites>>);

/// By origin, with the time at which the site was asked.
type Sites = HashMap<String, (Instant, Arc<Robots>)>;

impl RobotsCache {
    /// Whether the site lets robots fetch this address.
    pub(super) async fn allow(&self, net: &net::Client, url: &Url) -> Result<bool, PageError> {
        let site = url.origin().ascii_serialization();
        if let Some(robots) = self.kept(&site) {
            return Ok(robots.allows(url));
        }
        let address = url.join("/robots.txt").map_err(|_| Problem::AddressRefused)?;
        let request = Request::get(address).urgency(Urgency::Background).timeout(PATIENCE).max_wait(PATIENCE);
        let response = net.send(request.max_body_bytes(MAX_BYTES)).await?;
        let robots = match response.status.as_u16() {
            200..=299 => Robots::parse(&String::from_utf8_lossy(&response.body)),
            // There are no rules.
            400..=499 => Robots::default(),
            _ => return Err(Problem::ServerError.into()),
        };
        let is_allowed = robots.allows(url);
        self.keep(site, robots);
        Ok(is_allowed)
    }

    fn kept(&self, site: &str) -> Option<Arc<Robots>> {
        let sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, robots) = sites.get(site)?;
        (at.elapsed() < KEPT_FOR).then(|| robots.clone())
    }

    fn keep(&self, site: String, robots: Robots) {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sites.len() >= MAX_SITES {
            let oldest = sites.iter().min_by_key(|(_, (at, _))| *at).map(|(site, _)| site.clone());
            oldest.map(|oldest| sites.remove(&oldest));
        }
        sites.insert(site, (Instant::now(), Arc::new(robots)));
    }
}

/// The rules of a site for us: paths, and whether they are allowed.
#[derive(Debug, Default)]
struct Robots(Vec<(String, bool)>);

impl Robots {
    /// The rules for our name, or else those for all.
    fn parse(text: &str) -> Robots {
        let (mut ours, mut all) = (None, Vec::new());
        let (mut is_ours, mut is_all, mut was_name) = (false, false, false);
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            match key.as_str() {
                "user-agent" => {
                    if !was_name {
                        (is_ours, is_all) = (false, false);
                    }
                    was_name = true;
                    is_all |= value == "*";
                    is_ours |= value.eq_ignore_ascii_case(OUR_NAME);
                    if is_ours {
                        ours.get_or_insert_with(Vec::new);
                    }
                }
                "allow" | "disallow" => {
                    was_name = false;
                    let rule = (value.to_owned(), key == "allow");
                    let rules = if is_ours { ours.as_mut() } else { is_all.then_some(&mut all) };
                    if let Some(rules) = rules
                        && !value.is_empty()
                        && rules.len() < MAX_RULES
                    {
                        rules.push(rule);
                    }
                }
                _ => {}
            }
        }
        Robots(ours.unwrap_or(all))
    }

    /// The longest path that matches decides, and the one that allows among equals.
    fn allows(&self, url: &Url) -> bool {
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let path = format!("{}{query}", url.path());
        let matching = self.0.iter().filter(|(pattern, _)| matches(pattern, &path));
        matching.max_by_key(|(pattern, is_allowed)| (pattern.len(), *is_allowed)).is_none_or(|(_, allowed)| *allowed)
    }
}

/// Whether a path begins with a pattern, in which `*` is any text and `$` the end.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, is_whole) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return !is_whole || rest.is_empty();
    }
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        if is_last && is_whole {
            return rest.ends_with(part);
        }
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(text: &str, path: &str) -> bool {
        Robots::parse(text).allows(&Url::parse("https://e.example").unwrap().join(path).unwrap())
    }

    #[test]
    fn the_longest_rule_decides() {
        let text = "User-agent: *\nDisallow: /a\nAllow: /a/b # not c\nDisallow: /*.pdf$\nDisallow: /*?id=";
        for (path, expected) in [
            ("/", true),
            ("/a", false),
            ("/a/c", false),
            ("/a/b/c", true),
            ("/x.pdf", false),
            ("/x.pdf?y", true),
            ("/x?id=1", false),
        ] {
            assert_eq!(allows(text, path), expected, "{path}");
        }
        assert!(allows("", "/"));
        assert!(allows("User-agent: *\nDisallow:", "/"), "nothing is disallowed");
    }

    #[test]
    fn rules_for_us_replace_those_for_all() {
        let text = "User-agent: other\nUser-agent: Kawaraban\nDisallow: /private\n\nUser-agent: *\nDisallow: /";
        assert!(allows(text, "/public") && !allows(text, "/private/x"));
        assert!(!allows("User-agent: other\nDisallow: /x\nUser-agent: *\nDisallow: /", "/y"));
    }

    #[test]
    fn hostile_files_are_read() {
        assert!(!allows(&"User-agent: *\nDisallow: /\n".repeat(10_000), "/y"));
        let stars = format!("User-agent: *\nDisallow: /{}x", "*a".repeat(5_000));
        assert!(allows(&stars, &format!("/{}", "a".repeat(4_000))));
    }
}
