//! The store as a map: what would be on the disk.

use std::collections::BTreeMap;

use signalbox_model::{
    Call, CallId, Event, EventKind, InputRequest, Json, PayloadKind, RequestId, RequestState, Server,
    ServerId,
};
use signalbox_store::{Ids, Live, Write};

/// What has been committed.
#[derive(Debug, Default, Clone)]
pub(crate) struct Disk {
    pub(crate) servers: BTreeMap<ServerId, Server>,
    pub(crate) calls: BTreeMap<CallId, Call>,
    pub(crate) requests: BTreeMap<RequestId, InputRequest>,
    pub(crate) payloads: BTreeMap<(CallId, PayloadKind), Json>,
    pub(crate) tools: BTreeMap<ServerId, Json>,
    pub(crate) settings: BTreeMap<String, Json>,
    pub(crate) events: Vec<Event>,
    pub(crate) rounds: Vec<(CallId, Option<String>)>,
    /// The highest numbers ever seen: forgetting gives none back.
    highest: (u32, u32, u32),
    /// How many writes there were.
    pub(crate) writes: usize,
}

impl Disk {
    pub(crate) fn apply(&mut self, write: Write) {
        self.writes += 1;
        match write {
            Write::PutServer(server) => {
                self.highest.0 = self.highest.0.max(server.id.0);
                self.servers.insert(server.id, server);
            }
            Write::PutTools { server, tools } => {
                self.tools.insert(server, tools);
            }
            Write::PutCall(call) => {
                assert!(self.servers.contains_key(&call.server), "a call needs its server's row");
                self.highest.1 = self.highest.1.max(call.id.0);
                self.calls.insert(call.id, *call);
            }
            Write::PutPayload { call, kind, json } => {
                assert!(self.calls.contains_key(&call), "a payload needs its call's row");
                self.payloads.insert((call, kind), json);
            }
            Write::DropPayload { call, kind } => {
                self.payloads.remove(&(call, kind));
            }
            Write::PutRequest(request) => {
                let call = request.call.expect("the modern wire assigns every question");
                assert!(self.calls.contains_key(&call), "a question needs its call's row");
                let twin = self.requests.values().find(|r| r.identity == request.identity);
                assert!(twin.is_none_or(|twin| twin.id == request.id), "shown once: {request:?}");
                self.highest.2 = self.highest.2.max(request.id.0);
                self.requests.insert(request.id, *request);
            }
            Write::AddEvent(event) => {
                assert!(self.calls.contains_key(&event.call), "an event needs its call's row");
                self.events.push(event);
            }
            Write::ForgetCall(call) => {
                self.calls.remove(&call);
                self.requests.retain(|_, request| request.call != Some(call));
                self.payloads.retain(|(of, _), _| *of != call);
                self.events.retain(|event| event.call != call);
            }
            Write::PutRound { call, request_state, .. } => self.rounds.push((call, request_state)),
            Write::PutSetting { key, value } => {
                self.settings.insert(key, value);
            }
        }
    }

    /// What the engine would start from.
    pub(crate) fn live(&self) -> Live {
        let calls: Vec<Call> = self.calls.values().filter(|call| !call.ended()).cloned().collect();
        let over = [RequestState::Answered, RequestState::Closed, RequestState::Orphaned];
        let of_live = |request: &&InputRequest| {
            request.call.is_some_and(|id| calls.iter().any(|call| call.id == id))
                || !over.contains(&request.state)
        };
        let requests = self.requests.values().filter(of_live).cloned().collect();
        let (server, call, request) = self.highest;
        Live {
            seq: 1,
            ids: Ids {
                server: ServerId(server + 1),
                call: CallId(call + 1),
                request: RequestId(request + 1),
            },
            servers: self.servers.values().cloned().collect(),
            calls,
            requests,
            settings: Vec::new(),
        }
    }

    /// The timeline of a call in short.
    pub(crate) fn story(&self, call: CallId) -> Vec<EventKind> {
        self.events.iter().filter(|event| event.call == call).map(|event| event.kind).collect()
    }
}
