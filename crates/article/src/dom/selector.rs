//! A small part of CSS selectors, matched in time linear in page and selector.
//!
//! Understood: `tag`, `*`, `.class`, `#id`, `[attr]`, `[attr=v]`, `~=`, `^=`, `$=`, `*=`, descendants (space), children (`>`)
//! and lists (`,`). Pseudo-classes and siblings are errors.

mod parse;

use super::{Document, NodeId, Tag};

/// Why a selector cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// Write a selector.
    #[error("the selector is empty")]
    Empty,
    /// Write a shorter one.
    #[error("the selector is too long")]
    TooLong,
    /// Write it without this.
    #[error("`{0}` is not understood in a selector")]
    Unexpected(String),
}

/// A parsed selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    alternatives: Vec<Alternative>,
}

/// One of the selectors of a list: steps from the outside in.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Alternative {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    /// Whether the element is a child of the one before, not any descendant.
    is_child: bool,
    conditions: Vec<Condition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Condition {
    Tag(Tag),
    /// A name that has no tag of its own.
    Name(String),
    Class(String),
    Attribute {
        name: String,
        test: Test,
        value: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Test {
    Exists,
    Equals,
    HasWord,
    StartsWith,
    EndsWith,
    Contains,
}

/// Which first steps of an alternative an element and the elements around it have matched: bit `n` for `n` steps.
#[derive(Debug, Clone, Copy)]
struct Progress {
    own: u32,
    around: u32,
}

/// Before the first step, everything has matched nothing.
const START: Progress = Progress { own: 1, around: 1 };

impl Selector {
    /// Parses a selector or a list of them.
    pub fn parse(text: &str) -> Result<Selector, SelectorError> {
        parse::parse(text)
    }

    /// The elements that match, in document order.
    pub fn select(&self, document: &Document<'_>) -> Vec<NodeId> {
        let mut is_found = vec![false; document.len()];
        let mut progress = vec![START; document.len()];
        for alternative in &self.alternatives {
            for id in document.nodes() {
                let before = document.parent(id).and_then(|parent| progress.get(parent.index())).copied();
                let here = alternative.advance(document, id, before.unwrap_or(START));
                if let Some(slot) = progress.get_mut(id.index()) {
                    *slot = here;
                }
                if alternative.is_complete(here)
                    && let Some(found) = is_found.get_mut(id.index())
                {
                    *found = true;
                }
            }
        }
        is_found.iter().enumerate().filter(|(_, found)| **found).map(|(index, _)| NodeId::at(index)).collect()
    }

    /// Whether an element matches.
    pub fn matches(&self, document: &Document<'_>, id: NodeId) -> bool {
        let mut path: Vec<NodeId> = document.ancestors(id).collect();
        path.reverse();
        path.push(id);
        self.alternatives.iter().any(|alternative| {
            let advance = |before, id: &NodeId| alternative.advance(document, *id, before);
            alternative.is_complete(path.iter().fold(START, advance))
        })
    }
}

impl Alternative {
    /// The progress of an element, given that of its parent.
    fn advance(&self, document: &Document<'_>, id: NodeId, parent: Progress) -> Progress {
        let mut own = 1;
        if !matches!(document.tag(id), Tag::Text | Tag::Document) {
            for (index, step) in self.steps.iter().enumerate() {
                let from = if step.is_child { parent.own } else { parent.around };
                if from >> index & 1 == 1 && step.matches(document, id) {
                    own |= 2 << index;
                }
            }
        }
        Progress { own, around: parent.around | own }
    }

    fn is_complete(&self, progress: Progress) -> bool {
        progress.own >> self.steps.len() & 1 == 1
    }
}

impl Step {
    fn matches(&self, document: &Document<'_>, id: NodeId) -> bool {
        self.conditions.iter().all(|condition| condition.matches(document, id))
    }
}

impl Condition {
    fn matches(&self, document: &Document<'_>, id: NodeId) -> bool {
        match self {
            Condition::Tag(tag) => document.tag(id) == *tag,
            Condition::Name(name) => document.name(id).eq_ignore_ascii_case(name),
            Condition::Class(class) => document.raw_attribute(id, "class").is_some_and(|known| has_word(known, class)),
            Condition::Attribute { name, test, value } => {
                document.attribute(id, name).is_some_and(|known| test.holds(&known, value))
            }
        }
    }
}

impl Test {
    fn holds(self, known: &str, value: &str) -> bool {
        match self {
            Test::Exists => true,
            Test::Equals => known == value,
            Test::HasWord => has_word(known, value),
            Test::StartsWith => !value.is_empty() && known.starts_with(value),
            Test::EndsWith => !value.is_empty() && known.ends_with(value),
            Test::Contains => !value.is_empty() && known.contains(value),
        }
    }
}

fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}
