//! Whether a text says in JSON what the structured content says: servers send both, and people read it once.

use std::borrow::Cow;

use serde_json::value::RawValue;

/// Longer ones are not compared, in bytes.
const LONGEST: usize = 4 * 1024 * 1024;

/// The structured content, as it is compared.
pub(super) struct Structured(Option<String>);

impl Structured {
    pub(super) fn of(raw: Option<&RawValue>) -> Self {
        Self(raw.filter(|raw| raw.get().len() <= LONGEST).map(canonical))
    }

    /// Every number and the order of members count: what differs in them is not said twice.
    pub(super) fn is_said_by(&self, text: &str) -> bool {
        let Some(structured) = &self.0 else { return false };
        let is_json = |text: &str| text.trim_start().starts_with(['{', '[']) && text.len() <= LONGEST;
        is_json(text)
            && serde_json::from_str::<&RawValue>(text).is_ok_and(|raw| canonical(raw) == *structured)
    }
}

/// JSON without blanks, each string spelled in one way.
fn canonical(raw: &RawValue) -> String {
    let mut rest = raw.get();
    let mut canonical = String::with_capacity(rest.len());
    while let Some(start) = rest.find('"') {
        canonical.extend(rest[..start].split_ascii_whitespace());
        let length = string_length(&rest[start..]);
        let string = &rest[start..start + length];
        canonical.push_str(&spelled(string));
        rest = &rest[start + length..];
    }
    canonical.extend(rest.split_ascii_whitespace());
    canonical
}

/// How many bytes the string has that begins here, with its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 2)
}

fn spelled(string: &str) -> Cow<'_, str> {
    if !string.contains('\\') {
        return Cow::Borrowed(string);
    }
    // Half of a pair is no text: it is compared as it is written.
    let read = serde_json::from_str::<String>(string).ok().and_then(|text| serde_json::to_string(&text).ok());
    read.map_or(Cow::Borrowed(string), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_differently_and_says_the_same_is_the_same() {
        let said = |structured: &str, text: &str| {
            let raw = RawValue::from_string(structured.to_owned()).unwrap();
            Structured::of(Some(&raw)).is_said_by(text)
        };
        assert!(said(r#"{"a":[1,"é \" b"]}"#, "\n{ \"a\" : [ 1 , \"\\u00e9 \\\" b\" ] }\n"));
        assert!(said("[9007199254740993]", "[9007199254740993]"));
        for text in ["[9007199254740992]", "[9007199254740993.0]", "[9007199254740993] done", "", "{"] {
            assert!(!said("[9007199254740993]", text), "{text}");
        }
        assert!(!said(r#"["a b"]"#, r#"["ab"]"#), "blanks in a string count");
        assert!(!said(r#""a""#, r#""a""#), "a text that is one word is shown as that word");
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(said(&deep, &deep), "depth costs nothing");
        assert!(!Structured::of(None).is_said_by("[]"));
    }

    #[test]
    fn what_is_long_is_not_compared() {
        let long = format!("[{}1]", "1,".repeat(LONGEST / 2));
        let raw = RawValue::from_string(long.clone()).unwrap();
        assert!(!Structured::of(Some(&raw)).is_said_by(&long));
    }
}
