//! A person's wish to cancel: *requested* until the server says.
//!
//! A wish carries the wish that its person saw. A second one gives up a call without a task, and two people who each
//! cancel once do not mean that. What is told of a wish is what became of it: its server took note of it, the call was
//! given up, or the task ended before.
//!
//! It has no table of transitions like an answer (`question/delivery/table.rs`): both wires make it one promise, and only
//! three things can become of its request, which is acknowledged, refused, or neither. Whether a lost one arrived makes no
//! difference, since a second one asks for no more than the first. So it simply goes again as long as a poll finds the task
//! alive.

use signalbox_mcp::Error;
use signalbox_model::{
    Cancel, DecisionKind, Delivery, EventKind, Json, Note, Outcome, Reason, Status, Timestamp, Wire,
};

use super::{
    super::{
        Beside, Next, Turn,
        tries::{Tries, entered, refuses},
    },
    Cancelling, Live,
};
use crate::{Effect, Granted, Line, Refusal, Token, note};

/// What the call's server says of cancelling.
#[derive(Debug, Clone, Copy)]
pub(in crate::step) struct Cancels {
    /// Its tasks can be cancelled, as far as is known.
    pub(in crate::step) tasks: bool,
    /// A call of this tool may become a task.
    pub(in crate::step) may_make_task: bool,
}

impl Live {
    pub(in crate::step) fn cancel(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        seen: Option<Timestamp>,
        server: Cancels,
    ) -> Result<(), Refusal> {
        if self.call.ended() {
            return Err(Refusal::Closed);
        }
        // Two people who each cancel once do not insist: a call without a task would be given up by that.
        if self.call.cancel_requested_at() != seen {
            return Err(Refusal::CancelledMeanwhile);
        }
        if self.call.task.is_some() && !server.tasks {
            return Err(Refusal::CannotCancel);
        }
        let id = self.id();
        turn.intent(self.before());
        turn.reply(token, Ok(Granted::Done));
        let again = self.call.cancel.is_some();
        self.cancelling.tries = Tries::default();
        // Acknowledged and still at work: whoever asks again is sent again.
        if !self.call.wants_cancel() {
            self.cancelling = Cancelling { under_way: self.cancelling.under_way, ..Cancelling::default() };
            self.call.cancel = Some(Cancel { requested_at: turn.now.wall, acknowledged_at: None });
            turn.put(&self.call);
            turn.event(id, EventKind::CancelRequested, None, Beside::Nothing);
            turn.log_call(DecisionKind::CancelRequested, (id, self.server()), Beside::Nothing);
        }
        if self.call.task.is_some() {
            self.follow(turn);
            turn.then(Next::Cancel(id));
        } else if again || !server.may_make_task || self.call.delivery == Delivery::Answered {
            // A handle that is on its way must not be lost: the first wish waits for it.
            turn.after(Effect::Abandon { call: id });
            self.give_up(turn);
        }
        Ok(())
    }

    /// Ends a call without a task that the person cancelled.
    pub(super) fn give_up(&mut self, turn: &mut Turn<'_>) {
        self.call.status = Status::Cancelled;
        let note: Option<Note> =
            (self.call.delivery != Delivery::Answered).then(|| Reason::StoppedWaiting.into());
        if let Some(note) = &note {
            turn.log_call(DecisionKind::Unknown, (self.id(), self.server()), note.clone());
        }
        self.finish(turn, Outcome::Cancelled, note);
    }

    /// Whether the wish to cancel is to go to the server now, if that may be told.
    pub(in crate::step) fn wants_cancel_sent(&self, turn: &Turn<'_>) -> bool {
        let over = self.call.ended() || self.call.status.is_terminal() || self.call.task.is_none();
        let waits = self.cancelling.under_way || self.cancelling.tries.waits(turn.now);
        self.call.wants_cancel() && !over && !waits
    }

    /// Sends the wish to cancel to the server.
    pub(in crate::step) fn send_cancel(&mut self, turn: &mut Turn<'_>, line: Line) {
        let (call, Some(task)) = (self.id(), &self.call.task) else { return };
        let task_id = task.task_id.clone();
        self.cancelling.under_way = true;
        if entered(self.cancelling.sendings) {
            let text = if self.cancelling.sendings == 0 { "cancel" } else { "cancel again" };
            turn.log_call(DecisionKind::Sent, (call, self.server()), text);
        }
        self.cancelling.sendings = self.cancelling.sendings.saturating_add(1);
        turn.after(Effect::CancelTask { line, call, task_id });
    }

    /// A request to cancel is over.
    pub(in crate::step) fn cancel_sent(&mut self, turn: &mut Turn<'_>, reply: Result<Json, Error>) {
        self.cancelling.under_way = false;
        if self.call.ended() {
            return;
        }
        let at = (self.id(), self.server());
        match reply {
            Ok(state) => {
                self.cancelling.tries = Tries::default();
                if let Some(cancel) = &mut self.call.cancel {
                    cancel.acknowledged_at = Some(turn.now.wall);
                }
                turn.event(at.0, EventKind::CancelAcknowledged, None, Beside::Nothing);
                turn.log_call(DecisionKind::CancelAcknowledged, at, Beside::Nothing);
                turn.then(Next::Save(at.0));
                // The legacy wire answers with the task as it is now.
                if self.call.wire == Some(Wire::Legacy) {
                    self.seen(turn, state.into(), true, self.call.wire);
                }
            }
            Err(error) if refuses(&error) => {
                // Refused: the wish is over, and the next poll tells how the task stands.
                self.call.cancel = None;
                let note = note(&error);
                turn.log_call(DecisionKind::CancelRefused, at, self.call.note_without_handle(note.clone()));
                // The wish is over at once, and what goes on is said before it.
                if self.says_left() {
                    turn.event(at.0, EventKind::Trouble, None, note);
                    turn.then(Next::Save(at.0));
                } else {
                    self.in_trouble(turn, note);
                }
            }
            // The wish stays requested. It is sent again after each poll that finds the task alive, more and
            // more seldom.
            Err(_) => self.cancelling.tries.failed(turn.now, turn.seed, at.0.0),
        }
    }
}
