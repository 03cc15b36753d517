//! The headers that mirror a request's body.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderName, HeaderValue};

pub(crate) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(super) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(super) const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// A value as it may stand in a header: as is where that is safe, else as `=?base64?…?=`. Marked sensitive, since it may
/// be a task's id or an argument.
pub(super) fn encode(value: &str) -> HeaderValue {
    let plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t'))
        && value.trim_matches([' ', '\t']).len() == value.len()
        && !(value.starts_with("=?base64?") && value.ends_with("?="));
    let encoded = if plain { value.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(value)) };
    let mut header = HeaderValue::try_from(encoded).expect("BUG: visible ASCII is a header value");
    header.set_sensitive(true);
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_specification_examples() {
        let cases = [
            ("us-west1", "us-west1"),
            ("a b", "a b"),
            ("", ""),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("\ttab", "=?base64?CXRhYg==?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("del\u{7f}", "=?base64?ZGVsfw==?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("=?BASE64?literal?=", "=?BASE64?literal?="),
            ("task:a/b+c=", "task:a/b+c="),
        ];
        for (value, header) in cases {
            assert_eq!(encode(value), header, "{value:?}");
            assert!(encode(value).is_sensitive(), "{value:?} must not show in debug output");
        }
    }
}
