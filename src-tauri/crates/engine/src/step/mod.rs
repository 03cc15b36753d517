//! `step`: what happens becomes writes and effects. Pure and synchronous.
//!
//! Three rooms own what is known, and know nothing of each other: `call/` (calls and what hangs on them), `server/` (servers and
//! the way to them) and `legacy/` (connections of the older wire, and what comes on them). They share one below them,
//! `question/` (a question, its answer, and what becomes of it). Only this level knows all of them: here what comes in is taken
//! to the rooms that it is about, in `intent` what people want; what follows from it is carried out in one order, in `next`.
//!
//! Beside the rooms: `turn` is one step in the making, `decision` the log of decisions, `timeline` how much of calls is told,
//! `waiting` who waits to hear what became of what they said, `heard` who has spoken, `absence` time that passed without us,
//! `sweep` how rows go one day, `undo` how a wish is taken back that could not be kept, `load` what the store held at the start,
//! `tries` how what failed is sent again.

mod absence;
mod call;
mod decision;
mod heard;
mod intent;
mod legacy;
mod load;
mod next;
mod people;
mod question;
pub(crate) mod server;
mod sweep;
#[cfg(test)]
mod tests;
mod timeline;
mod tries;
mod turn;
mod undo;
mod waiting;

use signalbox_mcp::{Ask, Called, Channel, Error, Found, News as Told, Replied, Sent, ServerNotification};
use signalbox_mcp::{ServerRequest, SessionEvent};
use signalbox_model::{CallId, Json, Push, RequestId, ServerId, Transport, Wire};

pub(crate) use self::call::slot;
pub use self::question::response_to;
use self::{
    call::{Asked, MOST_OPEN},
    legacy::{Connected, Opened},
};
pub(crate) use self::{
    call::{Calls, Live},
    legacy::{Session, Sessions},
    next::Next,
    question::Question,
    server::Servers,
    timeline::Timeline,
    turn::Turn,
    waiting::Waiter,
};
#[cfg(test)]
pub(crate) use self::{
    call::{Doubt, SLOT, decided},
    legacy::{EarlyNews, candidates::Candidates},
    question::rpc_of,
    server::{Gate, Station},
    waiting::PATIENCE,
};
use crate::{
    Effect, Input, Look, News, Now, Output, State,
    schedule::Due,
    state::{Errand, Rooms},
};

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

/// Whether the server, or what stands before it, says a definite no to this very request: the same again would get the
/// same. A 404 may be about the address, and what is about sign-in or haste has errors of its own.
fn refuses(error: &Error) -> bool {
    match error {
        Error::Rpc { .. } => true,
        Error::NotMcp { status: Some(status), .. } => (400..=499).contains(status) && *status != 404,
        _ => false,
    }
}

