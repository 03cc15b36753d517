//! Callers that wait to hear what became of an answer, or of a wish to cancel, that is on its way to a
//! server.
//!
//! They are looked through when a step writes something of their server, and when they have waited long
//! enough. So nobody outside needs to read the store again and again to find out.
//!
//! When somebody forgets the task, whoever waits is told so, and how far the answer or wish had come
//! (`Fate::Forgotten`).
//!
//! Those whom a wish would have told wait on where it could not be kept.

use std::collections::{BTreeMap, BTreeSet};

use signalbox_model::{CallId, Health, Identity, InputRequest, RequestId, RequestState, ServerId, Timestamp};
use signalbox_store::Write;

use super::{Live, Turn};
use crate::{
    Fate, Granted, Token,
    schedule::Due,
    shared::Place,
    state::{Before, Rooms},
};

/// How long a server may take to acknowledge something before whoever waits is told that it is late, in ms.
pub(crate) const PATIENCE: u64 = 30_000;

/// One who waits.
#[derive(Debug, Clone)]
pub(crate) struct Waiter {
    token: Token,
    item: Item,
    /// When they are told that it is late (steady ms).
    late_at: u64,
}

#[cfg(test)]
impl Waiter {
    pub(crate) fn token(&self) -> &Token {
        &self.token
    }
}

/// What they wait for.
#[derive(Debug, Clone, Copy)]
enum Item {
    /// The answer that was decided then; `once_out`: of one that goes out with its call it is enough that it has.
    Answer { request: RequestId, decided_at: Timestamp, once_out: bool },
    /// A wish to cancel.
    Cancel(CallId),
}

impl Rooms {
    /// Those who wait, as they do.
    pub(super) fn waiting_before(&self) -> Before {
        Before::Waiting { calls: self.awaiting_calls.clone(), fates: self.waiting.clone() }
    }

    /// They wait as they did.
    pub(super) fn wait_again(
        &mut self,
        turn: &mut Turn<'_>,
        calls: Vec<Token>,
        fates: BTreeMap<ServerId, Vec<Waiter>>,
    ) {
        self.awaiting_calls = calls;
        self.waiting = fates;
        for (server, waiters) in &self.waiting {
            plan_late(turn, *server, waiters);
        }
    }

    /// Tells those who wait for it that no call is under way. A retry that goes by itself keeps a call under way; one that
    /// waits for a person may take as long as they like, and is not waited for.
    pub(super) fn calls_answered(&mut self, turn: &mut Turn<'_>) {
        let on_wire = |live: &Live| self.sessions.get(live.server()).map_or(0, |s| s.open_of(live.id()));
        let is_under_way =
            |live: &Live| !live.call.ended() && live.is_out() && live.open() == 0 && on_wire(live) == 0;
        if self.awaiting_calls.is_empty() || self.calls.live.values().any(|live| is_under_way(live)) {
            return;
        }
        for token in std::mem::take(&mut self.awaiting_calls) {
            turn.reply(token, Ok(Granted::Done));
        }
    }

    pub(super) fn await_answer(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        (request, decided_at): (RequestId, Timestamp),
        once_out: bool,
    ) {
        let server = match turn.places.get(&request) {
            Some(Place::Wire(server)) => Some(*server),
            Some(Place::Call(call)) => self.calls.live.get(call).map(|live| live.call.server),
            None => None,
        };
        self.wait(turn, server, token, Item::Answer { request, decided_at, once_out });
    }

    pub(super) fn await_cancel(&mut self, turn: &mut Turn<'_>, token: Token, call: CallId) {
        let server = self.calls.live.get(&call).map(|live| live.call.server);
        self.wait(turn, server, token, Item::Cancel(call));
    }

    fn wait(&mut self, turn: &mut Turn<'_>, server: Option<ServerId>, token: Token, item: Item) {
        let Some(server) = server else {
            // Over, and not in memory any more. This reply comes after the commit of its end: the store has it.
            turn.reply(token, Ok(Granted::Done));
            return;
        };
        let waiter = Waiter { token, item, late_at: turn.now.steady_ms + PATIENCE };
        self.waiting.entry(server).or_default().push(waiter);
        self.tell_waiters_of(turn, server);
    }

    /// Tells those who wait for something that this step has settled.
    pub(super) fn tell_waiters(&mut self, turn: &mut Turn<'_>) {
        if self.waiting.is_empty() {
            return;
        }
        let touched: BTreeSet<ServerId> =
            turn.out.writes.iter().flat_map(|write| self.servers_of(write)).collect();
        for server in touched {
            self.tell_waiters_of(turn, server);
        }
    }

    /// Tells those who wait for something of a call that is about to be forgotten: of what was on its way nothing more is
    /// heard.
    pub(super) fn tell_of_forgetting(&mut self, turn: &mut Turn<'_>, id: CallId, server: ServerId) {
        let Some(waiters) = self.waiting.remove(&server) else { return };
        let mut left = Vec::new();
        for waiter in waiters {
            let fate = Fate::Forgotten;
            let granted = match waiter.item {
                Item::Answer { request, .. } => self
                    .request_after(turn, request)
                    .filter(|request| request.call == Some(id))
                    .map(|request| Granted::Answer { request: Box::new(request.clone()), fate }),
                Item::Cancel(call) if call == id => self
                    .calls
                    .live
                    .get(&call)
                    .map(|live| Granted::Wish { call: Box::new(live.call.clone()), fate }),
                Item::Cancel(_) => None,
            };
            match granted {
                Some(granted) => turn.reply(waiter.token, Ok(granted)),
                None => left.push(waiter),
            }
        }
        // The others are gone over with what this turn writes.
        self.waiting.insert(server, left);
    }

