//! What people answer: kept first, sent after the commit, sent again only when a look shows that it is still asked.
//!
//! Longer than most: an answer is followed here from the decision to its acknowledgement, with each way in which that can fail.

use signalbox_mcp::{Error, Sent};
use signalbox_model::{
    Action, Answer, Around, CallId, CloseReason, DecisionKind, Earlier, EventKind, InputRequest, Json, Note,
    RequestId, RequestState, ServerId, Status, Timestamp, Ways,
};

use super::{
    Turn,
    lapse::release,
    question::close,
    room::shed,
    ways::{content_of, take_off},
};
use crate::{
    Effect, Granted, Refusal, State, Token,
    effect::response,
    note,
    question::Question,
    schedule::Due,
    state::{Before, Errand, Live},
    tries::{Tries, entered},
};

/// An answer goes at least so long before it is of no use any more, in ms.
const LAST_MOMENT: u64 = 3_000;

/// What a person said to a question.
pub(super) struct Said {
    pub(super) action: Action,
    pub(super) content: Option<Json>,
    pub(super) hold_ms: u32,
    /// When the last answer was decided that they knew of.
    pub(super) seen: Option<Timestamp>,
}

impl Said {
    /// The same with the content that goes out; or why the question does not take it.
    pub(super) fn of(self, request: &InputRequest, around: Around) -> Result<Self, Refusal> {
        if request.decided_at() != self.seen {
            return Err(Refusal::AnsweredMeanwhile);
        }
        let content = content_of(request, around, self.action, self.content)?;
        Ok(Self { content, ..self })
    }
}

impl State {
    pub(super) fn question(&mut self, id: RequestId) -> Result<(CallId, &mut Question), Refusal> {
        let call = *self.asked.get(&id).ok_or(Refusal::UnknownRequest)?;
        let live = self.calls.get_mut(&call).ok_or(Refusal::Closed)?;
        let question = live.questions.iter_mut().find(|question| question.request.id == id);
        Ok((call, question.ok_or(Refusal::UnknownRequest)?))
    }

    pub(super) fn question_around(&self, id: RequestId) -> Result<(CallId, &Question, Around), Refusal> {
        let call = *self.asked.get(&id).ok_or(Refusal::UnknownRequest)?;
        let live = self.calls.get(&call).ok_or(Refusal::Closed)?;
        let question = live.questions.iter().find(|question| question.request.id == id);
        let question = question.ok_or(Refusal::UnknownRequest)?;
        Ok((call, question, self.around(call, question)))
    }

    pub(super) fn answer(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        said: Said,
    ) -> Result<(), Refusal> {
        if self.wired.contains_key(&id) {
            return self.answer_on_wire(turn, token, id, said);
        }
        let (call, question, around) = self.question_around(id)?;
        let Said { action, content, hold_ms, .. } = said.of(&question.request, around)?;
        let left = self.calls.get(&call).and_then(|live| live.time_left(turn.now));
        let hold_ms = within(hold_ms, left);
        let before = self.calls.get(&call).cloned().map(Box::new);
        turn.intent(Before::Call(call, before));
        let (_, question) = self.question(id)?;
        decide(question, turn, (action, content), hold_ms);
        turn.reply(token, Ok(Granted::Decided(turn.now.wall)));
        // What is new does not wait for what failed before.
        if let Some(live) = self.calls.get_mut(&call) {
            forget_tries(live);
        }
        self.save(turn, call);
        self.follow(turn, call);
        self.plan_release(call);
        self.deliver(turn, call);
        Ok(())
    }

    pub(super) fn undo(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        decided_at: Timestamp,
    ) -> Result<(), Refusal> {
        if self.wired.contains_key(&id) {
            return self.undo_on_wire(turn, token, id, decided_at);
        }
        let (call, question, around) = self.question_around(id)?;
        can_be_taken_back(&question.request, around, decided_at)?;
        let before = self.calls.get(&call).cloned().map(Box::new);
        turn.intent(Before::Call(call, before));
        let (_, question) = self.question(id)?;
        take_back(question, turn);
        turn.reply(token, Ok(Granted::Done));
        if let Some(live) = self.calls.get_mut(&call) {
            goes_no_more(live);
        }
        self.save(turn, call);
        self.plan_release(call);
        Ok(())
    }