impl Rooms {
    fn take(&mut self, turn: &mut Turn<'_>, input: Input) {
        match input {
            Input::Intent { .. } => unreachable!("BUG: an intent has a step of its own"),
            Input::NotSent { call, error } => self.not_sent(turn, call, &error),
            Input::Called { call, reply } => self.called(turn, call, reply.map(|called| *called)),
            Input::Polled { server, call, reply } => self.polled(turn, server, call, reply),
            Input::Updated { server, call, requests, reply } => {
                self.updated(turn, (server, call), &requests, &reply);
            }
            Input::CancelSent { server, call, reply } => self.cancel_sent(turn, server, call, reply),
            Input::Discovered { server, reply } => self.discovered(turn, server, reply.map(|found| *found)),
            Input::Connected { server, link, saved, resumed } => {
                self.connected(turn, server, Connected { link, saved, resumed, shared: false });
            }
            Input::Heard { server, link, event, fresh } => self.heard(turn, (server, link), *event, fresh),
            Input::Replied { server, request, reply } => self.replied(turn, server, request, &reply),
            Input::Resulted { server, call, reply } => self.resulted(turn, server, call, reply),
            Input::Listed { server, reply } => self.servers.listed(turn, server, reply),
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
                Due::Poll(call) => self.look(turn, call),
                Due::Send(call) => {
                    self.calls.live.get_mut(&call).into_iter().for_each(|live| live.release_held(turn));
                }
                Due::Reply(server) => {
                    self.sessions
                        .get_mut(server)
                        .into_iter()
                        .for_each(|session| session.release_replies(turn));
                }
                Due::Expiry(call) => self.expiry(turn, call),
                Due::Probe(server) => {
                    let needed = self.is_needed(server);
                    self.servers.get_mut(server).into_iter().for_each(|station| station.probe(turn, needed));
                }
                Due::Listen(server) => self.listen(turn, server),
                Due::List(server) => {
                    self.servers.get_mut(server).into_iter().for_each(|station| station.list_again(turn));
                }
                Due::Admit(server) => turn.then(Next::Admit(server)),
                Due::Quiet(server) => {
                    turn.then(Next::Owed(server));
                    turn.then(Next::Replies(server));
                }
                Due::Heard(server) => {
                    self.servers.get_mut(server).into_iter().for_each(|station| station.show_heard(turn));
                }
                Due::Late(server) => self.tell_waiters_of(turn, server),
                Due::MakeRoom => turn.make_room(),
                Due::Sweep => turn.sweep(),
            }
            self.carry_on(turn);
        }
    }

    /// There was no connection for `tools/call`.
    fn not_sent(&mut self, turn: &mut Turn<'_>, id: CallId, error: &Error) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        self.servers.get_mut(live.server()).into_iter().for_each(|station| station.broken(turn, error));
        live.not_sent(turn, error);
    }

    fn called(&mut self, turn: &mut Turn<'_>, id: CallId, reply: Result<Called, Error>) {
        let Some(live) = self.calls.live.get_mut(&id).filter(|live| live.awaits_reply()) else { return };
        let Some(station) = self.servers.get_mut(live.server()) else { return };
        if let Err(error) = &reply {
            station.answered(turn, Some(error));
        }
        // Shut for a reason that is mended by now.
        if reply.as_ref().map_or_else(Error::sent, |_| Sent::Yes) == Sent::Yes {
            station.mended(turn);
        }
        match reply {
            Ok(called) => live.replied(turn, station.server.wire, called),
            Err(error) => live.failed(turn, &error),
        }
    }

    fn polled(&mut self, turn: &mut Turn<'_>, server: ServerId, id: CallId, reply: Result<Look, Error>) {
        let Some(station) = self.servers.get_mut(server) else { return };
        let ours = station.looked(turn, id, &reply);
        station.answered(turn, reply.as_ref().err());
        let replaced = self.sessions.get(server).is_some_and(|session| session.replaced);
        let asked = Asked { wire: station.server.wire, replaced };
        if let Some(live) = self.calls.live.get_mut(&id).filter(|_| ours) {
            live.polled(turn, reply, asked);
        }
    }

    fn updated(
        &mut self,
        turn: &mut Turn<'_>,
        (server, call): (ServerId, CallId),
        requests: &[RequestId],
        reply: &Result<Json, Error>,
    ) {
        let Some(station) = self.servers.get_mut(server) else { return };
        if !station.sent(call, Errand::Answers) {
            return;
        }
        station.answered(turn, reply.as_ref().err());
        turn.then(Next::Owed(server));
        if let Some(live) = self.calls.live.get_mut(&call) {
            live.updated(turn, requests, reply, station.is_looking(call));
            live.want_look(turn);
        }
    }

    fn cancel_sent(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        call: CallId,
        reply: Result<Json, Error>,
    ) {
        let Some(station) = self.servers.get_mut(server) else { return };
        if !station.sent(call, Errand::Cancel) {
            return;
        }
        station.answered(turn, reply.as_ref().err());
        turn.then(Next::Owed(server));
        if let Some(live) = self.calls.live.get_mut(&call) {
            live.cancel_sent(turn, reply);
            live.want_look(turn);
        }
    }

    fn discovered(&mut self, turn: &mut Turn<'_>, server: ServerId, reply: Result<Found, Error>) {
        let Some(station) = self.servers.get_mut(server) else { return };
        if !station.discovered(turn, reply)
            && station.is_open()
            && let Some(session) = self.sessions.get_mut(server)
        {
            session.connect_later(turn);
        }
    }

    fn connected(&mut self, turn: &mut Turn<'_>, server: ServerId, connected: Connected) {
        let Some(station) = self.servers.get(server) else { return };
        let shared = matches!(station.server.transport, Transport::Stdio { .. });
        let calls =
            self.calls.at(server).filter_map(|call| self.calls.live.get(&call)).map(|live| &live.call);
        self.sessions.of(server).connected(turn, Connected { shared, ..connected }, calls);
    }

    /// Something came on a connection of the legacy wire, or it ended. Of one that another has replaced nothing counts:
    /// nobody could be answered on it.
    fn heard(
        &mut self,
        turn: &mut Turn<'_>,
        (server, link): (ServerId, u64),
        event: SessionEvent,
        fresh: Option<String>,
    ) {
        let Some(session) = self.sessions.get_mut(server).filter(|session| session.link == Some(link)) else {
            return;
        };
        match event {
            SessionEvent::Request(request) => self.asked(turn, server, *request, fresh),
            SessionEvent::Notification(notification) => self.told(turn, server, *notification),
            SessionEvent::Missed(_) => turn.then(Next::Spread(server)),
            SessionEvent::Push(signalbox_mcp::Push::NotOffered) => {
                turn.after(Effect::ShowPush { server, push: Some(Push::Off) });
            }
            SessionEvent::Push(_) => {}
            SessionEvent::Ended(error) => {
                session.disconnected(turn, &error);
                if !matches!(error, Error::Closed)
                    && let Some(station) = self.servers.get_mut(server)
                {
                    station.broken(turn, &error);
                }
            }
        }
    }

    /// A server of the legacy wire asks.
    fn asked(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        request: ServerRequest,
        fresh: Option<String>,
    ) {
        let (Some(session), Some(station)) = (self.sessions.get_mut(server), self.servers.get(server)) else {
            return;
        };
        // What waited under this id on an earlier connection is not waited for by it any more.
        session.waits_no_more(turn, &request.id);
        match &request.ask {
            Ask::Elicitation(_) | Ask::Sampling => {
                let whose = match Session::named_task(&request) {
                    Some(task_id) => (self.calls.of_task(server, task_id), question::Tie::Certain),
                    None => session.whose(&request, |call, words| self.calls.says(call, words)),
                };
                let opened = session.open(turn, request, fresh, whose, MOST_OPEN);
                self.opened(turn, server, whose.0, opened);
            }
            Ask::Roots => {
                let roots = question::roots_of(&station.server.roots);
                session.reply(turn, request.id, signalbox_mcp::Reply::Result(roots), None);
            }
            Ask::GetTask { .. } | Ask::TaskResult { .. } | Ask::ListTasks { .. } | Ask::CancelTask { .. } => {
                session.asked_about_hosted(turn, request.id, request.ask);
            }
        }
    }

    /// What is asked is there, or there was no room for it: that is said where it belongs.
    fn opened(&mut self, turn: &mut Turn<'_>, server: ServerId, call: Option<CallId>, opened: Opened) {
        let live = call.and_then(|call| self.calls.live.get_mut(&call));
        match opened {
            Opened::Refused(bytes) => match live {
                Some(live) => live.left_on_wire(turn, bytes),
                None => self.sessions.of(server).left_one(turn),
            },
            Opened::Known => live.into_iter().for_each(|live| live.taken_on_wire(turn)),
            Opened::New(request) => {
                live.into_iter().for_each(|live| live.taken_on_wire(turn));
                match request.call.and_then(|call| self.calls.live.get(&call)) {
                    Some(live) => live.notify_asked(turn, &request),
                    None => turn.notify_loose(&request),
                }
            }
        }
    }

    /// A server of the legacy wire tells something by itself.
    fn told(&mut self, turn: &mut Turn<'_>, server: ServerId, notification: ServerNotification) {
        let (Some(session), Some(station)) = (self.sessions.get_mut(server), self.servers.get(server)) else {
            return;
        };
        let ServerNotification { news, related_task, channel, raw } = notification;
        match news {
            Told::TaskStatus(view) => {
                let Some(task_id) = view.task_id.clone() else { return };
                session.tells(turn);
                match self.calls.of_task(server, &task_id).and_then(|call| self.calls.live.get_mut(&call)) {
                    Some(live) => live.take_news(turn, &view),
                    // It may come before the answer that names the task, late, or never.
                    None => session.early.keep(task_id, view),
                }
            }
            Told::Progress(report) => {
                let Ok(call) = report.token.parse::<CallId>() else { return };
                let live = self.calls.live.get_mut(&call).filter(|live| live.server() == server);
                live.into_iter().for_each(|live| live.progressed(turn, report.clone()));
            }
            Told::Cancelled { id: rpc, .. } => session.withdrawn(turn, &rpc),
            Told::ToolsListChanged => station.tools_changed(turn),
            Told::ElicitationComplete { elicitation_id } => {
                for call in self.calls.paged(server) {
                    self.calls
                        .live
                        .get_mut(&call)
                        .into_iter()
                        .for_each(|live| live.page_done(turn, &elicitation_id));
                }
            }
            Told::Refused { method } => {
                let of_channel = match channel {
                    Channel::Response { task_id, .. } => task_id,
                    Channel::Shared | Channel::Push => None,
                };
                let call =
                    related_task.or(of_channel).and_then(|task_id| self.calls.of_task(server, &task_id));
                if let Some(live) = call.and_then(|call| self.calls.live.get(&call)) {
                    session.refused_unasked(turn, &live.call, method, raw.text());
                }
            }
            Told::Log | Told::Other { .. } => {}
        }
    }

    fn replied(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        id: RequestId,
        reply: &Result<Replied, Error>,
    ) {
        let Some(session) = self.sessions.get_mut(server) else { return };
        let Some(call) = session.replied(turn, id, reply) else { return };
        if self.calls.live.get(&call).is_none_or(|live| live.call.ended()) {
            session.ended_before(turn, call);
        }
        turn.then(Next::Count(call));
        // What it asks next it asks on a request for its result, which may have made room for others.
        turn.then(Next::Result(call));
    }

    /// `tasks/result` is over.
    fn resulted(&mut self, turn: &mut Turn<'_>, server: ServerId, id: CallId, reply: Result<Json, Error>) {
        let Some(session) = self.sessions.get_mut(server) else { return };
        let was = session.resulted(turn, id);
        let live = self.calls.live.get_mut(&id).filter(|live| !live.call.ended());
        let error = match reply {
            Ok(raw) => {
                self.servers.get_mut(server).into_iter().for_each(|station| station.answered(turn, None));
                if live.is_some_and(|live| !live.result_came(turn, raw)) {
                    session.result_said_nothing(turn, id);
                }
                return;
            }
            Err(Error::Closed) if was.made_room => return,
            Err(error) => error,
        };
        // That it was cut says nothing of the server.
        let cut = was.held && legacy::is_cut(&error);
        if !cut {
            self.servers.get_mut(server).into_iter().for_each(|station| station.answered(turn, Some(&error)));
        }
        let Some(live) = live else { return };
        if let Error::Rpc { code, raw, .. } = &error
            && live.call.status.is_terminal()
            // Unless the task itself is unknown, which the look in between has told.
            && (*code != -32602 || session.has_failed(id))
        {
            return live.result_refused(turn, raw.clone(), crate::note(&error));
        }
        if session.result_failed(turn, id, &error) && !cut {
            live.result_stuck(turn, crate::note(&error));
        }
        // The task tells what the request did not: it has ended, or it is gone.
        if matches!(error, Error::Rpc { .. }) {
            live.want_look(turn);
        }
    }

    fn listened(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        number: u64,
        reply: Result<Vec<CallId>, Error>,
    ) {
        let Some(station) = self.servers.get_mut(server) else { return };
        let dropped = station.listened(turn, number, reply);
        self.calls.look_again(turn, dropped, |call| station.is_busy_with(call));
    }

    /// What came over a stream.
    fn pushed(&mut self, turn: &mut Turn<'_>, server: ServerId, number: u64, news: News) {
        let Some(station) = self.servers.get_mut(server) else { return };
        let Some(told_of) = station.stream(number) else { return };
        let error = match news {
            News::Task { call, look } => {
                if let Some(live) = self.calls.live.get_mut(&call).filter(|_| told_of.contains(&call)) {
                    live.pushed(turn, look, station.is_looking(call));
                }
                return;
            }
            News::Missed => {
                let calls = told_of.iter().copied().collect();
                return self.calls.look_again(turn, calls, |call| station.is_busy_with(call));
            }
            News::ToolsChanged => return station.tools_changed(turn),
            News::Ended => None,
            News::Cut(error) => Some(error),
        };
        let calls = &self.calls.live;
        let left: Vec<CallId> = told_of.iter().copied().filter(|call| calls.contains_key(call)).collect();
        station.stream_ended(turn, error.as_ref(), !left.is_empty());
        self.calls.look_again(turn, left, |call| station.is_busy_with(call));
    }

    /// A look is due.
    fn look(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get(&id).filter(|live| live.task_to_look_at().is_some()) else {
            return;
        };
        let urgent = live.urgent_at(turn.now.steady_ms);
        self.servers
            .get_mut(live.server())
            .into_iter()
            .for_each(|station| station.queue_look(turn, id, urgent));
    }

    fn expiry(&mut self, turn: &mut Turn<'_>, id: CallId) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        let open = self.servers.get(live.server()).is_some_and(|station| station.is_open());
        if live.expiry(turn, open) {
            self.look(turn, id);
        }
    }

    /// The subscription to a server is seen to.
    fn listen(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        if let Some(station) = self.servers.get_mut(server).filter(|station| station.may_listen()) {
            station.listen(turn, self.calls.followed_at(server));
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
