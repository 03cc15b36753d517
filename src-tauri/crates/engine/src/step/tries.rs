//! Sendings that came to nothing: which of them may go again, after what wait, and which of them the log enters.

use signalbox_mcp::Error;

use crate::{
    Now,
    schedule::{backoff, jitter},
};

/// The second wait is twice this, in ms; before the first sending again there is only a poll.
const FIRST: u64 = 1_000;
/// The longest wait, in ms.
const LONGEST: u64 = 300_000;
/// The wait after what would be the same again, in ms.
const FUTILE: u64 = 3_600_000;
/// The person is told after so many failures in a row.
const TOLD_AFTER: u32 = 3;

/// What became of one errand of the person's so far, in this run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tries {
    failures: u32,
    /// Not sent again before this (steady ms), and then only after a poll.
    not_before: u64,
}

impl Tries {
    /// Another one came to nothing.
    pub(crate) fn failed(&mut self, now: Now, seed: u64, id: u32) {
        self.failures = self.failures.saturating_add(1);
        // A single loss is settled by the next poll.
        let wait = if self.failures == 1 { 0 } else { backoff(FIRST, self.failures, LONGEST) };
        self.not_before = now.steady_ms + wait + jitter(seed, id, wait / 10);
    }

    /// It came to nothing, and will again as long as nobody changes anything: the person is told at once.
    pub(crate) fn futile(&mut self, now: Now) {
        self.failures = self.failures.saturating_add(1).max(TOLD_AFTER);
        self.not_before = now.steady_ms + FUTILE;
    }

    /// Whether it is too early to send again.
    pub(crate) fn waits(self, now: Now) -> bool {
        now.steady_ms < self.not_before
    }

    /// How often it failed in a row.
    pub(crate) fn failures(self) -> u32 {
        self.failures
    }

    /// When it may be sent again (steady ms).
    pub(crate) fn not_before(self) -> u64 {
        self.not_before
    }

    /// Whether it failed so often that the person should know.
    pub(crate) fn in_trouble(self) -> bool {
        self.failures >= TOLD_AFTER
    }

    /// Whether it has just become so.
    pub(crate) fn new_trouble(self) -> bool {
        self.failures == TOLD_AFTER
    }
}

/// Whether the server, or what stands before it, says a definite no to this very request: the same again would get the
/// same. A 404 may be about the address, and what is about sign-in or haste has errors of its own.
pub(crate) fn refuses(error: &Error) -> bool {
    match error {
        Error::Rpc { .. } => true,
        Error::NotMcp { status: Some(status), .. } => (400..=499).contains(status) && *status != 404,
        _ => false,
    }
}

/// Whether a sending is entered in the log, which is kept for ever, after `before` others of the same bytes: the
/// first, the second, the third, the fifth, the ninth and so on.
pub(crate) fn entered(before: u32) -> bool {
    before == 0 || before.is_power_of_two()
}

#[cfg(test)]
mod tests {
    use signalbox_model::Timestamp;

    use super::*;

    #[test]
    fn the_waits_grow_and_end_growing() {
        let mut tries = Tries::default();
        let now = Now { wall: Timestamp(0), steady_ms: 7 };
        let waits: Vec<u64> = (0..40)
            .map(|_| {
                tries.failed(now, 1, 1);
                tries.not_before - 7
            })
            .collect();
        assert_eq!(waits[0], 0, "the next poll settles a single loss");
        assert!((2_000..=2_200).contains(&waits[1]), "{waits:?}");
        assert!((300_000..=330_000).contains(&waits[39]), "{waits:?}");
        assert_eq!((0..1_000).filter(|n| entered(*n)).count(), 11, "a thousand sendings make few entries");
    }
}
