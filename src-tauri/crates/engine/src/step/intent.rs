//! What people and scripts want: servers, starting, adopting, cancelling, forgetting, settings.

use std::sync::Arc;

use signalbox_model::{
    Call, CallId, Cancel, Delivery, EventKind, Health, Json, Note, Origin, Outcome, PayloadKind, Server,
    ServerId, Status, Task, Timestamp, Tracking,
};
use signalbox_store::Write;

use super::Turn;
use crate::{
    Effect, Granted, Intent, Refusal, State, Token, Undo,
    schedule::Due,
    state::{Gate, Live, NextIds, Station},
    summary,
};

impl State {
    pub(super) fn intent(&mut self, turn: &mut Turn, token: Token, intent: Intent) {
        let refused = match intent {
            Intent::AddServer(server) => self.add_server(turn, token, server),
            Intent::PutServer(server) => self.put_server(turn, token, server),
            Intent::Check(server) => self.check(turn, token, server),
            Intent::Start { server, tool, arguments } => self.start(turn, token, server, tool, arguments),
            Intent::Track { server, task_id } => self.track(turn, token, server, task_id),
            Intent::Refresh(call) => self.refresh(turn, token, call),
            Intent::Cancel(call) => self.cancel(turn, token, call),
            Intent::Forget(call) => self.forget(turn, token, call),
            Intent::Answer { request, action, content, hold_ms } => {
                self.answer(turn, token, request, action, content, hold_ms)
            }
            Intent::Undo(request) => self.undo(turn, token, request),
            Intent::SaveDraft { request, draft } => self.save_draft(turn, token, request, draft),
            Intent::PutSetting { key, value, tuning } => {
                self.tuning = tuning;
                turn.intent(Undo::Nothing);
                turn.write(Write::PutSetting { key, value });
                turn.reply(token, Ok(Granted::Done));
                Ok(())
            }
        };
        if let Err(refusal) = refused {
            turn.reply(token, Err(refusal));
        }
    }

    fn name_is_free(&self, name: &str, except: Option<ServerId>) -> Result<(), Refusal> {
        let taken = self.servers.values().any(|station| {
            let server = &station.server;
            server.removed_at.is_none() && server.name == name && Some(server.id) != except
        });
        if taken { Err(Refusal::NameTaken(name.to_owned())) } else { Ok(()) }
    }

    fn add_server(&mut self, turn: &mut Turn, token: Token, mut server: Server) -> Result<(), Refusal> {
        self.name_is_free(&server.name, None)?;
        server.id = ServerId(NextIds::take(&mut self.next.server));
        server.created_at = turn.now.wall;
        turn.intent(Undo::Server(server.id, None));
        turn.write(Write::PutServer(server.clone()));
        turn.reply(token, Ok(Granted::Server(server.id)));
        self.servers.insert(server.id, Station::new(server));
        Ok(())
    }

    fn put_server(&mut self, turn: &mut Turn, token: Token, mut server: Server) -> Result<(), Refusal> {
        if server.removed_at.is_none() {
            self.name_is_free(&server.name, Some(server.id))?;
        }
        let Some(station) = self.servers.get_mut(&server.id) else { return Err(Refusal::UnknownServer) };
        if server.removed_at.is_some() && !station.calls.is_empty() {
            let mut calls: Vec<CallId> = station.calls.iter().copied().collect();
            calls.sort_unstable();
            return Err(Refusal::LiveTasks(calls));
        }
        let before = station.server.clone();
        let moved = before.transport != server.transport;
        let switched = before.enabled != server.enabled || before.removed_at != server.removed_at;
        if moved || switched {
            server.health = Health::Unknown;
            station.flaky = 0;
            station.gate =
                if server.enabled && server.removed_at.is_none() { Gate::Open } else { Gate::Shut };
            turn.after(Effect::Disconnect { server: server.id });
        }
        if moved {
            station.transport = Arc::new(server.transport.clone());
        }
        station.server = server.clone();
        let (id, open) = (server.id, station.gate == Gate::Open);
        turn.intent(Undo::Server(id, Some(Box::new(before))));
        turn.write(Write::PutServer(server));
        turn.reply(token, Ok(Granted::Server(id)));
        if moved || switched {
            self.schedule.clear(Due::Probe(id));
            if open {
                self.spread_looks(turn, id);
            }
        }
        Ok(())
    }

    fn check(&mut self, turn: &mut Turn, token: Token, id: ServerId) -> Result<(), Refusal> {
        let Some(station) = self.servers.get_mut(&id) else { return Err(Refusal::UnknownServer) };
        if !station.server.enabled || station.server.removed_at.is_some() {
            return Err(Refusal::Disabled);
        }
        station.waiters.push(token);
        turn.after(Effect::Discover { line: station.line() });
        Ok(())
    }

    fn open_station(&mut self, id: ServerId) -> Result<&mut Station, Refusal> {
        let station = self.servers.get_mut(&id).ok_or(Refusal::UnknownServer)?;
        if station.server.removed_at.is_some() {
            return Err(Refusal::UnknownServer);
        }
        if !station.server.enabled {
            return Err(Refusal::Disabled);
        }
        Ok(station)
    }

