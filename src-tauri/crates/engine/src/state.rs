//! What the engine holds in memory: servers, and the calls that have not ended. Ended calls live in the store only.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use signalbox_model::{
    Access, Call, CallId, Json, RequestId, RequestState, Server, ServerId, Timestamp, Transport, Wire,
};

use crate::{
    Line, Now, Token, Tuning,
    candidates::Candidates,
    hearing::Hearing,
    listening::Listening,
    look::Last,
    pace::Pace,
    question::{Question, Round},
    room::{Closed, Left, Room},
    schedule::{Due, Schedule},
    session::Session,
    step::{Timeline, Waiter},
    tools::Tools,
    tries::Tries,
};

/// The engine's state. Changed by [`State::step`] only.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) servers: HashMap<ServerId, Station>,
    pub(crate) calls: HashMap<CallId, Live>,
    pub(crate) asked: HashMap<RequestId, CallId>,
    /// The questions of the legacy wire, by the server whose connection they came on.
    pub(crate) wired: HashMap<RequestId, ServerId>,
    /// What all of these weigh.
    pub(crate) room: Room,
    /// Who waits until no call is under way.
    pub(crate) awaiting_calls: Vec<Token>,
    /// Who waits to hear what became of something on its way to a server, by server. Only those with waiters are in it.
    pub(crate) waiting: BTreeMap<ServerId, Vec<Waiter>>,
    pub(crate) next: NextIds,
    pub(crate) tuning: Tuning,
    pub(crate) schedule: Schedule<Due>,
    /// The last step, on both clocks: that the machine slept shows in the next one.
    pub(crate) last: Option<Now>,
    /// Nothing is let go before this (steady ms).
    pub(crate) sweep_from: u64,
    /// Bytes of the long states of all calls, as far as the store has them.
    pub(crate) long_states: u64,
    /// Bytes of payloads that were kept since room was last made for them.
    pub(crate) kept_since: u64,
    /// When the looks were last spread because we had been away (steady ms).
    pub(crate) woke_at: Option<u64>,
}

/// The next free numbers. Numbers are never reused, not even of what was forgotten.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NextIds {
    pub(crate) server: u32,
    pub(crate) call: u32,
    pub(crate) request: u32,
    pub(crate) session: u32,
}

impl NextIds {
    pub(crate) fn take(counter: &mut u32) -> u32 {
        let id = (*counter).max(1);
        *counter = id + 1;
        id
    }
}

/// A server with what goes on between it and us.
#[derive(Debug)]
pub(crate) struct Station {
    pub(crate) server: Server,
    pub(crate) transport: Arc<Transport>,
    pub(crate) access: Arc<Access>,
    pub(crate) gate: Gate,
    /// Whose looks are under way, and what each is expected to cost ([`Pace::begin`]): one permit each, never more than
    /// [`Station::PERMITS`]. A permit comes back with the reply and in no other way, also when its call is over by then.
    pub(crate) looking: HashMap<CallId, u64>,
    /// Calls whose look is due and waits for its turn: in the order in which they came, but before all others those
    /// whose TTL is about to pass.
    pub(crate) queue: Schedule<CallId>,
    /// How many of them begin in a second.
    pub(crate) pace: Pace,
    /// What of people's is under way: one permit each, never more than [`Station::PERMITS`], so that a silence which the
    /// server asks for holds all the rest back. A permit comes back like that of a look.
    pub(crate) telling: HashSet<(CallId, Errand)>,
    /// Calls with something of the person's that could not go when it should have: it goes as soon as the server may
    /// be told.
    pub(crate) owing: BTreeSet<CallId>,
    /// Calls that wait, or did, until a person has visited URLs.
    pub(crate) paged: BTreeSet<CallId>,
    /// The server asked for silence until then (steady ms).
    pub(crate) quiet_until: u64,
    /// Requests that were lost or timed out in a row.
    pub(crate) flaky: u32,
    /// How long its last answer to that took, and how far its clock was ahead, both in ms.
    pub(crate) measured: (u32, Option<i64>),
    /// What has been made of when it last answered.
    pub(crate) hearing: Hearing,
    /// When it last said what it is (steady ms).
    pub(crate) vouched_at: Option<u64>,
    /// A probe is under way.
    pub(crate) probing: bool,
    /// The tools as last listed: equal bytes cause no write. None before they were.
    pub(crate) tools: Option<Tools>,
    /// What it tells by itself.
    pub(crate) listening: Listening,
    pub(crate) calls: HashSet<CallId>,
    /// Which of them follows a task, by the server's id of it. Of two that follow the same the last.
    pub(crate) tasks: HashMap<String, CallId>,
    /// Which of them can have asked what does not say whose it is (legacy wire).
    pub(crate) candidates: Candidates,
    /// The connection of the legacy wire.
    pub(crate) session: Session,
    /// How many of its questions are not taken now, since there is no room for them.
    pub(crate) left: u32,
    /// Who waits for a check.
    pub(crate) waiters: Vec<Token>,
}

