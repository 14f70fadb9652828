//! Finds the lists of a page: the best group of one template with the groups that are like it, and the other groups.

use std::collections::{HashMap, HashSet};

use crate::{
    address::{Address, Role},
    item::{DateSign, Item},
    links::{Links, Target},
    lists::{Alternative, ItemList, Lists, list_id},
    score::score,
};

/// A group is accepted if its mean score is at least this share of the best one's.
const SHARE_OF_BEST: f32 = 0.55;
/// The least mean score of the best group.
const LEAST_MEAN: f32 = 2.0;
/// The least mean score of a group that is offered as an alternative: menus with short texts have less.
const LEAST_MEAN_TO_OFFER: f32 = -2.0;
/// The least number of links of an alternative.
const LEAST_MEMBERS: usize = 3;

/// Items of one template.
struct Group {
    /// The hash of the template.
    template: u64,
    /// Indices of items.
    members: Vec<usize>,
    mean: f32,
    dated: f32,
    weight: f32,
}

/// Why an item is not a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Post,
    Frame,
    Prose,
    Price,
    Fixed,
    Weak,
    Unlike,
}

/// What the page says about itself.
pub(crate) struct PageSigns {
    pub(crate) address: Address,
    /// The page names a feed.
    pub(crate) has_feed: bool,
}

/// The lists of a page.
pub(crate) fn select(items: &[Item], links: &Links, page: &PageSigns) -> Lists {
    let scores: Vec<f32> =
        items.iter().map(|item| links.targets.get(item.target).map_or(0.0, |target| score(item, target))).collect();
    let selection = Selection { items, links, scores: &scores };
    let groups = selection.groups();
    let best = groups.first().filter(|best| selection.is_list(best, page)).map(|best| {
        let mut members: Vec<usize> = selection.accepted(best, &groups).into_iter().collect();
        members.sort_unstable();
        ItemList { id: list_id(best.template), members }
    });
    Lists {
        best: best.filter(|best| !best.members.is_empty()),
        groups: groups.iter().filter_map(|group| selection.alternative(group)).collect(),
        verdicts: items.iter().map(|item| selection.first_verdict(item)).collect(),
    }
}

struct Selection<'a> {
    items: &'a [Item],
    links: &'a Links,
    scores: &'a [f32],
}

impl<'a> Selection<'a> {
    fn item(&self, at: usize) -> Option<(&'a Item, &'a Target)> {
        let item = self.items.get(at)?;
        Some((item, self.links.targets.get(item.target)?))
    }

    fn score(&self, at: usize) -> f32 {
        self.scores.get(at).copied().unwrap_or(0.0)
    }

    /// The verdict on an item that is not chosen.
    fn first_verdict(&self, item: &Item) -> Verdict {
        let role = self.links.targets.get(item.target).map(|target| target.role);
        match role {
            Some(Role::Fixed | Role::Period) => Verdict::Fixed,
            _ if item.is_pager || item.is_period => Verdict::Fixed,
            _ if item.has_price => Verdict::Price,
            _ if item.is_frame => Verdict::Frame,
            _ if item.is_prose => Verdict::Prose,
            _ if item.date_sign == DateSign::None && item.columns < 12 => Verdict::Weak,
            _ => Verdict::Unlike,
        }
    }

