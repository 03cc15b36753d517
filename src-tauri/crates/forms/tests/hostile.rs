//! Schemas and contents made to hang, to exhaust or to crash. Each ends quickly with a form or a reason. The stack is
//! what test threads have (2 MiB), which is also what worker threads have.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use signalbox_forms::{FieldErrorCode as Code, FormSpec, Verdict, Why, check_output, form_spec, validate};

/// Generous: a loaded machine and a debug build; what these inputs demand without bounds is beyond any patience.
const QUICK: Duration = Duration::from_secs(20);

fn quickly<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    assert!(start.elapsed() < QUICK, "{what} took {:?}", start.elapsed());
    result
}

fn why(spec: &FormSpec) -> Option<Why> {
    spec.fallback.as_ref().map(|fallback| fallback.why)
}

fn nested(depth: usize) -> String {
    "{\"type\":\"object\",\"properties\":{\"a\":".repeat(depth) + "{}" + &"}}".repeat(depth)
}

#[test]
fn too_much_of_anything_falls_back_with_a_reason() {
    let properties: Map<String, Value> =
        (0..10_000).map(|i| (format!("p{i}"), json!({"type": "string"}))).collect();
    let many = json!({"type": "object", "properties": properties}).to_string();
    let required: Vec<String> = (0..10_000).map(|i| format!("p{i}")).collect();
    let demanded = json!({"type": "object", "properties": {}, "required": required}).to_string();
    let huge = json!({"type": "object", "description": "x".repeat(2 << 20)}).to_string();
    let long_name = json!({"type": "object", "properties": {"x".repeat(100_000): {}}}).to_string();
    for (what, schema, expected) in [
        ("10,000 properties", many, Why::TooMany),
        ("10,000 required names", demanded, Why::TooMany),
        ("2 MiB", huge, Why::TooLarge),
        ("a name of 100,000 bytes", long_name, Why::TooLarge),
        ("40 levels", nested(40), Why::TooDeep),
        ("20,000 levels", nested(20_000), Why::Unreadable),
        ("100,000 brackets", "[".repeat(100_000), Why::Unreadable),
    ] {
        let spec = quickly(what, || form_spec(&schema));
        assert_eq!(why(&spec), Some(expected), "{what}");
        let verdict = quickly(what, || validate(&schema, "{\"a\":1}"));
        let unmet = verdict.err().map_or(0, |errors| errors.len());
        assert_eq!(unmet, if what.contains("required") { 100 } else { 0 }, "{what}: what can be checked is");
    }
    assert_eq!(why(&form_spec(&nested(30))), None, "30 levels are still read");
}

#[test]
fn many_options_are_edited_as_json_and_still_checked() {
    let options: Vec<u32> = (0..50_000).collect();
    let schema = json!({"type": "object", "properties": {"p": {"enum": options}}}).to_string();
    let spec = quickly("50,000 options", || form_spec(&schema));
    assert_eq!(spec.fields[0].kind, signalbox_forms::FieldKind::Json { why: Why::TooMany });
    assert!(validate(&schema, "{\"p\":49999}").is_ok());
    let errors = validate(&schema, "{\"p\":50000}").unwrap_err();
    assert!(errors[0].message.len() < 1000, "messages stay short");
}

#[test]
fn no_pattern_backtracks_or_compiles_without_end() {
    for pattern in [
        "^(a+)+$",
        "(a|a)*b",
        "(.*)*x",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "((a{100}){100}){100}",
        "(\\w{1000}){1000}",
        "(",
    ] {
        let schema = json!({"type": "object", "properties": {"p": {"type": "string", "pattern": pattern}}})
            .to_string();
        let content = json!({"p": format!("{}!", "a".repeat(200_000))}).to_string();
        let _ = quickly(pattern, || form_spec(&schema));
        let _ = quickly(pattern, || validate(&schema, &content));
    }
    let catastrophic =
        json!({"type": "object", "properties": {"p": {"type": "string", "pattern": "^(a+)+$"}}}).to_string();
    let errors = validate(&catastrophic, &json!({"p": "a".repeat(50) + "!"}).to_string()).unwrap_err();
    assert_eq!(errors[0].code, Code::Pattern, "checked, and in linear time");
    let patterns: Map<String, Value> = (0..300)
        .map(|i| {
            (format!("p{i}"), json!({"type": "string", "pattern": format!("^(\\w{{50}}){{{}}}$", i + 1)}))
        })
        .collect();
    let schema = json!({"type": "object", "properties": patterns}).to_string();
    let _ = quickly("300 heavy patterns", || validate(&schema, "{\"p1\":\"x\"}"));
}

