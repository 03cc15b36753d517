//! Content -> messages, by table, and one typed-in text -> value.

use serde_json::{Value, json};
use signalbox_forms::{FieldErrorCode as Code, Verdict, Why, check_output, form_spec, validate};

fn errors(schema: &Value, content: &str) -> Vec<(String, Code, String)> {
    let errors = validate(&schema.to_string(), content).err().unwrap_or_default();
    errors.into_iter().map(|e| (e.path, e.code, e.message)).collect()
}

/// The only message for the only property.
fn message(property: Value, value: &str) -> Option<(Code, String)> {
    let schema = json!({"type": "object", "properties": {"p": property}});
    let mut all = errors(&schema, &format!("{{\"p\":{value}}}"));
    assert!(all.len() <= 1, "one message for one place: {all:?}");
    all.pop().map(|(path, code, message)| {
        assert!(path.starts_with("/p"), "{path}");
        (code, message)
    })
}

#[test]
fn each_misfit_has_its_message() {
    let ab = json!({"type": "string", "oneOf": [{"const": "a", "title": "Alpha"}, {"const": "b", "title": "Beta"}]});
    let many = json!({"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2});
    let unique = json!({"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": true});
    for (property, value, code, expected) in [
        (json!({"type": "string"}), "5", Code::Type, "Must be text"),
        (json!({"type": "string"}), "null", Code::Type, "Must be text"),
        (json!({"type": "string", "minLength": 3}), "\"ab\"", Code::TooShort, "At least 3 characters"),
        (json!({"type": "string", "minLength": 1}), "\"\"", Code::TooShort, "At least 1 character"),
        (json!({"type": "string", "maxLength": 2}), "\"🚆🚆🚆\"", Code::TooLong, "At most 2 characters"),
        (
            json!({"type": "string", "pattern": "^a+$"}),
            "\"b\"",
            Code::Pattern,
            "Does not match the pattern ^a+$",
        ),
        (json!({"type": "string", "format": "email"}), "\"x\"", Code::Format, "Not an e-mail address"),
        (
            json!({"type": "string", "format": "uri"}),
            "\"x\"",
            Code::Format,
            "Not an absolute URI, like https://example.com/",
        ),
        (
            json!({"type": "string", "format": "date"}),
            "\"2026-02-30\"",
            Code::Format,
            "Not a date, like 2026-01-31",
        ),
        (
            json!({"type": "string", "format": "date-time"}),
            "\"2026-01-31\"",
            Code::Format,
            "Not a date and time with offset, like 2026-01-31T09:00:00Z",
        ),
        (json!({"type": "integer"}), "1.5", Code::Type, "Must be a whole number"),
        (json!({"type": "integer", "maximum": 5}), "6", Code::TooLarge, "At most 5"),
        (json!({"type": "integer", "minimum": 5.0}), "4", Code::TooSmall, "At least 5"),
        (
            json!({"type": "integer", "maximum": 9_007_199_254_740_992_u64}),
            "9007199254740993",
            Code::TooLarge,
            "At most 9007199254740992",
        ),
        (json!({"type": "integer", "multipleOf": 5}), "6", Code::Rule, "Must be a multiple of 5"),
        (json!({"type": "integer"}), "18446744073709551616", Code::NotExact, "Too large to be kept exactly"),
        (json!({"type": "number", "exclusiveMinimum": 0}), "0", Code::TooSmall, "More than 0"),
        (json!({"type": "number", "maximum": 0.5}), "0.6", Code::TooLarge, "At most 0.5"),
        (json!({"type": "number"}), "\"1\"", Code::Type, "Must be a number"),
        (json!({"type": "boolean"}), "\"yes\"", Code::Type, "Must be true or false"),
        (ab, "\"c\"", Code::Option, "Choose one of: a (Alpha), b (Beta)"),
        (many.clone(), "[\"z\"]", Code::Option, "Choose one of: a, b, c"),
        (unique, "[\"a\",\"a\"]", Code::Repeated, "Chosen twice: a"),
        (many.clone(), "[]", Code::TooFew, "At least 1 choice"),
        (many.clone(), "[\"a\",\"b\",\"c\"]", Code::TooMany, "At most 2 choices"),
        (many, "\"a\"", Code::Type, "Must be a list"),
        (
            json!({"type": "object", "properties": {"port": {"maximum": 5}}}),
            "{\"port\":6}",
            Code::TooLarge,
            "At most 5",
        ),
        (json!({"type": "object", "required": ["port"]}), "{}", Code::Required, "Required"),
        (
            json!({"type": "object", "additionalProperties": false}),
            "{\"x\":1}",
            Code::Unknown,
            "Not allowed here",
        ),
        (
            json!({"type": "array", "items": {"format": "email"}}),
            "[\"x\"]",
            Code::Format,
            "Not an e-mail address",
        ),
        (json!({"type": "array", "uniqueItems": true}), "[1,1]", Code::Repeated, "No item may repeat"),
        (json!({"type": ["string", "array"]}), "1", Code::Type, "Must be text or a list"),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
            "true",
            Code::Rule,
            "Fits none of the allowed shapes",
        ),
        (json!(false), "1", Code::Unknown, "Not allowed here"),
    ] {
        assert_eq!(
            message(property.clone(), value),
            Some((code, expected.to_owned())),
            "{value} against {property}"
        );
    }
}

#[test]
fn what_fits_passes() {
    for (property, value) in [
        (json!({"type": "integer", "maximum": u64::MAX}), "18446744073709551615"),
        (json!({"type": "integer"}), "5.0"),
        (json!({"type": ["string", "null"], "minLength": 3}), "null"),
        (json!({"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]}), "null"),
        (json!({"type": "string", "format": "unheard-of"}), "\"x\""),
        (json!({"type": "string", "pattern": "^(?=a)"}), "\"left to the server\""),
        (json!({"$ref": "https://example.com/s.json"}), "{\"left\":\"to the server\"}"),
        (json!({"enum": [1, 2]}), "2.0"),
        (json!({"minLength": 3}), "5"),
        (json!({"type": "array", "items": {"enum": ["a", "b"]}}), "[\"a\",\"a\"]"),
        (json!({"type": "string", "minLength": "3"}), "\"\""),
    ] {
        assert_eq!(message(property.clone(), value), None, "{value} against {property}");
    }
}

#[test]
fn errors_come_in_the_order_of_the_fields_and_name_their_place() {
    let schema = json!({
        "type": "object",
        "properties": {"b": {"type": "string"}, "a/b": {"type": "object", "properties": {"n": {"type": "integer"}}}, "c": {"type": "boolean"}},
        "required": ["c", "b", "ghost"], "additionalProperties": false,
    });
    let all = validate(&schema.to_string(), "{\"other\":1,\"a/b\":{\"n\":\"x\"},\"c\":1}").unwrap_err();
    let places: Vec<_> = all.iter().map(|e| (e.field.as_deref(), e.path.as_str(), e.code)).collect();
    assert_eq!(
        places,
        [
            (Some("b"), "/b", Code::Required),
            (Some("a/b"), "/a~1b/n", Code::Type),
            (Some("c"), "/c", Code::Type),
            (Some("ghost"), "/ghost", Code::Required),
            (Some("other"), "/other", Code::Unknown),
        ]
    );
    assert_eq!(all[0].to_string(), "b: Required");
}

#[test]
fn content_that_is_no_object_or_ambiguous_is_refused() {
    let schema = json!({"type": "object", "properties": {"a": {}}});
    for (content, path, code) in [
        ("", "", Code::NotJson),
        ("{\"a\":1", "", Code::NotJson),
        ("{\"a\":1} x", "", Code::NotJson),
        ("[]", "", Code::Type),
        ("null", "", Code::Type),
        ("{\"a\":1,\"a\":2}", "/a", Code::Duplicate),
        ("{\"a\":{\"b\":1,\"\\u0062\":2}}", "/a/b", Code::Duplicate),
        ("{\"a\":[123456789012345678901234567890]}", "/a/0", Code::NotExact),
    ] {
        let all = errors(&schema, content);
        assert_eq!(all.iter().map(|e| (e.0.as_str(), e.1)).collect::<Vec<_>>(), [(path, code)], "{content}");
    }
}

#[test]
fn lost_rules_never_turn_a_fitting_value_into_a_misfit() {
    let lost = || json!({"$ref": "https://example.com/s.json"});
    for schema in [
        json!({"properties": {"p": {"not": lost()}}}),
        json!({"properties": {"p": {"oneOf": [lost(), {"type": "integer"}]}}}),
        json!({"if": lost(), "then": {"required": ["q"]}}),
        json!({"allOf": [lost()], "unevaluatedProperties": false}),
        json!({"patternProperties": {"^(?=p)": {}}, "additionalProperties": false}),
    ] {
        assert_eq!(errors(&schema, "{\"p\":1}"), [], "{schema}");
        assert_eq!(
            check_output(&schema.to_string(), "{\"p\":1}"),
            Verdict::Unchecked { why: Why::Partial },
            "{schema}"
        );
    }
}

#[test]
fn rules_that_no_field_shows_are_checked_too() {
    let schema = json!({
        "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    });
    assert_eq!(errors(&schema, "{\"a\":\"x\"}"), []);
    assert_eq!(
        errors(&schema, "{}"),
        [(String::new(), Code::Rule, "Fits none of the allowed shapes".to_owned())]
    );
    assert_eq!(
        errors(&schema, "{\"a\":\"x\",\"b\":\"y\"}"),
        [(String::new(), Code::Rule, "Fits more than one of the allowed shapes".to_owned())]
    );
}

#[test]
fn output_is_compared_with_its_schema() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}).to_string();
    assert_eq!(check_output(&schema, "{\"n\":1}"), Verdict::Valid);
    let Verdict::Invalid { errors } = check_output(&schema, "{\"n\":\"1\"}") else {
        panic!("a text is no integer")
    };
    assert_eq!((errors[0].path.as_str(), errors[0].code), ("/n", Code::Type));
    assert_eq!(check_output("{\"type\":\"array\"}", "[1]"), Verdict::Valid, "any JSON value may be output");
    assert!(matches!(check_output(&schema, "{"), Verdict::Invalid { .. }));
    let dialect = "{\"$schema\":\"https://example.com/x\"}";
    assert_eq!(check_output(dialect, "1"), Verdict::Unchecked { why: Why::UnknownDialect });
    let huge = format!("\"{}\"", "x".repeat(signalbox_forms::MAX_CONTENT_BYTES));
    assert_eq!(check_output("{\"type\":\"object\"}", &huge), Verdict::Unchecked { why: Why::TooComplex });
}

#[test]
fn typed_texts_become_values() {
    let options = json!({"enum": ["eu", "us", 3], "enumNames": ["Europe", "America"]});
    let many = json!({"type": "array", "items": {"enum": ["a", "b", "c"]}, "maxItems": 2});
    for (property, text, expected) in [
        (json!({"type": "string"}), " kept as is ", Ok(json!(" kept as is "))),
        (json!({"type": "string", "minLength": 1}), "", Err(Code::TooShort)),
        (json!({"type": "string", "pattern": "^a"}), "b", Err(Code::Pattern)),
        (json!({"type": ["string", "null"]}), "null", Ok(json!("null"))),
        (json!({"type": "integer"}), " 42 ", Ok(json!(42))),
        (json!({"type": "integer"}), "+7", Ok(json!(7))),
        (json!({"type": "integer"}), "18446744073709551615", Ok(json!(u64::MAX))),
        (json!({"type": "integer"}), "18446744073709551616", Err(Code::NotExact)),
        (json!({"type": "integer"}), "1.5", Err(Code::Type)),
        (json!({"type": "integer"}), "", Err(Code::Type)),
        (json!({"type": "integer", "minimum": 1}), "0", Err(Code::TooSmall)),
        (json!({"type": ["integer", "null"]}), "null", Ok(json!(null))),
        (json!({"type": "number"}), "1.5", Ok(json!(1.5))),
        (json!({"type": "number"}), "9007199254740993", Ok(json!(9_007_199_254_740_993_u64))),
        (json!({"type": "number"}), "1e400", Err(Code::Type)),
        (json!({"type": "number"}), "NaN", Err(Code::Type)),
        (json!({"type": "number"}), "inf", Err(Code::Type)),
        (json!({"type": "boolean"}), "Yes", Ok(json!(true))),
        (json!({"type": "boolean"}), "off", Ok(json!(false))),
        (json!({"type": "boolean"}), "perhaps", Err(Code::Type)),
        (options.clone(), "us", Ok(json!("us"))),
        (options.clone(), "EUROPE", Ok(json!("eu"))),
        (options.clone(), "2", Ok(json!("us"))),
        (options.clone(), "3", Ok(json!(3))),
        (options, "4", Err(Code::Option)),
        (many.clone(), "a, c", Ok(json!(["a", "c"]))),
        (many.clone(), "[\"b\"]", Ok(json!(["b"]))),
        (many.clone(), "", Ok(json!([]))),
        (many.clone(), "a,b,c", Err(Code::TooMany)),
        (many, "a,z", Err(Code::Option)),
        (json!({"type": "object"}), "{\"x\":[1]}", Ok(json!({"x": [1]}))),
        (json!({"type": "object"}), "{\"x\":1,\"x\":2}", Err(Code::Duplicate)),
        (json!({"type": "object"}), "{", Err(Code::NotJson)),
    ] {
        let spec = form_spec(&json!({"type": "object", "properties": {"p": property}}).to_string());
        let read = spec.fields[0].parse_text(text);
        if let Err(error) = &read {
            assert_eq!((error.field.as_deref(), error.path.as_str()), (Some("p"), "/p"), "{error}");
        }
        assert_eq!(read.map_err(|e| e.code), expected, "{text:?} for {property}");
    }
}
