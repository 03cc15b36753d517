//! `step`: what happens becomes writes and effects. Pure and synchronous.
//!
//! One room for each thing: `intent` what people want, `called` the answer to `tools/call`, `poll` when to look and
//! what came, `task` a task's state, `question` what servers ask, `answer` what people answer, `station` whether a
//! server can be reached, `load` what the store held at the start.

mod answer;
mod called;
mod intent;
mod load;
mod poll;
mod question;
mod station;
mod task;

use signalbox_model::{Call, CallId, Event, EventKind, ItemRef, Note, Outcome, RequestId, Tracking};
use signalbox_store::{BatchKind, Write};

use crate::{
    Effect, Granted, Input, Notice, NoticeKind, Now, Output, Refusal, State, Token, Undo, schedule::Due,
};

/// One step in the making.
pub(crate) struct Turn {
    pub(crate) now: Now,
    pub(crate) seed: u64,
    pub(crate) out: Output,
}

impl Turn {
    pub(crate) fn write(&mut self, write: Write) {
        self.out.writes.push(write);
    }

    pub(crate) fn after(&mut self, effect: Effect) {
        self.out.after_commit.push(effect);
    }

    pub(crate) fn reply(&mut self, token: Token, result: Result<Granted, Refusal>) {
        self.after(Effect::Reply { token, result });
    }

    /// From now on this turn is a person's wish: when it cannot be kept it is taken back.
    pub(crate) fn intent(&mut self, undo: Undo) {
        self.out.kind = BatchKind::Intent;
        self.out.undo = undo;
    }

    pub(crate) fn event(
        &mut self,
        call: CallId,
        kind: EventKind,
        request: Option<RequestId>,
        text: Option<String>,
    ) {
        self.write(Write::AddEvent(Event { call, at: self.now.wall, kind, request, text }));
    }

    pub(crate) fn put(&mut self, call: &Call) {
        self.write(Write::PutCall(Box::new(call.clone())));
    }
}

impl State {
    /// What `input` means at `now`. `seed` is fresh randomness for jitter.
    pub fn step(&mut self, now: Now, seed: u64, input: Input) -> Output {
        let mut turn = Turn { now, seed, out: Output::default() };
        match input {
            Input::Intent { token, intent } => self.intent(&mut turn, token, intent),
            Input::NotSent { call, error } => self.not_sent(&mut turn, call, &error),
            Input::Called { call, reply } => self.called(&mut turn, call, reply),
            Input::Polled { call, reply } => self.polled(&mut turn, call, reply),
            Input::Updated { call, requests, reply } => self.updated(&mut turn, call, &requests, reply),
            Input::CancelSent { call, reply } => self.cancel_sent(&mut turn, call, reply),
            Input::Discovered { server, reply } => self.discovered(&mut turn, server, reply),
            Input::Tick => {}
            Input::CommitFailed { undo, error: _ } => self.take_back(undo),
        }
        self.due(&mut turn);
        turn.out
    }

    /// Everything whose time has come.
    fn due(&mut self, turn: &mut Turn) {
        while let Some(due) = self.schedule.pop(turn.now.steady_ms) {
            match due {
                Due::Poll(call) => self.look(turn, call),
                Due::Send(call) => self.release_held(turn, call),
                Due::Expiry(call) => self.expiry(turn, call),
                Due::Probe(server) => self.probe(turn, server),
            }
        }
    }

    /// The end of a call, once and for good. The caller has set its status.
    pub(crate) fn finish(&mut self, turn: &mut Turn, id: CallId, outcome: Outcome, note: Option<Note>) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if live.call.ended() {
            return;
        }
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
        let Some(live) = self.calls.get_mut(&id) else { return };
        let call = live.call.clone();
        for token in std::mem::take(&mut live.waiters) {
            turn.reply(token, Ok(Granted::Done));
        }
        turn.put(&call);
        let text = call.note.as_ref().map(|note| note.message.clone());
        turn.event(id, EventKind::Ended, None, text);
        // Whoever cancelled it knows already.
        if !(outcome == Outcome::Cancelled && call.cancel.is_some()) {
            let text = call.task.as_ref().and_then(|task| task.status_message.clone()).unwrap_or_default();
            self.notify(turn, &call, ItemRef::Call(id), NoticeKind::Ended(outcome), text);
        }
        for due in [Due::Poll(id), Due::Send(id), Due::Expiry(id)] {
            self.schedule.clear(due);
        }
        self.retire(id);
    }

    /// Lets an ended call go from memory, once nothing of it is under way.
    pub(crate) fn retire(&mut self, id: CallId) {
        let settled = self.calls.get(&id).is_some_and(|live| live.call.ended() && !live.updating);
        if settled {
            self.drop_call(id);
        }
    }

    pub(crate) fn drop_call(&mut self, id: CallId) {
        let Some(live) = self.calls.remove(&id) else { return };
        for question in &live.questions {
            self.asked.remove(&question.request.id);
        }
        for due in [Due::Poll(id), Due::Send(id), Due::Expiry(id)] {
            self.schedule.clear(due);
        }
        if let Some(station) = self.servers.get_mut(&live.call.server) {
            station.calls.remove(&id);
            station.queue.retain(|queued| *queued != id);
            // The reply will find nobody; its permit must not be lost with it.
            if live.polling {
                station.polls = station.polls.saturating_sub(1);
            }
        }
    }

    pub(crate) fn notify(&self, turn: &mut Turn, call: &Call, item: ItemRef, kind: NoticeKind, text: String) {
        let server = self.servers.get(&call.server).map(|s| s.server.name.clone()).unwrap_or_default();
        turn.after(Effect::Notify(Notice { item, server, tool: call.tool.clone(), text, kind }));
    }

    /// An intent that could not be committed never was.
    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Nothing | Undo::Forgotten => {}
            Undo::Server(id, None) => {
                self.servers.remove(&id);
            }
            Undo::Server(id, Some(before)) => {
                if let Some(station) = self.servers.get_mut(&id) {
                    station.server = *before;
                }
            }
            Undo::NewCall(id) => self.drop_call(id),
            Undo::Cancel(id) => {
                if let Some(live) = self.calls.get_mut(&id) {
                    live.call.cancel = None;
                    live.cancelling = false;
                }
            }
            Undo::Request(before) => {
                let Some(call) = self.asked.get(&before.id) else { return };
                let Some(live) = self.calls.get_mut(call) else { return };
                live.updating = false;
                for question in &mut live.questions {
                    if question.request.id == before.id {
                        question.request = (*before).clone();
                    }
                }
            }
        }
    }
}
