//! Task ids in what servers say: whoever has one may read and cancel the task, so an export names the call instead.

use std::borrow::Cow;

use signalbox_model::{CallId, Json};
use url::form_urlencoded::byte_serialize;

/// Replaces a call's task id by the call's short id.
#[derive(Default)]
pub(super) struct Mask {
    /// The id as it is, within JSON within text, and within a URL, as far as these differ.
    spellings: Vec<String>,
    call: String,
}

impl Mask {
    /// For a call with its task id; an empty one leaves everything as it is, and so does the default.
    pub(super) fn of(call: CallId, id: &str) -> Self {
        if id.is_empty() {
            return Self::default();
        }
        let quoted = Json::of(&id);
        let escaped = quoted.text()[1..quoted.text().len() - 1].to_owned();
        let mut spellings = vec![id.to_owned(), escaped, byte_serialize(id.as_bytes()).collect()];
        spellings.dedup();
        Self { spellings, call: call.to_string() }
    }

    /// Text without the id.
    pub(super) fn text(&self, text: String) -> String {
        if !self.finds(&text) {
            return text;
        }
        self.spellings.iter().fold(text, |text, id| text.replace(id.as_str(), &self.call))
    }

    fn finds(&self, text: &str) -> bool {
        self.spellings.iter().any(|id| text.contains(id.as_str()))
    }

    /// JSON without the id in any of its texts, member names included. All else stays byte for byte: numbers, and texts
    /// that do not have it.
    pub(super) fn json(&self, json: Json) -> Json {
        let text = json.text();
        // Whoever wrote the JSON may have escaped any character of the id.
        if self.spellings.is_empty() || !(text.contains('\\') || self.finds(text)) {
            return json;
        }
        let mut masked = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find('"') {
            masked.push_str(&rest[..start]);
            let literal = &rest[start..start + length(&rest[start..])];
            masked.push_str(&self.literal(literal));
            rest = &rest[start + literal.len()..];
        }
        masked.push_str(rest);
        Json::parse(masked).expect("BUG: texts were replaced by texts")
    }

    fn literal<'a>(&self, literal: &'a str) -> Cow<'a, str> {
        match serde_json::from_str::<String>(literal) {
            Ok(said) if self.finds(&said) => Cow::Owned(Json::of(&self.text(said)).text().to_owned()),
            Ok(_) => Cow::Borrowed(literal),
            // Half a surrogate pair: what else is in there cannot be read, and so not be searched.
            Err(_) => Cow::Borrowed("\"(no valid text)\""),
        }
    }
}

/// How many bytes the text literal has that `json` begins with, quotes included.
fn length(json: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    json.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "786512e2-9e0d";

    fn masked(id: &str, json: &str) -> String {
        Mask::of(CallId(7), id).json(Json::parse(json).unwrap()).text().to_owned()
    }

    #[test]
    fn a_task_id_becomes_the_id_of_its_call() {
        assert_eq!(
            Mask::of(CallId(7), ID).text(format!("job {ID} runs as {ID}.log")),
            "job t7 runs as t7.log"
        );
        assert_eq!(Mask::default().text(ID.to_owned()), ID, "a call without a task has nothing to hide");
        assert_eq!(
            masked(
                ID,
                r#"{ "786512e2-9e0d":[1e2, {"log":"/x/786512e2-9e0d"}],"n": 12345678901234567890123 }"#
            ),
            r#"{ "t7":[1e2, {"log":"/x/t7"}],"n": 12345678901234567890123 }"#,
            "wherever it stands; all else is as it came"
        );
    }

    #[test]
    fn an_id_is_found_however_it_is_written() {
        assert_eq!(masked(ID, r#"["\u003786512e2-9e0d","it\u0073"]"#), r#"["t7","it\u0073"]"#);
        assert_eq!(masked("a/b", r#"["a\/b","https://x/y?task=a%2Fb"]"#), r#"["t7","https://x/y?task=t7"]"#);
        assert_eq!(
            masked("\"q\"", r#"["{\"taskId\":\"\\\"q\\\"\"}"]"#),
            r#"["{\"taskId\":\"t7\"}"]"#,
            "JSON in text"
        );
        assert!(
            !masked(ID, r#"["\ud800 \u0037\u00386512e2-9e0d"]"#).contains("d800"),
            "what cannot be read is left out"
        );
    }

    #[test]
    fn no_id_breaks_the_json_around_it() {
        let json = r#"{"n":1,"t":true,"s":"line\nwith \"1\" and \\","e":""}"#;
        for id in ["1", "n", "t", "true", "\"", "\\", ",", "{", ":", " ", "u", "\n"] {
            let after: serde_json::Value = serde_json::from_str(&masked(id, json)).unwrap();
            let values: Vec<_> = after.as_object().unwrap().values().collect();
            assert_eq!(
                (values[0].as_i64(), values[1].as_bool()),
                (Some(1), Some(true)),
                "{id:?}: only texts change"
            );
        }
    }
}
