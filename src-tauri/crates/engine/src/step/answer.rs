//! What people answer: kept first, sent after the commit, sent again only when a look shows that it is still asked.

use signalbox_mcp::Error;
use signalbox_model::{
    Action, Answer, CallId, CloseReason, EventKind, Identity, InputRequest, Json, Mode, RequestId,
    RequestState,
};
use signalbox_store::Write;

use super::Turn;
use crate::{
    Effect, Granted, Refusal, State, Token, Undo,
    effect::response,
    note,
    schedule::Due,
    state::{Gate, Question},
};

impl State {
    fn question(&mut self, id: RequestId) -> Result<(CallId, &mut Question), Refusal> {
        let call = *self.asked.get(&id).ok_or(Refusal::UnknownRequest)?;
        let live = self.calls.get_mut(&call).ok_or(Refusal::Closed)?;
        let question = live.questions.iter_mut().find(|question| question.request.id == id);
        Ok((call, question.ok_or(Refusal::UnknownRequest)?))
    }

    pub(super) fn answer(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        action: Action,
        content: Option<Json>,
        hold_ms: u32,
    ) -> Result<(), Refusal> {
        let (call, question) = self.question(id)?;
        let request = &mut question.request;
        if !(request.answerable() || request.state == RequestState::Unknown) {
            return Err(Refusal::Closed);
        }
        if !matches!(request.identity, Identity::Task { .. }) {
            return Err(Refusal::NotSupported(
                "This question is part of a multi round-trip request, which cannot be answered yet. It is kept",
            ));
        }
        if request.mode == Mode::Other {
            return Err(Refusal::NotSupported("Questions of this kind cannot be answered yet. It is kept"));
        }
        let before = request.clone();
        request.answer = Some(Answer {
            action,
            content,
            decided_at: turn.now.wall,
            send_at: turn.now.plus_ms(hold_ms.into()).wall,
            sent_at: None,
            acknowledged_at: None,
            taken_at: None,
            refusal: None,
        });
        request.state = if hold_ms == 0 { RequestState::Sending } else { RequestState::Held };
        question.still_asked = 0;
        let request = request.clone();
        turn.intent(Undo::Request(Box::new(before)));
        turn.write(Write::PutRequest(Box::new(request)));
        turn.event(call, EventKind::Answered, Some(id), Some(action.as_str().to_owned()));
        turn.reply(token, Ok(Granted::Done));
        self.save(turn, call);
        if let Some(live) = self.calls.get_mut(&call) {
            live.followed = true;
        }
        if hold_ms == 0 {
            self.deliver(turn, call);
        } else {
            self.schedule.no_later_than(Due::Send(call), turn.now.steady_ms + u64::from(hold_ms));
        }
        Ok(())
    }

    pub(super) fn undo(&mut self, turn: &mut Turn, token: Token, id: RequestId) -> Result<(), Refusal> {
        let (call, question) = self.question(id)?;
        if question.request.state != RequestState::Held {
            return Err(Refusal::Closed);
        }
        let before = question.request.clone();
        question.request.state = RequestState::Open;
        question.request.answer = None;
        let request = question.request.clone();
        turn.intent(Undo::Request(Box::new(before)));
        turn.write(Write::PutRequest(Box::new(request)));
        turn.event(call, EventKind::Undone, Some(id), None);
        turn.reply(token, Ok(Granted::Done));
        self.save(turn, call);
        Ok(())
    }

    pub(super) fn save_draft(
        &mut self,
        turn: &mut Turn,
        token: Token,
        id: RequestId,
        draft: Option<Json>,
    ) -> Result<(), Refusal> {
        let (_, question) = self.question(id)?;
        let before = question.request.clone();
        question.request.draft = draft;
        let request = question.request.clone();
        turn.intent(Undo::Request(Box::new(before)));
        turn.write(Write::PutRequest(Box::new(request)));
        turn.reply(token, Ok(Granted::Done));
        Ok(())
    }

