//! How answers go out on the legacy wire: each is a reply to a request, and is sent at most once. What
//! becomes of an answer is decided by the table in `question::delivery`.

use signalbox_mcp::{Error, Sent, SessionReplied, SessionReply};
use signalbox_model::{CallId, RequestId, RequestState};

use super::{
    super::{
        Next, Turn,
        question::{Becomes, Fact, Fate, OfCall, Question, Tie, release, sends},
    },
    Session,
    call_of::REVIEW,
    hosted::{ends_with_its_task, stop_waiting},
    response::{DECLINED, reply_of},
};
use crate::{
    Effect, note,
    schedule::{Due, FIRST_RETRY, LONGEST_RETRY, backoff},
};

impl Session {
    /// Sets the time at which to look at this connection again: when the next answer may go, when a task that
    /// we host ends, or when guesses are due for a review. A review needs calls.
    pub(in crate::step) fn plan_replies(&mut self, turn: &mut Turn<'_>, has_calls: bool) {
        let guesses = has_calls && self.questions.iter().any(Question::is_loose);
        self.review_at = guesses.then(|| self.review_at.unwrap_or(turn.now.steady_ms.saturating_add(REVIEW)));
        let goes = |question: &Question| match question.request.state {
            RequestState::Held => Some(question.release_at),
            // An answer that never left, and waits to be tried again.
            RequestState::Sending if question.release_at > turn.now.steady_ms => Some(question.release_at),
            _ => None,
        };
        let ends = |question: &Question| question.dies_at.filter(|_| ends_with_its_task(question));
        let times = self.questions.iter().flat_map(|q| goes(q).into_iter().chain(ends(q)));
        match times.chain(self.review_at).min() {
            Some(at) => turn.schedule.set(Due::Reply(self.server), at),
            None => turn.schedule.clear(Due::Reply(self.server)),
        }
    }

    /// The time has come that `plan_replies` set: undo windows or waits before a further try are over, tasks
    /// that we host have ended, or guesses are due for a review.
    pub(in crate::step) fn release_replies(&mut self, turn: &mut Turn<'_>) {
        self.end_hosted(turn);
        if self.review_at.take_if(|at| *at <= turn.now.steady_ms).is_some() {
            turn.then(Next::Review(self.server));
        }
        for question in &mut self.questions {
            if release(question, turn)
                && let Some(call) = question.request.call
            {
                turn.then(Next::Count(call));
            }
        }
        turn.then(Next::Replies(self.server));
    }

    /// Whether an answer waits for a connection.
    pub(in crate::step) fn wants_connection(&self, turn: &Turn<'_>) -> bool {
        self.link.is_none() && self.questions.iter().any(|question| is_due(question, turn))
    }

    /// Sends the answers of this connection that may go: each once. The answer of a task that we host goes when the server
    /// fetches it.
    pub(in crate::step) fn deliver(&mut self, turn: &mut Turn<'_>) {
        let (server, Some(link)) = (self.server, self.link) else { return };
        let mut replies = Vec::new();
        for question in &mut self.questions {
            if !is_due(question, turn) {
                continue;
            }
            let request = &question.request;
            let rpcs = match &request.hosted {
                // These requests stay until it is known what became of the reply.
                Some(hosted) => hosted.waiting.clone(),
                None => question.rpc.clone().into_iter().collect(),
            };
            if rpcs.is_empty() {
                continue;
            }
            let reply = reply_of(request);
            sends(question, turn);
            question.replies += u32::try_from(rpcs.len()).unwrap_or(u32::MAX);
            // Any of these requests may be the one that the server still waits on.
            let request = Some(question.request.id);
            for rpc in rpcs {
                replies.push(Effect::ReplyOnWire { server, link, rpc, reply: reply.clone(), request });
            }
        }
        for reply in replies {
            turn.after(reply);
        }
    }

    /// A connection could not be made for answers that wait, and nothing else will make one: it is tried
    /// again later.
    pub(in crate::step) fn connect_later(&mut self, turn: &mut Turn<'_>) {
        if self.link.is_some() {
            return;
        }
        let at = turn.now.steady_ms + FIRST_RETRY;
        for question in self.questions.iter_mut().filter(|question| is_due(question, turn)) {
            question.release_at = at;
        }
        turn.then(Next::Replies(self.server));
    }

