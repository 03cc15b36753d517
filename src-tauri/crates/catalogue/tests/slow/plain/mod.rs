//! Lists read slowly: a second way to all that a list is, beside the first. It knows nothing of narrow rows, ranks or turns. It
//! asks each row in full and anew, and compares what people read.
//!
//! Tests of whoever keeps lists of stored rows include it too.

mod any;
mod list;
mod row;
mod token;

pub(crate) use any::{QUESTIONS, TASKS, any_list, call, question, tags};
pub(crate) use list::Asked;
pub(crate) use row::{Question, Row, Tagged};

/// In what lengths of time are written, and how far rows are apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) ms: i64,
    pub(crate) letter: char,
}

/// An hour in ms.
const HOUR: i64 = 3_600_000;
/// The servers that there always are, by number.
pub(crate) const SERVERS: std::ops::RangeInclusive<u32> = 1..=3;

/// What time it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    /// In ms since 1970.
    pub(crate) now: i64,
    /// How far the person's clock is ahead of UTC at a moment, in ms.
    pub(crate) ahead: fn(i64) -> i64,
}

impl Clock {
    /// The day of a moment, counted from 1970; [`date`] writes it.
    pub(crate) fn day(&self, at: i64) -> i64 {
        (at + (self.ahead)(at)).div_euclid(24 * HOUR)
    }
}

/// A day as people write it.
pub(crate) fn date(day: i64) -> String {
    let date = jiff::civil::date(1970, 1, 1).checked_add(jiff::Span::new().days(day));
    date.expect("a day of our time").to_string()
}
