//! All calls that have not ended, and where each is found.

use std::collections::{BTreeSet, HashMap};

use signalbox_model::{CallId, ServerId};

use super::{super::Turn, Live};
use crate::{
    Token,
    by_number::{ByNumber, Numbers},
    shared::Place,
    step::Next,
};

/// The calls that have not ended.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// Boxed, since a table of large entries has as much empty room again.
    pub(crate) live: ByNumber<CallId, Box<Live>>,
    of_server: ByNumber<ServerId, OfServer>,
}

/// The calls at one server.
#[derive(Debug, Default)]
struct OfServer {
    calls: Numbers<CallId>,
    /// The calls that follow a task, by the server's id for it. Where several follow the same task, the last
    /// one counts.
    tasks: HashMap<String, Vec<CallId>>,
    /// Calls that wait, or have waited, until a person has visited pages.
    paged: BTreeSet<CallId>,
}

impl Calls {
    /// The calls at a server, in the order of their numbers: the order of a set is not part of what step was given.
    pub(crate) fn of(&self, server: ServerId) -> Vec<CallId> {
        let mut calls: Vec<CallId> = self.at(server).collect();
        calls.sort_unstable();
        calls
    }

    /// The same in any order.
    pub(crate) fn at(&self, server: ServerId) -> impl Iterator<Item = CallId> + '_ {
        self.of_server.get(&server).into_iter().flat_map(|of| of.calls.iter().copied())
    }

    /// Whether there are any.
    pub(crate) fn has_any(&self, server: ServerId) -> bool {
        self.of_server.get(&server).is_some_and(|of| !of.calls.is_empty())
    }

    /// The call that follows this task of the server.
    pub(in crate::step) fn of_task(&self, server: ServerId, task_id: &str) -> Option<CallId> {
        self.of_server.get(&server)?.tasks.get(task_id)?.last().copied()
    }

    /// From now on the task of this call is found by its id.
    pub(in crate::step) fn know_task(&mut self, id: CallId) {
        let Some(live) = self.live.get(&id) else { return };
        if let Some(task) = &live.call.task {
            let tasks = &mut self.of_server.entry(live.server()).or_default().tasks;
            let calls = tasks.entry(task.task_id.clone()).or_default();
            if !calls.contains(&id) {
                calls.push(id);
            }
        }
    }

    /// From now on a call is found that waits until pages are visited.
    pub(in crate::step) fn know_paged(&mut self, id: CallId) {
        if let Some(live) = self.live.get(&id) {
            self.of_server.entry(live.server()).or_default().paged.insert(id);
        }
    }

    /// Calls that wait for pages. A server may say as often as it likes that a page is done, and only these
    /// calls are looked through.
    pub(in crate::step) fn paged(&mut self, server: ServerId) -> Vec<CallId> {
        let (live, Some(of)) = (&self.live, self.of_server.get_mut(&server)) else { return Vec::new() };
        of.paged.retain(|id| {
            let round = live.get(id).filter(|live| !live.call.ended()).and_then(|live| live.round());
            round.is_some_and(|round| round.plain)
        });
        of.paged.iter().copied().collect()
    }

    #[cfg(test)]
    pub(crate) fn paged_now(&self, server: ServerId) -> Vec<CallId> {
        self.of_server.get(&server).map(|of| of.paged.iter().copied().collect()).unwrap_or_default()
    }

    /// Takes a call into memory.
    pub(in crate::step) fn keep(&mut self, turn: &mut Turn<'_>, live: Live) {
        let id = live.id();
        for question in &live.questions {
            turn.place(question.request.id, Place::Call(id));
            turn.room.enter(&question.request, question.stored);
        }
        *turn.long_states += live.polling.long_state as u64;
        let of = self.of_server.entry(live.server()).or_default();
        of.calls.insert(id);
        if live.round().is_some_and(|round| round.plain) {
            of.paged.insert(id);
        }
        self.live.insert(id, Box::new(live));
        self.know_task(id);
    }

    /// Lets a call go from memory. Returns it, so that whoever waits for a poll of it can be told.
    pub(in crate::step) fn remove(&mut self, turn: &mut Turn<'_>, id: CallId) -> Option<Box<Live>> {
        let live = self.live.remove(&id)?;
        *turn.long_states -= live.polling.long_state as u64;
        turn.count_left(live.server(), live.beyond.left.map_or(0, |left| left.n), 0);
        for question in &live.questions {
            turn.displace(question.request.id);
            turn.room.leave(question.request.id);
        }
        live.unschedule(turn);
        if let Some(of) = self.of_server.get_mut(&live.server()) {
            of.calls.remove(&id);
            of.paged.remove(&id);
            if let Some(task) = &live.call.task
                && let Some(calls) = of.tasks.get_mut(&task.task_id)
            {
                calls.retain(|call| *call != id);
                if calls.is_empty() {
                    of.tasks.remove(&task.task_id);
                }
            }
            if of.calls.is_empty() {
                self.of_server.remove(&live.server());
                turn.then(Next::Listen(live.server()));
            }
        }
        Some(live)
    }

    /// Whoever waits for a poll of this server's tasks is told to go by what is known. Says who they were.
    pub(in crate::step) fn release_waiters(
        &mut self,
        turn: &mut Turn<'_>,
        server: ServerId,
    ) -> Vec<(CallId, Vec<Token>)> {
        let mut released = Vec::new();
        for id in self.of(server) {
            let Some(live) = self.live.get_mut(&id) else { continue };
            let waiters = live.release_waiters(turn);
            if !waiters.is_empty() {
                released.push((id, waiters));
            }
        }
        released
    }
}
