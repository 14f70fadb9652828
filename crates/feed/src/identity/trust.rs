//! Removes the keys of a document that cannot be trusted.

use std::collections::{HashMap, HashSet};

use super::{RawKeys, StoredKeys};

/// Uses the link with its fragment if entries differ only by the fragment, such as the versions of a change log. A link
/// that was stored with its fragment keeps it.
pub fn choose_links(raws: &mut [RawKeys], known: &[StoredKeys]) {
    let stored: HashSet<&str> = known.iter().filter_map(|row| row.link.as_deref()).collect();
    let mut fragments: HashMap<String, HashSet<String>> = HashMap::new();
    for raw in raws.iter() {
        if let (Some(without), Some(with)) = (&raw.without_fragment, &raw.with_fragment) {
            fragments.entry(without.clone()).or_default().insert(with.clone());
        }
    }
    for raw in raws {
        let (Some(without), Some(with)) = (&raw.without_fragment, &raw.with_fragment) else { continue };
        let several = fragments.get(without).is_some_and(|fragments| fragments.len() > 1);
        if several || stored.contains(with.as_str()) {
            raw.link = raw.with_fragment.clone();
        }
    }
}

/// Removes guids of entries with different links (or different content, without links).
pub fn drop_shared_guids(raws: &mut [RawKeys]) {
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

/// If most links of the document are stored and none of them with its guid, the guids are new with every fetch (or
/// number the entries of the document): all of them are ignored.
pub fn drop_changing_guids(raws: &mut [RawKeys], known: &[StoredKeys]) {
    let stored = guids_by_link(known);
    let mut in_document: HashMap<&str, usize> = HashMap::new();
    for link in raws.iter().filter_map(|raw| raw.link.as_deref()) {
        *in_document.entry(link).or_insert(0) += 1;
    }
    let (mut checked, mut stored_links, mut agreed) = (0_usize, 0_usize, 0_usize);
    for raw in raws.iter() {
        let (Some(guid), Some(link)) = (&raw.guid, raw.link.as_deref()) else { continue };
        // A link that is shared or the front page is no evidence.
        if raw.is_root || in_document.get(link) != Some(&1) {
            continue;
        }
        checked += 1;
        if let Some(stored) = stored.get(link) {
            stored_links += 1;
            agreed += usize::from(*stored == Some(guid.as_str()));
        }
    }
    if stored_links >= 2 && stored_links * 2 > checked && agreed == 0 {
        raws.iter_mut().for_each(|raw| raw.guid = None);
    }
}

/// The guid of each stored link, without links of several rows.
fn guids_by_link(known: &[StoredKeys]) -> HashMap<&str, Option<&str>> {
    let mut guids: HashMap<&str, Option<Option<&str>>> = HashMap::new();
    for row in known {
        let Some(link) = row.link.as_deref() else { continue };
        guids.entry(link).and_modify(|guid| *guid = None).or_insert(Some(row.guid.as_deref()));
    }
    guids.into_iter().filter_map(|(link, guid)| Some((link, guid?))).collect()
}
