//! What servers ask: opening, recognising and closing questions.

use std::collections::{HashMap, HashSet};

use signalbox_mcp::{QuestionView, TaskView};
use signalbox_model::{
    CallId, CloseReason, EventKind, Identity, InputRequest, ItemRef, Json, ROOTS, RequestId, RequestState,
    ServerId, Status,
};

use super::{
    Turn,
    room::{leave_to_store, shed},
    told,
    ways::take_off,
};
use crate::{
    NoticeKind, State,
    question::Question,
    room::{Left, Room, weight},
    state::NextIds,
};

/// More questions than this of one task are not opened while they wait: nobody could answer them.
pub(super) const MOST_OPEN: usize = 500;
/// More questions than this of one task are not kept, however many were answered.
pub(super) const MOST_QUESTIONS: usize = 10_000;
/// An acknowledged answer whose question is still asked after this many more looks …
const LOOKS_UNTIL_NOT_TAKEN: u32 = 3;
/// … and this many ms is not taken.
const MS_UNTIL_NOT_TAKEN: u64 = 30_000;

impl State {
    /// Opens a question that was not seen before, if there is room for it.
    pub(super) fn open_question(
        &mut self,
        turn: &mut Turn,
        id: CallId,
        identity: Identity,
        raw: &Json,
    ) -> Result<(), NoRoom> {
        self.weigh(turn);
        let Some(live) = self.calls.get_mut(&id) else { return Err(NoRoom::Questions) };
        let server = live.call.server;
        let fits = |bytes| {
            let fits = self.room.has(server, Some(id), bytes);
            if fits { Ok(()) } else { Err(NoRoom::Bytes(bytes)) }
        };
        // What is much too large is not even read.
        fits(Room::EACH + raw.text().len())?;
        let open = live.questions.iter().filter(|question| question.request.needs_person()).count();
        if open >= MOST_OPEN || live.questions.len() >= MOST_QUESTIONS {
            return Err(NoRoom::Questions);
        }
        let mut request = as_asked(server, identity, raw, turn);
        fits(weight(&request))?;
        request.id = RequestId(NextIds::take(&mut self.next.request));
        turn.keep(&request);
        turn.event(id, EventKind::Asked, Some(request.id), Some(request.message.clone()));
        if request.method == ROOTS {
            self.answer_roots(turn, id, request);
            return Ok(());
        }
        let (item, text) = (ItemRef::Request(request.id), request.message.clone());
        self.asked.insert(request.id, id);
        self.room.enter(&request, 0);
        let mut question = Question::new(request);
        leave_to_store(&mut question, turn);
        live.questions.push(question);
        let call = live.call.clone();
        self.notify(turn, &call, item, NoticeKind::NeedsInput, text);
        Ok(())
    }

    /// Opens those of these questions for which there is room; `left` are others of the task that are not taken.
    pub(super) fn open_questions(
        &mut self,
        turn: &mut Turn,
        id: CallId,
        new: &[&(String, Json)],
        mut left: Option<Left>,
    ) {
        for (at, (key, raw)) in new.iter().enumerate() {
            let identity = Identity::Task { call: id, key: key.clone() };
            match self.open_question(turn, id, identity, raw) {
                Ok(()) => {}
                Err(NoRoom::Bytes(bytes)) => Left::add(&mut left, 1, bytes),
                // Counting anew for each of a hundred thousand would hold up all other servers.
                Err(NoRoom::Questions) => {
                    Left::add(&mut left, u32::try_from(new.len() - at).unwrap_or(u32::MAX), 0);
                    break;
                }
            }
        }
        self.settle_left(turn, id, left);
        self.count_open(id);
    }

