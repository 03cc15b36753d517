//! What has been made of when a server last answered: shown and kept seldom, whatever it answers how often.

use signalbox_model::Timestamp;

/// While a server answers all the time, that is shown once in this many ms, by then one and a half times as long ago at
/// most. That is well below the age at which a lamp fades.
pub const HEARD_MS: u64 = 30_000;
/// … and kept once in this many ms: so far behind the row may be after a kill.
pub(crate) const KEPT_MS: i64 = 60_000;

/// When a server last answered, as others know it.
#[derive(Debug, Default)]
pub(crate) struct Hearing {
    /// What the store has.
    pub(crate) kept: Option<Timestamp>,
    /// Not shown again before this (steady ms).
    pub(crate) rests_until: u64,
    /// It has answered since it was shown, and is to be shown when that time comes.
    pub(crate) planned: bool,
}
