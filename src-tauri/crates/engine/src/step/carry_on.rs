//! What follows from what has happened is carried out here, in the order of [`Next`]: what is found in one room is taken to the
//! others.

use signalbox_model::{CallId, ServerId, Status, Wire};
use signalbox_store::{StoredSession, Write};

use super::{Next, Turn, call::Wants, legacy::Wanted, question::Over};
use crate::{
    Effect,
    schedule::Due,
    shared::Errand,
    state::{Before, Rooms},
};

impl Rooms {
    /// Carries out all that is left to be done.
    pub(super) fn carry_on(&mut self, turn: &mut Turn<'_>) {
        while let Some(next) = turn.agenda.pop_first() {
            match next {
                Next::Known(call) => self.known(turn, call),
                Next::Paged(call) => self.calls.know_paged(call),
                Next::Closed(server) => self.closed(turn, server),
                Next::Roots(call) => self.roots(turn, call),
                Next::Review(server) => self.review(turn, server),
                Next::KeepSession(server) => self.keep_session(turn, server),
                Next::Over(call) => self.over(turn, call),
                Next::Retire(call) => self.retire(turn, call),
                Next::Poll(call) => self.plan_poll(turn, call),
                Next::PollSoon(call) => self.poll_soon(turn, call),
                Next::Spread(server) => self.spread(turn, server),
                Next::Rearm(call) => self.rearm(turn, call),
                Next::Cancel(call) => self.send_cancel(turn, call),
                Next::Deliver(call) => self.deliver(turn, call),
                Next::Result(call) => self.want_result(turn, call),
                Next::Results(server) => self.next_results(turn, server),
                Next::Replies(server) => self.send_replies(turn, server),
                Next::Owed(server) => self.send_owed(turn, server),
                Next::Prune(server) => self.prune(turn, server),
                Next::Count(call) => self.count(turn, call),
                Next::Save(call) => self.save(turn, call),
                Next::Attend(request) => self.attend(turn, request),
                Next::Listen(server) => {
                    let wanted = self.calls.has_any(server);
                    if let Some(s) = self.servers.get_mut(server) {
                        s.plan_listening(turn, wanted);
                    }
                }
                Next::Probe(server) => {
                    let needed = self.is_needed(server);
                    if let Some(s) = self.servers.get_mut(server) {
                        s.keep_probing(turn, needed);
                    }
                }
                Next::Admit(server) => self.admit(turn, server),
            }
        }
    }

    fn known(&mut self, turn: &mut Turn<'_>, id: CallId) {
        self.calls.know_task(id);
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        let (Some(task), Some(session)) = (&live.call.task, self.sessions.get_mut(live.server())) else {
            return;
        };
        session.claim_questions(turn, id, &task.task_id);
        for view in session.early.take(&task.task_id.clone()) {
            live.take_news(turn, &view);
        }
    }

    fn closed(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        if let Some(station) = self.servers.get_mut(server) {
            station.stop_listening(turn);
            station.empty_queue();
        }
        let waiters = self.calls.release_waiters(turn, server);
        if turn.is_intent() {
            turn.also(Before::Polled(waiters));
        }
    }

    fn roots(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        if let Some(station) = self.servers.get(live.server()) {
            live.answer_roots(turn, &station.server.roots);
            turn.then(Next::Deliver(id));
        }
    }

    fn review(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        if let Some(session) = self.sessions.get_mut(server) {
            session.review_guesses(turn, |call, words| self.calls.says(call, words));
        }
    }

    fn keep_session(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        if let (Some(session), Some(station)) = (self.sessions.get(server), self.servers.get(server)) {
            let saved = station.stored_session();
            turn.write(Write::PutSession(StoredSession { server, n: session.n, saved }));
        }
    }

    fn over(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        if let Some(session) = self.sessions.get_mut(live.server()) {
            // A wish that gives a call up takes with it what it asked on its connection.
            if turn.is_intent() {
                turn.also(session.before());
            }
            session.call_over(turn, id, live.went_on());
        }
        live.tell_end(turn);
        live.unschedule(turn);
        self.retire(turn, id);
    }

