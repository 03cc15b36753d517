//! The same for servers of the legacy wire: connections that end and are resumed, questions that are requests, tasks that
//! we host, and results that are held. What each server knows of all that is the truth ([`peer`]); [`line`] is what stands
//! in between.
//!
//! Longer than most: what may happen and what it means is one machine, played by one property.

mod end;
mod line;
mod peer;
mod people;
mod sides;

use std::collections::{BTreeMap, BTreeSet};

use signalbox_mcp::{
    Channel, Error, ProgressView, ServerAsk, ServerNews, ServerNotification, ServerRequest, SessionEvent,
    TaskView,
};
use signalbox_model::{CallId, Json, RequestId, ServerId, Snooze};

use self::{
    peer::{Stands, Theirs, Waits, Wish},
    people::People,
    sides::Side,
};
use super::{bench::*, legacy::session_over, world::Fate};
use crate::{Follow, Input, Intent, Now};

#[derive(Debug, Clone)]
pub(crate) enum Op {
    /// What follows is about the n-th server, where it is about one.
    Turn(u32),
    Start,
    /// The next call that is served comes to a result at once.
    Plain,
    Track,
    /// The n-th request of ours meets its fate; a poll may show what was when the op before it was played.
    Land(usize, Fate),
    /// So does the n-th reply, from the last.
    Reply(usize, Fate),
    Pass(u64),
    /// So many ms pass, and every poll and every request for a result is answered at once, if it can be.
    Watch(u64),
    /// For a moment all goes well: what is on the wire is served, and the next polls are.
    Calm,
    /// Somebody sets our wall clock, so many minutes ahead or back.
    Clock(i32),
    /// The machine sleeps so many minutes; the steady clock counts them, or stands still.
    Sleep(u32, bool),
    /// The n-th task asks. What kind is in the bits of the second, see [`World::ask`].
    Ask(usize, u16),
    /// The n-th question is asked once more: by the same request, or by another.
    Again(usize, bool, bool),
    /// The server withdraws its n-th question; what is on its way to it may find that out before the engine does.
    Withdraw(usize, bool),
    /// The server polls the n-th task that we host, fetches or cancels it.
    Hosted(usize, u8),
    /// It gives a request of its own up.
    GiveUp(usize),
    /// It tells by itself how the n-th task fares, or fared; or of one that nobody knows.
    Tell(usize, u8),
    /// The n-th task needs input, or not any more, and says so with these words.
    Need(usize, bool, u8),
    End(usize, u8),
    Ttl(usize, u32),
    /// The connection ends: what for.
    Cut(u8),
    /// The server starts anew, and nobody tells us. Its tasks may be gone with its sessions.
    Forget(bool),
    /// We hear of the end of a connection that we closed.
    Told,
    /// Something comes on a connection of before.
    Late(u8),
    Answer(usize, u32),
    /// A no, or a dismissal.
    No(usize, bool, u32),
    Undo(usize),
    TakeBackHeld,
    Draft(usize),
    /// The n-th question is put off, or brought back.
    Snooze(usize, Option<Snooze>),
    PutAway(usize),
    Cancel(usize),
    Drop(usize),
    Refresh(usize),
    Await(usize),
    Check,
    Enable(bool),
    Full(bool),
    Restart(u64, bool),
}

impl Op {
    /// A kind of question ([`World::ask`]): it says which task asks it.
    pub(crate) const NAMES_ITS_TASK: u16 = 1;
    /// It wants a task that we host.
    pub(crate) const HOSTED: u16 = 1 << 5;
    /// It is for a model.
    pub(crate) const OF_MODEL: u16 = 1 << 3 | 1 << 4;
}

pub(crate) struct World {
    bench: Bench,
    /// The server that it is about.
    at: Side,
    others: Vec<Side>,
    people: People,
    /// Where each call was made.
    homes: BTreeMap<CallId, ServerId>,
    /// The servers' words for the tasks of our calls.
    handles: BTreeMap<CallId, String>,
    /// How many of the next calls make no task.
    plain: u32,
    /// How many handles were adopted, questions asked, and ids made up for tasks that we host.
    counts: (u32, u32, u32),
    /// Requests for results that we gave up.
    given_up: BTreeSet<CallId>,
    /// How many replies had gone out.
    seen: usize,
}

impl World {
    pub(crate) const SERVERS: u32 = 2;

