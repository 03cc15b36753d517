//! A person's wish to cancel: *requested* until the server says.

use signalbox_mcp::{Error, TaskSupport, cancels_tasks};
use signalbox_model::{
    CallId, Cancel, DecisionKind, Delivery, EventKind, Json, Note, NoteCode, Outcome, Server, ServerId,
    Status, Timestamp, Wire,
};

use super::{Turn, answer::refuses};
use crate::{
    Effect, Granted, Refusal, State, Token, note,
    state::{Before, Errand, Station},
    tries::{Tries, entered},
};

impl State {
    pub(super) fn cancel(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: CallId,
        seen: Option<Timestamp>,
    ) -> Result<(), Refusal> {
        let live = self.calls.get_mut(&id).ok_or(Refusal::UnknownCall)?;
        if live.call.ended() {
            return Err(Refusal::Closed);
        }
        // Two people who each cancel once do not insist: a call without a task would be given up by that.
        if live.call.cancel_requested_at() != seen {
            return Err(Refusal::CancelledMeanwhile);
        }
        let station = self.servers.get(&live.call.server);
        if live.call.task.is_some() && !station.is_none_or(|station| lets_cancel(&station.server)) {
            return Err(Refusal::CannotCancel);
        }
        turn.intent(Before::Call(id, Some(Box::new(live.clone()))));
        turn.reply(token, Ok(Granted::Done));
        let again = live.call.cancel.is_some();
        live.cancel_tries = Tries::default();
        // Acknowledged and still at work: whoever asks again is sent again.
        if !live.call.wants_cancel() {
            live.cancel_sendings = 0;
            live.call.cancel = Some(Cancel { requested_at: turn.now.wall, acknowledged_at: None });
            let call = live.call.clone();
            turn.put(&call);
            turn.event(id, EventKind::CancelRequested, None, None);
            turn.log_call(DecisionKind::CancelRequested, (id, call.server), None);
        }
        if live.call.task.is_some() {
            self.follow(turn, id);
            self.send_cancel(turn, id);
            return Ok(());
        }
        // A handle that is on its way must not be lost: the first wish waits for it.
        let hopes =
            self.servers.get(&live.call.server).is_none_or(|station| may_make_task(station, &live.call.tool));
        if again || !hopes || live.call.delivery == Delivery::Answered {
            turn.after(Effect::Abandon { call: id });
            self.give_up(turn, id);
        }
        Ok(())
    }

    /// Ends a call without a task that the person cancelled.
    pub(super) fn give_up(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.call.status = Status::Cancelled;
        let note = (live.call.delivery != Delivery::Answered).then(|| Note {
            code: NoteCode::Lost,
            message: "We stopped waiting for the answer; the server may still be at work".to_owned(),
        });
        if let Some(note) = &note {
            turn.log_call(DecisionKind::Unknown, (id, live.call.server), Some(note.message.clone()));
        }
        self.finish(turn, id, Outcome::Cancelled, note);
    }

    /// Sends the wish to cancel, if it is not on its way and may go.
    pub(super) fn send_cancel(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(station) = self.servers.get_mut(&live.call.server) else { return };
        let Some(task) = &live.call.task else { return };
        let over = live.call.ended() || live.call.status.is_terminal();
        if !live.call.wants_cancel() || live.cancelling || over || live.cancel_tries.waits(turn.now) {
            return;
        }
        if !station.may_be_told(turn.now) {
            station.owing.insert(id);
            return;
        }
        live.cancelling = true;
        if entered(live.cancel_sendings) {
            let text = if live.cancel_sendings == 0 { "cancel" } else { "cancel again" };
            turn.log_call(DecisionKind::Sent, (id, live.call.server), Some(text.to_owned()));
        }
        live.cancel_sendings = live.cancel_sendings.saturating_add(1);
        station.telling.insert((id, Errand::Cancel));
        turn.after(Effect::CancelTask { line: station.line(), call: id, task_id: task.task_id.clone() });
    }

    pub(super) fn cancel_sent(
        &mut self,
        turn: &mut Turn,
        server: ServerId,
        id: CallId,
        reply: Result<Json, Error>,
    ) {
        let mut live = self.calls.get_mut(&id);
        if let Some(live) = &mut live {
            live.cancelling = false;
        }
        let Some(live) = live.filter(|live| !live.call.ended()) else {
            self.line_heard(turn, server, reply.as_ref().err());
            return;
        };
        match reply {
            Ok(state) => {
                live.cancel_tries = Tries::default();
                if let Some(cancel) = &mut live.call.cancel {
                    cancel.acknowledged_at = Some(turn.now.wall);
                }
                turn.event(id, EventKind::CancelAcknowledged, None, None);
                turn.log_call(DecisionKind::CancelAcknowledged, (id, server), None);
                self.save(turn, id);
                self.line_fine(turn, server);
                // The legacy wire answers with the task as it is now.
                if self.calls.get(&id).is_some_and(|live| live.call.wire == Some(Wire::Legacy)) {
                    self.seen(turn, id, state.into(), true);
                }
            }
            Err(error) if refuses(&error) => {
                // Refused: the wish is over, and the next look tells how the task stands.
                live.call.cancel = None;
                let note = note(&error);
                live.call.note = Some(note.clone());
                let said = live.call.without_handle(&note.message);
                turn.log_call(DecisionKind::CancelRefused, (id, server), Some(said));
                turn.event(id, EventKind::Trouble, None, Some(note.message));
                self.save(turn, id);
                self.line_trouble(turn, server, &error);
            }
            // It stays requested, and is sent again after a look that finds the task alive: more and more seldom.
            Err(error) => {
                live.cancel_tries.failed(turn.now, turn.seed, id.0);
                self.line_trouble(turn, server, &error);
            }
        }
    }
}

/// A server of the legacy wire says whether it does. What one that nobody has met yet does is seen when it is asked.
fn lets_cancel(server: &Server) -> bool {
    let says = || server.capabilities.as_ref().is_none_or(cancels_tasks);
    server.wire != Some(Wire::Legacy) || says()
}

/// Whether a call of this tool may become a task. On the modern wire that is the server's to say, on the legacy one ours, by
/// what the tool allows.
fn may_make_task(station: &Station, tool: &str) -> bool {
    match station.server.wire {
        None => true,
        Some(Wire::Modern) => station.server.tasks,
        Some(Wire::Legacy) => {
            let listed = station.tools.as_ref().and_then(|tools| tools.named(tool));
            station.server.tasks && listed.is_none_or(|tool| tool.task_support() != TaskSupport::Forbidden)
        }
    }
}
