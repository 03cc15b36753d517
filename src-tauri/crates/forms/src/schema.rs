//! A schema made ready: read within bounds, malformed keywords dropped with a note, references confined to the
//! document. What is left is a plain schema that both the form and the validator understand alike.

use std::collections::HashSet;

use jsonschema::Draft;
use serde_json::{Map, Value};

use crate::keywords;
use crate::quote::shorten;
use crate::spec::{Fallback, FormNote, Why};
use crate::{MAX_DEPTH, MAX_SCHEMA_BYTES, MAX_SUBSCHEMAS};

/// Longest pointer to a subschema, in bytes: property names beyond it have no use but to cost memory.
const MAX_POINTER: usize = 4096;
const MAX_NOTES: usize = 50;

/// Never reach the validator: identities and dynamic scopes could only make a reference mean something else.
const STRIPPED: &[&str] = &["$anchor", "$dynamicAnchor", "$id", "$recursiveAnchor", "$schema", "$vocabulary"];

pub(crate) struct Schema {
    pub(crate) root: Value,
    pub(crate) draft: Draft,
    pub(crate) notes: Vec<FormNote>,
    /// Rules were dropped: what they would have said is unknown.
    pub(crate) lossy: bool,
    /// Pointers of subschemas whose `$ref` leads nowhere or outside.
    pub(crate) dangling: Vec<String>,
}

impl Schema {
    pub(crate) fn read(text: &str) -> Result<Self, Fallback> {
        if text.len() > MAX_SCHEMA_BYTES {
            return Err(Fallback::new(Why::TooLarge));
        }
        let root: Value = serde_json::from_str(text).map_err(|e| Fallback::with(Why::Unreadable, e))?;
        if !root.is_object() && !root.is_boolean() {
            return Err(Fallback::new(Why::Invalid));
        }
        let draft = match root.get("$schema") {
            Some(Value::String(dialect)) => match Draft::default().detect(&root) {
                // The same rules once its own spellings are translated, and with fewer surprises.
                Draft::Draft4 => Draft::Draft7,
                Draft::Unknown => return Err(Fallback::with(Why::UnknownDialect, dialect)),
                draft => draft,
            },
            _ => Draft::Draft202012,
        };
        let mut schema = Self { root, draft, notes: Vec::new(), lossy: false, dangling: Vec::new() };
        schema.tidy_all()?;
        Ok(schema)
    }

    /// The schema for the validator: without the references that lead nowhere.
    pub(crate) fn checkable(&self) -> Value {
        let mut root = self.root.clone();
        for at in &self.dangling {
            if let Some(map) = root.pointer_mut(at).and_then(Value::as_object_mut) {
                map.shift_remove("$ref");
            }
        }
        root
    }

    fn tidy_all(&mut self) -> Result<(), Fallback> {
        let mut seen = HashSet::new();
        let mut waiting = vec![String::new()];
        while let Some(at) = waiting.pop() {
            if at.len() > MAX_POINTER {
                return Err(Fallback::new(Why::TooLarge));
            }
            // `properties/x` is one level of nesting and two segments.
            if at.matches('/').count() > 2 * MAX_DEPTH {
                return Err(Fallback::new(Why::TooDeep));
            }
            if !seen.insert(at.clone()) {
                continue;
            }
            if seen.len() > MAX_SUBSCHEMAS {
                return Err(Fallback::new(Why::TooMany));
            }
            let Some(node) = self.root.pointer_mut(&at) else { continue };
            if !node.is_object() {
                if !node.is_boolean() {
                    *node = Value::Object(Map::new());
                    self.note(&at, "Something that is not a schema was ignored", true);
                }
                continue;
            }
            let mut node = std::mem::take(node);
            if let Value::Object(map) = &mut node {
                self.tidy(map, &at);
                waiting.extend(keywords::subschemas(map).into_iter().map(|below| format!("{at}{below}")));
            }
            let target = node.get("$ref").and_then(Value::as_str).map(pointer_of);
            if let Some(place) = self.root.pointer_mut(&at) {
                *place = node;
            }
            match target {
                Some(Some(target)) if self.root.pointer(&target).is_some_and(is_schema) => {
                    if let Some(map) = self.root.pointer_mut(&at).and_then(Value::as_object_mut) {
                        map.insert("$ref".to_owned(), Value::from(reference_to(&target)));
                    }
                    waiting.push(target);
                }
                Some(_) => {
                    self.note(
                        &at,
                        "A reference leads nowhere or outside the schema and is not followed",
                        true,
                    );
                    self.dangling.push(at);
                }
                None => {}
            }
        }
        Ok(())
    }