    /// `shared`: one channel for all, and no session that can be resumed, as over stdio.
    pub(crate) fn new(shared: bool) -> Self {
        let side = |n| Side::new(Self::server(n), shared);
        let mut bench = Bench::new();
        (1..Self::SERVERS).for_each(|n| bench.meet(Self::server(n)));
        let mut world = Self {
            bench,
            at: side(0),
            others: (1..Self::SERVERS).map(side).collect(),
            people: People::default(),
            homes: BTreeMap::new(),
            handles: BTreeMap::new(),
            plain: 0,
            counts: (0, 0, 0),
            given_up: BTreeSet::new(),
            seen: 0,
        };
        world.at_each(Self::establish);
        world
    }

    pub(crate) fn play(mut self, op: Op) -> Self {
        match op {
            Op::Turn(n) => self.turn_to(Self::server(n)),
            Op::Start => {
                let (tool, arguments) = ("t".to_owned(), json("{}"));
                self.make(Intent::Start { server: self.at.server, tool, arguments, ttl_ms: None });
            }
            Op::Plain => self.plain += 1,
            Op::Track => {
                self.counts.0 += 1;
                let task_id = format!("theirs-{}", self.counts.0);
                let intent = Intent::Track { server: self.at.server, task_id: task_id.clone() };
                if let Some(call) = self.make(intent) {
                    self.handles.insert(call, task_id.clone());
                    self.at.peer.tasks.insert(task_id, Theirs::default());
                }
            }
            Op::Land(n, fate) => {
                if let Some(at) = self.nth(self.bench.flights.len(), n) {
                    self.lands_at_home(at, fate);
                }
            }
            Op::Reply(n, fate) => {
                if let Some(at) = self.nth(self.bench.replies_out.len(), n) {
                    let reply = self.bench.replies_out.remove(self.bench.replies_out.len() - 1 - at);
                    let here = self.at.server;
                    self.turn_to(reply.server);
                    self.reply_lands(reply, fate);
                    self.turn_to(here);
                }
            }
            Op::Pass(ms) => self.bench.pass(ms),
            Op::Watch(ms) => self.watch(ms),
            Op::Calm => self.is_kind(LATEST),
            Op::Clock(minutes) => {
                self.bench.now.wall = self.bench.now.wall.plus_ms(i64::from(minutes) * 60_000);
            }
            Op::Sleep(minutes, counts) => {
                let slept = self.bench.now.plus_ms(u64::from(minutes) * 60_000);
                let steady_ms = if counts { slept.steady_ms } else { self.bench.now.steady_ms };
                self.bench.now = Now { steady_ms, ..slept };
                self.feed(Input::Tick);
            }
            Op::Ask(n, kind) => self.ask(n, kind),
            Op::Again(n, same, on_result) => self.ask_again(n, same, on_result),
            Op::Withdraw(n, late) => {
                let waits = |rpc: &String| {
                    let waits = self.at.peer.waits.get(rpc);
                    matches!(waits, Some(Waits::Answer(_) | Waits::Created(_)))
                };
                let rpcs: Vec<String> = self.at.peer.waits.keys().filter(|rpc| waits(rpc)).cloned().collect();
                self.give_up(rpcs, n, late);
            }
            Op::GiveUp(n) => {
                let fetches = |rpc: &String| matches!(self.at.peer.waits.get(rpc), Some(Waits::Fetch(_)));
                let rpcs: Vec<String> =
                    self.at.peer.waits.keys().filter(|rpc| fetches(rpc)).cloned().collect();
                self.give_up(rpcs, n, false);
            }
            Op::Hosted(n, what) => self.about_hosted(n, what),
            Op::Tell(n, what) => self.tell(n, what),
            Op::Need(n, needs, message) => {
                if let Some(theirs) = self.theirs(n) {
                    theirs.needs = needs;
                    theirs.message = message;
                }
            }
            Op::End(n, how) => {
                if let Some(theirs) = self.theirs(n) {
                    theirs.end = theirs.end.or(Some(how));
                }
            }
            Op::Ttl(n, ms) => {
                if let Some(theirs) = self.theirs(n) {
                    theirs.ttl_ms = Some(ms);
                }
            }
            Op::Cut(what) => self.cut(what),
            Op::Forget(tasks_too) => self.at.peer.forget(tasks_too),
            Op::Told => self.told_of_ends(1),
            Op::Late(what) => self.late(what),
            Op::Answer(..)
            | Op::No(..)
            | Op::Undo(_)
            | Op::TakeBackHeld
            | Op::Draft(_)
            | Op::Snooze(..)
            | Op::PutAway(_)
            | Op::Cancel(_)
            | Op::Drop(_)
            | Op::Refresh(_)
            | Op::Await(_)
            | Op::Check
            | Op::Enable(_) => self.wish(&op),
            Op::Full(full) => self.bench.full = full,
            Op::Restart(ms, all) => self = self.restart(ms, all),
        }
        self.settle();
        self.agrees();
        self
    }

