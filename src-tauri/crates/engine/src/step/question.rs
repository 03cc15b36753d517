//! What servers ask: opening, recognising and closing questions.

use std::collections::HashSet;

use signalbox_mcp::{QuestionView, TaskView};
use signalbox_model::{
    CallId, CloseReason, EventKind, Identity, InputRequest, ItemRef, Json, Note, ROOTS, RequestId,
    RequestState, Status,
};
use signalbox_store::Write;

use super::{Turn, ways::take_off};
use crate::{NoticeKind, State, question::Question, state::NextIds};

/// More questions than this of one task are not opened while they wait: nobody could answer them.
pub(super) const MOST_OPEN: usize = 500;
/// More questions than this of one task are not kept, however many were answered.
pub(super) const MOST_QUESTIONS: usize = 10_000;
/// An acknowledged answer whose question is still asked after this many more looks …
const LOOKS_UNTIL_NOT_TAKEN: u32 = 3;
/// … and this many ms is not taken.
const MS_UNTIL_NOT_TAKEN: u64 = 30_000;

impl State {
    /// Opens a question that was not seen before. Says whether there was room for it; where there was none, there is none
    /// for those behind it.
    pub(super) fn open_question(
        &mut self,
        turn: &mut Turn,
        id: CallId,
        identity: Identity,
        raw: Json,
    ) -> bool {
        let Some(live) = self.calls.get_mut(&id) else { return false };
        let open = live.questions.iter().filter(|question| question.request.needs_person()).count();
        if open >= MOST_OPEN || live.questions.len() >= MOST_QUESTIONS {
            if live.call.note.is_none() {
                let message =
                    "The server asks more than can be shown: further questions are not opened".to_owned();
                live.call.note = Some(Note { code: "too_large".to_owned(), message: message.clone() });
                turn.event(id, EventKind::Trouble, None, Some(message));
            }
            return false;
        }
        let view = QuestionView::read(&raw);
        let name = RequestId(NextIds::take(&mut self.next.request));
        let new = InputRequest::new(name, live.call.server, identity, turn.now.wall);
        let request = worded(new, view, raw);
        turn.write(Write::PutRequest(Box::new(request.clone())));
        turn.event(id, EventKind::Asked, Some(request.id), Some(request.message.clone()));
        if request.method == ROOTS {
            self.answer_roots(turn, id, request);
            return true;
        }
        let (item, text) = (ItemRef::Request(request.id), request.message.clone());
        self.asked.insert(request.id, id);
        live.questions.push(Question::new(request));
        let call = live.call.clone();
        self.notify(turn, &call, item, NoticeKind::NeedsInput, text);
        true
    }

    /// Compares the questions the server asks now with those we know. A `stale` look was sent before our answers were
    /// through.
    pub(super) fn reconcile(&mut self, turn: &mut Turn, id: CallId, view: &TaskView, stale: bool) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let asked: HashSet<&str> = view.input_requests.iter().map(|(key, _)| key.as_str()).collect();
        let mut known: HashSet<String> = HashSet::new();
        let mut reminders = Vec::new();
        for question in &mut live.questions {
            let Identity::Task { key, .. } = &question.request.identity else { continue };
            known.insert(key.clone());
            let fact = if asked.contains(key.as_str()) { Fact::Asked { stale } } else { Fact::Gone };
            let changed = settle(question, fact, live.updating.is_some(), turn);
            if changed && question.request.answerable() {
                reminders.push((question.request.id, question.request.message.clone()));
            }
        }
        let call = live.call.clone();
        for (request, text) in reminders {
            self.notify(turn, &call, ItemRef::Request(request), NoticeKind::NeedsInput, text);
        }
        for (key, raw) in view.input_requests.iter().filter(|(key, _)| !known.contains(key)) {
            // Counting anew for each of a hundred thousand would hold up all other servers.
            if !self.open_question(turn, id, Identity::Task { call: id, key: key.clone() }, raw.clone()) {
                break;
            }
        }
        self.count_open(id);
    }

    /// The call is over, and so are its questions.
    pub(super) fn close_questions(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let went_on = live.call.status == Status::Completed;
        for question in &mut live.questions {
            let request = &question.request;
            let sent = request.sent();
            let kind = match request.state {
                RequestState::Closed => continue,
                // Its acknowledgement is still under way and decides.
                RequestState::Sending if live.updating.is_some() && sent => continue,
                RequestState::Answered => {
                    if request.answer.as_ref().is_some_and(|answer| answer.taken_at.is_some()) {
                        continue;
                    }
                    // A task that was cancelled or failed, or is gone, may have had no use for it: only that it was
                    // acknowledged is certain.
                    if !went_on {
                        if question.request.draft.take().is_some() {
                            turn.write(Write::PutRequest(Box::new(question.request.clone())));
                        }
                        continue;
                    }
                    EventKind::Taken
                }
                // The acknowledgement was lost, but the task came to a result: it got what it asked for.
                RequestState::Sending if sent && went_on => EventKind::Taken,
                _ => EventKind::Closed,
            };
            close(question, kind, CloseReason::TaskEnded, turn);
        }
    }
}

