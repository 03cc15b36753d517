//! `step`: what happens becomes writes and effects. Pure and synchronous.
//!
//! One room for each thing: `intent` what people want, `called` the answer to `tools/call`, `poll` when to look,
//! `look` what a look brought, `task` a task's state, `expiry` its TTL, `question` what servers ask, `room` how much of it is taken, `answer` what
//! people answer, `visit` pages that they open, `lapse` answers that go back to drafts, `round` questions on a call itself (MRTR), `roots` what we answer ourselves, `session`, `wire`, `reply`, `hosted`
//! and `held` the legacy wire, `cancel` their wish to cancel, `decision` the log of all that, `station` whether a server
//! can be reached, `hear` when servers last answered, `push` what servers tell by themselves, `load` what the store held at the start, `leave` how calls
//! leave memory, `timeline` how much of them is told, `waiting` who waits to hear what became of what they said, `sweep` how their rows go one day.

mod answer;
mod called;
mod cancel;
mod decision;
mod expiry;
mod hear;
mod held;
mod hosted;
mod intent;
mod lapse;
mod leave;
mod load;
mod look;
mod on_wire;
mod poll;
mod push;
mod question;
mod reply;
mod room;
mod roots;
mod round;
mod servers;
mod session;
mod station;
mod sweep;
mod task;
#[cfg(test)]
mod tests;
mod timeline;
mod visit;
mod waiting;
mod ways;
mod wire;

pub(crate) use timeline::Timeline;
#[cfg(test)]
pub(crate) use waiting::PATIENCE;
pub(crate) use waiting::Waiter;
pub use ways::response_to;

use signalbox_model::{Call, CallId, Event, EventKind, InputRequest, ItemRef, RequestId, cut};
use signalbox_store::{BatchKind, Write};

use crate::{
    Effect, Granted, Input, Notice, NoticeKind, Now, Output, Refusal, State, Token, Undo,
    room::{Weighed, weight},
    schedule::Due,
    state::{Before, Errand},
};

/// Longer texts are cut in timelines and notices, in bytes.
const LONGEST_TOLD: usize = 4_096;

/// One step in the making.
pub(crate) struct Turn {
    pub(crate) now: Now,
    pub(crate) seed: u64,
    pub(crate) out: Output,
    /// We had been away: what was due meanwhile is late through no fault of its own.
    pub(crate) woke: bool,
    /// What the questions weigh now that were kept, and whose they are.
    pub(crate) weights: Vec<Weighed>,
    /// The questions that closed unanswered.
    pub(crate) closed: Vec<room::Over>,
}

impl Turn {
    pub(crate) fn new(now: Now, seed: u64) -> Self {
        let (weights, closed) = (Vec::new(), Vec::new());
        Self { now, seed, out: Output::default(), woke: false, weights, closed }
    }

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
    pub(crate) fn intent(&mut self, before: Before) {
        self.out.kind = BatchKind::Intent;
        self.out.undo = Undo(before);
    }

    pub(crate) fn event(
        &mut self,
        call: CallId,
        kind: EventKind,
        request: Option<RequestId>,
        text: Option<String>,
    ) {
        let text = text.map(told);
        self.write(Write::AddEvent(Event { call, at: self.now.wall, kind, request, text }));
    }

    /// Keeps a question as it stands.
    pub(crate) fn keep(&mut self, request: &InputRequest) {
        self.write(Write::PutRequest(Box::new(request.clone())));
        let InputRequest { id, call, .. } = *request;
        self.weights.push(Weighed { id, call, bytes: weight(request), stored: None });
    }

    pub(crate) fn put(&mut self, call: &Call) {
        self.write(Write::PutCall(Box::new(call.clone())));
    }
}

/// A text as timelines and notices have it: what is longer stands where it came from.
pub(crate) fn told(text: String) -> String {
    cut(text, LONGEST_TOLD)
}

