//! A server's files: its journal and its memories, one JSON document per line.

use std::path::Path;
use std::{fs, io};

use serde_json::Value;

use super::{Entry, Made};

/// What it received and took.
pub(crate) fn entries(path: &Path) -> io::Result<Vec<Entry>> {
    let entry = |line: Value| match line["kind"].as_str()? {
        "request" => Some(Entry::Request { method: text(&line["method"]), params: line["params"].clone() }),
        "taken" => Some(Entry::Taken {
            task: text(&line["call"]),
            key: text(&line["key"]),
            response: answered(&line["response"]),
        }),
        "round" => Some(Entry::Round { call: text(&line["call"]), state: text(&line["state"]) }),
        "retried" => Some(Entry::Retried { state: text(&line["state"]) }),
        "asked" => Some(Entry::Asked {
            session: text(&line["session"]),
            id: line["id"].clone(),
            ask: text(&line["ask"]),
            task: text(&line["call"]),
            key: text(&line["key"]),
        }),
        "reply" => Some(Entry::Reply {
            session: text(&line["session"]),
            id: line["id"].clone(),
            response: answered(&line["result"]),
        }),
        _ => None,
    };
    Ok(lines(path)?.into_iter().filter_map(entry).collect())
}

/// The tasks it made and remembers.
pub(crate) fn made(path: &Path) -> io::Result<Vec<Made>> {
    let made = |line: Value| {
        // What it remembers of a call without a task has no handle.
        let task = line["event"] == "opened" && line["origin"]["plain"] != true;
        task.then(|| Made {
            task: text(&line["id"]),
            nonce: text(&line["arguments"]["nonce"]),
            tool: text(&line["tool"]),
        })
    };
    Ok(lines(path)?.into_iter().filter_map(made).collect())
}

/// The calls without a task that it remembers: its id of each, and which of the workload it is.
pub(crate) fn plain(path: &Path) -> io::Result<Vec<(String, String)>> {
    let plain = |line: Value| {
        let plain = line["event"] == "opened" && line["origin"]["plain"] == true;
        plain.then(|| (text(&line["id"]), text(&line["arguments"]["nonce"])))
    };
    Ok(lines(path)?.into_iter().filter_map(plain).collect())
}

/// A response without the note of its task, which replies of the legacy wire carry.
pub(crate) fn answered(response: &Value) -> Value {
    let mut response = response.clone();
    if let Some(members) = response.as_object_mut() {
        members.remove("_meta");
    }
    response
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Lines that are JSON. A killed server may have left a torn one: it never counted.
fn lines(path: &Path) -> io::Result<Vec<Value>> {
    let text = match fs::read(path) {
        // A server that was never asked has written nothing.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    let lines = text.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_counts_is_read_and_a_torn_line_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines");
        let text = concat!(
            r#"{"kind":"request","at":"2026-07-28T10:00:00Z","id":7,"method":"tasks/get","params":{"taskId":"a"}}"#,
            "\n",
            r#"{"kind":"taken","at":"2026-07-28T10:00:00Z","call":"a","key":"k","response":{"action":"decline"}}"#,
            "\n",
            r#"{"event":"opened","id":"a","tool":"build","arguments":{"nonce":"c1"},"created_at":1,"ttl_ms":null}"#,
            "\n{\"kind\":\"tak",
        );
        fs::write(&path, text).unwrap();
        let request = Entry::Request { method: "tasks/get".into(), params: json!({ "taskId": "a" }) };
        let taken =
            Entry::Taken { task: "a".into(), key: "k".into(), response: json!({ "action": "decline" }) };
        assert_eq!(entries(&path).unwrap(), [request, taken]);
        assert_eq!(
            made(&path).unwrap(),
            [Made { task: "a".into(), nonce: "c1".into(), tool: "build".into() }]
        );
        assert_eq!(entries(&dir.path().join("none")).unwrap(), []);
    }
}