    /// A new id; or the last one again, where no reply to it is under way and nothing waits by it but a question: which of
    /// the two a reply meant nobody could tell.
    fn id(&mut self, again: bool) -> String {
        let last = self.at.peer.last_id();
        let under_way = self.replies_to(&last);
        let is_free = matches!(self.at.peer.waits.get(&last), None | Some(Waits::Answer(_)));
        self.at.peer.id(again && !under_way && is_free)
    }

    fn watch(&mut self, ms: u64) {
        let end = self.bench.now.steady_ms + ms;
        let polls = |flight: &Flight| matches!(flight, Flight::Poll { .. } | Flight::Result { .. });
        loop {
            for _ in 0..self.bench.flights.iter().filter(|flight| polls(flight)).count() {
                if let Some(at) = self.bench.flights.iter().position(polls) {
                    self.lands_at_home(at, Fate::Served);
                }
            }
            let left = end.saturating_sub(self.bench.now.steady_ms);
            let due = self.bench.state.next_due().map(|due| due.saturating_sub(self.bench.now.steady_ms));
            let wait = due.map_or(left, |wait| wait.clamp(1, left.max(1)));
            self.bench.pass(wait.min(left));
            self.settle();
            if wait >= left {
                return;
            }
        }
    }

    /// Whether a reply to this request is on its way.
    fn replies_to(&self, rpc: &str) -> bool {
        self.bench.replies_out.iter().any(|reply| reply.server == self.at.server && reply.rpc == rpc)
    }

    fn nth(&self, of: usize, n: usize) -> Option<usize> {
        (of > 0).then(|| n % of)
    }

    fn feed(&mut self, input: Input) {
        self.bench.feed(input);
        self.settle();
    }

    /// The n-th task from the last.
    fn theirs(&mut self, n: usize) -> Option<&mut Theirs> {
        let at = self.nth(self.at.peer.tasks.len(), n)?;
        self.at.peer.tasks.values_mut().nth_back(at)
    }

    fn call(&self, n: usize) -> Option<CallId> {
        let at = self.nth(self.bench.disk.calls.len(), n)?;
        self.bench.disk.calls.keys().nth_back(at).copied()
    }

    fn request(&self, n: usize) -> Option<RequestId> {
        let at = self.nth(self.bench.disk.requests.len(), n)?;
        self.bench.disk.requests.keys().nth_back(at).copied()
    }

    /// A request of the server comes.
    fn hear(&mut self, request: ServerRequest) {
        let Some(link) = self.at.line.link else { return };
        self.at.line.open.insert(request.id.clone());
        self.counts.2 += 1;
        let fresh = request.as_task.is_some().then(|| format!("hosted-{:05}", self.counts.2));
        let event = Box::new(SessionEvent::Request(Box::new(request)));
        self.feed(Input::Heard { server: self.at.server, link, event, fresh });
    }

    fn news(&mut self, news: ServerNews) {
        let Some(link) = self.at.line.link else { return };
        let notification =
            ServerNotification { news, related_task: None, channel: Channel::Push, raw: json("{}") };
        let event = Box::new(SessionEvent::Notification(Box::new(notification)));
        self.feed(Input::Heard { server: self.at.server, link, event, fresh: None });
    }

    /// Whether the server can say something that we hear.
    fn can_speak(&self) -> bool {
        self.at.line.link.is_some() && self.at.line.session == self.at.peer.session
    }

