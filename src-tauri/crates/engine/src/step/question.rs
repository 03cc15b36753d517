//! What servers ask: opening, recognising and closing questions.

use std::collections::HashSet;

use signalbox_mcp::{QuestionView, TaskView};
use signalbox_model::{
    CallId, CloseReason, EventKind, Identity, InputRequest, ItemRef, Json, RequestId, RequestState,
};
use signalbox_store::Write;

use super::Turn;
use crate::{
    NoticeKind, State,
    state::{NextIds, Question},
};

/// More questions than this of one task are not opened: nobody could answer them.
const MOST_QUESTIONS: usize = 500;
/// An acknowledged answer whose question is still asked after this many more looks …
const LOOKS_UNTIL_NOT_TAKEN: u32 = 3;
/// … and this many ms is not taken.
const MS_UNTIL_NOT_TAKEN: i64 = 30_000;

impl State {
    /// Opens a question that was not seen before.
    pub(super) fn open_question(&mut self, turn: &mut Turn, id: CallId, identity: Identity, raw: Json) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if live.questions.len() >= MOST_QUESTIONS {
            return;
        }
        let view = QuestionView::read(&raw);
        let request = InputRequest {
            id: RequestId(NextIds::take(&mut self.next.request)),
            server: live.call.server,
            call: Some(id),
            identity,
            method: view.method,
            mode: view.mode,
            message: view.message,
            schema: view.schema,
            url: view.url,
            raw,
            state: RequestState::Open,
            reason: None,
            opened_at: turn.now.wall,
            closed_at: None,
            answer: None,
            draft: None,
        };
        turn.write(Write::PutRequest(Box::new(request.clone())));
        turn.event(id, EventKind::Asked, Some(request.id), Some(request.message.clone()));
        let (item, text) = (ItemRef::Request(request.id), request.message.clone());
        self.asked.insert(request.id, id);
        live.questions.push(Question { request, still_asked: 0 });
        let call = live.call.clone();
        self.notify(turn, &call, item, NoticeKind::NeedsInput, text);
    }

    /// Compares the questions the server asks now with those we know.
    pub(super) fn reconcile(&mut self, turn: &mut Turn, id: CallId, view: &TaskView) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let asked: HashSet<&str> = view.input_requests.iter().map(|(key, _)| key.as_str()).collect();
        let mut known: HashSet<String> = HashSet::new();
        let mut reminders = Vec::new();
        for question in &mut live.questions {
            let Identity::Task { key, .. } = &question.request.identity else { continue };
            known.insert(key.clone());
            let still = asked.contains(key.as_str());
            if !settle(question, still, live.updating, turn) {
                continue;
            }
            if question.request.state == RequestState::NotTaken {
                reminders.push((question.request.id, question.request.message.clone()));
            }
        }
        let call = live.call.clone();
        for (request, text) in reminders {
            self.notify(turn, &call, ItemRef::Request(request), NoticeKind::NeedsInput, text);
        }
        if !call.status.is_terminal() {
            for (key, raw) in &view.input_requests {
                if !known.contains(key) {
                    self.open_question(turn, id, Identity::Task { call: id, key: key.clone() }, raw.clone());
                }
            }
        }
        if let Some(live) = self.calls.get_mut(&id) {
            let open = live.questions.iter().filter(|question| question.request.needs_person()).count();
            live.call.open_requests = u32::try_from(open).unwrap_or(u32::MAX);
        }
    }

    /// The call is over, and so are its questions.
    pub(super) fn close_questions(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        for question in &mut live.questions {
            let request = &mut question.request;
            match request.state {
                RequestState::Closed => {}
                RequestState::Answered => {
                    let Some(answer) = &mut request.answer else { continue };
                    if answer.taken_at.is_none() {
                        answer.taken_at = Some(turn.now.wall);
                        turn.write(Write::PutRequest(Box::new(request.clone())));
                    }
                }
                // Its acknowledgement is still under way and decides.
                RequestState::Sending if live.updating => {}
                _ => {
                    request.state = RequestState::Closed;
                    request.reason = Some(CloseReason::TaskEnded);
                    request.closed_at = Some(turn.now.wall);
                    turn.write(Write::PutRequest(Box::new(request.clone())));
                    turn.event(id, EventKind::Closed, Some(request.id), None);
                }
            }
        }
    }
}

/// What it means for a question that the server asks it still, or no more. Says whether it changed.
fn settle(question: &mut Question, still: bool, updating: bool, turn: &mut Turn) -> bool {
    let request = &mut question.request;
    let Some(call) = request.call else { return false };
    let (state, kind) = match (request.state, still) {
        (RequestState::Sending, _) if updating => return false,
        // Our answer was sent, its acknowledgement was lost, and the question is gone: it was taken.
        (RequestState::Sending, false) if request.answer.as_ref().is_some_and(|a| a.sent_at.is_some()) => {
            (RequestState::Answered, EventKind::Taken)
        }
        (RequestState::Answered, false) if request.answer.as_ref().is_some_and(|a| a.taken_at.is_none()) => {
            (RequestState::Answered, EventKind::Taken)
        }
        (RequestState::Answered, true) => {
            question.still_asked += 1;
            let since = request.answer.as_ref().and_then(|answer| answer.acknowledged_at);
            let waited = since.is_some_and(|at| turn.now.wall.ms_since(at) >= MS_UNTIL_NOT_TAKEN);
            if question.still_asked < LOOKS_UNTIL_NOT_TAKEN || !waited {
                return false;
            }
            (RequestState::NotTaken, EventKind::NotTaken)
        }
        (RequestState::Closed, true) if request.reason == Some(CloseReason::AnsweredElsewhere) => {
            request.reason = None;
            (RequestState::Open, EventKind::Asked)
        }
        (RequestState::Closed | RequestState::Answered, _) | (_, true) => return false,
        (_, false) => {
            request.reason = Some(CloseReason::AnsweredElsewhere);
            (RequestState::Closed, EventKind::Closed)
        }
    };
    request.state = state;
    request.closed_at =
        matches!(state, RequestState::Answered | RequestState::Closed).then_some(turn.now.wall);
    if kind == EventKind::Taken
        && let Some(answer) = &mut request.answer
    {
        answer.taken_at = Some(turn.now.wall);
    }
    turn.write(Write::PutRequest(Box::new(request.clone())));
    turn.event(call, kind, Some(request.id), None);
    true
}
