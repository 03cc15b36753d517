use super::without_secrets;
use crate::secret::tests::SCHEMA;

#[test]
fn what_was_typed_is_kept_without_its_secrets_in_whatever_shape() {
    let kept = |draft: &str| without_secrets(SCHEMA, draft);
    assert_eq!(
        kept(r#"{"user":"ada","pin":"a","n":12345678901234567890.10}"#),
        None,
        "it stays byte for byte"
    );
    assert_eq!(
        kept(r#"{"password":"hunter2","n":1.50,"more":{"token":"t","a":1}}"#).unwrap(),
        r#"{"n":1.50,"more":{"a":1}}"#,
        "numbers as they were written"
    );
    assert_eq!(
        kept(r#"{"user":"ada","password":null}"#).unwrap(),
        r#"{"user":"ada"}"#,
        "nor what was masked before"
    );
    let window = r#"{"v":"signalbox-form/2","fields":[["user","ada"],["password","hunter2"]],"json":"{\n  \"password\": \"hunter2\"\n}","former":[["api_key","hunter2","\"hunter2\""]]}"#;
    let left = kept(window).unwrap();
    assert!(!left.contains("hunter2"), "{left}");
    assert!(left.contains(r#"["user","ada"],["password",""]"#), "all else is there: {left}");
    let half = r#"{"v":"signalbox-form/2","json":"{ \"password\": \"hunt"}"#;
    assert_eq!(kept(half).unwrap(), r#"{"v":"signalbox-form/2","json":""}"#, "also while it is typed");
}

#[test]
fn text_that_is_no_json_yet_is_not_kept_where_a_secret_may_be_in_it() {
    let unfinished = [
        r#"{"note":"a \"b","password":"hunter2"#,
        r#"{password: "hunter2"}"#,
        "{'password': 'hunter2'",
        r#""password": "hunter2"}"#,
        "dbPassword=hunter2",
        r#"{"page": {"next":, "token": "hunter2"#,
        r#"[{"card number": "hunter2"#,
    ];
    let plain = r#"{"type":"object","properties":{"user":{"type":"string"},"more":{"type":"object"}}}"#;
    for schema in [plain, SCHEMA, "{}"] {
        for text in unfinished {
            for draft in [
                serde_json::json!({"v": "signalbox-form/2", "fields": [["user", "ada"]], "json": text}),
                serde_json::json!({"v": "signalbox-form/2", "fields": [["user", "ada"], ["more", text]]}),
                serde_json::json!({"v": "signalbox-form/2", "fields": [["user", "ada"]], "former": [[null, text, null]]}),
                serde_json::json!({"v": "signalbox-form/2", "fields": [["user", "ada"]], "former": [["user", text, null]]}),
            ] {
                let left = without_secrets(schema, &draft.to_string()).unwrap_or_else(|| draft.to_string());
                assert!(!left.contains("hunter2"), "{left}");
                assert!(left.contains(r#"["user","ada"]"#), "all else stays: {left}");
            }
        }
    }
    let half = r#"{"v":"signalbox-form/2","json":"{ \"x\": \"hun"}"#;
    assert_eq!(without_secrets(plain, half), None, "where nothing speaks of a secret it stays");
    let left = without_secrets(SCHEMA, half).unwrap();
    assert!(!left.contains("hun"), "where the schema declares one anything may be it: {left}");
}

#[test]
fn what_people_write_in_a_field_for_text_stays_whatever_brackets_it_has() {
    let kept = |entry: serde_json::Value| {
        let draft = serde_json::json!({"v": "signalbox-form/2", "fields": [entry]}).to_string();
        without_secrets(SCHEMA, &draft).unwrap_or(draft)
    };
    for text in ["{{name}} hello", "{urgent} rotate the token", "[draft] {x}", "ok, go ahead"] {
        for name in ["user", "comment"] {
            let left = kept(serde_json::json!([name, text]));
            let expected = name == "user" || !text.contains("token");
            assert_eq!(
                left.contains(text),
                expected,
                "{name}, which may have been JSON where it is gone: {left}"
            );
        }
    }
    let pasted = r#"{ "password": "hunter2"#;
    assert!(
        !kept(serde_json::json!(["user", pasted])).contains("hunter2"),
        "half of a JSON text is no words"
    );
}

#[test]
fn what_only_looks_like_a_secret_stays_in_a_draft() {
    let kept = |draft: &str| without_secrets(SCHEMA, draft);
    for content in [
        r#"{"user":"ada","scopes":["secrets","issues"]}"#,
        r#"{"user":"[prod] rotate the token"}"#,
        r#"{"user":"{ \"password\": \"hunter2\" }"}"#,
    ] {
        assert_eq!(kept(content), None, "what would be sent stays as it is: {content}");
    }
    let form = r#"{"v":"signalbox-form/2","fields":[["user","[prod] rotate the token"],["scopes","[\"secrets\",\"issues\"]"]],"json":"{}"}"#;
    assert_eq!(kept(form), None, "nor does a form lose what is none");
}

#[test]
fn what_stands_in_a_field_is_none_of_the_forms_own_fields() {
    let schema = r#"{"type":"object","properties":{
        "pin":{"type":"boolean"},"user":{"type":"string"},"more":{"type":"object"},"list":{"type":"array"}}}"#;
    let typed = r#"{"pin":"1234"}"#;
    for entry in [
        serde_json::json!(["more", typed]),
        serde_json::json!(["list", format!("[{typed}]")]),
        serde_json::json!(["user", typed]),
        serde_json::json!(["more", typed, typed]),
        serde_json::json!(["more", typed, null]),
        serde_json::json!(["of a former form", typed, typed]),
    ] {
        for place in ["fields", "former"] {
            let draft =
                serde_json::json!({"v": "signalbox-form/2", place: [entry], "json": r#"{"pin":true}"#});
            let left = without_secrets(schema, &draft.to_string()).expect("something was left out");
            assert!(!left.contains("1234"), "only the form's own field is yes or no: {left}");
            assert!(left.contains("true"), "and that one stays: {left}");
        }
    }
    let own = r#"{"v":"signalbox-form/2","fields":[["pin","\"a\""]],"json":"{\"pin\":\"a\"}"}"#;
    assert_eq!(without_secrets(schema, own), None, "what a form asks for as yes or no is no secret");
}
