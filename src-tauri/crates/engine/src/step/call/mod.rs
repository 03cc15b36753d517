//! A call and all that belongs to it, from `tools/call` to its end: polling, questions, answers, cancelling,
//! its rounds, its TTL. This room knows no server and no connection. It is told what it needs to know of
//! them, and what is to follow elsewhere it leaves in the turn ([`super::Next`]).

mod answers;
mod cancel;
mod end;
mod expiry;
mod index;
mod load;
mod pages;
mod people;
mod poll;
mod poll_reply;
mod push;
mod questions;
mod reply;
mod room;
mod round;
mod start;
mod task;
mod waiters;

use signalbox_model::{Call, CallId, InputRequest, Json, ROOTS, RequestState, ServerId};

#[cfg(test)]
pub(crate) use self::round::decided;
pub(super) use self::{
    answers::Wants,
    cancel::Cancels,
    poll_reply::Asked,
    questions::{MOST_OPEN, MOST_QUESTIONS},
    start::{LONGEST_TASK_ID, Start},
};
pub(crate) use self::{index::Calls, round::Round};
use super::{Timeline, question::Question, tries::Tries};
use crate::{
    Token,
    room::{Closed, Left},
    shared::Errand,
    state::Before,
    task_state::Last,
};

/// A call that has not ended, with its questions.
#[derive(Debug, Clone)]
pub(crate) struct Live {
    pub(crate) call: Call,
    /// The questions that memory has.
    pub(crate) questions: Vec<Question>,
    /// What is known of its questions that are not in `questions`.
    pub(crate) beyond: Beyond,
    pub(crate) polling: Polling,
    pub(crate) answers: Answers,
    pub(crate) cancelling: Cancelling,
    /// What it takes to make the call again; none once there is a task.
    pub(crate) again: Option<Box<CallAgain>>,
    pub(crate) telling: Telling,
}

/// What is known of questions of a call that memory does not have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Beyond {
    /// Questions that were not taken for want of room, if any.
    pub(crate) left: Option<Left>,
    /// Questions that closed unanswered, as far as the store keeps them.
    pub(crate) closed: Closed,
}

/// How its task is followed.
#[derive(Debug, Clone)]
pub(crate) struct Polling {
    /// Polled by the clock, and not only when somebody names it.
    pub(crate) followed: bool,
    /// The earliest next poll (steady ms).
    pub(crate) poll_at: u64,
    /// Whether only a poll can settle something about the task.
    pub(crate) doubt: Doubt,
    /// What happened while a poll was under way.
    pub(crate) meanwhile: Meanwhile,
    /// When the TTL passes (steady ms): unlike the row's wall clock time it does not move when somebody sets a clock.
    pub(crate) dies_at: Option<u64>,
    /// When the TTL last made us poll sooner than the interval (steady ms).
    pub(crate) hurried_at: Option<u64>,
    /// Polls about this task that failed in a row.
    pub(crate) failures: u32,
    /// Times in a row that the server said it does not know the task.
    pub(crate) not_found: u32,
    /// Polls in a row that showed it completed, and no result.
    pub(crate) resultless: u32,
    /// The last state as received: equal bytes cause no work.
    pub(crate) last: Option<Last>,
    /// Bytes of that state where it is long and the store has all of it.
    pub(crate) long_state: usize,
    /// The last answer about the task that was refused as against the specification, as far as it is kept.
    pub(crate) refused_answer: Option<Json>,
    /// The subscription has been told of this task.
    pub(crate) offered: bool,
    /// Until when the pushes that came have used up the time allowed for them (steady ms).
    pub(crate) pushes_until: u64,
    /// Who waits for the next poll.
    pub(crate) waiters: Vec<Token>,
}

/// Whether all that is known of a task is beyond doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Nothing is in doubt.
    None,
    /// A push, or a poll that failed, left something open that only a poll settles.
    Open,
    /// The same, and the last poll was passed over because a push had overtaken it. That must never happen
    /// twice in a row.
    PassedOver,
}

