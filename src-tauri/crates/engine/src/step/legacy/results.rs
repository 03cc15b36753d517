//! `tasks/result` of the legacy wire: held open while a task needs input, since most servers ask only there; and fetched
//! when it has come to its end.
//!
//! Over HTTP each held request holds a connection. So there are few of them, and calls take turns. A call
//! whose question has come makes room: its reply is a message of its own, and a server must not take the end
//! of a stream for a wish to cancel. Over stdio the server would have to be told that a request ends, and
//! might withdraw its question. So there no request is let go to make room.
//!
//! Held results have permits of their own (16; 500 where they share one channel and hold no connection), and so have
//! fetched ones (8). So a held request delays no poll, no answer and no fetch. A held request makes room once its
//! question has come, once its task needs no input any more, or once it was silent for long. Its question outlives the
//! stream that it came on. Nothing is told to the server before another request takes the place.

use signalbox_model::{CallId, Status};

use super::{
    super::{Turn, tries::Tries},
    Results, Session,
};
use crate::{Effect, Line};

/// A held request may make room for others this long after the last question that came on it, in ms: more
/// questions may come at once.
const GRACE: u64 = 2_000;
/// A held request that has brought nothing for this long, in ms, makes room too.
const SILENT: u64 = 30_000;
/// A held request that has brought no question for this long, in ms, although its task needs input, is made
/// anew.
const MUTE: u64 = 300_000;

/// What a call wants of its task's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::step) enum Wanted {
    /// A held request, since the task needs input: to be there when the task asks, and when it ends.
    Held,
    /// The result itself, since the task has ended.
    Fetched,
    /// No request for the result, for now.
    Nothing,
}

impl Wanted {
    pub(in crate::step) fn of(status: Status) -> Self {
        match status {
            Status::InputRequired => Self::Held,
            Status::Completed | Status::Failed => Self::Fetched,
            Status::Working | Status::Cancelled | Status::Unknown => Self::Nothing,
        }
    }
}

impl Session {
    /// Asks for the result of a task, as soon as there is a permit. `way` is how to reach the server, if it
    /// may be asked now. `needs_input` says of any call whether its task needs input.
    pub(in crate::step) fn want_result(
        &mut self,
        turn: &mut Turn<'_>,
        id: CallId,
        (wanted, task_id): (Wanted, &str),
        way: Option<Line>,
        needs_input: impl Fn(CallId) -> bool,
    ) {
        let held = wanted == Wanted::Held;
        if wanted == Wanted::Nothing {
            self.stop_waiting(id);
            return self.share_holds(turn, needs_input);
        }
        if self.is_waiting_for(id) {
            if held {
                self.renew(turn, id);
            }
            return;
        }
        if self.results.get(&id).is_some_and(|of| of.tries.waits(turn.now)) {
            return;
        }
        if !self.has_permit(held) {
            // A call whose question is here has had its turn.
            if !held || !self.has_asked(id) {
                self.requests(held).queue.no_later_than(id, turn.now.steady_ms);
            }
            return self.share_holds(turn, needs_input);
        }
        self.stop_waiting(id);
        // When the gate opens a poll follows, and after that poll the result is asked for again.
        let Some(line) = way else { return };
        self.requests(held).under_way.insert(id, turn.now.steady_ms);
        turn.after(Effect::GetResult { line, call: id, task_id: task_id.to_owned(), held });
        self.results.entry(id).or_default().asked += 1;
    }

    /// Whether a request for its result is under way.
    pub(in crate::step) fn is_waiting_for(&self, id: CallId) -> bool {
        self.held_results.has(id) || self.fetched_results.has(id)
    }

    /// The next call in a queue for which a permit is free.
    pub(in crate::step) fn next_result(&mut self) -> Option<CallId> {
        let free = [true, false]
            .into_iter()
            .find(|held| self.has_permit(*held) && !self.requests(*held).queue.is_empty());
        self.requests(free?).queue.pop(u64::MAX)
    }

    /// Lets as many held requests go as there are calls that wait for a permit. If too few may go now, the
    /// next poll of a waiting call tries again.
    fn share_holds(&mut self, turn: &mut Turn<'_>, needs_input: impl Fn(CallId) -> bool) {
        let wanted = self.held_results.queue.len().saturating_sub(self.leaving.len());
        if wanted == 0 || self.shared {
            return;
        }
        let (askers, leaving) = (self.askers(), &self.leaving);
        let staying = self.held_results.under_way.iter().filter(|(id, _)| !leaving.contains(id));
        let mut may_go: Vec<(u8, u64, CallId)> = staying
            .filter_map(|(id, since)| {
                let (rank, stays) = match () {
                    () if !needs_input(*id) => (0, GRACE),
                    () if askers.contains(id) => (1, GRACE),
                    () => (2, SILENT),
                };
                (turn.now.steady_ms >= since.saturating_add(stays)).then_some((rank, *since, *id))
            })
            .collect();
        may_go.sort_unstable();
        for (_, _, call) in may_go.into_iter().take(wanted) {
            self.leaving.insert(call);
            turn.after(Effect::LetGo { call });
        }
    }

    /// A request was held before its task's end, and the server has forgotten to answer it.
    pub(in crate::step) fn let_held_go(&self, turn: &mut Turn<'_>, call: CallId) {
        if self.held_results.has(call) {
            turn.after(Effect::LetGo { call });
        }
    }

    /// Larger messages are taken from now on: what was too large may come.
    pub(in crate::step) fn forget_failures(&mut self) {
        self.results.values_mut().for_each(|of| of.tries = Tries::default());
    }

    /// Nobody waits for anything of this call any more.
    pub(in crate::step) fn forget_call(&mut self, turn: &mut Turn<'_>, call: CallId) {
        if self.is_waiting_for(call) {
            turn.after(Effect::LetGo { call });
        }
        self.stop_waiting(call);
        self.candidates.remove(call);
        self.results.remove(&call);
    }

    /// A stream that was cut and taken up again may be one that its server knows nothing of any more. So a
    /// held request that brings no question, although there should be one, is made anew.
    fn renew(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let since = self.held_results.under_way.get(&id);
        let is_mute = since.is_some_and(|since| turn.now.steady_ms >= since.saturating_add(MUTE));
        if is_mute && !self.shared && !self.has_asked(id) && self.leaving.insert(id) {
            turn.after(Effect::LetGo { call: id });
        }
    }

    /// Whether there is a permit for one more.
    fn has_permit(&self, held: bool) -> bool {
        match held {
            true => self.held_results.under_way.len() < self.holds(),
            false => self.fetched_results.under_way.len() < Self::FETCHES,
        }
    }

    fn requests(&mut self, held: bool) -> &mut Results {
        if held { &mut self.held_results } else { &mut self.fetched_results }
    }
}
