//! Questions on a call itself: multi round-trip requests (MRTR), and pages that older servers want visited first.
//!
//! A round goes out complete, with the call again, and at most once: when its answer is lost nobody knows whether the
//! server acted, and the person decides. What certainly never left goes again by itself.
//!
//! When a round gets no answer its questions are `unknown`, and only the person's answering again sends it once more.
//! Three things go again by themselves: a round that certainly never left; a call that was refused for its headers
//! (-32020), once, in `driver/calls`; and a call that was refused before pages were visited (-32042), in `pages`. The
//! last two were refused before anything was done.

use std::collections::HashSet;

use signalbox_mcp::{self as mcp, CallReply, Error, Meaning, Sent, Tool};
use signalbox_model::{
    Action, CloseReason, Delivery, EventKind, Identity, InputRequest, Json, Mode, Note, Outcome, PayloadKind,
    ROOTS, Reason, RequestState, Status, Then,
};
use signalbox_store::{OpenRound, Write};

use super::{
    super::{
        Next, Turn,
        question::{Fact, Fate, OfCall, Question, as_asked, close, sends},
        tries::{Tries, refuses},
    },
    CallAgain, Live, MOST_OPEN, MOST_QUESTIONS,
};
use crate::{Effect, Line, effect::response, note, room::weight};

/// Rounds of one call: more of them are a server that does not come to an end.
const MOST_ROUNDS: u32 = 64;
/// Rounds in a row that ask nothing, each answered at once.
const MOST_EMPTY: u32 = 8;
/// The shortest wait before a retry goes again by itself, in ms.
const SHORTEST_WAIT: u64 = 1_000;
/// The longest `requestState` that is kept and goes back, in bytes.
const LONGEST_STATE: usize = 1 << 20;

/// A round of questions on a call itself. While the call is [`signalbox_model::Delivery::Sent`] its retry is under way.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    /// The number of the round; a call's first is 1.
    pub(crate) n: u32,
    /// The `requestState`, which goes back byte for byte: sensitive. None where the server sent none.
    pub(crate) request_state: Option<String>,
    /// The server refused the call before URLs are visited (-32042): it is made again as it was, without responses.
    pub(crate) plain: bool,
    /// How many rounds in a row asked nothing.
    pub(crate) empty: u32,
    /// What became of its retry on the way to the server.
    pub(crate) tries: Tries,
    /// Until when the retry waits (steady ms), although all is decided.
    pub(crate) retry_at: Option<u64>,
    /// The pages of which the server has said that they are done: each brings the retry forward once.
    pub(crate) done: HashSet<String>,
    /// Whether the server said so of a page while the retry was under way.
    pub(crate) hurried: bool,
}

impl Round {
    /// A round in which the server has asked, and nothing is decided yet.
    pub(crate) fn new(n: u32, request_state: Option<String>, plain: bool, empty: u32) -> Self {
        let (tries, done) = (Tries::default(), HashSet::new());
        Self { n, request_state, plain, empty, tries, retry_at: None, done, hurried: false }
    }
}

impl Live {
    /// Whether an answer of a round is kept until a person has decided the rest of that, or is done on a page that the call was
    /// refused for.
    pub(in crate::step) fn waits_for_a_person(&self, request: &InputRequest) -> bool {
        let Identity::Round { n, .. } = request.identity else { return false };
        let paged =
            request.mode == Mode::Url && self.call.delivery == Delivery::Answered && self.call.note.is_none();
        let is_undecided = |of: &InputRequest| of.needs_person() || of.state == RequestState::Held;
        paged || self.questions.iter().any(|question| question.of_round(n) && is_undecided(&question.request))
    }

    /// The server answers with questions.
    pub(super) fn open_round(
        &mut self,
        turn: &mut Turn<'_>,
        request_state: Option<String>,
        raw: Json,
        questions: Vec<(String, Json)>,
    ) {
        self.next_round(turn, Asked { request_state, raw, questions, plain: false });
    }

    pub(super) fn next_round(&mut self, turn: &mut Turn<'_>, asked: Asked) {
        let id = self.id();
        let Asked { request_state, raw, questions, plain } = asked;
        let (before, empty) = self.round().map_or((0, 0), |round| (round.n, round.empty));
        let n = before + 1;
        let empty = if questions.is_empty() { empty + 1 } else { 0 };
        self.call.status = Status::InputRequired;
        self.call.note = None;
        let wants_cancel = self.call.wants_cancel();
        if !wants_cancel && !self.has_room_for(turn, n, &request_state, &raw, &questions) {
            return self.over(turn, Status::Failed, Outcome::ProtocolError, Reason::RoundTooLarge.into());
        }
        let again = self.again.get_or_insert_default();
        let ttl_ms = again.ttl_ms;
        turn.write(Write::PutRound { call: id, n, request_state: request_state.clone(), raw, ttl_ms });
        if n > 1 {
            // Their questions have what was asked. A call in many rounds must not fill the disk while nobody answers anything.
            turn.write(Write::ShortenRounds { call: id, before: n });
        }
        if wants_cancel {
            return self.give_up(turn);
        }
        let many = questions.len() > MOST_OPEN || self.questions.len() + questions.len() > MOST_QUESTIONS;
        let why = match () {
            () if n > MOST_ROUNDS => Some(Reason::RoundsWithoutEnd),
            () if empty > MOST_EMPTY => Some(Reason::RoundsAskNothing),
            () if many => Some(Reason::RoundTooMany),
            () => None,
        };
        if let Some(why) = why {
            return self.over(turn, Status::Failed, Outcome::ProtocolError, why.into());
        }
        again.round = Some(Round::new(n, request_state, plain, empty));
        if plain {
            turn.then(Next::Paged(id));
        }
        for (key, raw) in questions {
            // The round fits as a whole.
            let _ = self.open_question(turn, Identity::Round { call: id, n, key }, &raw);
        }
        turn.then(Next::Save(id));
        turn.then(Next::Deliver(id));
    }

