//! Roots: what the person lets a server see is answered without asking the person again, and kept like any answer.

use signalbox_model::{Action, Answer, CallId, EventKind, InputRequest, Json, RequestState, Server};

use super::Turn;
use crate::{State, question::Question};

impl State {
    /// The response to `roots/list` for this call.
    pub(super) fn roots(&self, id: CallId) -> Json {
        let server = self.calls.get(&id).and_then(|live| self.servers.get(&live.call.server));
        server.map_or_else(|| listed(&[]), |station| roots_of(&station.server))
    }

    /// Answers a question that was just opened. Whoever opened it delivers.
    pub(super) fn answer_roots(&mut self, turn: &mut Turn, id: CallId, mut request: InputRequest) {
        let content = Some(self.roots(id));
        let Some(live) = self.calls.get_mut(&id) else { return };
        let now = turn.now.wall;
        request.state = RequestState::Sending;
        request.answer = Some(Answer { content, ..Answer::new(Action::Accept, now) });
        turn.keep(&request);
        turn.fate(&request, EventKind::Answered, None);
        self.asked.insert(request.id, id);
        self.room.enter(&request, 0);
        live.questions.push(Question::new(request));
    }
}

/// The response to `roots/list`: the URIs that the person listed for this server.
pub(super) fn roots_of(server: &Server) -> Json {
    listed(&server.roots)
}

fn listed(roots: &[String]) -> Json {
    let roots: Vec<_> = roots.iter().map(|uri| serde_json::json!({ "uri": uri })).collect();
    Json::of(&serde_json::json!({ "roots": roots }))
}
