//! What goes on between a server of the legacy wire and us beside the calls: its connection, and what it asks on it.
//!
//! A question on this wire is a request that waits for our reply. It lives and dies with its connection, not with a
//! call: it may come before the call is known that it belongs to, or belong to none.

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    ops::RangeInclusive,
};

use signalbox_mcp::TaskView;
use signalbox_model::{CallId, Json, RequestState};

use crate::{question::Question, room::Closed, schedule::Schedule};

/// The connection with a server of the legacy wire.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Our number for it: questions are known by it, and it never comes again. 0 before the first.
    pub(crate) n: u32,
    /// Its first number: it takes another when the ids that were used under the last one are too many to remember.
    pub(crate) first: u32,
    /// The driver's name for it, while it stands.
    pub(crate) link: Option<u64>,
    /// What it can be taken up again with after our restart, if it can be.
    pub(crate) saved: Option<(String, Json)>,
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

/// What was told of unknown tasks: the last of it.
#[derive(Debug, Default)]
pub(crate) struct Early {
    told: VecDeque<(String, TaskView)>,
    bytes: usize,
}

impl Early {
    /// Statuses that are kept.
    pub(crate) const MOST: usize = 64;
    /// Bytes that they may have together.
    pub(crate) const BYTES: usize = 1024 * 1024;

    /// Keeps a status of a task. A look brings what is too large for it.
    pub(crate) fn keep(&mut self, task_id: String, view: TaskView) {
        let bytes = weight(&task_id, &view);
        if bytes > Self::BYTES {
            return;
        }
        while self.told.len() >= Self::MOST || self.bytes + bytes > Self::BYTES {
            let Some((task_id, view)) = self.told.pop_front() else { break };
            self.bytes -= weight(&task_id, &view);
        }
        self.bytes += bytes;
        self.told.push_back((task_id, view));
    }

    /// Hands out what was told of a task, in order.
    pub(crate) fn take(&mut self, task_id: &str) -> Vec<TaskView> {
        let (ours, others) = self.told.drain(..).partition::<Vec<_>, _>(|(of, _)| of == task_id);
        self.told = others.into();
        self.bytes -= ours.iter().map(|(of, view)| weight(of, view)).sum::<usize>();
        ours.into_iter().map(|(_, view)| view).collect()
    }

    #[cfg(test)]
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.told.len(), self.bytes)
    }
}

/// Bytes of a status, about.
fn weight(task_id: &str, view: &TaskView) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let json = |json: &Option<Json>| json.as_ref().map_or(0, |json| json.text().len());
    let asked = view.input_requests.iter().map(|(key, json)| key.len() + json.text().len());
    task_id.len()
        + text(&view.task_id)
        + text(&view.status_text)
        + text(&view.status_message)
        + asked.sum::<usize>()
        + json(&view.result)
        + view.error.as_ref().map_or(0, |error| error.raw.text().len() + error.message.len())
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
