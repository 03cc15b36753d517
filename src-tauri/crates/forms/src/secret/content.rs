//! Where secrets stand in content. What cannot be looked into, or is too deep for it, counts as one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::value::RawValue;

use super::declared::Declared;
use super::names::names_secret;
use crate::json::{members, push};
use crate::spec::{Field, FieldKind};

/// So deep it is looked into a value.
pub(super) const DEEPEST: usize = 64;

/// A secret within content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretAt {
    /// The JSON pointer to it.
    pub path: String,
    /// Where its value stands in the text, in bytes.
    pub at: Range<usize>,
}

/// Where the secrets of some content stand, in the order of the text. Null, yes, no and an empty text are none.
#[must_use]
pub fn secrets(schema_json: &str, content_json: &str) -> Vec<SecretAt> {
    let names = Names::of(schema_json);
    let mut secrets = Vec::new();
    each_value(content_json, &mut |path, found, value| {
        let is = match found {
            Found::Member(name) => names.is_secret(name, path.matches('/').count() == 1) && is_told(value),
            Found::Item => false,
            Found::Unseen => true,
        };
        if is {
            secrets.push(SecretAt { path: path.to_owned(), at: place(content_json, value) });
        }
        !is
    });
    secrets
}

/// Where the values at these JSON pointers stand, as far as they are there.
#[must_use]
pub fn values_at(content_json: &str, paths: &[&str]) -> Vec<SecretAt> {
    let mut found = Vec::new();
    each_value(content_json, &mut |path, _, value| {
        let is = paths.contains(&path);
        if is {
            found.push(SecretAt { path: path.to_owned(), at: place(content_json, value) });
        }
        !is
    });
    found
}

/// A text with this in the place of each secret.
#[must_use]
pub fn replaced(text: &str, places: &[SecretAt], instead: &str) -> String {
    let mut shown = text.to_owned();
    for place in places.iter().rev() {
        shown.replace_range(place.at.clone(), instead);
    }
    shown
}

/// Whether a value says anything that could be secret.
pub(super) fn is_told(value: &str) -> bool {
    !matches!(value, "null" | "true" | "false" | r#""""#)
}

/// What a schema tells of secrets. What is no field of its form is told by its name, and by what the schema declares anywhere.
pub(super) struct Names {
    fields: HashMap<String, Field>,
    declared: HashSet<String>,
    /// Whether all that has no field is one.
    others: bool,
}

impl Names {
    pub(super) fn of(schema_json: &str) -> Self {
        let fields = crate::form_spec(schema_json).fields;
        // Also of what no form can be made.
        let root = serde_json::from_str(schema_json).unwrap_or_default();
        let Declared { names, nameless } = Declared::of(&root, &root);
        Self {
            fields: fields.into_iter().map(|field| (field.name.clone(), field)).collect(),
            declared: names.into_iter().map(str::to_owned).collect(),
            others: nameless,
        }
    }

    pub(super) fn is_secret(&self, name: &str, is_top: bool) -> bool {
        let told = || names_secret(name) || self.declared.contains(name) || is_top && self.others;
        self.fields.get(name).filter(|_| is_top).map_or_else(told, |field| field.secret)
    }

    /// Whether there are any.
    pub(super) fn is_any(&self) -> bool {
        self.others || !self.declared.is_empty() || self.fields.values().any(|field| field.secret)
    }

    /// Whether there is a field with this name.
    pub(super) fn is_asked(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }

    /// Whether what is typed for this name is no JSON.
    pub(super) fn is_plain(&self, name: &str) -> bool {
        self.fields.get(name).is_some_and(|field| !matches!(field.kind, FieldKind::Json { .. }))
    }
}

/// How a value was come upon.
enum Found<'n> {
    /// With its name in an object.
    Member(&'n str),
    /// In a list.
    Item,
    /// It was, and nobody can look into it.
    Unseen,
}

/// Visits each value below an object or a list, with its JSON pointer; goes into it where `visit` says so.
fn each_value<'a>(content: &'a str, visit: &mut impl FnMut(&str, Found<'_>, &'a str) -> bool) {
    if serde_json::from_str::<&RawValue>(content).is_ok() {
        visit_below(content.trim(), &mut String::new(), 0, visit);
    }
}

fn visit_below<'a>(
    value: &'a str,
    path: &mut String,
    depth: usize,
    visit: &mut impl FnMut(&str, Found<'_>, &'a str) -> bool,
) {
    if !value.starts_with(['{', '[']) {
        return;
    }
    let Some(below) = below(value).filter(|_| depth <= DEEPEST) else {
        visit(path, Found::Unseen, value);
        return;
    };
    for (at, (name, value)) in below.into_iter().enumerate() {
        let end = path.len();
        match &name {
            Some(name) => push(path, name),
            None => push(path, &at.to_string()),
        }
        let found = name.as_deref().map_or(Found::Item, Found::Member);
        if visit(path, found, value) {
            visit_below(value, path, depth + 1, visit);
        }
        path.truncate(end);
    }
}

/// What stands in an object or a list; none where that cannot be read.
fn below<'a>(value: &'a str) -> Option<Vec<(Option<String>, &'a str)>> {
    if value.starts_with('{') {
        let named = |(name, raw): (String, &'a RawValue)| (Some(name), raw.get());
        return members(value).map(|members| members.into_iter().map(named).collect());
    }
    items(value).map(|items| items.into_iter().map(|raw| (None, raw.get())).collect())
}

pub(super) fn items(text: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(text).ok()
}

/// Where a part of a text stands in it.
fn place(whole: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - whole.as_ptr().addr();
    start..start + part.len()
}
