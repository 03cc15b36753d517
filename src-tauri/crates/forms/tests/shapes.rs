//! Schema -> form, by table: every type of the restricted schema, tool schemas, and the odd spellings servers use.

use serde_json::{Value, json};
use signalbox_forms::{FieldKind, FormSpec, Why, form_spec};

fn spec(schema: &Value) -> FormSpec {
    form_spec(&schema.to_string())
}

/// The only field of an object schema with this one property, as JSON without what is empty.
fn field(property: Value) -> Value {
    let mut spec = spec(&json!({"type": "object", "properties": {"p": property}}));
    assert_eq!(spec.fallback, None, "shown as fields");
    assert_eq!(spec.fields.len(), 1);
    let mut field = serde_json::to_value(spec.fields.remove(0)).expect("a field is JSON");
    strip(&mut field);
    let map = field.as_object_mut().expect("a field is an object");
    map.shift_remove("name");
    if map["label"] == "p" {
        map.shift_remove("label");
    }
    field
}

fn strip(value: &mut Value) {
    if let Value::Object(map) = value {
        map.retain(|_, inner| {
            strip(inner);
            !inner.is_null() && *inner != Value::Bool(false)
        });
    }
}

fn option(value: &str, label: &str) -> Value {
    json!({"value": Value::from(value).to_string(), "label": label})
}

#[test]
fn every_type_of_the_restricted_schema() {
    let ab = || json!([option("a", "a"), option("b", "b")]);
    let titled = || json!([option("a", "Alpha"), option("b", "Beta")]);
    let consts = || json!([{"const": "a", "title": "Alpha"}, {"const": "b", "title": "Beta"}]);
    for (name, property, expected) in [
        (
            "StringSchema",
            json!({"type": "string", "title": "Name", "description": "Whose", "minLength": 1, "maxLength": 9, "default": "x"}),
            json!({"label": "Name", "description": "Whose", "kind": {"type": "text", "minLength": 1, "maxLength": 9}, "default": "\"x\""}),
        ),
        (
            "email",
            json!({"type": "string", "format": "email"}),
            json!({"kind": {"type": "text", "format": "email"}}),
        ),
        (
            "uri",
            json!({"type": "string", "format": "uri"}),
            json!({"kind": {"type": "text", "format": "uri"}}),
        ),
        (
            "date",
            json!({"type": "string", "format": "date"}),
            json!({"kind": {"type": "text", "format": "date"}}),
        ),
        (
            "date-time",
            json!({"type": "string", "format": "date-time"}),
            json!({"kind": {"type": "text", "format": "date-time"}}),
        ),
        (
            "NumberSchema, number",
            json!({"type": "number", "minimum": 0.5, "maximum": 5, "default": 1.25}),
            json!({"kind": {"type": "number", "minimum": "0.5", "maximum": "5"}, "default": "1.25"}),
        ),
        (
            "NumberSchema, integer",
            json!({"type": "integer", "minimum": 0, "maximum": 18_446_744_073_709_551_615_u64, "default": 9_007_199_254_740_993_u64}),
            json!({"kind": {"type": "integer", "minimum": "0", "maximum": "18446744073709551615"}, "default": "9007199254740993"}),
        ),
        (
            "BooleanSchema",
            json!({"type": "boolean", "default": true}),
            json!({"kind": {"type": "boolean"}, "default": "true"}),
        ),
        (
            "UntitledSingleSelectEnumSchema",
            json!({"type": "string", "enum": ["a", "b"], "default": "b"}),
            json!({"kind": {"type": "select", "options": ab()}, "default": "\"b\""}),
        ),
        (
            "TitledSingleSelectEnumSchema",
            json!({"type": "string", "oneOf": consts()}),
            json!({"kind": {"type": "select", "options": titled()}}),
        ),
        (
            "UntitledMultiSelectEnumSchema",
            json!({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1, "maxItems": 2, "default": ["a"]}),
            json!({"kind": {"type": "multiSelect", "options": ab(), "minItems": 1, "maxItems": 2}, "default": "[\"a\"]"}),
        ),
        (
            "TitledMultiSelectEnumSchema",
            json!({"type": "array", "items": {"anyOf": consts()}}),
            json!({"kind": {"type": "multiSelect", "options": titled()}}),
        ),
        (
            "TitledMultiSelectEnumSchema, oneOf",
            json!({"type": "array", "items": {"oneOf": consts()}}),
            json!({"kind": {"type": "multiSelect", "options": titled()}}),
        ),
        (
            "LegacyTitledEnumSchema",
            json!({"type": "string", "enum": ["a", "b"], "enumNames": ["Alpha", "Beta"]}),
            json!({"kind": {"type": "select", "options": titled()}}),
        ),
    ] {
        assert_eq!(field(property), expected, "{name}");
    }
}

