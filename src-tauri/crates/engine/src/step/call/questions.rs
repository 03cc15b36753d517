//! What a task asks: opening its questions, and telling from a poll what became of them.

use std::collections::{HashMap, HashSet};

use signalbox_mcp::TaskView;
use signalbox_model::{EventKind, Identity, InputRequest, ItemRef, Json, ROOTS, RequestState, Unsent};

use super::{
    super::{
        Next, Turn,
        question::{
            Becomes, Fact, Fate, OfCall, Question, answer_roots, as_asked, leave_to_store, reword, take_off,
            was_withdrawn,
        },
        turn::told,
    },
    Live, Update,
};
use crate::{
    NoticeKind,
    room::{Left, Room, weight},
    shared::Place,
};

/// More questions than this of one task are not opened while they wait: nobody could answer them.
pub(in crate::step) const MOST_OPEN: usize = 500;
/// More questions than this of one task are not kept, however many were answered.
pub(in crate::step) const MOST_QUESTIONS: usize = 10_000;
/// An acknowledged answer whose question is still asked after this many more polls …
const POLLS_UNTIL_NOT_TAKEN: u32 = 3;
/// … and this many ms is not taken.
const MS_UNTIL_NOT_TAKEN: u64 = 30_000;

/// Why a question is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRoom {
    /// Its task has too many questions. So there is no room for the questions behind it either.
    Questions,
    /// There is no room for its bytes, which are at least so many.
    Bytes(usize),
}