    /// Compares the questions the server asks now with those we know. A `stale` look was sent before our answers were
    /// through.
    pub(super) fn reconcile(&mut self, turn: &mut Turn, id: CallId, view: &TaskView, stale: bool) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let asked: HashMap<&str, &Json> =
            view.input_requests.iter().map(|(key, raw)| (key.as_str(), raw)).collect();
        let (mut known, mut reminders) = (HashSet::new(), Vec::new());
        let mut left: Option<Left> = None;
        let (server, updating) = (live.call.server, live.updating.is_some());
        // What is gone makes room for what is asked.
        for gone in [true, false] {
            let mut open = live.questions.iter().filter(|question| question.request.needs_person()).count();
            for question in &mut live.questions {
                let Identity::Task { key, .. } = &question.request.identity else { continue };
                let asked = asked.get(key.as_str());
                if asked.is_none() != gone {
                    continue;
                }
                known.insert(key.clone());
                let fact = asked.map_or(Fact::Gone, |raw| Fact::Asked { raw, stale });
                if let Some(raw) = asked
                    && was_withdrawn(&question.request)
                {
                    // It takes as much as a new one.
                    let bytes = weight(&as_asked(server, question.request.identity.clone(), raw, turn));
                    if open >= MOST_OPEN || !self.room.has(server, Some(id), bytes) {
                        Left::add(&mut left, 1, bytes);
                        continue;
                    }
                    open += 1;
                }
                let changed = settle(question, fact, updating, turn);
                if changed && question.request.answerable() {
                    reminders.push((question.request.id, told(question.request.message.clone())));
                    live.closed.open_again(question.request.id);
                }
                leave_to_store(question, turn);
                turn.weights.drain(..).for_each(|weighed| self.room.weigh(weighed));
            }
        }
        let call = live.call.clone();
        for (request, text) in reminders {
            self.notify(turn, &call, ItemRef::Request(request), NoticeKind::NeedsInput, text);
        }
        let new: Vec<_> = view.input_requests.iter().filter(|(key, _)| !known.contains(key)).collect();
        self.open_questions(turn, id, &new, left);
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
                            turn.keep(&question.request);
                        }
                        continue;
                    }
                    EventKind::Taken
                }
                // The acknowledgement was lost, but the task came to a result: it got what it asked for.
                RequestState::Sending | RequestState::Unknown if sent && went_on => EventKind::Taken,
                _ => EventKind::Closed,
            };
            close(question, kind, CloseReason::TaskEnded, turn);
        }
    }
}

/// Why a question is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRoom {
    /// There are too many of its task: so there is no room for those behind it either.
    Questions,
    /// So many bytes, which it has at least, are too many.
    Bytes(usize),
}

/// What a look says about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fact<'a> {
    Asked { raw: &'a Json, stale: bool },
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
    turn.keep(request);
    turn.fate(request, kind, None);
    shed(question, turn);
}

/// What a look means for a question. Says whether it changed.
fn settle(question: &mut Question, fact: Fact<'_>, updating: bool, turn: &mut Turn) -> bool {
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
        (RequestState::NotTaken | RequestState::Unknown, Fact::Gone) => EventKind::Taken,
        (RequestState::Answered, Fact::Gone) if !taken => EventKind::Taken,
        (RequestState::Answered, Fact::Asked { raw, stale: false }) => {
            question.still_asked += 1;
            let waited = turn.now.steady_ms.saturating_sub(question.settled_at) >= MS_UNTIL_NOT_TAKEN;
            if question.still_asked < LOOKS_UNTIL_NOT_TAKEN || !waited {
                return false;
            }
            request.state = RequestState::NotTaken;
            request.closed_at = None;
            reword(request, raw);
            EventKind::NotTaken
        }
        (RequestState::Closed, Fact::Asked { raw, .. }) if was_withdrawn(request) => {
            reword(request, raw);
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
        turn.keep(request);
        turn.fate(request, kind, None);
    }
    true
}

/// Whether the server has stopped asking it, and may ask it again.
fn was_withdrawn(request: &InputRequest) -> bool {
    request.state == RequestState::Closed && request.reason == Some(CloseReason::AnsweredElsewhere)
}

/// A question that was over is asked again: what it asks is here again.
fn reword(request: &mut InputRequest, raw: &Json) {
    if request.is_bare() {
        let QuestionView { method, mode, message, schema, url, .. } = QuestionView::read(raw);
        (request.method, request.mode, request.message) = (method, mode, message);
        (request.schema, request.url, request.raw) = (schema, url, raw.clone());
    }
}

/// A question as its server asks it, without a number of ours.
pub(super) fn as_asked(server: ServerId, identity: Identity, raw: &Json, turn: &Turn) -> InputRequest {
    let new = InputRequest::new(RequestId(0), server, identity, turn.now.wall);
    worded(new, QuestionView::read(raw), raw.clone())
}

/// A new question as its server words it.
pub(super) fn worded(new: InputRequest, view: QuestionView, raw: Json) -> InputRequest {
    let QuestionView { method, mode, message, schema, url, .. } = view;
    InputRequest { method, mode, message, schema, url, raw, ..new }
}
