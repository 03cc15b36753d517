//! What stands beside an entry of a timeline or of the log of decisions: a word or text of others, or why it is so.

use signalbox_model::{Note, Unsent};

/// What an entry says beside its kind.
#[derive(Debug, Clone, Default)]
pub(crate) enum Beside {
    /// The kind says it all.
    #[default]
    Nothing,
    /// What others wrote, or a word of a closed list: an action, why an answer did not go out.
    Text(String),
    /// Why it happened.
    Note(Note),
}

impl Beside {
    /// The text and the note of an entry.
    pub(crate) fn parts(self) -> (Option<String>, Option<Note>) {
        match self {
            Self::Nothing => (None, None),
            Self::Text(text) => (Some(text), None),
            Self::Note(note) => (None, Some(note)),
        }
    }
}

impl From<&str> for Beside {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Beside {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Note> for Beside {
    fn from(note: Note) -> Self {
        Self::Note(note)
    }
}

impl From<Unsent> for Beside {
    fn from(unsent: Unsent) -> Self {
        unsent.as_str().into()
    }
}

impl<T: Into<Beside>> From<Option<T>> for Beside {
    fn from(said: Option<T>) -> Self {
        said.map_or(Self::Nothing, Into::into)
    }
}
