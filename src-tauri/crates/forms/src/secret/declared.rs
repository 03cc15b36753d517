//! Which values a schema declares to be secrets, however deep in it: by a name or a title, by `format: password`, and by
//! `writeOnly`, which is for what nobody is to read again.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::names::names_secret;
use crate::MAX_SUBSCHEMAS;
use crate::view::View;

/// Keywords with the schema of what stands in a value, or of the value itself.
const ONE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// The same as lists.
const LIST: &[&str] = &["items", "prefixItems"];
/// The same under what is no name of a value.
const MAP: &[&str] = &["dependencies", "dependentSchemas", "patternProperties"];

/// So many parts wait at most to be looked at.
const MOST_WAITING: usize = 10 * MAX_SUBSCHEMAS;

/// The secrets of a schema.
#[derive(Default)]
pub(super) struct Declared<'a> {
    /// The names of properties that are secrets, or that have some in them which have no name.
    pub(super) names: HashSet<&'a str>,
    /// Whether there are some below no name at all.
    pub(super) nameless: bool,
}

impl<'a> Declared<'a> {
    /// Those that `node`, which is a part of `root`, declares. Of a larger schema than any form shows it is what comes first.
    pub(super) fn of(root: &'a Value, node: &'a Value) -> Self {
        let mut found = Self::default();
        // The same schema below the same name says the same, and may lead back to itself.
        let mut seen = HashSet::new();
        // Each below its nearest name, and whether that is its own.
        let mut waiting: Vec<(Option<&'a str>, &'a Value, bool)> = vec![(None, node, false)];
        while let Some((name, node, is_named)) = waiting.pop() {
            if seen.len() >= MAX_SUBSCHEMAS || !seen.insert((name, std::ptr::from_ref(node).addr())) {
                continue;
            }
            let view = View::of(root, node);
            if is_chosen(&view) {
                continue;
            }
            // Of what has no name and holds others the title is that of the form.
            let holds_others = !view.branches.is_empty() || view.all("properties").next().is_some();
            if is_marked(&view)
                || (name.is_some() || !holds_others) && is_titled(&view)
                || is_named && name.is_some_and(names_secret)
            {
                match name {
                    Some(name) => drop(found.names.insert(name)),
                    None => found.nameless = true,
                }
            }
            let maps = |keyword: &'static str| view.all(keyword).filter_map(Value::as_object);
            let properties =
                maps("properties").flatten().map(|(name, node)| (Some(name.as_str()), node, true));
            let lists =
                LIST.iter().flat_map(|keyword| view.all(keyword)).filter_map(Value::as_array).flatten();
            let one = ONE.iter().flat_map(|keyword| view.all(keyword));
            let mapped = MAP.iter().flat_map(|keyword| maps(keyword)).flat_map(Map::values);
            let below = lists.chain(one).chain(mapped).chain(view.branches.iter().copied());
            let room = MOST_WAITING.saturating_sub(waiting.len());
            waiting.extend(properties.chain(below.map(|node| (name, node, false))).take(room));
        }
        found
    }

    /// Whether there are any.
    pub(super) fn is_any(&self) -> bool {
        self.nameless || !self.names.is_empty()
    }
}

/// Whether a schema itself says that its value is a secret.
pub(super) fn is_marked(view: &View<'_>) -> bool {
    view.all("format").any(|format| format == "password") || view.all("writeOnly").any(|is| *is == true)
}

/// Whether its title is that of a secret.
pub(super) fn is_titled(view: &View<'_>) -> bool {
    view.text("title").is_some_and(names_secret)
}

/// Yes and no is no secret, nor is what everybody can choose from a list.
fn is_chosen(view: &View<'_>) -> bool {
    view.get("enum").is_some() || view.get("const").is_some() || view.types().0 == ["boolean"]
}
