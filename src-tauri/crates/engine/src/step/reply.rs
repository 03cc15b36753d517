//! How answers go out on the legacy wire: each a reply to a request, sent at most once.

use signalbox_mcp::{Error, Replied, Reply, Sent};
use signalbox_model::{CloseReason, EventKind, InputRequest, RequestId, RequestState, ServerId};
use signalbox_store::BatchKind;

use super::{
    Turn,
    answer::{acknowledged, sends},
    hosted::{ends_with_its_task, stop_waiting},
    lapse::release,
    question::close,
    session::orphaned,
    wire::REVIEW,
};
use crate::{
    Effect, State,
    effect::response,
    note,
    question::{Question, Tie},
    schedule::{Due, backoff},
    state::{Gate, Live, Station},
    tries::entered,
};

/// The first wait before a reply that never left is tried again, in ms.
const FIRST_RETRY: u64 = 1_000;
/// The longest, in ms.
const LONGEST_RETRY: u64 = 60_000;
/// What says no to a request that has no other shape for it.
const DECLINED: i64 = -1;

impl State {
    /// Sets the time at which the next answer of this connection may go, a task that we host is over, or guesses are gone
    /// over.
    pub(super) fn plan_replies(&mut self, turn: &Turn, server: ServerId) {
        let Some(station) = self.servers.get_mut(&server) else { return };
        let session = &mut station.session;
        let guesses = !station.calls.is_empty() && session.questions.iter().any(Question::is_loose);
        session.review_at =
            guesses.then(|| session.review_at.unwrap_or(turn.now.steady_ms.saturating_add(REVIEW)));
        let goes = |question: &Question| match question.request.state {
            RequestState::Held => Some(question.release_at),
            // One that never left.
            RequestState::Sending if question.release_at > turn.now.steady_ms => Some(question.release_at),
            _ => None,
        };
        let ends = |question: &Question| question.dies_at.filter(|_| ends_with_its_task(question));
        let times = session.questions.iter().flat_map(|q| goes(q).into_iter().chain(ends(q)));
        match times.chain(session.review_at).min() {
            Some(at) => self.schedule.set(Due::Reply(server), at),
            None => self.schedule.clear(Due::Reply(server)),
        }
    }

    /// Undo windows on this connection are over, or waits before a further try, or tasks that we host; or guesses are to
    /// be gone over.
    pub(super) fn release_replies(&mut self, turn: &mut Turn, server: ServerId) {
        self.end_hosted(turn, server);
        let Some(Station { session, .. }) = self.servers.get_mut(&server) else { return };
        if session.review_at.take_if(|at| *at <= turn.now.steady_ms).is_some() {
            self.review_guesses(turn, server);
        }
        let Some(station) = self.servers.get_mut(&server) else { return };
        let questions = station.session.questions.iter_mut();
        let lapsed: Vec<_> = questions
            .filter_map(|question| release(question, turn).then_some(question.request.call))
            .collect();
        for call in lapsed.into_iter().flatten() {
            self.recount(turn, call);
        }
        self.plan_replies(turn, server);
        self.deliver_on_wire(turn, server);
    }

