//! Answers that are within their undo windows when nobody is left to send them: they are drafts again, and say so.

use signalbox_model::{CallId, CloseReason, EventKind, RequestState, ServerId};

use super::{Turn, ways::take_off};
use crate::{Granted, State, Token, question::Question, state::Before};

/// An answer that is found held so long after it should have gone is not sent any more, in ms: the person who gave it
/// expected it to be through, or forgotten, long before.
const TOO_LATE: i64 = 3_600_000;

impl State {
    /// Whoever could send them ends, and the person knows.
    pub(super) fn take_back_held(&mut self, turn: &mut Turn, token: Token) {
        let (mut calls, mut servers): (Vec<CallId>, Vec<ServerId>) = (Vec::new(), Vec::new());
        calls.extend(
            self.calls.iter().filter(|(_, live)| live.questions.iter().any(is_held)).map(|(id, _)| id),
        );
        let holds = |server: &ServerId| self.servers[server].session.questions.iter().any(is_held);
        servers.extend(self.servers.keys().filter(|server| holds(server)));
        // The order of a map is not part of what step was given.
        calls.sort_unstable();
        servers.sort_unstable();
        let of_call = |id: &CallId| Before::Call(*id, self.calls.get(id).cloned().map(Box::new));
        let of_wire = servers.iter().map(|server| self.wire_before(*server));
        turn.intent(Before::All(calls.iter().map(of_call).chain(of_wire).collect()));
        turn.reply(token, Ok(Granted::Done));
        let why = "Signalbox was closed within its undo window";
        for id in calls {
            let Some(live) = self.calls.get_mut(&id) else { continue };
            live.questions.iter_mut().filter(|question| is_held(question)).for_each(|q| lapse(q, turn, why));
            self.save(turn, id);
            self.plan_release(id);
        }
        for id in servers {
            let Some(station) = self.servers.get_mut(&id) else { continue };
            let mut of_calls = Vec::new();
            for question in station.session.questions.iter_mut().filter(|question| is_held(question)) {
                lapse(question, turn, why);
                of_calls.extend(question.request.call);
            }
            for call in of_calls {
                self.recount(turn, call);
            }
            self.plan_replies(turn, id);
        }
    }
}

/// Ends the undo window of an answer. After a night's sleep of the machine its window may end long after its moment: then it
/// waits for a person again, which is said by `true`.
pub(super) fn release(question: &mut Question, turn: &mut Turn) -> bool {
    if !is_held(question) || question.release_at > turn.now.steady_ms {
        return false;
    }
    lapse_if_late(question, turn);
    if !is_held(question) {
        return true;
    }
    question.request.state = RequestState::Sending;
    turn.keep(&question.request);
    false
}

/// What is held too long after its moment: a hand-over, a crash and a kill keep what the person was told, for a while.
pub(super) fn lapse_if_late(question: &mut Question, turn: &mut Turn) {
    let send_at = question.request.answer.as_ref().map(|answer| answer.send_at);
    if is_held(question) && send_at.is_some_and(|at| turn.now.wall.ms_since(at) > TOO_LATE) {
        lapse(question, turn, "By the clock it should have gone more than an hour ago");
    }
}

fn is_held(question: &Question) -> bool {
    question.request.state == RequestState::Held
}

fn lapse(question: &mut Question, turn: &mut Turn, why: &str) {
    // The entry names the answer that did not go.
    turn.fate(&question.request, EventKind::Lapsed, Some(why.to_owned()));
    let request = &mut question.request;
    take_off(request);
    request.reason = Some(CloseReason::Lapsed);
    turn.keep(request);
}