/// What people want told to a server about a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Errand {
    /// Their answers.
    Answers,
    /// Their wish to cancel.
    Cancel,
}

/// Whether requests may go out to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// They may.
    Open,
    /// It cannot be reached: one probe at a time, with backoff, whatever the number of its tasks.
    Down { failures: u32, since: Timestamp },
    /// Not before a person has acted: disabled, removed, not confirmed, legacy, sign-in, a keychain that does not open.
    Shut,
}

impl Gate {
    /// Before anything is known of reaching the server.
    pub(crate) fn first(server: &Server) -> Self {
        let may_open = server.enabled && server.removed_at.is_none() && !server.awaits_trust();
        if may_open { Self::Open } else { Self::Shut }
    }
}

impl Station {
    /// Looks at one server at the same time; and errands of people to it.
    pub(crate) const PERMITS: usize = 8;

    pub(crate) fn new(server: Server) -> Self {
        Self {
            transport: Arc::new(server.transport.clone()),
            access: Arc::new(server.access.clone()),
            gate: Gate::first(&server),
            hearing: Hearing { kept: server.heard_at, ..Hearing::default() },
            server,
            looking: HashMap::new(),
            queue: Schedule::default(),
            pace: Pace::default(),
            telling: HashSet::new(),
            owing: BTreeSet::new(),
            paged: BTreeSet::new(),
            quiet_until: 0,
            flaky: 0,
            measured: (0, None),
            vouched_at: None,
            probing: false,
            tools: None,
            listening: Listening::default(),
            calls: HashSet::new(),
            tasks: HashMap::new(),
            candidates: Candidates::default(),
            session: Session::default(),
            left: 0,
            waiters: Vec::new(),
        }
    }

    /// Whether somebody waits for it: calls, or questions that belong to none.
    pub(crate) fn is_needed(&self) -> bool {
        let waits = |question: &Question| {
            let on_its_way = [RequestState::Sending, RequestState::Held];
            question.request.needs_person() || on_its_way.contains(&question.request.state)
        };
        !self.calls.is_empty() || self.session.questions.iter().any(waits)
    }

    /// Keeps what speaks for a call where questions may come that do not say whose they are.
    pub(crate) fn reckon(&mut self, call: &Call) {
        if self.server.wire != Some(Wire::Modern) {
            self.candidates.put(call);
        }
    }

    /// Whether a request may go out to it now.
    pub(crate) fn may_be_asked(&self, now: Now) -> bool {
        self.gate == Gate::Open && self.quiet_until <= now.steady_ms
    }

    /// Whether an errand may go out to it now.
    pub(crate) fn may_be_told(&self, now: Now) -> bool {
        self.may_be_asked(now) && self.telling.len() < Self::PERMITS
    }

    pub(crate) fn line(&self) -> Line {
        let (transport, access) = (Arc::clone(&self.transport), Arc::clone(&self.access));
        Line { server: self.server.id, transport, access }
    }
}

