//! What goes on between a server of the legacy wire and us beside the calls: its connection, and what it asks on it.
//!
//! A question on this wire is a request that waits for our reply. It lives and dies with its connection, not with a
//! call: it may come before the call is known that it belongs to, or belong to none.

use std::collections::{HashMap, HashSet, VecDeque};

use signalbox_mcp::TaskView;
use signalbox_model::{CallId, RequestState};

use crate::state::Question;

/// The connection with a server of the legacy wire.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Our number for it: questions are known by it, and it never comes again. 0 before the first.
    pub(crate) n: u32,
    /// The driver's name for it, while it stands.
    pub(crate) link: Option<u64>,
    /// Whether it can be taken up again after our restart.
    pub(crate) lasting: bool,
    /// Whether a session was over, in this run, that tasks may have gone with.
    pub(crate) replaced: bool,
    /// What was asked on it and may still matter; and what was asked on those before and may be asked again.
    pub(crate) questions: Vec<Question>,
    /// How often the server has used an id for its questions on this connection.
    pub(crate) used: HashMap<String, u32>,
    /// The server's requests that wait for the results of tasks that we host, by the ids of the tasks.
    pub(crate) awaited: HashMap<String, Vec<String>>,
    /// What was told of tasks that are not known yet: the answer that names them may still be on its way.
    pub(crate) early: VecDeque<(String, TaskView)>,
    /// Calls whose result is being waited for, which most servers want before they ask: one permit each.
    pub(crate) holding: HashSet<CallId>,
    /// Calls with an end whose result is being fetched: one permit each, so that no held request delays them.
    pub(crate) fetching: HashSet<CallId>,
    /// Calls that wait for either permit.
    pub(crate) queue: VecDeque<CallId>,
}

impl Session {
    /// Results waited for at one server at the same time: each holds a connection.
    pub(crate) const HOLDS: usize = 16;
    /// Results fetched from one server at the same time.
    pub(crate) const FETCHES: usize = 8;
    /// Statuses of unknown tasks that are kept.
    pub(crate) const EARLY: usize = 64;

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
}
