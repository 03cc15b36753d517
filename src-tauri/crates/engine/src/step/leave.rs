//! How calls come to their end and leave memory, and how one comes back whose leaving could not be committed.

use signalbox_model::{CallId, DecisionKind, EventKind, ItemRef, Note, Outcome, ServerId, Tracking};

use super::{Turn, look::forget_refused};
use crate::{
    Effect, Granted, NoticeKind, Refusal, State,
    question::Question,
    schedule::Due,
    state::{Errand, Live},
};

impl State {
    /// The end of a call, once and for good. The caller has set its status.
    pub(super) fn finish(&mut self, turn: &mut Turn, id: CallId, outcome: Outcome, note: Option<Note>) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if live.call.ended() {
            return;
        }
        let comes_to_a_result = matches!(outcome, Outcome::Ok | Outcome::ToolError);
        if comes_to_a_result {
            forget_refused(turn, live);
        }
        self.leave_out(turn, id, None);
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.call.outcome = Some(outcome);
        live.call.tracking = match outcome {
            Outcome::Expired => Tracking::Expired,
            Outcome::Lost => Tracking::NotFound,
            _ => Tracking::Done,
        };
        live.call.ended_at = Some(turn.now.wall);
        live.call.next_poll_at = None;
        live.call.open_requests = 0;
        if note.is_some() {
            live.call.note = note;
        } else if matches!(outcome, Outcome::Ok | Outcome::ToolError | Outcome::Cancelled) {
            live.call.note = None;
        }
        self.close_questions(turn, id);
        self.close_on_wire(turn, id);
        let Some(live) = self.calls.get_mut(&id) else { return };
        let (call, result_line) = (live.call.clone(), live.result_line.take());
        for token in std::mem::take(&mut live.waiters) {
            turn.reply(token, Ok(Granted::Done));
        }
        turn.put(&call);
        let text = call.note.as_ref().map(|note| note.message.clone());
        if outcome == Outcome::Unknown {
            let said = text.as_ref().map(|text| call.without_handle(text));
            turn.log_call(DecisionKind::Unknown, (id, call.server), said);
        }
        turn.event(id, EventKind::Ended, None, text.clone());
        // Whoever cancelled it knows already.
        if !(outcome == Outcome::Cancelled && call.cancel.is_some()) {
            // What it came to says more than its last status.
            let status = || call.task.as_ref().and_then(|task| task.status_message.clone());
            let text = result_line.or(text).or_else(status).unwrap_or_default();
            self.notify(turn, &call, ItemRef::Call(id), NoticeKind::Ended(outcome), text);
        }
        self.unschedule(id);
        self.retire(turn, id);
    }

    /// Lets an ended call go from memory, unless an acknowledgement is still to come that its answers wait for.
    pub(super) fn retire(&mut self, turn: &mut Turn, id: CallId) {
        if self.calls.get(&id).is_some_and(|live| live.call.ended() && live.updating.is_none()) {
            self.let_go(turn, id);
            self.drop_call(turn, id);
        }
    }

    /// Nobody waits for its result any more.
    pub(super) fn let_go(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get(&id) else { return };
        let Some(station) = self.servers.get(&live.call.server) else { return };
        if station.session.held.has(id) || station.session.fetched.has(id) {
            turn.after(Effect::LetGo { call: id });
        }
    }

    /// Forgets a call in memory. A look of it that is under way keeps its permit until the reply.
    pub(super) fn drop_call(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.remove(&id) else { return };
        self.long_states -= live.long_state as u64;
        self.count_left(turn, live.call.server, live.left.map_or(0, |left| left.n), 0);
        for question in &live.questions {
            self.asked.remove(&question.request.id);
            self.room.leave(question.request.id);
        }
        for token in live.waiters {
            turn.reply(token, Err(Refusal::UnknownCall));
        }
        self.unschedule(id);
        if let Some(station) = self.servers.get_mut(&live.call.server) {
            station.calls.remove(&id);
            if let Some(task) = &live.call.task
                && station.tasks.get(&task.task_id) == Some(&id)
            {
                station.tasks.remove(&task.task_id);
            }
            station.queue.clear(id);
            station.session.stop_waiting(id);
            station.candidates.remove(id);
            station.owing.remove(&id);
            station.paged.remove(&id);
            if station.calls.is_empty() {
                self.plan_listening(turn, live.call.server);
            }
        }
    }

    fn unschedule(&mut self, id: CallId) {
        for due in [Due::Poll(id), Due::Send(id), Due::Expiry(id)] {
            self.schedule.clear(due);
        }
    }

    /// Takes a call into memory.
    pub(super) fn keep(&mut self, live: Live) {
        let id = live.call.id;
        if let Some(station) = self.servers.get_mut(&live.call.server) {
            station.calls.insert(id);
            station.reckon(&live.call);
            if let Some(task) = &live.call.task {
                station.tasks.insert(task.task_id.clone(), id);
            }
        }
        for question in &live.questions {
            self.asked.insert(question.request.id, id);
            self.room.enter(&question.request, question.stored);
        }
        self.long_states += live.long_state as u64;
        self.calls.insert(id, live);
    }

    /// A forgotten call, as it was.
    pub(super) fn remember_again(
        &mut self,
        turn: &mut Turn,
        (id, server): (CallId, ServerId),
        before: Option<Box<Live>>,
        questions: Vec<Question>,
    ) {
        if let Some(station) = self.servers.get_mut(&server) {
            for question in questions {
                self.wired.insert(question.request.id, server);
                self.room.enter(&question.request, question.stored);
                station.session.questions.push(question);
            }
        }
        self.put_back(turn, id, before);
        self.plan_replies(turn, server);
    }

    /// A call as it was before an intent that could not be committed.
    pub(super) fn put_back(&mut self, turn: &mut Turn, id: CallId, before: Option<Box<Live>>) {
        // What it would have sent is not sent, and needs no permit.
        let told = before.as_ref().map_or((false, false), |live| (live.updating.is_some(), live.cancelling));
        let server = self.calls.get(&id).map(|live| live.call.server);
        if let Some(station) = server.and_then(|server| self.servers.get_mut(&server)) {
            for (errand, before) in [(Errand::Answers, told.0), (Errand::Cancel, told.1)] {
                if !before {
                    station.telling.remove(&(id, errand));
                }
            }
        }
        self.drop_call(turn, id);
        if let Some(live) = before {
            self.count_left(turn, live.call.server, 0, live.left.map_or(0, |left| left.n));
            self.keep(*live);
            self.rearm(turn, id);
        }
    }

    /// Sets all due times of a call anew.
    pub(super) fn rearm(&mut self, turn: &mut Turn, id: CallId) {
        if let Some(live) = self.calls.get(&id)
            && live.owes()
            && let Some(station) = self.servers.get_mut(&live.call.server)
        {
            station.owing.insert(id);
        }
        self.plan_release(id);
        self.plan_expiry(turn, id);
        self.plan_first_look(turn, id);
    }
}
