//! What the store held at the start: everything is where it was, and goes on.

use signalbox_model::{
    CallId, CloseReason, Delivery, EventKind, Identity, InputRequest, Note, NoteCode, Outcome, RequestState,
    ServerId, Status,
};
use signalbox_store::{Ids, Undecided, Write};

use super::{
    Turn,
    expiry::resumed,
    hosted::dies_at,
    lapse::lapse_if_late,
    question::close,
    room::{Over, leave_to_store, shed},
    servers::await_trust,
    session::{cut_off, orphaned},
};
use crate::{
    Effect, Follow, Now, Output, State, Tuning,
    question::{Question, Tie},
    state::{Gate, Live, NextIds, Station},
};

impl State {
    /// The state as of the last run, and what that run left to be settled.
    #[must_use]
    pub fn load(
        now: Now,
        seed: u64,
        stored: signalbox_store::Live,
        tuning: Tuning,
        follow: Follow,
    ) -> (Self, Output) {
        let mut state = Self { tuning, next: next_ids(stored.ids), ..Self::default() };
        let mut turn = Turn::new(now, seed);
        for mut server in stored.servers {
            // What was known of reaching it belongs to the last run; it is tried afresh.
            let before = server.health.clone();
            server.health = server.health.as_of_last_run();
            await_trust(&mut server);
            if server.health != before {
                turn.write(Write::PutServer(server.clone()));
            }
            state.servers.insert(server.id, Station::new(server));
        }
        for session in stored.sessions {
            if let Some(station) = state.servers.get_mut(&session.server) {
                station.session.first = session.n;
                station.session.n = session.n;
                station.session.saved = session.saved;
            }
        }
        for (server, tools) in stored.tools {
            if state.servers.get(&server).is_some_and(|station| station.server.removed_at.is_none()) {
                state.know_tools(server, &tools);
            }
        }
        for call in stored.calls {
            let mut live = Live::new(call);
            live.dies_at = live.call.task.as_ref().and_then(|task| resumed(task, now));
            live.followed = follow == Follow::All;
            state.keep(live);
        }
        for open in stored.rounds {
            state.take_round(open);
        }
        for request in stored.requests {
            let went_on = request.call.is_some_and(|call| stored.completed.contains(&call));
            let rest = stored.stored.get(&request.id).map_or(0, |bytes| usize::try_from(*bytes).unwrap_or(0));
            state.take_request(&mut turn, request, rest, went_on);
        }
        for Undecided { request, call, bytes } in stored.undecided {
            let server = state.calls.get(&call).map(|live| live.call.server);
            if let Some(server) = server {
                turn.closed.push(Over {
                    id: request,
                    server,
                    call: Some(call),
                    bytes: usize::try_from(bytes).unwrap_or(usize::MAX),
                });
            }
        }
        state.keep_the_last_closed(&mut turn);
        // The order of a map is not part of what step was given.
        let mut calls: Vec<CallId> = state.calls.keys().copied().collect();
        calls.sort_unstable();
        for id in calls {
            state.resume(&mut turn, id);
        }
        let mut servers: Vec<ServerId> = state.servers.keys().copied().collect();
        servers.sort_unstable();
        for id in &servers {
            state.spread_looks(&mut turn, *id);
        }
        for id in servers {
            state.plan_replies(&turn, id);
            // What is owed goes, whoever is followed.
            state.deliver_on_wire(&mut turn, id);
            let Some(station) = state.servers.get_mut(&id) else { continue };
            // Of no call that is looked at: only a connection makes them answerable again, or shows that they are not.
            let loose = |question: &Question| question.request.call.is_none() && !question.request.stranded();
            let asked = station.session.questions.iter().any(loose);
            if asked && follow == Follow::All && station.gate == Gate::Open && !station.probing {
                station.probing = true;
                turn.after(Effect::Discover { line: station.line() });
            }
        }
        state.plan_first_sweep(now, stored.newest);
        state.weigh(&mut turn);
        state.keep_the_last_closed(&mut turn);
        (state, turn.out)
    }