/// What happened while a poll was under way. What the poll brings may be older. Each is true by itself: answers and pushes
/// come on ways of their own, so that either, both or none may have come.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Meanwhile {
    /// Answers came through. The poll cannot tell what became of them.
    pub(crate) answered: bool,
    /// The server has pushed the state of the task.
    pub(crate) pushed: bool,
}

/// A task's answers on their way as `tasks/update`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answers {
    pub(crate) update: Update,
    pub(crate) tries: Tries,
}

/// How the last `tasks/update` of a task stands. The next one waits as long as that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Update {
    /// Nothing waits for it.
    #[default]
    Done,
    /// It is under way.
    UnderWay,
    /// It may have been lost: only a poll tells whether its answers must be sent again.
    MayBeLost,
}

/// A person's wish to cancel on its way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cancelling {
    pub(crate) under_way: bool,
    /// How often this wish was sent in this run.
    pub(crate) sendings: u32,
    pub(crate) tries: Tries,
}

/// What it takes to make a call again.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallAgain {
    pub(crate) arguments: Option<Json>,
    /// How long its task should be kept, in ms, as the person wished.
    pub(crate) ttl_ms: Option<u32>,
    /// Where it stands when the server asks on the call itself (MRTR).
    pub(crate) round: Option<Round>,
}

/// What was told to the person about the call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Telling {
    /// When the last status entry was added to the timeline (steady ms).
    pub(crate) at: Option<u64>,
    /// Status entries added to the timeline since the start.
    pub(crate) entries: u32,
    /// What the server has added to the timeline in all.
    pub(crate) timeline: Timeline,
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
            beyond: Beyond::default(),
            polling: Polling::default(),
            answers: Answers::default(),
            cancelling: Cancelling::default(),
            again: None,
            telling: Telling::default(),
        }
    }

    pub(crate) fn id(&self) -> CallId {
        self.call.id
    }

    pub(crate) fn server(&self) -> ServerId {
        self.call.server
    }

    /// The call as it is before an intent changes it.
    pub(super) fn before(&self) -> Before {
        Before::Call(self.id(), Some(Box::new(self.clone())))
    }

    /// The round of questions that it stands in.
    pub(crate) fn round(&self) -> Option<&Round> {
        self.again.as_ref()?.round.as_ref()
    }

    pub(super) fn round_mut(&mut self) -> Option<&mut Round> {
        self.again.as_mut()?.round.as_mut()
    }

    /// Whether there is something that a poll may settle although the state did not change.
    pub(super) fn unsettled(&self) -> bool {
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

    /// Whether an answer or a wish of the person's is still on its way to the server.
    pub(crate) fn owes(&self) -> bool {
        let on_its_way = [RequestState::Sending, RequestState::Held];
        self.call.wants_cancel() || self.questions.iter().any(|q| on_its_way.contains(&q.request.state))
    }

    /// Whether a request with this errand is under way.
    pub(super) fn is_under_way(&self, errand: Errand) -> bool {
        match errand {
            Errand::Answers => self.answers.update == Update::UnderWay,
            Errand::Cancel => self.cancelling.under_way,
        }
    }

    /// How many of its own questions wait for a person.
    pub(super) fn open(&self) -> usize {
        let of_person = |request: &InputRequest| request.needs_person() && request.method != ROOTS;
        self.questions.iter().filter(|question| of_person(&question.request)).count()
    }

    /// Those of them that the person has not put off.
    pub(super) fn wanting(&self) -> impl Iterator<Item = &InputRequest> {
        let requests = self.questions.iter().map(|question| &question.request);
        requests.filter(|request| request.wants_person() && request.method != ROOTS)
    }
}

impl Default for Polling {
    fn default() -> Self {
        Self {
            followed: true,
            poll_at: 0,
            doubt: Doubt::None,
            meanwhile: Meanwhile::default(),
            dies_at: None,
            hurried_at: None,
            failures: 0,
            not_found: 0,
            resultless: 0,
            last: None,
            long_state: 0,
            refused_answer: None,
            offered: false,
            pushes_until: 0,
            waiters: Vec::new(),
        }
    }
}
