//! Reads content so that nothing about it can change unseen: a repeated property or an integer beyond 64 bits is
//! an error here, because the next reader might take another value than the person saw.

use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::MAX_CONTENT_BYTES;
use crate::spec::{FieldError, FieldErrorCode};

const MAX_NESTING: usize = 64;

/// Reads `text` exactly; errors carry the place.
pub(crate) fn read(text: &str) -> Result<Value, FieldError> {
    if text.len() > MAX_CONTENT_BYTES {
        let message = format!("Larger than {} KiB", MAX_CONTENT_BYTES / 1024);
        return Err(error("", FieldErrorCode::NotJson, message));
    }
    let raw: &RawValue = serde_json::from_str(text)
        .map_err(|e| error("", FieldErrorCode::NotJson, format!("Not valid JSON: {e}")))?;
    read_raw(raw, &mut String::new(), 0)
}

fn read_raw(raw: &RawValue, at: &mut String, depth: usize) -> Result<Value, FieldError> {
    let text = raw.get().trim_start();
    let malformed =
        |at: &str, e: serde_json::Error| error(at, FieldErrorCode::NotJson, format!("Not valid JSON: {e}"));
    if depth > MAX_NESTING {
        return Err(error(at, FieldErrorCode::NotJson, format!("Nested deeper than {MAX_NESTING} levels")));
    }
    match text.as_bytes().first() {
        Some(b'{') => {
            let members: Members<'_> = serde_json::from_str(text).map_err(|e| malformed(at, e))?;
            let mut map = Map::new();
            for (name, raw) in members.0 {
                let end = at.len();
                push(at, &name);
                if map.contains_key(&name) {
                    return Err(error(at, FieldErrorCode::Duplicate, "Given more than once"));
                }
                let value = read_raw(raw, at, depth + 1)?;
                at.truncate(end);
                map.insert(name, value);
            }
            Ok(Value::Object(map))
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|e| malformed(at, e))?;
            let mut list = Vec::with_capacity(items.len());
            for (index, raw) in items.into_iter().enumerate() {
                let end = at.len();
                push(at, &index.to_string());
                list.push(read_raw(raw, at, depth + 1)?);
                at.truncate(end);
            }
            Ok(Value::Array(list))
        }
        _ => {
            let value: Value = serde_json::from_str(text).map_err(|e| malformed(at, e))?;
            let integer = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
            if integer && value.is_number() && !value.is_i64() && !value.is_u64() && text != "-0" {
                return Err(error(at, FieldErrorCode::NotExact, "Too large to be kept exactly"));
            }
            Ok(value)
        }
    }
}

/// Appends a JSON pointer segment.
pub(crate) fn push(pointer: &mut String, segment: &str) {
    pointer.push('/');
    pointer.push_str(&segment.replace('~', "~0").replace('/', "~1"));
}

/// The first segment of a JSON pointer, unescaped: the top-level property.
pub(crate) fn top(pointer: &str) -> Option<String> {
    let first = pointer.strip_prefix('/')?.split('/').next()?;
    Some(first.replace("~1", "/").replace("~0", "~"))
}

fn error(at: &str, code: FieldErrorCode, message: impl Into<String>) -> FieldError {
    FieldError { field: top(at), path: at.to_owned(), message: message.into(), code }
}

/// The members of a JSON object as they stand there: in order, repeated names kept. None where it is no object.
#[must_use]
pub fn members(text: &str) -> Option<Vec<(String, &RawValue)>> {
    serde_json::from_str(text).ok().map(|Members(members)| members)
}

struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry().map_err(A::Error::custom)? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(All)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_it_can_and_names_the_place_of_what_it_cannot() {
        assert_eq!(read(" {\"a\": [1, 18446744073709551615, -0]} ").unwrap()["a"][1], u64::MAX);
        let code = |text: &str| read(text).map_err(|e| (e.code, e.path, e.field)).unwrap_err();
        let a = || Some("a".to_owned());
        assert_eq!(code("{\"a\":1,\"a\":2}"), (FieldErrorCode::Duplicate, "/a".into(), a()));
        assert_eq!(
            code("{\"a\":[{\"b/\":1,\"b/\":2}]}"),
            (FieldErrorCode::Duplicate, "/a/0/b~1".into(), a())
        );
        assert_eq!(code("{\"a\":18446744073709551616}"), (FieldErrorCode::NotExact, "/a".into(), a()));
        assert_eq!(code("{\"a\":-9223372036854775809}"), (FieldErrorCode::NotExact, "/a".into(), a()));
        assert_eq!(code("{"), (FieldErrorCode::NotJson, String::new(), None));
        assert!(read("1e20").is_ok(), "a number written as a double is one");
    }

    #[test]
    fn deep_and_huge_texts_are_refused_not_followed() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(read(&deep).unwrap_err().code, FieldErrorCode::NotJson);
        let huge = format!("\"{}\"", "x".repeat(MAX_CONTENT_BYTES));
        assert_eq!(read(&huge).unwrap_err().code, FieldErrorCode::NotJson);
    }
}
