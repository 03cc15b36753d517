//! Questions on a call itself: multi round-trip requests (MRTR), and `pages` that older servers want visited first.
//!
//! A round goes out complete, with the call again, and at most once: when its answer is lost nobody knows whether the
//! server acted, and the person decides. What certainly never left goes again by itself.

mod pages;

use signalbox_mcp::{self as mcp, CallReply, Error, Meaning, Sent};
use signalbox_model::{
    Action, CallId, CloseReason, Delivery, EventKind, Identity, Json, Note, NoteCode, Outcome, PayloadKind,
    ROOTS, RequestState, Status,
};
use signalbox_store::{OpenRound, Write};

use super::{
    Turn,
    answer::{acknowledged, refuses, sends},
    question::{MOST_OPEN, MOST_QUESTIONS, as_asked, close},
};
use crate::{
    Effect, State,
    effect::response,
    note,
    question::{Question, Round},
    room::weight,
    state::Live,
    tries::Tries,
};

/// Rounds of one call: more of them are a server that does not come to an end.
const MOST_ROUNDS: u32 = 64;
/// Rounds in a row that ask nothing, each answered at once.
const MOST_EMPTY: u32 = 8;
/// The shortest wait before a retry goes again by itself, in ms.
const SHORTEST_WAIT: u64 = 1_000;
/// Why a call is given up whose questions cannot all be taken.
const TOO_LARGE: &str = "The server asks more in one round than Signalbox has room for, which is 16 MiB for the questions of a \
                         call, 1 MiB for its `requestState` and 128 MiB for the questions of a server. Without all answers \
                         the call cannot go on, and none was given: given up. Answer what else this server asks, then call \
                         again";
/// The longest `requestState` that is kept and goes back, in bytes.
const LONGEST_STATE: usize = 1 << 20;

impl State {
    /// The server answers with questions.
    pub(super) fn open_round(
        &mut self,
        turn: &mut Turn,
        id: CallId,
        request_state: Option<String>,
        raw: Json,
        questions: Vec<(String, Json)>,
    ) {
        self.next_round(turn, id, Asked { request_state, raw, questions, plain: false });
    }

