//! Servers that may do anything to a request, people who may want anything, and an engine that may end at any time.
//!
//! Longer than most: what may happen and what it means is one machine, played by one property.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::Duration,
};

use signalbox_mcp::{Called, Error, Hint};
use signalbox_model::{Action, Call, CallId, Identity, Json, RequestId, ServerId, Snooze, Stray};

use super::bench::*;
use crate::{Follow, Granted, Input, Intent, Now, PushedNews, schedule::Due, step::Doubt};

/// What becomes of a request on the wire.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fate {
    Served,
    /// The server acts, and the answer is lost.
    LostAfter,
    /// It never arrives, and nobody knows.
    LostBefore,
    Unreachable,
    Refused,
    NotFound,
    Throttled,
    /// Not at once, and not for a while.
    Quiet,
    /// The server acts, and what comes is no answer.
    Garbled,
    TooLarge,
    SignIn,
    NotMcp,
    /// Something before the server refuses this request.
    Barred,
    Closed,
    /// Acknowledged, and nothing done.
    Swallowed,
    /// An answer in an odd shape.
    Odd,
}

impl Fate {
    /// What comes in place of an answer, if anything does.
    pub(crate) fn error(self) -> Option<Error> {
        Some(match self {
            Self::Served | Self::Swallowed | Self::Odd => return None,
            Self::LostAfter | Self::LostBefore => lost(),
            Self::Unreachable => unreachable(),
            Self::Refused => rpc(-32603),
            Self::NotFound => rpc(-32602),
            Self::Throttled => Error::Throttled { status: 429, retry_after: None },
            Self::Quiet => Error::Throttled { status: 503, retry_after: Some(Duration::from_secs(20)) },
            Self::Garbled => Error::Garbled { stray: Stray::NoMessage, raw: None },
            Self::TooLarge => Error::TooLarge { limit: 1 },
            Self::SignIn => Error::SignInNeeded { status: 401, challenge: None },
            Self::NotMcp => Error::NotMcp { status: Some(404), content_type: None, hint: Hint::Page },
            Self::Barred => Error::NotMcp { status: Some(413), content_type: None, hint: Hint::Page },
            Self::Closed => Error::Closed,
        })
    }