    /// Sends the answers of this connection that may go: each once. The answer of a task that we host goes when the server
    /// fetches it.
    pub(super) fn deliver_on_wire(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        let Some(link) = station.session.link else { return self.connect_to_reply(turn, id) };
        let session = &mut station.session;
        let mut replies = Vec::new();
        for question in &mut session.questions {
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
                replies.push(Effect::ReplyOnWire { server: id, link, rpc, reply: reply.clone(), request });
            }
        }
        for reply in replies {
            turn.after(reply);
        }
    }

    /// An answer waits for a connection, and there may be no task whose looks make one.
    fn connect_to_reply(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        let is_looked_at = |live: &Live| live.followed && live.call.task.is_some();
        let looked_at = station.calls.iter().filter_map(|call| self.calls.get(call)).any(is_looked_at);
        let free =
            station.gate == Gate::Open && !station.probing && station.quiet_until <= turn.now.steady_ms;
        if free && !looked_at && station.session.questions.iter().any(|question| is_due(question, turn)) {
            if turn.out.kind == BatchKind::Intent {
                // Not in this step, which may be a wish that cannot be kept.
                self.schedule.set(Due::Quiet(id), turn.now.steady_ms);
                return;
            }
            station.probing = true;
            turn.after(Effect::Discover { line: station.line() });
        }
    }

    /// No connection came of that, and nobody else makes one: it is tried again.
    pub(super) fn connect_later_to_reply(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(station) = self.servers.get_mut(&id) else { return };
        if station.gate != Gate::Open || station.session.link.is_some() {
            return;
        }
        for question in station.session.questions.iter_mut().filter(|question| is_due(question, turn)) {
            question.release_at = turn.now.steady_ms + FIRST_RETRY;
        }
        self.plan_replies(turn, id);
    }

    /// A reply that no person decided, or that fetches what one did.
    pub(super) fn reply_on_wire(
        &mut self,
        turn: &mut Turn,
        id: ServerId,
        rpc: String,
        reply: Reply,
        request: Option<RequestId>,
    ) {
        let link = self.servers.get(&id).and_then(|station| station.session.link);
        if let Some(link) = link {
            if let Some((_, question)) = request.and_then(|request| self.on_wire(request)) {
                question.replies += 1;
            }
            turn.after(Effect::ReplyOnWire { server: id, link, rpc, reply, request });
        }
    }

    pub(super) fn replied(
        &mut self,
        turn: &mut Turn,
        server: ServerId,
        id: RequestId,
        reply: Result<Replied, Error>,
    ) {
        let Some((_, question)) = self.on_wire(id) else { return };
        question.replies = question.replies.saturating_sub(1);
        let hosted = question.request.hosted.is_some();
        let delivered = matches!(reply, Ok(Replied::Delivered));
        match question.request.state {
            RequestState::Sending => {}
            // Several requests for one answer may wait: what became of the others does not matter once one has it.
            RequestState::Unknown if delivered && hosted => {}
            _ => return,
        }
        let call = question.request.call;
        let refused = response(&question.request).is_none();
        // One of the others never left, and would go again if nobody had the answer yet.
        let owed =
            (delivered && question.release_at > turn.now.steady_ms).then(|| reply_of(&question.request));
        if delivered && let Some(answer) = &mut question.request.answer {
            answer.sent_at = answer.sent_at.or(Some(turn.now.wall));
        }
        match &reply {
            Ok(Replied::Delivered) if refused => {
                if let Some(answer) = &mut question.request.answer {
                    answer.acknowledged_at = Some(turn.now.wall);
                }
                close(question, EventKind::Closed, CloseReason::DeclinedByUs, turn);
            }
            Ok(Replied::Delivered) => {
                acknowledged(question, turn);
                if question.went_on {
                    close(question, EventKind::Taken, CloseReason::TaskEnded, turn);
                }
            }
            // This request for it was given up, and nothing was sent: the next one gets it.
            Ok(Replied::NotOpen) if hosted => {
                unsent(question);
                turn.keep(&question.request);
                if question.is_in_doubt() {
                    doubted(question, None, turn);
                }
            }
            // Nobody waits for it any more, and nothing was sent.
            Ok(Replied::NotOpen) => {
                if question.sendings <= 1 {
                    unsent(question);
                }
                close(question, EventKind::Closed, CloseReason::AnsweredElsewhere, turn);
            }
            Err(error) if error.sent() == Sent::No => {
                unsent(question);
                let gone = error.session_is_over()
                    || matches!(error, Error::Exited { .. } | Error::Closed)
                    || question.request.closed_at.is_some();
                if question.is_in_doubt() {
                    doubted(question, Some(note(error).message), turn);
                } else if gone && !question.request.sent() {
                    orphaned(question, turn);
                } else {
                    let wait = backoff(FIRST_RETRY, question.sendings, LONGEST_RETRY);
                    question.release_at = turn.now.steady_ms + wait;
                    turn.keep(&question.request);
                }
            }
            // One of several fetches was refused: another is under way, and may bring it.
            Err(Error::Rpc { .. }) if question.replies > 0 => {}
            // It went out before: the first may have arrived, or may yet.
            Err(error @ Error::Rpc { .. }) if question.sendings > 1 => {
                doubted(question, Some(note(error).message), turn);
            }
            Err(error @ Error::Rpc { .. }) => {
                let message = note(error).message;
                let request = &mut question.request;
                request.state = RequestState::Refused;
                if let Some(answer) = &mut request.answer {
                    answer.refusal = Some(message.clone());
                }
                turn.keep(request);
                turn.fate(request, EventKind::Refused, Some(message));
            }
            // That it arrived was not told, but the task came to a result: it got what it asked for.
            Err(_) if question.went_on && question.tie == Tie::Certain => {
                close(question, EventKind::Taken, CloseReason::TaskEnded, turn);
            }
            // A reply is sent at most once: what became of it the person must find out.
            Err(error) => doubted(question, Some(note(error).message), turn),
        }
        let goes_again = reply.is_err() && question.request.state == RequestState::Sending;
        if owed.is_some() || !goes_again {
            let waiting = stop_waiting(question, turn);
            // To those that have it nothing is sent.
            if let Some(reply) = owed.filter(|_| hosted) {
                self.end_waiting(turn, server, waiting, reply);
            }
        }
        self.prune(turn, server);
        if let Some(call) = call {
            if self.calls.get(&call).is_none_or(|live| live.call.ended()) {
                // It ended before this was told.
                self.let_guesses_go(turn, call, server);
            }
            self.recount(turn, call);
            // What it asks next it asks on a request for its result, which may have made room for others.
            self.want_result(turn, call);
        }
        self.plan_replies(turn, server);
    }

    /// Tells the server of requests that nobody will answer: it may hold them, and us, for ever.
    pub(super) fn wave_off(&mut self, turn: &mut Turn, id: ServerId, requests: Vec<String>) {
        for rpc in requests {
            let message = "Nobody answers this any more".to_owned();
            self.reply_on_wire(turn, id, rpc, Reply::Error { code: DECLINED, message }, None);
        }
    }
}

/// What was under way certainly never left. Nothing of the answer has where that was all of it.
fn unsent(question: &mut Question) {
    if question.first
        && question.replies == 0
        && let Some(answer) = &mut question.request.answer
    {
        answer.sent_at = None;
    }
}

/// It was sent, and nobody knows whether it arrived. A server may fetch the answer of a task that we host again and again, and
/// lose each: of these as many are told as of its sendings ([`entered`]).
fn doubted(question: &mut Question, why: Option<String>, turn: &mut Turn) {
    let request = &mut question.request;
    request.state = RequestState::Unknown;
    turn.keep(request);
    if entered(question.sendings.saturating_sub(1)) {
        turn.fate(request, EventKind::Unknown, why);
    }
}

impl Question {
    /// Whether nothing of its answer is under way, and an earlier sending may have arrived.
    fn is_in_doubt(&self) -> bool {
        self.replies == 0 && self.request.sent()
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
fn is_due(question: &Question, turn: &Turn) -> bool {
    let request = &question.request;
    request.state == RequestState::Sending && !request.sent() && question.release_at <= turn.now.steady_ms
}