impl State {
    /// What `input` means at `now`. `seed` is fresh randomness for jitter.
    ///
    /// The output of an intent is to be committed (or given back with [`Input::CommitFailed`]) before the next step.
    pub fn step(&mut self, now: Now, seed: u64, input: Input) -> Output {
        let mut turn = Turn::new(now, seed);
        // Nothing else may share the fate of an intent: what is due has a step of its own.
        if let Input::Intent { token, intent } = input {
            self.intent(&mut turn, token, *intent);
            self.conclude(&mut turn);
            return turn.out;
        }
        self.notice_absence(&mut turn);
        self.hear(&mut turn, &input);
        match input {
            Input::Intent { .. } => unreachable!("BUG: an intent has returned"),
            Input::NotSent { call, error } => self.not_sent(&mut turn, call, &error),
            Input::Called { call, reply } => self.called(&mut turn, call, reply.map(|called| *called)),
            Input::Polled { server, call, reply } => self.polled(&mut turn, server, call, reply),
            Input::Updated { server, call, requests, reply } => {
                if self.told(server, (call, Errand::Answers)) {
                    self.updated(&mut turn, server, call, &requests, reply);
                    self.want_look(&mut turn, call);
                    self.send_owed(&mut turn, server);
                }
            }
            Input::CancelSent { server, call, reply } => {
                if self.told(server, (call, Errand::Cancel)) {
                    self.cancel_sent(&mut turn, server, call, reply);
                    self.want_look(&mut turn, call);
                    self.send_owed(&mut turn, server);
                }
            }
            Input::Discovered { server, reply } => {
                self.discovered(&mut turn, server, reply.map(|found| *found))
            }
            Input::Connected { server, link, saved, resumed } => {
                self.connected(&mut turn, server, link, saved, resumed);
            }
            Input::Heard { server, link, event, fresh } => self.heard(&mut turn, server, link, *event, fresh),
            Input::Replied { server, request, reply } => self.replied(&mut turn, server, request, reply),
            Input::Resulted { server, call, reply } => self.resulted(&mut turn, server, call, reply),
            Input::Listed { server, reply } => self.listed(&mut turn, server, reply),
            Input::Listening { server, number, reply } => self.listened(&mut turn, server, number, reply),
            Input::Pushed { server, number, news } => self.pushed(&mut turn, server, number, news),
            Input::Tick => {}
            Input::CommitFailed { undo, error: _ } => self.take_back(&mut turn, undo),
        }
        self.due(&mut turn);
        self.keep_the_last_closed(&mut turn);
        self.conclude(&mut turn);
        turn.out
    }

    /// What follows from all that the turn has written.
    fn conclude(&mut self, turn: &mut Turn) {
        self.bound_timelines(turn);
        self.calls_answered(turn);
        self.weigh(turn);
        self.tell_waiters(turn);
        self.count_payloads(turn);
    }

    /// Everything whose time has come.
    fn due(&mut self, turn: &mut Turn) {
        while let Some(due) = self.schedule.pop(turn.now.steady_ms) {
            match due {
                Due::Poll(call) => self.look(turn, call),
                Due::Send(call) => self.release_held(turn, call),
                Due::Reply(server) => self.release_replies(turn, server),
                Due::Expiry(call) => self.expiry(turn, call),
                Due::Probe(server) => self.probe(turn, server),
                Due::Listen(server) => self.listen(turn, server),
                Due::List(server) => self.list_again(turn, server),
                Due::Admit(server) => self.admit(turn, server),
                Due::Quiet(server) => {
                    self.send_owed(turn, server);
                    self.deliver_on_wire(turn, server);
                }
                Due::Heard(server) => self.show_heard(turn, server),
                Due::Late(server) => self.tell_waiters_of(turn, server),
                Due::MakeRoom => self.make_room(turn),
                Due::Sweep => self.sweep(turn),
            }
        }
    }

    pub(crate) fn notify(&self, turn: &mut Turn, call: &Call, item: ItemRef, kind: NoticeKind, text: String) {
        let server = self.servers.get(&call.server).map(|s| s.server.name.clone()).unwrap_or_default();
        let text = told(call.without_handle(&text));
        turn.after(Effect::Notify(Notice { item, server, tool: call.tool.clone(), text, kind }));
    }

    /// An intent that could not be committed never was.
    fn take_back(&mut self, turn: &mut Turn, undo: Undo) {
        self.restore(turn, undo.0);
    }

    fn restore(&mut self, turn: &mut Turn, before: Before) {
        match before {
            Before::Nothing => {}
            Before::All(all) => all.into_iter().for_each(|before| self.restore(turn, before)),
            Before::Tuning(tuning) => self.tuning = tuning,
            Before::Server(id, None) => {
                self.servers.remove(&id);
            }
            Before::Server(_, Some(server)) => self.configure(turn, *server),
            Before::Call(id, before) => self.put_back(turn, id, before),
            Before::Forgotten(id, server, before, questions) => {
                self.remember_again(turn, (id, server), before, questions);
            }
            Before::Wire(server, questions) => self.put_wire_back(turn, server, questions),
        }
    }
}
