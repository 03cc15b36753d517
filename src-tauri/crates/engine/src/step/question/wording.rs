//! What a server asks, as it words it.

use signalbox_mcp::QuestionView;
use signalbox_model::{
    CloseReason, Identity, InputRequest, Json, Mode, RequestId, RequestState, ServerId, Timestamp, bare_host,
};
use signalbox_store::Digest;
use url::Url;

use super::{super::Turn, Question};
use crate::Refusal;

/// Whether the server has stopped asking it, and may ask it again.
pub(in crate::step) fn was_withdrawn(request: &InputRequest) -> bool {
    request.state == RequestState::Closed && request.reason == Some(CloseReason::AnsweredElsewhere)
}

/// Stands for all that a question asks, byte for byte. The same question over another connection has the same one.
#[must_use]
pub fn asks(raw: &Json) -> Digest {
    Digest::of(QuestionView::asked(raw))
}

/// A question that was over is asked again: what it asks now is here again. Of another page nothing is known, and one at
/// another host is asked for since now only.
pub(in crate::step) fn reword(question: &mut Question, raw: &Json, now: Timestamp) {
    question.reworded = Some(asks(raw));
    let request = &mut question.request;
    let QuestionView { method, mode, message, schema, url, .. } = QuestionView::read(raw);
    let before = page(request.mode, request.url.as_deref());
    let page = page(mode, url.as_deref());
    if page != before {
        (request.visited_at, request.visiting_at) = (None, None);
    }
    if page.and_then(host) != before.and_then(host) {
        request.opened_at = now;
    }
    (request.method, request.mode, request.message) = (method, mode, message);
    (request.schema, request.url, request.raw) = (schema, url, raw.clone());
}

/// Refuses what a person decides who saw it ask something else, or in other words. `seen` is none where nobody looked.
pub(in crate::step) fn still_asks(question: &Question, seen: Option<Digest>) -> Result<(), Refusal> {
    match (question.reworded, seen) {
        (Some(now), Some(seen)) if now != seen => Err(Refusal::ChangedMeanwhile),
        _ => Ok(()),
    }
}

fn page(mode: Mode, url: Option<&str>) -> Option<&str> {
    url.filter(|_| mode == Mode::Url)
}

fn host(page: &str) -> Option<String> {
    let page = Url::parse(page).ok()?;
    page.host_str().map(|host| bare_host(host).to_owned())
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
