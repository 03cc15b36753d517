//! What the store held at the start: everything is where it was, and goes on.

use signalbox_model::{CallId, CloseReason, Delivery, EventKind, Identity, InputRequest, RequestState};
use signalbox_store::{Ids, Undecided, Write};

use super::{
    Live, Next, Question, Turn,
    legacy::{cut_off, dies_at, expires_at, lose},
    question::{Fact, Fate, OfCall, Over, Tie, close, lapse_if_late, leave_to_store, resume_window, shed},
    server::{Station, await_trust},
};
use crate::{
    Follow, Now, Output, State, Tuning,
    shared::{NextIds, Place, Shared},
    state::Rooms,
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
        let mut rooms = Rooms::default();
        // Who follows what was named is a command, and shows nothing beside it.
        let unheard = follow == Follow::Named;
        let mut shared = Shared { tuning, unheard, next: next_ids(stored.ids), ..Shared::default() };
        let mut turn = Turn::new(&mut shared, now, seed);
        rooms.load(&mut turn, stored, follow);
        let output = turn.out;
        (Self { rooms, shared }, output)
    }

    /// What an orderly end keeps for the next run: when each task may be polled next, for it to honour, and when each
    /// server last answered.
    #[must_use]
    pub fn last_words(&self) -> Vec<Write> {
        let calls = self.rooms.calls.live.values();
        let waiting = calls.filter(|live| live.polling.followed && live.call.next_poll_at.is_some());
        let polls = waiting.map(|live| Write::PutCall(Box::new(live.call.clone())));
        polls.chain(self.rooms.servers.all.values().filter_map(Station::unkept)).collect()
    }
}

impl Rooms {
    fn load(&mut self, turn: &mut Turn<'_>, stored: signalbox_store::Live, follow: Follow) {
        for mut server in stored.servers {
            // What was known of reaching it belongs to the last run; it is tried afresh.
            let before = server.health.clone();
            server.health = server.health.as_of_last_run();
            await_trust(&mut server);
            if server.health != before {
                turn.write(Write::PutServer(server.clone()));
            }
            self.sessions.of(server.id);
            self.servers.all.insert(server.id, Station::new(server));
        }
        for stored in stored.sessions {
            if let Some(station) = self.servers.get_mut(stored.server) {
                station.load_session(stored.saved);
                let session = self.sessions.of(stored.server);
                (session.first, session.n) = (stored.n, stored.n);
            }
        }
        for (server, tools) in stored.tools {
            if self.servers.get(server).is_some_and(|station| station.server.removed_at.is_none()) {
                self.servers.know_tools(server, &tools);
            }
        }
        for call in stored.calls {
            let live = Live::load(call, follow == Follow::All, turn.now);
            self.keep(turn, live);
        }
        for open in stored.rounds {
            if let Some(live) = self.calls.live.get_mut(&open.call) {
                live.take_round(turn, open);
            }
        }
        for request in stored.requests {
            let went_on = request.call.is_some_and(|call| stored.completed.contains(&call));
            let rest = stored.stored.get(&request.id).map_or(0, |bytes| usize::try_from(*bytes).unwrap_or(0));
            self.take_request(turn, request, rest, went_on);
        }
        for Undecided { request, call, bytes } in stored.undecided {
            if let Some(live) = self.calls.live.get(&call) {
                let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
                turn.closed.push(Over { id: request, server: live.server(), call: Some(call), bytes });
            }
        }
        self.keep_the_last_closed(turn);
        self.go_on(turn, follow);
        turn.plan_first_sweep(stored.newest);
        self.keep_the_last_closed(turn);
        self.conclude(turn);
    }

    /// Everything that was under way goes on.
    fn go_on(&mut self, turn: &mut Turn<'_>, follow: Follow) {
        // The order of a map is not part of what step was given.
        let mut calls: Vec<CallId> = self.calls.live.keys().copied().collect();
        calls.sort_unstable();
        for id in calls {
            self.resume(turn, id);
        }
        self.carry_on(turn);
        let servers = self.servers.ids();
        servers.iter().for_each(|server| turn.then(Next::Spread(*server)));
        // What is owed goes, whoever is followed.
        servers.iter().for_each(|server| turn.then(Next::Replies(*server)));
        self.carry_on(turn);
        for id in servers {
            let (Some(session), Some(station)) = (self.sessions.get(id), self.servers.get_mut(id)) else {
                continue;
            };
            // Of no call that is polled: only a connection makes them answerable again, or shows that they are not.
            let loose = |question: &Question| question.request.call.is_none() && !question.request.stranded();
            if session.questions.iter().any(loose) && follow == Follow::All && station.is_open() {
                station.discover(turn);
            }
        }
    }

