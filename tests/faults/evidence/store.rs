//! The store's file, read without the store's code. Only a copy is opened: opening it is what the next owner must do.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, Row};
use serde_json::{Map, Value};

use super::{Call, Kept, Request};

/// Why a store could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("{0}")]
    File(#[from] std::io::Error),
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// SQLite's own check of the whole file.
    #[error("damaged: {0}")]
    Damaged(String),
}

/// Copies the database of a data directory whose owner is gone, with its log.
pub(crate) fn copy(data: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for name in ["signalbox.db", "signalbox.db-wal"] {
        match fs::copy(data.join(name), to.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Reads a copy.
pub(crate) fn read(dir: &Path) -> Result<Kept, Unreadable> {
    let conn = Connection::open(dir.join("signalbox.db"))?;
    let sound: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    if sound != "ok" {
        return Err(Unreadable::Damaged(sound));
    }
    let mut calls = conn.prepare(
        "SELECT c.id, s.name, c.tool, c.delivery, c.status, c.outcome, c.note_code, c.task_id,
                c.cancel_requested_at IS NOT NULL,
                (SELECT json FROM payloads WHERE call = c.id AND kind = 'arguments'),
                EXISTS (SELECT 1 FROM payloads WHERE call = c.id AND kind = 'create'),
                (SELECT json FROM payloads WHERE call = c.id AND kind = 'result'),
                (SELECT json FROM payloads WHERE call = c.id AND kind = 'error')
         FROM calls c JOIN servers s ON s.id = c.server ORDER BY c.id",
    )?;
    let mut requests = conn.prepare(
        "SELECT id, call, key, state, reason, answer, answer_content, taken_at IS NOT NULL FROM requests
         WHERE call IS NOT NULL ORDER BY id",
    )?;
    let calls = calls.query_map([], call)?.collect::<Result<_, _>>()?;
    let rows: Vec<_> = requests.query_map([], request)?.collect::<Result<_, _>>()?;
    let requests = rows.into_iter().map(|(mut request, action, content)| {
        request.response = action.map(|action| response(action, content)).transpose()?;
        Ok(request)
    });
    Ok(Kept { calls, requests: requests.collect::<Result<_, serde_json::Error>>()? })
}

fn call(row: &Row<'_>) -> rusqlite::Result<Call> {
    let arguments: Option<String> = row.get(9)?;
    let arguments: Value = arguments.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    Ok(Call {
        id: row.get(0)?,
        server: row.get(1)?,
        tool: row.get(2)?,
        nonce: arguments["nonce"].as_str().unwrap_or_default().to_owned(),
        delivery: row.get(3)?,
        status: row.get(4)?,
        outcome: row.get(5)?,
        note: row.get(6)?,
        task: row.get(7)?,
        cancel_wished: row.get(8)?,
        answered: row.get(10)?,
        result: row.get(11)?,
        error: row.get(12)?,
    })
}

fn request(row: &Row<'_>) -> rusqlite::Result<(Request, Option<String>, Option<String>)> {
    let request = Request {
        id: row.get(0)?,
        call: row.get(1)?,
        key: row.get(2)?,
        state: row.get(3)?,
        reason: row.get(4)?,
        response: None,
        taken: row.get(7)?,
    };
    Ok((request, row.get(5)?, row.get(6)?))
}

/// An answer as it goes over the wire.
fn response(action: String, content: Option<String>) -> Result<Value, serde_json::Error> {
    let mut response = Map::from_iter([("action".to_owned(), Value::from(action))]);
    if let Some(content) = content {
        response.insert("content".to_owned(), serde_json::from_str(&content)?);
    }
    Ok(response.into())
}
