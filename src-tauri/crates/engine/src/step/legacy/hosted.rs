//! Tasks that we host. A server of the legacy wire may want a task for the answer to its question, and then
//! asks us about that task by requests. Such a task is the question itself, seen from the server's side. It
//! ends when the time has passed for which the server wanted it. Its question ends with it, since nobody
//! fetches the answer any more.
//!
//! A request for the task's result that waits for the person belongs to its session, and is kept with the
//! question, since most servers wait on while we restart. A server that asks its question anew gets another
//! id for the same task, and may poll the task by either id.
//!
//! The server fetches the answer as often as it wants until the time of the task has passed. Each fetch is a request of
//! its own and gets one reply, so this does not break the promise of one reply to a request.

use serde_json::{Value, json};
use signalbox_mcp::{INVALID_PARAMS, ServerAsk, ServerRequest, SessionReply};
use signalbox_model::{
    Action, CloseReason, EventKind, Hosted, InputRequest, Json, RequestId, RequestState, SAMPLING, Timestamp,
};

use super::{
    super::{
        Beside, Next, Turn,
        question::{Question, close, sends},
    },
    Session,
    response::reply_of,
};
use crate::Now;

/// How often a server should poll a task that we host, in ms.
const POLL_INTERVAL: u64 = 1_000;
/// Requests for one task's result that may wait at the same time.
const MOST_WAITING: usize = 16;
/// The most former ids of one task that are remembered.
const MOST_IDS: usize = 16;

impl Session {
    pub(in crate::step) fn asked_about_hosted(&mut self, turn: &mut Turn<'_>, rpc: String, ask: ServerAsk) {
        let reply = match ask {
            ServerAsk::ListTasks { .. } => Some(self.hosted_tasks(turn)),
            ServerAsk::GetTask { task_id } => Some(match self.hosted(turn, &task_id) {
                Some(question) => {
                    SessionReply::Result(Json::of(&hosted_task(&question.request, &task_id, turn)))
                }
                None => unknown(),
            }),
            ServerAsk::CancelTask { task_id } => Some(self.cancel_hosted(turn, &task_id)),
            ServerAsk::TaskResult { task_id } => self.hosted_result(turn, &rpc, &task_id),
            ServerAsk::Elicitation(_) | ServerAsk::Sampling | ServerAsk::Roots => None,
        };
        if let Some(reply) = reply {
            self.reply(turn, rpc, reply, None);
        }
    }

    fn hosted(&mut self, turn: &Turn<'_>, task_id: &str) -> Option<&mut Question> {
        let is_it = |question: &&mut Question| {
            question.request.hosted.as_ref().is_some_and(|hosted| hosted.goes_by(task_id))
        };
        self.questions.iter_mut().find(is_it).filter(|question| question.is_hosted(turn.now))
    }

    fn hosted_tasks(&mut self, turn: &mut Turn<'_>) -> SessionReply {
        let hosted = self.questions.iter().filter(|question| question.is_hosted(turn.now));
        let tasks: Vec<Value> = hosted
            .filter_map(|question| {
                Some(hosted_task(&question.request, &question.request.hosted.as_ref()?.task_id, turn))
            })
            .collect();
        SessionReply::Result(Json::of(&json!({ "tasks": tasks })))
    }

    /// The server withdraws its question. What a person has decided by then stays decided. A server that has
    /// asked anew, and names a former id of the task, withdraws only what it asked under that id.
    fn cancel_hosted(&mut self, turn: &mut Turn<'_>, task_id: &str) -> SessionReply {
        let Some(question) = self.hosted(turn, task_id) else { return unknown() };
        if settled(&question.request).is_some() {
            return SessionReply::Error { code: INVALID_PARAMS, message: "The task has ended".to_owned() };
        }
        if let Some(hosted) = &mut question.request.hosted
            && hosted.task_id != task_id
        {
            hosted.before.retain(|before| before != task_id);
            turn.keep(&question.request);
            let withdrawn = InputRequest { state: RequestState::Closed, ..question.request.clone() };
            return SessionReply::Result(Json::of(&hosted_task(&withdrawn, task_id, turn)));
        }
        close(question, EventKind::Closed, CloseReason::AnsweredElsewhere, turn);
        let (task, call) = (hosted_task(&question.request, task_id, turn), question.request.call);
        let waiting = stop_waiting(question, turn);
        self.end_waiting(turn, waiting, &cancelled());
        if let Some(call) = call {
            turn.then(Next::Count(call));
        }
        turn.then(Next::Replies(self.server));
        SessionReply::Result(Json::of(&task))
    }

