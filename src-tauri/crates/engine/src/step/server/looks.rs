//! Whose look is next: of many that are due, a server gets so many at a time and a second.

use signalbox_mcp::Error;
use signalbox_model::CallId;

use super::{super::Turn, Station};
use crate::{
    Look,
    schedule::{Due, Schedule, jitter},
    step::{Next, slot},
};

/// What makes a place in the queue one behind all that are about to lose their result.
const BEHIND: u64 = 1 << 63;
/// After a server's silence its looks are spread over this many ms.
const SPREAD_AFTER_QUIET: u64 = 1_000;

/// A look whose turn it is.
#[derive(Debug, Clone, Copy)]
pub(in crate::step) struct Begun {
    pub(in crate::step) call: CallId,
    /// What it is expected to cost.
    expected: u64,
}

impl Station {
    /// Whether the next look of this call is not for the clock to bring.
    pub(in crate::step) fn is_busy_with(&self, call: CallId) -> bool {
        self.is_looking(call) || self.looks.queue.is_set(call)
    }

    /// Whether a look of it is under way.
    pub(crate) fn is_looking(&self, call: CallId) -> bool {
        self.looks.under_way.contains_key(&call)
    }

    /// A look is due: it comes as soon as the server may be asked and it is its turn. One that is `urgent` goes before others, by
    /// the time at which it comes too late (steady ms).
    pub(in crate::step) fn queue_look(&mut self, turn: &mut Turn<'_>, call: CallId, urgent: Option<u64>) {
        if self.is_looking(call) || !self.is_open() {
            // The reply plans the next look; a gate that opens gives all looks of its server new times.
            return;
        }
        self.looks.queue.no_later_than(call, urgent.unwrap_or(BEHIND | turn.now.steady_ms));
        turn.then(Next::Admit(self.id()));
    }

    /// The next look whose turn it is, as far as permits and the pace allow.
    pub(in crate::step) fn next_look(&mut self, turn: &mut Turn<'_>) -> Option<Begun> {
        if self.looks.under_way.len() >= Self::PERMITS || self.looks.queue.is_empty() {
            return None;
        }
        let now = turn.now.steady_ms;
        let begun = match self.is_quiet(turn.now) {
            true => Ok(0),
            false => self.looks.pace.begin(now, turn.tuning.looks_per_second),
        };
        match begun {
            Ok(expected) => Some(Begun { call: self.looks.queue.pop(u64::MAX)?, expected }),
            Err(at) => {
                turn.schedule.no_later_than(Due::Admit(self.id()), slot(at));
                None
            }
        }
    }

    /// It begins, and has its permit; or has its time after the silence, of a task that dies in so many ms.
    pub(in crate::step) fn begin_look(
        &mut self,
        turn: &mut Turn<'_>,
        begun: Begun,
        left: Option<u64>,
    ) -> bool {
        let Begun { call, expected } = begun;
        if self.is_quiet(turn.now) {
            let spread = jitter(turn.seed, call.0, left.unwrap_or(u64::MAX).min(SPREAD_AFTER_QUIET));
            turn.schedule.set(Due::Poll(call), self.reach.quiet_until + spread);
            return false;
        }
        self.looks.under_way.insert(call, expected);
        true
    }

    /// There is nothing to look at any more.
    pub(in crate::step) fn skip_look(&mut self, turn: &Turn<'_>, begun: Begun) {
        self.looks.pace.answered(turn.now.steady_ms, begun.expected, None);
    }

    /// A look is over, and its permit is back; false when it was none of ours.
    pub(in crate::step) fn looked(
        &mut self,
        turn: &mut Turn<'_>,
        call: CallId,
        reply: &Result<Look, Error>,
    ) -> bool {
        let expected = self.looks.under_way.remove(&call);
        let bytes = reply.as_ref().ok().map(|look| look.last().long());
        self.looks.pace.answered(turn.now.steady_ms, expected.unwrap_or(0), bytes);
        turn.then(Next::Admit(self.id()));
        expected.is_some()
    }

    /// The gate has closed: nobody is looked at.
    pub(in crate::step) fn empty_queue(&mut self) {
        self.looks.queue = Schedule::default();
    }
}
