//! What servers ask, and the answers of somebody who accepts everything as proposed.

use serde_json::json;
use signalbox_mcp::{QuestionView, ServerAsk, Session, SessionEvent, SessionEvents, SessionReply};
use signalbox_model::{Json, Mode};

use crate::{Failure, calls};

/// To refuse what has no shape of refusal.
const REFUSED: i64 = -1;

/// The response to an input request of the modern wire. None: it cannot be answered, and the server will say so.
pub(crate) fn response(request: &Json) -> Option<Json> {
    let question = QuestionView::read(request);
    match question.method.as_str() {
        "elicitation/create" => Some(accepted(&question)),
        "roots/list" => Some(no_roots()),
        _ => None,
    }
}

/// Answers the server's own requests for as long as the session lives.
pub(crate) async fn reply_to_all(session: &Session, mut events: SessionEvents) -> Failure {
    loop {
        match events.next().await {
            Some(SessionEvent::Request(request)) => {
                let reply = match &request.ask {
                    ServerAsk::Elicitation(question) => SessionReply::Result(accepted(question)),
                    ServerAsk::Roots => SessionReply::Result(no_roots()),
                    _ => SessionReply::Error { code: REFUSED, message: "Nobody answers this".into() },
                };
                if let Err(error) = session.reply(&request.id, reply).await {
                    return error.into();
                }
            }
            Some(SessionEvent::Ended(error)) => return error.into(),
            Some(_) => {}
            None => return signalbox_mcp::Error::Closed.into(),
        }
    }
}

fn accepted(question: &QuestionView) -> Json {
    match (&question.mode, &question.schema) {
        (Mode::Form, Some(schema)) => {
            Json::of(&json!({ "action": "accept", "content": calls::filled_in(schema) }))
        }
        _ => Json::of(&json!({ "action": "accept" })),
    }
}

fn no_roots() -> Json {
    Json::of(&json!({ "roots": [] }))
}