#[test]
fn odd_spellings_are_understood() {
    let text = || json!({"kind": {"type": "text"}});
    for (name, property, expected) in [
        (
            "counts as doubles",
            json!({"type": "string", "minLength": 1.0}),
            json!({"kind": {"type": "text", "minLength": 1}}),
        ),
        ("zero minimum says nothing", json!({"type": "string", "minLength": 0}), text()),
        ("malformed limit", json!({"type": "string", "minLength": "3"}), text()),
        ("title is no string", json!({"type": "string", "title": 5, "description": ["x"]}), text()),
        ("default of a wrong type", json!({"type": "string", "default": 5}), text()),
        (
            "default outside the options",
            json!({"enum": ["a"], "default": "z"}),
            json!({"kind": {"type": "select", "options": [option("a", "a")]}}),
        ),
        (
            "default against the pattern",
            json!({"type": "string", "pattern": "^a", "default": "b"}),
            json!({"kind": {"type": "text", "pattern": "^a"}}),
        ),
        (
            "default beyond 64 bits",
            serde_json::from_str(r#"{"type":"integer","default":100000000000000000000}"#).unwrap(),
            json!({"kind": {"type": "integer"}}),
        ),
        (
            "integer default as a double",
            json!({"type": "integer", "default": 5.0}),
            json!({"kind": {"type": "integer"}, "default": "5"}),
        ),
        (
            "default against multipleOf",
            json!({"type": "integer", "multipleOf": 2, "default": 3}),
            json!({"kind": {"type": "integer"}}),
        ),
        ("null default", json!({"type": "string", "default": null}), text()),
        (
            "enum of numbers",
            json!({"enum": [1, 2.5, "x"], "default": 2.5}),
            json!({"kind": {"type": "select", "options": [{"value": "1", "label": "1"}, {"value": "2.5", "label": "2.5"}, option("x", "x")]}, "default": "2.5"}),
        ),
        (
            "enum repeated",
            json!({"enum": ["a", "a"]}),
            json!({"kind": {"type": "select", "options": [option("a", "a")]}}),
        ),
        (
            "enumNames too short, with junk",
            json!({"enum": ["a", "b", "c"], "enumNames": ["Alpha", 7]}),
            json!({"kind": {"type": "select", "options": [option("a", "Alpha"), option("b", "b"), option("c", "c")]}}),
        ),
        (
            "enum and oneOf",
            json!({"enum": ["b", "a", "c"], "oneOf": [{"const": "a", "title": "Alpha"}, {"const": "b"}]}),
            json!({"kind": {"type": "select", "options": [option("b", "b"), option("a", "Alpha")]}}),
        ),
        ("const", json!({"const": "a"}), json!({"kind": {"type": "select", "options": [option("a", "a")]}})),
        (
            "type list with null",
            json!({"type": ["string", "null"]}),
            json!({"nullable": true, "kind": {"type": "text"}}),
        ),
        (
            "anyOf with null",
            json!({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": null, "title": "T"}),
            json!({"label": "T", "nullable": true, "kind": {"type": "integer", "minimum": "1"}}),
        ),
        (
            "enum with null",
            json!({"enum": ["a", null]}),
            json!({"nullable": true, "kind": {"type": "select", "options": [option("a", "a")]}}),
        ),
        ("integer or number", json!({"type": ["integer", "number"]}), json!({"kind": {"type": "number"}})),
        (
            "several types",
            json!({"type": ["string", "integer"]}),
            json!({"kind": {"type": "json", "why": "alternatives"}}),
        ),
        (
            "several shapes",
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
            json!({"kind": {"type": "json", "why": "alternatives"}}),
        ),
        ("implied text", json!({"maxLength": 5}), json!({"kind": {"type": "text", "maxLength": 5}})),
        ("implied number", json!({"minimum": 5}), json!({"kind": {"type": "number", "minimum": "5"}})),
        ("nothing said", json!({}), json!({"kind": {"type": "json", "why": "untyped"}})),
        ("anything", json!(true), json!({"kind": {"type": "json", "why": "untyped"}})),
        ("no schema at all", json!(5), json!({"kind": {"type": "json", "why": "untyped"}})),
        ("unknown type", json!({"type": "any"}), json!({"kind": {"type": "json", "why": "untyped"}})),
        (
            "nested object",
            json!({"type": "object", "properties": {}}),
            json!({"kind": {"type": "json", "why": "nested"}}),
        ),
        (
            "list of free values",
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"kind": {"type": "json", "why": "nested"}}),
        ),
        (
            "long text",
            json!({"type": "string", "maxLength": 2000}),
            json!({"kind": {"type": "text", "maxLength": 2000, "multiline": true}}),
        ),
        (
            "huge limit",
            json!({"type": "string", "maxLength": 1e15}),
            json!({"kind": {"type": "text", "maxLength": u32::MAX, "multiline": true}}),
        ),
        (
            "exclusive integer limits",
            json!({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9.5}),
            json!({"kind": {"type": "integer", "minimum": "1", "maximum": "9"}}),
        ),
        (
            "exclusive number limits",
            json!({"type": "number", "minimum": 0, "exclusiveMinimum": 0, "maximum": 5, "exclusiveMaximum": 6}),
            json!({"kind": {"type": "number", "minimum": "0", "exclusiveMinimum": true, "maximum": "5"}}),
        ),
        (
            "draft-04 exclusive",
            json!({"type": "number", "minimum": 0, "exclusiveMinimum": true}),
            json!({"kind": {"type": "number", "minimum": "0", "exclusiveMinimum": true}}),
        ),
        (
            "allOf",
            json!({"allOf": [{"type": "string", "title": "T"}, {"minLength": 2}]}),
            json!({"label": "T", "kind": {"type": "text", "minLength": 2}}),
        ),
        ("look-around is not supported", json!({"type": "string", "pattern": "^(?=a)"}), text()),
        (
            "remote reference",
            json!({"$ref": "https://example.com/s.json"}),
            json!({"kind": {"type": "json", "why": "reference"}}),
        ),
        (
            "dangling reference",
            json!({"$ref": "#/$defs/none"}),
            json!({"kind": {"type": "json", "why": "reference"}}),
        ),
        ("circle", json!({"$ref": "#/properties/p"}), json!({"kind": {"type": "json", "why": "reference"}})),
    ] {
        assert_eq!(field(property), expected, "{name}");
    }
}

#[test]
fn order_names_and_required_are_kept() {
    let names = ["z", "a", "", "a/b", "~", "$ref", "properties", "naïve 🚆", "__proto__"];
    let properties: serde_json::Map<_, _> =
        names.iter().map(|n| ((*n).to_owned(), json!({"type": "string"}))).collect();
    let spec = spec(&json!({
        "title": "T", "description": "D", "type": "object", "properties": properties,
        "required": ["a", "ghost", "a", 7],
    }));
    assert_eq!((spec.title.as_deref(), spec.description.as_deref()), (Some("T"), Some("D")));
    let shown: Vec<_> = spec.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(shown[..names.len()], names);
    assert_eq!(shown[names.len()..], ["ghost"], "what is required must be enterable");
}

#[test]
fn local_references_are_followed() {
    for defs in ["$defs", "definitions", "components"] {
        let spec = spec(&json!({
            "type": "object",
            "properties": {"p": {"$ref": format!("#/{defs}/a%20b"), "title": "Mine"}},
            "required": ["p"],
            defs: {"a b": {"$ref": format!("#/{defs}/c~1d")}, "c/d": {"type": "integer", "title": "Theirs", "maximum": 3}},
        }));
        assert_eq!(spec.fields[0].label, "Mine", "{defs}: the nearest title wins");
        assert_eq!(
            spec.fields[0].kind,
            FieldKind::Integer { minimum: None, maximum: Some("3".into()) },
            "{defs}"
        );
        assert!(spec.notes.is_empty(), "{:?}", spec.notes);
    }
}

#[test]
fn what_cannot_be_fields_says_why() {
    for (schema, why) in [
        (json!(5), Why::Invalid),
        (json!(null), Why::Invalid),
        (json!(false), Why::NotAnObject),
        (json!(true), Why::FreeForm),
        (json!({}), Why::FreeForm),
        (json!({"type": "string"}), Why::NotAnObject),
        (json!({"type": "object", "additionalProperties": true}), Why::FreeForm),
        (json!({"type": "object", "additionalProperties": {"type": "string"}}), Why::FreeForm),
        (json!({"type": "object", "oneOf": [{"properties": {}}, {"properties": {}}]}), Why::Alternatives),
        (
            json!({"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {"a": {}, "b": {}}}),
            Why::Alternatives,
        ),
        (json!({"$ref": "https://example.com/schema.json"}), Why::Reference),
        (json!({"$ref": "#"}), Why::Reference),
        (json!({"$schema": "https://example.com/my-dialect", "type": "object"}), Why::UnknownDialect),
    ] {
        let spec = spec(&schema);
        assert_eq!(spec.fallback.as_ref().map(|f| f.why), Some(why), "{schema}");
        assert!(spec.fields.is_empty(), "{schema}");
    }
    assert_eq!(form_spec("{").fallback.map(|f| f.why), Some(Why::Unreadable));
    assert_eq!(form_spec("").fallback.map(|f| f.why), Some(Why::Unreadable));
}

#[test]
fn known_dialects_and_plain_tools_are_fields() {
    for dialect in [
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-04/schema#",
    ] {
        let spec = spec(
            &json!({"$schema": dialect, "id": "x", "type": "object", "properties": {"a": {"type": "string"}}}),
        );
        assert_eq!((spec.fallback, spec.fields.len(), spec.notes), (None, 1, vec![]), "{dialect}");
    }
    let nothing = spec(&json!({"type": "object"}));
    assert_eq!(
        (nothing.fallback, nothing.fields),
        (None, vec![]),
        "a tool without arguments is an empty form"
    );
    let together = spec(&json!({
        "type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }));
    assert_eq!(
        (together.fallback, together.fields.len()),
        (None, 2),
        "branches that only combine keep the fields"
    );
    let parts =
        spec(&json!({"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}, "required": ["b"]}]}));
    assert_eq!(
        parts.fields.iter().map(|f| (f.name.as_str(), f.required)).collect::<Vec<_>>(),
        [("a", false), ("b", true)]
    );
}
