//! Whose poll is next: of many that are due, a server gets so many at a time and a second.

use signalbox_mcp::Error;
use signalbox_model::CallId;

use super::{
    super::{Next, Turn},
    Station,
};
use crate::{
    TaskState,
    schedule::{Due, Schedule, jitter, slot},
};

/// What makes a place in the queue one behind all that are about to lose their result.
const BEHIND: u64 = 1 << 63;
/// After a server's silence its polls are spread over this many ms.
const SPREAD_AFTER_QUIET: u64 = 1_000;

/// A poll whose turn it is.
#[derive(Debug, Clone, Copy)]
pub(in crate::step) struct Begun {
    pub(in crate::step) call: CallId,
    /// What it is expected to cost.
    expected: u64,
}

impl Station {
    /// Whether the next poll of this call is not for the clock to bring.
    pub(in crate::step) fn is_busy_with(&self, call: CallId) -> bool {
        self.is_polling(call) || self.polls.queue.is_set(call)
    }

    /// Whether a poll of it is under way.
    pub(crate) fn is_polling(&self, call: CallId) -> bool {
        self.polls.under_way.contains_key(&call)
    }

    /// A poll is due: it comes as soon as the server may be asked and it is its turn. One that is `urgent` goes before others, by
    /// the time at which it comes too late (steady ms).
    pub(in crate::step) fn queue_poll(&mut self, turn: &mut Turn<'_>, call: CallId, urgent: Option<u64>) {
        if self.is_polling(call) || !self.is_open() {
            // The reply plans the next poll; a gate that opens gives all polls of its server new times.
            return;
        }
        self.polls.queue.no_later_than(call, urgent.unwrap_or(BEHIND | turn.now.steady_ms));
        turn.then(Next::Admit(self.id()));
    }

    /// The next poll whose turn it is, as far as permits and the pace allow.
    pub(in crate::step) fn next_poll(&mut self, turn: &mut Turn<'_>) -> Option<Begun> {
        if self.polls.under_way.len() >= Self::PERMITS || self.polls.queue.is_empty() {
            return None;
        }
        let now = turn.now.steady_ms;
        let begun = match self.is_quiet(turn.now) {
            true => Ok(0),
            false => self.polls.pace.begin(now, turn.tuning.polls_per_second),
        };
        match begun {
            Ok(expected) => Some(Begun { call: self.polls.queue.pop(u64::MAX)?, expected }),
            Err(at) => {
                turn.schedule.no_later_than(Due::Admit(self.id()), slot(at));
                None
            }
        }
    }

    /// It begins, and has its permit; or has its time after the silence, of a task that dies in so many ms.
    pub(in crate::step) fn begin_poll(
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
        self.polls.under_way.insert(call, expected);
        true
    }

    /// There is nothing to poll any more.
    pub(in crate::step) fn skip_poll(&mut self, turn: &Turn<'_>, begun: Begun) {
        self.polls.pace.answered(turn.now.steady_ms, begun.expected, None);
    }

    /// A poll is over, and its permit is back; false when it was none of ours.
    pub(in crate::step) fn polled(
        &mut self,
        turn: &mut Turn<'_>,
        call: CallId,
        reply: &Result<TaskState, Error>,
    ) -> bool {
        let expected = self.polls.under_way.remove(&call);
        let bytes = reply.as_ref().ok().map(|poll| poll.last().long());
        self.polls.pace.answered(turn.now.steady_ms, expected.unwrap_or(0), bytes);
        turn.then(Next::Admit(self.id()));
        expected.is_some()
    }

    /// The gate has closed: nobody is polled.
    pub(in crate::step) fn empty_queue(&mut self) {
        self.polls.queue = Schedule::default();
    }
}
