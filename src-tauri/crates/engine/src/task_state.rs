//! What a poll or a push brought of a task: its state as received, read beforehand where that takes long. `step` reads what
//! is small when it has to, and has to read nothing where nothing is new; what is large would hold up all other servers.

use std::{
    hash::{BuildHasher, RandomState},
    sync::OnceLock,
};

use signalbox_mcp::TaskView;
use signalbox_model::{Json, LONGEST_TEXT, Wire, cut};

/// States of more bytes are read before they come to `step`.
const LONG: usize = 64 * 1024;

/// A task's state.
#[derive(Debug)]
pub struct TaskState {
    /// The state as received.
    pub(crate) raw: Json,
    /// The same, as memory keeps it.
    last: Last,
    /// What was read of it, by the names of that wire.
    read: Option<Box<(Wire, TaskView)>>,
}

impl AsRef<Json> for TaskState {
    /// The state as received.
    fn as_ref(&self) -> &Json {
        &self.raw
    }
}

impl TaskState {
    /// Reads a state where that takes long, in a thread that may be busy for it.
    pub(crate) async fn read(raw: Json, wire: Wire) -> Self {
        if !is_long(&raw) {
            return raw.into();
        }
        let text = raw.clone();
        let read =
            tokio::task::spawn_blocking(move || (Last::of(&text), Box::new((wire, view(&text, wire))))).await;
        match read {
            Ok((last, read)) => Self { raw, last, read: Some(read) },
            // A runtime that ends reads nothing; nobody reads it then.
            Err(_) => raw.into(),
        }
    }

    /// The state as memory keeps it.
    pub(crate) fn last(&self) -> &Last {
        &self.last
    }

    /// What it says.
    pub(crate) fn view(&mut self, wire: Option<Wire>) -> TaskView {
        let wire = wire.unwrap_or(Wire::Modern);
        match self.read.take() {
            Some(read) if read.0 == wire => read.1,
            _ => view(&self.raw, wire),
        }
    }

    /// Whether it says that the task has ended.
    pub(crate) fn is_terminal(&self) -> bool {
        match &self.read {
            Some(read) => read.1.status.is_terminal(),
            None => TaskView::read(&self.raw).status.is_terminal(),
        }
    }
}

impl From<Json> for TaskState {
    fn from(raw: Json) -> Self {
        Self { last: Last::of(&raw), raw, read: None }
    }
}

/// The last state of a task, to tell the next one from it. Of a long one the store alone has the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Last {
    Short(Json),
    /// So many bytes, and a number that no other text of them has but by chance. Its key is new in every run, so that no
    /// server can find another such text.
    Long(usize, u64),
}

impl Last {
    pub(crate) fn of(raw: &Json) -> Self {
        static KEY: OnceLock<RandomState> = OnceLock::new();
        if !is_long(raw) {
            return Self::Short(raw.clone());
        }
        let text = raw.text();
        Self::Long(text.len(), KEY.get_or_init(RandomState::new).hash_one(text))
    }

    /// The bytes of a long one.
    pub(crate) fn long(&self) -> usize {
        match self {
            Self::Short(_) => 0,
            Self::Long(bytes, _) => *bytes,
        }
    }

    pub(crate) fn short(&self) -> Option<&Json> {
        match self {
            Self::Short(raw) => Some(raw),
            Self::Long(..) => None,
        }
    }
}

/// Whether reading it takes long.
fn is_long(raw: &Json) -> bool {
    raw.text().len() > LONG
}

fn view(raw: &Json, wire: Wire) -> TaskView {
    let mut view = match wire {
        Wire::Legacy => TaskView::read_legacy(raw),
        Wire::Modern => TaskView::read(raw),
    };
    shorten(&mut view);
    view
}

/// Whether a text of it is longer than a row has it.
pub(crate) fn has_long_text(view: &TaskView) -> bool {
    [&view.status_message, &view.status_text].into_iter().flatten().any(|text| text.len() > LONGEST_TEXT)
}

/// Cuts the texts of a state for a row.
pub(crate) fn shorten(view: &mut TaskView) {
    for text in [&mut view.status_message, &mut view.status_text].into_iter().flatten() {
        *text = cut(std::mem::take(text), LONGEST_TEXT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(message: &str) -> Json {
        Json::of(&serde_json::json!({ "status": "working", "statusMessage": message, "ttl": 7 }))
    }

    #[tokio::test]
    async fn what_is_long_is_read_beforehand_and_its_texts_are_cut() {
        for (long, beforehand) in [(LONGEST_TEXT, false), (LONGEST_TEXT + 1, false), (1_000_000, true)] {
            for wire in [Wire::Modern, Wire::Legacy] {
                let mut poll = TaskState::read(state(&"é".repeat(long / 2)), wire).await;
                assert_eq!(poll.read.is_some(), beforehand, "{long} bytes");
                assert!(!poll.is_terminal());
                let view = poll.view(Some(wire));
                let message = view.status_message.as_deref().unwrap();
                assert_eq!(message.ends_with('…'), long > LONGEST_TEXT + 1);
                assert!(message.starts_with("éé") && message.len() <= LONGEST_TEXT, "{}", message.len());
                let mut again = view.clone();
                shorten(&mut again);
                assert_eq!(again, view, "what is short enough stays as it is");
            }
        }
    }

    #[tokio::test]
    async fn a_state_that_was_read_for_another_wire_is_read_again() {
        let mut poll = TaskState::read(state(&"x".repeat(100_000)), Wire::Modern).await;
        assert_ne!(
            poll.view(Some(Wire::Legacy)).ttl,
            signalbox_mcp::Ttl::Unknown,
            "by the names of this wire"
        );
    }
}
