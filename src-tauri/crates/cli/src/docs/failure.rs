//! The document of an error.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::{ApiError, Code, Detail, Raw, Retry};
use signalbox_model::{Action, Timestamp};

use crate::text::advice::advised;

/// `code message retry detail`.
///
/// `detail`, where there is more for programs to know: `{"errors":[…]}` what does not fit, `{"form":{…}}`, `{"tasks":[…]}`,
/// `{"retryAfterMs"}`, `{"rpcCode"}`, `{"values":[…]}`; `{"answer":{"action","content","decidedAt"}}` the answer that stands
/// where another one was given.
#[skip_serializing_none]
#[derive(Serialize)]
pub(crate) struct Failure<'a> {
    code: Code,
    message: String,
    retry: Retry,
    detail: Option<More<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum More<'a> {
    Answer { answer: Said },
    Other(&'a Detail),
}

#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    action: Action,
    content: Option<Raw>,
    decided_at: Timestamp,
}

impl<'a> From<&'a ApiError> for Failure<'a> {
    fn from(error: &'a ApiError) -> Self {
        let detail = error.detail.as_ref().map(|detail| match detail {
            Detail::Answer { action, content, decided_at } => {
                let content = content.clone().map(Raw);
                More::Answer { answer: Said { action: *action, content, decided_at: *decided_at } }
            }
            other => More::Other(other),
        });
        Self { code: error.code, message: advised(error), retry: error.retry, detail }
    }
}
