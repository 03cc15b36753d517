//! An object's members as they stand in the text, read one by one.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;
use signalbox_model::{Json, cut};

use crate::verbatim;

/// The most of a text that is quoted to people where all of it is kept beside, in bytes.
const LONGEST_QUOTE: usize = 4 * 1024;

/// Members of one object, and elements of one array, that are looked at. Each costs many times the few bytes that it may
/// have: a message of nothing else must not cost a multiple of what a message may have. No honest one has so many.
const MOST: usize = 2 * 1024 * 1024;

/// The members of one object, unparsed; of very many the first. Never builds a tree, so depth costs nothing.
#[derive(Default)]
pub(crate) struct Fields<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// None when the text is no object.
    pub(crate) fn of(raw: &'a RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }

    /// Like [`Fields::of`]; what is no object has no members.
    pub(crate) fn lenient(raw: &'a RawValue) -> Self {
        Self::of(raw).unwrap_or_default()
    }

    /// A member as it stands. Of several with one name the last counts, as in JavaScript.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let found = self.0.iter().rev().find(|(key, _)| decoded(key) == name);
        found.map(|(_, value)| *value)
    }

    /// A member that is there and not `null`.
    pub(crate) fn some(&self, name: &str) -> Option<&'a RawValue> {
        self.get(name).filter(|raw| raw.get() != "null")
    }

    /// A member's JSON, unless absent or `null`.
    pub(crate) fn json(&self, name: &str) -> Option<Json> {
        self.some(name).map(|raw| Json::from(raw.to_owned()))
    }

    /// A member's text, if it is a string.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.some(name).and_then(text)
    }

    /// A member's text as it is quoted to people.
    pub(crate) fn quote(&self, name: &str) -> Option<String> {
        self.text(name).map(quote)
    }

    /// A member's text as it is to go back, if it is a string.
    pub(crate) fn verbatim(&self, name: &str) -> Option<String> {
        self.some(name).filter(|raw| raw.get().starts_with('"')).map(verbatim::kept)
    }

    /// A member's members; none where it is no object.
    pub(crate) fn object(&self, name: &str) -> Fields<'a> {
        self.some(name).map(Fields::lenient).unwrap_or_default()
    }

    /// All members in order of appearance, with their names as they are to go back.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (String, &'a RawValue)> + '_ {
        self.0.iter().map(|(key, value)| (verbatim::kept(key), *value))
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut members = Vec::new();
                while members.len() < MOST {
                    match map.next_entry()? {
                        Some(member) => members.push(member),
                        None => return Ok(Fields(members)),
                    }
                }
                while map.next_entry::<&RawValue, IgnoredAny>()?.is_some() {}
                Ok(Fields(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// The elements of an array, unparsed, of very many the first; none when the text is no array.
pub(crate) fn elements(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str::<Elements<'_, MOST>>(raw.get()).ok().map(|elements| elements.list)
}

/// At most `N` elements of an array, unparsed.
pub(crate) struct Elements<'a, const N: usize> {
    pub(crate) list: Vec<&'a RawValue>,
    /// Whether there are others.
    pub(crate) more: bool,
}

impl<'de: 'a, 'a, const N: usize> Deserialize<'de> for Elements<'a, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each<'a, const N: usize>(PhantomData<&'a ()>);
        impl<'de: 'a, 'a, const N: usize> Visitor<'de> for Each<'a, N> {
            type Value = Elements<'a, N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Elements<'a, N>, A::Error> {
                let mut list = Vec::new();
                while list.len() < N {
                    match array.next_element()? {
                        Some(element) => list.push(element),
                        None => return Ok(Elements { list, more: false }),
                    }
                }
                let mut more = false;
                while array.next_element::<IgnoredAny>()?.is_some() {
                    more = true;
                }
                Ok(Elements { list, more })
            }
        }
        deserializer.deserialize_seq(Each(PhantomData))
    }
}

/// The text of a string; a lone surrogate becomes U+FFFD. None when the JSON is no string.
pub(crate) fn text(raw: &RawValue) -> Option<String> {
    text_of(raw).map(Cow::into_owned)
}

/// The same, as it stands there where it has no escape.
pub(crate) fn text_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    raw.get().starts_with('"').then(|| decoded(raw))
}

/// A text as it is quoted to people: what a server calls itself or complains about stands in lists and messages, which must
/// not grow with it.
pub(crate) fn quote(text: String) -> String {
    cut(text, LONGEST_QUOTE)
}

/// A key or string without its quotes and escapes.
fn decoded(raw: &RawValue) -> Cow<'_, str> {
    let quoted = raw.get();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(plain) if !plain.contains('\\') => Cow::Borrowed(plain),
        _ => {
            let read = serde_json::from_str::<Lossy>(quoted);
            Cow::Owned(read.map_or_else(|_| quoted.to_owned(), |lossy| lossy.0))
        }
    }
}

/// Text whose lone surrogates, which no Rust string can hold, are replaced.
struct Lossy(String);

impl<'de> Deserialize<'de> for Lossy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Lossy;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Lossy, E> {
                let mut text = String::with_capacity(bytes.len());
                for chunk in bytes.utf8_chunks() {
                    text.push_str(chunk.valid());
                    // The first of the three bytes of half a pair; the other two come one by one.
                    if chunk.invalid() == [0xED] {
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                }
                Ok(Lossy(text))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_members_and_elements_the_first_are_looked_at() {
        let members = r#""":0,"#.repeat(MOST);
        let object = RawValue::from_string(format!(r#"{{{members}"last":1}}"#)).unwrap();
        let fields = Fields::of(&object).expect("an object all the same");
        assert_eq!((fields.0.len(), fields.get("last").is_none()), (MOST, true));
        let many = "0,".repeat(MOST);
        let array = RawValue::from_string(format!("[{many}0]")).unwrap();
        assert_eq!(elements(&array).expect("an array all the same").len(), MOST);
        let array = RawValue::from_string(format!("[{}]", many.trim_end_matches(','))).unwrap();
        assert_eq!(elements(&array).expect("an array").len(), MOST, "as many as are looked at");
        let broken = format!("[{many}0,");
        assert!(serde_json::from_str::<Elements<'_, MOST>>(&broken).is_err(), "the rest is read, too");
    }
}