/// A call that has not ended, with its questions.
#[derive(Debug, Clone)]
pub(crate) struct Live {
    pub(crate) call: Call,
    pub(crate) questions: Vec<Question>,
    /// Those that it asks and that are not taken, if any.
    pub(crate) left: Option<Left>,
    /// Those that closed unanswered, as far as the store keeps them.
    pub(crate) closed: Closed,
    /// Where it stands when the server asks on the call itself (MRTR); none once there is a task.
    pub(crate) round: Option<Round>,
    /// Its arguments, while it may have to be made again.
    pub(crate) arguments: Option<Json>,
    /// How long its task should be kept, in ms, as the person wished: each time that the call is made.
    pub(crate) wished_ttl_ms: Option<u32>,
    /// The last state as received: equal bytes cause no work.
    pub(crate) last: Option<Last>,
    /// Bytes of that state where it is long and the store has all of it.
    pub(crate) long_state: usize,
    /// The last answer about it that was refused, as far as it is kept.
    pub(crate) refused_answer: Option<Json>,
    /// The earliest next look (steady ms).
    pub(crate) look_at: u64,
    /// When the TTL passes (steady ms): unlike the row's wall clock time it does not move when somebody sets a clock.
    pub(crate) dies_at: Option<u64>,
    /// When the TTL last made us look sooner than the interval (steady ms).
    pub(crate) hurried_at: Option<u64>,
    /// Looks in a row that showed it completed, and no result.
    pub(crate) resultless: u32,
    /// Looks about this task that failed in a row.
    pub(crate) failures: u32,
    /// Times in a row that the server said it does not know the task.
    pub(crate) not_found: u32,
    /// Answers are under way, since then. One `tasks/update` at a time.
    pub(crate) updating: Option<Timestamp>,
    /// An answer may have been lost: only a look tells whether it must be sent again.
    pub(crate) look_first: bool,
    /// What became of its answers on the way to the server.
    pub(crate) answer_tries: Tries,
    /// The look under way was sent before the answers were through: it cannot tell what became of them.
    pub(crate) stale_look: bool,
    /// A push came during the look under way, which may bring what was before: it is passed over …
    pub(crate) overtaken: bool,
    /// … but never twice in a row.
    pub(crate) passed_over: bool,
    /// Only a look settles something that a push, or a look that failed, left open.
    pub(crate) look_wanted: bool,
    /// The subscription has been told of this task.
    pub(crate) offered: bool,
    /// What was pushed has used up its time until then (steady ms).
    pub(crate) pushes_until: u64,
    /// What became of the wish to cancel on its way to the server.
    pub(crate) cancel_tries: Tries,
    /// How often this wish to cancel was sent in this run.
    pub(crate) cancel_sendings: u32,
    /// The wish to cancel is under way.
    pub(crate) cancelling: bool,
    /// Looked at by the clock, and not only when somebody names it.
    pub(crate) followed: bool,
    /// When the last status entry was added to the timeline (steady ms).
    pub(crate) told_at: Option<u64>,
    /// Status entries added to the timeline since the start.
    pub(crate) told: u32,
    /// What the server has added to it in all.
    pub(crate) timeline: Timeline,
    /// Who waits for the next look.
    pub(crate) waiters: Vec<Token>,
    /// What became of the requests for its result (legacy wire).
    pub(crate) result_tries: Tries,
    /// How often its result was asked for in this run.
    pub(crate) results_asked: u32,
    /// The methods of requests about it that were refused unasked in this run, since nobody knows them (legacy wire).
    pub(crate) refused: Vec<String>,
    /// When its progress was last kept (steady ms).
    pub(crate) progress_at: Option<u64>,
    /// What its result begins with, for the notice of its end.
    pub(crate) result_line: Option<String>,
}

impl Live {
    pub(crate) fn new(call: Call) -> Self {
        Self {
            call,
            questions: Vec::new(),
            left: None,
            closed: Closed::default(),
            round: None,
            arguments: None,
            wished_ttl_ms: None,
            last: None,
            long_state: 0,
            refused_answer: None,
            look_at: 0,
            dies_at: None,
            hurried_at: None,
            resultless: 0,
            failures: 0,
            not_found: 0,
            updating: None,
            look_first: false,
            answer_tries: Tries::default(),
            stale_look: false,
            overtaken: false,
            passed_over: false,
            look_wanted: false,
            offered: false,
            pushes_until: 0,
            cancel_tries: Tries::default(),
            cancel_sendings: 0,
            cancelling: false,
            followed: true,
            told_at: None,
            told: 0,
            timeline: Timeline::default(),
            waiters: Vec::new(),
            result_tries: Tries::default(),
            results_asked: 0,
            refused: Vec::new(),
            progress_at: None,
            result_line: None,
        }
    }

    /// Whether a look has something to settle even when nothing changed.
    pub(crate) fn unsettled(&self) -> bool {
        self.call.wants_cancel()
            || self.call.status.is_terminal()
            || self.questions.iter().any(|question| match question.request.state {
                RequestState::Sending => true,
                RequestState::Answered => {
                    question.request.answer.as_ref().is_some_and(|answer| answer.taken_at.is_none())
                }
                _ => false,
            })
    }

    /// Whether something of the person's is still on its way to the server.
    pub(crate) fn owes(&self) -> bool {
        let on_its_way = [RequestState::Sending, RequestState::Held];
        self.call.wants_cancel() || self.questions.iter().any(|q| on_its_way.contains(&q.request.state))
    }
}

/// What an intent touched, as it was: nothing happens between an intent and its commit, so putting this back is exact.
#[derive(Debug, Default)]
pub(crate) enum Before {
    #[default]
    Nothing,
    /// A server; none when it was new.
    Server(ServerId, Option<Box<Server>>),
    /// A call; none when it was new.
    Call(CallId, Option<Box<Live>>),
    /// A call that was forgotten, with its questions on the legacy wire. One that has ended is not in memory; they may be.
    Forgotten(CallId, ServerId, Option<Box<Live>>, Vec<Question>),
    /// The questions on the connection of a server of the legacy wire.
    Wire(ServerId, Vec<Question>),
    Tuning(Tuning),
    /// Several of these, none of which touches what another does.
    All(Vec<Before>),
}

impl State {
    /// When something is due next, by the steady clock in ms.
    #[must_use]
    pub fn next_due(&self) -> Option<u64> {
        self.schedule.next()
    }

    /// How many calls are followed in memory.
    #[must_use]
    pub fn live_calls(&self) -> usize {
        self.calls.len()
    }
}