    fn start(
        &mut self,
        turn: &mut Turn,
        token: Token,
        server: ServerId,
        tool: String,
        arguments: Json,
    ) -> Result<(), Refusal> {
        let (line, wire) = self.open_station(server).map(|station| (station.line(), station.server.wire))?;
        let id = CallId(NextIds::take(&mut self.next.call));
        let mut call = new_call(id, server, Origin::Started, turn.now.wall);
        call.wire = wire;
        call.tool.clone_from(&tool);
        call.summary = summary(&arguments);
        // Sent is written together with the intent: after a crash in between we honestly do not know.
        call.delivery = Delivery::Sent;
        turn.intent(Undo::NewCall(id));
        turn.put(&call);
        turn.write(Write::PutPayload { call: id, kind: PayloadKind::Arguments, json: arguments.clone() });
        turn.event(id, EventKind::Called, None, None);
        turn.reply(token, Ok(Granted::Call(id)));
        turn.after(Effect::CallTool { line, call: id, tool, arguments });
        self.follow(call);
        Ok(())
    }

    fn track(
        &mut self,
        turn: &mut Turn,
        token: Token,
        server: ServerId,
        task_id: String,
    ) -> Result<(), Refusal> {
        let wire = self.open_station(server)?.server.wire;
        let followed = self.calls.values().find(|live| {
            live.call.server == server && live.call.task.as_ref().is_some_and(|task| task.task_id == task_id)
        });
        if let Some(live) = followed {
            return Err(Refusal::Followed(live.call.id));
        }
        let id = CallId(NextIds::take(&mut self.next.call));
        let mut call = new_call(id, server, Origin::Adopted, turn.now.wall);
        call.wire = wire;
        call.delivery = Delivery::Answered;
        call.status = Status::Unknown;
        call.task = Some(Task {
            task_id,
            status_message: None,
            created_at: None,
            last_updated_at: None,
            ttl_ms: None,
            poll_interval_ms: None,
            expires_at: None,
            seen_at: turn.now.wall,
        });
        turn.intent(Undo::NewCall(id));
        turn.put(&call);
        turn.event(id, EventKind::Adopted, None, None);
        turn.reply(token, Ok(Granted::Call(id)));
        self.follow(call);
        self.schedule.set(Due::Poll(id), turn.now.steady_ms);
        Ok(())
    }

    /// Takes a new call into memory.
    fn follow(&mut self, call: Call) {
        if let Some(station) = self.servers.get_mut(&call.server) {
            station.calls.insert(call.id);
        }
        self.calls.insert(call.id, Live::new(call));
    }

    fn cancel(&mut self, turn: &mut Turn, token: Token, id: CallId) -> Result<(), Refusal> {
        let Some(live) = self.calls.get_mut(&id) else { return Err(Refusal::UnknownCall) };
        if live.call.ended() {
            return Err(Refusal::Closed);
        }
        let again = live.call.cancel.is_some();
        let tasks = self.servers.get(&live.call.server).is_some_and(|station| station.server.tasks);
        turn.intent(Undo::Cancel(id));
        turn.reply(token, Ok(Granted::Done));
        if !again {
            live.call.cancel = Some(Cancel { requested_at: turn.now.wall, acknowledged_at: None });
            let call = live.call.clone();
            turn.put(&call);
            turn.event(id, EventKind::CancelRequested, None, None);
        }
        if live.call.task.is_some() {
            self.send_cancel(turn, id);
        } else if again || !tasks {
            // A server with tasks may be about to hand us a handle that must not be lost: the first wish waits for it.
            turn.after(Effect::Abandon { call: id });
            if let Some(live) = self.calls.get_mut(&id) {
                live.call.status = Status::Cancelled;
            }
            let message = "We stopped waiting for the answer; the server may still be at work".to_owned();
            self.finish(turn, id, Outcome::Cancelled, Some(Note { code: "lost".to_owned(), message }));
        }
        Ok(())
    }

    /// Sends the wish to cancel, if it is not on its way and may go.
    pub(super) fn send_cancel(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let wanted = live.call.cancel.as_ref().is_some_and(|cancel| cancel.acknowledged_at.is_none());
        let Some(station) = self.servers.get(&live.call.server) else { return };
        if !wanted || live.cancelling || live.call.ended() || station.gate != Gate::Open {
            return;
        }
        let Some(task) = &live.call.task else { return };
        live.cancelling = true;
        turn.after(Effect::CancelTask { line: station.line(), call: id, task_id: task.task_id.clone() });
    }

    fn forget(&mut self, turn: &mut Turn, token: Token, id: CallId) -> Result<(), Refusal> {
        turn.intent(Undo::Forgotten);
        turn.write(Write::ForgetCall(id));
        turn.reply(token, Ok(Granted::Done));
        if self.calls.get(&id).is_some_and(|live| live.call.delivery == Delivery::Sent) {
            turn.after(Effect::Abandon { call: id });
        }
        self.drop_call(id);
        Ok(())
    }
}

fn new_call(id: CallId, server: ServerId, origin: Origin, now: Timestamp) -> Call {
    Call {
        id,
        server,
        wire: None,
        tool: String::new(),
        summary: String::new(),
        origin,
        created_at: now,
        delivery: Delivery::Queued,
        status: Status::Working,
        status_text: None,
        outcome: None,
        tracking: Tracking::Live,
        note: None,
        task: None,
        cancel: None,
        ended_at: None,
        next_poll_at: None,
        open_requests: 0,
    }
}
