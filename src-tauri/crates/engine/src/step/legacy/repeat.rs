//! Questions that are asked again: over another connection, or by another request. Such a question is the
//! same as before, with all that was typed and decided.

use signalbox_mcp::{Channel, QuestionView, ServerRequest};
use signalbox_model::{CallId, Hosted, Json, RequestState};

use super::{
    super::{
        Next, Turn,
        question::{Question, Tie, rpc_of},
    },
    Session,
    hosted::{dies_at, expires_at, renamed},
    lost::lose,
};
use crate::Now;

/// What a request of the server is about.
pub(super) struct About<'a> {
    pub(super) asked: &'a ServerRequest,
    pub(super) view: &'a QuestionView,
    pub(super) call: Option<CallId>,
    pub(super) tie: Tie,
    /// How often the result of the call's task has been asked for.
    pub(super) asked_on: u32,
}

/// A question that is asked again, by its place among those of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    /// By the very request that it came with, over a later connection of the same session.
    Replayed(usize),
    /// By another request, since its connection or its request was cut.
    Asked(usize),
}

impl Session {
    /// The question that is asked again, if it is one of those that are known.
    pub(super) fn repeat(&self, about: &About<'_>) -> Option<Repeat> {
        let (numbers, About { asked, view, call, .. }) = (self.numbers(), about);
        let find = |is: &dyn Fn(&Question) -> bool| self.questions.iter().position(is);
        let earlier = |question: &Question| !question.of_connection(&numbers);
        let replayed =
            |question: &Question| earlier(question) && question.waits() && question.request.raw == asked.raw;
        let on_stream = matches!(asked.channel, Channel::Response { .. });
        let same = |question: &Question| {
            let request = &question.request;
            let waits = match request.state {
                RequestState::Orphaned => true,
                RequestState::Open | RequestState::Held | RequestState::Sending => {
                    // The held request on which it came was cut, and another one is held now.
                    let cut = on_stream && question.asked_on < about.asked_on;
                    !request.sent() && (earlier(question) || cut)
                }
                _ => false,
            };
            waits && request.call == *call && view.same(&asked.raw, request)
        };
        // Of one of the two questions it is only a guess whose it is. So only an orphaned question is taken
        // up: nothing but a draft comes back with it, for a person to look at.
        let likely = |question: &Question| {
            let loose = question.tie == Tie::Guess || about.tie == Tie::Guess;
            let orphaned = question.request.state == RequestState::Orphaned;
            loose && orphaned && view.same(&asked.raw, &question.request)
        };
        let asked_again = || find(&same).or_else(|| find(&likely)).map(Repeat::Asked);
        find(&replayed).map(Repeat::Replayed).or_else(asked_again)
    }
}

/// What waited for an answer before the server asked again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Before {
    /// The request of this id, for the answer itself.
    Request(String),
    /// The requests of these ids, for the result of the task that we hosted. The request that wanted the task
    /// was answered with the task.
    Fetches(Vec<String>),
}

impl Repeat {
    pub(super) fn at(self) -> usize {
        match self {
            Self::Replayed(at) | Self::Asked(at) => at,
        }
    }
}

impl Question {
    /// Whether the request that the question came with may still wait for its answer.
    fn waits(&self) -> bool {
        self.request.closed_at.is_none()
            && (self.is_unanswered()
                || matches!(self.request.state, RequestState::Sending | RequestState::Unknown))
    }

    /// From now on another request waits for the answer. Returns what waited before: the id of one request,
    /// or of those that waited for the result of the task that we host.
    pub(super) fn taken_up(&mut self, raw: Json, hosted: Option<String>, now: Now) -> Option<Before> {
        // An orphaned question waits nowhere, and its id may belong to something else by now.
        let before = self.rpc.take().filter(|_| self.request.state != RequestState::Orphaned);
        self.rpc = rpc_of(&raw);
        let request = &mut self.request;
        request.raw = raw;
        // What was said to the earlier request was not said to this one.
        request.earlier = None;
        if request.state == RequestState::Orphaned {
            request.state = RequestState::Open;
        }
        request.reason = None;
        request.closed_at = None;
        if hosted.is_some() {
            // The question has a new task, whose time begins now.
            request.opened_at = now.wall;
        }
        let waited = match (request.hosted.take(), hosted) {
            (Some(before), Some(task_id)) => {
                request.hosted = Some(renamed(before, task_id));
                Some(Before::Fetches(Vec::new()))
            }
            (Some(before), None) => Some(Before::Fetches(before.waiting)),
            (None, hosted) => {
                request.hosted = hosted.map(Hosted::new);
                before.map(Before::Request)
            }
        };
        self.dies_at = dies_at(&self.request, now);
        self.request.expires_at = expires_at(&self.request);
        waited
    }
}

impl Session {
    /// The server uses an id for something else that an earlier connection of the session left open. The
    /// older question gives the id up: a reply to it must never go to the other request.
    pub(super) fn give_up_id(&mut self, turn: &mut Turn<'_>, rpc: &str) {
        let numbers = self.numbers();
        for question in &mut self.questions {
            let answered_by_id = question.waits() && question.request.hosted.is_none();
            let earlier = !question.of_connection(&numbers);
            if answered_by_id && earlier && question.rpc.as_deref() == Some(rpc) {
                if let Some(call) = question.request.call {
                    turn.then(Next::Count(call));
                }
                lose(question, turn);
            }
        }
    }
}
