//! What servers answer to our requests: each answer says something of its server, and something of what it was about.

use signalbox_mcp::{Called, Error, FoundServer, Sent, SessionReplied};
use signalbox_model::{CallId, Json, RequestId, ServerId};

use super::{Next, Turn, call::Asked, legacy::Verdict};
use crate::{TaskState, note, shared::Errand, state::Rooms};

impl Rooms {
    /// There was no connection for `tools/call`.
    pub(super) fn not_sent(&mut self, turn: &mut Turn<'_>, id: CallId, error: Error) {
        let Some(live) = self.calls.live.get_mut(&id) else { return };
        let Some(station) = self.servers.get_mut(live.server()) else { return };
        station.broken(turn, &error);
        live.not_sent(turn, &station.cause(error));
    }

    pub(super) fn called(&mut self, turn: &mut Turn<'_>, id: CallId, reply: Result<Called, Error>) {
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
            Err(error) => live.failed(turn, &station.cause(error)),
        }
    }

    pub(super) fn polled(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        id: CallId,
        reply: Result<TaskState, Error>,
    ) {
        let Some(station) = self.servers.get_mut(server) else { return };
        let ours = station.polled(turn, id, &reply);
        station.answered(turn, reply.as_ref().err());
        let replaced = self.sessions.get(server).is_some_and(|session| session.replaced);
        let asked = Asked { wire: station.server.wire, replaced };
        if let Some(live) = self.calls.live.get_mut(&id).filter(|_| ours) {
            live.polled(turn, reply, asked);
        }
    }

    pub(super) fn updated(
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
            live.updated(turn, requests, reply, station.is_polling(call));
            live.want_poll(turn);
        }
    }

    pub(super) fn cancel_sent(
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
            live.want_poll(turn);
        }
    }

    pub(super) fn discovered(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        reply: Result<FoundServer, Error>,
    ) {
        let Some(station) = self.servers.get_mut(server) else { return };
        if !station.discovered(turn, reply)
            && station.is_open()
            && let Some(session) = self.sessions.get_mut(server)
        {
            session.connect_later(turn);
        }
    }

    /// `tasks/result` is over.
    pub(super) fn resulted(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        id: CallId,
        reply: Result<Json, Error>,
    ) {
        let Some(session) = self.sessions.get_mut(server) else { return };
        let live = self.calls.live.get_mut(&id).filter(|live| !live.call.ended());
        let verdict = session.resulted(turn, id, reply, live.as_ref().map(|live| live.call.status));
        if let (Some(said), Some(station)) = (verdict.of_server(), self.servers.get_mut(server)) {
            station.answered(turn, said.err());
        }
        let Some(live) = live else { return };
        if let Some(trouble) = verdict.trouble() {
            live.in_trouble(turn, note(trouble));
        }
        match verdict {
            Verdict::MadeRoom | Verdict::Cut | Verdict::Failed(_) => {}
            Verdict::Came(raw) => live.result_came(turn, raw),
            Verdict::SaidNothing | Verdict::AskTheTask(_) => live.want_poll(turn),
            Verdict::OwnError { raw, error } => live.result_refused(turn, raw, note(&error)),
        }
    }

    pub(super) fn replied(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        id: RequestId,
        reply: &Result<SessionReplied, Error>,
    ) {
        let Some(session) = self.sessions.get_mut(server) else { return };
        let Some(call) = session.replied(turn, id, reply) else { return };
        if self.calls.live.get(&call).is_none_or(|live| live.call.ended()) {
            // It ended before this was told.
            session.let_guesses_go(turn, call);
        }
        turn.then(Next::Count(call));
        // What it asks next it asks on a request for its result, which may have made room for others.
        turn.then(Next::Result(call));
    }

    pub(super) fn listened(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
        number: u64,
        reply: Result<Vec<CallId>, Error>,
    ) {
        let Some(station) = self.servers.get_mut(server) else { return };
        let dropped = station.listened(turn, number, reply);
        self.calls.poll_again(turn, dropped, |call| station.is_busy_with(call));
    }
}
