//! Tables for spreadsheets: a column per member, quoted where needed, and nothing in them that a spreadsheet would run.

use std::collections::HashMap;

use serde_json::value::RawValue;
use signalbox_api::ExportKind;
use signalbox_model::Json;

const TASKS: &[&str] = &[
    "id",
    "server",
    "wire",
    "tool",
    "origin",
    "status",
    "statusText",
    "outcome",
    "tracking",
    "statusMessage",
    "createdAt",
    "lastUpdatedAt",
    "ttlMs",
    "pollIntervalMs",
    "expiresAt",
    "endedAt",
    "arguments",
    "result",
    "error",
    "note",
    "tags",
    "remark",
];
const TASK_HANDLES: &[&str] = &["taskId", "create", "last"];
const REQUESTS: &[&str] = &[
    "id", "task", "server", "identity", "method", "mode", "message", "schema", "url", "state", "reason",
    "openedAt", "closedAt",
];
const REQUEST_HANDLES: &[&str] = &["raw"];
const ANSWERS: &[&str] = &[
    "request",
    "task",
    "server",
    "action",
    "content",
    "state",
    "decidedAt",
    "sentAt",
    "acknowledgedAt",
    "takenAt",
    "refusal",
    "masked",
    "remark",
];
const DECISIONS: &[&str] = &[
    "n",
    "at",
    "by",
    "kind",
    "server",
    "serverName",
    "call",
    "request",
    "schemaSha256",
    "json",
    "text",
    "hash",
    "format",
    "note",
    "remark",
    "masked",
];

fn columns(what: ExportKind, with_handles: bool) -> impl Iterator<Item = &'static str> {
    let (columns, handles): (_, &[&str]) = match what {
        ExportKind::Tasks => (TASKS, TASK_HANDLES),
        ExportKind::Requests => (REQUESTS, REQUEST_HANDLES),
        ExportKind::Answers => (ANSWERS, &[]),
        ExportKind::Decisions => (DECISIONS, &[]),
    };
    columns.iter().chain(handles.iter().filter(move |_| with_handles)).copied()
}

/// The names of the columns.
pub(crate) fn head(what: ExportKind, with_handles: bool) -> String {
    line(columns(what, with_handles).map(str::to_owned))
}

/// The row of an exported line.
pub(crate) fn row(what: ExportKind, with_handles: bool, item: &Json) -> Result<String, serde_json::Error> {
    let mut members: HashMap<&str, &RawValue> = item.read()?;
    if let Some(entry) = members.get("entry").filter(|_| what == ExportKind::Decisions) {
        members = serde_json::from_str(entry.get())?;
    }
    Ok(line(
        columns(what, with_handles)
            .map(|column| members.get(column).map_or_else(String::new, |raw| cell(raw))),
    ))
}

/// A text without its quotes, or JSON as it is. A text that a spreadsheet would take for a formula gets an apostrophe.
fn cell(raw: &RawValue) -> String {
    match serde_json::from_str::<String>(raw.get()) {
        Ok(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => format!("'{text}"),
        Ok(text) => text,
        Err(_) => raw.get().to_owned(),
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let quoted = cells.map(|cell| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row_of(json: &str) -> String {
        row(ExportKind::Answers, false, &Json::parse(json).unwrap()).unwrap()
    }

    #[test]
    fn cells_are_quoted_where_needed_and_numbers_stay() {
        let row = row_of(r#"{"kind":"answer","request":"r1","server":"a, \"b\"\nc","content":{"n": 1.10}}"#);
        assert_eq!(row, "r1,,\"a, \"\"b\"\"\nc\",,\"{\"\"n\"\": 1.10}\",,,,,,,,\r\n");
    }

    #[test]
    fn no_text_is_a_formula() {
        for text in ["=HYPERLINK(1)", "+1", "-1+2", "@x", "\\tx", "\\rx"] {
            let row = row_of(&format!(r#"{{"request":"{text}"}}"#));
            let cell = row.trim_start_matches('"');
            assert!(cell.starts_with('\''), "{text} would be run: {row}");
        }
        let json = Json::parse(r#"{"kind":"task","ttlMs":-5}"#).unwrap();
        let row = row(ExportKind::Tasks, false, &json).unwrap();
        assert!(row.contains(",-5,"), "a number is a number: {row}");
    }

    #[test]
    fn columns_are_as_many_as_names() {
        for what in [ExportKind::Tasks, ExportKind::Requests, ExportKind::Answers, ExportKind::Decisions] {
            let empty = Json::parse(r#"{"entry":{}}"#).unwrap();
            let commas = |line: String| line.matches(',').count();
            for handles in [false, true] {
                assert_eq!(commas(head(what, handles)), commas(row(what, handles, &empty).unwrap()));
            }
            assert!(!head(what, false).contains("taskId"), "handles only where they are asked for");
        }
    }
}
