//! What was answered, and by whom.

use signalbox_api::RequestDetail;
use signalbox_model::{Actor, Answer, Masked, RequestState, beginning};

use super::sanitise;

/// Of an answer's content an explanation shows so many bytes.
const LONGEST_CONTENT: usize = 1_024;

/// Who decided, in words.
pub(crate) fn decided_by(by: Actor) -> &'static str {
    match by {
        Actor::Person => "a person here",
        Actor::Signalbox => "Signalbox, from the folders that are listed for this server",
        Actor::Server => "the server",
    }
}

/// What an answer had beside its one word, as it follows that word; empty where there was nothing.
pub(crate) fn content(answer: &Answer) -> String {
    let content = answer.content.as_ref().map(|json| beginning(json.text(), LONGEST_CONTENT));
    let content = content.map(|text| format!(" with {}", sanitise::line(&text))).unwrap_or_default();
    masked(answer).map_or(content.clone(), |masked| format!("{content} (secret: {masked})"))
}

/// The secrets in the answer to a question, and how long they are kept; none where there are none.
pub(crate) fn secrets(detail: &RequestDetail) -> Option<String> {
    let masked = masked(detail.row.answer.as_ref()?)?;
    let kept = match detail.row.state {
        _ if !detail.keeps_secrets => "not kept",
        RequestState::Held | RequestState::Sending => "kept until it is delivered",
        _ => "kept as long as the server may still fetch the answer",
    };
    Some(format!("{masked} ({kept})"))
}

/// Which values of it stand as null because they are secret, and how long they are; none where there are none.
fn masked(answer: &Answer) -> Option<String> {
    let one = |masked: &Masked| {
        let characters = super::counted(masked.length.into(), "character", "characters");
        format!("{}: {characters}", sanitise::line(&masked.path))
    };
    let all: Vec<String> = answer.masked.iter().map(one).collect();
    (!all.is_empty()).then(|| all.join("; "))
}