    /// Sends a reply that no person decided on, or the answer of a task that we host to a server that fetches
    /// it.
    pub(in crate::step) fn reply(
        &mut self,
        turn: &mut Turn<'_>,
        rpc: String,
        reply: SessionReply,
        request: Option<RequestId>,
    ) {
        if let Some(link) = self.link {
            if let Some(question) = request.and_then(|request| self.question(request)) {
                question.replies += 1;
            }
            turn.after(Effect::ReplyOnWire { server: self.server, link, rpc, reply, request });
        }
    }

    /// A reply is over. Returns the call of its question, where that has changed.
    pub(in crate::step) fn replied(
        &mut self,
        turn: &mut Turn<'_>,
        id: RequestId,
        reply: &Result<SessionReplied, Error>,
    ) -> Option<CallId> {
        let question = self.question(id)?;
        question.replies = question.replies.saturating_sub(1);
        let hosted = question.request.hosted.is_some();
        let delivered = matches!(reply, Ok(SessionReplied::Delivered));
        // Several requests for one answer may wait: what became of the others does not matter once one has it.
        if question.request.state != RequestState::Sending {
            return None;
        }
        // One of the other replies never left, and would go again if no request had the answer yet.
        let owed =
            (delivered && question.release_at > turn.now.steady_ms).then(|| reply_of(&question.request));
        meets_reply(question, turn, reply);
        let call = question.request.call;
        let goes_again = reply.is_err() && question.request.state == RequestState::Sending;
        if owed.is_some() || !goes_again {
            let waiting = stop_waiting(question, turn);
            // The connection sends nothing to a request that has been answered.
            if let Some(reply) = owed.filter(|_| hosted) {
                self.end_waiting(turn, waiting, &reply);
            }
        }
        turn.then(Next::Prune(self.server));
        turn.then(Next::Replies(self.server));
        call
    }

    /// Tells the server that nobody will answer these requests. Otherwise it may hold them, and us, for ever.
    pub(in crate::step) fn wave_off(&mut self, turn: &mut Turn<'_>, requests: Vec<String>) {
        for rpc in requests {
            let message = "Nobody answers this any more".to_owned();
            self.reply(turn, rpc, SessionReply::Error { code: DECLINED, message }, None);
        }
    }
}

/// Says which fact happened to an answer, by what became of its reply.
fn meets_reply(question: &mut Question, turn: &mut Turn<'_>, reply: &Result<SessionReplied, Error>) {
    let pending = question.replies > 0;
    let (fact, said) = match reply {
        Ok(SessionReplied::Delivered) => (Fact::Acknowledged, Fate::default()),
        Ok(SessionReplied::NotOpen) => (Fact::NotWanted, Fate::default()),
        Err(error) => {
            let why = note(error);
            let gone = error.session_is_over()
                || matches!(error, Error::Exited { .. } | Error::Closed)
                || question.request.closed_at.is_some();
            let fact = match error {
                error if error.sent() == Sent::No && gone => Fact::NeverLeftAndGone,
                error if error.sent() == Sent::No => Fact::NeverLeft,
                Error::Rpc { .. } => Fact::Refused,
                _ => Fact::Lost,
            };
            let refusal = (fact == Fact::Refused).then(|| why.clone());
            (fact, Fate { refusal, why: Some(why) })
        }
    };
    // That the call went on is known of its task. It tells nothing of an answer that may belong to another
    // task.
    let went_on = question.went_on && (fact == Fact::Acknowledged || question.tie == Tie::Certain);
    let call = if went_on { OfCall::WentOn } else { OfCall::GoesOn };
    let becomes = question.meets(turn, fact, (pending, call), said);
    let never_left = matches!(fact, Fact::NeverLeft | Fact::NeverLeftAndGone);
    if becomes == Becomes::Same && never_left {
        let wait = backoff(FIRST_RETRY, question.sendings, LONGEST_RETRY);
        question.release_at = turn.now.steady_ms + wait;
        turn.keep(&question.request);
    }
}

/// Whether the answer to this question goes out as soon as there is a connection.
fn is_due(question: &Question, turn: &Turn<'_>) -> bool {
    let request = &question.request;
    request.state == RequestState::Sending && !request.sent() && question.release_at <= turn.now.steady_ms
}
