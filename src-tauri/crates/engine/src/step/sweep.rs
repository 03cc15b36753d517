//! Retention: from time to time the store lets go what it has kept for longer than the person wants.
//!
//! Nothing is let go by a wall clock that has just jumped.

use signalbox_model::Timestamp;
use signalbox_store::Write;

use super::Turn;
use crate::schedule::Due;

/// The first time, in ms after the start: whoever starts has other things to do first.
const FIRST: u64 = 60_000;
/// From then on, in ms.
const EVERY: u64 = 3_600_000;
const DAY_MS: i64 = 86_400_000;
/// A wall clock that is further ahead of all that the store tells of, in ms, may be wrong.
const TRUSTED_AHEAD: i64 = 7 * DAY_MS;
/// Of the room for payloads so many parts. One of them is left free: once as much was filled, room is made again.
const PARTS: u64 = 16;
/// The first time then, in ms after the start: long enough for a clock to be set right.
const FIRST_IN_DOUBT: u64 = 86_400_000;

impl Turn<'_> {
    pub(super) fn sweep(&mut self) {
        self.schedule.set(Due::Sweep, self.now.steady_ms + EVERY);
        let days = i64::from(self.tuning.retention_days);
        let ended_before = (days > 0).then(|| Timestamp(self.now.wall.0.saturating_sub(days * DAY_MS)));
        let payload_bytes = Some(self.tuning.payload_bytes).filter(|bytes| *bytes > 0);
        if ended_before.is_some() || payload_bytes.is_some() {
            self.write(Write::Sweep { at: self.now.wall, ended_before, payload_bytes });
        }
    }

    /// Plans the first time. A machine that was booted with its clock months ahead must not lose what it has kept;
    /// `newest` is when something was last told in the store.
    pub(super) fn plan_first_sweep(&mut self, newest: Option<Timestamp>) {
        let doubtful = newest.is_some_and(|at| self.now.wall.ms_since(at) > TRUSTED_AHEAD);
        *self.sweep_from = self.now.steady_ms + if doubtful { FIRST_IN_DOUBT } else { FIRST };
        self.schedule.set(Due::Sweep, *self.sweep_from);
    }

    /// Counts the payloads that this step keeps: whoever keeps many makes room for them soon, and not at the next time.
    pub(super) fn count_payloads(&mut self) {
        let bytes = |write: &Write| match write {
            Write::PutPayload { json, .. } | Write::PutRound { raw: json, .. } => json.text().len() as u64,
            _ => 0,
        };
        let kept: u64 = self.out.writes.iter().map(bytes).sum();
        *self.kept_since += kept;
        let most = self.tuning.payload_bytes;
        if kept > 0 && most > 0 && *self.kept_since >= most / PARTS {
            *self.kept_since = 0;
            self.schedule.set(Due::MakeRoom, self.now.steady_ms);
        }
    }

    /// Lets go the payloads of the calls that ended first, so that as many as came last fit once more. Nothing goes by the wall
    /// clock here.
    pub(super) fn make_room(&mut self) {
        let most = self.tuning.payload_bytes;
        if most > 0 {
            let payload_bytes = Some(most - most / PARTS);
            self.write(Write::Sweep { at: self.now.wall, ended_before: None, payload_bytes });
        }
    }

    /// The wall clock has moved: what it says must hold for a while before anything is deleted by it.
    pub(super) fn put_sweep_off(&mut self) {
        self.schedule.set(Due::Sweep, (*self.sweep_from).max(self.now.steady_ms + EVERY));
    }
}
