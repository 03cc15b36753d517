//! What a form says beside its fields: what of the schema was not understood or ignored; and nothing where there is nothing.

use serde_json::{Value, json};
use signalbox_forms::{FormSpec, form_spec};

fn spec(schema: &Value) -> FormSpec {
    form_spec(&schema.to_string())
}

#[test]
fn what_is_not_understood_is_said_in_sentences() {
    for (schema, said) in [
        (json!({"type": "object", "properties": {"a": {"type": "string"}}}), None),
        (json!({"type": "object", "additionalProperties": true}), None),
        (
            json!({"$schema": "https://example.com/x", "type": "object"}),
            Some("The schema is in an unknown dialect (https://example.com/x)"),
        ),
        (
            json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}}),
            Some("a: A reference leads nowhere or outside the schema and is not followed"),
        ),
        (
            json!({"$ref": "https://example.com/a.json"}),
            Some("A reference leads nowhere or outside the schema and is not followed"),
        ),
    ] {
        assert_eq!(spec(&schema).troubles(), Vec::from_iter(said), "{schema}");
    }
}

#[test]
fn what_was_ignored_is_noted_where_it_was() {
    let spec = spec(&json!({"type": "object", "properties": {
        "a": {"type": "string", "default": 5},
        "b": {"type": "string", "pattern": "(?<!x)y"},
        "c": {"type": "object", "properties": {"d": {"$ref": "https://example.com"}}},
    }}));
    let fields: Vec<_> = spec.notes.iter().filter_map(|note| note.field.as_deref()).collect();
    assert_eq!(fields.len(), 3, "{:?}", spec.notes);
    for name in ["a", "b", "c"] {
        assert!(fields.contains(&name), "{name} is named in {:?}", spec.notes);
    }
}

#[test]
fn what_is_absent_is_not_null() {
    let property = json!({"type": "string", "oneOf": [{"const": "a"}]});
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "number"}, "d": property,
        "e": {"type": "array", "items": property}, "f": {"type": "object"},
    }});
    for schema in [schema, json!({"$ref": "#/nowhere"}), json!({"type": "string"})] {
        let spec = spec(&schema);
        let text = serde_json::to_string(&spec).unwrap();
        assert!(!text.contains(":null"), "{text}");
        assert_eq!(serde_json::from_str::<FormSpec>(&text).unwrap(), spec, "and comes back as it was");
    }
    let errors = signalbox_forms::validate("{}", "[]").unwrap_err();
    assert!(!serde_json::to_string(&errors).unwrap().contains(":null"), "{errors:?}");
}
