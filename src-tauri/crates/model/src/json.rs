//! JSON exactly as it was received.

use std::{collections::BTreeMap, fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::value::RawValue;
use serde_with::{MapPreventDuplicates, serde_as};

/// So deep are two values compared by what they mean.
const LEVELS: u32 = 64;

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

    /// Whether both mean the same value: blanks, the order of members and how a text is escaped do not matter. The order of
    /// an array does, and so does how a number is written: none is ever read. What is nested deeper than 64 must be equal
    /// byte for byte there, and so must be an object that has a name twice: readers differ in which of the two counts.
    #[must_use]
    pub fn means(&self, other: &Self) -> bool {
        same(self.raw(), other.raw(), LEVELS)
    }

    /// A typed or loose reading of the text.
    ///
    /// # Errors
    /// When the text does not have the wanted shape.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text())
    }
}

/// An object in which no name stands twice.
#[serde_as]
#[derive(Deserialize)]
struct Members<'a>(
    #[serde(borrow)]
    #[serde_as(as = "MapPreventDuplicates<_, _>")]
    BTreeMap<String, &'a RawValue>,
);

/// Each level is read once more than the one above it, so `levels` bounds the work, too.
fn same(one: &RawValue, other: &RawValue, levels: u32) -> bool {
    let (one, other) = (one.get(), other.get());
    if one == other || levels == 0 {
        return one == other;
    }
    let within = |(one, other): (&&RawValue, &&RawValue)| same(one, other, levels - 1);
    match (one.as_bytes().first(), other.as_bytes().first()) {
        (Some(b'{'), Some(b'{')) => {
            both::<Members<'_>>(one, other).is_some_and(|(Members(one), Members(other))| {
                one.keys().eq(other.keys()) && one.values().zip(other.values()).all(within)
            })
        }
        (Some(b'['), Some(b'[')) => both::<Vec<&RawValue>>(one, other)
            .is_some_and(|(one, other)| one.len() == other.len() && one.iter().zip(&other).all(within)),
        (Some(b'"'), Some(b'"')) => both::<String>(one, other).is_some_and(|(one, other)| one == other),
        _ => false,
    }
}

fn both<'a, T: Deserialize<'a>>(one: &'a str, other: &'a str) -> Option<(T, T)> {
    Some((serde_json::from_str(one).ok()?, serde_json::from_str(other).ok()?))
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
    fn two_texts_mean_the_same_whatever_their_blanks_and_their_order() {
        let deep = |blank: &str| format!("{}{blank}1{}", "[".repeat(10_000), "]".repeat(10_000));
        let shallow = |blank: &str| format!("{}{blank}1{}", "[".repeat(60), "]".repeat(60));
        let cases = [
            (r#"{"a": "1", "b": "2"}"#, r#"{"a":"1","b":"2"}"#, true, "blanks"),
            (
                r#"{"a":"1","b":{"c":1,"d":[]}}"#,
                r#"{ "b":{"d":[ ],"c":1},"a":"1" }"#,
                true,
                "order of members",
            ),
            (r#""\u00e9\/""#, r#""é/""#, true, "escapes"),
            ("[1,2]", "[2,1]", false, "order of an array"),
            ("[1]", "[1,1]", false, "length of an array"),
            ("1", "1.0", false, "how a number is written"),
            ("1", r#""1""#, false, "a number is no text"),
            ("12345678901234567890123", "12345678901234567890124", false, "no number is read as a double"),
            (r#"{"a":1}"#, r#"{"a":1,"b":null}"#, false, "another member"),
            (r#"{"a":1}"#, r#"{"b":1}"#, false, "another name"),
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#, false, "a name twice: the last one counts for most readers"),
            (r#"{"a":1,"a":2}"#, r#"{"a":2,"a":1}"#, false, "twice, in another order"),
            (r#"{"a":1,"\u0061":2}"#, r#"{"a": 2}"#, false, "twice, once in escapes"),
            (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":2}"#, true, "twice, and equal byte for byte"),
            (r#"[{"a":1,"a":2}, 3]"#, r#"[{"a":1,"a":2},3]"#, true, "equal there, and blanks elsewhere"),
            ("null", "false", false, "another word"),
            (&shallow(""), &shallow(" "), true, "nested"),
            (&deep(""), &deep(""), true, "nested deeply, and equal"),
            (&deep(""), &deep(" "), false, "nested more deeply than is looked at"),
        ];
        for (one, other, expected, what) in cases {
            let (one, other) = (Json::parse(one).unwrap(), Json::parse(other).unwrap());
            assert_eq!((one.means(&other), other.means(&one)), (expected, expected), "{what}");
        }
    }

    #[test]
    fn debug_shows_no_content() {
        assert_eq!(format!("{:?}", Json::parse(r#"{"token":"s3cret"}"#).unwrap()), "Json(18 bytes)");
    }
}
