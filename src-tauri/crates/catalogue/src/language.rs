//! What filters, orders and groups may say, for whoever explains it.

use crate::{Key, NarrowRow, Order, filter};

/// All of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language {
    /// Before a colon, each with all words that may stand behind it; none for names of servers and tools.
    pub keys: Vec<(&'static str, Vec<&'static str>)>,
    /// Before `<` or `>` and a length of time.
    pub lengths: Vec<&'static str>,
    /// Before a colon and a day.
    pub days: Vec<&'static str>,
    /// By what rows are sorted.
    pub sorts: Vec<&'static str>,
    /// By what they are grouped.
    pub groups: Vec<&'static str>,
}

/// The language of such rows.
#[must_use]
pub fn language<L: NarrowRow>() -> Language {
    let words = |key| L::words(key).unwrap_or_default().iter().chain(filter::aliases::<L>(key)).copied();
    Language {
        keys: Key::all_of::<L>().map(|key| (key.name(), words(key).collect())).collect(),
        lengths: filter::lengths::<L>().collect(),
        days: filter::DAYS.iter().map(|(name, _)| *name).collect(),
        sorts: Order::sorts::<L>(),
        groups: Order::groups::<L>(),
    }
}
