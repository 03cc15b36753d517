//! One question of a server: an entry of `inputRequests`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use signalbox_model::{InputRequest, Json, Mode, SAMPLING, SamplingView};

use super::{Fields, sampling};

/// A question, as far as it is legible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionView {
    /// The method as received; empty when it gives none.
    pub method: String,
    /// How it wants to be answered; [`Mode::Other`] for what is no elicitation we know, and no sampling.
    pub mode: Mode,
    /// The question; empty when it gives none. Of sampling the last that a user says in it, cut where it is long:
    /// [`Self::sampling`] has all of it.
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
        Self { method, mode, message: params.text("message").unwrap_or_default(), schema, url }
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
            && known.message == self.message
            && known.schema == self.schema
            && known.url == self.url
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
            (std::mem::discriminant(&self.mode), &self.message, schema, &self.url).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// What names an elicitation in URL mode beyond the request, if it says so: `elicitationId`.
    #[must_use]
    pub fn elicitation_id(raw: &Json) -> Option<String> {
        Fields::lenient(raw.raw()).object("params").text("elicitationId")
    }
}
