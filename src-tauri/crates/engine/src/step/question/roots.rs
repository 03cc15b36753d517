//! Roots: what the person lets a server see is answered without asking the person again, and kept like any answer.

use signalbox_model::{Action, Answer, EventKind, Json, RequestState};

use super::{
    super::{Beside, Turn},
    Question,
};

/// Answers a question for roots that was just opened, or opened again, with what the person listed. Whoever opened it delivers.
pub(in crate::step) fn answer_roots(question: &mut Question, roots: &[String], turn: &mut Turn<'_>) {
    question.sendings = 0;
    let request = &mut question.request;
    let content = Some(roots_of(roots));
    request.state = RequestState::Sending;
    request.answer = Some(Answer { content, ..Answer::new(Action::Accept, turn.now.wall) });
    turn.keep(request);
    turn.fate(request, EventKind::Answered, Beside::Nothing);
}

/// The response to `roots/list`: the URIs that the person listed for this server.
pub(in crate::step) fn roots_of(roots: &[String]) -> Json {
    let roots: Vec<_> = roots.iter().map(|uri| serde_json::json!({ "uri": uri })).collect();
    Json::of(&serde_json::json!({ "roots": roots }))
}