    pub(super) fn save_draft(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        draft: Option<Json>,
    ) -> Result<(), Refusal> {
        if self.wired.contains_key(&id) {
            return self.draft_on_wire(turn, token, id, draft);
        }
        let (call, _) = self.question(id)?;
        let before = self.calls.get(&call).cloned().map(Box::new);
        turn.intent(Before::Call(call, before));
        let (_, question) = self.question(id)?;
        question.request.draft = draft;
        turn.keep(&question.request);
        turn.reply(token, Ok(Granted::Done));
        Ok(())
    }

    /// Sets the time at which the first undo window of this call ends, or the wait of its round.
    pub(super) fn plan_release(&mut self, id: CallId) {
        let Some(live) = self.calls.get(&id) else { return };
        let held = live.questions.iter().filter(|question| question.request.state == RequestState::Held);
        let retry_at = live.round.as_ref().and_then(|round| round.retry_at);
        match held.map(|question| question.release_at).chain(retry_at).min() {
            Some(at) => self.schedule.set(Due::Send(id), at),
            None => self.schedule.clear(Due::Send(id)),
        }
    }

    /// The undo window of some answers of this call is over.
    pub(super) fn release_held(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if let Some(round) = &mut live.round
            && round.retry_at.is_some_and(|at| at <= turn.now.steady_ms)
        {
            round.retry_at = None;
        }
        let mut lapsed = false;
        for question in &mut live.questions {
            lapsed |= release(question, turn);
        }
        if lapsed {
            self.save(turn, id);
        }
        self.plan_release(id);
        self.deliver(turn, id);
    }

    /// Sends all answers of a call that may be sent, in one `tasks/update`; those of a round with the call again.
    pub(super) fn deliver(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        if live.round.is_some() {
            self.retry(turn, id);
            return;
        }
        // A no that the wire has no shape for is kept from the server; the task is the person's to cancel.
        for question in live.questions.iter_mut().filter(|question| question.declined()) {
            close(question, EventKind::Closed, CloseReason::DeclinedByUs, turn);
        }
        let Some(station) = self.servers.get_mut(&live.call.server) else { return };
        let Some(task) = &live.call.task else { return };
        let waits = live.questions.iter().any(|question| question.request.state == RequestState::Sending);
        // A task that says it is over takes nothing any more.
        let over = live.call.ended() || live.call.status.is_terminal();
        if !waits || over || live.updating.is_some() || live.look_first {
            return;
        }
        if !station.may_be_told(turn.now) {
            station.owing.insert(id);
            return;
        }
        let (mut requests, mut responses) = (Vec::new(), Vec::new());
        for at in going(&live.questions) {
            let question = &mut live.questions[at];
            let request = &mut question.request;
            let Some(response) = response(request) else { continue };
            responses.push((request.identity.key().to_owned(), response));
            requests.push(request.id);
            sends(question, turn);
        }
        if requests.is_empty() {
            return;
        }
        live.updating = Some(turn.now.wall);
        station.telling.insert((id, Errand::Answers));
        turn.after(Effect::UpdateTask {
            line: station.line(),
            call: id,
            task_id: task.task_id.clone(),
            requests,
            responses,
        });
    }

