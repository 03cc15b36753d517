//! Arguments which a tool wants to see in headers too (`x-mcp-header`).

use std::collections::HashSet;

use http::{HeaderName, HeaderValue};
use serde_json::{Value, value::RawValue};
use signalbox_model::Json;

use super::headers::encode;
use crate::view::{Fields, text};

/// Levels of `properties` that are followed: no one's schema is deeper by hand.
const DEPTH: usize = 32;

/// The largest integer that a double holds beside no other.
const SAFE: i64 = (1 << 53) - 1;

/// The `Mcp-Param-…` headers for one call. Only annotations reached through `properties` alone count; an argument that
/// is absent, `null` or no primitive has no header.
///
/// Nor has an integer outside the safe range: the specification allows none in a header, and does not say what becomes of
/// the call. It is made without: whether it can be served the server knows.
pub(crate) fn mirrored(schema: &Json, arguments: &Json) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = Vec::new();
    collect(schema.raw(), arguments.raw(), DEPTH, &mut headers);
    headers
}

fn collect(schema: &RawValue, value: &RawValue, depth: usize, headers: &mut Vec<(HeaderName, HeaderValue)>) {
    let values = Fields::lenient(value);
    for (name, schema) in Fields::lenient(schema).object("properties").iter() {
        let Some(value) = values.some(&name) else { continue };
        let says = Fields::lenient(schema);
        let annotated = says.text("x-mcp-header");
        let header = annotated.and_then(|header| HeaderName::try_from(format!("mcp-param-{header}")).ok());
        let integer = says.text("type").as_deref() == Some("integer");
        if let (Some(header), Some(written)) = (header, primitive(value)) {
            let is_number = value.get().starts_with(|first: char| first == '-' || first.is_ascii_digit());
            let text = if integer && is_number { decimal(value.get()) } else { Some(written) };
            headers.extend(text.map(|text| (header, encode(&text))));
        } else if depth > 0 {
            collect(schema, value, depth - 1, headers);
        }
    }
}

/// Whether a tool's schema asks for headers only in the ways the specification allows; tools with others must not be
/// offered. A schema that is too deep to be read asks for none that we would send.
pub(crate) fn is_valid(schema: &Json) -> bool {
    let mut names = HashSet::new();
    schema.read().map_or(true, |schema: Value| check(&schema, true, &mut names))
}

/// `reachable`: through `properties` alone.
fn check(schema: &Value, reachable: bool, names: &mut HashSet<String>) -> bool {
    let Value::Object(schema) = schema else {
        return match schema {
            Value::Array(schemas) => schemas.iter().all(|schema| check(schema, false, names)),
            _ => true,
        };
    };
    if let Some(name) = schema.get("x-mcp-header") {
        let name = name.as_str().filter(|name| !name.is_empty());
        let header = name.and_then(|name| HeaderName::try_from(name).ok());
        let kind = schema.get("type").and_then(Value::as_str);
        let primitive = matches!(kind, Some("string" | "integer" | "boolean"));
        if !(reachable && primitive && header.is_some_and(|header| names.insert(header.as_str().to_owned())))
        {
            return false;
        }
    }
    schema.iter().all(|(keyword, value)| match (keyword.as_str(), value) {
        ("properties", Value::Object(properties)) => {
            properties.values().all(|schema| check(schema, reachable, names))
        }
        // Values, not schemas.
        ("default" | "const" | "enum" | "examples", _) => true,
        _ => check(value, false, names),
    })
}

/// The digits of a safe integer, however it is written.
fn decimal(number: &str) -> Option<String> {
    let whole: i64 = number.parse().ok().or_else(|| {
        let float: f64 = number.parse().ok().filter(|float: &f64| float.fract() == 0.0)?;
        // Printing without a fraction and reading back refuses what does not fit, which a cast would not.
        format!("{float:.0}").parse().ok()
    })?;
    (-SAFE..=SAFE).contains(&whole).then(|| whole.to_string())
}

