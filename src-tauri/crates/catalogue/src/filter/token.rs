//! What one token asks of a row.

use memchr::memmem::Finder;

use signalbox_model::ServerId;

use crate::{Key, Moment, NarrowRow, World, world::Span};

#[derive(Debug, Clone)]
pub(crate) struct Token {
    /// Whether it excludes.
    pub(super) not: bool,
    pub(super) asks: Asks,
}

#[derive(Debug, Clone)]
pub(super) enum Asks {
    /// Its word for a key is one of these.
    Word(Key, Vec<Value>),
    /// From a moment to now, or from now to a moment, it is longer than this, or shorter.
    Length { moment: Moment, longer: bool, ms: i64 },
    /// A moment is on this day.
    Day { moment: Moment, day: Day },
    /// It has this text somewhere.
    Text(Box<Text>),
}

/// A value of a key, folded.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) word: String,
    /// Whether a word that only begins so is meant, too.
    pub(super) begins: bool,
    /// The server whose short id it may be: read once, and not for each row. In quotation marks it is none.
    pub(super) server: Option<ServerId>,
}

impl Value {
    /// A word of a closed list.
    pub(super) fn of(word: &str) -> Self {
        Self { word: word.to_owned(), begins: false, server: None }
    }

    pub(super) fn is(&self, word: &str) -> bool {
        if self.begins { word.starts_with(&self.word) } else { word == self.word }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Day {
    Today,
    Yesterday,
    On(Span),
}

/// A plain word or phrase, folded.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) folded: String,
    finder: Finder<'static>,
    /// Those of our words that have it, with their keys: found once, and not in each row.
    words: Vec<(Key, &'static str)>,
}

impl Text {
    pub(super) fn new<L: NarrowRow>(folded: String) -> Self {
        let finder = Finder::new(folded.as_bytes()).into_owned();
        let mut text = Self { folded, finder, words: Vec::new() };
        let all = L::PLAIN.iter().flat_map(|(key, words)| words.iter().map(|word| (*key, *word)));
        // A blank may be written for `_`.
        text.words =
            all.filter(|(_, word)| text.is_in(word) || text.is_in(&word.replace('_', " "))).collect();
        text
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        self.finder.find(text.as_bytes()).is_some()
    }

    /// Whether one of our words has it that a row has.
    pub(super) fn is_said_by<L: NarrowRow>(&self, line: &L, world: &World) -> bool {
        self.words.iter().any(|(key, word)| line.word(*key, world) == Some(word))
    }
}

impl Token {
    /// Whether one of the two is enough.
    pub(super) fn joins(&self, other: &Self) -> bool {
        if self.not || other.not {
            return false;
        }
        match (&self.asks, &other.asks) {
            (Asks::Word(one, _), Asks::Word(another, _)) => one == another,
            (Asks::Day { moment: one, .. }, Asks::Day { moment: another, .. }) => one == another,
            _ => false,
        }
    }
}