    pub(super) fn updated(
        &mut self,
        turn: &mut Turn,
        server: ServerId,
        id: CallId,
        requests: &[RequestId],
        reply: Result<Json, Error>,
    ) {
        let Some(live) = self.calls.get_mut(&id) else {
            self.line_heard(turn, server, reply.as_ref().err());
            return;
        };
        if live.updating.take().is_none() {
            return;
        }
        let ended = live.call.ended();
        let went_on = ended && live.call.status == Status::Completed;
        match &reply {
            Err(error) if !refuses(error) => {
                live.answer_tries.failed(turn.now, turn.seed, id.0);
                if live.answer_tries.in_trouble() && !ended {
                    let Note { code, message } = note(error);
                    let message = format!(
                        "Answers do not come through: they are sent again more and more seldom. {message}"
                    );
                    if live.answer_tries.new_trouble() {
                        turn.event(id, EventKind::Trouble, None, Some(message.clone()));
                    }
                    live.call.note = Some(Note { code, message });
                }
            }
            _ => forget_tries(live),
        }
        live.stale_look |= self.servers.get(&server).is_some_and(|station| station.looking.contains_key(&id));
        for question in &mut live.questions {
            let request = &mut question.request;
            if !requests.contains(&request.id) || request.state != RequestState::Sending {
                continue;
            }
            match &reply {
                Ok(_) => {
                    acknowledged(question, turn);
                    if went_on {
                        close(question, EventKind::Taken, CloseReason::TaskEnded, turn);
                    }
                    continue;
                }
                // The acknowledgement was lost, but the task came to a result: it got what it asked for.
                Err(error) if went_on && error.sent() == Sent::Maybe => {
                    close(question, EventKind::Taken, CloseReason::TaskEnded, turn);
                    continue;
                }
                Err(_) if ended => {
                    close(question, EventKind::Closed, CloseReason::TaskEnded, turn);
                    continue;
                }
                Err(error) if refuses(error) => {
                    let message = note(error).message;
                    // Of one that went out before, the first may have arrived, or may yet.
                    let (state, kind) = match question.first {
                        true => (RequestState::Refused, EventKind::Refused),
                        false => (RequestState::Unknown, EventKind::Unknown),
                    };
                    request.state = state;
                    if let Some(answer) = &mut request.answer {
                        answer.refusal = Some(message.clone());
                    }
                    turn.fate(request, kind, Some(live.call.without_handle(&message)));
                }
                // It may have arrived or not: the next look tells, and only then is it sent again.
                Err(error) => {
                    live.look_first = true;
                    // The first try, and certainly it never left: then it has not been sent.
                    let is_unsent = question.first && error.sent() == Sent::No;
                    match request.answer.as_mut().filter(|_| is_unsent) {
                        Some(answer) => answer.sent_at = None,
                        None => continue,
                    }
                }
            }
            turn.keep(request);
        }
        if !ended {
            self.save(turn, id);
        }
        self.line_heard(turn, server, reply.as_ref().err());
        self.retire(turn, id);
        // Answers given meanwhile go now.
        self.deliver(turn, id);
    }
}

/// Which answers go out next: all that are new, else of those that failed before the one that was tried least. An answer that a
/// server cannot take must not keep the others from it.
fn going(questions: &[Question]) -> Vec<usize> {
    let waits = |question: &Question| {
        question.request.state == RequestState::Sending && response(&question.request).is_some()
    };
    let waiting = || (0..questions.len()).filter(|at| waits(&questions[*at]));
    let new: Vec<_> = waiting().filter(|at| !questions[*at].request.sent()).collect();
    if new.is_empty() {
        return waiting().min_by_key(|at| questions[*at].sendings).into_iter().collect();
    }
    new
}

/// Whether the server, or what stands before it, says a definite no to this very request: the same again would get the
/// same. A 404 may be about the address, and what is about sign-in or haste has errors of its own.
pub(super) fn refuses(error: &Error) -> bool {
    match error {
        Error::Rpc { .. } => true,
        Error::NotMcp { status: Some(status), .. } => (400..=499).contains(status) && *status != 404,
        _ => false,
    }
}

/// Answers came through, or are no longer wanted: whatever failed is over.
pub(super) fn forget_tries(live: &mut Live) {
    if std::mem::take(&mut live.answer_tries).in_trouble() {
        live.call.note = None;
    }
}

/// An undo window ends before the time in which the answer is of use: `left`, in ms, where there is a limit.
pub(super) fn within(hold_ms: u32, left: Option<u64>) -> u32 {
    let most = left.map(|left| left.saturating_sub(LAST_MOMENT));
    most.map_or(hold_ms, |most| hold_ms.min(u32::try_from(most).unwrap_or(u32::MAX)))
}

