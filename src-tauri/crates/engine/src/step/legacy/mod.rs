//! What goes on between a server of the legacy wire and us beside the calls: its connection, and what it asks on it.
//!
//! A question on this wire is a request that waits for our reply. It lives and dies with its connection, not with a
//! call: it may come before the call is known that it belongs to, or belong to none.
//!
//! A result that comes ends its task, whatever the last poll had shown. A status that is told unasked is believed, but
//! for an end: that takes an answer of the server.

//!
//! This room knows no call and no server: calls are numbers to it, and what it needs of them it is told.

mod again;
mod asked;
pub(crate) mod candidates;
mod connection;
mod early;
mod hosted;
mod people;
mod reply;
mod results;
mod whose;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::RangeInclusive,
};

use signalbox_model::{Call, CallId, RequestId, RequestState, ServerId};

#[cfg(test)]
pub(crate) use self::early::Early as EarlyNews;
pub(super) use self::{
    asked::Opened,
    connection::{Connected, cut_off, lose},
    hosted::dies_at,
    results::{Wanted, is_cut},
};
use self::{candidates::Candidates, early::Early};
use super::{question::Question, tries::Tries};
use crate::{room::Closed, schedule::Schedule};

/// The connections with all servers.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    pub(crate) all: HashMap<ServerId, Session>,
}

impl Sessions {
    pub(crate) fn get(&self, server: ServerId) -> Option<&Session> {
        self.all.get(&server)
    }

    pub(crate) fn get_mut(&mut self, server: ServerId) -> Option<&mut Session> {
        self.all.get_mut(&server)
    }

    /// The session that a server has or may have.
    pub(super) fn of(&mut self, server: ServerId) -> &mut Session {
        self.all.entry(server).or_insert_with(|| Session::new(server))
    }
}

/// The connection with a server of the legacy wire.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) server: ServerId,
    /// Our number for it: questions are known by it, and it never comes again. 0 before the first.
    pub(crate) n: u32,
    /// Its first number: it takes another when the ids that were used under the last one are too many to remember.
    pub(crate) first: u32,
    /// The driver's name for it, while it stands.
    pub(crate) link: Option<u64>,
    /// Whether all that goes on shares one channel (stdio), so that a request that is held costs no connection.
    pub(crate) shared: bool,
    /// Whether a session was over, in this run, that tasks may have gone with.
    pub(crate) replaced: bool,
    /// What was asked on it and may still matter; and what was asked on those before and may be asked again.
    pub(crate) questions: Vec<Question>,
    /// Those of no call that closed unanswered, as far as the store keeps them.
    pub(crate) closed: Closed,
    /// How many of no call were refused since one was taken, for want of room.
    pub(crate) left: u32,
    /// How often the server has used an id for its questions under our number for this connection.
    pub(crate) used: HashMap<String, u32>,
    /// What was told of tasks that are not known yet: the answer that names them may still be on its way.
    pub(crate) early: Early,
    /// When guesses of whose its questions are get gone over (steady ms); none where there are none.
    pub(crate) review_at: Option<u64>,
    /// Calls whose result is being waited for, which most servers want before they ask.
    pub(crate) held: Results,
    /// Calls with an end whose result is being fetched: permits of their own, so that no held request delays them.
    pub(crate) fetched: Results,
    /// Calls with an end or a question whose result has been asked for in this run, and what came of it.
    pub(crate) results: HashMap<CallId, ResultOf>,
    /// Which calls can have asked what does not say whose it is.
    pub(crate) candidates: Candidates,
    /// Of the held ones those that were told to end, so that others get their turn. Their permits are still to come back.
    pub(crate) leaving: BTreeSet<CallId>,
}

/// Requests for results that share permits.
#[derive(Debug, Default)]
pub(crate) struct Results {
    /// One permit each, with the time when it began or last brought a question (steady ms).
    pub(crate) under_way: HashMap<CallId, u64>,
    /// Calls that wait for a permit, in the order in which they came.
    pub(crate) queue: Schedule<CallId>,
}

/// What intents can change on a connection.
#[derive(Debug)]
pub(crate) struct OnWire {
    questions: Vec<Question>,
    results: HashMap<CallId, ResultOf>,
}

