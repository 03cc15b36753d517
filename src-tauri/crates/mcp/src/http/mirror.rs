//! Arguments which a tool wants to see in headers too (`x-mcp-header`).

use http::{HeaderName, HeaderValue};
use serde_json::value::RawValue;
use signalbox_model::Json;

use super::headers::encode;
use crate::view::{Fields, text};

/// Levels of `properties` that are followed: no one's schema is deeper by hand.
const DEPTH: usize = 32;

/// The `Mcp-Param-…` headers for one call. Only annotations reached through `properties` alone count; an argument that
/// is absent, `null` or no primitive has no header.
pub(crate) fn mirrored(schema: &Json, arguments: &Json) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = Vec::new();
    collect(schema.raw(), arguments.raw(), DEPTH, &mut headers);
    headers
}

fn collect(schema: &RawValue, value: &RawValue, depth: usize, headers: &mut Vec<(HeaderName, HeaderValue)>) {
    let values = Fields::lenient(value);
    for (name, schema) in Fields::lenient(schema).object("properties").iter() {
        let Some(value) = values.some(&name) else { continue };
        let annotated = Fields::lenient(schema).text("x-mcp-header");
        let header = annotated.and_then(|header| HeaderName::try_from(format!("mcp-param-{header}")).ok());
        if let (Some(header), Some(value)) = (header, primitive(value)) {
            headers.push((header, encode(&value)));
        } else if depth > 0 {
            collect(schema, value, depth - 1, headers);
        }
    }
}

/// A string's text, a number or a boolean as written.
fn primitive(value: &RawValue) -> Option<String> {
    match value.get().as_bytes().first() {
        Some(b'{' | b'[') | None => None,
        _ => Some(text(value).unwrap_or_else(|| value.get().to_owned())),
    }
}
