//! Tasks that we host: a server of the legacy wire may want one for the answer to its question, and asks for it by
//! requests. Such a task is its question, seen from the other side; it ends when the time has passed for which the server
//! wanted it, and with it its question, since nobody fetches the answer any more.
//!
//! A request for its result that waits for the person is of its connection: over our restart the server has to ask again,
//! and then gets what was decided.

use serde_json::{Value, json};
use signalbox_mcp::{Ask, Reply, ServerRequest};
use signalbox_model::{Action, CloseReason, EventKind, InputRequest, Json, RequestState, SAMPLING, ServerId};
use signalbox_store::Write;

use super::{Turn, answer::sends, question::close, reply::reply_of};
use crate::{Now, State, question::Question, state::Station};

/// How often a server may come and look, in ms.
const POLL_INTERVAL: u64 = 1_000;
/// Requests for one task's result that may wait at the same time.
const MOST_WAITING: usize = 16;
const UNKNOWN_TASK: i64 = -32602;

impl State {
    pub(super) fn asked_about_hosted(&mut self, turn: &mut Turn, id: ServerId, rpc: String, ask: Ask) {
        let reply = match ask {
            Ask::ListTasks { .. } => Some(self.hosted_tasks(turn, id)),
            Ask::GetTask { task_id } => Some(match self.hosted(turn, id, &task_id) {
                Some(question) => Reply::Result(Json::of(&hosted_task(&question.request, &task_id, turn))),
                None => unknown(),
            }),
            Ask::CancelTask { task_id } => Some(self.cancel_hosted(turn, id, &task_id)),
            Ask::TaskResult { task_id } => self.hosted_result(turn, id, &rpc, &task_id),
            Ask::Elicitation(_) | Ask::Sampling | Ask::Roots => None,
        };
        if let Some(reply) = reply {
            self.reply_on_wire(turn, id, rpc, reply, None);
        }
    }

    fn hosted(&mut self, turn: &Turn, id: ServerId, task_id: &str) -> Option<&mut Question> {
        let questions = &mut self.servers.get_mut(&id)?.session.questions;
        let is_it = |question: &&mut Question| question.request.hosted.as_deref() == Some(task_id);
        questions.iter_mut().find(is_it).filter(|question| question.is_hosted(turn.now))
    }

    fn hosted_tasks(&mut self, turn: &mut Turn, id: ServerId) -> Reply {
        let Some(station) = self.servers.get(&id) else { return unknown() };
        let hosted = station.session.questions.iter().filter(|question| question.is_hosted(turn.now));
        let tasks: Vec<Value> = hosted
            .filter_map(|question| {
                Some(hosted_task(&question.request, question.request.hosted.as_ref()?, turn))
            })
            .collect();
        Reply::Result(Json::of(&json!({ "tasks": tasks })))
    }

    /// The server withdraws its question. What a person has decided by then stays decided.
    fn cancel_hosted(&mut self, turn: &mut Turn, id: ServerId, task_id: &str) -> Reply {
        let Some(question) = self.hosted(turn, id, task_id) else { return unknown() };
        if settled(&question.request).is_some() {
            return Reply::Error { code: UNKNOWN_TASK, message: "The task has ended".to_owned() };
        }
        close(question, EventKind::Closed, CloseReason::AnsweredElsewhere, turn);
        let (task, call) = (hosted_task(&question.request, task_id, turn), question.request.call);
        self.end_waiting(turn, id, task_id, cancelled());
        if let Some(call) = call {
            self.recount(turn, call);
        }
        self.plan_replies(turn, id);
        Reply::Result(Json::of(&task))
    }

