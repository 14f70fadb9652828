//! How often a site posts, and what follows from it.

use chrono::{DateTime, TimeDelta, Utc};

use crate::site_post::SitePost;

/// The longest pause between checks that a slow rhythm leads to.
const LONGEST_MINUTES: i64 = 12 * 60;
/// A site is checked this often between two of its posts.
const CHECKS_PER_POST: i32 = 8;
/// A site is quiet after so many of its usual pauses, but never before a month.
const PAUSES_TO_QUIET: i32 = 6;
const SHORTEST_QUIET: TimeDelta = TimeDelta::days(30);

/// The usual time between two posts: the median. None with fewer than four dates.
fn usual_pause(posts: &[SitePost]) -> Option<TimeDelta> {
    let mut dates: Vec<DateTime<Utc>> = posts.iter().filter_map(|post| post.published_at).collect();
    dates.sort_unstable();
    let mut pauses: Vec<TimeDelta> =
        dates.iter().zip(dates.iter().skip(1)).map(|(earlier, later)| *later - *earlier).collect();
    pauses.sort_unstable();
    if pauses.len() < 3 { None } else { pauses.get(pauses.len() / 2).copied() }
}

/// The least time between checks that the rhythm of a site calls for, in minutes.
pub(crate) fn minutes_between_checks(posts: &[SitePost]) -> Option<u32> {
    let minutes = (usual_pause(posts)? / CHECKS_PER_POST).num_minutes();
    u32::try_from(minutes.min(LONGEST_MINUTES)).ok().filter(|minutes| *minutes > 0)
}

/// Whether a site has posted nothing for much longer than usual.
pub(crate) fn is_quiet(posts: &[SitePost], last_change_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
    let newest = posts.iter().filter_map(|post| post.published_at).max().max(last_change_at);
    let limit = usual_pause(posts).map_or(SHORTEST_QUIET * 3, |pause| (pause * PAUSES_TO_QUIET).max(SHORTEST_QUIET));
    newest.is_some_and(|newest| now - newest > limit)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    fn every(days: i64, count: i64) -> Vec<SitePost> {
        let last: DateTime<Utc> = "2026-03-01T00:00:00Z".parse().unwrap();
        let post = |n: i64| SitePost {
            url: Url::parse(&format!("https://e.example/{n}")).unwrap(),
            title: n.to_string(),
            published_at: Some(last - TimeDelta::days(n * days)),
        };
        (0..count).map(post).collect()
    }

    #[test]
    fn slow_sites_are_checked_less_often() {
        assert_eq!(minutes_between_checks(&every(1, 10)), Some(180));
        assert_eq!(minutes_between_checks(&every(30, 10)), Some(720));
        assert_eq!(minutes_between_checks(&every(0, 10)), None);
        assert_eq!(minutes_between_checks(&every(1, 3)), None);
    }

    #[test]
    fn a_site_is_quiet_after_several_of_its_pauses() {
        let now = |days: i64| "2026-03-01T00:00:00Z".parse::<DateTime<Utc>>().unwrap() + TimeDelta::days(days);
        assert!(!is_quiet(&every(1, 10), None, now(29)) && is_quiet(&every(1, 10), None, now(31)));
        assert!(!is_quiet(&every(10, 10), None, now(59)) && is_quiet(&every(10, 10), None, now(61)));
        assert!(!is_quiet(&[], None, now(1_000)));
        assert!(!is_quiet(&every(1, 10), Some(now(60)), now(61)));
    }
}
