//! How much a question wants its person at the moment, and what a person has said of when it shall again.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// So long before its deadline a question counts as expiring, and is brought back however long it was to be snoozed, in ms.
pub const LAST_CALL_MS: i64 = 5 * 60_000;

/// How much a question wants its person. Kept with it, so that no list needs a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Attention {
    /// It waits for a person.
    NeedsYou,
    /// It waits for a person, and its deadline is near.
    Expiring,
    /// It waits, and the person has put it off.
    Snoozed,
    /// It waits for nobody.
    None,
}

/// Until when a person puts a question off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "until", rename_all = "snake_case")]
pub enum Snooze {
    /// Until a point in time.
    At {
        /// When it comes back.
        at: Timestamp,
    },
    /// Until the state of its task is another one.
    Change,
    /// Until its deadline is near.
    BeforeExpiry,
}

impl Snooze {
    /// When a question that expires then comes back by itself; none where no time brings it back.
    #[must_use]
    pub fn ends_at(self, expires_at: Option<Timestamp>) -> Option<Timestamp> {
        let last_call = expires_at.map(last_call);
        match self {
            Self::At { at } => Some(last_call.map_or(at, |last_call| last_call.min(at))),
            Self::Change | Self::BeforeExpiry => last_call,
        }
    }
}

/// When a question that expires then begins to count as expiring.
#[must_use]
pub fn last_call(expires_at: Timestamp) -> Timestamp {
    expires_at.plus_ms(-LAST_CALL_MS)
}

/// A question that was put off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snoozed {
    /// Until when.
    pub until: Snooze,
    /// When the state of its task had last changed by then ([`crate::Task::seen_at`]); none without a task.
    pub task_seen_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_snooze_goes_past_the_deadline() {
        let (at, deadline) = (Timestamp(1_000_000), Some(Timestamp(1_000_000)));
        let last_call = Some(Timestamp(700_000));
        assert_eq!(Snooze::At { at }.ends_at(None), Some(at));
        assert_eq!(
            Snooze::At { at }.ends_at(deadline),
            last_call,
            "not at the deadline, when it is too late"
        );
        assert_eq!(Snooze::At { at: Timestamp(9) }.ends_at(deadline), Some(Timestamp(9)));
        assert_eq!([Snooze::Change, Snooze::BeforeExpiry].map(|of| of.ends_at(deadline)), [last_call; 2]);
        assert_eq!([Snooze::Change, Snooze::BeforeExpiry].map(|of| of.ends_at(None)), [None; 2]);
    }
}