    /// What a hosted task came to; nothing yet while the person has not answered, or the answer has to be kept first.
    fn hosted_result(&mut self, turn: &mut Turn, id: ServerId, rpc: &str, task_id: &str) -> Option<Reply> {
        let Some(Question { request, .. }) = self.hosted(turn, id, task_id) else { return Some(unknown()) };
        match (settled(request), request.state) {
            (Some("cancelled"), _) => return Some(cancelled()),
            // It was fetched before, or is under way; the same again decides nothing.
            (Some(_), RequestState::Answered | RequestState::Closed) => return Some(reply_of(request)),
            // Any of them may be the one that arrives.
            (Some(_), RequestState::Sending) if request.sent() => {
                let (name, reply) = (request.id, reply_of(request));
                self.reply_on_wire(turn, id, rpc.to_owned(), reply, Some(name));
                return None;
            }
            _ => {}
        }
        let unsure = request.state == RequestState::Unknown;
        let waiting = self.servers.get_mut(&id)?.session.awaited.entry(task_id.to_owned()).or_default();
        if waiting.len() >= MOST_WAITING {
            return Some(Reply::Error { code: -32603, message: "Too many wait for it".to_owned() });
        }
        waiting.push(rpc.to_owned());
        if !unsure {
            self.deliver_on_wire(turn, id);
            return None;
        }
        // It was sent, and nobody knew whether it arrived: whoever fetches it again has not got it.
        let question = self.hosted(turn, id, task_id)?;
        question.request.state = RequestState::Sending;
        turn.write(Write::PutRequest(Box::new(question.request.clone())));
        sends(question, turn);
        let InputRequest { id: name, call, .. } = question.request;
        let reply = reply_of(&question.request);
        self.reply_on_wire(turn, id, rpc.to_owned(), reply, Some(name));
        if let Some(call) = call {
            self.recount(turn, call);
        }
        None
    }

    /// Ends the tasks whose time has passed.
    pub(super) fn end_hosted(&mut self, turn: &mut Turn, id: ServerId) {
        let Some(Station { session, .. }) = self.servers.get_mut(&id) else { return };
        let mut ended = Vec::new();
        for question in &mut session.questions {
            if question.is_hosted(turn.now) || !ends_with_its_task(question) {
                continue;
            }
            let text = "The server wanted the answer within a time that has passed";
            if let Some(call) = question.request.call {
                turn.event(call, EventKind::Trouble, Some(question.request.id), Some(text.to_owned()));
            }
            close(question, EventKind::Closed, CloseReason::TaskEnded, turn);
            ended.push((question.request.hosted.clone(), question.request.call));
        }
        for (task_id, call) in ended {
            self.end_waiting(turn, id, &task_id.unwrap_or_default(), unknown());
            if let Some(call) = call {
                self.recount(turn, call);
            }
        }
        self.prune(turn, id);
    }

    pub(super) fn end_waiting(&mut self, turn: &mut Turn, id: ServerId, task_id: &str, reply: Reply) {
        let waiting = self.servers.get_mut(&id).and_then(|station| station.session.awaited.remove(task_id));
        for rpc in waiting.unwrap_or_default() {
            self.reply_on_wire(turn, id, rpc, reply.clone(), None);
        }
    }
}

impl Question {
    /// Whether there is a task of ours behind it, and its time has not passed.
    pub(super) fn is_hosted(&self, now: Now) -> bool {
        self.request.hosted.is_some() && self.dies_at.is_none_or(|at| now.steady_ms < at)
    }
}

/// Whether the question is of no use when our task behind it is over: what was sent is still to be told.
pub(super) fn ends_with_its_task(question: &Question) -> bool {
    let under_way = question.request.state == RequestState::Sending && question.request.sent();
    let unsure = question.request.state == RequestState::Unknown;
    question.dies_at.is_some() && !question.is_over() && !under_way && !unsure
}

/// The status of an end, once there is one. Within the undo window there is none.
fn settled(request: &InputRequest) -> Option<&'static str> {
    match request.state {
        RequestState::Sending | RequestState::Answered | RequestState::Unknown => {
            let declined = request.answer.as_ref().is_none_or(|answer| answer.action != Action::Accept);
            let failed = declined && request.method == SAMPLING;
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

/// When the task behind a question is over (steady ms); never where the server named no time. A wall clock that was set
/// back since it began makes its life no longer than the server wanted.
pub(super) fn dies_at(request: &InputRequest, now: Now) -> Option<u64> {
    let most = ttl(request).filter(|_| request.hosted.is_some())?;
    let left = most.saturating_sub(now.wall.ms_since(request.opened_at)).clamp(0, most);
    Some(now.steady_ms.saturating_add(u64::try_from(left).unwrap_or(0)))
}

/// How long the server wants it kept, in ms from its creation.
fn ttl(request: &InputRequest) -> Option<i64> {
    ServerRequest::wished_task(&request.raw)?.ttl_ms
}

pub(super) fn unknown() -> Reply {
    let message = "There is no such task, or its time has passed".to_owned();
    Reply::Error { code: UNKNOWN_TASK, message }
}

fn cancelled() -> Reply {
    Reply::Error { code: UNKNOWN_TASK, message: "The task was cancelled".to_owned() }
}
