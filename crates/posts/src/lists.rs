//! The lists of a page, and which of them is taken.

use crate::select::Verdict;

/// The most lists that are offered beside the one that is taken.
const MAX_OTHERS: usize = 5;
/// The id of a list that is only in the data of a page.
const DATA_ID: &str = "data";

/// A list of items.
#[derive(Debug, Clone)]
pub(crate) struct ItemList {
    pub(crate) id: String,
    /// Indices of items, in the order of the page.
    pub(crate) members: Vec<usize>,
}

/// A group of links as a list of its own.
#[derive(Debug)]
pub(crate) struct Alternative {
    pub(crate) list: ItemList,
    /// It is offered. Others are found by their id only.
    pub(crate) is_likely: bool,
}

/// The lists of a page.
#[derive(Debug)]
pub(crate) struct Lists {
    /// The list that is taken without a choice. None if no group can be trusted.
    pub(crate) best: Option<ItemList>,
    /// Every group, the likeliest first.
    pub(crate) groups: Vec<Alternative>,
    /// Why each item is not a post, if it is not.
    pub(crate) verdicts: Vec<Verdict>,
}

/// The list that is taken, and those that are offered beside it.
pub(crate) struct Choice {
    pub(crate) taken: Option<ItemList>,
    pub(crate) others: Vec<ItemList>,
    /// The id of the list that is taken without a choice: the posts without links belong to it.
    pub(crate) best: Option<String>,
    pub(crate) verdicts: Vec<Verdict>,
}

impl Lists {
    /// Adds the items that the data of the page names to the best list.
    pub(crate) fn add_data(&mut self, linked: &[usize], has_unlinked: bool) {
        if linked.is_empty() && !has_unlinked {
            return;
        }
        let best = self.best.get_or_insert_with(|| ItemList { id: DATA_ID.to_owned(), members: Vec::new() });
        best.members.extend(linked);
        best.members.sort_unstable();
        best.members.dedup();
    }

    /// Takes the list with this id, or the best one.
    pub(crate) fn choose(self, id: Option<&str>) -> Choice {
        let Lists { best, groups, mut verdicts } = self;
        let is_best = best.as_ref().is_some_and(|best| Some(best.id.as_str()) == id);
        let named = groups.iter().map(|group| &group.list).find(|list| !is_best && Some(list.id.as_str()) == id);
        let (taken, mut others) = match named {
            Some(list) => (Some(list.clone()), best.iter().cloned().collect()),
            None => (best.clone(), Vec::new()),
        };
        let offered = groups.into_iter().filter(|group| group.is_likely).map(|group| group.list);
        let is_known = |list: &ItemList| {
            let known = [&best, &taken].into_iter().flatten();
            { known }.any(|known| known.id == list.id || overlaps(known, list))
        };
        others.extend(offered.filter(|list| !is_known(list)).take(MAX_OTHERS - others.len()));
        for at in taken.iter().flat_map(|list| &list.members) {
            if let Some(verdict) = verdicts.get_mut(*at) {
                *verdict = Verdict::Post;
            }
        }
        Choice { taken, others, best: best.map(|best| best.id), verdicts }
    }
}

/// Whether half of a list or more is in another list.
fn overlaps(known: &ItemList, list: &ItemList) -> bool {
    let shared = list.members.iter().filter(|at| known.members.binary_search(at).is_ok()).count();
    shared * 2 >= list.members.len()
}

/// The id of a list, from the hash of its template.
pub(crate) fn list_id(template: u64) -> String {
    format!("{template:016x}")
}
