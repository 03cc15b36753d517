//! A state under test with a clock, a disk and a wire that the test holds in its hands.
//!
//! Longer than most: one page with every way a test can move time, the wire and people.

use std::collections::BTreeMap;

use signalbox_mcp::{
    CallReply, Called, Discovered, Error, FoundServer, RoundAnswers, Sent, SessionReply, Stage, TaskView,
};
pub(crate) use signalbox_model::NoteCode;
use signalbox_model::{
    Action, Call, CallId, InputRequest, Json, Push, RequestId, RequestState, Server, ServerId, Timestamp,
    Transport, Wire,
};
use signalbox_store::{BatchKind, CommitError};

use super::{
    audit::{Audit, polls_are_permitted, silence_is_kept},
    counted,
    disk::Disk,
    planted::{self, Fault},
    twice,
};
use crate::{
    Effect, Follow, Granted, Input, Intent, Line, List, Notice, Now, Output, Refusal, State, Token, Tuning,
    schedule::SLOT,
};

pub(crate) const SERVER: ServerId = ServerId(1);
/// When the first run begins.
pub(crate) const START: Timestamp = Timestamp(1_800_000_000_000);
/// When a poll comes at the latest whose interval is a second: with its jitter, in the next slot.
pub(crate) const LATEST: u64 = 1_100 + SLOT;
/// Longer than any poll interval here with its jitter.
pub(crate) const A_WHILE: u64 = 6_000;

/// A request on the wire.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Flight {
    Call { server: ServerId, call: CallId, round: Option<RoundAnswers> },
    Poll { server: ServerId, call: CallId },
    Update { call: CallId, requests: Vec<RequestId>, responses: Vec<(String, Json)> },
    Cancel { call: CallId },
    Discover { server: ServerId },
    Result { server: ServerId, call: CallId, held: bool },
}

/// A reply of ours to a request of the server, on its way (legacy wire).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WireReply {
    pub(crate) server: ServerId,
    pub(crate) link: u64,
    /// The id of the server's request.
    pub(crate) rpc: String,
    pub(crate) reply: SessionReply,
    /// The question that it answers, if a person was asked.
    pub(crate) request: Option<RequestId>,
}

/// What a connection of the legacy wire was told to do, for whoever plays it.
#[derive(Debug)]
pub(crate) enum ToLine {
    Remember(Vec<Json>),
    Close(String),
    Disconnect,
}

pub(crate) struct Bench {
    pub(crate) state: State,
    pub(crate) now: Now,
    seed: u64,
    pub(crate) disk: Disk,
    pub(crate) flights: Vec<Flight>,
    pub(crate) replies: BTreeMap<Token, Result<Granted, Refusal>>,
    pub(crate) asked: Vec<Token>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) given_up: Vec<CallId>,
    /// How long the task of each call on the wire should be kept.
    pub(crate) wished: Vec<Option<u32>>,
    /// Held requests that were given up.
    pub(crate) let_go: Vec<CallId>,
    /// Replies on the legacy wire: to which request, what, for which question.
    pub(crate) wire_replies: Vec<(String, SessionReply, Option<RequestId>)>,
    /// The same, for whoever takes them off when it is known what became of them.
    pub(crate) replies_out: Vec<WireReply>,
    pub(crate) to_lines: Vec<(ServerId, ToLine)>,
    pub(crate) remembered: Vec<Json>,
    pub(crate) closed_requests: Vec<String>,
    pub(crate) disconnected: usize,
    /// Servers take subscriptions: the test answers [`Bench::listens`]. Else they refuse them at once.
    pub(crate) pushes: bool,
    /// Streams that were asked for and not answered yet: their numbers, and for whose tasks.
    pub(crate) listens: Vec<(ServerId, u64, Vec<CallId>)>,
    /// How often all streams of a server were dropped.
    pub(crate) stopped: usize,
    pub(crate) shown: Option<Push>,
    /// When servers last answered, each time that it was shown.
    pub(crate) heard: Vec<(ServerId, Option<Timestamp>)>,
    /// How many questions are not taken, as shown.
    pub(crate) left: u32,
    /// How often tools were asked for.
    pub(crate) lists: usize,
    /// Who waits for a list, of which server: the driver answers them.
    pub(crate) listings: Vec<(Token, ServerId, List)>,
    /// Intents cannot be committed.
    pub(crate) full: bool,
    audit: Audit,
}

