//! What a server asks, as it words it.

use signalbox_mcp::QuestionView;
use signalbox_model::{CloseReason, Identity, InputRequest, Json, RequestId, RequestState, ServerId};

use super::super::Turn;

/// Whether the server has stopped asking it, and may ask it again.
pub(in crate::step) fn was_withdrawn(request: &InputRequest) -> bool {
    request.state == RequestState::Closed && request.reason == Some(CloseReason::AnsweredElsewhere)
}

/// A question that was over is asked again: what it asks is here again.
pub(in crate::step) fn reword(request: &mut InputRequest, raw: &Json) {
    if request.is_bare() {
        let QuestionView { method, mode, message, schema, url, .. } = QuestionView::read(raw);
        (request.method, request.mode, request.message) = (method, mode, message);
        (request.schema, request.url, request.raw) = (schema, url, raw.clone());
    }
}

/// A question as its server asks it, without a number of ours.
pub(in crate::step) fn as_asked(
    server: ServerId,
    identity: Identity,
    raw: &Json,
    turn: &Turn<'_>,
) -> InputRequest {
    let new = InputRequest::new(RequestId(0), server, identity, turn.now.wall);
    worded(new, QuestionView::read(raw), raw.clone())
}

/// A new question as its server words it.
pub(in crate::step) fn worded(new: InputRequest, view: QuestionView, raw: Json) -> InputRequest {
    let QuestionView { method, mode, message, schema, url, .. } = view;
    InputRequest { method, mode, message, schema, url, raw, ..new }
}
