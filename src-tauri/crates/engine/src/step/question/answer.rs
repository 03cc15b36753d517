//! What a person says to a question, from the decision to the moment when it goes to the wire.
//!
//! An answer of which certainly nothing has left can be taken back: within its undo window, while it is kept for the
//! rest of its round, or while it waits for its server. The server never sees it, and what was said becomes the draft.
//! The question stands as before (`InputRequest::earlier`): open, or again in doubt about the answer before.

use signalbox_model::{
    Action, Answer, Around, Attention, DecisionKind, Earlier, EventKind, InputRequest, Json, RequestState,
    Timestamp, Unsent, Ways, Word,
};
use signalbox_store::Digest;

use super::{
    super::{Turn, tries::entered},
    Question, SentBefore, content_of, take_off,
    wording::still_asks,
};
use crate::{Refusal, effect::response};

/// An undo window ends at least this long, in ms, before the answer is of no use any more.
const LAST_MOMENT: u64 = 3_000;

/// What a person said to a question.
pub(in crate::step) struct Said {
    pub(in crate::step) action: Action,
    pub(in crate::step) content: Option<Json>,
    pub(in crate::step) hold_ms: u32,
    /// When the last answer was decided that the person knew of; none where they knew of none.
    pub(in crate::step) seen: Option<Timestamp>,
    /// What the person noted beside it.
    pub(in crate::step) remark: Option<String>,
    /// What the question asked as the person saw it; none where nobody looked.
    pub(in crate::step) asks: Option<Digest>,
}

impl Said {
    /// The same with the content that goes out. An error where the question does not take such an answer.
    pub(in crate::step) fn of(self, question: &Question, around: Around) -> Result<Self, Refusal> {
        let request = &question.request;
        still_asks(question, self.asks)?;
        if request.decided_at() != self.seen {
            return Err(Refusal::AnsweredMeanwhile);
        }
        let content = content_of(request, around, self.action, self.content)?;
        Ok(Self { content, ..self })
    }
}

/// Shortens an undo window so that it ends while the answer is still of use. `left` is how long that is, in
/// ms; none without a limit.
pub(in crate::step) fn within(hold_ms: u32, left: Option<u64>) -> u32 {
    let most = left.map(|left| left.saturating_sub(LAST_MOMENT));
    most.map_or(hold_ms, |most| hold_ms.min(u32::try_from(most).unwrap_or(u32::MAX)))
}

/// Keeps what a person decided: it goes when the undo window is over. A page that was opened cannot be unopened: its accept
/// has no such window; so `hold_ms` may be another than was wished.
pub(in crate::step) fn decide(
    question: &mut Question,
    turn: &mut Turn<'_>,
    Said { action, content, remark, .. }: Said,
    hold_ms: u32,
) {
    question.still_asked = 0;
    question.sendings = 0;
    if question.sent_before == SentBefore::PerhapsAsTold {
        question.sent_before = SentBefore::Perhaps;
    }
    let request = &mut question.request;
    let hold_ms = if request.may_be_held(action) { hold_ms } else { 0 };
    question.release_at = turn.now.steady_ms + u64::from(hold_ms);
    request.reason = None;
    // Whoever answers it puts it off no more.
    (request.snoozed, request.wants) = (None, Attention::NeedsYou);
    let state = request.state;
    let failed = matches!(state, RequestState::NotTaken | RequestState::Refused | RequestState::Unknown);
    request.earlier =
        request.answer.take().filter(|_| failed).map(|answer| Box::new(Earlier { state, answer }));
    let send_at = turn.now.plus_ms(hold_ms.into()).wall;
    request.answer = Some(Answer { content, send_at, remark, ..Answer::new(action, turn.now.wall) });
    request.state = if hold_ms == 0 { RequestState::Sending } else { RequestState::Held };
    turn.keep(request);
    turn.fate(request, EventKind::Answered, action.word());
}

/// Refuses to take back an answer that has gone out, or another answer than the one that was decided at that
/// time.
pub(in crate::step) fn can_be_taken_back(
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
pub(in crate::step) fn take_back(question: &mut Question, turn: &mut Turn<'_>) {
    // The person may have been told that sending failed: the entry says that nothing left.
    let tried = question.request.state == RequestState::Sending;
    turn.fate(&question.request, EventKind::Undone, tried.then_some(Unsent::NothingLeft));
    take_off(&mut question.request);
    turn.keep(&question.request);
}

/// Records that an answer goes to the wire now.
pub(in crate::step) fn sends(question: &mut Question, turn: &mut Turn<'_>) {
    let request = &mut question.request;
    let Some(answer) = &mut request.answer else { return };
    let again = question.sendings > 0 || answer.sent_at.is_some();
    let is_first = answer.sent_at.is_none();
    question.went_on = false;
    if is_first {
        answer.sent_at = Some(turn.now.wall);
        turn.keep(request);
    }
    let is_entered = !again || entered(question.sendings);
    question.sent_before = match question.sent_before {
        _ if is_first => SentBefore::Nothing,
        SentBefore::PerhapsAsTold if !is_entered => SentBefore::PerhapsAsTold,
        _ => SentBefore::Perhaps,
    };
    if !again {
        // A no that has no shape has no JSON either.
        let shapeless = response(request).is_none();
        let no = request.answer.as_ref().filter(|_| shapeless).map(|answer| answer.action.word());
        turn.log_answer(DecisionKind::Sent, request, no);
    } else if is_entered {
        turn.log_sent_again(request);
    }
    question.sendings = question.sendings.saturating_add(1);
}
