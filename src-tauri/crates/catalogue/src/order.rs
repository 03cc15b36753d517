//! In which order rows stand, and under which heads.

use signalbox_model::Timestamp;

use crate::{
    Key, Moment, NarrowRow, World,
    part::Part,
    world::{self, Span},
};

/// The most keys of an order.
const MOST: usize = 4;

/// One key of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum By {
    /// By the words of a key, as people read them; servers and tools by name.
    Key(Key),
    /// By the time of a moment, the earliest first.
    Moment(Moment),
    /// By our short id.
    Id,
}

/// One key of an order with its direction. A row without such a word or moment stands behind the others either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Sort {
    /// The key or moment that rows are sorted by.
    by: By,
    /// The last one first.
    descending: bool,
}

/// Under which heads rows stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Grouping {
    /// No heads.
    #[default]
    None,
    /// One for each word of a key.
    Key(Key),
    /// One for each day on which rows were started or asked, the last one first.
    Day,
}

/// In which order rows stand: by group, then by each key, then by our short id.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Order {
    /// The heads under which rows stand.
    pub group: Grouping,
    sort: Vec<Sort>,
}

/// An order that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// There is no such key for these rows.
    #[error("nothing sorts by {name:?}. Keys: {}", names.join(", "))]
    UnknownSort {
        /// The name as it was given.
        name: String,
        /// All that there is.
        names: Vec<&'static str>,
    },
    /// There is no such group for these rows.
    #[error("nothing groups by {name:?}. Keys: {}", names.join(", "))]
    UnknownGroup {
        /// The name as it was given.
        name: String,
        /// All that there is.
        names: Vec<&'static str>,
    },
    /// It has more keys than are taken.
    #[error("an order has at most {MOST} keys")]
    TooMany,
}

impl Order {
    /// Reads `server,-started` and `day`. Empty texts ask for no order and no groups.
    ///
    /// # Errors
    /// When a name is not known of such rows, or there are too many.
    pub fn read<L: NarrowRow>(sort: &str, group: &str) -> Result<Self, OrderError> {
        let keys = sort.split(',').map(str::trim).filter(|key| !key.is_empty());
        let sort = keys.map(Sort::read::<L>).collect::<Result<Vec<_>, _>>()?;
        if sort.len() > MOST {
            return Err(OrderError::TooMany);
        }
        Ok(Self { group: Grouping::read::<L>(group.trim())?, sort })
    }

    /// By what such rows can be sorted.
    #[must_use]
    pub fn sorts<L: NarrowRow>() -> Vec<&'static str> {
        Key::all_of::<L>()
            .filter(|key| key.orders::<L>())
            .map(Key::name)
            .chain(Moment::names_of::<L>())
            .chain(["id"])
            .collect()
    }

    /// By what they can be grouped.
    #[must_use]
    pub fn groups<L: NarrowRow>() -> Vec<&'static str> {
        Key::all_of::<L>().filter(|key| key.orders::<L>()).map(Key::name).chain(["day", "none"]).collect()
    }

    /// Whether rows move when a part of the world does.
    pub(crate) fn follows(&self, part: Part) -> bool {
        let key = Key::of_part(part);
        self.group == Grouping::Key(key) || self.sort.iter().any(|sort| sort.by == By::Key(key))
    }

    pub(crate) fn place<L: NarrowRow>(&self, line: &L, world: &World, last: &mut LastDay) -> Place<L::Id> {
        let mut keys = [0; MOST + 2];
        keys[0] = match self.group {
            Grouping::None => 0,
            Grouping::Key(key) => rank(line, key, world).unwrap_or(i64::MAX),
            Grouping::Day => line.moment(Moment::Started).map_or(i64::MAX, |at| !last.number_of(at, world)),
        };
        let number = i64::from(line.number());
        // Where all else is equal the number decides, in the direction of the last key.
        let by_id = Sort { by: By::Id, descending: self.sort.last().is_some_and(|sort| sort.descending) };
        for (key, sort) in keys[1..].iter_mut().zip(self.sort.iter().chain([&by_id])) {
            let value = match sort.by {
                By::Key(by) => rank(line, by, world),
                By::Moment(moment) => line.moment(moment).map(|Timestamp(ms)| ms),
                By::Id => Some(number),
            };
            *key = value.map_or(i64::MAX, |value| if sort.descending { !value } else { value });
        }
        Place { keys, id: line.id() }
    }
}

/// The day of the row that was placed last: of many rows most are of the same one, and a time zone is slow to ask.
#[derive(Debug, Default)]
pub(crate) struct LastDay(Option<(Span, i64)>);

impl LastDay {
    fn number_of(&mut self, at: Timestamp, world: &World) -> i64 {
        if let Some((span, number)) = self.0
            && span.has(at)
        {
            return number;
        }
        let date = world.date_of(at);
        let number = world::number(date);
        self.0 = Some((world.day(date), number));
        number
    }
}

fn rank<L: NarrowRow>(line: &L, key: Key, world: &World) -> Option<i64> {
    match key {
        Key::Server => Some(world.server_rank(line.server())),
        Key::Tool => Some(world.tool_rank(line.tool())),
        _ => {
            let word = line.word(key, world)?;
            L::words(key)?.iter().zip(0..).find(|(known, _)| **known == word).map(|(_, rank)| rank)
        }
    }
}

/// Where a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place<Id> {
    keys: [i64; MOST + 2],
    pub(crate) id: Id,
}

impl<Id> Place<Id> {
    /// The group that it is in.
    pub(crate) fn group(&self) -> i64 {
        self.keys[0]
    }

    /// The group, and the first key where that has few words.
    pub(crate) fn beginning(&self, order: &Order) -> [i64; 2] {
        let has_few = matches!(order.sort.first(), Some(Sort { by: By::Key(_), .. }));
        [self.keys[0], if has_few { self.keys[1] } else { 0 }]
    }
}

impl Sort {
    fn read<L: NarrowRow>(text: &str) -> Result<Self, OrderError> {
        let (name, descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let by = match name {
            "id" => By::Id,
            _ => Key::of_name(name)
                .filter(|key| key.orders::<L>())
                .map(By::Key)
                .or_else(|| Moment::of_name(name).filter(|moment| moment.is_of::<L>()).map(By::Moment))
                .ok_or_else(|| OrderError::UnknownSort {
                    name: name.to_owned(),
                    names: Order::sorts::<L>(),
                })?,
        };
        Ok(Self { by, descending })
    }
}

impl Grouping {
    fn read<L: NarrowRow>(name: &str) -> Result<Self, OrderError> {
        match name {
            "" | "none" => Ok(Self::None),
            "day" => Ok(Self::Day),
            _ => Key::of_name(name).filter(|key| key.orders::<L>()).map(Self::Key).ok_or_else(|| {
                OrderError::UnknownGroup { name: name.to_owned(), names: Order::groups::<L>() }
            }),
        }
    }
}