    fn retire(&mut self, turn: &mut Turn<'_>, id: CallId) {
        if self.calls.live.get(&id).is_some_and(|live| live.may_leave()) {
            self.drop_call(turn, id);
        }
    }

    /// Forgets a call in memory. Whatever of it is under way keeps its permit until the reply.
    pub(super) fn drop_call(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(mut live) = self.calls.remove(turn, id) else { return };
        let server = live.server();
        live.refuse_waiters(turn);
        if let Some(station) = self.servers.get_mut(server) {
            station.forget(id);
        }
        if let Some(session) = self.sessions.get_mut(server) {
            session.forget_call(turn, id);
            // Its polls made the connection that answers of no call wait for.
            turn.then(Next::Replies(server));
        }
    }

    fn plan_poll(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        if let Some(station) = self.servers.get(live.server()) {
            live.plan_poll(turn, station.reach.quiet_until, station.listening.tells_of(id));
        }
    }

    fn poll_soon(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        if self.servers.get(live.server()).is_some_and(|station| !station.is_busy_with(id)) {
            live.poll_soon(turn);
        }
    }

    fn spread(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        if let Some(station) = self.servers.get(server) {
            self.calls.spread(turn, server, |call| station.is_polling(call));
        }
    }

    fn rearm(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get(&id) else { return };
        if live.owes()
            && let Some(station) = self.servers.get_mut(live.server())
        {
            station.hold_back(id);
        }
        live.plan_release(turn);
        live.plan_expiry(turn);
        self.poll_soon(turn, id);
    }

    fn send_cancel(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get_mut(&id).filter(|live| live.wants_cancel_sent(turn)) else {
            return;
        };
        let Some(station) = self.servers.get_mut(live.server()) else { return };
        if let Some(line) = station.send(turn, id, Errand::Cancel) {
            live.send_cancel(turn, line);
        }
    }

    fn deliver(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        let Some(station) = self.servers.get_mut(live.server()) else { return };
        match live.wants(turn) {
            Wants::Nothing => {}
            Wants::Answers => {
                if let Some(line) = station.send(turn, id, Errand::Answers) {
                    live.send_answers(turn, line);
                }
            }
            Wants::Again if station.may_be_asked(turn.now) => {
                let listed = station.tool(&live.call.tool);
                live.call_again(turn, station.line(turn.tuning), listed);
            }
            Wants::Again => {
                station.hold_back(id);
            }
        }
    }

    fn want_result(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get(&id).filter(|live| live.call.wire == Some(Wire::Legacy)) else {
            return;
        };
        let Some(task) = &live.call.task else { return };
        let wanted = Wanted::of(live.call.status);
        if wanted != Wanted::Nothing && !live.is_followed() {
            return;
        }
        let (Some(station), server) = (self.servers.get(live.server()), live.server()) else { return };
        let way = station.may_be_asked(turn.now).then(|| station.line(turn.tuning));
        let needs_input = |call: CallId| {
            self.calls.live.get(&call).is_some_and(|live| live.call.status == Status::InputRequired)
        };
        let session = self.sessions.of(server);
        session.want_result(turn, id, (wanted, &task.task_id), way, needs_input);
        if wanted == Wanted::Fetched && live.lacks_result() {
            session.let_held_go(turn, id);
        }
    }

    fn next_results(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        if let Some(call) = self.sessions.get_mut(server).and_then(super::legacy::Session::next_result) {
            self.want_result(turn, call);
            turn.then(Next::Results(server));
        }
    }

    fn send_replies(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        let Some(session) = self.sessions.get_mut(server) else { return };
        session.plan_replies(turn, self.calls.has_any(server));
        session.deliver(turn);
        if !session.wants_connection(turn) {
            return;
        }
        // There may be no task whose polls make one.
        let mut calls = self.calls.at(server).filter_map(|call| self.calls.live.get(&call));
        let Some(station) = self.servers.get_mut(server) else { return };
        if calls.any(|live| live.is_followed()) || !station.may_be_asked(turn.now) {
            return;
        }
        if turn.is_intent() {
            // Not in this step, which may be a wish that cannot be kept.
            turn.schedule.set(Due::Quiet(server), turn.now.steady_ms);
        } else {
            station.discover(turn);
        }
    }

