//! What was typed, without the secrets in it.
//!
//! In text that is no JSON yet nobody can tell where a secret begins or ends. So none of it is kept where the schema declares a
//! secret, or where any word of it is a name of one. All else of the draft stays.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use super::content::{DEEPEST, Names, is_told, items};
use super::names::mentions_secret;
use crate::json::members;

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

/// What a part of a draft is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Content, as it would be sent.
    Content,
    /// What the window keeps of a form: lists of a name and what was typed, and texts that may be JSON.
    Form,
    /// What was typed to be the content, as JSON.
    Json,
    /// What was typed to be the JSON of one field.
    Value,
    /// What was typed into a field that takes no JSON.
    Plain,
    /// What was typed into a field that is not asked for any more.
    Former,
}

/// The first forms that were kept had no mark.
fn shape_of(draft: &str) -> Shape {
    let members = members(draft).unwrap_or_default();
    let has = |wanted: &str| members.iter().any(|(name, _)| name == wanted);
    let marked =
        members.iter().any(|(name, raw)| name == "v" && raw.get().starts_with(r#""signalbox-form/"#));
    if marked || has("tab") && has("fields") { Shape::Form } else { Shape::Content }
}

fn strip<'a>(names: &Names, value: &'a str, depth: usize, shape: Shape) -> Cow<'a, str> {
    match value.as_bytes().first() {
        Some(b'{' | b'[') if depth > DEEPEST => unseen(),
        Some(b'{') => strip_members(names, value, depth, shape),
        Some(b'[') => strip_items(names, value, depth, shape),
        Some(b'"') if shape != Shape::Content => strip_text(names, value, shape),
        _ => Cow::Borrowed(value),
    }
}

/// Stands for what nobody can look into.
fn unseen() -> Cow<'static, str> {
    Cow::Owned("null".to_owned())
}

fn strip_members<'a>(names: &Names, value: &'a str, depth: usize, shape: Shape) -> Cow<'a, str> {
    let Some(members) = members(value) else { return unseen() };
    let mut changed = false;
    let mut left = Vec::new();
    let is_top = depth == 0 && shape == Shape::Content;
    for (name, raw) in members {
        // Null may stand for one that was masked before.
        if names.is_secret(&name, is_top) && (is_told(raw.get()) || raw.get() == "null") {
            changed = true;
            continue;
        }
        let is_json = depth == 0 && shape == Shape::Form && name == "json";
        let stripped = strip(names, raw.get(), depth + 1, if is_json { Shape::Json } else { shape });
        changed |= matches!(stripped, Cow::Owned(_));
        left.push(format!("{}:{stripped}", Value::from(name)));
    }
    if changed { Cow::Owned(format!("{{{}}}", left.join(","))) } else { Cow::Borrowed(value) }
}

fn strip_items<'a>(names: &Names, value: &'a str, depth: usize, shape: Shape) -> Cow<'a, str> {
    let Some(items) = items(value) else { return unseen() };
    let typed = typed_in(names, &items, depth, shape);
    let mut changed = false;
    let mut left = Vec::new();
    for (at, raw) in items.iter().enumerate() {
        let stripped = match (raw.get(), typed) {
            (text, Typed::Secret) if at > 0 && is_told(text) => gone(),
            (text, Typed::As(shape)) if at > 0 => strip(names, text, depth + 1, shape),
            (text, _) => strip(names, text, depth + 1, shape),
        };
        changed |= matches!(stripped, Cow::Owned(_));
        left.push(stripped);
    }
    if changed { Cow::Owned(format!("[{}]", left.join(","))) } else { Cow::Borrowed(value) }
}

/// What was typed into a field.
#[derive(Clone, Copy)]
enum Typed {
    Secret,
    As(Shape),
}

/// What a list has beside the name that it begins with.
fn typed_in(names: &Names, items: &[&RawValue], depth: usize, shape: Shape) -> Typed {
    let is_text = |raw: &&RawValue| raw.get().starts_with('"') || raw.get() == "null";
    // A list of lists below a member is where a form's names stand with what was typed.
    if shape == Shape::Content || depth != 2 || items.len() < 2 || !items.iter().all(is_text) {
        return Typed::As(shape);
    }
    let name = serde_json::from_str::<String>(items[0].get()).ok();
    // Of an earlier form the value stands there as well, unless it was none.
    let is_unfinished = items.get(2).is_some_and(|value| value.get() == "null");
    match name {
        Some(name) if names.is_secret(&name, true) => Typed::Secret,
        None => Typed::As(Shape::Json),
        _ if is_unfinished => Typed::As(Shape::Value),
        Some(name) if names.is_plain(&name) => Typed::As(Shape::Plain),
        Some(name) if !names.is_asked(&name) => Typed::As(Shape::Former),
        Some(_) => Typed::As(Shape::Value),
    }
}

/// A text that is JSON is looked into. One that is to become JSON goes where there may be a secret in it.
fn strip_text<'a>(names: &Names, value: &'a str, shape: Shape) -> Cow<'a, str> {
    let Ok(text) = serde_json::from_str::<String>(value) else { return gone() };
    let text = text.trim();
    if serde_json::from_str::<&RawValue>(text).is_ok() {
        // What stands in a field has no members that the form asks for by themselves.
        let is_within = matches!(shape, Shape::Value | Shape::Plain | Shape::Former);
        return match strip(names, text, usize::from(is_within), Shape::Content) {
            Cow::Borrowed(_) => Cow::Borrowed(value),
            Cow::Owned(stripped) => Cow::Owned(Value::from(stripped).to_string()),
        };
    }
    // The text may be a megabyte long: its words are looked through last.
    let tells = || mentions_secret(text);
    let goes = match shape {
        Shape::Json | Shape::Value => !text.is_empty() && (names.is_any() || tells()),
        Shape::Plain => begins_json(text) && tells(),
        Shape::Former => begins_json(text) && names.is_any() || tells(),
        Shape::Form | Shape::Content => {
            text.starts_with(['{', '[']) && text.contains('{') && (names.is_any() || tells())
        }
    };
    if goes { gone() } else { Cow::Borrowed(value) }
}

/// Whether a text is JSON as far as it goes: of all that people write in brackets only that has a quote behind them.
fn begins_json(text: &str) -> bool {
    let behind = text.trim_start_matches(['{', '[', ' ', '\n', '\t']);
    behind.len() < text.len() && behind.starts_with('"')
}

/// Stands for text that is not kept.
fn gone() -> Cow<'static, str> {
    Cow::Owned(r#""""#.to_owned())
}

#[cfg(test)]
mod tests;
