//! One question of a server: an entry of `inputRequests`.

use std::{
    borrow::Cow,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use signalbox_model::{InputRequest, Json, LONGEST_TEXT, Mode, SAMPLING, SamplingView, beginning};

use super::{Fields, sampling, text_of};

/// Members of a request's parameters that belong to this one request: another that asks the same has others.
const CARRIES: [&str; 3] = ["_meta", "task", "elicitationId"];

/// A question, as far as it is legible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionView {
    /// The method as received; empty when it gives none.
    pub method: String,
    /// How it wants to be answered; [`Mode::Other`] for what is no elicitation we know, and no sampling.
    pub mode: Mode,
    /// The question, cut where it is longer than [`LONGEST_TEXT`]: [`Self::whole_message`] has all of it. Empty when it gives
    /// none. Of sampling the last that a user says in it, cut where it is long: [`Self::sampling`] has all of it.
    pub message: String,
    /// The requested schema, whatever its shape (form mode). Of sampling a form of ours: [`Self::sampled`] makes its
    /// result of what was entered.
    pub schema: Option<Json>,
    /// The URL as received, unchecked (URL mode).
    pub url: Option<String>,
}

impl QuestionView {
    /// Reads what can be read; never fails as a whole.
    #[must_use]
    pub fn read(raw: &Json) -> Self {
        let request = Fields::lenient(raw.raw());
        let params = request.object("params");
        let method = request.text("method").unwrap_or_default();
        if method == SAMPLING
            && let Some(message) = sampling::wish(&params)
        {
            return Self { method, mode: Mode::Form, message, schema: Some(sampling::form()), url: None };
        }
        let (schema, url) = (params.json("requestedSchema"), params.text("url"));
        let mode = match (method.as_str(), params.some("mode").map(|mode| mode.get())) {
            ("elicitation/create", Some("\"form\"")) => Mode::Form,
            ("elicitation/create", Some("\"url\"")) => Mode::Url,
            // By the specification no mode means form; a URL without a schema leaves no doubt, though.
            ("elicitation/create", None) if schema.is_none() && url.is_some() => Mode::Url,
            ("elicitation/create", None) => Mode::Form,
            _ => Mode::Other,
        };
        let message = params.some("message").and_then(text_of).unwrap_or_default();
        Self { method, mode, message: beginning(&message, LONGEST_TEXT).into_owned(), schema, url }
    }

    /// The full message of a question, read from `raw` where `message` is the beginning of it. Without the raw JSON, `message`.
    #[must_use]
    pub fn whole_message<'a>(raw: &'a Json, message: &'a str) -> Cow<'a, str> {
        if !may_be_cut(message) {
            return Cow::Borrowed(message);
        }
        let request = Fields::lenient(raw.raw());
        let params = request.object("params");
        // Of sampling the message is made of several, and nothing else may stand in its place.
        let begins = |whole: &Cow<'_, str>| whole.starts_with(message.trim_end_matches('…'));
        let whole = params.some("message").and_then(text_of).filter(begins);
        whole.unwrap_or(Cow::Borrowed(message))
    }

    /// What a model would be asked, for a person to read; none for another method.
    #[must_use]
    pub fn sampling(raw: &Json) -> Option<SamplingView> {
        sampling::view(raw)
    }

    /// The schema that an answer to sampling is checked against: that of the form, or of the protocol's own shape where it
    /// is given in that.
    #[must_use]
    pub fn answer_schema(given: &Json) -> Json {
        sampling::answer_schema(given)
    }

    /// The result of `sampling/createMessage` for what a person entered in its form; what has the protocol's own shape is
    /// the result as it stands. None when it has neither shape.
    #[must_use]
    pub fn sampled(given: &Json) -> Option<Json> {
        sampling::sampled(given)
    }

    /// What was entered in the form for this result of `sampling/createMessage`; the result itself where the form could not
    /// say all of it.
    #[must_use]
    pub fn entered(result: &Json) -> Json {
        sampling::entered(result)
    }

    /// Whether a request that was read like this, and came as `raw`, asks the same as a question that is known.
    #[must_use]
    pub fn same(&self, raw: &Json, known: &InputRequest) -> bool {
        if self.method == SAMPLING && known.method == SAMPLING {
            return sampling::same(raw, &known.raw);
        }
        known.method == self.method
            && known.mode == self.mode
            && known.schema == self.schema
            && known.url == self.url
            && self.message == beginning(&known.message, LONGEST_TEXT)
            // Of all that begin like it: reading the whole of each raw JSON takes long.
            && (!may_be_cut(&self.message)
                || self.whole(raw) == Self::whole_message(&known.raw, &known.message))
    }