    /// Whether there is room for all of a round. A round goes out complete: without all of its answers the
    /// call cannot go on.
    fn has_room_for(
        &self,
        turn: &Turn<'_>,
        n: u32,
        request_state: &Option<String>,
        raw: &Json,
        questions: &[(String, Json)],
    ) -> bool {
        let (id, server) = (self.id(), self.server());
        let weights = questions.iter().map(|(key, raw)| {
            let identity = Identity::Round { call: id, n, key: key.clone() };
            weight(&as_asked(server, identity, raw, turn))
        });
        // The whole answer is kept, whatever else it holds.
        let bytes = weights.sum::<usize>().max(raw.text().len());
        let long = request_state.as_ref().is_some_and(|state| state.len() > LONGEST_STATE);
        !long && turn.room.has(server, Some(id), bytes)
    }

    /// Whether the call is to be made again with all answers of its round: all are decided, and nothing is waited for.
    pub(super) fn goes_again(&mut self, turn: &mut Turn<'_>) -> bool {
        let Some(round) = self.round() else { return false };
        let (n, plain, waits) = (round.n, round.plain, round.retry_at.is_some());
        if self.call.ended() || self.call.delivery != Delivery::Answered {
            return false;
        }
        if self.of_round(n).any(|question| given_up(question, plain)) {
            self.abandon(turn, n, plain);
            return false;
        }
        if waits || !decided(n, &self.questions) {
            return false;
        }
        if self.again.as_ref().is_none_or(|again| again.arguments.is_none()) {
            self.over(turn, Status::Failed, Outcome::ProtocolError, Reason::ArgumentsMissing.into());
            return false;
        }
        true
    }

    /// Makes the call again.
    pub(in crate::step) fn call_again(&mut self, turn: &mut Turn<'_>, line: Line, listed: Option<Tool>) {
        let Some(CallAgain { arguments: Some(arguments), ttl_ms, round: Some(round) }) =
            self.again.as_deref()
        else {
            return;
        };
        let (arguments, ttl_ms, n, plain) = (arguments.clone(), *ttl_ms, round.n, round.plain);
        let request_state = round.request_state.clone();
        let mut input_responses = Vec::new();
        for question in self.questions.iter_mut().filter(|question| question.of_round(n) && !plain) {
            let request = &question.request;
            if let Some(response) = response(request) {
                input_responses.push((request.identity.key().to_owned(), response));
            }
            sends(question, turn);
        }
        self.call.delivery = Delivery::Sent;
        self.call.status = Status::Working;
        self.call.note = None;
        turn.after(Effect::CallTool {
            line,
            call: self.id(),
            listed: listed.map(Box::new),
            tool: self.call.tool.clone(),
            arguments,
            ttl_ms,
            round: (!plain).then_some(mcp::RoundAnswers { request_state, input_responses }),
        });
        turn.then(Next::Save(self.id()));
    }

    fn of_round(&self, n: u32) -> impl Iterator<Item = &Question> {
        self.questions.iter().filter(move |question| question.of_round(n))
    }

    /// The same fact happened to all answers of the round.
    fn round_meets(
        &mut self,
        turn: &mut Turn<'_>,
        fact: Fact,
        refusal: Option<&Note>,
        of: fn(&Question) -> bool,
    ) {
        let Some(n) = self.round().map(|round| round.n) else { return };
        for question in self.questions.iter_mut().filter(|question| question.of_round(n) && of(question)) {
            let said = Fate { refusal: refusal.cloned(), why: None };
            question.meets(turn, fact, (false, OfCall::GoesOn), said);
        }
    }

    /// The server answered the retry, so it has the answers that it had asked for.
    pub(super) fn round_answered(&mut self, turn: &mut Turn<'_>) {
        self.round_meets(turn, Fact::Acknowledged, None, |_| true);
    }