    fn next_round(&mut self, turn: &mut Turn, id: CallId, asked: Asked) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Asked { request_state, raw, questions, plain } = asked;
        let (before, empty) = live.round.as_ref().map_or((0, 0), |round| (round.n, round.empty));
        let n = before + 1;
        let empty = if questions.is_empty() { empty + 1 } else { 0 };
        let server = live.call.server;
        // A round goes out complete: without all of its answers the call cannot go on.
        let weights = questions.iter().map(|(key, raw)| {
            let identity = Identity::Round { call: id, n, key: key.clone() };
            weight(&as_asked(server, identity, raw, turn))
        });
        // The whole answer is kept, whatever else it holds.
        let bytes = weights.sum::<usize>().max(raw.text().len());
        self.weigh(turn);
        let long = request_state.as_ref().is_some_and(|state| state.len() > LONGEST_STATE);
        let large = long || !self.room.has(server, Some(id), bytes);
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.call.status = Status::InputRequired;
        live.call.note = None;
        if large && !live.call.wants_cancel() {
            let note = Note { code: NoteCode::AsksTooMuch, message: TOO_LARGE.to_owned() };
            self.call_over(turn, id, Status::Failed, Outcome::ProtocolError, note);
            return;
        }
        let ttl_ms = live.wished_ttl_ms;
        turn.write(Write::PutRound { call: id, n, request_state: request_state.clone(), raw, ttl_ms });
        if n > 1 {
            // Their questions have what was asked. A call in many rounds must not fill the disk while nobody answers anything.
            turn.write(Write::ShortenRounds { call: id, before: n });
        }
        if live.call.wants_cancel() {
            self.give_up(turn, id);
            return;
        }
        let many = questions.len() > MOST_OPEN || live.questions.len() + questions.len() > MOST_QUESTIONS;
        let why = match () {
            () if n > MOST_ROUNDS => Some("The server asks in one round after another without an end"),
            () if empty > MOST_EMPTY => Some("The server wants the call again and again and asks nothing"),
            () if many => Some("The server asks more in one round than can be shown"),
            () => None,
        };
        if let Some(why) = why {
            let note = Note { code: NoteCode::ProtocolError, message: format!("{why}: given up") };
            self.call_over(turn, id, Status::Failed, Outcome::ProtocolError, note);
            return;
        }
        live.round = Some(Round::new(n, request_state, plain, empty));
        if plain && let Some(station) = self.servers.get_mut(&live.call.server) {
            station.paged.insert(id);
        }
        for (key, raw) in questions {
            // The round fits as a whole.
            let _ = self.open_question(turn, id, Identity::Round { call: id, n, key }, &raw);
        }
        self.save(turn, id);
        self.deliver(turn, id);
    }

    /// Makes the call again with all answers of its round, once all are decided and the server may be told.
    pub(super) fn retry(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(station) = self.servers.get_mut(&live.call.server) else { return };
        let Some(round) = &mut live.round else { return };
        if live.call.ended() || live.call.delivery != Delivery::Answered {
            return;
        }
        let (n, plain) = (round.n, round.plain);
        if live.questions.iter().any(|question| question.of_round(n) && given_up(question, plain)) {
            self.abandon(turn, id);
            return;
        }
        if round.retry_at.is_some() || !decided(n, &live.questions) {
            return;
        }
        if !station.may_be_asked(turn.now) {
            station.owing.insert(id);
            return;
        }
        let Some(arguments) = live.arguments.clone() else {
            let message = "The call cannot be made again: its arguments are not kept".to_owned();
            let note = Note { code: NoteCode::StorageDamaged, message };
            self.call_over(turn, id, Status::Failed, Outcome::ProtocolError, note);
            return;
        };
        let request_state = round.request_state.clone();
        let mut input_responses = Vec::new();
        for question in live.questions.iter_mut().filter(|question| question.of_round(n) && !plain) {
            let request = &question.request;
            if let Some(response) = response(request) {
                input_responses.push((request.identity.key().to_owned(), response));
            }
            sends(question, turn);
        }
        live.call.delivery = Delivery::Sent;
        live.call.status = Status::Working;
        live.call.note = None;
        let tool = live.call.tool.clone();
        turn.after(Effect::CallTool {
            line: station.line(),
            call: id,
            listed: station.tools.as_ref().and_then(|tools| tools.named(&tool)).map(Box::new),
            tool,
            arguments,
            ttl_ms: live.wished_ttl_ms,
            round: (!plain).then_some(mcp::Round { request_state, input_responses }),
        });
        self.save(turn, id);
    }

    /// The server answered the retry: it has what it had asked for.
    pub(super) fn round_answered(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(round) = &live.round else { return };
        for question in live.questions.iter_mut().filter(|question| question.of_round(round.n)) {
            if question.request.sent() {
                acknowledged(question, turn);
            }
            close(question, EventKind::Taken, CloseReason::TaskEnded, turn);
        }
    }

    /// Whether the call goes on although it was answered with an error, or not at all.
    pub(super) fn goes_on(&mut self, turn: &mut Turn, id: CallId, error: &Error) -> bool {
        if let Some(Meaning::UrlElicitationRequired { questions }) = error.meaning()
            && let Error::Rpc { raw, .. } = error
            && !questions.is_empty()
        {
            self.urls_wanted(turn, id, raw.clone(), questions);
            return true;
        }
        let Some(live) = self.calls.get(&id) else { return false };
        let Some(round) = &live.round else { return false };
        // Nobody is there to decide when nobody was asked.
        let asked = live.questions.iter().any(|question| question.of_round(round.n) && of_person(question));
        match error.sent() {
            Sent::No if refuses(error) && !live.call.wants_cancel() && asked => {
                let refusal = note(error).message;
                self.retry_undone(turn, id, RequestState::Refused, note(error), &refusal);
            }
            Sent::No => self.retry_kept_back(turn, id, error),
            Sent::Maybe if asked && !live.call.wants_cancel() => {
                if let Error::Garbled { raw: Some(raw), .. } = error {
                    turn.write(Write::PutPayload { call: id, kind: PayloadKind::Error, json: raw.clone() });
                }
                self.retry_lost(turn, id, note(error));
            }
            Sent::Maybe | Sent::Yes => return false,
        }
        true
    }

    /// Sent once, and nobody knows whether it arrived: the person decides.
    fn retry_lost(&mut self, turn: &mut Turn, id: CallId, why: Note) {
        let message = format!(
            "{}. The answers may have arrived: answer again to send them once more, or cancel the call",
            why.message.trim_end_matches('.')
        );
        self.retry_undone(turn, id, RequestState::Unknown, Note { message, ..why }, "");
    }

    /// Puts the questions of the round before the person again.
    fn retry_undone(&mut self, turn: &mut Turn, id: CallId, state: RequestState, why: Note, refusal: &str) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(round) = &mut live.round else { return };
        round.tries = Tries::default();
        live.call.delivery = Delivery::Answered;
        live.call.status = Status::InputRequired;
        for question in live.questions.iter_mut().filter(|question| question.of_round(round.n)) {
            if !of_person(question) {
                continue;
            }
            let request = &mut question.request;
            request.state = state;
            let kind = match (state, &mut request.answer) {
                (RequestState::Refused, Some(answer)) => {
                    answer.refusal = Some(refusal.to_owned());
                    EventKind::Refused
                }
                _ => EventKind::Unknown,
            };
            turn.keep(request);
            turn.fate(request, kind, None);
        }
        turn.event(id, EventKind::Trouble, None, Some(why.message.clone()));
        live.call.note = Some(why);
        self.save(turn, id);
    }

    /// Certainly not sent: it goes again by itself, each time later.
    pub(super) fn retry_kept_back(&mut self, turn: &mut Turn, id: CallId, error: &Error) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(round) = &mut live.round else { return };
        live.call.delivery = Delivery::Answered;
        live.call.status = Status::InputRequired;
        let n = round.n;
        for question in live.questions.iter_mut().filter(|question| question.of_round(n)) {
            if question.first
                && let Some(answer) = &mut question.request.answer
                && answer.sent_at.take().is_some()
            {
                turn.keep(&question.request);
            }
        }
        if live.call.wants_cancel() {
            self.give_up(turn, id);
            return;
        }
        let Note { code, message } = note(error);
        wait(live, turn);
        live.call.note =
            Some(Note { code, message: format!("{message}. The answers go again by themselves") });
        self.plan_release(id);
        self.save(turn, id);
    }

    /// A no without a shape: the call is given up.
    fn abandon(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(round) = &live.round else { return };
        let (n, plain) = (round.n, round.plain);
        for question in live.questions.iter_mut().filter(|question| question.of_round(n)) {
            if given_up(question, plain) {
                close(question, EventKind::Closed, CloseReason::DeclinedByUs, turn);
            }
        }
        self.give_up(turn, id);
    }

    /// Where a call stood at the end of the last run.
    pub(super) fn take_round(&mut self, open: OpenRound) {
        let Some(live) = self.calls.get_mut(&open.call) else { return };
        let signalbox_store::Round { n, request_state, raw } = open.round;
        let plain = !CallReply::is_round(&raw);
        live.arguments = open.arguments;
        live.wished_ttl_ms = open.ttl_ms;
        live.round = Some(Round::new(n, request_state, plain, 0));
        if plain && let Some(station) = self.servers.get_mut(&live.call.server) {
            station.paged.insert(open.call);
        }
    }

    /// What was decided before the end of the last run goes out; whether what was under way arrived is not known.
    pub(super) fn resume_round(&mut self, turn: &mut Turn, id: CallId) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        let Some(round) = &mut live.round else { return };
        let of_round = |question: &&Question| question.of_round(round.n);
        let asked = live.questions.iter().filter(of_round).any(of_person);
        if live.call.delivery == Delivery::Answered {
            if decided(round.n, &live.questions) {
                round.retry_at = Some(turn.now.steady_ms);
            }
            self.rearm(turn, id);
            return;
        }
        let message = "Signalbox ended before the answer came: the server may have acted on the call";
        let note = Note { code: NoteCode::Lost, message: message.to_owned() };
        if asked && !live.call.wants_cancel() {
            self.retry_lost(turn, id, note);
        } else {
            self.call_over(turn, id, Status::Unknown, Outcome::Unknown, note);
        }
    }
}

/// What the server answered a call with.
struct Asked {
    request_state: Option<String>,
    raw: Json,
    questions: Vec<(String, Json)>,
    plain: bool,
}

/// Whether all of a round is answered and out of its undo windows.
pub(super) fn decided(n: u32, questions: &[Question]) -> bool {
    questions.iter().filter(|question| question.of_round(n)).all(|q| q.request.state == RequestState::Sending)
}

fn of_person(question: &Question) -> bool {
    question.request.method != ROOTS
}

/// Whether the answer is a no, and there is no way to say so but to give the call up.
fn given_up(question: &Question, plain: bool) -> bool {
    let agreed = question.request.answer.as_ref().is_some_and(|answer| answer.action == Action::Accept);
    question.declined() || plain && question.request.state == RequestState::Sending && !agreed
}

/// The retry goes again, each time later.
fn wait(live: &mut Live, turn: &Turn) {
    let Some(round) = &mut live.round else { return };
    round.tries.failed(turn.now, turn.seed, live.call.id.0);
    round.retry_at = Some(round.tries.not_before().max(turn.now.steady_ms + SHORTEST_WAIT));
}