    /// Whether the server does what it is asked.
    pub(crate) fn acts(self) -> bool {
        matches!(self, Self::Served | Self::LostAfter | Self::Garbled | Self::TooLarge)
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Op {
    /// At the n-th server; so it is below.
    Start(u32),
    Track(u32),
    /// More handles than there are permits.
    Crowd(u32),
    /// The n-th request on the wire meets its fate; a poll may show what was when it was sent.
    Land(usize, Fate, bool),
    /// The n-th `tasks/update` on the wire, from the last, meets its fate.
    Update(usize, Fate),
    /// The n-th `tools/call` on the wire, from the last, meets its fate.
    Call(usize, Fate),
    Pass(u64),
    /// So many ms pass, and every poll is answered at once.
    Watch(u64),
    /// For a moment all goes well: what is on the wire is served, and the next polls are.
    Calm,
    /// Somebody sets our wall clock, so many minutes ahead or back.
    Clock(i32),
    /// The machine sleeps so many minutes; the steady clock counts them, or stands still.
    Sleep(u32, bool),
    Answer(usize, u32),
    Decline(usize, u32),
    /// The next call that is served is answered with questions of these kinds instead of a task.
    Rounds(u8),
    Undo(usize),
    /// The window is closed, and nobody follows.
    TakeBackHeld,
    Draft(usize),
    /// The n-th question is put off, or brought back.
    Snooze(usize, Option<Snooze>),
    Cancel(usize),
    Forget(usize),
    Refresh(usize),
    /// Somebody waits to hear what became of the n-th answer, or wish to cancel.
    Await(usize, bool),
    Check(u32),
    Enable(u32, bool),
    /// The server asks for one more key, stops asking, or ends a task.
    Ask(usize, u8),
    Unask(usize, u8),
    /// From now on it names this TTL.
    Ttl(usize, u32),
    End(usize, u8),
    /// A reply that nobody waits for.
    Stray(usize, u8),
    /// The oldest subscription that waits is acknowledged for some of its tasks, refused or cut.
    Acknowledge(u8),
    /// The open stream tells how the n-th call's task fares, or fared; or something else.
    Push(usize, u8),
    Full(bool),
    Restart(u64, bool),
}

/// A task as the server has it.
#[derive(Debug, Default, Clone)]
struct Theirs {
    keys: BTreeSet<u8>,
    taken: BTreeSet<u8>,
    end: Option<u8>,
    ttl_ms: Option<u32>,
}

impl Theirs {
    fn state(&self) -> Json {
        let state = self.unlimited();
        match self.ttl_ms {
            Some(ms) => json(&state.text().replace(r#""ttlMs":null"#, &format!(r#""ttlMs":{ms}"#))),
            None => state,
        }
    }

    fn unlimited(&self) -> Json {
        match self.end {
            Some(0) => done(),
            Some(1) => json(r#"{"status":"failed","error":{"code":1,"message":"x"}}"#),
            Some(2) => json(r#"{"status":"cancelled"}"#),
            Some(_) => json(r#"{"status":"completed"}"#),
            None if self.keys.is_empty() => working(""),
            None => {
                let keys: Vec<String> = self.keys.iter().map(u8::to_string).collect();
                asking(&keys.iter().map(String::as_str).collect::<Vec<_>>())
            }
        }
    }
}

pub(crate) struct World {
    bench: Bench,
    /// Where each call was made.
    homes: BTreeMap<CallId, ServerId>,
    theirs: BTreeMap<CallId, Theirs>,
    /// What each poll on the wire would have shown when it was sent.
    when_sent: HashMap<CallId, Json>,
    handles: u32,
    /// What the next calls that are served ask on the call itself.
    rounds: Vec<u8>,
    /// How many answers were given: each says another number.
    answers: u32,
    /// What was said and taken back: the server must never see it.
    taken_back: BTreeSet<String>,
}

/// Questions on the call itself, of these kinds: for a person, for a model, for roots, or pages to visit first.
fn asks(kinds: u8) -> Result<Called, Error> {
    let page =
        r#"{"elicitations":[{"mode":"url","message":"Go","url":"https://a.example/","elicitationId":"e"}]}"#;
    if kinds.is_multiple_of(8) {
        let raw = json(&format!(r#"{{"code":-32042,"message":"first","data":{page}}}"#));
        return Err(Error::Rpc { code: -32042, message: "first".to_owned(), data: Some(json(page)), raw });
    }
    let methods = ["elicitation/create", "sampling/createMessage", "roots/list"];
    let asked = methods.iter().enumerate().filter(|(bit, _)| kinds & (1 << bit) != 0);
    let asked: Vec<String> = asked
        .map(|(bit, method)| format!(r#""{bit}":{{"method":"{method}","params":{{"messages":["?"]}}}}"#))
        .collect();
    Ok(called(&format!(r#"{{"resultType":"input_required","inputRequests":{{{}}}}}"#, asked.join(","))))
}

impl World {
    pub(crate) const SERVERS: u32 = 3;

    pub(crate) fn new() -> Self {
        let mut bench = Bench::new();
        bench.pushes = true;
        (1..World::SERVERS).for_each(|n| bench.meet(ServerId(SERVER.0 + n)));
        Self {
            bench,
            homes: BTreeMap::new(),
            theirs: BTreeMap::new(),
            when_sent: HashMap::new(),
            handles: 0,
            rounds: Vec::new(),
            answers: 0,
            taken_back: BTreeSet::new(),
        }
    }

    fn server(n: u32) -> ServerId {
        ServerId(SERVER.0 + n % Self::SERVERS)
    }

    fn home(&self, call: CallId) -> ServerId {
        self.homes.get(&call).copied().unwrap_or_else(|| panic!("nobody has made {call:?}"))
    }

    /// Asks for something that makes a call there.
    fn make(&mut self, server: ServerId, intent: Intent) -> Option<CallId> {
        let token = self.bench.ask(intent);
        let Some(Ok(Granted::Call(call))) = self.bench.replies.get(&token) else { return None };
        self.homes.insert(*call, server);
        Some(*call)
    }

    fn call(&self, n: usize) -> Option<CallId> {
        let calls: Vec<CallId> = self.bench.disk.calls.keys().copied().collect();
        calls.iter().nth_back(n % calls.len().max(1)).copied()
    }

    fn request(&self, n: usize) -> Option<RequestId> {
        let ids: Vec<RequestId> = self.bench.disk.requests.keys().copied().collect();
        ids.iter().nth_back(n % ids.len().max(1)).copied()
    }

    fn theirs(&mut self, n: usize) -> Option<&mut Theirs> {
        let calls: Vec<CallId> = self.theirs.keys().copied().collect();
        let call = calls.iter().nth_back(n % calls.len().max(1))?;
        self.theirs.get_mut(call)
    }

    pub(crate) fn play(mut self, op: Op) -> Self {
        match op {
            Op::Start(n) => {
                let (server, tool, arguments) = (Self::server(n), "t".to_owned(), json("{}"));
                self.make(server, Intent::Start { server, tool, arguments, ttl_ms: None });
            }
            Op::Crowd(n) => {
                for _ in 0..12 {
                    self = self.play(Op::Track(n));
                }
            }
            Op::Track(n) => {
                self.handles += 1;
                let (server, task_id) = (Self::server(n), format!("theirs-{}", self.handles));
                if let Some(call) = self.make(server, Intent::Track { server, task_id }) {
                    self.theirs.insert(call, Theirs::default());
                }
            }
            Op::Land(n, fate, stale) => {
                if !self.bench.flights.is_empty() {
                    let at = n % self.bench.flights.len();
                    let flight = self.bench.flights.remove(at);
                    self.land(flight, fate, stale);
                }
            }
            Op::Update(n, fate) => {
                self.land_nth(n, |flight| matches!(flight, Flight::Update { .. }), fate);
            }
            Op::Call(n, fate) => {
                self.land_nth(n, |flight| matches!(flight, Flight::Call { .. }), fate);
            }
            Op::Pass(ms) => self.bench.pass(ms),
            Op::Watch(ms) => self.watch(ms),
            Op::Calm => {
                for _ in 0..2 {
                    for _ in 0..self.bench.flights.len() {
                        self = self.play(Op::Land(0, Fate::Served, false));
                    }
                    self.bench.pass(LATEST);
                }
            }
            Op::Clock(minutes) => {
                self.bench.now.wall = self.bench.now.wall.plus_ms(i64::from(minutes) * 60_000)
            }
            Op::Sleep(minutes, counts) => {
                let slept = self.bench.now.plus_ms(u64::from(minutes) * 60_000);
                let steady_ms = if counts { slept.steady_ms } else { self.bench.now.steady_ms };
                self.bench.now = Now { steady_ms, ..slept };
                self.bench.feed(Input::Tick);
            }
            Op::Answer(n, hold_ms) => {
                if let Some(request) = self.request(n) {
                    self.answers += 1;
                    let content = json(&format!(r#"{{"text":"said {}"}}"#, self.answers));
                    self.bench.ask(self.bench.accepts(request, content, hold_ms));
                }
            }
            Op::Decline(n, hold_ms) => {
                if let Some(request) = self.request(n) {
                    let (action, seen) = (Action::Decline, self.bench.seen(request));
                    self.bench.ask(Intent::Answer {
                        request,
                        action,
                        content: None,
                        hold_ms,
                        seen,
                        remark: None,
                        asks: None,
                    });
                }
            }
            Op::Undo(n) => {
                if let Some(request) = self.request(n) {
                    let said = self.bench.question(request).answer.as_ref().and_then(|a| a.content.clone());
                    let undone = self.bench.wish(self.bench.undoes(request)).is_ok();
                    self.taken_back.extend(said.filter(|_| undone).map(|said| said.text().to_owned()));
                }
            }
            Op::TakeBackHeld => {
                self.bench.ask(Intent::TakeBackHeld);
            }
            Op::Draft(n) => {
                if let Some(request) = self.request(n) {
                    self.bench.ask(Intent::SaveDraft { request, draft: Some(json("1")) });
                }
            }
            Op::Snooze(n, until) => {
                if let Some(request) = self.request(n) {
                    self.bench.ask(Intent::Snooze { request, until });
                }
            }
            Op::Cancel(n) => {
                if let Some(call) = self.call(n) {
                    self.bench.ask(self.bench.cancels(call));
                }
            }
            Op::Forget(n) => {
                if let Some(call) = self.call(n) {
                    self.bench.ask(Intent::Forget { call, server: self.home(call) });
                }
            }
            Op::Refresh(n) => {
                if let Some(call) = self.call(n) {
                    self.bench.ask(Intent::Refresh(call));
                }
            }
            Op::Await(n, once_out) => {
                if let Some(call) = self.call(n) {
                    self.bench.ask(Intent::AwaitCancel(call));
                }
                if let Some(request) = self.request(n) {
                    let decided_at = self.bench.seen(request).unwrap_or(self.bench.now.wall);
                    self.bench.ask(Intent::AwaitAnswer { request, decided_at, once_out });
                }
            }
            Op::Check(n) => {
                self.bench.ask(Intent::Check(Self::server(n)));
            }
            Op::Enable(n, enabled) => {
                let mut changed = server(Self::server(n).0);
                changed.enabled = enabled;
                self.bench.ask(Intent::PutServer(changed));
            }
            Op::Ask(n, key) => {
                if let Some(theirs) = self.theirs(n)
                    && !theirs.taken.contains(&key)
                {
                    theirs.keys.insert(key);
                }
            }
            Op::Unask(n, key) => {
                if let Some(theirs) = self.theirs(n) {
                    theirs.keys.remove(&key);
                }
            }
            Op::Ttl(n, ms) => {
                if let Some(theirs) = self.theirs(n) {
                    theirs.ttl_ms = Some(ms);
                }
            }
            Op::End(n, how) => {
                if let Some(theirs) = self.theirs(n) {
                    theirs.end = theirs.end.or(Some(how));
                }
            }
            Op::Stray(n, what) => {
                // Of what is on the wire, each reply comes once; this one was never asked for.
                let Some(call) = self.call(n) else { return self };
                let (server, reply) = (self.home(call), Ok(working(r#","statusMessage":"stray""#)));
                let of = |flight: &Flight| match flight {
                    Flight::Poll { call, .. } | Flight::Update { call, .. } | Flight::Cancel { call } => {
                        *call
                    }
                    Flight::Call { call, .. } => *call,
                    Flight::Discover { .. } | Flight::Result { .. } => CallId(0),
                };
                if !self.bench.flights.iter().any(|flight| of(flight) == call) {
                    self.bench.feed(match what {
                        0 => Input::Polled { server, call, reply: reply.map(Into::into) },
                        1 => Input::Updated { server, call, requests: Vec::new(), reply },
                        2 => Input::CancelSent { server, call, reply: Err(lost()) },
                        _ => Input::Called { call, reply: Err(lost()) },
                    });
                }
            }
            Op::Acknowledge(what) => self.acknowledge(what),
            Op::Push(n, what) => self.push(n, what),
            Op::Rounds(kinds) => self.rounds.push(kinds),
            Op::Full(full) => self.bench.full = full,
            Op::Restart(ms, all) => {
                // What is on the wire arrives, or not.
                for (n, flight) in std::mem::take(&mut self.bench.flights).into_iter().enumerate() {
                    if (n as u64 + ms).is_multiple_of(2) {
                        self.arrive(&flight);
                    }
                }
                let follow = if all { Follow::All } else { Follow::Named };
                self.bench = self.bench.restart(ms, follow);
            }
        }
        self.remember();
        self
    }

    /// The n-th of these on the wire, from the last, meets its fate.
    fn land_nth(&mut self, n: usize, is: fn(&Flight) -> bool, fate: Fate) {
        let of = self.bench.flights.iter().enumerate().filter(|(_, flight)| is(flight));
        let of: Vec<usize> = of.map(|(at, _)| at).collect();
        if let Some(at) = of.iter().nth_back(n % of.len().max(1)) {
            let flight = self.bench.flights.remove(*at);
            self.land(flight, fate, false);
        }
    }

    fn watch(&mut self, ms: u64) {
        let end = self.bench.now.steady_ms + ms;
        loop {
            let polls = self.bench.polls();
            for _ in 0..polls {
                self.land_nth(0, |flight| matches!(flight, Flight::Poll { .. }), Fate::Served);
            }
            self.remember();
            let left = end.saturating_sub(self.bench.now.steady_ms);
            let Some(due) = self.bench.state.next_due() else { return self.bench.pass(left) };
            let wait = due.saturating_sub(self.bench.now.steady_ms).max(1);
            self.bench.pass(wait.min(left));
            if wait >= left {
                return;
            }
        }
    }

    fn acknowledge(&mut self, what: u8) {
        if self.bench.listens.is_empty() {
            return;
        }
        let (server, number, calls) = self.bench.listens.remove(0);
        let reply = match what {
            0 => Err(rpc(-32601)),
            1 => Err(lost()),
            2 => Ok(Vec::new()),
            3 => Ok(calls.into_iter().take(1).collect()),
            _ => Ok(calls),
        };
        self.bench.feed(Input::Listening { server, number, reply });
    }

    /// What comes over the newest stream. What is pushed may be what was a while ago.
    fn push(&mut self, n: usize, what: u8) {
        let Some(call) = self.call(n) else { return };
        let server = self.home(call);
        let number = self.bench.state.rooms.servers.all[&server].listening.last;
        let ended = self.bench.row(call).outcome;
        let raw = match what {
            0 => self.when_sent.get(&call).cloned().unwrap_or_else(|| working("")),
            1 => asking(&["0"]),
            _ => self.theirs.get(&call).map_or_else(|| working(""), Theirs::state),
        };
        let number = if what == 3 { number.saturating_sub(1) } else { number };
        let news = match what {
            4 => PushedNews::Missed,
            5 => PushedNews::Ended,
            6 => PushedNews::Cut(lost()),
            7 => PushedNews::ToolsChanged,
            _ => PushedNews::Task { call, poll: raw.into() },
        };
        self.bench.feed(Input::Pushed { server, number, news });
        if let Some(row) = self.bench.disk.calls.get(&call).filter(|_| ended.is_some()) {
            assert_eq!(row.outcome, ended, "terminal is terminal");
        }
    }

    /// Keeps what polls that were just sent would show.
    fn remember(&mut self) {
        let polled: BTreeSet<CallId> = self
            .bench
            .flights
            .iter()
            .filter_map(|flight| match flight {
                Flight::Poll { call, .. } => Some(*call),
                _ => None,
            })
            .collect();
        self.when_sent.retain(|call, _| polled.contains(call));
        for call in polled {
            let state = self.theirs.get(&call).map(Theirs::state);
            self.when_sent.entry(call).or_insert_with(|| state.unwrap_or_else(|| working("")));
        }
    }

    /// The server acts on a request.
    fn arrive(&mut self, flight: &Flight) {
        let heard: Vec<&str> = match flight {
            Flight::Update { responses, .. } => responses.iter().map(|(_, said)| said.text()).collect(),
            Flight::Call { round: Some(round), .. } => {
                round.input_responses.iter().map(|(_, said)| said.text()).collect()
            }
            _ => Vec::new(),
        };
        for said in heard {
            let unsaid = self.taken_back.iter().find(|unsaid| said.contains(unsaid.as_str()));
            assert_eq!(unsaid, None, "what was taken back is never seen");
        }
        match flight {
            Flight::Call { call, .. } => {
                self.theirs.entry(*call).or_default();
            }
            Flight::Update { call, responses, .. } => {
                let Some(theirs) = self.theirs.get_mut(call) else { return };
                for (key, _) in responses {
                    let key: u8 = key.parse().expect("our keys are numbers");
                    // Once: what this server has taken and never asked for again is not sent to it again.
                    assert!(!theirs.taken.contains(&key), "{call:?} key {key} is answered twice");
                    if theirs.end.is_none() && theirs.keys.remove(&key) {
                        theirs.taken.insert(key);
                    }
                }
            }
            Flight::Poll { .. } | Flight::Cancel { .. } | Flight::Discover { .. } | Flight::Result { .. } => {
            }
        }
    }

    fn land(&mut self, flight: Flight, fate: Fate, stale: bool) {
        let error = fate.error();
        if fate.acts() {
            self.arrive(&flight);
        }
        let odd = json(r#"{"status":7,"inputRequests":[],"ttlMs":"x"}"#);
        let ack = error.clone().map_or_else(|| Ok(json("{}")), Err);
        match flight {
            Flight::Call { call, .. } => {
                let made =
                    format!(r#"{{"resultType":"task","taskId":"ours-{}","status":"working"}}"#, call.0);
                let reply = match (error, fate) {
                    (Some(error @ Error::Unreachable { .. }), _) => {
                        return self.bench.feed(Input::NotSent { call, error });
                    }
                    (Some(error), _) => Err(error),
                    (None, Fate::Odd) => Ok(called(r#"{"resultType":"task"}"#)),
                    (None, Fate::Swallowed) => Ok(called("{}")),
                    (None, _) if !self.rounds.is_empty() => asks(self.rounds.remove(0)),
                    (None, _) => Ok(called(&made)),
                };
                self.bench.feed(Input::Called { call, reply: reply.map(Box::new) });
            }
            Flight::Poll { server, call } => {
                let now = self.theirs.get(&call).map_or_else(|| working(""), Theirs::state);
                let shown = if stale { self.when_sent.get(&call).cloned().unwrap_or(now) } else { now };
                let asked = signalbox_mcp::TaskView::read(&shown).input_requests;
                let reply = match error {
                    Some(error) => Err(error),
                    None if matches!(fate, Fate::Odd) => Ok(odd),
                    None => Ok(shown),
                };
                // A poll that a push overtook is passed over once: the next one tells.
                let live = self.bench.state.rooms.calls.live.get(&call);
                let passed_over = live.is_some_and(|live| {
                    live.polling.meanwhile.pushed && live.polling.doubt != Doubt::PassedOver
                });
                let served = reply.is_ok() && !matches!(fate, Fate::Odd) && !passed_over;
                self.bench.feed(Input::Polled { server, call, reply: reply.map(Into::into) });
                if served && self.bench.disk.calls.get(&call).is_some_and(|row| !row.ended()) {
                    for (key, _) in asked {
                        let identity = Identity::Task { call, key };
                        let kept = self.bench.disk.requests.values().any(|r| r.identity == identity);
                        assert!(kept, "a question is lost: {identity:?}");
                    }
                }
            }
            Flight::Update { call, requests, .. } => {
                self.bench.feed(Input::Updated { server: self.home(call), call, requests, reply: ack });
            }
            Flight::Cancel { call } => {
                self.bench.feed(Input::CancelSent { server: self.home(call), call, reply: ack })
            }
            Flight::Result { .. } => unreachable!("this world speaks the modern wire"),
            Flight::Discover { server } => {
                let reply = error.map_or_else(|| Ok(found()), Err);
                self.bench.feed(Input::Discovered { server, reply: reply.map(Box::new) });
            }
        }
    }

    /// The world is kind again, and every task comes to its end.
    pub(crate) fn come_to_an_end(mut self) {
        self.bench.full = false;
        self = self.play(Op::Restart(1, true));
        for n in 0..Self::SERVERS {
            self = self.play(Op::Enable(n, true)).play(Op::Check(n));
        }
        for theirs in self.theirs.values_mut() {
            theirs.end = theirs.end.or(Some(0));
        }
        self.rounds.clear();
        let mut rounds = 0;
        while self.bench.state.live_calls() > 0 || !self.bench.flights.is_empty() {
            while !self.bench.flights.is_empty() {
                let flight = self.bench.flights.remove(0);
                self.land(flight, Fate::Served, false);
                self.remember();
            }
            while !self.bench.listens.is_empty() {
                self.acknowledge(0);
            }
            self.bench.pass(1_000);
            // Questions on a call itself wait for a person for ever, also where they were put off.
            let disk = &self.bench.disk;
            let waits = |id: CallId| {
                disk.requests.values().any(|asked| asked.call == Some(id) && asked.needs_person())
            };
            let asked = |call: &&Call| call.task.is_none() && call.cancel.is_none() && waits(call.id);
            let asked: Vec<CallId> = disk.calls.values().filter(asked).map(|call| call.id).collect();
            for call in asked {
                self.bench.ask(self.bench.cancels(call));
            }
            rounds += 1;
            assert!(rounds < 10_000, "something sleeps for ever: {:?}", self.bench.state);
        }
        self.bench.pass(1_000);
        for (server, station) in &self.bench.state.rooms.servers.all {
            assert!(station.listening.open.is_none() && station.listening.opening.is_none());
            assert!(
                station.polls.under_way.is_empty()
                    && station.polls.queue.next().is_none()
                    && !self.bench.state.rooms.calls.has_any(*server)
            );
            assert!(station.has_no_errands());
        }
        assert!(self.bench.state.shared.places.is_empty(), "nothing of ended calls stays in memory");
        assert!(self.bench.disk.calls.values().all(|call| call.ended() && call.open_requests == 0));
        for request in self.bench.disk.requests.values() {
            assert!(request.closed_at.is_some(), "each question came to an end: {request:?}");
        }
        let mut left = std::mem::take(&mut self.bench.state.shared.schedule);
        left.clear(Due::Sweep);
        // That its last answer is shown is no work, and comes once.
        (0..Self::SERVERS).for_each(|n| left.clear(Due::Heard(Self::server(n))));
        assert_eq!(left.next(), None, "and nothing is left to do");
    }
}