    /// `stored`: what the store alone has of it, in bytes; `went_on`: its call has come to a result.
    fn take_request(&mut self, turn: &mut Turn, request: InputRequest, stored: usize, went_on: bool) {
        if let Identity::Wire { .. } = request.identity {
            return self.take_wire_request(turn, request);
        }
        let live = request.call.and_then(|call| self.calls.get_mut(&call));
        let Some(live) = live else {
            // Its call has ended: an answer that was still on its way then has nobody to go to. One whose acknowledgement was
            // under way was what the call went on with.
            if matches!(request.state, RequestState::Sending | RequestState::Held) {
                let kind = if went_on && request.sent() { EventKind::Taken } else { EventKind::Closed };
                close(&mut Question::new(request), kind, CloseReason::TaskEnded, turn);
            }
            return;
        };
        // Whether it was sent before the end of the last run, nobody knows: a look comes before it is sent again.
        let of_task = live.round.is_none();
        live.look_first |= of_task && request.state == RequestState::Sending;
        self.asked.insert(request.id, live.call.id);
        let mut question = Question { stored, ..Question::new(request) };
        question.settled_at = turn.now.steady_ms;
        lapse_if_late(&mut question, turn);
        resume_window(&mut question, turn.now);
        shed(&mut question, turn);
        leave_to_store(&mut question, turn);
        self.room.enter(&question.request, question.stored);
        live.questions.push(question);
    }

    /// A question that a server of the legacy wire asked in an earlier run. It can still be answered where its session is
    /// taken up again.
    fn take_wire_request(&mut self, turn: &mut Turn, request: InputRequest) {
        let call = request.call.map(|call| self.calls.get(&call));
        let over = matches!(call, Some(None));
        // A call that is no task ended with the last run, and what it asked with it.
        let of_plain_call = call.flatten().is_some_and(|live| live.call.task.is_none());
        let Some(station) = self.servers.get_mut(&request.server) else { return };
        let (id, server) = (request.id, request.server);
        let mut question = Question::new(request);
        if of_plain_call {
            question.tie = Tie::Certain;
        }
        let request = &mut question.request;
        match request.state {
            RequestState::Sending if request.sent() => {
                request.state = RequestState::Unknown;
                turn.keep(request);
                turn.fate(request, EventKind::Unknown, None);
            }
            RequestState::Closed => return,
            RequestState::Answered | RequestState::Unknown => {}
            RequestState::Orphaned if !over => {}
            _ if over => return close(&mut question, EventKind::Closed, CloseReason::TaskEnded, turn),
            _ if station.session.saved.is_none() || request.closed_at.is_some() => {
                orphaned(&mut question, turn)
            }
            _ => {}
        }
        if question.request.state == RequestState::Unknown && station.session.saved.is_none() {
            cut_off(&mut question, turn);
        }
        lapse_if_late(&mut question, turn);
        resume_window(&mut question, turn.now);
        question.dies_at = dies_at(&question.request, turn.now);
        shed(&mut question, turn);
        self.room.enter(&question.request, question.stored);
        station.session.questions.push(question);
        self.wired.insert(id, server);
    }

    fn resume(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let on_wire = self.servers.get(&live.call.server).is_some_and(|station| station.session.owes(id));
        live.followed |= live.owes() || on_wire;
        if live.round.is_some() {
            // An answer that was held for too long is open again.
            self.recount(turn, id);
            self.resume_round(turn, id);
            return;
        }
        if live.call.delivery != Delivery::Answered {
            let message =
                "Signalbox ended before the answer came: the server may have acted on the call".to_owned();
            live.call.delivery = Delivery::Answered;
            live.call.status = Status::Unknown;
            self.finish(turn, id, Outcome::Unknown, Some(Note { code: NoteCode::Lost, message }));
            return;
        }
        self.recount(turn, id);
        self.resume_look(turn, id);
        self.rearm(turn, id);
    }
}

/// Sets the end of the undo window. A wall clock that was moved meanwhile does not make it longer than it was.
fn resume_window(question: &mut Question, now: Now) {
    if let Some(answer) = &question.request.answer {
        let window = u64::try_from(answer.send_at.ms_since(answer.decided_at)).unwrap_or(0);
        question.release_at = now.steady_ms + now.ms_until(answer.send_at).min(window);
    }
}

fn next_ids(ids: Ids) -> NextIds {
    NextIds { server: ids.server.0, call: ids.call.0, request: ids.request.0, session: ids.session }
}

impl State {
    /// What an orderly end keeps for the next run: when each task may be looked at next, for it to honour, and when each
    /// server last answered.
    #[must_use]
    pub fn last_words(&self) -> Vec<Write> {
        let waiting = self.calls.values().filter(|live| live.followed && live.call.next_poll_at.is_some());
        let looks = waiting.map(|live| Write::PutCall(Box::new(live.call.clone())));
        looks.chain(self.servers.values().filter_map(Station::unkept)).collect()
    }
}