    /// What a hosted task came to; nothing yet while the person has not answered, or the answer has to be kept first.
    fn hosted_result(&mut self, turn: &mut Turn<'_>, rpc: &str, task_id: &str) -> Option<SessionReply> {
        let Some(Question { request, .. }) = self.hosted(turn, task_id) else { return Some(unknown()) };
        match (settled(request), request.state) {
            (Some("cancelled"), _) => return Some(cancelled()),
            // The answer was fetched before, or the question is closed: fetching it again changes nothing.
            (Some(_), RequestState::Answered | RequestState::Closed) => return Some(reply_of(request)),
            // Several fetches may be under way, and any of them may be the one that arrives.
            (Some(_), RequestState::Sending) if request.sent() => {
                let (name, reply) = (request.id, reply_of(request));
                self.reply(turn, rpc.to_owned(), reply, Some(name));
                return None;
            }
            _ => {}
        }
        let unsure = request.state == RequestState::Unknown;
        let waiting = &mut request.hosted.as_mut()?.waiting;
        if waiting.len() >= MOST_WAITING {
            return Some(SessionReply::Error { code: -32603, message: "Too many wait for it".to_owned() });
        }
        waiting.push(rpc.to_owned());
        turn.keep(request);
        if !unsure {
            turn.then(Next::Replies(self.server));
            return None;
        }
        // The answer was sent, and nobody knew whether it arrived. A server that fetches it again has not got
        // it.
        let question = self.hosted(turn, task_id)?;
        let InputRequest { id: name, call, .. } = question.request;
        let reply = sends_again(question, turn);
        self.reply(turn, rpc.to_owned(), reply, Some(name));
        if let Some(call) = call {
            turn.then(Next::Count(call));
        }
        None
    }

    /// An answer was taken back, and the one before it may have arrived. Requests that have come to fetch it
    /// since then show that it has not, so they get it.
    pub(super) fn fetched_meanwhile(&mut self, turn: &mut Turn<'_>, name: RequestId) {
        let Some(question) = self.question(name) else { return };
        let waiting =
            question.request.hosted.as_ref().map(|hosted| hosted.waiting.clone()).unwrap_or_default();
        if waiting.is_empty() || question.request.state != RequestState::Unknown {
            return;
        }
        let reply = sends_again(question, turn);
        for rpc in waiting {
            self.reply(turn, rpc, reply.clone(), Some(name));
        }
    }

    /// Ends the tasks whose time has passed.
    pub(super) fn end_hosted(&mut self, turn: &mut Turn<'_>) {
        let mut ended = Vec::new();
        for question in &mut self.questions {
            if question.is_hosted(turn.now) || !ends_with_its_task(question) {
                continue;
            }
            if let Some(call) = question.request.call {
                turn.event(call, EventKind::AnswerTimePassed, Some(question.request.id), Beside::Nothing);
            }
            close(question, EventKind::Closed, CloseReason::TaskEnded, turn);
            ended.push((stop_waiting(question, turn), question.request.call));
        }
        for (waiting, call) in ended {
            self.end_waiting(turn, waiting, &unknown());
            if let Some(call) = call {
                turn.then(Next::Count(call));
            }
        }
        turn.then(Next::Prune(self.server));
    }

    /// Answers requests that waited for a result.
    pub(super) fn end_waiting(&mut self, turn: &mut Turn<'_>, waiting: Vec<String>, reply: &SessionReply) {
        for rpc in waiting {
            self.reply(turn, rpc, reply.clone(), None);
        }
    }

    /// A request of this id waits for no result any more: it was withdrawn, or the id now belongs to another
    /// request.
    pub(in crate::step) fn waits_no_more(&mut self, turn: &mut Turn<'_>, rpc: &str) {
        for question in &mut self.questions {
            let Some(hosted) = &mut question.request.hosted else { continue };
            let before = hosted.waiting.len();
            hosted.waiting.retain(|waits| waits != rpc);
            if hosted.waiting.len() != before {
                turn.keep(&question.request);
            }
        }
    }
}