    /// What a request that was read like this, and came as `raw`, asks, as a number: whatever asks the same
    /// ([`Self::same`]) has the same one.
    #[must_use]
    pub fn fingerprint(&self, raw: &Json) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.method.hash(&mut hasher);
        if self.method == SAMPLING {
            sampling::wanted(raw).hash(&mut hasher);
        } else {
            let schema = self.schema.as_ref().map(Json::text);
            (std::mem::discriminant(&self.mode), self.whole(raw), schema, &self.url).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// What a request asks, byte for byte: all of it but what carries it, which is another each time that the same is asked.
    /// What is no object asks what it is.
    #[must_use]
    pub fn asked(raw: &Json) -> String {
        let Some(request) = Fields::of(raw.raw()) else { return raw.text().to_owned() };
        let of_request = request.iter().filter(|(name, _)| !["jsonrpc", "id"].contains(&name.as_str()));
        let lines =
            of_request.flat_map(|(name, value)| match Fields::of(value).filter(|_| name == "params") {
                Some(params) => {
                    let of_params = params.iter().filter(|(name, _)| !CARRIES.contains(&name.as_str()));
                    of_params.map(|(name, value)| format!("params {name:?}: {}\n", value.get())).collect()
                }
                None => vec![format!("{name:?}: {}\n", value.get())],
            });
        lines.collect()
    }

    fn whole<'a>(&'a self, raw: &'a Json) -> Cow<'a, str> {
        Self::whole_message(raw, &self.message)
    }

    /// What names an elicitation in URL mode beyond the request, if it says so: `elicitationId`.
    #[must_use]
    pub fn elicitation_id(raw: &Json) -> Option<String> {
        Fields::lenient(raw.raw()).object("params").text("elicitationId")
    }
}

/// Whether this may be the beginning of a longer one.
fn may_be_cut(message: &str) -> bool {
    message.ends_with('…') && message.len() > LONGEST_TEXT - 2 * char::MAX_LEN_UTF8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(message: &str) -> Json {
        Json::of(&serde_json::json!({ "method": "elicitation/create", "params": { "message": message } }))
    }

    #[test]
    fn another_request_that_asks_the_same_asks_the_same() {
        let request = |id: &str, meta: &str, message: &str| {
            let params = format!(
                r#"{{"message":"{message}","_meta":{meta},"task":{{"ttl":{id}}},"requestedSchema":{{"_meta":1}}}}"#
            );
            let raw =
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"elicitation/create","params":{params}}}"#);
            QuestionView::asked(&Json::parse(raw).expect("JSON"))
        };
        let asked = request("7", "{}", "Really?");
        assert_eq!(
            asked,
            request("8", r#"{"progressToken":1}"#, "Really?"),
            "the same over another connection"
        );
        assert_ne!(asked, request("7", "{}", "Really"), "other words");
        assert!(asked.contains(r#""requestedSchema": {"_meta":1}"#), "what is in the schema counts: {asked}");
        let odd = |text: &str| QuestionView::asked(&Json::parse(text.to_owned()).expect("JSON"));
        assert_eq!(odd("[7]"), "[7]", "what is no request");
        assert_ne!(odd(r#"{"params":[1]}"#), odd(r#"{"params":[2]}"#));
        assert_ne!(odd(r#"{"params":{"a":1}}"#), odd(r#"{"a":1}"#));
    }

    #[test]
    fn of_a_long_message_the_beginning_is_read_and_all_of_it_counts() {
        for letter in ["x", "é", "🚂", "…", "\""] {
            for bytes in [1, LONGEST_TEXT - 8, LONGEST_TEXT, LONGEST_TEXT + 8, 3 * LONGEST_TEXT] {
                let message = letter.repeat(bytes.div_ceil(letter.len()));
                let (asked, other) = (raw(&message), raw(&format!("{message}?")));
                let view = QuestionView::read(&asked);
                assert!(view.message.len() <= LONGEST_TEXT);
                assert_eq!(QuestionView::whole_message(&asked, &view.message), message);
                let known = |raw: &Json| InputRequest {
                    method: view.method.clone(),
                    mode: view.mode,
                    message: QuestionView::read(raw).message,
                    raw: raw.clone(),
                    ..InputRequest::new(
                        signalbox_model::RequestId(1),
                        signalbox_model::ServerId(1),
                        signalbox_model::Identity::Wire { session: 1, rpc: "1".to_owned() },
                        signalbox_model::Timestamp(0),
                    )
                };
                assert!(view.same(&asked, &known(&asked)), "{letter} {bytes}");
                assert!(
                    !view.same(&asked, &known(&other)),
                    "{letter} {bytes}: another end is another question"
                );
                assert_ne!(view.fingerprint(&asked), QuestionView::read(&other).fingerprint(&other));
            }
        }
    }
}
