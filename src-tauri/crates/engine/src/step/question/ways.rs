//! What can be said to a question, as the engine takes it: what [`Ways`] offers, and nothing else.

use signalbox_mcp::QuestionView;
use signalbox_model::{Accept, Action, Answer, Around, InputRequest, Json, RequestState, SAMPLING, Ways};

use crate::{Refusal, effect::response};

/// The content that an answer goes out with. An error where the question takes no such answer.
pub(in crate::step) fn content_of(
    request: &InputRequest,
    around: Around,
    action: Action,
    content: Option<Json>,
) -> Result<Option<Json>, Refusal> {
    let ways = Ways::of(request, around);
    if let Some(settled) = ways.settled {
        return Err(Refusal::Settled(settled));
    }
    match action {
        Action::Decline => Ok(None),
        Action::Cancel => ways.dismiss.map(|_| None).ok_or(Refusal::NoDismiss),
        Action::Accept => match ways.accept.ok_or(Refusal::NoAccept)? {
            Accept::Content => Ok(content),
            Accept::Page => Ok(None),
            Accept::Text => {
                let result = content.as_ref().and_then(QuestionView::sampled);
                result.map(Some).ok_or(Refusal::NoModelAnswer)
            }
        },
    }
}

/// What the server would get for this answer, byte for byte; none where the wire has no shape for it, or this is no way to
/// answer.
#[must_use]
pub fn response_to(request: &InputRequest, action: Action, content: Option<Json>) -> Option<Json> {
    let content = content_of(request, Around::default(), action, content).ok()?;
    let now = request.opened_at;
    let answer = Answer { content, ..Answer::new(action, now) };
    response(&InputRequest { answer: Some(answer), ..request.clone() })
}

/// What a person said to a question, in the shape in which they can change it.
pub(in crate::step) fn said(request: &InputRequest) -> Option<Json> {
    let content = request.answer.as_ref()?.content.clone()?;
    Some(if request.method == SAMPLING { QuestionView::entered(&content) } else { content })
}

/// Takes the answer off a question. What was said becomes the draft, so that changing it begins from there,
/// and the question stands as it did before.
pub(in crate::step) fn take_off(request: &mut InputRequest) {
    request.draft = said(request).or(request.draft.take());
    let before = request.earlier.take().map(|earlier| (earlier.state, Some(earlier.answer)));
    (request.state, request.answer) = before.unwrap_or((RequestState::Open, None));
}