    /// The groups, the best first.
    fn groups(&self) -> Vec<Group> {
        let mut places: HashMap<u64, usize> = HashMap::new();
        let mut groups: Vec<Group> = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            let place = *places.entry(item.group).or_insert(groups.len());
            if place == groups.len() {
                groups.push(Group { template: item.group, members: Vec::new(), mean: 0.0, dated: 0.0, weight: 0.0 });
            }
            if let Some(group) = groups.get_mut(place) {
                group.members.push(at);
            }
        }
        for group in &mut groups {
            self.weigh(group);
        }
        groups.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        groups
    }

    /// The group as a list that a user can choose.
    fn alternative(&self, group: &Group) -> Option<Alternative> {
        let could_be_post = |at: &usize| self.item(*at).is_some_and(|(item, target)| could_be_post(item, target));
        let members: Vec<usize> = group.members.iter().copied().filter(could_be_post).collect();
        let is_likely = members.len() >= LEAST_MEMBERS
            && members.len() * 2 > group.members.len()
            && group.mean >= LEAST_MEAN_TO_OFFER
            && self.share(group, |item, _| item.is_prose) < 0.5;
        let list = ItemList { id: list_id(group.template), members };
        (!list.members.is_empty()).then_some(Alternative { list, is_likely })
    }

    fn weigh(&self, group: &mut Group) {
        let count = group.members.len() as f32;
        group.mean = group.members.iter().map(|at| self.score(*at)).sum::<f32>() / count;
        group.dated = self.share(group, is_dated);
        group.weight = group.mean * (1.0 + count).log2();
    }

    fn share(&self, group: &Group, is_true: impl Fn(&Item, &Target) -> bool) -> f32 {
        let count =
            group.members.iter().filter_map(|at| self.item(*at)).filter(|(item, target)| is_true(item, target)).count();
        count as f32 / group.members.len().max(1) as f32
    }

    /// Whether the best group is a list of posts at all. Lists without dates need other signs of posts.
    fn is_list(&self, best: &Group, page: &PageSigns) -> bool {
        let count = best.members.len();
        if best.mean < LEAST_MEAN || self.share(best, |item, _| item.has_price) > 0.3 {
            return false;
        }
        if best.dated >= 0.5 {
            return best.mean >= 3.0 && count >= 2 || best.mean >= 6.0;
        }
        let named = self.share(best, |item, target| {
            item.has_post_name
                || item.is_in_article && page.has_feed
                || target.address.is_below_posts()
                || target.address.has_period()
        });
        let wide = self.share(best, |item, _| item.columns >= 12 || item.is_heading);
        count >= 3 && wide >= 0.6 && (named >= 0.5 || page.address.is_named_posts())
    }

    /// The items of the best group and of those that are like it.
    fn accepted(&self, best: &Group, groups: &[Group]) -> HashSet<usize> {
        let mut accepted: HashSet<usize> = best.members.iter().copied().collect();
        let shapes: HashSet<String> = self.shapes(best);
        let cards = best.members.iter().filter_map(|at| self.items.get(*at)?.card).collect();
        for group in groups.iter().skip(1) {
            if self.is_like(group, best, &shapes, &cards) {
                accepted.extend(&group.members);
            }
        }
        accepted.extend((0..self.items.len()).filter(|at| self.has_date_of(*at, &shapes)));
        let folders = self.folders(&accepted);
        let is_ranking = self.share(best, |item, _| item.is_ranking) >= 0.5;
        accepted.retain(|at| {
            let is_other = self.items.get(*at).is_some_and(|item| item.is_ranking && !is_ranking);
            !is_other && self.stays(*at, best, &folders)
        });
        accepted
    }

    fn shapes(&self, group: &Group) -> HashSet<String> {
        group.members.iter().filter_map(|at| self.item(*at)).map(|(_, target)| target.address.shape()).collect()
    }

    fn is_like(&self, group: &Group, best: &Group, shapes: &HashSet<String>, cards: &HashSet<u64>) -> bool {
        let alike = self.share(group, |_, target| shapes.contains(&target.address.shape()));
        let special = self.share(group, |_, target| is_special(&target.address));
        let is_dated = best.dated < 0.5 || group.dated >= 0.5;
        if group.mean >= SHARE_OF_BEST * best.mean && alike >= 0.5 && (is_dated || special >= 0.5) {
            return true;
        }
        if self.share(group, |item, _| item.card.is_some_and(|card| cards.contains(&card))) >= 0.5
            && self.share(group, |item, _| item.is_frame) < 0.5
        {
            return group.mean >= 0.3 * best.mean;
        }
        // Another list with dates: posts of another kind.
        group.mean >= 0.8 * best.mean && group.dated >= 0.8
    }

    /// Whether an item has a date in its address, in the form of the posts: no other links have.
    fn has_date_of(&self, at: usize, shapes: &HashSet<String>) -> bool {
        self.item(at).is_some_and(|(item, target)| {
            !item.is_prose
                && item.columns >= 8
                && target.address.date().is_some()
                && shapes.contains(&target.address.shape())
        })
    }

    /// How often each folder occurs among accepted items.
    fn folders(&self, accepted: &HashSet<usize>) -> HashMap<&'a str, usize> {
        let mut folders = HashMap::new();
        for (_, target) in accepted.iter().filter_map(|at| self.item(*at)) {
            *folders.entry(target.address.folder()).or_insert(0) += 1;
        }
        folders
    }

    /// Drops items of the right template that differ in what matters.
    fn stays(&self, at: usize, best: &Group, folders: &HashMap<&str, usize>) -> bool {
        let Some((item, target)) = self.item(at) else { return false };
        if item.is_pager || item.is_period || item.has_price && item.date_sign == DateSign::None {
            return false;
        }
        if is_dated(item, target) {
            return true;
        }
        if target.role == Role::Fixed {
            return false;
        }
        let folder = folders.get(target.address.folder()).copied().unwrap_or(0);
        best.dated < 0.7 || folder * 5 >= folders.values().sum::<usize>()
    }
}

fn is_dated(item: &Item, target: &Target) -> bool {
    item.date_sign >= DateSign::Partial || target.address.date().is_some()
}

/// Whether a link is neither the pager nor a page that every site has.
fn could_be_post(item: &Item, target: &Target) -> bool {
    let is_fixed = item.is_period || matches!(target.role, Role::Fixed | Role::Period);
    !item.title.trim().is_empty() && !item.is_pager && (!is_fixed || is_dated(item, target))
}

/// Whether the form of an address says more than "a page at the root".
fn is_special(address: &Address) -> bool {
    address.depth() >= 2
}
