//! A task's state.

use signalbox_model::{Json, Status, Timestamp, Wire};

use super::{Fields, RpcError, integer, text};

/// How long a server keeps a task, counted from its creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ttl {
    /// `null`: for ever.
    Unlimited,
    /// Milliseconds, never negative.
    Ms(i64),
    /// Absent, negative or no number: the server does not say it legibly.
    Unknown,
}

/// A task as `tools/call` and `tasks/get` describe it, as far as it is legible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskView {
    /// The handle, if there is one: sensitive.
    pub task_id: Option<String>,
    /// The status; [`Status::Unknown`] when absent or none of the five.
    pub status: Status,
    /// What stands there instead of one of the five.
    pub status_text: Option<String>,
    /// The server's message.
    pub status_message: Option<String>,
    /// By the server's clock.
    pub created_at: Option<Timestamp>,
    /// By the server's clock.
    pub last_updated_at: Option<Timestamp>,
    /// How long the server keeps it.
    pub ttl: Ttl,
    /// What the server asks for, in ms, never negative.
    pub poll_interval_ms: Option<i64>,
    /// What the server asks people, by its keys, in its order. A key that is no Unicode text stands there as its JSON.
    pub input_requests: Vec<(String, Json)>,
    /// The result of a completed task.
    pub result: Option<Json>,
    /// The error of a failed task.
    pub error: Option<RpcError>,
}

/// The names of the TTL on each wire, those that count first.
const TTL: [&str; 1] = ["ttlMs"];
const LEGACY_TTL: [&str; 2] = ["ttl", "ttlMs"];

impl Ttl {
    /// Reads it alone out of a state, or an answer to a call, by the names of a wire: the rest may be long.
    #[must_use]
    pub fn read(raw: &Json, wire: Wire) -> Self {
        match wire {
            Wire::Modern => Self::of(&Fields::lenient(raw.raw()), &TTL),
            Wire::Legacy => Self::of(&legacy(raw), &LEGACY_TTL),
        }
    }

    fn of(fields: &Fields<'_>, names: &[&str]) -> Self {
        match names.iter().find_map(|name| fields.get(name)) {
            Some(raw) if raw.get() == "null" => Self::Unlimited,
            Some(raw) => integer(raw).filter(|ms| *ms >= 0).map_or(Self::Unknown, Self::Ms),
            None => Self::Unknown,
        }
    }
}

/// The task in a state, or in an answer to a call, of the legacy wire.
fn legacy(raw: &Json) -> Fields<'_> {
    let fields = Fields::lenient(raw.raw());
    fields.some("task").and_then(Fields::of).unwrap_or(fields)
}

impl TaskView {
    /// Reads what can be read; never fails as a whole.
    #[must_use]
    pub fn read(raw: &Json) -> Self {
        Self::of(&Fields::lenient(raw.raw()), &TTL, &["pollIntervalMs"])
    }

    /// The same for the legacy wire, whose names differ: `ttl`, `pollInterval`, and `{"task": {…}}` for an answer to a
    /// tool call. Input requests, result and error are no part of a task there.
    #[must_use]
    pub fn read_legacy(raw: &Json) -> Self {
        Self::of(&legacy(raw), &LEGACY_TTL, &["pollInterval", "pollIntervalMs"])
    }

    fn of(fields: &Fields<'_>, ttl_names: &[&str], interval_names: &[&str]) -> Self {
        let status_word = fields.some("status").map(|raw| text(raw).unwrap_or_else(|| raw.get().to_owned()));
        let status = status_word.as_deref().map_or(Status::Unknown, Status::from_wire);
        Self {
            task_id: fields.text("taskId"),
            status,
            status_text: status_word.filter(|_| status == Status::Unknown),
            status_message: fields.text("statusMessage"),
            created_at: time(fields, "createdAt"),
            last_updated_at: time(fields, "lastUpdatedAt"),
            ttl: Ttl::of(fields, ttl_names),
            poll_interval_ms: interval_names
                .iter()
                .find_map(|name| fields.some(name))
                .and_then(integer)
                .filter(|ms| *ms >= 0),
            input_requests: input_requests(fields),
            result: fields.json("result"),
            error: fields.some("error").map(RpcError::of),
        }
    }
}

fn time(fields: &Fields<'_>, name: &str) -> Option<Timestamp> {
    fields.text(name)?.parse().ok()
}

/// The entries of `inputRequests`. A key that comes twice is one question: the last.
pub(crate) fn input_requests(fields: &Fields<'_>) -> Vec<(String, Json)> {
    let mut requests: Vec<(String, Json)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for (key, raw) in fields.object("inputRequests").iter() {
        let json = Json::from(raw.to_owned());
        match places.get(&key) {
            Some(&place) => requests[place] = (key, json),
            None => {
                places.insert(key.clone(), requests.len());
                requests.push((key, json));
            }
        }
    }
    requests
}