/// Keeps what a person decided: it goes when the undo window is over. A page that was opened cannot be unopened: its accept
/// has no such window.
pub(super) fn decide(
    question: &mut Question,
    turn: &mut Turn,
    (action, content): (Action, Option<Json>),
    hold_ms: u32,
) {
    question.still_asked = 0;
    question.sendings = 0;
    let request = &mut question.request;
    let hold_ms = if request.may_be_held(action) { hold_ms } else { 0 };
    question.release_at = turn.now.steady_ms + u64::from(hold_ms);
    request.reason = None;
    let state = request.state;
    let failed = matches!(state, RequestState::NotTaken | RequestState::Refused | RequestState::Unknown);
    request.earlier =
        request.answer.take().filter(|_| failed).map(|answer| Box::new(Earlier { state, answer }));
    let send_at = turn.now.plus_ms(hold_ms.into()).wall;
    request.answer = Some(Answer { content, send_at, ..Answer::new(action, turn.now.wall) });
    request.state = if hold_ms == 0 { RequestState::Sending } else { RequestState::Held };
    turn.keep(request);
    turn.fate(request, EventKind::Answered, Some(action.as_str().to_owned()));
}

/// What waited to go was taken back: nothing is tried any more for its sake.
fn goes_no_more(live: &mut Live) {
    if let Some(round) = &mut live.round {
        if round.retry_at.take().is_some() {
            round.tries = Tries::default();
            live.call.note = None;
        }
    } else if !live.questions.iter().any(|question| question.request.state == RequestState::Sending) {
        forget_tries(live);
    }
}

/// Refuses to take back what has gone out, and any other answer than the one that was decided then.
pub(super) fn can_be_taken_back(
    request: &InputRequest,
    around: Around,
    decided_at: Timestamp,
) -> Result<(), Refusal> {
    match request.decided_at() {
        Some(stands) if stands != decided_at => Err(Refusal::AnsweredMeanwhile),
        Some(_) if Ways::of(request, around).take_back => Ok(()),
        _ => Err(Refusal::NothingToTakeBack),
    }
}

/// Takes an answer back before it has gone out.
pub(super) fn take_back(question: &mut Question, turn: &mut Turn) {
    // Trying to send it may have been told.
    let tried = question.request.state == RequestState::Sending;
    turn.fate(&question.request, EventKind::Undone, tried.then(|| "Nothing of it had left".to_owned()));
    take_off(&mut question.request);
    turn.keep(&question.request);
}

/// Keeps that an answer goes to the wire.
pub(super) fn sends(question: &mut Question, turn: &mut Turn) {
    let request = &mut question.request;
    let Some(answer) = &mut request.answer else { return };
    let again = question.sendings > 0 || answer.sent_at.is_some();
    question.first = answer.sent_at.is_none();
    question.went_on = false;
    if question.first {
        answer.sent_at = Some(turn.now.wall);
        turn.keep(request);
    }
    if !again {
        // A no that has no shape has no JSON either.
        let shapeless = response(request).is_none();
        let no =
            request.answer.as_ref().filter(|_| shapeless).map(|answer| answer.action.as_str().to_owned());
        turn.log_answer(DecisionKind::Sent, request, no);
    } else if entered(question.sendings) {
        turn.log_sent_again(request);
    }
    question.sendings = question.sendings.saturating_add(1);
}

pub(super) fn acknowledged(question: &mut Question, turn: &mut Turn) {
    question.still_asked = 0;
    question.settled_at = turn.now.steady_ms;
    let request = &mut question.request;
    request.state = RequestState::Answered;
    request.closed_at = Some(turn.now.wall);
    if let Some(answer) = &mut request.answer {
        answer.acknowledged_at = Some(turn.now.wall);
    }
    turn.keep(request);
    turn.fate(request, EventKind::Acknowledged, None);
    shed(question, turn);
}
