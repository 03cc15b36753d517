//! What has been said to a question already: whether it is the same answer, and why no other is taken.

use signalbox_mcp::QuestionView;
use signalbox_model::{
    Action, Actor, Answer, CloseReason, InputRequest, Mode, RequestId, RequestState, SAMPLING, Timestamp,
    Word,
};

use crate::{ApiError, Code, Detail, command::Said};

/// The most characters that an error shows of what somebody else said.
const LONGEST_SHOWN: usize = 500;

/// Whether this is what goes out, or went, byte for byte; of secrets as far as what is kept of them tells.
pub(super) fn is_same(request: &InputRequest, answer: &Answer, said: &Said) -> bool {
    let is_content = request.mode == Mode::Form && said.action == Action::Accept;
    let content = said.content.clone().filter(|_| is_content);
    let content = match request.method.as_str() {
        SAMPLING => content.as_ref().and_then(QuestionView::sampled),
        _ => content,
    };
    let is_what_was_said = match &content {
        Some(content) => signalbox_store::is_content_of(content.text(), answer),
        None => answer.content.is_none(),
    };
    answer.action == said.action && is_what_was_said
}

/// Another answer was given, or the one that was there taken back, since the question was looked at.
pub(super) fn answered_meanwhile(request: &InputRequest) -> ApiError {
    let id = request.id;
    let what = match &request.answer {
        None => format!("The answer to {id} was taken back since it was looked at"),
        Some(answer) => {
            format!("{id} was answered {} since it was looked at: {}", by(request), what_was_said(answer))
        }
    };
    let message = format!("{what}. Nothing of this answer was sent: look at the question as it stands now");
    with_answer(ApiError::new(Code::AnsweredMeanwhile, message), request)
}

/// Its server has withdrawn the question that was looked at, and asks it again in other words.
pub(super) fn changed_meanwhile(id: RequestId) -> ApiError {
    let message = format!(
        "{id} has changed since you saw it: it asks something else, or in other words. Nothing of this answer was sent to it: \
         look at the question as it stands now"
    );
    ApiError::new(Code::ChangedMeanwhile, message)
}

/// The answer that was to be taken back is not the one that stands.
pub(super) fn another_stands(request: &InputRequest, answer: &Answer) -> ApiError {
    let (id, by, said) = (request.id, by(request), what_was_said(answer));
    let message = format!("{id} has been answered {by} since: {said}. Nothing was taken back");
    with_answer(ApiError::new(Code::AnsweredMeanwhile, message), request)
}

/// Why no answer can be taken back.
pub(super) fn nothing_to_take_back(request: &InputRequest) -> ApiError {
    let id = request.id;
    let message = match &request.answer {
        None => format!("{id} has no answer: there is nothing to take back"),
        Some(answer) => {
            let said = what_was_said(answer);
            match answer.sent_at {
                Some(at) => format!(
                    "The answer to {id} ({said}) was sent at {at}: what was sent cannot be taken back"
                ),
                None if request.state == RequestState::Closed => {
                    format!(
                        "{id} is over, and its answer ({said}) was not sent: there is nothing to take back"
                    )
                }
                None => {
                    format!("The answer to {id} ({said}) is going out now: it cannot be taken back any more")
                }
            }
        }
    };
    with_answer(ApiError::new(Code::AlreadyClosed, message), request)
}

/// With the answer that stands, for programs.
fn with_answer(error: ApiError, request: &InputRequest) -> ApiError {
    ApiError { detail: request.answer.as_ref().map(Detail::from), ..error }
}

/// An answer was taken back before any of it had left, or came to nothing with its connection, and another was given.
pub(super) fn taken_back(request: &InputRequest) -> ApiError {
    let now = request.answer.as_ref().map(what_was_said).unwrap_or_default();
    let message = format!(
        "This answer to {} stands no more: it was taken back before it left, or its connection was gone before the server took \
         it. Another was given since, {}: {now}. Look at the question as it stands now",
        request.id,
        by(request)
    );
    with_answer(ApiError::new(Code::AnsweredMeanwhile, message), request)
}

/// Who gave a question's answer, where that was somebody else.
fn by(request: &InputRequest) -> &'static str {
    match request.decided_by() {
        Some(Actor::Signalbox) => "by a rule",
        _ => "from another window or command",
    }
}

fn what_was_said(answer: &Answer) -> String {
    let action = answer.action.word();
    let Some(content) = &answer.content else { return action.to_owned() };
    let shown: String = content.text().chars().take(LONGEST_SHOWN).collect();
    let rest = if shown.len() < content.text().len() { "…" } else { "" };
    format!("{action} with {shown}{rest}")
}

/// Why what is over takes no answer; and what somebody else said to it since it was looked at.
pub(super) fn over(request: &InputRequest, seen: Option<Timestamp>) -> ApiError {
    let why = not_open(request);
    let Some(answer) = request.answer.as_ref().filter(|answer| Some(answer.decided_at) != seen) else {
        return ApiError { message: format!("{why}. Nothing of this answer was sent"), ..why };
    };
    let (by, said) = (by(request), what_was_said(answer));
    let message = format!(
        "{why}. It was answered {by} since it was looked at: {said}. Nothing of this answer was sent"
    );
    with_answer(ApiError::new(Code::AnsweredMeanwhile, message), request)
}

/// Why a question takes no answer now.
pub(super) fn not_open(request: &InputRequest) -> ApiError {
    let why = match (request.state, request.reason) {
        (_, Some(CloseReason::TaskEnded)) => "its task has ended",
        (_, Some(CloseReason::AnsweredElsewhere)) => "it was answered elsewhere",
        (_, Some(CloseReason::Superseded)) => "another question took its place",
        (_, Some(CloseReason::DeclinedByUs)) => "it was declined",
        (_, Some(CloseReason::PutAway)) => "it was put away",
        (_, Some(CloseReason::Lapsed)) => "its task has ended",
        (RequestState::Answered, None) => "it has been answered",
        (RequestState::Held | RequestState::Sending, None) => "its answer is on its way",
        (RequestState::Orphaned, None) => "its connection is gone, and it has not been asked again",
        (
            RequestState::Open | RequestState::NotTaken | RequestState::Refused | RequestState::Unknown,
            None,
        )
        | (RequestState::Closed, None) => "it is closed",
    };
    ApiError::new(Code::AlreadyClosed, format!("{} cannot be answered: {why}", request.id))
}