    /// `stored`: what the store alone has of it, in bytes; `went_on`: its call has come to a result.
    fn take_request(&mut self, turn: &mut Turn<'_>, request: InputRequest, stored: usize, went_on: bool) {
        if let Identity::Wire { .. } = request.identity {
            return self.take_wire_request(turn, request);
        }
        let live = request.call.and_then(|call| self.calls.live.get_mut(&call));
        let Some(live) = live else {
            // Its call has ended: an answer that was still on its way then has nobody to go to. One whose acknowledgement was
            // under way was what the call went on with.
            if matches!(request.state, RequestState::Sending | RequestState::Held) {
                let fact = if went_on { Fact::CallWentOn } else { Fact::CallOver };
                Question::new(request).meets(turn, fact, (false, OfCall::GoesOn), Fate::default());
            }
            return;
        };
        let of_task = live.round().is_none();
        if of_task && request.state == RequestState::Sending {
            live.doubt_answers();
        }
        turn.place(request.id, Place::Call(live.id()));
        let mut question = Question { stored, ..Question::new(request) };
        question.settled_at = turn.now.steady_ms;
        lapse_if_late(&mut question, turn);
        resume_window(&mut question, turn.now);
        shed(&mut question, turn);
        leave_to_store(&mut question, turn);
        turn.room.enter(&question.request, question.stored);
        live.questions.push(question);
    }

    /// A question that a server of the legacy wire asked in an earlier run. It can still be answered where its session is
    /// taken up again.
    fn take_wire_request(&mut self, turn: &mut Turn<'_>, request: InputRequest) {
        let call = request.call.map(|call| self.calls.live.get(&call));
        let over = matches!(call, Some(None));
        // A call that is no task ended with the last run, and what it asked with it.
        let of_plain_call = call.flatten().is_some_and(|live| live.call.task.is_none());
        let Some(station) = self.servers.get(request.server) else { return };
        if request.state == RequestState::Closed {
            return;
        }
        let session = self.sessions.of(request.server);
        let goes_on = station.has_session();
        let mut question = Question::new(request);
        if of_plain_call {
            question.tie = Tie::Certain;
        }
        question.meets(turn, Fact::Restarted, (false, OfCall::GoesOn), Fate::default());
        match question.request.state {
            RequestState::Answered | RequestState::Unknown => {}
            RequestState::Orphaned if !over => {}
            _ if over => return close(&mut question, EventKind::Closed, CloseReason::TaskEnded, turn),
            _ if !goes_on || question.request.closed_at.is_some() => lose(&mut question, turn),
            _ => {}
        }
        if question.request.state == RequestState::Unknown && !goes_on {
            cut_off(&mut question, turn);
        }
        lapse_if_late(&mut question, turn);
        resume_window(&mut question, turn.now);
        question.dies_at = dies_at(&question.request, turn.now);
        let until = expires_at(&question.request);
        // An earlier version kept none.
        if std::mem::replace(&mut question.request.expires_at, until) != until {
            turn.write(Write::PutRequest(Box::new(question.request.clone())));
        }
        shed(&mut question, turn);
        turn.room.enter(&question.request, question.stored);
        turn.place(question.request.id, Place::Wire(session.server));
        session.questions.push(question);
    }

    fn resume(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        let on_wire = self.sessions.get(live.server()).is_some_and(|session| session.owes(id));
        live.follow_what_is_owed(on_wire);
        // An answer that was held for too long is open again.
        turn.then(Next::Count(id));
        if live.round().is_some() {
            live.resume_round(turn);
        } else if live.call.delivery == Delivery::Answered {
            live.resume_poll(turn);
            turn.then(Next::Rearm(id));
        } else {
            live.lost_at_the_end(turn);
        }
    }
}

fn next_ids(ids: Ids) -> NextIds {
    NextIds { server: ids.server.0, call: ids.call.0, request: ids.request.0, session: ids.session }
}
