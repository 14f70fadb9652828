//! Which keys of a document can be trusted.

use std::collections::{HashMap, HashSet};

use super::{Known, Raw};

/// Takes the link with its fragment where the fragment tells entries apart: places in one page, such as the versions
/// of a change log. A link that was stored with its fragment keeps it.
pub fn choose_links(raws: &mut [Raw], known: &[Known]) {
    let stored: HashSet<&str> = known.iter().filter_map(|row| row.link.as_deref()).collect();
    let mut places: HashMap<String, HashSet<String>> = HashMap::new();
    for raw in raws.iter() {
        if let (Some(page), Some(place)) = (&raw.page, &raw.place) {
            places.entry(page.clone()).or_default().insert(place.clone());
        }
    }
    for raw in raws {
        let (Some(page), Some(place)) = (&raw.page, &raw.place) else { continue };
        let several = places.get(page).is_some_and(|places| places.len() > 1);
        if several || stored.contains(place.as_str()) {
            raw.link = raw.place.clone();
        }
    }
}

/// A guid on entries with different links (or texts, without links) says nothing about any of them.
pub fn drop_shared_guids(raws: &mut [Raw]) {
    let mut first: HashMap<String, String> = HashMap::new();
    let mut shared: HashSet<String> = HashSet::new();
    for raw in raws.iter() {
        let Some(guid) = &raw.guid else { continue };
        let what = raw.link.as_ref().unwrap_or(&raw.content);
        if first.entry(guid.clone()).or_insert_with(|| what.clone()) != what {
            shared.insert(guid.clone());
        }
    }
    for raw in raws {
        raw.guid = raw.guid.take().filter(|guid| !shared.contains(guid));
    }
}

/// When most links of the document are known and none of them under its guid, the guids are new at every fetch (or
/// count the places in the document): all of them are put aside.
pub fn drop_changing_guids(raws: &mut [Raw], known: &[Known]) {
    let stored = guids_by_link(known);
    let mut in_document: HashMap<&str, usize> = HashMap::new();
    for link in raws.iter().filter_map(|raw| raw.link.as_deref()) {
        *in_document.entry(link).or_insert(0) += 1;
    }
    let (mut asked, mut met, mut agreed) = (0_usize, 0_usize, 0_usize);
    for raw in raws.iter() {
        let (Some(guid), Some(link)) = (&raw.guid, raw.link.as_deref()) else { continue };
        // A link that several entries share, or that is the whole site, says nothing of the guid.
        if raw.is_root || in_document.get(link) != Some(&1) {
            continue;
        }
        asked += 1;
        if let Some(stored) = stored.get(link) {
            met += 1;
            agreed += usize::from(*stored == Some(guid.as_str()));
        }
    }
    if met >= 2 && met * 2 > asked && agreed == 0 {
        raws.iter_mut().for_each(|raw| raw.guid = None);
    }
}

/// The guid that each known link was stored with, links of several rows left out.
fn guids_by_link(known: &[Known]) -> HashMap<&str, Option<&str>> {
    let mut guids: HashMap<&str, Option<Option<&str>>> = HashMap::new();
    for row in known {
        let Some(link) = row.link.as_deref() else { continue };
        guids.entry(link).and_modify(|guid| *guid = None).or_insert(Some(row.guid.as_deref()));
    }
    guids.into_iter().filter_map(|(link, guid)| Some((link, guid?))).collect()
}
