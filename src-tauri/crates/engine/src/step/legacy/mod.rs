//! What goes on between a server of the legacy wire and us beside the calls: its connection, and what it asks on it.
//!
//! A question on this wire is a request that waits for our reply. It lives and dies with its connection, not with a
//! call: it may come before the call is known that it belongs to, or belong to none.
//!
//! A result ends its task, whatever the last poll had shown. A status that the server tells unasked is
//! believed, unless it is an end: an end is believed only in an answer to a request of ours.
//!
//! This room knows no call and no server. To it a call is a number, and it is told what it needs to know of
//! the call.

mod asked;
mod call_of;
pub(crate) mod candidates;
mod connection;
mod early;
mod hosted;
mod lost;
mod people;
mod repeat;
mod reply;
mod response;
mod results;
mod verdict;

use std::{
    collections::{BTreeSet, HashMap},
    ops::RangeInclusive,
};

use signalbox_model::{Call, CallId, InputRequest, RequestId, RequestState, ServerId};

#[cfg(test)]
pub(crate) use self::early::Early as EarlyNews;
pub(super) use self::{
    asked::Opened,
    connection::Connected,
    hosted::{dies_at, expires_at},
    lost::{cut_off, lose},
    results::Wanted,
    verdict::Verdict,
};
use self::{candidates::Candidates, early::Early};
use super::{question::Question, tries::Tries};
use crate::{
    by_number::{ByNumber, Numbers},
    room::Closed,
    schedule::Schedule,
};

/// The connections with all servers.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    pub(crate) all: ByNumber<ServerId, Session>,
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
    /// Our number for the connection. Questions are known by it, so it is never used again. 0 before the
    /// first connection.
    pub(crate) n: u32,
    /// The first number of this connection. It takes another once the server has used more ids under the last
    /// one than are remembered ([`Session::IDS`]).
    pub(crate) first: u32,
    /// The driver's number for the connection; none while there is no connection.
    pub(crate) link: Option<u64>,
    /// Whether everything goes over one channel (stdio). Then a held request costs no connection.
    pub(crate) shared: bool,
    /// Whether a session that tasks may have depended on came to its end in this run.
    pub(crate) replaced: bool,
    /// Questions of this connection that may still matter, and questions of earlier connections that may be
    /// asked again.
    pub(crate) questions: Vec<Question>,
    /// Questions of no call that closed unanswered, as far as the store keeps them.
    pub(crate) closed: Closed,
    /// How many questions of no call were refused for want of room since the last question was taken.
    pub(crate) left: u32,
    /// How often the server has used an id for its questions under our number for this connection.
    pub(crate) used: HashMap<String, u32>,
    /// Statuses of tasks that are not known yet. The answer that names such a task may still be on its way.
    pub(crate) early: Early,
    /// When to look again at guesses of which call a question belongs to (steady ms); none while there are no
    /// guesses.
    pub(crate) review_at: Option<u64>,
    /// Calls whose `tasks/result` is held until the task ends. Most servers ask their questions only there.
    pub(crate) held_results: Results,
    /// Calls whose task has ended and whose result is being fetched. Their permits are their own, so that no
    /// held request delays a fetch.
    pub(crate) fetched_results: Results,
    /// Calls whose result was asked for in this run, because they ended or need input, and what came of it.
    pub(crate) results: ByNumber<CallId, ResultOf>,
    /// Which calls may have asked a question that does not say whose it is.
    pub(crate) candidates: Candidates,
    /// Held requests that were told to end, so that other calls get their turn. Their permits have not come
    /// back yet.
    pub(crate) leaving: BTreeSet<CallId>,
}

/// Requests for results that share one set of permits.
#[derive(Debug, Default)]
pub(crate) struct Results {
    /// The requests under way, each with the time (steady ms) at which it began or last brought a question.
    /// One permit each.
    pub(crate) under_way: ByNumber<CallId, u64>,
    /// Calls that wait for a permit, in the order in which they came.
    pub(crate) queue: Schedule<CallId>,
}

/// What an intent can change on a connection: kept to put it back when the intent cannot be committed.
#[derive(Debug)]
pub(crate) struct OnWire {
    questions: Vec<Question>,
    results: ByNumber<CallId, ResultOf>,
}

/// What came of asking for a call's result.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResultOf {
    pub(crate) tries: Tries,
    /// How often it was asked for.
    pub(crate) asked: u32,
    /// The methods of requests about the task that were refused without asking anybody, since nobody knows
    /// them.
    pub(crate) refused: Vec<String>,
}

impl Session {
    /// Results waited for at one server at the same time where each holds a connection …
    pub(crate) const HOLDS: usize = 16;
    /// … and where none does: as many as questions may wait.
    pub(crate) const SHARED_HOLDS: usize = 500;
    /// Results fetched from one server at the same time.
    pub(crate) const FETCHES: usize = 8;
    /// How many ids of the server's are remembered under one number.
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
            held_results: Results::default(),
            fetched_results: Results::default(),
            results: ByNumber::default(),
            candidates: Candidates::default(),
            leaving: BTreeSet::new(),
        }
    }

    pub(super) fn question(&mut self, id: RequestId) -> Option<&mut Question> {
        self.questions.iter_mut().find(|question| question.request.id == id)
    }

    /// Takes a call as it stands now. It may be the one that asks a question which does not say whose it is.
    pub(super) fn reckon(&mut self, call: &Call) {
        self.candidates.put(call);
    }

    /// Whether a question of this server waits for a person, or its answer waits to go out.
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

    /// Whether this call has a question of this connection that no answer has gone out to. Such a call needs
    /// no held request. Once an answer has gone out it does: the answer may be lost, and then the server asks
    /// again on a new request.
    pub(crate) fn has_asked(&self, call: CallId) -> bool {
        let numbers = self.numbers();
        self.questions.iter().any(|question| {
            question.request.call == Some(call)
                && question.of_connection(&numbers)
                && question.is_unanswered()
        })
    }

    /// The calls of which [`Session::has_asked`] is true.
    pub(crate) fn askers(&self) -> Numbers<CallId> {
        let numbers = self.numbers();
        let open = self.questions.iter().filter(|q| q.of_connection(&numbers) && q.is_unanswered());
        open.filter_map(|question| question.request.call).collect()
    }

    /// The call's questions that no answer of ours can have reached the server for yet.
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

    /// Those of them that the person has not put off.
    pub(crate) fn wanting_of(&self, call: CallId) -> impl Iterator<Item = &InputRequest> {
        let requests = self.questions.iter().map(|question| &question.request);
        requests.filter(move |request| request.call == Some(call) && request.wants_person())
    }

    /// Whether an answer of a person's about this call waits to go out, or is on its way.
    pub(crate) fn owes(&self, call: CallId) -> bool {
        let on_its_way = [RequestState::Sending, RequestState::Held];
        let of_call = |question: &&Question| question.request.call == Some(call);
        self.questions.iter().filter(of_call).any(|question| on_its_way.contains(&question.request.state))
    }

    /// Takes a call out of both queues. A request for its result that is under way goes on.
    pub(crate) fn stop_waiting(&mut self, call: CallId) {
        self.held_results.queue.clear(call);
        self.fetched_results.queue.clear(call);
    }
}

impl Results {
    /// Whether a request for this call's result is under way.
    pub(crate) fn has(&self, call: CallId) -> bool {
        self.under_way.contains_key(&call)
    }
}
