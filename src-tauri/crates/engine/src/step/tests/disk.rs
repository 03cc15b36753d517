//! The store as a map: what would be on the disk.

use std::collections::BTreeMap;

use signalbox_model::{
    Actor, Call, CallId, Decision, DecisionKind, Delivery, Event, EventKind, Identity, InputRequest, Json,
    Mode, Origin, PayloadKind, RequestId, RequestState, Server, ServerId, Status, Task, Timestamp,
};
use signalbox_store::{Ids, Live, OpenRound, Round, StoredSession, Undecided, Write};

use super::bench::{START, server};

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
    pub(crate) rounds: BTreeMap<CallId, Round>,
    /// The first round of a call of which the answer that asked it is still kept whole.
    pub(crate) shortened: BTreeMap<CallId, u32>,
    /// How long their tasks should be kept.
    wished: BTreeMap<CallId, Option<u32>>,
    pub(crate) sessions: BTreeMap<ServerId, StoredSession>,
    pub(crate) decisions: Vec<Decision>,
    /// The wishes to let go what is old; they change nothing here.
    pub(crate) sweeps: Vec<Write>,
    /// The highest numbers ever seen: forgetting gives none back.
    highest: (u32, u32, u32, u32),
    /// How often it was kept when a server last answered.
    pub(crate) heard: usize,
    /// How many other writes there were.
    pub(crate) writes: usize,
}

impl Disk {
    /// So many tasks on so many servers, left by an earlier run, each with an interval of five seconds and this TTL.
    pub(crate) fn left_behind(tasks: u32, servers: u32, ttl_ms: Option<i64>) -> Self {
        let mut disk = Self::default();
        for id in 1..=servers {
            disk.apply(Write::PutServer(server(id)));
        }
        for id in 1..=tasks {
            let (call, server) = (CallId(id), ServerId(1 + id % servers));
            let task = Task {
                task_id: format!("task-{id}"),
                status_message: None,
                created_at: None,
                last_updated_at: None,
                ttl_ms,
                unlimited: Some(false),
                poll_interval_ms: Some(5_000),
                expires_at: ttl_ms.map(|ms| START.plus_ms(ms)),
                seen_at: Timestamp(0),
            };
            disk.apply(Write::PutCall(Box::new(Call {
                delivery: Delivery::Answered,
                task: Some(task),
                next_poll_at: Some(Timestamp(0)),
                ..Call::new(call, server, Origin::Adopted, Timestamp(0))
            })));
            disk.apply(Write::AddDecision(Box::new(Decision {
                at: Timestamp(0),
                by: Actor::Person,
                kind: DecisionKind::Adopted,
                server,
                call: Some(call),
                request: None,
                schema: None,
                json: None,
                text: None,
                note: None,
                remark: None,
            })));
        }
        disk
    }