pub(crate) fn server(id: u32) -> Server {
    Server::new(
        ServerId(id),
        format!("server {id}"),
        Transport::Http { url: format!("http://127.0.0.1:{id}/mcp"), headers: Vec::new() },
    )
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn found() -> FoundServer {
    let server = Discovered {
        protocol_version: "2026-07-28".to_owned(),
        name: "peer".to_owned(),
        version: "1".to_owned(),
        title: None,
        capabilities: json("{}"),
        tasks: true,
        instructions: None,
        raw: json("{}"),
        latency: std::time::Duration::from_millis(3),
    };
    FoundServer { wire: Wire::Modern, server, lists_tasks: false, cancels_tasks: true, clock: None }
}

pub(crate) fn called(text: &str) -> Called {
    let raw = json(text);
    let reply = match text {
        _ if text.contains(r#""resultType":"task""#) => CallReply::Task(TaskView::read(&raw)),
        _ if text.contains(r#""resultType":"input_required""#) => CallReply::InputRequired {
            request_state: Some("opaque".to_owned()),
            input_requests: TaskView::read(&raw).input_requests,
        },
        _ => CallReply::Complete,
    };
    Called { raw, reply }
}

/// A task that works, with a poll interval of one second and `more` members.
pub(crate) fn working(more: &str) -> Json {
    json(&format!(r#"{{"status":"working","pollIntervalMs":1000,"ttlMs":null{more}}}"#))
}

/// A task that asks for these keys.
pub(crate) fn asking(keys: &[&str]) -> Json {
    let question = r#"{"method":"elicitation/create","params":{"message":"Really?","requestedSchema":{"type":"object"}}}"#;
    let asked: Vec<String> = keys.iter().map(|key| format!("{key:?}:{question}")).collect();
    let asked = asked.join(",");
    json(&format!(
        r#"{{"status":"input_required","pollIntervalMs":1000,"ttlMs":null,"inputRequests":{{{asked}}}}}"#
    ))
}

/// A round of questions on the call itself.
pub(crate) fn round(keys: &[&str]) -> Called {
    called(&asking(keys).text().replacen('{', r#"{"resultType":"input_required","#, 1))
}

pub(crate) fn done() -> Json {
    json(r#"{"status":"completed","result":{"content":[]}}"#)
}

pub(crate) fn forgetting(call: CallId) -> Intent {
    Intent::Forget { call, server: SERVER }
}

pub(crate) fn rpc(code: i64) -> Error {
    Error::Rpc { code, message: "no".to_owned(), data: None, raw: json(r#"{"code":1}"#) }
}

pub(crate) fn unreachable() -> Error {
    Error::Unreachable { stage: Stage::Connect, why: "refused".into(), retry_after: None }
}

pub(crate) fn lost() -> Error {
    Error::Lost { why: "cut".into() }
}

pub(crate) fn exited() -> Error {
    Error::Exited { code: Some(1), stderr: "boom".to_owned(), sent: Sent::Maybe, retry_after: None }
}

impl Bench {
    /// With server 1, which has tasks.
    pub(crate) fn new() -> Self {
        let mut bench = Self::over(Disk::default(), Follow::All);
        bench.meet(SERVER);
        bench
    }

    /// One more server, which has tasks.
    pub(crate) fn meet(&mut self, id: ServerId) {
        self.wish(Intent::AddServer(server(id.0))).unwrap();
        self.feed(Input::Found { server: id, found: Box::new(found()) });
    }

    /// What a start over this disk gives.
    pub(crate) fn over(disk: Disk, follow: Follow) -> Self {
        let now = Now { wall: START, steady_ms: 0 };
        Self::start(disk, follow, now, Audit::default())
    }

    fn start(disk: Disk, follow: Follow, now: Now, audit: Audit) -> Self {
        let (state, output) = State::load(now, 7, disk.live(), Tuning::default(), follow);
        let mut bench = Self {
            state,
            now,
            seed: 7,
            disk,
            flights: Vec::new(),
            replies: BTreeMap::new(),
            asked: Vec::new(),
            notices: Vec::new(),
            given_up: Vec::new(),
            wished: Vec::new(),
            let_go: Vec::new(),
            wire_replies: Vec::new(),
            replies_out: Vec::new(),
            to_lines: Vec::new(),
            remembered: Vec::new(),
            closed_requests: Vec::new(),
            disconnected: 0,
            pushes: false,
            listens: Vec::new(),
            stopped: 0,
            shown: None,
            heard: Vec::new(),
            left: 0,
            lists: 0,
            listings: Vec::new(),
            full: false,
            audit,
        };
        bench.take(None, output);
        bench
    }

    /// The engine dies with everything on the wire, and another one starts over its disk `ms` later. What was sent
    /// stays sent.
    pub(crate) fn restart(self, ms: u64, follow: Follow) -> Self {
        let now = Now { wall: self.now.plus_ms(ms).wall, steady_ms: 0 };
        let pushes = self.pushes;
        Self { pushes, ..Self::start(self.disk, follow, now, self.audit) }
    }

    pub(crate) fn feed(&mut self, mut input: Input) {
        self.audit.of_input(&input);
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let wished_by = input.wished_by();
        let came = planted::before(&mut self.state, &mut input);
        let mut output = self.state.step(self.now, self.seed, input);
        planted::after(&came, &mut self.state, &self.disk, self.now, &mut output);
        counted::count(&output);
        self.take(wished_by, output);
    }

    /// `wished_by`: who alone is told when a wish cannot be kept.
    fn take(&mut self, wished_by: Option<Token>, output: Output) {
        twice::note(&output);
        let Output { writes, kind, undo, mut after_commit } = output;
        if self.full && kind == BatchKind::Intent && !writes.is_empty() {
            let token = wished_by.expect("only a wish is of this kind");
            self.replies.insert(token, Err(Refusal::Storage(CommitError::Full)));
            self.feed(Input::CommitFailed { undo, error: CommitError::Full });
            return;
        }
        if planted::is(Fault::EffectsFirst) {
            std::mem::take(&mut after_commit).into_iter().for_each(|effect| self.act(effect));
        }
        for write in writes {
            self.disk.apply(write);
        }
        self.audit.of_disk(&self.disk);
        silence_is_kept(&self.state, self.now.steady_ms, &after_commit);
        polls_are_permitted(&self.state, self.now.steady_ms, &after_commit);
        for effect in after_commit {
            self.act(effect);
        }
        let wire = (self.flights.as_slice(), &*self.unanswered());
        self.audit.of_state(&self.state, &self.disk, wire, self.now.steady_ms);
        if !self.pushes {
            for (server, number, _) in std::mem::take(&mut self.listens) {
                self.feed(Input::Listening { server, number, reply: Err(rpc(-32601)) });
            }
        }
    }

    fn act(&mut self, effect: Effect) {
        self.audit.of_effect(&effect, &self.disk, &self.flights);
        let flight = match effect {
            Effect::Reply { token, result } => {
                self.replies.entry(token).or_insert(result);
                return;
            }
            Effect::Notify(notice) => return self.notices.push(notice),
            Effect::Abandon { call } => {
                self.given_up.push(call);
                let call_of = |flight: &Flight| matches!(flight, Flight::Call { call: c, .. } if *c == call);
                return self.flights.retain(|flight| !call_of(flight));
            }
            Effect::Disconnect { server } => {
                self.to_lines.push((server, ToLine::Disconnect));
                self.disconnected += 1;
                return;
            }
            Effect::Listen { line, number, tasks } => {
                let calls = tasks.into_iter().map(|(call, _)| call).collect();
                return self.listens.push((line.server, number, calls));
            }
            Effect::StopListening { server } => {
                self.stopped += 1;
                return self.listens.retain(|(of, ..)| *of != server);
            }
            Effect::ShowHeard { server, at } => return self.heard.push((server, at)),
            Effect::ShowLeft { questions, .. } => {
                self.left = questions;
                return;
            }
            Effect::ShowPush { push, .. } => {
                self.shown = push;
                return;
            }
            Effect::ListTools { .. } => {
                self.lists += 1;
                return;
            }
            Effect::List { line, list, token } => return self.listings.push((token, line.server, list)),
            Effect::CallTool { line: Line { server, .. }, call, round, ttl_ms, .. } => {
                self.wished.push(ttl_ms);
                Flight::Call { server, call, round }
            }
            Effect::GetTask { line: Line { server, .. }, call, .. } => Flight::Poll { server, call },
            Effect::UpdateTask { call, requests, responses, .. } => {
                Flight::Update { call, requests, responses }
            }
            Effect::CancelTask { call, .. } => Flight::Cancel { call },
            Effect::GetResult { line, call, held, .. } => Flight::Result { server: line.server, call, held },
            Effect::ReplyOnWire { server, link, rpc, reply, request } => {
                self.wire_replies.push((rpc.clone(), reply.clone(), request));
                self.replies_out.push(WireReply { server, link, rpc, reply, request });
                return;
            }
            Effect::LetGo { call } => return self.let_go.push(call),
            Effect::Remember { server, requests, .. } => {
                self.to_lines.push((server, ToLine::Remember(requests.clone())));
                return self.remembered.extend(requests);
            }
            Effect::CloseRequest { server, rpc, .. } => {
                self.to_lines.push((server, ToLine::Close(rpc.clone())));
                return self.closed_requests.push(rpc);
            }
            Effect::Discover { line } => Flight::Discover { server: line.server },
        };
        self.flights.push(flight);
    }

    fn unanswered(&self) -> Vec<Token> {
        let has_list = |token: &Token| self.listings.iter().any(|(of, ..)| of == token);
        let waits = |token: &&Token| !self.replies.contains_key(token) && !has_list(token);
        self.asked.iter().filter(waits).copied().collect()
    }

    /// Time passes, and everything that becomes due happens at its time.
    pub(crate) fn pass(&mut self, ms: u64) {
        let end = self.now.plus_ms(ms);
        while let Some(due) = self.state.next_due().filter(|due| *due <= end.steady_ms) {
            self.now = self.now.plus_ms(due.saturating_sub(self.now.steady_ms));
            self.feed(Input::Tick);
            let next = self.state.next_due();
            assert!(next.is_none_or(|next| next > self.now.steady_ms), "what was due must not stay due");
        }
        self.now = end;
    }

    /// Asks for something without waiting for the answer.
    pub(crate) fn ask(&mut self, intent: Intent) -> Token {
        let token = Token(self.asked.len() as u64);
        self.asked.push(token);
        self.feed(Input::Intent { token, intent: Box::new(intent) });
        token
    }

    pub(crate) fn wish(&mut self, intent: Intent) -> Result<Granted, Refusal> {
        let token = self.ask(intent);
        self.replies.get(&token).cloned().expect("the wish should be answered at once")
    }

    pub(crate) fn forget(&mut self, call: CallId) -> Result<Granted, Refusal> {
        self.wish(forgetting(call))
    }

    /// Takes a request off the wire.
    pub(crate) fn land(&mut self, what: &str, is: impl Fn(&Flight) -> bool) -> Flight {
        let at = self.flights.iter().position(is);
        let at = at.unwrap_or_else(|| panic!("{what} should be on the wire: {:?}", self.flights));
        self.flights.remove(at)
    }

    /// A tool call whose request is on the wire.
    pub(crate) fn call(&mut self) -> CallId {
        let intent = Intent::Start {
            server: SERVER,
            tool: "deploy".to_owned(),
            arguments: json(r#"{"a":1}"#),
            ttl_ms: None,
        };
        match self.wish(intent) {
            Ok(Granted::Call(call)) => call,
            other => panic!("the call should start: {other:?}"),
        }
    }

    pub(crate) fn reply_call(&mut self, call: CallId, reply: Result<Called, Error>) {
        self.land("tools/call", |flight| matches!(flight, Flight::Call { call: c, .. } if *c == call));
        self.feed(Input::Called { call, reply: reply.map(Box::new) });
    }

    /// A task that works, before its first poll.
    pub(crate) fn task(&mut self) -> CallId {
        let call = self.call();
        let made = format!(
            r#"{{"resultType":"task","taskId":"task-{}","status":"working","pollIntervalMs":1000,"ttlMs":null}}"#,
            call.0
        );
        self.reply_call(call, Ok(called(&made)));
        call
    }

    /// A task that has asked for these keys, each an open question by now.
    pub(crate) fn asked_task(&mut self, keys: &[&str]) -> (CallId, Vec<RequestId>) {
        let call = self.task();
        self.poll(call, Ok(asking(keys)));
        (call, self.questions(call).iter().map(|request| request.id).collect())
    }

    /// A call that has asked for these keys in a round, each an open question by now.
    pub(crate) fn asked_round(&mut self, keys: &[&str]) -> (CallId, Vec<RequestId>) {
        let call = self.call();
        self.reply_call(call, Ok(round(keys)));
        (call, self.questions(call).iter().map(|request| request.id).collect())
    }

    /// The retries of a call that are on the wire.
    pub(crate) fn retries(&self, call: CallId) -> Vec<RoundAnswers> {
        let of = |flight: &Flight| match flight {
            Flight::Call { call: c, round, .. } if *c == call => round.clone(),
            _ => None,
        };
        self.flights.iter().filter_map(of).collect()
    }

    /// Whether the call, or its retry, is on the wire.
    pub(crate) fn calling(&self, call: CallId) -> bool {
        self.flights.iter().any(|flight| matches!(flight, Flight::Call { call: c, .. } if *c == call))
    }

    pub(crate) fn polling(&self, call: CallId) -> bool {
        self.flights.iter().any(|flight| matches!(flight, Flight::Poll { call: c, .. } if *c == call))
    }

    pub(crate) fn polls(&self) -> usize {
        self.flights.iter().filter(|flight| matches!(flight, Flight::Poll { .. })).count()
    }

    pub(crate) fn reply_poll(&mut self, call: CallId, reply: Result<Json, Error>) {
        let flight =
            self.land("tasks/get", |flight| matches!(flight, Flight::Poll { call: c, .. } if *c == call));
        let Flight::Poll { server, .. } = flight else { unreachable!() };
        self.feed(Input::Polled { server, call, reply: reply.map(Into::into) });
    }

    /// Waits for the next poll of a task and answers it.
    pub(crate) fn poll(&mut self, call: CallId, reply: Result<Json, Error>) {
        self.until_polled(call);
        self.reply_poll(call, reply);
    }

    /// Waits for the next poll; says how long (ms).
    pub(crate) fn until_polled(&mut self, call: CallId) -> u64 {
        let began = self.now.steady_ms;
        while !self.polling(call) {
            let due = self.state.next_due().expect("a poll should be due");
            self.pass(due.saturating_sub(self.now.steady_ms));
            assert!(self.now.steady_ms - began < 7_200_000, "the poll does not come");
        }
        self.now.steady_ms - began
    }

    /// Time passes, and every poll is answered at once. Says when each came.
    pub(crate) fn serve(&mut self, ms: u64, state: impl Fn(CallId) -> Json) -> Vec<(u64, CallId)> {
        let end = self.now.steady_ms + ms;
        let mut polls = Vec::new();
        loop {
            let is_poll = |flight: &Flight| matches!(flight, Flight::Poll { .. });
            while let Some(at) = self.flights.iter().position(is_poll) {
                let Flight::Poll { server, call } = self.flights.remove(at) else { unreachable!() };
                polls.push((self.now.steady_ms, call));
                self.feed(Input::Polled { server, call, reply: Ok(state(call).into()) });
            }
            let Some(due) = self.state.next_due().filter(|due| *due <= end) else { break };
            if due > self.now.steady_ms {
                self.pass(due - self.now.steady_ms);
            } else {
                self.feed(Input::Tick);
            }
        }
        self.pass(end.saturating_sub(self.now.steady_ms));
        polls
    }

    /// The next polls find nobody there.
    pub(crate) fn go_down(&mut self) {
        while self.polls() == 0 {
            let due = self.state.next_due().expect("a poll should be due");
            self.pass(due.saturating_sub(self.now.steady_ms));
        }
        for flight in std::mem::take(&mut self.flights) {
            let Flight::Poll { server, call } = flight else { continue };
            self.feed(Input::Polled { server, call, reply: Err(unreachable()) });
        }
    }

    /// Time passes, and the server cannot be reached. Says how often it was tried.
    pub(crate) fn serve_down(&mut self, ms: u64) -> usize {
        let end = self.now.steady_ms + ms;
        let mut probes = 0;
        while let Some(due) = self.state.next_due().filter(|due| *due <= end) {
            self.pass(due.saturating_sub(self.now.steady_ms));
            while self.flights.contains(&Flight::Discover { server: SERVER }) {
                probes += 1;
                self.reply_discover(Err(unreachable()));
            }
        }
        self.pass(end.saturating_sub(self.now.steady_ms));
        probes
    }

    pub(crate) fn updates(&self, call: CallId) -> Vec<Vec<(String, Json)>> {
        let of = |flight: &Flight| match flight {
            Flight::Update { call: c, responses, .. } if *c == call => Some(responses.clone()),
            _ => None,
        };
        self.flights.iter().filter_map(of).collect()
    }

    pub(crate) fn reply_update(&mut self, call: CallId, reply: Result<Json, Error>) {
        let flight = self
            .land("tasks/update", |flight| matches!(flight, Flight::Update { call: c, .. } if *c == call));
        let Flight::Update { requests, .. } = flight else { unreachable!() };
        self.feed(Input::Updated { server: SERVER, call, requests, reply });
    }

    pub(crate) fn reply_cancel(&mut self, call: CallId, reply: Result<Json, Error>) {
        self.land("tasks/cancel", |flight| *flight == Flight::Cancel { call });
        self.feed(Input::CancelSent { server: SERVER, call, reply });
    }

    pub(crate) fn reply_discover(&mut self, reply: Result<FoundServer, Error>) {
        self.land("server/discover", |flight| *flight == Flight::Discover { server: SERVER });
        self.feed(Input::Discovered { server: SERVER, reply: reply.map(Box::new) });
    }

    pub(crate) fn answer(&mut self, request: RequestId, hold_ms: u32) -> Result<Granted, Refusal> {
        let accepts = self.accepts(request, json(r#"{ "n": 1.0 }"#), hold_ms);
        self.decided(accepts)
    }

    /// The yes of somebody who has seen how the question stands.
    pub(crate) fn accepts(&self, request: RequestId, content: Json, hold_ms: u32) -> Intent {
        Intent::Answer {
            request,
            action: Action::Accept,
            content: Some(content),
            hold_ms,
            seen: self.seen(request),
            remark: None,
            asks: None,
        }
    }

    /// That it was decided now is all that its grant says.
    fn decided(&mut self, answer: Intent) -> Result<Granted, Refusal> {
        let granted = self.wish(answer)?;
        assert_eq!(granted, Granted::Decided(self.now.wall));
        Ok(Granted::Done)
    }

    pub(crate) fn decline(&mut self, request: RequestId, hold_ms: u32) -> Result<Granted, Refusal> {
        let seen = self.seen(request);
        self.decided(Intent::Answer {
            request,
            action: Action::Decline,
            content: None,
            hold_ms,
            seen,
            remark: None,
            asks: None,
        })
    }

    pub(crate) fn row(&self, call: CallId) -> &Call {
        &self.disk.calls[&call]
    }

    pub(crate) fn question(&self, id: RequestId) -> &InputRequest {
        &self.disk.requests[&id]
    }

    /// What a person who looks at a question now knows of answers to it.
    pub(crate) fn seen(&self, id: RequestId) -> Option<Timestamp> {
        self.disk.requests.get(&id).and_then(InputRequest::decided_at)
    }

    /// Of whoever sees the wish that stands, to cancel.
    pub(crate) fn cancels(&self, call: CallId) -> Intent {
        let seen = self.disk.calls.get(&call).and_then(Call::cancel_requested_at);
        Intent::Cancel { call, seen }
    }

    /// Of whoever sees the answer that stands, to take it back.
    pub(crate) fn undoes(&self, request: RequestId) -> Intent {
        Intent::Undo { request, decided_at: self.seen(request).unwrap_or(self.now.wall) }
    }

    pub(crate) fn questions(&self, call: CallId) -> Vec<&InputRequest> {
        self.disk.requests.values().filter(|request| request.call == Some(call)).collect()
    }

    pub(crate) fn states(&self, call: CallId) -> Vec<RequestState> {
        self.questions(call).iter().map(|request| request.state).collect()
    }
}
