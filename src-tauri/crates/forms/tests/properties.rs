//! For any schema and any content: no panic, no endless work, and a form that agrees with its own validation.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use signalbox_forms::{FieldKind, FormSpec, MAX_SUBSCHEMAS, Verdict, check_output, form_spec, validate};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec(("\\PC{0,4}", inner), 0..5).prop_map(|m| Value::Object(Map::from_iter(m))),
        ]
    })
}

/// Looks like a schema: real keywords, often with values of the wrong shape.
fn near_schema() -> impl Strategy<Value = Value> {
    let keyword = prop::sample::select(vec![
        "type",
        "properties",
        "required",
        "enum",
        "const",
        "oneOf",
        "anyOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "items",
        "prefixItems",
        "contains",
        "minContains",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "pattern",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "unevaluatedItems",
        "propertyNames",
        "dependentSchemas",
        "dependentRequired",
        "dependencies",
        "uniqueItems",
        "minItems",
        "maxItems",
        "format",
        "title",
        "description",
        "default",
        "enumNames",
        "$ref",
        "$defs",
        "definitions",
        "$id",
        "id",
        "$anchor",
        "$schema",
        "$dynamicRef",
        "$recursiveRef",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
    ]);
    let word = prop::sample::select(vec![
        "string",
        "integer",
        "number",
        "boolean",
        "array",
        "object",
        "null",
        "email",
        "uri",
        "date",
        "date-time",
        "regex",
        "#",
        "#/$defs/a",
        "#/properties/a",
        "#a",
        "a",
        "b",
        "^a",
        "(",
        "(a+)+$",
        "http://example.com/",
        "base64",
        "application/json",
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/draft-04/schema#",
        "",
    ]);
    let leaf = prop_oneof![
        3 => word.clone().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => (-3..9_i64).prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any_json(),
    ];
    leaf.prop_recursive(6, 80, 5, move |inner| {
        prop_oneof![
            3 => prop::collection::vec((keyword.clone(), inner.clone()), 0..5)
                .prop_map(|m| Value::Object(m.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
            2 => prop::collection::vec((word.clone(), inner.clone()), 0..4)
                .prop_map(|m| Value::Object(m.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
            2 => prop::collection::vec(inner, 0..4).prop_map(Value::from),
        ]
    })
}

/// A property of the restricted schema, with limits that leave room.
fn property() -> impl Strategy<Value = Value> {
    let limits = (-9..0_i64, 0..9_i64);
    prop_oneof![
        (0..4_u32, 4..9_u32, prop::option::of("[a-z]{0,10}"))
            .prop_map(|(least, most, default)| json!({"type": "string", "minLength": least, "maxLength": most, "default": default})),
        prop::sample::select(vec!["email", "uri", "date", "date-time"]).prop_map(|f| json!({"type": "string", "format": f, "default": "2026-01-31"})),
        (limits.clone(), any::<i64>()).prop_map(|((low, high), default)| json!({"type": "integer", "minimum": low, "maximum": high, "default": default % 12})),
        (limits, any::<f64>()).prop_map(|((low, high), default)| json!({"type": "number", "exclusiveMinimum": low, "maximum": high, "default": default})),
        prop::option::of(any::<bool>()).prop_map(|default| json!({"type": "boolean", "default": default})),
        prop::collection::vec("[a-d]{1,2}", 1..5).prop_map(|o| json!({"type": "string", "enum": o, "default": "a"})),
        (prop::collection::vec("[a-d]{1,2}", 2..5), 0..2_u32)
            .prop_map(|(o, least)| json!({"type": "array", "items": {"type": "string", "enum": o}, "minItems": least, "default": ["a"]})),
    ]
}

fn restricted() -> impl Strategy<Value = Value> {
    prop::collection::vec(("\\PC{0,6}", property(), any::<bool>()), 0..8).prop_map(|all| {
        let required: Vec<_> = all.iter().filter(|p| p.2).map(|p| p.0.clone()).collect();
        let properties: Map<_, _> = all.into_iter().map(|(name, schema, _)| (name, schema)).collect();
        json!({"type": "object", "properties": properties, "required": required})
    })
}

/// A value each field accepts, made from the form alone, as a person would.
fn fill(spec: &FormSpec) -> String {
    let number =
        |limit: &Option<String>| limit.as_ref().map_or(0, |text| text.parse::<i64>().expect("small limits"));
    let members = spec.fields.iter().map(|field| {
        let value = match &field.kind {
            FieldKind::Text { format: Some(format), .. } => {
                let name = serde_json::to_value(format).expect("a format is JSON");
                json!(match name.as_str().unwrap_or_default() {
                    "email" => "a@b.example",
                    "uri" => "urn:a:b",
                    "date" => "2026-01-31",
                    _ => "2026-01-31T09:00:00Z",
                })
            }
            FieldKind::Text { min_length, .. } => json!("x".repeat(min_length.unwrap_or(0) as usize)),
            FieldKind::Integer { minimum, .. } => json!(number(minimum)),
            FieldKind::Number { maximum, .. } => json!(number(maximum)),
            FieldKind::Boolean => json!(false),
            FieldKind::Select { options } => {
                serde_json::from_str(&options[0].value).expect("an option is JSON")
            }
            FieldKind::MultiSelect { options, min_items, .. } => {
                let chosen = options.iter().take(min_items.unwrap_or(0) as usize);
                chosen.map(|o| serde_json::from_str::<Value>(&o.value).expect("an option is JSON")).collect()
            }
            FieldKind::Json { .. } => unreachable!("the restricted schema needs no JSON"),
        };
        (field.name.clone(), value)
    });
    Value::Object(members.collect()).to_string()
}

fn no_shown_default_is_wrong(schema: &str) -> Result<(), TestCaseError> {
    let spec = form_spec(schema);
    prop_assert!(spec.fields.len() <= MAX_SUBSCHEMAS);
    prop_assert!(spec.fallback.is_none() || spec.fields.is_empty());
    let defaults: Map<String, Value> = spec
        .fields
        .iter()
        .filter_map(|f| {
            Some((f.name.clone(), serde_json::from_str(f.default.as_ref()?).expect("a default is JSON")))
        })
        .collect();
    let errors = validate(schema, &Value::Object(defaults.clone()).to_string()).err().unwrap_or_default();
    for name in defaults.keys() {
        let path = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        let wrong = errors.iter().find(|e| e.field.as_ref() == Some(name) && e.path == path);
        prop_assert!(wrong.is_none(), "{wrong:?} in {schema}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_schema_and_content_end_without_panic(schema in prop_oneof![any_json(), near_schema(), near_schema().prop_map(|s| json!({"type": "object", "properties": {"a": s, "b": {"$ref": "#/properties/a"}}, "$defs": {"a": {"$ref": "#"}}}))], content in any_json(), text in "\\PC{0,12}") {
        let schema = schema.to_string();
        let content = json!({"a": content, "b": content}).to_string();
        let refused = validate(&schema, &content).is_err();
        match check_output(&schema, &content) {
            Verdict::Valid => prop_assert!(!refused, "the form refuses what the schema allows: {content} for {schema}"),
            Verdict::Invalid { errors } => prop_assert!(refused, "nobody told {errors:?}: {content} for {schema}"),
            Verdict::Unchecked { .. } => {}
        }
        let spec = form_spec(&schema);
        for field in &spec.fields {
            let _ = field.parse_text(&text);
        }
        no_shown_default_is_wrong(&schema)?;
    }

    #[test]
    fn any_text_is_survived(schema in "\\PC{0,40}", content in "\\PC{0,40}") {
        let _ = form_spec(&schema);
        let _ = validate(&schema, &content);
        let _ = check_output(&schema, &content);
    }

    #[test]
    fn a_restricted_schema_is_all_fields_and_a_filled_form_passes(schema in restricted()) {
        let schema = schema.to_string();
        let spec = form_spec(&schema);
        prop_assert_eq!(&spec.fallback, &None);
        let content = fill(&spec);
        let verdict = validate(&schema, &content);
        prop_assert!(verdict.is_ok(), "{:?} for {} against {}", verdict, content, schema);
        no_shown_default_is_wrong(&schema)?;
    }

    #[test]
    fn what_is_typed_and_accepted_validates(schema in restricted(), text in prop_oneof!["[a-d]{1,2}", "-?[0-9]{1,3}(\\.[0-9])?", "\\PC{0,9}", Just("yes".to_owned())]) {
        let schema = schema.to_string();
        for field in form_spec(&schema).fields {
            if let Ok(value) = field.parse_text(&text) {
                let content = Value::Object(Map::from_iter([(field.name.clone(), value)])).to_string();
                let errors = validate(&schema, &content).err().unwrap_or_default();
                let mine = errors.iter().find(|e| e.field.as_ref() == Some(&field.name));
                prop_assert!(mine.is_none(), "{mine:?} for {content} against {schema}");
            }
        }
    }
}
