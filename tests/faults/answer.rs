//! What a server answered, read with nothing but a JSON parser.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

type Members = BTreeMap<String, Box<RawValue>>;

/// A JSON-RPC response to `tools/call` or `tasks/*`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Whether it is a result, not an error.
    pub(crate) granted: bool,
    /// The task it is about.
    pub(crate) task: Option<String>,
    /// The task's status.
    pub(crate) status: Option<String>,
    /// The tool's result, byte for byte: of a task that completed, or of a call without one.
    pub(crate) result: Option<String>,
}

impl Answer {
    /// What is there of it; what cannot be read is not.
    pub(crate) fn read(body: &str) -> Self {
        let envelope = members(body);
        let Some(whole) = envelope.get("result") else { return Self::default() };
        let answer = Self::of(whole, true);
        // On the legacy wire a task that was made stands within the answer.
        match members(whole.get()).get("task") {
            Some(made) if answer.task.is_none() => Self::of(made, true),
            _ => answer,
        }
    }

    /// A task as it is pushed.
    pub(crate) fn pushed(message: &str) -> Self {
        members(message).get("params").map(|task| Self::of(task, false)).unwrap_or_default()
    }

    fn of(whole: &RawValue, granted: bool) -> Self {
        let members = members(whole.get());
        let text = |name: &str| members.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok());
        let task: Option<String> = text("taskId");
        let result =
            if task.is_some() { members.get("result").map(|raw| raw.get()) } else { Some(whole.get()) };
        Self { granted, status: text("status"), result: result.map(str::to_owned), task }
    }

    /// Whether it tells the end of a task.
    pub(crate) fn ends(&self) -> bool {
        matches!(self.status.as_deref(), Some("completed" | "failed" | "cancelled"))
    }
}

fn members(object: &str) -> Members {
    serde_json::from_str(object).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_out_byte_for_byte() {
        let answer =
            Answer::read(r#"{"id":1,"result":{"taskId":"a","status":"completed","result":{ "n": 1.0 }}}"#);
        assert!(answer.ends() && answer.granted);
        assert_eq!((answer.task.as_deref(), answer.result.as_deref()), (Some("a"), Some(r#"{ "n": 1.0 }"#)));
        let plain = Answer::read(r#"{"result":{"content":[],  "isError":false},"id":1}"#);
        assert_eq!(plain.result.as_deref(), Some(r#"{"content":[],  "isError":false}"#));
        assert!(!Answer::read(r#"{"id":1,"result":{"taskId":"a","status":"working"}}"#).ends());
    }

    #[test]
    fn tasks_are_found_where_each_wire_has_them() {
        let made = Answer::read(r#"{"id":1,"result":{"task":{"taskId":"a","status":"working"},"_meta":{}}}"#);
        assert_eq!(
            (made.task.as_deref(), made.status.as_deref(), made.result),
            (Some("a"), Some("working"), None)
        );
        let pushed = r#"{"method":"notifications/tasks","params":{"taskId":"a","status":"completed","result":{ "n":1}}}"#;
        let pushed = Answer::pushed(pushed);
        assert!(pushed.ends() && !pushed.granted);
        assert_eq!((pushed.task.as_deref(), pushed.result.as_deref()), (Some("a"), Some(r#"{ "n":1}"#)));
    }

    #[test]
    fn errors_and_nonsense_are_no_results() {
        for body in [r#"{"id":1,"error":{"code":-32602,"message":"no"}}"#, "<html>", ""] {
            assert_eq!(Answer::read(body), Answer::default(), "{body}");
        }
    }
}