    fn tidy(&mut self, map: &mut Map<String, Value>, at: &str) {
        translate_exclusive(map, "minimum", "exclusiveMinimum");
        translate_exclusive(map, "maximum", "exclusiveMaximum");
        map.retain(|keyword, _| !STRIPPED.contains(&keyword.as_str()));
        let mut dropped = Vec::new();
        let mut rule_lost = false;
        if let Some(Value::Array(names)) = map.get_mut("required") {
            let before = names.len();
            names.retain(Value::is_string);
            if names.len() < before {
                self.note(at, "`required` names something that is no property name", true);
            }
        }
        map.retain(|keyword, value| {
            let dynamic = keyword == "$dynamicRef" || keyword == "$recursiveRef";
            let kept = !dynamic && keywords::well_formed(keyword, value, self.draft);
            if !kept {
                rule_lost |= keywords::is_rule(keyword);
                dropped.push(keyword.clone());
            }
            kept
        });
        for (keyword, value) in map.iter_mut() {
            match keyword.as_str() {
                "required" | "enum" | "type" => drop_repeated(value),
                "patternProperties" => {
                    if let Value::Object(patterns) = value {
                        let before = patterns.len();
                        patterns.retain(|pattern, _| keywords::pattern_compiles(pattern));
                        if patterns.len() < before {
                            rule_lost = true;
                            dropped.push(keyword.clone());
                        }
                    }
                }
                _ if keyword.starts_with("min") || keyword.starts_with("max") => {
                    let counted = keyword != "minimum" && keyword != "maximum";
                    if let Some(count) = keywords::count(value).filter(|_| counted) {
                        *value = Value::Number(count);
                    }
                }
                _ => {}
            }
        }
        if dropped.iter().any(|keyword| keyword == "patternProperties") {
            // They would forbid exactly what the lost patterns allowed.
            map.shift_remove("additionalProperties");
            map.shift_remove("unevaluatedProperties");
        }
        for keyword in dropped {
            self.note(at, format!("`{keyword}` is malformed or not supported and was ignored"), false);
        }
        self.lossy |= rule_lost;
    }

    pub(crate) fn note(&mut self, at: &str, message: impl Into<String>, rule_lost: bool) {
        self.lossy |= rule_lost;
        if self.notes.len() < MAX_NOTES {
            let field = at.strip_prefix("/properties").and_then(crate::json::top);
            self.notes.push(FormNote { field, message: shorten(&message.into()) });
        }
    }
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// draft-04 (and OpenAPI 3.0) say `exclusiveMinimum: true` beside `minimum`.
fn translate_exclusive(map: &mut Map<String, Value>, limit: &str, exclusive: &str) {
    if let Some(Value::Bool(is_exclusive)) = map.get(exclusive) {
        let is_exclusive = *is_exclusive;
        map.shift_remove(exclusive);
        if is_exclusive && let Some(limit) = map.shift_remove(limit) {
            map.insert(exclusive.to_owned(), limit);
        }
    }
}

fn drop_repeated(value: &mut Value) {
    if let Value::Array(list) = value {
        let mut seen = HashSet::new();
        list.retain(|item| seen.insert(item.to_string()));
    }
}

/// The JSON pointer of a `$ref` into this document, percent-decoded.
pub(crate) fn pointer_of(reference: &str) -> Option<String> {
    if reference.is_empty() {
        return Some(String::new());
    }
    let fragment = reference.strip_prefix('#')?;
    if !fragment.is_empty() && !fragment.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The spelling that every reader takes for the same pointer.
fn reference_to(pointer: &str) -> String {
    let mut reference = String::from("#");
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~$".contains(&byte) {
            reference.push(char::from(byte));
        } else {
            reference.push_str(&format!("%{byte:02X}"));
        }
    }
    reference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_confined_and_spelled_one_way() {
        for (reference, pointer) in [
            ("#", Some("")),
            ("", Some("")),
            ("#/$defs/a", Some("/$defs/a")),
            ("#/$defs/a%20b", Some("/$defs/a b")),
            ("#/$defs/a b", Some("/$defs/a b")),
            ("#/%zz", None),
            ("#/%4", None),
            ("#name", None),
            ("https://example.com/schema.json", None),
            ("file:///etc/passwd", None),
            ("other.json#/a", None),
        ] {
            assert_eq!(pointer_of(reference).as_deref(), pointer, "{reference}");
        }
        assert_eq!(reference_to("/$defs/a b"), "#/$defs/a%20b");
    }
}
