//! JSON exactly as it was received.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::value::RawValue;

/// One JSON value as the bytes that came, shared and never re-printed.
///
/// Across our own boundaries (window, socket) it travels as a **string** that holds the text, so that no number in
/// it ever goes through a double. Cloning is a reference count.
#[derive(Clone)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(type = "string"))]
pub struct Json(Arc<Box<RawValue>>);

impl Json {
    /// Parses text that must be one JSON value.
    ///
    /// # Errors
    /// The parser's error, with line and column.
    pub fn parse(text: impl Into<String>) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text.into()).map(Self::from)
    }

    /// A value of ours as JSON.
    ///
    /// # Panics
    /// Never for types that serialise infallibly, and only those may be passed.
    #[must_use]
    pub fn of(value: &impl Serialize) -> Self {
        Self::from(serde_json::value::to_raw_value(value).expect("BUG: our own values serialise"))
    }

    /// The text as received.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// For embedding into a larger JSON document as is.
    #[must_use]
    pub fn raw(&self) -> &RawValue {
        &self.0
    }

    /// A typed or loose reading of the text.
    ///
    /// # Errors
    /// When the text does not have the wanted shape.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text())
    }
}

impl From<Box<RawValue>> for Json {
    fn from(raw: Box<RawValue>) -> Self {
        Self(Arc::new(raw))
    }
}

impl AsRef<Self> for Json {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl PartialEq for Json {
    /// Equal bytes, not equal meaning.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.text() == other.text()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    /// Payloads may be sensitive and large: debug output (and so logs) never shows them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json({} bytes)", self.text().len())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_every_boundary() {
        let text = r#"{ "big": 12345678901234567890123, "float": 60000.0, "b":1,"a":2 }"#;
        let json = Json::parse(text).unwrap();
        let crossed: Json = serde_json::from_str(&serde_json::to_string(&json).unwrap()).unwrap();
        assert_eq!(crossed.text(), text, "numbers, order and spaces must survive the boundary");
    }

    #[test]
    fn debug_shows_no_content() {
        assert_eq!(format!("{:?}", Json::parse(r#"{"token":"s3cret"}"#).unwrap()), "Json(18 bytes)");
    }
}
