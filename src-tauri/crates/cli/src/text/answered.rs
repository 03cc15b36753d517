//! What was answered, and by whom.

use signalbox_model::{Actor, Answer, beginning};

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
    content.map(|text| format!(" with {}", sanitise::line(&text))).unwrap_or_default()
}
