//! `step`: what happens becomes writes and effects. Pure and synchronous.
//!
//! Three rooms own what is known, and know nothing of each other: `call/` (calls and what hangs on them), `server/` (servers and
//! the way to them) and `legacy/` (connections of the older wire, and what comes on them). They share one below them,
//! `question/` (a question, its answer, and what becomes of it). Only this level knows all of them: here what comes in is taken
//! to the rooms that it is about: in `answered` what servers answer, in `unasked` what they send by themselves, in `intent` and
//! `people` what people want. What follows from it is listed in `agenda`, in one order, and done in `carry_on`.
//!
//! Beside the rooms: `turn` is one step in the making, `decision` the log of decisions, `timeline` how much of calls is told,
//! `waiting` who waits to hear what became of what they said, `heard` who has spoken, `absence` time that passed without us,
//! `attend` how much questions want their people, `sweep` how rows go one day, `undo` how a wish is taken back that could not be
//! kept, `load` what the store held at the start, `tries` how what failed is sent again.

mod absence;
mod agenda;
mod answered;
mod attend;
mod beside;
mod call;
mod carry_on;
mod decision;
mod heard;
mod intent;
mod legacy;
mod load;
mod people;
mod question;
pub(crate) mod server;
mod sweep;
#[cfg(test)]
mod tests;
mod timeline;
mod tries;
mod turn;
mod unasked;
mod undo;
mod waiting;

use signalbox_model::{CallId, ServerId, Wire};

pub use self::question::{asks, response_to};
pub(crate) use self::{
    agenda::Next,
    beside::Beside,
    call::{Calls, Live},
    legacy::{OnWire, Session, Sessions},
    question::Question,
    server::Servers,
    timeline::Timeline,
    turn::Turn,
    waiting::Waiter,
};
#[cfg(test)]
pub(crate) use self::{
    call::{Doubt, Update, decided},
    legacy::{EarlyNews, candidates::Candidates},
    question::{cells_entered, rows_entered, rpc_of},
    server::{Gate, Station},
    waiting::PATIENCE,
};
use crate::{Input, Now, Output, State, schedule::Due, state::Rooms};

impl State {
    /// What `input` means at `now`. `seed` is fresh randomness for jitter.
    ///
    /// The output of an intent is to be committed (or given back with [`Input::CommitFailed`]) before the next step.
    pub fn step(&mut self, now: Now, seed: u64, input: Input) -> Output {
        let Self { rooms, shared } = self;
        let mut turn = Turn::new(shared, now, seed);
        match input {
            // Nothing else may share the fate of an intent: what is due has a step of its own.
            Input::Intent { token, intent } => rooms.intent(&mut turn, token, *intent),
            input => {
                rooms.notice_absence(&mut turn);
                rooms.hear(&mut turn, &input);
                rooms.take(&mut turn, input);
                rooms.carry_on(&mut turn);
                rooms.due(&mut turn);
                rooms.keep_the_last_closed(&mut turn);
            }
        }
        rooms.conclude(&mut turn);
        turn.out
    }
}

impl Rooms {
    fn take(&mut self, turn: &mut Turn<'_>, input: Input) {
        match input {
            Input::Intent { .. } => unreachable!("BUG: an intent has a step of its own"),
            Input::NotSent { call, error } => self.not_sent(turn, call, error),
            Input::Called { call, reply } => self.called(turn, call, reply.map(|called| *called)),
            Input::Polled { server, call, reply } => self.polled(turn, server, call, reply),
            Input::Updated { server, call, requests, reply } => {
                self.updated(turn, (server, call), &requests, &reply);
            }
            Input::CancelSent { server, call, reply } => self.cancel_sent(turn, server, call, reply),
            Input::Found { server, found } => {
                if let Some(station) = self.servers.get_mut(server) {
                    station.found(turn, *found);
                }
            }
            Input::Discovered { server, reply } => self.discovered(turn, server, reply.map(|found| *found)),
            Input::Connected { server, link, saved, resumed } => {
                self.connected(turn, (server, link), saved, resumed);
            }
            Input::Heard { server, link, event, fresh } => self.heard(turn, (server, link), *event, fresh),
            Input::Replied { server, request, reply } => self.replied(turn, server, request, &reply),
            Input::Resulted { server, call, reply } => self.resulted(turn, server, call, reply),
            Input::Listed { server, reply } => self.servers.listed(turn, server, reply),
            Input::TasksListed { server } => self.servers.tasks_listed(turn, server),
            Input::NotListed { server, token, error } => {
                self.servers.not_listed(turn, server, token, error);
            }
            Input::Listening { server, number, reply } => self.listened(turn, server, number, reply),
            Input::Pushed { server, number, news } => self.pushed(turn, server, number, news),
            Input::Tick => {}
            Input::CommitFailed { undo, error: _ } => self.restore(turn, undo.0),
        }
    }

    /// Everything whose time has come, and what follows from it.
    fn due(&mut self, turn: &mut Turn<'_>) {
        while let Some(due) = turn.schedule.pop(turn.now.steady_ms) {
            match due {
                Due::Poll(call) => self.poll(turn, call),
                Due::Send(call) => {
                    if let Some(live) = self.calls.live.get_mut(&call) {
                        live.release_held(turn);
                    }
                }
                Due::Reply(server) => {
                    if let Some(session) = self.sessions.get_mut(server) {
                        session.release_replies(turn);
                    }
                }
                Due::Expiry(call) => self.expiry(turn, call),
                Due::Attend(request) => turn.then(Next::Attend(request)),
                Due::Probe(server) => {
                    let needed = self.is_needed(server);
                    if let Some(station) = self.servers.get_mut(server) {
                        station.probe(turn, needed);
                    }
                }
                Due::Listen(server) => self.listen(turn, server),
                Due::List(server) => {
                    if let Some(station) = self.servers.get_mut(server) {
                        station.list_again(turn);
                    }
                }
                Due::Admit(server) => turn.then(Next::Admit(server)),
                Due::Quiet(server) => {
                    turn.then(Next::Owed(server));
                    turn.then(Next::Replies(server));
                }
                Due::Heard(server) => {
                    if let Some(station) = self.servers.get_mut(server) {
                        station.show_heard(turn);
                    }
                }
                Due::Late(server) => self.tell_waiters_of(turn, server),
                Due::MakeRoom => turn.make_room(),
                Due::Sweep => turn.sweep(),
            }
            self.carry_on(turn);
        }
    }

    /// A poll is due.
    fn poll(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get(&id).filter(|live| live.task_to_poll().is_some()) else {
            return;
        };
        let urgent = live.urgent_at(turn.now.steady_ms);
        if let Some(station) = self.servers.get_mut(live.server()) {
            station.queue_poll(turn, id, urgent);
        }
    }

    fn expiry(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        let open = self.servers.get(live.server()).is_some_and(|station| station.is_open());
        if live.expiry(turn, open) {
            self.poll(turn, id);
        }
    }

    /// The subscription to a server is seen to.
    fn listen(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        if let Some(station) = self.servers.get_mut(server).filter(|station| station.may_listen()) {
            station.listen(turn, self.calls.followed_at(server, server::MOST_TASKS));
        }
    }

    /// Whether somebody waits for a server: calls, or questions that belong to none.
    fn is_needed(&self, server: ServerId) -> bool {
        let asked = || self.sessions.get(server).is_some_and(Session::is_waited_for);
        self.calls.has_any(server) || asked()
    }

    /// The wire that a server speaks.
    fn wire(&self, server: ServerId) -> Option<Wire> {
        self.servers.get(server)?.server.wire
    }
}
