//! The work a validation would take, counted before it is done. A schema of a few hundred bytes can demand 2^60
//! steps (references that double) or endless recursion; the validator must never see such a pair.

use serde_json::{Map, Value};

use crate::schema::pointer_of;

/// Roughly: subschema visits, plus the size of what each of them has to look at.
const MAX_STEPS: usize = 500_000;
/// Combined nesting of schema and content; bounds the validator's stack.
const MAX_STACK: usize = 256;

/// Whether validating `content` stays within bounds.
pub(crate) fn allows(schema: &Value, content: &Value) -> bool {
    Budget { root: schema, left: MAX_STEPS }.visit(schema, content, 0).is_some()
}

struct Budget<'a> {
    root: &'a Value,
    left: usize,
}

impl Budget<'_> {
    fn spend(&mut self, steps: usize) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }

    /// Spends as much as the whole value is large.
    fn spend_size(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Array(list) => list.iter().try_for_each(|item| self.spend_size(item))?,
            Value::Object(map) => map.values().try_for_each(|item| self.spend_size(item))?,
            Value::String(text) => self.spend(text.len() / 64)?,
            _ => {}
        }
        self.spend(1)
    }

    fn visit(&mut self, schema: &Value, value: &Value, depth: usize) -> Option<()> {
        self.spend(1)?;
        if depth > MAX_STACK {
            return None;
        }
        let Some(schema) = schema.as_object() else { return Some(()) };
        self.compare(schema, value)?;
        // What is unevaluated is found by evaluating everything beside it again.
        let again = schema.contains_key("unevaluatedProperties") || schema.contains_key("unevaluatedItems");
        for _ in 0..=usize::from(again) {
            self.in_place(schema, value, depth + 1)?;
        }
        self.below(schema, value, depth + 1)
    }

    /// Keywords that look at the value's whole content.
    fn compare(&mut self, schema: &Map<String, Value>, value: &Value) -> Option<()> {
        if let Some(Value::Array(options)) = schema.get("enum") {
            self.spend(options.len())?;
            self.spend_size(value)?;
        }
        for keyword in ["const", "uniqueItems", "anyOf", "oneOf", "not", "if", "contains"] {
            if schema.contains_key(keyword) {
                self.spend_size(value)?;
            }
        }
        if let (Some(_), Value::String(text)) = (schema.get("pattern"), value) {
            self.spend(text.len())?;
        }
        if let Some(Value::Array(names)) = schema.get("required") {
            self.spend(names.len())?;
        }
        Some(())
    }

    fn in_place(&mut self, schema: &Map<String, Value>, value: &Value, depth: usize) -> Option<()> {
        if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(pointer_of)
            && let Some(target) = self.root.pointer(&target)
        {
            self.visit(target, value, depth)?;
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.get(keyword) {
                branches.iter().try_for_each(|branch| self.visit(branch, value, depth))?;
            }
        }
        for keyword in ["not", "if", "then", "else"] {
            if let Some(branch) = schema.get(keyword) {
                self.visit(branch, value, depth)?;
            }
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            if let Some(Value::Object(branches)) = schema.get(keyword) {
                branches.values().try_for_each(|branch| self.visit(branch, value, depth))?;
            }
        }
        Some(())
    }

    fn below(&mut self, schema: &Map<String, Value>, value: &Value, depth: usize) -> Option<()> {
        match value {
            Value::Object(members) => {
                let named = schema.get("properties").and_then(Value::as_object);
                self.spend(named.map_or(0, Map::len))?;
                for (name, member) in members {
                    if let Some(property) = named.and_then(|properties| properties.get(name)) {
                        self.visit(property, member, depth)?;
                    }
                    if let Some(Value::Object(patterns)) = schema.get("patternProperties") {
                        self.spend(patterns.len().saturating_mul(name.len()))?;
                        patterns.values().try_for_each(|pattern| self.visit(pattern, member, depth))?;
                    }
                    for keyword in ["additionalProperties", "unevaluatedProperties"] {
                        if let Some(other) = schema.get(keyword) {
                            self.visit(other, member, depth)?;
                        }
                    }
                    if let Some(names) = schema.get("propertyNames") {
                        self.visit(names, &Value::from(name.as_str()), depth)?;
                    }
                }
            }
            Value::Array(list) => {
                for keyword in ["prefixItems", "items"] {
                    if let Some(Value::Array(schemas)) = schema.get(keyword) {
                        schemas.iter().zip(list).try_for_each(|(one, item)| self.visit(one, item, depth))?;
                    }
                }
                for keyword in ["items", "additionalItems", "unevaluatedItems", "contains"] {
                    if let Some(each @ (Value::Object(_) | Value::Bool(_))) = schema.get(keyword) {
                        list.iter().try_for_each(|item| self.visit(each, item, depth))?;
                    }
                }
            }
            _ => {}
        }
        Some(())
    }
}
