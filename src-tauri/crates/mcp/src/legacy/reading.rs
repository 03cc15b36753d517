//! From a message of the server to what it means.

use serde_json::value::RawValue;
use signalbox_model::{ELICITATION, Json, LONGEST_TEXT, Mode, ROOTS, SAMPLING, cut};

use super::event::{ProgressView, ServerAsk, ServerNews, ServerRequest};
use crate::{
    endpoint::Declared,
    rpc::{INVALID_PARAMS, METHOD_NOT_FOUND, Unasked},
    tool::TaskWish,
    verbatim,
    view::{Fields, QuestionView, TaskView, integer, text},
};

/// The key of related-task metadata.
pub(super) const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// Why a request is refused without asking anybody.
pub(super) struct Refused {
    pub(super) code: i64,
    pub(super) message: &'static str,
}

const UNKNOWN: Refused = Refused { code: METHOD_NOT_FOUND, message: "Method not found" };

/// What a request asks.
pub(super) fn ask(message: &Unasked, declared: Declared) -> Result<ServerAsk, Refused> {
    let params = Fields::lenient(message.raw.raw()).object("params");
    let task_id = || {
        let refused = Refused { code: INVALID_PARAMS, message: "taskId must be a string" };
        params.text("taskId").ok_or(refused)
    };
    match message.method.as_str() {
        ELICITATION => match QuestionView::read(&message.raw) {
            QuestionView { mode: Mode::Other, .. } => {
                Err(Refused { code: INVALID_PARAMS, message: "This elicitation mode was not declared" })
            }
            question => Ok(ServerAsk::Elicitation(question)),
        },
        SAMPLING if declared.sampling => Ok(ServerAsk::Sampling),
        ROOTS if declared.roots => Ok(ServerAsk::Roots),
        "tasks/get" if declared.host_tasks => Ok(ServerAsk::GetTask { task_id: task_id()? }),
        "tasks/result" if declared.host_tasks => Ok(ServerAsk::TaskResult { task_id: task_id()? }),
        "tasks/list" if declared.host_tasks => Ok(ServerAsk::ListTasks { cursor: params.text("cursor") }),
        "tasks/cancel" if declared.host_tasks => Ok(ServerAsk::CancelTask { task_id: task_id()? }),
        _ => Err(UNKNOWN),
    }
}

impl ServerRequest {
    /// The task of the server that a request as received ([`ServerRequest::raw`]) belongs to, if it says so (sensitive).
    #[must_use]
    pub fn named_task(raw: &Json) -> Option<String> {
        related_task(raw)
    }

    /// The task that a request as received ([`ServerRequest::raw`]) wants for an answer.
    #[must_use]
    pub fn wished_task(raw: &Json) -> Option<TaskWish> {
        task_wish(raw)
    }
}

/// The wish to have a task for an answer.
pub(super) fn task_wish(raw: &Json) -> Option<TaskWish> {
    let params = Fields::lenient(raw.raw()).object("params");
    params.some("task")?;
    let ttl = params.object("task").some("ttl").and_then(integer).filter(|ms| *ms >= 0);
    Some(TaskWish { ttl_ms: ttl })
}

/// The task that a message belongs to.
pub(super) fn related_task(raw: &Json) -> Option<String> {
    let meta = Fields::lenient(raw.raw()).object("params").object("_meta");
    meta.object(RELATED_TASK).text("taskId")
}

/// A number of a report of progress that is longer than this, in bytes, is left out: it is kept with its call.
const LONGEST_NUMBER: usize = 64;

/// What a notification tells. Cancellations are the inbound side's affair: it knows what is open.
pub(super) fn news(message: &Unasked) -> ServerNews {
    let raw = Fields::lenient(message.raw.raw());
    let params = raw.object("params");
    let other = || ServerNews::Other { method: message.method.clone() };
    let number = |name| params.json(name).filter(|json| json.text().len() <= LONGEST_NUMBER);
    match message.method.as_str() {
        "notifications/tasks/status" => raw
            .json("params")
            .map_or_else(other, |params| ServerNews::TaskStatus(TaskView::read_legacy(&params))),
        "notifications/progress" => params.some("progressToken").map_or_else(other, |token| {
            ServerNews::Progress(ProgressView {
                token: text(token).unwrap_or_else(|| token.get().to_owned()),
                progress: number("progress"),
                total: number("total"),
                message: params.text("message").map(|text| cut(text, LONGEST_TEXT)),
            })
        }),
        "notifications/elicitation/complete" => params
            .text("elicitationId")
            .map_or_else(other, |elicitation_id| ServerNews::ElicitationComplete { elicitation_id }),
        "notifications/tools/list_changed" => ServerNews::ToolsListChanged,
        "notifications/message" => ServerNews::Log,
        _ => other(),
    }
}

/// Which request a cancellation is about, and why.
pub(super) fn cancellation(raw: &Json) -> Option<(String, Option<String>)> {
    let params = Fields::lenient(raw.raw()).object("params");
    Some((params.some("requestId")?.get().to_owned(), params.text("reason")))
}

/// A result with related-task metadata. What is no object has no place for it.
pub(super) fn with_related_task(result: &Json, task_id: &str) -> Json {
    let Some(fields) = Fields::of(result.raw()) else { return result.clone() };
    let meta = fields.object("_meta");
    if meta.some(RELATED_TASK).is_some() {
        return result.clone();
    }
    let related = serde_json::json!({ "taskId": task_id }).to_string();
    let related = RawValue::from_string(related).expect("BUG: our own JSON is JSON");
    let meta =
        object(meta.iter().filter(|(key, _)| key != RELATED_TASK).chain([(RELATED_TASK.into(), &*related)]));
    let members = fields.iter().filter(|(key, _)| key != "_meta").chain([("_meta".into(), meta.raw())]);
    object(members)
}

fn object<'a>(members: impl Iterator<Item = (String, &'a RawValue)>) -> Json {
    let mut text = String::from("{");
    for (key, value) in members {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&verbatim::json(&key));
        text.push(':');
        text.push_str(value.get());
    }
    text.push('}');
    Json::parse(text).expect("BUG: members of objects make an object")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_say_which_task_they_belong_to() {
        let related = r#""io.modelcontextprotocol/related-task":{"taskId":"t\"1"}"#;
        let cases = [
            ("{}".to_owned(), format!(r#"{{"_meta":{{{related}}}}}"#)),
            (
                r#"{ "action": "accept", "content": {"n": 1.0, "big": 12345678901234567890} }"#.to_owned(),
                format!(
                    r#"{{"action":"accept","content":{{"n": 1.0, "big": 12345678901234567890}},"_meta":{{{related}}}}}"#
                ),
            ),
            (
                r#"{"_meta":{"a\nb":[1]},"x":null}"#.to_owned(),
                format!(r#"{{"x":null,"_meta":{{"a\nb":[1],{related}}}}}"#),
            ),
            (r#"{"_meta":7}"#.to_owned(), format!(r#"{{"_meta":{{{related}}}}}"#)),
            (format!(r#"{{"_meta":{{{related}}}}}"#), format!(r#"{{"_meta":{{{related}}}}}"#)),
            ("[1]".to_owned(), "[1]".to_owned()),
        ];
        for (result, expected) in cases {
            let result = Json::parse(result).unwrap();
            assert_eq!(with_related_task(&result, "t\"1").text(), expected, "{}", result.text());
        }
    }
}
