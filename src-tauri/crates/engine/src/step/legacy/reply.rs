//! How answers go out on the legacy wire: each a reply to a request, sent at most once. What becomes of each is the table's to
//! say (`question::delivery`).
//!
//! When nobody can tell whether a reply arrived, its question is `unknown`. When the connection is gone before the
//! reply left, the question is `orphaned` and what was typed is kept; the question comes back when the server asks
//! again.

use signalbox_mcp::{Error, Replied, Reply, Sent};
use signalbox_model::{CallId, InputRequest, RequestId, RequestState};

use super::{
    super::{
        Next, Turn,
        question::{Becomes, Fact, Fate, OfCall, Question, Tie, release, sends},
    },
    Session,
    hosted::{ends_with_its_task, stop_waiting},
    whose::REVIEW,
};
use crate::{
    Effect,
    effect::response,
    note,
    schedule::{Due, backoff},
};

/// The first wait before a reply that never left is tried again, in ms.
const FIRST_RETRY: u64 = 1_000;
/// The longest, in ms.
const LONGEST_RETRY: u64 = 60_000;
/// What says no to a request that has no other shape for it.
const DECLINED: i64 = -1;

impl Session {
    /// Sets the time at which the next answer of this connection may go, a task that we host is over, or guesses are gone
    /// over, which takes calls.
    pub(in crate::step) fn plan_replies(&mut self, turn: &mut Turn<'_>, has_calls: bool) {
        let guesses = has_calls && self.questions.iter().any(Question::is_loose);
        self.review_at = guesses.then(|| self.review_at.unwrap_or(turn.now.steady_ms.saturating_add(REVIEW)));
        let goes = |question: &Question| match question.request.state {
            RequestState::Held => Some(question.release_at),
            // One that never left.
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

    /// Undo windows on this connection are over, or waits before a further try, or tasks that we host; or guesses are to
    /// be gone over.
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
                // They stay until it is known what became of the reply.
                Some(hosted) => hosted.waiting.clone(),
                None => question.rpc.clone().into_iter().collect(),
            };
            if rpcs.is_empty() {
                continue;
            }
            let reply = reply_of(request);
            sends(question, turn);
            question.replies += u32::try_from(rpcs.len()).unwrap_or(u32::MAX);
            // Any of them may be the one that is still waited for.
            let request = Some(question.request.id);
            for rpc in rpcs {
                replies.push(Effect::ReplyOnWire { server, link, rpc, reply: reply.clone(), request });
            }
        }
        for reply in replies {
            turn.after(reply);
        }
    }

    /// No connection came of that, and nobody else makes one: it is tried again.
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

    /// A reply that no person decided, or that fetches what one did.
    pub(in crate::step) fn reply(
        &mut self,
        turn: &mut Turn<'_>,
        rpc: String,
        reply: Reply,
        request: Option<RequestId>,
    ) {
        if let Some(link) = self.link {
            if let Some(question) = request.and_then(|request| self.question(request)) {
                question.replies += 1;
            }
            turn.after(Effect::ReplyOnWire { server: self.server, link, rpc, reply, request });
        }
    }

    /// What became of a reply. Comes back with the call of its question, where that has changed.
    pub(in crate::step) fn replied(
        &mut self,
        turn: &mut Turn<'_>,
        id: RequestId,
        reply: &Result<Replied, Error>,
    ) -> Option<CallId> {
        let question = self.question(id)?;
        question.replies = question.replies.saturating_sub(1);
        let hosted = question.request.hosted.is_some();
        let delivered = matches!(reply, Ok(Replied::Delivered));
        // Several requests for one answer may wait: what became of the others does not matter once one has it.
        if question.request.state != RequestState::Sending {
            return None;
        }
        // One of the others never left, and would go again if nobody had the answer yet.
        let owed =
            (delivered && question.release_at > turn.now.steady_ms).then(|| reply_of(&question.request));
        meets_reply(question, turn, reply);
        let call = question.request.call;
        let goes_again = reply.is_err() && question.request.state == RequestState::Sending;
        if owed.is_some() || !goes_again {
            let waiting = stop_waiting(question, turn);
            // To those that have it nothing is sent.
            if let Some(reply) = owed.filter(|_| hosted) {
                self.end_waiting(turn, waiting, &reply);
            }
        }
        turn.then(Next::Prune(self.server));
        turn.then(Next::Replies(self.server));
        call
    }

    /// Tells the server of requests that nobody will answer: it may hold them, and us, for ever.
    pub(in crate::step) fn wave_off(&mut self, turn: &mut Turn<'_>, requests: Vec<String>) {
        for rpc in requests {
            let message = "Nobody answers this any more".to_owned();
            self.reply(turn, rpc, Reply::Error { code: DECLINED, message }, None);
        }
    }
}

/// Says which fact happened to an answer, by what became of its reply.
fn meets_reply(question: &mut Question, turn: &mut Turn<'_>, reply: &Result<Replied, Error>) {
    let pending = question.replies > 0;
    let (fact, said) = match reply {
        Ok(Replied::Delivered) => (Fact::Acknowledged, Fate::default()),
        Ok(Replied::NotOpen) => (Fact::NotWanted, Fate::default()),
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
    // That it went on was told of the task; of an answer that may belong to another it tells nothing.
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

/// The reply that an answer is. Declining has no shape of its own for a question that is no elicitation.
pub(super) fn reply_of(request: &InputRequest) -> Reply {
    match response(request) {
        Some(result) => Reply::Result(result),
        None => Reply::Error { code: DECLINED, message: "The person declined".to_owned() },
    }
}

/// Whether its answer goes out as soon as there is a connection.
fn is_due(question: &Question, turn: &Turn<'_>) -> bool {
    let request = &question.request;
    request.state == RequestState::Sending && !request.sent() && question.release_at <= turn.now.steady_ms
}
