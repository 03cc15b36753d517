//! Tasks that we host: a server of the legacy wire may want one for the answer to its question, and asks for it by
//! requests. Such a task is its question, seen from the other side.

use serde_json::{Value, json};
use signalbox_mcp::{Ask, Reply, ServerRequest};
use signalbox_model::{
    Action, CloseReason, EventKind, InputRequest, Json, RequestState, ServerId, Timestamp,
};

use super::{Turn, answer::sends, question::close, reply::reply_of};
use crate::{State, state::Question};

/// How often a server may come and look, in ms.
const POLL_INTERVAL: u64 = 1_000;
/// Requests for one task's result that may wait at the same time.
const MOST_WAITING: usize = 16;
const UNKNOWN_TASK: i64 = -32602;

impl State {
    pub(super) fn asked_about_hosted(&mut self, turn: &mut Turn, id: ServerId, rpc: String, ask: Ask) {
        let reply = match ask {
            Ask::ListTasks { .. } => Some(self.hosted_tasks(turn, id)),
            Ask::GetTask { task_id } => {
                Some(self.with_hosted(id, &task_id, turn, |question, task_id, turn| {
                    hosted_task(&question.request, task_id, turn)
                }))
            }
            Ask::CancelTask { task_id } => Some(self.cancel_hosted(turn, id, &task_id)),
            Ask::TaskResult { task_id } => self.hosted_result(turn, id, &rpc, &task_id),
            Ask::Elicitation(_) | Ask::Sampling | Ask::Roots => None,
        };
        if let Some(reply) = reply {
            self.reply_on_wire(turn, id, rpc, reply, None);
        }
    }

    fn hosted(&mut self, id: ServerId, task_id: &str, now: Timestamp) -> Option<&mut Question> {
        let questions = &mut self.servers.get_mut(&id)?.session.questions;
        let question =
            questions.iter_mut().find(|question| question.request.hosted.as_deref() == Some(task_id))?;
        let lives = ttl(&question.request).is_none_or(|ms| now.ms_since(question.request.opened_at) <= ms);
        lives.then_some(question)
    }

    fn with_hosted(
        &mut self,
        id: ServerId,
        task_id: &str,
        turn: &mut Turn,
        view: impl FnOnce(&Question, &str, &mut Turn) -> Value,
    ) -> Reply {
        match self.hosted(id, task_id, turn.now.wall) {
            Some(question) => Reply::Result(Json::of(&view(question, task_id, turn))),
            None => unknown(),
        }
    }

    fn hosted_tasks(&mut self, turn: &mut Turn, id: ServerId) -> Reply {
        let Some(station) = self.servers.get(&id) else { return unknown() };
        let tasks: Vec<Value> = (station.session.questions.iter())
            .filter_map(|question| {
                Some(hosted_task(&question.request, question.request.hosted.as_ref()?, turn))
            })
            .collect();
        Reply::Result(Json::of(&json!({ "tasks": tasks })))
    }

    /// The server withdraws its question. What a person has decided by then stays decided.
    fn cancel_hosted(&mut self, turn: &mut Turn, id: ServerId, task_id: &str) -> Reply {
        let Some(question) = self.hosted(id, task_id, turn.now.wall) else { return unknown() };
        if settled(&question.request).is_some() {
            return Reply::Error { code: UNKNOWN_TASK, message: "The task has ended".to_owned() };
        }
        close(question, EventKind::Closed, CloseReason::AnsweredElsewhere, turn);
        let (task, call) = (hosted_task(&question.request, task_id, turn), question.request.call);
        let waiting = self.servers.get_mut(&id).and_then(|station| station.session.awaited.remove(task_id));
        for rpc in waiting.unwrap_or_default() {
            let reply = Reply::Error { code: UNKNOWN_TASK, message: "The task was cancelled".to_owned() };
            self.reply_on_wire(turn, id, rpc, reply, None);
        }
        if let Some(call) = call {
            self.recount(turn, call);
        }
        Reply::Result(Json::of(&task))
    }

    /// What a hosted task came to; nothing yet while the person has not answered.
    fn hosted_result(&mut self, turn: &mut Turn, id: ServerId, rpc: &str, task_id: &str) -> Option<Reply> {
        let Some(question) = self.hosted(id, task_id, turn.now.wall) else { return Some(unknown()) };
        let (name, request) = (question.request.id, &question.request);
        match settled(request) {
            None => {
                let station = self.servers.get_mut(&id)?;
                let waiting = station.session.awaited.entry(task_id.to_owned()).or_default();
                if waiting.len() >= MOST_WAITING {
                    return Some(Reply::Error { code: -32603, message: "Too many wait for it".to_owned() });
                }
                waiting.push(rpc.to_owned());
                None
            }
            Some("cancelled") => {
                Some(Reply::Error { code: UNKNOWN_TASK, message: "The task was cancelled".to_owned() })
            }
            Some(_) => {
                let reply = reply_of(request);
                if request.sent() {
                    // It was fetched before; the same again decides nothing.
                    return Some(reply);
                }
                sends(question, turn);
                self.reply_on_wire(turn, id, rpc.to_owned(), reply, Some(name));
                None
            }
        }
    }
}

/// The status of an end, once there is one. Within the undo window there is none.
fn settled(request: &InputRequest) -> Option<&'static str> {
    match request.state {
        RequestState::Sending | RequestState::Answered | RequestState::Unknown => {
            let declined = request.answer.as_ref().is_none_or(|answer| answer.action != Action::Accept);
            let failed = declined && request.method == "sampling/createMessage";
            Some(if failed { "failed" } else { "completed" })
        }
        RequestState::Closed if request.reason == Some(CloseReason::DeclinedByUs) => Some("failed"),
        RequestState::Closed => Some("cancelled"),
        _ => None,
    }
}

/// The task as the server sees it.
pub(super) fn hosted_task(request: &InputRequest, task_id: &str, turn: &Turn) -> Value {
    let decided = request.answer.as_ref().map(|answer| answer.decided_at);
    let updated = request.closed_at.or(decided).unwrap_or(request.opened_at).min(turn.now.wall);
    json!({
        "taskId": task_id,
        "status": settled(request).unwrap_or("working"),
        "createdAt": request.opened_at.to_string(),
        "lastUpdatedAt": updated.to_string(),
        "ttl": ttl(request),
        "pollInterval": POLL_INTERVAL,
    })
}

/// The answer to a request that wanted a task.
pub(super) fn created(task: &Value) -> Json {
    Json::of(&json!({ "task": task }))
}

/// How long the server wants it kept, in ms from its creation.
fn ttl(request: &InputRequest) -> Option<i64> {
    ServerRequest::wished_task(&request.raw)?.ttl_ms
}

fn unknown() -> Reply {
    Reply::Error { code: UNKNOWN_TASK, message: "There is no such task".to_owned() }
}
