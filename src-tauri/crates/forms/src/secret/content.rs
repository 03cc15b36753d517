//! Where secrets stand in content, and what was typed without them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::Value;
use serde_json::value::RawValue;

use super::declared::Declared;
use super::names::names_secret;
use crate::json::{members, push};

/// So deep it is looked into a value.
const DEEPEST: usize = 64;

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
    let mut found = Vec::new();
    each_value(content_json, &mut |path, name, value| {
        let is =
            name.is_some_and(|name| names.is_secret(name, path.matches('/').count() == 1)) && is_told(value);
        if is {
            found.push(SecretAt { path: path.to_owned(), at: place(content_json, value) });
        }
        !is
    });
    found
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

/// What was typed, without the secrets in it: content, or whatever shape a host keeps drafts in. There a text may be JSON
/// itself, and a list may have a name with its value, but nowhere else: content keeps whatever is no secret. None where there
/// was nothing to leave out.
#[must_use]
pub fn without_secrets(schema_json: &str, draft_json: &str) -> Option<String> {
    let names = Names::of(schema_json);
    let draft = draft_json.trim();
    match strip(&names, draft, 0, shape_of(draft)) {
        Cow::Borrowed(_) => None,
        Cow::Owned(stripped) => Some(stripped),
    }
}

/// What a draft is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Content, as it would be sent.
    Content,
    /// What the window keeps of a form: lists of a name and what was typed, and texts that are JSON or are to become it.
    Form,
}

/// The first forms that were kept had no mark.
fn shape_of(draft: &str) -> Shape {
    let members = members(draft).unwrap_or_default();
    let has = |wanted: &str| members.iter().any(|(name, _)| name == wanted);
    let marked =
        members.iter().any(|(name, raw)| name == "v" && raw.get().starts_with(r#""signalbox-form/"#));
    if marked || has("tab") && has("fields") { Shape::Form } else { Shape::Content }
}

/// Whether a value says anything that could be secret.
fn is_told(value: &str) -> bool {
    !matches!(value, "null" | "true" | "false" | r#""""#)
}

/// The fields of a form, and whether they are secrets. What is no field is told by its name, and by what the schema declares
/// anywhere.
struct Names {
    fields: HashMap<String, bool>,
    declared: HashSet<String>,
    /// Whether all that has no field is one.
    others: bool,
}

impl Names {
    fn of(schema_json: &str) -> Self {
        let spec = crate::form_spec(schema_json);
        let fields = spec.fields.into_iter().map(|field| (field.name, field.secret)).collect();
        // Also of what no form can be made.
        let root = serde_json::from_str(schema_json).unwrap_or_default();
        let Declared { names, nameless } = Declared::of(&root, &root);
        Self { fields, declared: names.into_iter().map(str::to_owned).collect(), others: nameless }
    }

    fn is_secret(&self, name: &str, is_top: bool) -> bool {
        let told = || names_secret(name) || self.declared.contains(name) || is_top && self.others;
        self.fields.get(name).filter(|_| is_top).copied().unwrap_or_else(told)
    }
}

/// Visits each value below an object or a list, with its JSON pointer and, in an object, its name; goes into it where `visit`
/// says so.
fn each_value<'a>(content: &'a str, visit: &mut impl FnMut(&str, Option<&str>, &'a str) -> bool) {
    visit_below(content, &mut String::new(), 0, visit);
}

fn visit_below<'a>(
    value: &'a str,
    path: &mut String,
    depth: usize,
    visit: &mut impl FnMut(&str, Option<&str>, &'a str) -> bool,
) {
    if depth > DEEPEST {
        return;
    }
    let below: Vec<(Option<String>, &'a str)> = match value.trim_start().as_bytes().first() {
        Some(b'{') => members(value)
            .unwrap_or_default()
            .into_iter()
            .map(|(name, raw)| (Some(name), raw.get()))
            .collect(),
        Some(b'[') => items(value).into_iter().map(|raw| (None, raw.get())).collect(),
        _ => return,
    };
    for (at, (name, value)) in below.into_iter().enumerate() {
        let end = path.len();
        match &name {
            Some(name) => push(path, name),
            None => push(path, &at.to_string()),
        }
        if visit(path, name.as_deref(), value) {
            visit_below(value, path, depth + 1, visit);
        }
        path.truncate(end);
    }
}

fn items(text: &str) -> Vec<&RawValue> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Where a part of a text stands in it.
fn place(whole: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - whole.as_ptr().addr();
    start..start + part.len()
}

fn strip<'a>(names: &Names, value: &'a str, depth: usize, shape: Shape) -> Cow<'a, str> {
    match value.as_bytes().first() {
        _ if depth > DEEPEST => Cow::Borrowed("null"),
        Some(b'{') => strip_members(names, value, depth, shape),
        Some(b'[') => strip_items(names, value, depth, shape),
        Some(b'"') if shape == Shape::Form => strip_text(names, value, depth),
        _ => Cow::Borrowed(value),
    }
}

fn strip_members<'a>(names: &Names, value: &'a str, depth: usize, shape: Shape) -> Cow<'a, str> {
    let Some(members) = members(value) else { return Cow::Borrowed(value) };
    let mut changed = false;
    let mut left = Vec::new();
    let is_top = depth == 0 && shape == Shape::Content;
    for (name, raw) in members {
        // Null may stand for one that was masked before.
        if names.is_secret(&name, is_top) && (is_told(raw.get()) || raw.get() == "null") {
            changed = true;
            continue;
        }
        let stripped = strip(names, raw.get(), depth + 1, shape);
        changed |= matches!(stripped, Cow::Owned(_));
        left.push(format!("{}:{stripped}", Value::from(name)));
    }
    if changed { Cow::Owned(format!("{{{}}}", left.join(","))) } else { Cow::Borrowed(value) }
}

