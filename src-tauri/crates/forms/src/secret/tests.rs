use serde_json::Value;

use super::{secrets, values_at, without_secrets};
use crate::form_spec;

fn field(name: &str, node: &str) -> crate::Field {
    let schema = format!(r#"{{"type":"object","properties":{{{}:{node}}}}}"#, Value::from(name));
    form_spec(&schema).fields.remove(0)
}

#[test]
fn a_secret_is_told_by_what_its_name_ends_with() {
    let secret = [
        "password",
        "Password",
        "userPassword",
        "DBPassword",
        "db_password",
        "password2",
        "new-password",
        "Password (at least 8 characters)",
        "Password for the database",
        "Your password, please",
        "confirmPassword",
        "password_confirmation",
        "passwd",
        "pwd",
        "passphrase",
        "Pass phrase",
        "passcode",
        "secret",
        "clientSecret",
        "CLIENT_SECRET",
        "token",
        "access_token",
        "GITHUB_TOKEN",
        "Token of the API",
        "apiKey",
        "API key",
        "APIKey",
        "x-api-key",
        "api_key",
        "private_key",
        "SSH private key",
        "secretAccessKey",
        "credentials",
        "AWS credentials",
        "Card number",
        "creditCardNumber",
        "Credit card no.",
        "cvv",
        "CVV/CVC",
        "cvv2",
        "PIN",
        "Enter your PIN",
        "pin_code",
        "otp",
        "One-time code",
        "One-time code sent to your phone",
        "2FA code",
        "verificationCode",
        "recovery phrase",
        "Passwort",
        "Пароль",
        "Mot de passe",
    ];
    let harmless = [
        "tokens_left",
        "max_tokens",
        "max_token",
        "nextPageToken",
        "page_token",
        "tokenCount",
        "token_type",
        "tokenizer",
        "passport",
        "passport_number",
        "bypass",
        "compass",
        "monkey",
        "key",
        "keyboard",
        "key_id",
        "api_key_id",
        "pinned",
        "isPinned",
        "spinner",
        "opinion",
        "cardinality",
        "card_type",
        "scorecard",
        "password_hint",
        "passwordLength",
        "Number of secrets kept",
        "secretary",
        "secret_name",
        "country_code",
        "Postal code",
        "error code",
        "code",
        "discard",
        "credential_type",
        "Link to the password page",
        "The code from your password manager",
        "idempotency_token",
        "gpio_pin",
        "",
        "_",
        "2",
    ];
    assert!(secret.len() + harmless.len() >= 80, "both ways, and many");
    let text = r#"{"type":"string"}"#;
    for name in secret {
        assert!(field(name, text).secret, "{name:?} asks for a secret");
        let titled = format!(r#"{{"type":"string","title":{}}}"#, Value::from(name));
        assert!(field("x", &titled).secret, "so does the title {name:?}");
    }
    for name in harmless {
        assert!(!field(name, text).secret, "{name:?} asks for no secret");
    }
}

#[test]
fn yes_and_no_and_choices_are_no_secrets_and_all_else_may_be_one() {
    for (name, node, is) in [
        ("password", r#"{"type":"boolean"}"#, false),
        ("token", r#"{"type":"string","enum":["a","b"]}"#, false),
        ("secrets", r#"{"type":"array","items":{"type":"string","enum":["a"]}}"#, false),
        ("pin", r#"{"type":"integer"}"#, true),
        ("x", r#"{"type":"string","format":"password"}"#, true),
        ("x", r#"{"type":"string","format":"email"}"#, false),
        ("credentials", r#"{"type":"object"}"#, true),
        (
            "login",
            r#"{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"}}}"#,
            true,
        ),
        ("login", r#"{"type":"object","properties":{"password":{"type":"boolean"}}}"#, false),
        (
            "logins",
            r#"{"type":"array","items":{"type":"object","properties":{"pin":{"type":"string"}}}}"#,
            true,
        ),
    ] {
        assert_eq!(field(name, node).secret, is, "{name}: {node}");
    }
}

#[test]
fn what_a_schema_declares_is_a_secret_however_deep_it_stands() {
    let password = r#"{"type":"string","format":"password"}"#;
    for (node, is) in [
        (r#"{"type":"object","properties":{"x":PASSWORD}}"#, true),
        (r#"{"type":"object","properties":{"a":{"type":"object","properties":{"x":PASSWORD}}}}"#, true),
        (r#"{"type":"array","items":PASSWORD}"#, true),
        (r#"{"type":"array","prefixItems":[{"type":"string"},PASSWORD]}"#, true),
        (r#"{"type":"object","additionalProperties":PASSWORD}"#, true),
        (r#"{"type":"object","patternProperties":{"^x":PASSWORD}}"#, true),
        (r#"{"type":["string","integer"],"format":"password"}"#, true),
        (r#"{"anyOf":[{"type":"integer"},PASSWORD]}"#, true),
        (r#"{"allOf":[{"type":"object"},{"properties":{"x":PASSWORD}}]}"#, true),
        (r##"{"$ref":"#/$defs/password"}"##, true),
        (r##"{"type":"object","properties":{"x":{"$ref":"#/$defs/password"}}}"##, true),
        (r##"{"type":"array","items":{"$ref":"#/$defs/tree"}}"##, true),
        (r##"{"type":"object","properties":{"x":{"$ref":"#/$defs/endless"}}}"##, false),
        (r#"{"type":"string","writeOnly":true}"#, true),
        (r#"{"type":"object","properties":{"x":{"type":"string","writeOnly":true}}}"#, true),
        (r#"{"type":"object","properties":{"x":{"type":"string","writeOnly":false}}}"#, false),
        (r#"{"type":"object","properties":{"x":{"type":"string","title":"API key"}}}"#, true),
        (r#"{"type":"object","properties":{"x":{"type":"boolean","writeOnly":true}}}"#, false),
        (r#"{"type":"object","properties":{"x":{"enum":["a"],"format":"password"}}}"#, false),
        (r#"{"type":"object","properties":{"x":{"type":"string","format":"email"}}}"#, false),
        (r#"{"type":"object","properties":{"x":{"default":{"format":"password"}}}}"#, false),
    ] {
        let node = node.replace("PASSWORD", password);
        let schema = format!(
            r##"{{"type":"object","properties":{{"it":{node}}},"$defs":{{"password":{password},
            "tree":{{"type":"object","properties":{{"x":{password},"more":{{"$ref":"#/$defs/tree"}}}}}},
            "endless":{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/endless"}}}}}}}}}}"##
        );
        assert_eq!(form_spec(&schema).fields[0].secret, is, "{node}");
        assert_eq!(secrets(&schema, r#"{"it":"hunter2"}"#).len(), usize::from(is), "{node}");
    }
}

#[test]
fn what_is_declared_is_found_where_no_form_can_be_made() {
    let password = r#"{"type":"string","format":"password"}"#;
    for (schema, content, told) in [
        (
            r#"{"oneOf":[{"properties":{"x":PASSWORD}},{"properties":{"y":{"type":"string"}}}]}"#,
            r#"{"x":"a","y":"b"}"#,
            &["/x"][..],
        ),
        (r#"{"type":"object","additionalProperties":PASSWORD}"#, r#"{"a":"b","c":null}"#, &["/a"]),
        (
            r#"{"type":"object","properties":{"n":{"type":"string"}},"additionalProperties":PASSWORD}"#,
            r#"{"n":"b","c":"d"}"#,
            &["/c"],
        ),
        (
            r#"{"$schema":"urn:other","type":"object","properties":{"a":{"properties":{"x":PASSWORD}}}}"#,
            r#"{"a":{"x":"b","y":"c"}}"#,
            &["/a/x"],
        ),
    ] {
        let schema = schema.replace("PASSWORD", password);
        let found: Vec<_> = secrets(&schema, content).into_iter().map(|one| one.path).collect();
        assert_eq!(found, told, "{schema}");
    }
    let open = format!(r#"{{"type":"object","additionalProperties":{password}}}"#);
    assert_eq!(without_secrets(&open, r#"{"a":"b"}"#).unwrap(), "{}");
    let form = |typed: &str| format!(r#"{{"v":"signalbox-form/1","tab":"form","fields":[["n","{typed}"]]}}"#);
    assert_eq!(without_secrets(&open, &form("x")), Some(form("")), "what a form is kept with is no content");
}

#[test]
fn a_form_tells_from_the_start_that_a_secret_is_asked_for() {
    let password = r#"{"type":"string","format":"password"}"#;
    for (schema, is) in [
        (r#"{"type":"object","properties":{"x":PASSWORD}}"#, true),
        (r#"{"type":"object","properties":{"x":{"type":"string"}}}"#, false),
        (r#"{"type":"object","properties":{"x":{"type":"string"}},"required":["password"]}"#, true),
        (r#"{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":PASSWORD}"#, true),
        (r#"{"oneOf":[{"properties":{"x":PASSWORD}},{"properties":{"y":{"type":"string"}}}]}"#, true),
        (
            r#"{"oneOf":[{"properties":{"x":{"type":"string"}}},{"properties":{"y":{"type":"string"}}}]}"#,
            false,
        ),
        (r#"{"$schema":"urn:other","type":"object","properties":{"a":{"properties":{"pin":{}}}}}"#, true),
        (r#"{"$schema":"urn:other","type":"object","properties":{"a":{"type":"string"}}}"#, false),
        (r#"{"type":"object","additionalProperties":true}"#, false),
        (r#"{"title":"RotateToken","type":"object","properties":{"confirm":{"type":"boolean"}}}"#, false),
        (r#"{"title":"Reset password","anyOf":[{"properties":{"x":{"type":"string"}}}]}"#, false),
        (r#"{"type":"object","patternProperties":{".":{"title":"Password"}}}"#, true),
        (r#"{"password":"#, false),
    ] {
        let schema = schema.replace("PASSWORD", password);
        assert_eq!(form_spec(&schema).secret, is, "{schema}");
    }
}

#[test]
fn a_schema_is_looked_through_within_bounds() {
    let part = |n: usize| {
        format!(
            r##""d{n}":{{"anyOf":[{{"$ref":"#/$defs/d{0}"}},{{"properties":{{"a":{{"$ref":"#/$defs/d{0}"}},"b":{{"$ref":"#/$defs/d{0}"}}}}}}]}}"##,
            n + 1
        )
    };
    let parts: Vec<_> = (0..60).map(part).collect();
    let schema = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{}}}}}"##, parts.join(","));
    assert_eq!(secrets(&schema, r#"{"a":{"b":"c"},"password":"d"}"#).len(), 1, "each part is looked at once");
}

pub(super) const SCHEMA: &str = r#"{"type":"object","properties":{
    "user":{"type":"string"},"password":{"type":"string"},"pin":{"type":"string","enum":["a","b"]},
    "x":{"type":"string","title":"API key"},"more":{"type":"object"}}}"#;

#[test]
fn secrets_are_found_where_they_stand() {
    let content = r#" { "user":"ada", "password" : "h\u0075nter2", "pin":"a","x":"k","more":{"a/b":[{"token":"t"},1e9]} } "#;
    let found = secrets(SCHEMA, content);
    let told: Vec<_> = found.iter().map(|one| (one.path.as_str(), &content[one.at.clone()])).collect();
    assert_eq!(
        told,
        [("/password", r#""h\u0075nter2""#), ("/x", r#""k""#), ("/more/a~1b/0/token", r#""t""#)],
        "also nested, and none of what is only chosen"
    );
    assert_eq!(values_at(content, &["/password", "/x", "/more/a~1b/0/token", "/gone"]), found);
    let twice = r#"{"password":"a","password":"b"}"#;
    assert_eq!(secrets(SCHEMA, twice).len(), 2, "what stands there twice is there twice");
    for content in [r#"{"password":null,"x":""}"#, "[", "3", "", r#"{"password":"#] {
        assert_eq!(secrets(SCHEMA, content), [], "{content}");
    }
    assert_eq!(
        secrets("{", r#"{"password":"a"}"#).len(),
        1,
        "a schema that cannot be read has no other names"
    );
}

#[test]
fn what_is_too_deep_to_be_looked_into_counts_as_a_secret() {
    let content = |levels: usize| {
        format!(
            r#"{{"user":"ada","more":{}{{"token":"hunter2"}}{}}}"#,
            "[".repeat(levels),
            "]".repeat(levels)
        )
    };
    for levels in [10, 62, 63, 64, 65, 500] {
        let content = content(levels);
        let found = secrets(SCHEMA, &content);
        assert_eq!(found.len(), 1, "{levels} levels");
        let masked = super::replaced(&content, &found, "null");
        assert!(!masked.contains("hunter2") && masked.contains("ada"), "{levels} levels: {masked}");
        assert_eq!(values_at(&content, &[found[0].path.as_str()]), found, "its place is found again");
        let form = serde_json::json!({"v": "signalbox-form/2", "json": content}).to_string();
        for draft in [content, form] {
            let left = without_secrets(SCHEMA, &draft).expect("something was left out");
            assert!(!left.contains("hunter2") && left.contains("ada"), "{levels} levels: {left}");
            assert!(serde_json::from_str::<&serde_json::value::RawValue>(&left).is_ok(), "{left}");
        }
    }
    let unread = r#"{"user":"ada","more":{"\ud800":1,"token":"hunter2"}}"#;
    assert_eq!(secrets(SCHEMA, unread).len(), 1, "nor can anybody read this name");
    assert_eq!(without_secrets(SCHEMA, unread).unwrap(), r#"{"user":"ada","more":null}"#);
}