/// A string's text, a number or a boolean as written.
fn primitive(value: &RawValue) -> Option<String> {
    match value.get().as_bytes().first() {
        Some(b'{' | b'[') | None => None,
        _ => Some(text(value).unwrap_or_else(|| value.get().to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    #[test]
    fn mirrors_what_the_schema_names() {
        let schema = json(
            r#"{"type":"object","properties":{
                "region":{"type":"string","x-mcp-header":"Region"},
                "count":{"type":"integer","x-mcp-header":"Count"},
                "dry":{"type":"boolean","x-mcp-header":"Dry"},
                "gone":{"type":"string","x-mcp-header":"Gone"},
                "none":{"type":"string","x-mcp-header":"None"},
                "odd":{"type":"string","x-mcp-header":"Odd"},
                "plain":{"type":"string"},
                "inner":{"type":"object","properties":{"tenant":{"type":"string","x-mcp-header":"Tenant"}}}}}"#,
        );
        let arguments = json(
            r#"{"region":"Zürich","count":42,"dry":true,"none":null,"odd":["x"],"plain":"p","inner":{"tenant":"t1"}}"#,
        );
        let mut headers: Vec<_> = mirrored(&schema, &arguments)
            .into_iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        headers.sort();
        let expected = [
            ("mcp-param-count", "42"),
            ("mcp-param-dry", "true"),
            ("mcp-param-region", "=?base64?WsO8cmljaA==?="),
            ("mcp-param-tenant", "t1"),
        ];
        assert_eq!(headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn integers_are_decimals_within_the_safe_range() {
        let cases = [
            ("42", Some("42")),
            ("-7", Some("-7")),
            ("42.0", Some("42")),
            ("4.2e1", Some("42")),
            ("420E-1", Some("42")),
            ("-0", Some("0")),
            ("-0.0", Some("0")),
            ("9007199254740991", Some("9007199254740991")),
            ("-9007199254740991", Some("-9007199254740991")),
            ("9007199254740991.0", Some("9007199254740991")),
            ("9007199254740992", None),
            ("-9007199254740992", None),
            ("9007199254740993.0", None),
            // Every double reads that so.
            ("9007199254740990.75", Some("9007199254740991")),
            ("12345678901234567890", None),
            ("1e300", None),
            ("42.5", None),
            // No integers: the schema forbids them, and the server will say so.
            ("true", Some("true")),
            (r#""42.0""#, Some("42.0")),
        ];
        let schema = json(r#"{"properties":{"n":{"type":"integer","x-mcp-header":"N"}}}"#);
        for (written, expected) in cases {
            let headers = mirrored(&schema, &json(&format!(r#"{{"n":{written}}}"#)));
            let value = headers.first().map(|(_, value)| value.to_str().unwrap());
            assert_eq!(value, expected, "{written}");
        }
    }

    #[test]
    fn knows_which_annotations_are_allowed() {
        let cases = [
            (r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}"#, true),
            (r#"{"properties":{"o":{"properties":{"a":{"type":"integer","x-mcp-header":"A"}}}}}"#, true),
            (r#"{"properties":{"x-mcp-header":{"type":"string"}}}"#, true),
            (r#"{"properties":{"a":{"type":"object","default":{"x-mcp-header":""}}}}"#, true),
            (r#"{"properties":{"a":{"type":"string","x-mcp-header":""}}}"#, false),
            (r#"{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}"#, false),
            (r#"{"properties":{"a":{"type":"string","x-mcp-header":1}}}"#, false),
            (r#"{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}"#, false),
            (r#"{"properties":{"a":{"x-mcp-header":"A"}}}"#, false),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}"#,
                false,
            ),
            (r#"{"properties":{"a":{"items":{"type":"string","x-mcp-header":"A"}}}}"#, false),
            (r#"{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}"#, false),
        ];
        for (schema, valid) in cases {
            assert_eq!(is_valid(&json(schema)), valid, "{schema}");
        }
    }
}