    /// Whether the call goes on although it was answered with an error, or not at all.
    pub(super) fn goes_on(&mut self, turn: &mut Turn<'_>, error: &Error) -> bool {
        if let Some(Meaning::UrlElicitationRequired { questions }) = error.meaning()
            && let Error::Rpc { raw, .. } = error
            && !questions.is_empty()
        {
            self.urls_wanted(turn, raw.clone(), questions);
            return true;
        }
        let Some(n) = self.round().map(|round| round.n) else { return false };
        // Nobody is there to decide when nobody was asked.
        let decides = self.of_round(n).any(of_person) && !self.call.wants_cancel();
        match error.sent() {
            Sent::No if refuses(error) && decides => {
                let why = note(error);
                let refusal = why.clone();
                self.retry_undone(turn, Fact::Refused, why, Some(&refusal));
            }
            Sent::No => self.retry_kept_back(turn, error),
            Sent::Maybe if decides => {
                if let Error::Garbled { raw: Some(raw), .. } = error {
                    let (call, json) = (self.id(), raw.clone());
                    turn.write(Write::PutPayload { call, kind: PayloadKind::Error, json });
                }
                self.retry_lost(turn, note(error));
            }
            Sent::Maybe | Sent::Yes => return false,
        }
        true
    }

    /// The round was sent once, and nobody knows whether it arrived: the person decides.
    fn retry_lost(&mut self, turn: &mut Turn<'_>, why: Note) {
        self.retry_undone(turn, Fact::Lost, why.then(Then::AnswersMayHaveArrived), None);
    }

    /// Puts the questions of the round before the person again.
    pub(super) fn retry_undone(
        &mut self,
        turn: &mut Turn<'_>,
        fact: Fact,
        why: Note,
        refusal: Option<&Note>,
    ) {
        let Some(round) = self.round_mut() else { return };
        round.tries = Tries::default();
        self.call.delivery = Delivery::Answered;
        self.call.status = Status::InputRequired;
        self.round_meets(turn, fact, refusal, of_person);
        self.in_trouble(turn, why);
    }

    /// The round was certainly not sent: it goes again by itself, and waits longer each time.
    pub(super) fn retry_kept_back(&mut self, turn: &mut Turn<'_>, error: &Error) {
        self.call.delivery = Delivery::Answered;
        self.call.status = Status::InputRequired;
        self.round_meets(turn, Fact::NeverLeft, None, |_| true);
        if self.call.wants_cancel() {
            return self.give_up(turn);
        }
        self.wait(turn);
        self.call.note = Some(note(error).then(Then::AnswersGoAgain));
        self.plan_release(turn);
        turn.then(Next::Save(self.id()));
    }

    /// The retry goes again, each time later.
    pub(super) fn wait(&mut self, turn: &Turn<'_>) {
        let id = self.id();
        let Some(round) = self.round_mut() else { return };
        round.tries.failed(turn.now, turn.seed, id.0);
        round.retry_at = Some(round.tries.not_before().max(turn.now.steady_ms + SHORTEST_WAIT));
    }

    /// A no for which the wire has no shape: the call is given up.
    fn abandon(&mut self, turn: &mut Turn<'_>, n: u32, plain: bool) {
        for question in self.questions.iter_mut().filter(|question| question.of_round(n)) {
            if given_up(question, plain) {
                close(question, EventKind::Closed, CloseReason::DeclinedByUs, turn);
            }
        }
        self.give_up(turn);
    }

    /// Where a call stood at the end of the last run.
    pub(in crate::step) fn take_round(&mut self, turn: &mut Turn<'_>, open: OpenRound) {
        let signalbox_store::Round { n, request_state, raw } = open.round;
        let plain = !CallReply::is_round(&raw);
        let round = Some(Round::new(n, request_state, plain, 0));
        self.again = Some(Box::new(CallAgain { arguments: open.arguments, ttl_ms: open.ttl_ms, round }));
        if plain {
            turn.then(Next::Paged(self.id()));
        }
    }

    /// After a restart: what was decided before the end of the last run goes out. Whether what was under way
    /// then has arrived is not known.
    pub(in crate::step) fn resume_round(&mut self, turn: &mut Turn<'_>) {
        let Some(n) = self.round().map(|round| round.n) else { return };
        let asked = self.of_round(n).any(of_person);
        if self.call.delivery == Delivery::Answered {
            let (goes, now) = (decided(n, &self.questions), turn.now.steady_ms);
            if goes && let Some(round) = self.round_mut() {
                round.retry_at = Some(now);
            }
            return turn.then(Next::Rearm(self.id()));
        }
        if asked && !self.call.wants_cancel() {
            self.retry_lost(turn, Reason::EndedBeforeAnswer.into());
        } else {
            self.lost_at_the_end(turn);
        }
    }

    /// The last run ended before the answer to the call came.
    pub(in crate::step) fn lost_at_the_end(&mut self, turn: &mut Turn<'_>) {
        self.over(turn, Status::Unknown, Outcome::Unknown, Reason::EndedBeforeAnswer.into());
    }
}

/// What the server answered a call with.
pub(super) struct Asked {
    pub(super) request_state: Option<String>,
    pub(super) raw: Json,
    pub(super) questions: Vec<(String, Json)>,
    pub(super) plain: bool,
}

/// Whether all of a round is answered and out of its undo windows.
pub(crate) fn decided(n: u32, questions: &[Question]) -> bool {
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
