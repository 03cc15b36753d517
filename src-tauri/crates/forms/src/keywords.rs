//! What the keywords of JSON Schema hold, for all dialects together.

use jsonschema::{Draft, PatternOptions};
use serde_json::{Map, Number, Value};

/// Keywords whose value is one subschema.
const ONE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value is a list of subschemas.
const LIST: &[&str] = &["allOf", "anyOf", "items", "oneOf", "prefixItems"];
/// Keywords whose value maps names to subschemas.
const MAP: &[&str] =
    &["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// Annotations: dropping a malformed one loses no rule.
const ANNOTATIONS: &[&str] = &[
    "$comment",
    "contentEncoding",
    "contentMediaType",
    "deprecated",
    "description",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// Pointers, relative to the schema, of its direct subschemas (also where something else stands instead of one).
pub(crate) fn subschemas(schema: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    for (keyword, value) in schema {
        let keyword = keyword.as_str();
        match value {
            Value::Object(map) if MAP.contains(&keyword) => {
                for (name, inner) in map {
                    // `dependencies` also maps to lists of names.
                    if !(keyword == "dependencies" && inner.is_array()) {
                        let mut at = format!("/{keyword}");
                        crate::json::push(&mut at, name);
                        found.push(at);
                    }
                }
            }
            Value::Array(list) if LIST.contains(&keyword) => {
                found.extend((0..list.len()).map(|index| format!("/{keyword}/{index}")));
            }
            _ if ONE.contains(&keyword) => found.push(format!("/{keyword}")),
            _ => {}
        }
    }
    found
}

/// Whether losing the keyword loses a rule.
pub(crate) fn is_rule(keyword: &str) -> bool {
    !ANNOTATIONS.contains(&keyword)
}

/// Whether the value has the shape its keyword demands. Unknown keywords may hold anything.
pub(crate) fn well_formed(keyword: &str, value: &Value, draft: Draft) -> bool {
    match keyword {
        "title" | "description" | "$comment" | "format" | "contentMediaType" | "contentEncoding" | "$ref" => {
            value.is_string()
        }
        "pattern" => value.as_str().is_some_and(pattern_compiles),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => count(value).is_some(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
        "multipleOf" => value.as_f64().is_some_and(|f| f > 0.0 && f.is_finite()),
        "uniqueItems" | "readOnly" | "writeOnly" | "deprecated" => value.is_boolean(),
        "enum" => value.as_array().is_some_and(|list| !list.is_empty()),
        "examples" => value.is_array(),
        "required" => is_names(value),
        "type" => match value {
            Value::Array(list) => !list.is_empty() && list.iter().all(is_type),
            _ => is_type(value),
        },
        "dependentRequired" => value.as_object().is_some_and(|map| map.values().all(is_names)),
        "items" => !value.is_array() || (draft != Draft::Draft202012 && list_of_some(value)),
        _ if LIST.contains(&keyword) => list_of_some(value),
        _ if MAP.contains(&keyword) => value.is_object(),
        _ => true,
    }
}

fn list_of_some(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty())
}

fn is_names(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(Value::is_string))
}

fn is_type(value: &Value) -> bool {
    let known = ["array", "boolean", "integer", "null", "number", "object", "string"];
    value.as_str().is_some_and(|name| known.contains(&name))
}

/// A count, also when written as `1.0`.
pub(crate) fn count(value: &Value) -> Option<Number> {
    let number = value.as_number()?;
    crate::number::integer(number).and_then(|i| u64::try_from(i).ok()).map(Number::from)
}

/// Patterns run on the linear-time engine only, with a bound on the compiled size in bytes: a server must not be able
/// to hang us with a regular expression. Look-around and back-references are not supported by it.
pub(crate) fn pattern_options() -> PatternOptions<jsonschema::Regex> {
    const MAX_COMPILED: usize = 256 * 1024;
    PatternOptions::regex().size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED)
}

pub(crate) fn pattern_compiles(pattern: &str) -> bool {
    pattern_validator(pattern).is_some()
}

/// Whether `text` matches; `None` when the pattern is not supported.
pub(crate) fn pattern_matches(pattern: &str, text: &str) -> Option<bool> {
    Some(pattern_validator(pattern)?.is_valid(&Value::from(text)))
}

fn pattern_validator(pattern: &str) -> Option<jsonschema::Validator> {
    let schema = Value::Object(Map::from_iter([("pattern".to_owned(), Value::from(pattern))]));
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(pattern_options())
        .build(&schema)
        .ok()
}
