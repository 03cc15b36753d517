//! One question of a server: an entry of `inputRequests`.

use signalbox_model::{Json, Mode};

use super::{Fields, sampling};

/// A question, as far as it is legible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionView {
    /// The method as received; empty when it gives none.
    pub method: String,
    /// How it wants to be answered; [`Mode::Other`] for what is no elicitation we know, and no sampling.
    pub mode: Mode,
    /// The question; empty when it gives none. Of sampling the whole conversation, as text.
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
        if method == "sampling/createMessage"
            && let Some(message) = sampling::conversation(&params)
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
        Self { method, mode, message: params.text("message").unwrap_or_default(), schema, url }
    }
    /// The result of `sampling/createMessage` for what a person entered in its form; none when it does not have its shape.
    #[must_use]
    pub fn sampled(entered: &Json) -> Option<Json> {
        sampling::sampled(entered)
    }

    /// What names an elicitation in URL mode beyond the request, if it says so: `elicitationId`.
    #[must_use]
    pub fn elicitation_id(raw: &Json) -> Option<String> {
        Fields::lenient(raw.raw()).object("params").text("elicitationId")
    }
}