    /// Bits of the kind: it names its task; comes with the request for its result, or for a call; is for a model; is a page;
    /// wants a task, for a while; has the words of its task's status; takes the last id again.
    fn ask(&mut self, n: usize, kind: u16) {
        if !self.can_speak() {
            return;
        }
        let bit = |at: u16| kind & (1 << at) != 0;
        let at = self.nth(self.at.peer.tasks.len(), n);
        let task = at
            .and_then(|at| self.at.peer.tasks.iter().nth_back(at))
            .filter(|(_, theirs)| theirs.end.is_none());
        let says_message = task.filter(|_| bit(7)).map(|(_, theirs)| format!("Q{}", theirs.message));
        let task = task.map(|(id, _)| id.clone());
        self.counts.1 += 1;
        let words = says_message.unwrap_or_else(|| format!("Q{}", self.counts.1 + 100));
        let channel = self.channel(task.as_deref(), bit(1), bit(2));
        let wish = Wish {
            words,
            task,
            says: bit(0),
            sampling: bit(3) && bit(4),
            url: bit(4) && !bit(3),
            hosted: bit(5).then(|| bit(6).then_some(20_000)),
            channel,
        };
        let rpc = self.id(bit(8) && bit(9));
        let at = self.at.peer.ask(rpc, &wish);
        let request = self.at.peer.asked[at].request.clone();
        self.hear(request);
    }

    /// Where a question of this task comes: on the request for its result where one is held, or for a call under way.
    fn channel(&self, task: Option<&str>, on_result: bool, on_call: bool) -> Channel {
        if self.at.line.shared {
            return Channel::Shared;
        }
        let is_held = |flight: &Flight| match flight {
            Flight::Result { call, .. } => {
                task.is_some_and(|task| self.handles.get(call).is_some_and(|id| id == task))
            }
            _ => false,
        };
        if on_result && self.bench.flights.iter().any(is_held) {
            return Channel::Response { method: "tasks/result", task_id: task.map(str::to_owned) };
        }
        let here = self.at.server;
        let calls = |flight: &Flight| matches!(flight, Flight::Call { server, .. } if *server == here);
        let calling = self.bench.flights.iter().any(calls);
        match on_call && calling {
            true => Channel::Response { method: "tools/call", task_id: None },
            false => Channel::Push,
        }
    }