#[test]
fn references_that_double_or_circle_are_refused() {
    // Each definition asks for the next one twice: 2^60 visits from 60 lines.
    let mut defs: Map<String, Value> = (0..60)
        .map(|i| {
            let next = json!({"$ref": format!("#/$defs/d{}", i + 1)});
            (format!("d{i}"), json!({"allOf": [next, next]}))
        })
        .collect();
    defs.insert("d60".into(), json!({"type": "string"}));
    let doubling =
        json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/d0"}}, "$defs": defs}).to_string();
    for (what, schema) in [
        ("doubling", doubling),
        ("itself", json!({"$ref": "#"}).to_string()),
        ("in place", json!({"properties": {"p": {"anyOf": [{"$ref": "#/properties/p"}, {"$ref": "#/properties/p"}]}}}).to_string()),
        ("two in a circle", json!({"properties": {"p": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}}).to_string()),
    ] {
        let _ = quickly(what, || form_spec(&schema));
        assert_eq!(quickly(what, || check_output(&schema, "{\"p\":\"x\"}")), Verdict::Unchecked { why: Why::TooComplex }, "{what}");
        assert!(quickly(what, || validate(&schema, "{\"p\":\"x\"}")).is_ok(), "{what}: the server decides");
    }

    let chain: Map<String, Value> =
        (0..900).map(|i| (format!("d{i}"), json!({"$ref": format!("#/$defs/d{}", i + 1)}))).collect();
    let chained = json!({"properties": {"p": {"$ref": "#/$defs/d0"}}, "$defs": chain}).to_string();
    let spec = quickly("a chain of 900", || form_spec(&chained));
    assert_eq!(spec.fields[0].kind, signalbox_forms::FieldKind::Json { why: Why::Reference });
    let _ = quickly("a chain of 900", || validate(&chained, "{\"p\":1}"));
}

#[test]
fn recursive_schemas_are_checked_as_deep_as_content_goes() {
    let tree = json!({"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}, "additionalProperties": false}).to_string();
    let deep = |leaf: &str| "{\"left\":".repeat(50) + leaf + &"}".repeat(50);
    assert_eq!(quickly("a deep tree", || check_output(&tree, &deep("{}"))), Verdict::Valid);
    let Verdict::Invalid { errors } = check_output(&tree, &deep("{\"x\":1}")) else {
        panic!("`x` is not allowed")
    };
    assert_eq!(errors[0].path, "/left".repeat(50) + "/x");

    // The deepest pair that is still checked must fit the stack; deeper ones are not tried.
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let schema = json!({keyword: [{"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}]})
            .to_string();
        let nest = |depth: usize| "{\"a\":".repeat(depth) + "{\"x\":1}" + &"}".repeat(depth);
        let verdict = quickly(keyword, || check_output(&schema, &nest(80)));
        assert!(matches!(verdict, Verdict::Invalid { .. }), "{keyword}: {verdict:?}");
        assert_eq!(
            check_output(&schema, &nest(100)),
            Verdict::Unchecked { why: Why::TooComplex },
            "{keyword}"
        );
    }

    // A right spine visits both branches at each level.
    let spine = "{\"right\":".repeat(60) + "1" + &"}".repeat(60);
    let _ = quickly("a right spine", || check_output(&tree, &spine));
}

#[test]
fn large_contents_are_bounded() {
    let schema = json!({"type": "object", "properties": {"p": {"type": "array", "uniqueItems": true, "items": {"anyOf": [{"type": "string"}, {"enum": (0..500).collect::<Vec<_>>()}]}}}}).to_string();
    let content = json!({"p": (0..100_000).collect::<Vec<_>>()}).to_string();
    let _ = quickly("100,000 items", || validate(&schema, &content));
    let errors = validate("{}", &format!("{{\"p\":\"{}\"}}", "x".repeat(2 << 20))).unwrap_err();
    assert_eq!(errors[0].code, Code::NotJson, "beyond the limit is said");
    let errors = validate("{}", &("[".repeat(200_000) + &"]".repeat(200_000))).unwrap_err();
    assert_eq!(errors[0].code, Code::NotJson);
    let misfits = json!({"p": vec!["x"; 50_000]}).to_string();
    let errors =
        validate("{\"properties\":{\"p\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}", &misfits)
            .unwrap_err();
    assert_eq!(errors.len(), 100, "a hundred misfits are enough to read");
}

#[test]
fn a_schema_reaches_no_network_and_no_file() {
    for reference in [
        "http://127.0.0.1:9/x",
        "https://example.com/x",
        "file:///etc/passwd",
        "//example.com/x",
        "x.json",
        "json-schema:///x",
        "urn:x",
    ] {
        let schema = json!({"$id": "http://127.0.0.1:9/base/", "properties": {"p": {"$ref": reference}, "q": {"$id": "file:///", "$dynamicRef": reference}}});
        let spec = quickly(reference, || form_spec(&schema.to_string()));
        assert!(!spec.notes.is_empty(), "{reference} is said not to be followed");
        assert_eq!(
            check_output(&schema.to_string(), "{\"p\":1}"),
            Verdict::Unchecked { why: Why::Partial },
            "{reference}"
        );
    }
}
