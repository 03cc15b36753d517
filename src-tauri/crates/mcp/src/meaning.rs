//! What JSON-RPC errors of known codes ask of us.

use signalbox_model::Json;

use crate::{
    error::Error,
    rpc::{INVALID_PARAMS, METHOD_NOT_FOUND},
    view::{Fields, elements, text},
};

/// What an [`Error::Rpc`] of a code that the specification knows means to the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// -32020: headers do not say what the body says. A tool's schema may be another now: list the tools again, and make
    /// the call once more with the new schema, once. The server has not acted on it.
    HeaderMismatch,
    /// -32021, in drafts -32003: the request needs something that we did not declare.
    MissingCapability {
        /// `requiredCapabilities` as received.
        required: Option<Json>,
    },
    /// -32022: the server does not speak this version (any more): find its wire again.
    UnsupportedVersion {
        /// What it speaks; empty where it does not say so legibly.
        supported: Vec<String>,
    },
    /// -32042, older servers: URLs have to be visited first, then the request can be made again. The entries are
    /// parameters of `elicitation/create` in URL mode.
    UrlElicitationRequired {
        /// Each as a whole question, to be read with [`crate::QuestionView`].
        questions: Vec<Json>,
    },
    /// -32601: the server does not know the method.
    MethodNotFound,
    /// -32602: the parameters are wrong. Of `tasks/*`: the task is unknown, expired or (cancel) has ended.
    InvalidParams,
}

impl Error {
    /// What it asks of the caller, where that is known; none for all that is no [`Error::Rpc`].
    #[must_use]
    pub fn meaning(&self) -> Option<Meaning> {
        let Self::Rpc { code, data, .. } = self else { return None };
        let data = data.as_ref().map(|data| Fields::lenient(data.raw())).unwrap_or_default();
        Some(match *code {
            -32020 => Meaning::HeaderMismatch,
            -32021 | -32003 => Meaning::MissingCapability { required: data.json("requiredCapabilities") },
            -32022 => {
                let supported = data.some("supported").and_then(elements).unwrap_or_default();
                Meaning::UnsupportedVersion { supported: supported.into_iter().filter_map(text).collect() }
            }
            -32042 => {
                let entries = data.some("elicitations").and_then(elements).unwrap_or_default();
                let question = |params: &serde_json::value::RawValue| {
                    let question = format!(r#"{{"method":"elicitation/create","params":{}}}"#, params.get());
                    Json::parse(question).expect("BUG: JSON within JSON is JSON")
                };
                Meaning::UrlElicitationRequired { questions: entries.into_iter().map(question).collect() }
            }
            METHOD_NOT_FOUND => Meaning::MethodNotFound,
            INVALID_PARAMS => Meaning::InvalidParams,
            _ => return None,
        })
    }
}