    fn ask_again(&mut self, n: usize, same: bool, on_result: bool) {
        let Some(at) = self.nth(self.at.peer.asked.len(), n) else { return };
        let at = self.at.peer.asked.len() - 1 - at;
        if !self.can_speak() {
            return;
        }
        let asked = self.at.peer.asked[at].clone();
        let channel = self.channel(asked.task.as_deref(), on_result, false);
        if same {
            // Only within its session, and only while it waits: what a server sends again has not been answered.
            let plain = self.at.peer.waits.get(&asked.request.id) == Some(&Waits::Answer(at));
            if plain && !self.replies_to(&asked.request.id) && self.at.peer.waits_for(&asked) {
                self.hear(ServerRequest { channel, ..asked.request });
            }
            return;
        }
        if matches!(asked.stands, Stands::Answered | Stands::Withdrawn) {
            return;
        }
        let wish = Wish {
            words: asked.words,
            says: asked.request.related_task.is_some(),
            task: asked.task,
            sampling: matches!(asked.request.ask, ServerAsk::Sampling),
            url: asked.request.raw.text().contains(r#""mode":"url""#),
            hosted: asked.request.as_task.map(|wish| wish.ttl_ms.map(|_| 20_000)),
            channel,
        };
        let rpc = self.id(false);
        let at = self.at.peer.ask(rpc, &wish);
        let request = self.at.peer.asked[at].request.clone();
        self.hear(request);
    }

    /// The server does not want the answer to one of these requests any more. `late`: a reply to it that is on its way comes
    /// to its end before the engine is told.
    fn give_up(&mut self, rpcs: Vec<String>, n: usize, late: bool) {
        let Some(at) = self.nth(rpcs.len(), n) else { return };
        if !self.can_speak() {
            return;
        }
        let rpc = rpcs[at].clone();
        if let Some(Waits::Answer(at) | Waits::Created(at)) = self.at.peer.waits.remove(&rpc) {
            let told = self.at.line.open.contains(&rpc);
            self.at.peer.asked[at].stands = if told { Stands::Withdrawn } else { Stands::Gone };
        }
        // Of what is not open nothing is passed on: an answer may come that nobody wants.
        if self.at.line.open.remove(&rpc) {
            let (under_way, others) = std::mem::take(&mut self.bench.replies_out)
                .into_iter()
                .partition(|reply: &WireReply| late && reply.server == self.at.server && reply.rpc == rpc);
            self.bench.replies_out = others;
            for reply in under_way {
                self.reply_lands(reply, Fate::Served);
            }
            self.news(ServerNews::Cancelled { id: rpc, reason: None });
        } else {
            self.at.peer.wants_no_more(rpc);
        }
    }

    fn about_hosted(&mut self, n: usize, what: u8) {
        if !self.can_speak() {
            return;
        }
        let at = self.nth(self.at.peer.ours.len(), n);
        let task_id = at.and_then(|at| self.at.peer.ours.keys().nth_back(at)).cloned();
        let task_id = task_id.unwrap_or_else(|| "guessed".to_owned());
        let rpc = self.id(false);
        let (ask, waits) = match what {
            0..=3 => (ServerAsk::TaskResult { task_id: task_id.clone() }, Waits::Fetch(task_id)),
            4 | 5 => {
                let had_it = self.at.peer.ours.get(&task_id).is_some_and(|ours| ours.delivered.is_some());
                (ServerAsk::GetTask { task_id: task_id.clone() }, Waits::Status(task_id, had_it))
            }
            6 => (ServerAsk::ListTasks { cursor: None }, Waits::Other),
            _ => {
                if let Some(ours) = self.at.peer.ours.get(&task_id) {
                    let asked = &mut self.at.peer.asked[ours.asked];
                    if asked.stands == Stands::Waits {
                        asked.stands = Stands::Gone;
                    }
                }
                (ServerAsk::CancelTask { task_id }, Waits::Other)
            }
        };
        self.at.peer.overwrite(&rpc);
        self.at.peer.waits.insert(rpc.clone(), waits);
        let raw = json(&format!(r#"{{"jsonrpc":"2.0","id":{rpc},"method":"x","params":{{}}}}"#));
        let channel = if self.at.line.shared { Channel::Shared } else { Channel::Push };
        self.hear(ServerRequest { id: rpc, ask, related_task: None, as_task: None, channel, raw });
    }

    fn tell(&mut self, n: usize, what: u8) {
        if !self.can_speak() {
            return;
        }
        let at = self.nth(self.at.peer.tasks.len(), n);
        let task = at.and_then(|at| self.at.peer.tasks.iter().nth_back(at));
        let Some((id, shown)) = task.and_then(|(id, theirs)| Some((id.clone(), theirs.shown()?))) else {
            return;
        };
        let told = |id: &str, text: &str| {
            ServerNews::TaskStatus(TaskView::read_legacy(&json(
                &text.replace(r#""taskId":"x""#, &format!(r#""taskId":"{id}""#)),
            )))
        };
        let early = format!("task-{}", self.bench.disk.calls.len() + 1);
        let news = match what {
            0 => told(&early, r#"{"taskId":"x","status":"input_required","statusMessage":"Q1"}"#),
            1 => told(&id, r#"{"taskId":"x","status":"working","lastUpdatedAt":"2020-01-01T00:00:00Z"}"#),
            2 => told(&id, r#"{"taskId":"x","status":"cancelled"}"#),
            3 => ServerNews::ToolsListChanged,
            4 => {
                let token = self.call(n).map_or_else(String::new, |call| call.to_string());
                ServerNews::Progress(ProgressView {
                    token,
                    progress: Some(json("1")),
                    total: None,
                    message: None,
                })
            }
            _ => told(&id, shown.text()),
        };
        self.news(news);
    }

    /// A request of ours meets its fate.
    fn land(&mut self, flight: Flight, fate: Fate) {
        let mut error = fate.error();
        if self.at.line.link.is_none() {
            // A connection has to be made for it first.
            if let Some(error) = error.take().filter(|_| !fate.acts() && !matches!(fate, Fate::LostBefore)) {
                let error = match error {
                    Error::Throttled { .. } | Error::Rpc { .. } => unreachable(),
                    other => other,
                };
                return self.not_connected(flight, error);
            }
            error = fate.error();
            // It waits for the connection, and may be given up meanwhile.
            self.bench.flights.push(flight.clone());
            self.establish();
            let Some(at) = self.bench.flights.iter().position(|waits| *waits == flight) else { return };
            self.bench.flights.remove(at);
        }
        if self.at.line.session != self.at.peer.session {
            let link = self.at.line.link;
            self.fails(flight, session_over());
            if self.at.line.link == link {
                self.cut(0);
            }
            return;
        }
        match flight {
            Flight::Call { call, .. } => {
                let id = format!("task-{}", call.0);
                let makes_task = self.plain == 0;
                if fate.acts() && makes_task {
                    self.at.peer.tasks.insert(id.clone(), Theirs::default());
                    self.handles.insert(call, id.clone());
                }
                let made = format!(
                    r#"{{"resultType":"task","taskId":"{id}","status":"working","pollIntervalMs":1000,"ttlMs":null}}"#
                );
                let reply = match (error, fate) {
                    (Some(error @ Error::Unreachable { .. }), _) => {
                        return self.feed(Input::NotSent { call, error });
                    }
                    (Some(error), _) => Err(error),
                    (None, Fate::Odd) => Ok(called(r#"{"resultType":"task"}"#)),
                    (None, _) if !makes_task || !fate.acts() => {
                        self.plain = self.plain.saturating_sub(1);
                        Ok(called(r#"{"content":[]}"#))
                    }
                    (None, _) => Ok(called(&made)),
                };
                self.feed(Input::Called { call, reply: reply.map(Box::new) });
            }
            Flight::Poll { server, call } => {
                let reply = match error {
                    Some(error) => Err(error),
                    None if matches!(fate, Fate::Odd) => Ok(json(r#"{"status":7,"ttl":"x"}"#)),
                    None => self.shown(call),
                };
                self.feed(Input::Polled { server, call, reply: reply.map(Into::into) });
            }
            Flight::Cancel { call } => {
                if let Some(theirs) = self.handles.get(&call).and_then(|id| self.at.peer.tasks.get_mut(id))
                    && fate.acts()
                {
                    theirs.end = theirs.end.or(Some(3));
                }
                let reply = error.map_or_else(|| self.shown(call), Err);
                self.feed(Input::CancelSent { server: self.at.server, call, reply });
            }
            Flight::Result { server, call, held } => {
                let reply = match error {
                    _ if self.given_up.remove(&call) => Err(Error::Closed),
                    Some(error) => Err(error),
                    None if matches!(fate, Fate::Odd) => Ok(json("{}")),
                    None => {
                        let result = self.handles.get(&call).and_then(|id| self.at.peer.tasks.get(id));
                        match result.map_or(Some(Err(-32602)), Theirs::result) {
                            Some(result) => result.map_err(rpc),
                            None => return self.bench.flights.push(Flight::Result { server, call, held }),
                        }
                    }
                };
                self.feed(Input::Resulted { server, call, reply });
            }
            Flight::Discover { server } => {
                let reply = error.map_or_else(|| Ok(Box::new(super::legacy::legacy_found())), Err);
                self.feed(Input::Discovered { server, reply });
            }
            Flight::Update { .. } => panic!("this wire has no tasks/update"),
        }
    }

    fn shown(&self, call: CallId) -> Result<Json, Error> {
        let theirs = self.handles.get(&call).and_then(|id| self.at.peer.tasks.get(id));
        theirs.and_then(Theirs::shown).ok_or_else(|| rpc(-32602))
    }

    /// There was no connection, and none came to stand.
    fn not_connected(&mut self, flight: Flight, error: Error) {
        match flight {
            Flight::Call { call, .. } => self.feed(Input::NotSent { call, error }),
            other => self.fails(other, error),
        }
    }

    fn fails(&mut self, flight: Flight, error: Error) {
        let input = match flight {
            Flight::Call { call, .. } => Input::Called { call, reply: Err(error) },
            Flight::Poll { server, call } => Input::Polled { server, call, reply: Err(error) },
            Flight::Cancel { call } => Input::CancelSent { server: self.at.server, call, reply: Err(error) },
            Flight::Result { server, call, .. } => {
                let error = if self.given_up.remove(&call) { Error::Closed } else { error };
                Input::Resulted { server, call, reply: Err(error) }
            }
            Flight::Discover { server } => Input::Discovered { server, reply: Err(error) },
            Flight::Update { .. } => panic!("this wire has no tasks/update"),
        };
        self.feed(input);
    }

    /// The engine dies, and another one starts over its disk.
    fn restart(mut self, ms: u64, all: bool) -> Self {
        // What is on the wire arrives, or not.
        for (n, reply) in std::mem::take(&mut self.bench.replies_out).into_iter().enumerate() {
            self.turn_to(reply.server);
            if (n as u64 + ms).is_multiple_of(2) && self.at.line.open.remove(&reply.rpc) {
                self.arrives(&reply);
            }
        }
        let follow = if all { Follow::All } else { Follow::Named };
        self.bench = self.bench.restart(ms, follow);
        self.at_each(|world| {
            world.at.line.begin_anew();
            if world.at.line.shared {
                world.at.peer.forget(ms.is_multiple_of(3));
                world.at.peer.strand();
            }
        });
        self.given_up.clear();
        self.seen = 0;
        self
    }
}
