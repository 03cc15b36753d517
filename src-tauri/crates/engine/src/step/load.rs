//! What the store held at the start: everything is where it was, and goes on.

use signalbox_model::{
    CallId, CloseReason, Delivery, InputRequest, Note, Outcome, RequestState, Server, Status,
};
use signalbox_store::{Ids, Write};

use super::Turn;
use crate::{
    Follow, Now, Output, State, Tuning,
    schedule::Due,
    state::{Live, NextIds, Question, Station},
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
        let mut state = Self { tuning, follow, next: next_ids(stored.ids), ..Self::default() };
        let mut turn = Turn { now, seed, out: Output::default() };
        for server in stored.servers {
            state.servers.insert(server.id, Station::new(without_waits(server)));
        }
        for call in stored.calls {
            let mut live = Live::new(call);
            live.followed = state.follows_all();
            if let Some(station) = state.servers.get_mut(&live.call.server) {
                station.calls.insert(live.call.id);
            }
            state.calls.insert(live.call.id, live);
        }
        for request in stored.requests {
            state.take_request(&mut turn, request);
        }
        let calls: Vec<CallId> = state.calls.keys().copied().collect();
        for id in calls {
            state.resume(&mut turn, id);
        }
        let servers: Vec<_> = state.servers.keys().copied().collect();
        for id in servers {
            state.spread_looks(&mut turn, id);
        }
        (state, turn.out)
    }

    fn take_request(&mut self, turn: &mut Turn, mut request: InputRequest) {
        let live = request.call.and_then(|call| self.calls.get_mut(&call));
        let Some(live) = live else {
            // Its call has ended: an answer that was still on its way then has nobody to go to.
            if matches!(request.state, RequestState::Sending | RequestState::Held) {
                request.state = RequestState::Closed;
                request.reason = Some(CloseReason::TaskEnded);
                request.closed_at = Some(turn.now.wall);
                turn.write(Write::PutRequest(Box::new(request)));
            }
            return;
        };
        let owed = matches!(request.state, RequestState::Sending | RequestState::Held);
        // Whether it was sent before the end of the last run, nobody knows: a look comes before it is sent again.
        live.look_first |= request.state == RequestState::Sending;
        live.followed |= owed;
        self.asked.insert(request.id, live.call.id);
        live.questions.push(Question { request, still_asked: 0 });
    }

    fn resume(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.followed |= live.call.cancel.as_ref().is_some_and(|cancel| cancel.acknowledged_at.is_none());
        let unanswered = live.call.delivery != Delivery::Answered;
        let held = live.questions.iter().filter(|question| question.request.state == RequestState::Held);
        let send = held.filter_map(|q| q.request.answer.as_ref()).map(|a| turn.now.ms_until(a.send_at)).min();
        if let Some(wait) = send {
            self.schedule.set(Due::Send(id), turn.now.steady_ms + wait);
        }
        if unanswered {
            let message =
                "Signalbox ended before the answer came: the server may have acted on the call".to_owned();
            live.call.delivery = Delivery::Answered;
            live.call.status = Status::Unknown;
            self.finish(turn, id, Outcome::Unknown, Some(Note { code: "lost".to_owned(), message }));
            return;
        }
        self.plan_expiry(turn, id);
    }
}

fn next_ids(ids: Ids) -> NextIds {
    NextIds { server: ids.server.0, call: ids.call.0, request: ids.request.0 }
}

/// What was known of reaching a server belongs to the last run; it is tried afresh.
fn without_waits(mut server: Server) -> Server {
    if let signalbox_model::Health::Unreachable { .. } = server.health {
        server.health = signalbox_model::Health::Unknown;
    }
    server
}

impl State {
    /// When each task may be looked at next, for the next run to honour.
    #[must_use]
    pub fn next_looks(&self) -> Vec<Write> {
        let waiting = self.calls.values().filter(|live| live.call.next_poll_at.is_some());
        waiting.map(|live| Write::PutCall(Box::new(live.call.clone()))).collect()
    }
}