/// Sends an answer once more that may have arrived already, since the server fetches it again.
fn sends_again(question: &mut Question, turn: &mut Turn<'_>) -> SessionReply {
    question.request.state = RequestState::Sending;
    turn.keep(&question.request);
    sends(question, turn);
    reply_of(&question.request)
}

/// From now on nobody is to wait for the result of this task. Returns the ids of the requests that did.
pub(super) fn stop_waiting(question: &mut Question, turn: &mut Turn<'_>) -> Vec<String> {
    let hosted = question.request.hosted.as_mut();
    let waiting = hosted.map(|hosted| std::mem::take(&mut hosted.waiting)).unwrap_or_default();
    if !waiting.is_empty() {
        turn.keep(&question.request);
    }
    waiting
}

/// The requests that wait for the result of a question's task, as its server wrote them. It still waits for
/// them after our restart.
pub(super) fn fetches(request: &InputRequest) -> Vec<Json> {
    let Some(hosted) = &request.hosted else { return Vec::new() };
    let task_id = Json::of(&hosted.task_id);
    let fetch = |rpc: &String| {
        Json::parse(format!(
            r#"{{"jsonrpc":"2.0","id":{rpc},"method":"tasks/result","params":{{"taskId":{}}}}}"#,
            task_id.text()
        ))
    };
    hosted.waiting.iter().filter_map(|rpc| fetch(rpc).ok()).collect()
}

/// The same task by a new id, for a server that asks anew.
pub(super) fn renamed(before: Hosted, task_id: String) -> Hosted {
    let Hosted { task_id: last, before: mut ids, waiting } = before;
    ids.push(last);
    let too_many = ids.len().saturating_sub(MOST_IDS);
    ids.drain(..too_many);
    Hosted { task_id, before: ids, waiting }
}

impl Question {
    /// Whether we host a task for the answer to this question, and the task's time has not passed.
    pub(super) fn is_hosted(&self, now: Now) -> bool {
        self.request.hosted.is_some() && self.dies_at.is_none_or(|at| now.steady_ms < at)
    }
}

/// Whether the question is of no use once the task that we host is over. Where an answer was sent it is still
/// of use: what became of the answer is still to be told.
pub(super) fn ends_with_its_task(question: &Question) -> bool {
    let under_way = question.request.state == RequestState::Sending && question.request.sent();
    let unsure = question.request.state == RequestState::Unknown;
    question.dies_at.is_some() && !question.is_over() && !under_way && !unsure
}

/// The status of a task that has ended; none before. While its answer can be undone, a task has not ended.
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
pub(super) fn hosted_task(request: &InputRequest, task_id: &str, turn: &Turn<'_>) -> Value {
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

/// When the task behind a question ends (steady ms); none where the server named no time. Where the wall
/// clock was set back meanwhile, the task must not live longer than the server wanted.
pub(in crate::step) fn dies_at(request: &InputRequest, now: Now) -> Option<u64> {
    let most = ttl(request).filter(|_| request.hosted.is_some())?;
    let left = most.saturating_sub(now.wall.ms_since(request.opened_at)).clamp(0, most);
    Some(now.steady_ms.saturating_add(u64::try_from(left).unwrap_or(0)))
}

/// The same by the wall clock, for people.
pub(in crate::step) fn expires_at(request: &InputRequest) -> Option<Timestamp> {
    let most = ttl(request).filter(|_| request.hosted.is_some())?;
    Some(request.opened_at.plus_ms(most))
}

/// How long the server wants it kept, in ms from its creation.
fn ttl(request: &InputRequest) -> Option<i64> {
    ServerRequest::wished_task(&request.raw)?.ttl_ms
}

pub(super) fn unknown() -> SessionReply {
    let message = "There is no such task, or its time has passed".to_owned();
    SessionReply::Error { code: INVALID_PARAMS, message }
}

fn cancelled() -> SessionReply {
    SessionReply::Error { code: INVALID_PARAMS, message: "The task was cancelled".to_owned() }
}
