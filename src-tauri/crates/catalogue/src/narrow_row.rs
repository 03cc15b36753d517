//! What a list can ask of a row, for tasks and input requests alike.

use std::{fmt::Debug, hash::Hash, str::FromStr};

use signalbox_model::{ServerId, Timestamp};

use crate::{ToolNumber, World, part::Part};

/// By what rows are told apart, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// The person's name of its server, or our short id of it.
    Server,
    /// The tool that was called.
    Tool,
    /// Whether it waits for a person, is under way, or over.
    Is,
    /// The specification's status of a task.
    Status,
    /// How a task ended.
    Outcome,
    /// What is known of following a task, its server's reach included.
    Tracking,
    /// The wire that a call went over.
    Wire,
    /// How we came by a task.
    Origin,
    /// Where an input request stands.
    State,
    /// How an input request wants to be answered.
    Mode,
    /// How much an input request wants its person.
    Attention,
    /// The person's own tags: a row may have several.
    Tag,
}

impl Key {
    const ALL: [(Self, &'static str); 12] = [
        (Self::Server, "server"),
        (Self::Tool, "tool"),
        (Self::Is, "is"),
        (Self::Status, "status"),
        (Self::Outcome, "outcome"),
        (Self::Tracking, "tracking"),
        (Self::Wire, "wire"),
        (Self::Origin, "origin"),
        (Self::State, "state"),
        (Self::Mode, "mode"),
        (Self::Attention, "attention"),
        (Self::Tag, "tag"),
    ];

    /// Those that such rows have.
    pub(crate) fn all_of<L: NarrowRow>() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().map(|(key, _)| key).filter(|key| key.is_of::<L>())
    }

    /// Whether such rows have it.
    pub(crate) fn is_of<L: NarrowRow>(self) -> bool {
        match self {
            Self::Server | Self::Tool => true,
            Self::Tag => L::TAGGED,
            _ => L::words(self).is_some(),
        }
    }

    /// Whether such rows can be put in order by it: each has one word for it at most.
    pub(crate) fn orders<L: NarrowRow>(self) -> bool {
        self != Self::Tag && self.is_of::<L>()
    }

    /// What rows go by that go by this part of the world.
    pub(crate) fn of_part(part: Part) -> Self {
        match part {
            Part::Servers => Self::Server,
            Part::Tools => Self::Tool,
            Part::Tracking => Self::Tracking,
        }
    }

    /// As it is written before the colon.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The key of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(key, _)| key)
    }
}

/// A point in time of a row, by our clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// A task was started or adopted; a question was asked.
    Started,
    /// The state of a task that has not ended last changed.
    Changed,
    /// It ended; a question was answered or closed.
    Ended,
    /// The server is expected to forget it, while it has not ended.
    Expires,
}

impl Moment {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Started, "started"),
        (Self::Changed, "changed"),
        (Self::Ended, "ended"),
        (Self::Expires, "expires"),
    ];

    /// The names of those that such rows have.
    pub(crate) fn names_of<L: NarrowRow>() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().filter(|(moment, _)| moment.is_of::<L>()).map(|(_, name)| name)
    }

    /// Whether such rows have it.
    pub(crate) fn is_of<L: NarrowRow>(self) -> bool {
        self == Self::Started || L::MOMENTS.contains(&self)
    }

    /// The moment of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(moment, _)| moment)
    }
}

/// A narrow row.
pub trait NarrowRow: PartialEq + Sync {
    /// Our short id.
    type Id: Copy + Ord + Hash + Debug + FromStr + Send + Sync + 'static;

    /// The keys that such rows have a word for, beside server and tool, each with its words in the order in which people read them.
    const WORDS: &'static [(Key, &'static [&'static str])];

    /// Words that mean several others of their key.
    const ALIASES: &'static [(Key, &'static str, &'static [&'static str])];

    /// The words that a plain word finds, by key.
    const PLAIN: &'static [(Key, &'static [&'static str])];

    /// The moments that such rows have, beside the one at which they were started.
    const MOMENTS: &'static [Moment];

    /// Filters that many people look for.
    const OFTEN: &'static [&'static str];

    /// Whether such rows can have tags.
    const TAGGED: bool = false;

    /// The id of the row: our short id as a type.
    fn id(&self) -> Self::Id;

    /// The number of an id: a row that came later has a larger one.
    fn number_of(id: Self::Id) -> u32;

    /// The id of a number.
    fn id_of(number: u32) -> Self::Id;

    /// The number of the row's id.
    fn number(&self) -> u32 {
        Self::number_of(self.id())
    }

    /// The transaction that last changed it or something that hangs on it.
    fn changed(&self) -> u64;

    /// The server that the row belongs to.
    fn server(&self) -> ServerId;

    /// The tool that the row belongs to.
    fn tool(&self) -> ToolNumber;

    /// Its word for a key; none where it has none, and for server and tool.
    fn word(&self, key: Key, world: &World) -> Option<&'static str>;

    /// When; none where it has no such moment.
    fn moment(&self, moment: Moment) -> Option<Timestamp>;

    /// What is looked through for plain words: folded, and short.
    fn text(&self) -> &str;

    /// How it stands, in the words that people look for beside those of its keys.
    fn also_called(&self) -> &'static str;

    /// Its tags, folded.
    fn tags(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }

    /// The words of a key; none where such rows have nothing to say of it.
    #[must_use]
    fn words(key: Key) -> Option<&'static [&'static str]> {
        Self::WORDS.iter().find(|(known, _)| *known == key).map(|(_, words)| *words)
    }
}