fn strip_items<'a>(names: &Names, value: &'a str, depth: usize, shape: Shape) -> Cow<'a, str> {
    let items = items(value);
    let first = items.first().and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
    let is_text = |raw: &&RawValue| raw.get().starts_with('"') || raw.get() == "null";
    // A list of lists below a member is where a form's names stand with what was typed.
    let is_pair = shape == Shape::Form && depth == 2 && items.len() > 1 && items.iter().all(is_text);
    let is_secret = is_pair && first.is_some_and(|name| names.is_secret(&name, true));
    let mut changed = false;
    let mut left = Vec::new();
    for (at, raw) in items.iter().enumerate() {
        let stripped = match raw.get() {
            text if is_secret && at > 0 && is_told(text) => Cow::Owned(r#""""#.to_owned()),
            text => strip(names, text, depth + 1, shape),
        };
        changed |= matches!(stripped, Cow::Owned(_));
        left.push(stripped);
    }
    if changed { Cow::Owned(format!("[{}]", left.join(","))) } else { Cow::Borrowed(value) }
}

/// A text that is JSON is looked into. One that is to become JSON goes where it names a secret: nobody can tell where that ends.
fn strip_text<'a>(names: &Names, value: &'a str, depth: usize) -> Cow<'a, str> {
    let Ok(text) = serde_json::from_str::<String>(value) else { return Cow::Borrowed(value) };
    let text = text.trim();
    if depth == 0 || !text.starts_with(['{', '[']) {
        return Cow::Borrowed(value);
    }
    let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
    if !is_json && !text.contains('{') {
        return Cow::Borrowed(value);
    }
    let stripped = if is_json {
        match strip(names, text, 0, Shape::Content) {
            Cow::Borrowed(_) => None,
            Cow::Owned(stripped) => Some(stripped),
        }
    } else {
        text.split('"').skip(1).step_by(2).any(|part| names.is_secret(part, true)).then(String::new)
    };
    stripped.map_or(Cow::Borrowed(value), |stripped| Cow::Owned(Value::from(stripped).to_string()))
}