    /// The servers with waiters whose items a write may be about.
    fn servers_of(&self, write: &Write) -> Vec<ServerId> {
        let one = match write {
            Write::PutServer(server) => server.id,
            Write::PutCall(call) => call.server,
            Write::PutRequest(request) => request.server,
            // It does not say where its call ran. That is rare, and so are waiters.
            Write::ForgetCall(_) => return self.waiting.keys().copied().collect(),
            _ => return Vec::new(),
        };
        if self.waiting.contains_key(&one) { vec![one] } else { Vec::new() }
    }

    /// Tells those of one server, as far as there is something to tell.
    pub(super) fn tell_waiters_of(&mut self, turn: &mut Turn<'_>, server: ServerId) {
        let Some(waiters) = self.waiting.remove(&server) else { return };
        let mut left = Vec::new();
        for mut waiter in waiters {
            let granted = match waiter.item {
                Item::Answer { request, decided_at, once_out } => {
                    self.became_of_answer(turn, &mut waiter, (request, decided_at), once_out)
                }
                Item::Cancel(call) => self.became_of_wish(turn, &waiter, call),
            };
            match granted {
                Some(granted) => turn.reply(waiter.token, Ok(granted)),
                None => left.push(waiter),
            }
        }
        plan_late(turn, server, &left);
        if !left.is_empty() {
            self.waiting.insert(server, left);
        }
    }

    /// What became of an answer; none while that is open.
    fn became_of_answer(
        &self,
        turn: &Turn<'_>,
        waiter: &mut Waiter,
        (id, decided_at): (RequestId, Timestamp),
        once_out: bool,
    ) -> Option<Granted> {
        let Some(request) = self.request_after(turn, id) else { return Some(Granted::Done) };
        if !request.has_decision(decided_at) {
            return Some(Granted::Answer { request: Box::new(request.clone()), fate: Fate::TakenBack });
        }
        let fate = match request.state {
            // Another was given since this one failed.
            _ if request.decided_at() != Some(decided_at) => Fate::Known,
            RequestState::Held | RequestState::Sending => {
                let call = self.round_of(request);
                let out = call.is_some_and(|live| live.is_out());
                let kept = call.is_some_and(|live| live.waits_for_a_person(request));
                match self.waits_for(request.server) {
                    _ if request.state == RequestState::Sending && kept => Fate::Kept,
                    Some(health) => Fate::Waits(health),
                    None if out && once_out => Fate::Out,
                    None if waiter.late_at > turn.now.steady_ms => return None,
                    None if out => {
                        // As long as the tool of its call works there is no answer.
                        waiter.late_at = turn.now.steady_ms + PATIENCE;
                        return None;
                    }
                    None => Fate::Late,
                }
            }
            _ => Fate::Known,
        };
        Some(Granted::Answer { request: Box::new(request.clone()), fate })
    }

    /// What became of a wish to cancel; none while that is open.
    fn became_of_wish(&self, turn: &Turn<'_>, waiter: &Waiter, id: CallId) -> Option<Granted> {
        let written = turn.out.writes.iter().rev().find_map(|write| match write {
            Write::PutCall(call) if call.id == id => Some(&**call),
            _ => None,
        });
        let Some(call) = written.or_else(|| self.calls.live.get(&id).map(|live| &live.call)) else {
            return Some(Granted::Done);
        };
        let fate = match self.waits_for(call.server) {
            _ if call.ended() || !call.wants_cancel() => Fate::Known,
            Some(health) => Fate::Waits(health),
            None if waiter.late_at > turn.now.steady_ms => return None,
            None => Fate::Late,
        };
        Some(Granted::Wish { call: Box::new(call.clone()), fate })
    }

    /// A question as this step leaves it, also when that is the last that memory has of it.
    fn request_after<'a>(&'a self, turn: &'a Turn<'_>, id: RequestId) -> Option<&'a InputRequest> {
        let written = turn.out.writes.iter().rev().find_map(|write| match write {
            Write::PutRequest(request) if request.id == id => Some(&**request),
            _ => None,
        });
        let questions = || match turn.places.get(&id)? {
            Place::Call(call) => self.calls.live.get(call).map(|live| &live.questions),
            Place::Wire(server) => self.sessions.get(*server).map(|session| &session.questions),
        };
        let kept = || {
            questions()?.iter().find(|question| question.request.id == id).map(|question| &question.request)
        };
        written.or_else(kept)
    }

    /// The call whose round an answer is part of.
    fn round_of(&self, request: &InputRequest) -> Option<&Live> {
        let Identity::Round { call, .. } = request.identity else { return None };
        self.calls.live.get(&call).map(|live| &**live)
    }

    /// Why nothing goes to a server now, if nothing does.
    fn waits_for(&self, server: ServerId) -> Option<Health> {
        let health = &self.servers.get(server)?.server.health;
        match health {
            Health::Unreachable { .. } | Health::Unusable { .. } | Health::SignInNeeded { .. } => {
                Some(health.clone())
            }
            Health::Ok { .. } | Health::Unknown { .. } => None,
        }
    }
}

/// When the first of those who wait for something of a server has waited long enough.
fn plan_late(turn: &mut Turn<'_>, server: ServerId, waiters: &[Waiter]) {
    match waiters.iter().map(|waiter| waiter.late_at).min() {
        Some(first) => turn.schedule.set(Due::Late(server), first),
        None => turn.schedule.clear(Due::Late(server)),
    }
}