    fn send_owed(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        let Some(station) = self.servers.get_mut(server) else { return };
        if let Some(call) = station.next_held_back(turn.now) {
            for next in [Next::Cancel(call), Next::Deliver(call), Next::Owed(server)] {
                turn.then(next);
            }
        }
    }

    fn prune(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        if let Some(session) = self.sessions.get_mut(server) {
            session.prune(turn, |call| self.calls.live.contains_key(&call));
        }
    }

    /// Counts the questions of a call that want a person now, and finds since when. Says whether there are others than before.
    pub(super) fn recount(&mut self, id: CallId) -> bool {
        let Some(live) = self.calls.live.get_mut(&id).filter(|live| !live.call.ended()) else { return false };
        let on_wire = self.sessions.get(live.server()).into_iter().flat_map(|session| session.wanting_of(id));
        let (mut wanting, mut since) = (0_u32, None);
        for request in live.wanting().chain(on_wire) {
            wanting = wanting.saturating_add(1);
            since = since.into_iter().chain([request.opened_at]).min();
        }
        let call = &mut live.call;
        let others = (call.open_requests, call.waiting_since) != (wanting, since);
        (call.open_requests, call.waiting_since) = (wanting, since);
        others
    }

    fn count(&mut self, turn: &mut Turn<'_>, id: CallId) {
        if self.recount(id) {
            turn.then(Next::Save(id));
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, id: CallId) {
        self.recount(id);
        let Some(live) = self.calls.live.get(&id).filter(|live| !live.call.ended()) else { return };
        turn.put(&live.call);
        self.attend_to_call(turn, id);
        self.reckon(id);
    }

    /// Where questions may come that do not say whose they are, what speaks for each call is known.
    pub(super) fn reckon(&mut self, id: CallId) {
        let Some(live) = self.calls.live.get(&id) else { return };
        if self.wire(live.server()) != Some(Wire::Modern) {
            self.sessions.of(live.server()).reckon(&live.call);
        }
    }

    fn admit(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        let Some(station) = self.servers.get_mut(server) else { return };
        while let Some(begun) = station.next_poll(turn) {
            let live = self.calls.live.get(&begun.call);
            let task = live.and_then(|live| Some((live.task_to_poll()?.to_owned(), live.left(turn.now))));
            let Some((task_id, left)) = task else {
                station.skip_poll(turn, begun);
                continue;
            };
            if station.begin_poll(turn, begun, left) {
                turn.after(Effect::GetTask { line: station.line(turn.tuning), call: begun.call, task_id });
            }
        }
    }

    /// Of the questions that closed unanswered the store keeps the last.
    pub(super) fn keep_the_last_closed(&mut self, turn: &mut Turn<'_>) {
        for Over { id, server, call, bytes } in std::mem::take(&mut turn.closed) {
            let closed = match call {
                Some(call) => self.calls.live.get_mut(&call).map(|live| &mut live.beyond.closed),
                None => self.sessions.get_mut(server).map(|session| &mut session.closed),
            };
            // What an ended call has asked stays as long as the call.
            let over = closed.map(|closed| closed.keep(id, bytes)).unwrap_or_default();
            for id in over {
                turn.write(Write::DropRequest(id));
            }
        }
    }

    /// What follows from all that the step has written.
    pub(super) fn conclude(&mut self, turn: &mut Turn<'_>) {
        self.bound_timelines(turn);
        self.calls_answered(turn);
        self.tell_waiters(turn);
        turn.count_payloads();
        for (server, more) in std::mem::take(&mut turn.left) {
            let Some(station) = self.servers.get_mut(server).filter(|_| more != 0) else { continue };
            turn.after(Effect::ShowLeft { server, questions: station.count_left(more) });
        }
        for mut notice in std::mem::take(&mut turn.notices) {
            let station = self.servers.get(notice.server);
            notice.server_name = station.map(|station| station.server.name.clone()).unwrap_or_default();
            turn.after(Effect::Notify(notice));
        }
    }
}