/// What came of asking for a call's result.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResultOf {
    pub(crate) tries: Tries,
    /// How often it was asked for.
    pub(crate) asked: u32,
    /// The methods of requests about it that were refused unasked, since nobody knows them.
    pub(crate) refused: Vec<String>,
}

impl Session {
    /// Results waited for at one server at the same time where each holds a connection …
    pub(crate) const HOLDS: usize = 16;
    /// … and where none does: as many as questions may wait.
    pub(crate) const SHARED_HOLDS: usize = 500;
    /// Results fetched from one server at the same time.
    pub(crate) const FETCHES: usize = 8;
    /// Ids that are remembered to have been used.
    pub(crate) const IDS: usize = 1_000;

    pub(crate) fn new(server: ServerId) -> Self {
        Self {
            server,
            n: 0,
            first: 0,
            link: None,
            shared: false,
            replaced: false,
            questions: Vec::new(),
            closed: Closed::default(),
            left: 0,
            used: HashMap::new(),
            early: Early::default(),
            review_at: None,
            held: Results::default(),
            fetched: Results::default(),
            results: HashMap::new(),
            candidates: Candidates::default(),
            leaving: BTreeSet::new(),
        }
    }

    pub(super) fn question(&mut self, id: RequestId) -> Option<&mut Question> {
        self.questions.iter_mut().find(|question| question.request.id == id)
    }

    /// Takes what a call looks like now: a question may come that does not say whose it is.
    pub(super) fn reckon(&mut self, call: &Call) {
        self.candidates.put(call);
    }

    /// Whether somebody waits for the server by its questions.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.questions.iter().any(|question| {
            let on_its_way = [RequestState::Sending, RequestState::Held];
            question.request.needs_person() || on_its_way.contains(&question.request.state)
        })
    }

    /// How often the result of a call's task has been asked for.
    pub(super) fn asked_for(&self, call: Option<CallId>) -> u32 {
        call.and_then(|call| self.results.get(&call)).map_or(0, |of| of.asked)
    }

    /// All our numbers for this connection.
    pub(crate) fn numbers(&self) -> RangeInclusive<u32> {
        self.first..=self.n
    }

    /// How many results may be waited for.
    pub(crate) fn holds(&self) -> usize {
        if self.shared { Self::SHARED_HOLDS } else { Self::HOLDS }
    }

    /// Whether a question about this call that was asked on this connection is still to be answered for the first time:
    /// that needs no request that is held. What went out may have been lost, and then the call asks on a new one.
    pub(crate) fn has_asked(&self, call: CallId) -> bool {
        let numbers = self.numbers();
        self.questions.iter().any(|question| {
            question.request.call == Some(call)
                && question.of_connection(&numbers)
                && question.is_unanswered()
        })
    }

    /// The calls of which [`Session::has_asked`] is true.
    pub(crate) fn askers(&self) -> HashSet<CallId> {
        let numbers = self.numbers();
        let open = self.questions.iter().filter(|q| q.of_connection(&numbers) && q.is_unanswered());
        open.filter_map(|question| question.request.call).collect()
    }

    /// Its questions about a call that no answer can have reached yet.
    pub(crate) fn waiting(&self, call: CallId) -> impl Iterator<Item = &Question> {
        let of_call = move |question: &&Question| question.request.call == Some(call);
        self.questions.iter().filter(of_call).filter(|question| question.is_unanswered())
    }

    /// How many of its questions about a call wait for a person.
    pub(crate) fn open_of(&self, call: CallId) -> usize {
        let open =
            |question: &&Question| question.request.call == Some(call) && question.request.needs_person();
        self.questions.iter().filter(open).count()
    }

    /// Whether something of the person's about this call waits to go.
    pub(crate) fn owes(&self, call: CallId) -> bool {
        let on_its_way = [RequestState::Sending, RequestState::Held];
        let of_call = |question: &&Question| question.request.call == Some(call);
        self.questions.iter().filter(of_call).any(|question| on_its_way.contains(&question.request.state))
    }

    /// Forgets that a call wanted its result.
    pub(crate) fn stop_waiting(&mut self, call: CallId) {
        self.held.queue.clear(call);
        self.fetched.queue.clear(call);
    }
}

impl Results {
    /// Whether it is under way.
    pub(crate) fn has(&self, call: CallId) -> bool {
        self.under_way.contains_key(&call)
    }
}
