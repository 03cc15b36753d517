//! The legacy wire: results that are held, questions that live with their connection, tasks that we host.

mod call_of;
mod hosted;
mod put_away;
mod questions;
mod replays;
mod replies;
mod results;
mod sessions;

use signalbox_mcp::{
    Channel, Error, FoundServer, ProgressView, QuestionView, SavedSession, ServerAsk, ServerNews,
    ServerNotification, ServerRequest, SessionEvent, SessionReplied, SessionReply, Stage, TaskView, TaskWish,
};
use signalbox_model::{
    Action, Actor, Attention, CallId, CloseReason, DecisionKind, EventKind, InputRequest, Json, Outcome,
    RequestId, RequestState, Server, Settled, Snooze, Status, Tracking, Transport, Wire,
};

use super::bench::*;
use crate::{
    Follow, Granted, Input, Intent, Refusal, Tuning,
    room::{Closed, Room},
    step::{Session, call::MOST_OPEN},
};

const LINK: u64 = 1;

pub(super) fn session_over() -> Error {
    Error::Unreachable { stage: Stage::Session, why: "gone".into(), retry_after: None }
}

pub(super) fn state(status: &str, more: &str) -> Json {
    json(&format!(r#"{{"taskId":"x","status":"{status}","ttl":null,"pollInterval":1000{more}}}"#))
}

/// What a server of this wire says of itself.
pub(super) fn legacy_found() -> FoundServer {
    let mut found = FoundServer { wire: Wire::Legacy, ..found() };
    found.server.capabilities = json(r#"{"tasks":{"list":{},"cancel":{}}}"#);
    found
}

/// The server's request of this id, on a channel of its own.
pub(super) fn asks(rpc: &str, message: &str, related_task: Option<&str>) -> ServerRequest {
    let raw = json(&format!(
        r#"{{"jsonrpc":"2.0","id":{rpc},"method":"elicitation/create","params":{{"message":"{message}","requestedSchema":{{"type":"object"}}}}}}"#
    ));
    ServerRequest {
        id: rpc.to_owned(),
        ask: ServerAsk::Elicitation(QuestionView::read(&raw)),
        related_task: related_task.map(str::to_owned),
        as_task: None,
        channel: Channel::Push,
        raw,
    }
}

impl Bench {
    pub(super) fn legacy() -> Self {
        let mut bench = Self::new();
        bench.connect(LINK, false);
        bench
    }

    pub(super) fn connect(&mut self, link: u64, resumed: bool) {
        self.feed(Input::Found { server: SERVER, found: Box::new(legacy_found()) });
        let saved = Some(SavedSession { id: "secret".to_owned(), initialized: json("{}") });
        self.feed(Input::Connected { server: SERVER, link, saved, resumed });
    }

    fn hear_on(&mut self, link: u64, event: SessionEvent) {
        let fresh = Some("hosted-1".to_owned());
        self.feed(Input::Heard { server: SERVER, link, event: Box::new(event), fresh });
    }

    pub(super) fn hear(&mut self, request: ServerRequest) {
        self.hear_on(LINK, SessionEvent::Request(Box::new(request)));
    }

    pub(super) fn news(&mut self, news: ServerNews) {
        let (related_task, channel) = (None, Channel::Push);
        let notification = ServerNotification { news, related_task, channel, raw: json("{}") };
        self.hear_on(LINK, SessionEvent::Notification(Box::new(notification)));
    }

    /// The last question that was asked.
    fn last(&self) -> &InputRequest {
        self.disk.requests.values().last().expect("a question")
    }

    fn holds(&self, held: bool) -> usize {
        self.flights.iter().filter(|f| matches!(f, Flight::Result { held: h, .. } if *h == held)).count()
    }

    /// The calls whose results are held.
    fn held(&self) -> Vec<CallId> {
        let of = |flight: &Flight| match flight {
            Flight::Result { call, held: true, .. } => Some(*call),
            _ => None,
        };
        self.flights.iter().filter_map(of).collect()
    }

    fn result(&mut self, call: CallId, reply: Result<Json, Error>) {
        self.land("tasks/result", |f| matches!(f, Flight::Result { call: c, .. } if *c == call));
        self.feed(Input::Resulted { server: SERVER, call, reply });
    }

    fn replied(&mut self, request: RequestId, reply: Result<SessionReplied, Error>) {
        self.feed(Input::Replied { server: SERVER, request, reply });
    }

    /// What went out for this question.
    fn replies_to(&self, request: RequestId) -> Vec<&SessionReply> {
        let of = self.wire_replies.iter().filter(|(_, _, of)| *of == Some(request));
        of.map(|(_, reply, _)| reply).collect()
    }
}

/// A task that has asked on the request for its result.
fn asked() -> (Bench, CallId, RequestId) {
    let mut bench = Bench::legacy();
    let call = bench.task();
    bench.poll(call, Ok(state("input_required", "")));
    bench.hear(asks("7", "Really?", Some("task-1")));
    let id = bench.last().id;
    (bench, call, id)
}