    /// The undo window of some answers of this call is over.
    pub(super) fn release_held(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let mut next: Option<u64> = None;
        for question in &mut live.questions {
            let request = &mut question.request;
            let Some(answer) = &request.answer else { continue };
            if request.state != RequestState::Held {
                continue;
            }
            match turn.now.ms_until(answer.send_at) {
                0 => {
                    request.state = RequestState::Sending;
                    turn.write(Write::PutRequest(Box::new(request.clone())));
                }
                wait => next = Some(next.map_or(wait, |before| before.min(wait))),
            }
        }
        if let Some(wait) = next {
            self.schedule.set(Due::Send(id), turn.now.steady_ms + wait);
        }
        self.deliver(turn, id);
    }

    /// Sends all answers of a call that may be sent, in one `tasks/update`.
    pub(super) fn deliver(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(station) = self.servers.get(&live.call.server) else { return };
        let Some(task) = &live.call.task else { return };
        if live.updating || live.look_first || live.call.ended() || station.gate != Gate::Open {
            return;
        }
        let (mut requests, mut responses) = (Vec::new(), Vec::new());
        for question in &mut live.questions {
            let request = &mut question.request;
            if request.state != RequestState::Sending {
                continue;
            }
            let Some(answer) = &mut request.answer else { continue };
            responses
                .push((request.identity.key().to_owned(), response(answer.action, answer.content.as_ref())));
            requests.push(request.id);
            if answer.sent_at.is_none() {
                answer.sent_at = Some(turn.now.wall);
                turn.write(Write::PutRequest(Box::new(request.clone())));
            }
        }
        if requests.is_empty() {
            return;
        }
        live.updating = true;
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
        id: CallId,
        requests: &[RequestId],
        reply: Result<Json, Error>,
    ) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.updating = false;
        let (server, ended) = (live.call.server, live.call.ended());
        for question in &mut live.questions {
            let request = &mut question.request;
            if !requests.contains(&request.id) || request.state != RequestState::Sending {
                continue;
            }
            match &reply {
                Ok(_) => {
                    question.still_asked = 0;
                    acknowledged(request, turn, ended);
                    turn.event(id, EventKind::Acknowledged, Some(request.id), None);
                }
                Err(error @ Error::Rpc { .. }) if !ended => {
                    let message = note(error).message;
                    request.state = RequestState::Refused;
                    if let Some(answer) = &mut request.answer {
                        answer.refusal = Some(message.clone());
                    }
                    turn.event(id, EventKind::Refused, Some(request.id), Some(message));
                }
                Err(_) if ended => {
                    request.state = RequestState::Closed;
                    request.reason = Some(CloseReason::TaskEnded);
                    request.closed_at = Some(turn.now.wall);
                }
                // It may have arrived or not: the next look tells, and only then is it sent again.
                Err(_) => {
                    live.look_first = true;
                    continue;
                }
            }
            turn.write(Write::PutRequest(Box::new(request.clone())));
        }
        if ended {
            self.retire(id);
            return;
        }
        match &reply {
            Ok(_) => self.line_fine(turn, server),
            Err(error) => {
                self.line_trouble(turn, Some(server), error);
                self.look(turn, id);
            }
        }
        self.save(turn, id);
        // Answers given meanwhile go now.
        self.deliver(turn, id);
    }

    pub(super) fn cancel_sent(&mut self, turn: &mut Turn, id: CallId, reply: Result<Json, Error>) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.cancelling = false;
        if live.call.ended() {
            return;
        }
        let server = live.call.server;
        match reply {
            Ok(_) => {
                if let Some(cancel) = &mut live.call.cancel {
                    cancel.acknowledged_at = Some(turn.now.wall);
                }
                turn.event(id, EventKind::CancelAcknowledged, None, None);
                self.line_fine(turn, server);
                self.save(turn, id);
            }
            Err(error @ Error::Rpc { .. }) => {
                // Refused: the wish is over, and the next look tells how the task stands.
                live.call.cancel = None;
                let note = note(&error);
                live.call.note = Some(note.clone());
                turn.event(id, EventKind::Trouble, None, Some(note.message));
                self.save(turn, id);
            }
            // It stays requested, and is sent again after the next look that finds the task alive.
            Err(error) => self.line_trouble(turn, Some(server), &error),
        }
    }
}

fn acknowledged(request: &mut InputRequest, turn: &Turn, ended: bool) {
    request.state = RequestState::Answered;
    request.closed_at = Some(turn.now.wall);
    if let Some(answer) = &mut request.answer {
        answer.acknowledged_at = Some(turn.now.wall);
        answer.taken_at = ended.then_some(turn.now.wall);
    }
}