/// What a look says about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fact {
    Asked { stale: bool },
    Gone,
}

/// Over: taken from us, or closed without us. What the person had typed stays, unless an answer went out.
pub(super) fn close(question: &mut Question, kind: EventKind, reason: CloseReason, turn: &mut Turn) {
    question.settled_at = turn.now.steady_ms;
    let request = &mut question.request;
    if kind == EventKind::Taken {
        request.state = RequestState::Answered;
        if let Some(answer) = &mut request.answer {
            answer.taken_at = Some(turn.now.wall);
        }
    } else {
        request.state = RequestState::Closed;
        request.reason = Some(reason);
    }
    request.closed_at = request.closed_at.or(Some(turn.now.wall));
    if kind == EventKind::Taken || reason == CloseReason::DeclinedByUs || request.sent() {
        request.draft = None;
    }
    turn.write(Write::PutRequest(Box::new(request.clone())));
    turn.fate(request, kind, None);
}

/// What a look means for a question. Says whether it changed.
fn settle(question: &mut Question, fact: Fact, updating: bool, turn: &mut Turn) -> bool {
    let request = &mut question.request;
    let failed = request.earlier.as_ref().is_some_and(|earlier| earlier.state == RequestState::NotTaken);
    let waits = matches!(request.state, RequestState::Held | RequestState::Sending) && !request.sent();
    if matches!(fact, Fact::Gone) && failed && waits {
        // The answer before was taken after all, and this one is not wanted.
        let why = "The server has taken the answer before it";
        turn.fate(request, EventKind::Lapsed, Some(why.to_owned()));
        take_off(request);
    }
    let answer = request.answer.as_ref();
    let sent = request.sent();
    let taken = answer.is_some_and(|answer| answer.taken_at.is_some());
    let kind = match (request.state, fact) {
        // Its acknowledgement comes first.
        (RequestState::Sending, _) if updating && sent => return false,
        // The acknowledgement of our answer was lost, and the question is gone: it was taken. So was one that was
        // acknowledged, however late.
        (RequestState::Sending, Fact::Gone) if sent => EventKind::Taken,
        (RequestState::NotTaken, Fact::Gone) => EventKind::Taken,
        (RequestState::Answered, Fact::Gone) if !taken => EventKind::Taken,
        (RequestState::Answered, Fact::Asked { stale: false }) => {
            question.still_asked += 1;
            let waited = turn.now.steady_ms.saturating_sub(question.settled_at) >= MS_UNTIL_NOT_TAKEN;
            if question.still_asked < LOOKS_UNTIL_NOT_TAKEN || !waited {
                return false;
            }
            request.state = RequestState::NotTaken;
            request.closed_at = None;
            EventKind::NotTaken
        }
        (RequestState::Closed, Fact::Asked { .. })
            if request.reason == Some(CloseReason::AnsweredElsewhere) =>
        {
            request.state = RequestState::Open;
            request.reason = None;
            request.closed_at = None;
            request.answer = None;
            EventKind::Asked
        }
        (RequestState::Closed | RequestState::Answered, _) | (_, Fact::Asked { .. }) => return false,
        (_, Fact::Gone) => EventKind::Closed,
    };
    if matches!(kind, EventKind::Taken | EventKind::Closed) {
        close(question, kind, CloseReason::AnsweredElsewhere, turn);
    } else {
        turn.write(Write::PutRequest(Box::new(request.clone())));
        turn.fate(request, kind, None);
    }
    true
}

/// A new question as its server words it.
pub(super) fn worded(new: InputRequest, view: QuestionView, raw: Json) -> InputRequest {
    let QuestionView { method, mode, message, schema, url, .. } = view;
    InputRequest { method, mode, message, schema, url, raw, ..new }
}
