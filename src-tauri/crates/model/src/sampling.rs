//! A wish for a model's answer (`sampling/createMessage`), as far as it is legible: what a host shows before a person
//! answers in the model's place.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::Json;

/// What a model would be asked, and how. All of it is the server's; numbers are the text that came. Together its texts are at most
/// 256 KiB: the request as received has the rest.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct SamplingView {
    /// The system prompt.
    pub system_prompt: Option<String>,
    /// The conversation so far, oldest first.
    pub messages: Vec<SamplingMessage>,
    /// The most tokens that the answer may have.
    pub max_tokens: Option<String>,
    /// The sampling temperature that the server wants, as a JSON number.
    pub temperature: Option<String>,
    /// Texts at which the answer would end.
    pub stop_sequences: Vec<String>,
    /// Names of models, the most wanted first.
    pub model_hints: Vec<String>,
    /// How much a low cost matters, from 0 to 1.
    pub cost_priority: Option<String>,
    /// How much speed matters, from 0 to 1.
    pub speed_priority: Option<String>,
    /// How much intelligence matters, from 0 to 1.
    pub intelligence_priority: Option<String>,
    /// Of which servers the context shall go with it: `none`, `thisServer`, `allServers`, or what else came. Nothing is ever added.
    pub include_context: Option<String>,
    /// Names of the tools that the model could call. A person's answer calls none.
    pub tools: Vec<String>,
    /// Whether some of it was left out here, for its size.
    pub cut: bool,
}

/// One message of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct SamplingMessage {
    /// Who says it: `user`, `assistant`, or what else came; empty when it does not say.
    pub role: String,
    /// What is said, in order.
    pub parts: Vec<SamplingPart>,
}

/// A part of a message.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum SamplingPart {
    /// A part in plain text.
    Text {
        /// The text as the server gave it.
        text: String,
    },
    /// An image or a sound, as a note: its data is in the request as received.
    Media {
        /// Its type as received: `image` or `audio`.
        r#type: String,
        /// What it says it is.
        mime_type: Option<String>,
        /// Its size; none where its data is no base64.
        bytes: Option<u64>,
    },
    /// Anything else, as JSON.
    Other {
        /// The part as received.
        json: Json,
    },
}