    pub(crate) fn apply(&mut self, write: Write) {
        if matches!(write, Write::Sweep { .. }) {
            self.sweeps.push(write);
            return;
        }
        if let Write::PutHeard { .. } = write {
            self.heard += 1;
        } else {
            self.writes += 1;
        }
        match write {
            Write::PutHeard { server, at } => {
                self.servers.get_mut(&server).expect("its server's row").heard_at = Some(at);
            }
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
                let end = |call: &Call| (call.outcome, call.ended_at);
                let before = self.calls.get(&call.id).filter(|before| before.ended());
                assert!(
                    before.is_none_or(|before| end(before) == end(&call)),
                    "terminal is terminal: {call:?}"
                );
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
                if let Some(call) = request.call {
                    assert!(self.calls.contains_key(&call), "a question needs its call's row");
                }
                let twin = self.requests.values().find(|r| r.identity == request.identity);
                assert!(twin.is_none_or(|twin| twin.id == request.id), "shown once: {request:?}");
                self.highest.2 = self.highest.2.max(request.id.0);
                let kept = self.requests.get(&request.id).filter(|_| request.is_bare()).cloned();
                let request =
                    kept.map_or(*request.clone(), |InputRequest { message, schema, url, raw, .. }| {
                        InputRequest { message, schema, url, raw, ..*request }
                    });
                self.requests.insert(request.id, request);
            }
            // Of secrets the store alone knows, and what a person keeps of a call nobody here follows.
            Write::DropUndelivered(_) | Write::PutTags { .. } | Write::PutRemark { .. } => {}
            Write::DropAsked(id) => {
                let asked = self.requests.get_mut(&id).expect("a question that is kept");
                let over = matches!(asked.state, RequestState::Answered | RequestState::Closed);
                assert!(over, "what is open keeps its words: {asked:?}");
                assert_eq!(asked.decided_by(), Some(Actor::Signalbox), "and so does what a person decided");
                (asked.raw, asked.schema) = (Json::of(&()), None);
            }
            Write::DropRequest(id) => {
                let undecided = |request: &InputRequest| {
                    request.state == RequestState::Closed
                        && request.answer.is_none()
                        && request.draft.is_none()
                };
                assert!(
                    self.requests.remove(&id).is_some_and(|request| undecided(&request)),
                    "nothing else goes"
                );
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
            Write::AddDecision(decision) => {
                assert!(self.servers.contains_key(&decision.server), "a decision names its server");
                self.decisions.push(*decision);
            }
            Write::Sweep { .. } => unreachable!("it has returned"),
            Write::PutRound { call, n, request_state, raw, ttl_ms } => {
                self.wished.insert(call, ttl_ms);
                let before = self.rounds.insert(call, Round { n, request_state, raw });
                assert!(before.is_none_or(|before| before.n < n), "rounds are counted up");
            }
            Write::ShortenRounds { call, before } => {
                let last = self.rounds.get(&call).map(|round| round.n);
                assert!(last.is_some_and(|last| before <= last), "the last round goes back with the answers");
                self.shortened.insert(call, before);
            }
            Write::PutSession(session) => {
                self.highest.3 = self.highest.3.max(session.n);
                self.sessions.insert(session.server, session);
            }
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
                || request.stranded()
        };
        let is_long = |request: &InputRequest| {
            !matches!(request.identity, Identity::Wire { .. }) && asks(request) > 8 * 1024
        };
        let bare = |request: &InputRequest| {
            let mut request = request.clone();
            if request.state == RequestState::Closed || is_long(&request) {
                request.strip();
            }
            request
        };
        let requests = self.requests.values().filter(of_live).map(bare).collect();
        let long = self.requests.values().filter(of_live).filter(|request| is_long(request));
        let stored = long
            .filter(|request| request.state != RequestState::Closed)
            .map(|request| (request.id, asks(request) as u64))
            .collect();
        let is_undecided = |request: &&InputRequest| {
            let begun = request.answer.is_some() || request.draft.is_some() || request.visited_at.is_some();
            request.state == RequestState::Closed && !begun
        };
        let undecided = self.requests.values().filter(of_live).filter(is_undecided).filter_map(|request| {
            let bytes = crate::room::weight(request) as u64;
            Some(Undecided { request: request.id, call: request.call?, bytes })
        });
        let undecided = undecided.collect();
        let (server, call, request, session) = self.highest;
        let open = |call: &CallId| calls.iter().any(|row| row.id == *call && row.task.is_none());
        let rounds = self.rounds.iter().filter(|(call, _)| open(call)).map(|(call, round)| OpenRound {
            call: *call,
            round: round.clone(),
            arguments: self.payloads.get(&(*call, PayloadKind::Arguments)).cloned(),
            ttl_ms: self.wished.get(call).copied().flatten(),
        });
        let rounds = rounds.collect();
        Live {
            seq: 1,
            ids: Ids {
                server: ServerId(server + 1),
                call: CallId(call + 1),
                request: RequestId(request + 1),
                session: session + 1,
            },
            servers: self.servers.values().cloned().collect(),
            completed: self
                .calls
                .values()
                .filter(|call| call.ended() && call.status == Status::Completed)
                .map(|call| call.id)
                .collect(),
            calls,
            requests,
            stored,
            undecided,
            settings: Vec::new(),
            tools: self.tools.iter().map(|(server, tools)| (*server, tools.clone())).collect(),
            rounds,
            sessions: self.sessions.values().cloned().collect(),
            newest: self.decisions.last().map(|entry| entry.at).max(self.events.last().map(|event| event.at)),
        }
    }

    /// The timeline of a call in short.
    pub(crate) fn story(&self, call: CallId) -> Vec<EventKind> {
        self.events.iter().filter(|event| event.call == call).map(|event| event.kind).collect()
    }
}

/// What a question asks, in bytes, but for a page, which stays with it.
fn asks(request: &InputRequest) -> usize {
    let url = request.url.as_ref().filter(|_| request.mode != Mode::Url);
    request.message.len()
        + request.raw.text().len()
        + request.schema.as_ref().map_or(0, |schema| schema.text().len())
        + url.map_or(0, String::len)
}