impl Live {
    /// Opens a question that was not seen before, if there is room for it.
    pub(super) fn open_question(
        &mut self,
        turn: &mut Turn<'_>,
        identity: Identity,
        raw: &Json,
    ) -> Result<(), NoRoom> {
        let (id, server) = (self.id(), self.server());
        let fits = |turn: &Turn<'_>, bytes| {
            let fits = turn.room.has(server, Some(id), bytes);
            if fits { Ok(()) } else { Err(NoRoom::Bytes(bytes)) }
        };
        // What is much too large is not even read.
        fits(turn, Room::EACH + raw.text().len())?;
        if self.open() >= MOST_OPEN || self.questions.len() >= MOST_QUESTIONS {
            return Err(NoRoom::Questions);
        }
        let mut request = as_asked(server, identity, raw, turn);
        fits(turn, weight(&request))?;
        request.id = turn.number_question();
        turn.keep(&request);
        turn.event(id, EventKind::Asked, Some(request.id), Some(request.message.clone()));
        if request.method == ROOTS {
            turn.then(Next::Roots(id));
        } else {
            turn.notify(&self.call, ItemRef::Request(request.id), NoticeKind::NeedsInput, &request.message);
        }
        turn.place(request.id, Place::Call(id));
        turn.room.enter(&request, 0);
        let mut question = Question::new(request);
        leave_to_store(&mut question, turn);
        self.questions.push(question);
        Ok(())
    }

    /// Opens those of these questions that there is room for. `left` says of what others of the task are not
    /// taken.
    pub(super) fn open_questions(
        &mut self,
        turn: &mut Turn<'_>,
        new: &[&(String, Json)],
        mut left: Option<Left>,
    ) {
        for (at, (key, raw)) in new.iter().enumerate() {
            let identity = Identity::Task { call: self.id(), key: key.clone() };
            match self.open_question(turn, identity, raw) {
                Ok(()) => {}
                Err(NoRoom::Bytes(bytes)) => Left::add(&mut left, 1, bytes),
                // Counting anew for each of a hundred thousand would hold up all other servers.
                Err(NoRoom::Questions) => {
                    Left::add(&mut left, u32::try_from(new.len() - at).unwrap_or(u32::MAX), 0);
                    break;
                }
            }
        }
        self.settle_left(turn, left);
        turn.then(Next::Count(self.id()));
    }

    /// Compares the questions the server asks now with those we know. A `stale` poll was sent before our answers were
    /// through.
    pub(super) fn reconcile(&mut self, turn: &mut Turn<'_>, view: &TaskView, stale: bool) {
        let asked: HashMap<&str, &Json> =
            view.input_requests.iter().map(|(key, raw)| (key.as_str(), raw)).collect();
        let (mut known, mut reminders) = (HashSet::new(), Vec::new());
        let mut left: Option<Left> = None;
        let (id, server, pending) = (self.id(), self.server(), self.answers.update == Update::UnderWay);
        // What is gone makes room for what is asked.
        for gone in [true, false] {
            let mut open = self.open();
            for question in &mut self.questions {
                let Identity::Task { key, .. } = &question.request.identity else { continue };
                let asked = asked.get(key.as_str());
                if asked.is_none() != gone {
                    continue;
                }
                known.insert(key.clone());
                let becomes = match asked {
                    Some(raw) => {
                        let fact = still_asked(question, stale, turn);
                        let again = fact == Fact::AskedForLong || was_withdrawn(&question.request);
                        if again && question.request.raw != **raw {
                            // The question takes as much room as a new one, less what it has already.
                            let bytes =
                                weight(&as_asked(server, question.request.identity.clone(), raw, turn));
                            let more = turn.room.more(question.request.id, bytes);
                            if open >= MOST_OPEN || !turn.room.has(server, Some(id), more) {
                                Left::add(&mut left, 1, more);
                                continue;
                            }
                            open += 1;
                            reword(question, raw, turn.now.wall);
                        }
                        question.meets(turn, fact, (pending, OfCall::GoesOn), Fate::default())
                    }
                    None => gone_from(question, pending, turn),
                };
                if becomes == Becomes::Open && question.request.method == ROOTS {
                    turn.then(Next::Roots(id));
                    self.beyond.closed.open_again(question.request.id);
                } else if becomes != Becomes::Same && question.request.answerable() {
                    reminders.push((question.request.id, told(question.request.message.clone())));
                    self.beyond.closed.open_again(question.request.id);
                }
                leave_to_store(question, turn);
            }
        }
        for (request, text) in reminders {
            turn.notify(&self.call, ItemRef::Request(request), NoticeKind::NeedsInput, &text);
        }
        let new: Vec<_> = view.input_requests.iter().filter(|(key, _)| !known.contains(key)).collect();
        self.open_questions(turn, &new, left);
    }

    /// Opens the questions that were never seen. What became of the others, a poll tells.
    pub(super) fn open_pushed(&mut self, turn: &mut Turn<'_>, view: &TaskView) {
        let of_task = self.questions.iter().filter(|q| matches!(q.request.identity, Identity::Task { .. }));
        let known: HashSet<&str> = of_task.map(|q| q.request.identity.key()).collect();
        let new = view.input_requests.iter().filter(|(key, _)| !known.contains(key.as_str()));
        let new: Vec<_> = new.collect();
        self.open_questions(turn, &new, None);
    }

    /// Answers what it asks of the roots that the person listed for its server.
    pub(in crate::step) fn answer_roots(&mut self, turn: &mut Turn<'_>, roots: &[String]) {
        let asks = |request: &InputRequest| request.method == ROOTS && request.state == RequestState::Open;
        for question in self.questions.iter_mut().filter(|question| asks(&question.request)) {
            answer_roots(question, roots, turn);
        }
    }

    /// Tells the person of a question that came on its connection.
    pub(in crate::step) fn notify_asked(&self, turn: &mut Turn<'_>, request: &InputRequest) {
        turn.notify(&self.call, ItemRef::Request(request.id), NoticeKind::NeedsInput, &request.message);
    }
}

/// A poll shows the question. Says whether that means that its answer is not taken.
fn still_asked(question: &mut Question, stale: bool, turn: &Turn<'_>) -> Fact {
    if question.request.state != RequestState::Answered || stale {
        return Fact::StillAsked;
    }
    question.still_asked += 1;
    let waited = turn.now.steady_ms.saturating_sub(question.settled_at) >= MS_UNTIL_NOT_TAKEN;
    match waited && question.still_asked >= POLLS_UNTIL_NOT_TAKEN {
        true => Fact::AskedForLong,
        false => Fact::StillAsked,
    }
}

/// A poll does not show the question.
fn gone_from(question: &mut Question, pending: bool, turn: &mut Turn<'_>) -> Becomes {
    let request = &question.request;
    let failed = request.earlier.as_ref().is_some_and(|earlier| earlier.state == RequestState::NotTaken);
    let waits = matches!(request.state, RequestState::Held | RequestState::Sending) && !request.sent();
    if failed && waits {
        // The earlier answer was taken after all, and this one is not wanted.
        turn.fate(&question.request, EventKind::Lapsed, Unsent::EarlierTaken);
        take_off(&mut question.request);
    }
    question.meets(turn, Fact::Gone, (pending, OfCall::GoesOn), Fate::default())
}
