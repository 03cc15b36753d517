//! JSON of servers inside documents of ours.

use std::borrow::Cow;

use serde::{Serialize, Serializer, ser::Error};
use serde_json::value::RawValue;
use signalbox_model::Json;

/// A value as it came: every number and every string byte for byte. Only line ends between tokens are dropped, because
/// a document is one line.
#[derive(Debug, Clone)]
pub struct Raw(pub Json);

impl Raw {
    /// Whether it says nothing: such an answer is kept as it came, and is neither a result nor an error.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.0.text() == "null"
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match one_line(self.0.text()) {
            Cow::Borrowed(_) => self.0.raw().serialize(serializer),
            Cow::Owned(text) => RawValue::from_string(text).map_err(S::Error::custom)?.serialize(serializer),
        }
    }
}

/// Strings hold no bare line ends in JSON: any that is there stands between tokens.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r']) { Cow::Owned(text.replace(['\n', '\r'], "")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_as_they_came() {
        let text = r#"{ "big": 12345678901234567890123, "f": 60000.0, "s": "a\nb" }"#;
        assert_eq!(serde_json::to_string(&Raw(Json::parse(text).unwrap())).unwrap(), text);
    }

    #[test]
    fn a_document_is_one_line() {
        let json = Json::parse("{\r\n  \"a\": [\n1,\n2 ],\"s\":\"x\\ny\"\n}").unwrap();
        assert_eq!(serde_json::to_string(&Raw(json)).unwrap(), r#"{  "a": [1,2 ],"s":"x\ny"}"#);
    }
}
