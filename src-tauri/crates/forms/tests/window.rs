//! What the window's tests take from here: schemas, the forms that they become, and what of some contents does not fit. The window
//! has no reader of schemas of its own, and what stands for the desk in its tests is checked against this.

use std::{fmt::Write, fs, path::PathBuf};

use serde_json::{Map, Value, json};
use signalbox_forms::{form_spec, validate};

/// With this variable set what is compared is written before.
const WRITE: &str = "WRITE_FORMS";

/// So many forms: each field several times, beside others.
const FORMS: usize = 64;

/// Two of them in one form are never the same. Those that stand first share fields with most forms.
const NAMES: [&str; 12] = [
    "a",
    "limit",
    "quo\"te",
    "☃",
    "more",
    "__proto__",
    "",
    "a/b~c",
    "constructor",
    "password",
    "length",
    "b",
];

/// A property of the restricted schema, and values for it: the first fits.
const PROPERTIES: [(&str, &[&str]); 32] = [
    (r#"{"type":"string"}"#, &[r#""ab""#, r#""""#, "5", "true"]),
    (r#"{"type":"string","minLength":1}"#, &[r#""a""#, r#""""#, "[]"]),
    (r#"{"type":"string","minLength":2,"maxLength":3}"#, &[r#""🚆🚆🚆""#, r#""a""#, r#""abcd""#]),
    (r#"{"type":"string","maxLength":3,"default":"ab"}"#, &[r#""""#, r#""abcd""#]),
    (r#"{"type":"string","maxLength":500}"#, &[r#""a\nb""#, "0"]),
    (r#"{"type":["string","null"],"title":"Nickname"}"#, &[r#""ab""#, r#""null""#, "false"]),
    (
        r#"{"type":"string","pattern":"^[a-z]{2}-\\d+$"}"#,
        &[r#""ab-12""#, r#""ab-1x""#, r#""AB-12""#, r#""""#],
    ),
    (r#"{"type":"string","pattern":"a"}"#, &[r#""cab""#, r#""b""#]),
    (
        r#"{"type":"string","pattern":"^\\S*$","maxLength":4,"default":"v1.2"}"#,
        &[r#""v1.2""#, r#""""#, r#""a b""#, r#""abcde""#],
    ),
    (
        r#"{"type":"string","format":"date","default":"2026-01-31"}"#,
        &[r#""2026-01-31""#, r#""2026-02-29""#, r#""soon""#, r#""""#],
    ),
    (
        r#"{"type":"string","format":"date-time"}"#,
        &[
            r#""2026-01-31T09:00:00Z""#,
            r#""2026-01-31T09:00:00+02:00""#,
            r#""2026-01-31T09:00:00""#,
            r#""2026-01-31""#,
        ],
    ),
    (r#"{"type":["string","null"],"format":"email"}"#, &[r#""ada@example.com""#, r#""ada""#, r#""ada@""#]),
    (r#"{"type":"string","format":"uri"}"#, &[r#""https://example.com/a?b""#, r#""example""#, r#""a b""#]),
    (r#"{"type":"string","format":"password"}"#, &[r#""hunter2""#, "5"]),
    (r#"{"type":"integer"}"#, &["3", "3.0", "18446744073709551615", "-9223372036854775809", "1.5", r#""3""#]),
    (r#"{"type":"integer","minimum":-5,"maximum":7,"default":0}"#, &["-5", "7", "8", "-6"]),
    (
        r#"{"type":"integer","exclusiveMinimum":0,"maximum":12345678901234567889}"#,
        &["12345678901234567889", "12345678901234567890", "0"],
    ),
    (r#"{"type":["integer","null"],"default":3}"#, &["4", "true"]),
    (r#"{"type":"number"}"#, &["0.10", "-1", "1e999", "1e20", r#""1""#]),
    (r#"{"type":"number","minimum":-1,"maximum":100}"#, &["100", "-1", "100.01", "-1.5"]),
    (
        r#"{"type":"number","exclusiveMinimum":-1,"exclusiveMaximum":100,"default":0.5}"#,
        &["99.99", "-1", "100", "100.0"],
    ),
    (r#"{"type":"boolean"}"#, &["true", "false", r#""true""#, "1"]),
    (r#"{"type":"boolean","default":false}"#, &["true", "0"]),
    (r#"{"type":["boolean","null"]}"#, &["false", r#""null""#]),
    (r#"{"type":"string","enum":["eu","us"]}"#, &[r#""us""#, r#""asia""#, r#""""#]),
    (
        r#"{"type":"string","enum":["eu","us"],"enumNames":["Europe","America"],"default":"eu"}"#,
        &[r#""us""#, r#""Europe""#],
    ),
    (
        r#"{"type":"string","oneOf":[{"const":"eu","title":"Europe"},{"const":"us","title":"America"}]}"#,
        &[r#""eu""#, r#""America""#, "2"],
    ),
    (r#"{"enum":["eu",1.0,2,"null",true,null]}"#, &["2", "1.0", "1", r#""null""#, "true", "3", "false"]),
    (
        r#"{"type":"array","items":{"type":"string","enum":["eu","us","asia"]}}"#,
        &[r#"["us"]"#, "[]", r#"["eu","mars"]"#, r#""us""#],
    ),
    (
        r#"{"type":"array","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"eu","title":"Europe"},{"const":"us","title":"America"},{"const":"asia","title":"Asia"}]}}"#,
        &[r#"["eu","asia"]"#, "[]", r#"["eu","us","asia"]"#],
    ),
    (r#"{"type":"array","items":{"enum":["eu","us"]},"default":["us"]}"#, &[r#"["eu","us"]"#, r#"[1]"#]),
    (r"{}", &["{}", "[1,null]", r#"" x ""#, r#"{"port":1e999}"#]),
];

/// A property by its name, and values for it.
type Named = (&'static str, Value, &'static [&'static str]);

/// The properties of one form.
fn fields(form: usize) -> Vec<Named> {
    // No two steps have a part in common with what they go round in, so that everything meets everything.
    let count = 1 + form % 4;
    let field = |n: usize| {
        let at = form * 3 + n;
        let name =
            if form.is_multiple_of(2) { NAMES[(form / 2 + n) % 5] } else { NAMES[(at * 5) % NAMES.len()] };
        let (property, values) = PROPERTIES[(form * 7 + n * 9) % PROPERTIES.len()];
        (name, serde_json::from_str(property).expect("a property is JSON"), values)
    };
    (0..count).map(field).collect()
}

fn object<'a>(members: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let members = members.map(|(name, value)| format!("{}:{value}", Value::from(name)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// What may be filled in: what fits, and then each other value beside what fits.
fn contents(fields: &[Named]) -> Vec<String> {
    let with = |at: usize, value: Option<&'static str>| {
        object(
            fields
                .iter()
                .enumerate()
                .filter_map(|(n, (name, _, values))| Some((*name, if n == at { value? } else { values[0] }))),
        )
    };
    let mut contents = vec![
        "{}".to_owned(),
        "[]".to_owned(),
        object(fields.iter().map(|(name, _, values)| (*name, values[0]))),
        object(fields.iter().map(|(name, _, values)| (*name, values[values.len() - 1]))),
        object(fields.iter().map(|(name, _, values)| (*name, values[0])).chain([("of no field", "1")])),
    ];
    for (at, (_, _, values)) in fields.iter().enumerate() {
        contents.extend([with(at, None), with(at, Some("null"))]);
        contents.extend(values[1..].iter().map(|value| with(at, Some(value))));
    }
    contents.sort();
    contents.dedup();
    contents
}

fn form(number: usize) -> Value {
    let fields = fields(number);
    let required = |(n, (name, _, _)): (usize, &Named)| (number >> n).is_multiple_of(2).then_some(*name);
    let schema = json!({
        "type": "object",
        "properties": Map::from_iter(fields.iter().map(|(name, property, _)| ((*name).to_owned(), property.clone()))),
        "required": fields.iter().enumerate().filter_map(required).collect::<Vec<_>>(),
    })
    .to_string();
    let contents = contents(&fields).into_iter().map(|content| {
        let misfits = validate(&schema, &content).err().unwrap_or_default();
        let places: Vec<String> = misfits.into_iter().map(|misfit| misfit.path).collect();
        json!([content, places])
    });
    json!({"form": form_spec(&schema), "contents": contents.collect::<Vec<_>>(), "schema": schema})
}

/// A line for each form, so that a difference can be read.
fn forms() -> String {
    let mut text = String::new();
    for number in 0..FORMS {
        let _ = write!(text, "{}{}", if number == 0 { "[\n" } else { ",\n" }, form(number));
    }
    text + "\n]\n"
}

fn committed() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/test/forms.json")
}

#[test]
fn the_windows_tests_have_what_is_said_here() {
    if std::env::var_os(WRITE).is_some() {
        fs::write(committed(), forms()).expect("it can be written");
    }
    let found = fs::read_to_string(committed()).unwrap_or_default();
    assert!(
        found == forms(),
        "ui/src/test/forms.json is other than what is said here. Write it with \
         `{WRITE}=1 cargo test -p signalbox-forms --test window`, and run the window's tests"
    );
}

#[test]
fn every_property_is_there_and_its_first_value_fits() {
    let mut seen: Vec<Value> = (0..FORMS).flat_map(fields).map(|(_, property, _)| property).collect();
    seen.sort_by_key(Value::to_string);
    seen.dedup();
    assert_eq!(seen.len(), PROPERTIES.len());
    for (property, values) in PROPERTIES {
        let schema = format!(r#"{{"type":"object","properties":{{"p":{property}}},"required":["p"]}}"#);
        assert_eq!(validate(&schema, &format!(r#"{{"p":{}}}"#, values[0])), Ok(()), "{property}");
        let spec = form_spec(&schema);
        assert!(spec.fallback.is_none() && spec.notes.is_empty(), "{property}: {:?}", spec.notes);
    }
    for number in 0..FORMS {
        let mut names: Vec<_> = fields(number).into_iter().map(|(name, _, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 1 + number % 4, "form {number} has each name once");
    }
}
