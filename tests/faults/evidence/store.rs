//! The store's files, read without the store's code. Only a copy is opened: opening it is what the next owner must do.

use std::path::Path;
use std::{fs, io};

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Map, Value};

use super::{Call, Decided, Kept, Request, answered};

/// Why a store could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("{0}")]
    File(#[from] io::Error),
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// SQLite's own check of the whole file.
    #[error("damaged: {0}")]
    Damaged(String),
}

/// By which a question of the legacy wire carries the server's own name for it.
const ASK: &str = "signalbox-demo/ask";
/// What large payloads are kept in, beside the database.
const FILES: &str = "payloads";

/// Copies the database of a data directory whose owner is gone, with its log and the files beside it.
pub(crate) fn copy(data: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.join(FILES))?;
    for name in ["signalbox.db", "signalbox.db-wal"] {
        unless_missing(fs::copy(data.join(name), to.join(name)))?;
    }
    for file in unless_missing(fs::read_dir(data.join(FILES)))?.into_iter().flatten() {
        let file = file?;
        fs::copy(file.path(), to.join(FILES).join(file.file_name()))?;
    }
    Ok(())
}

fn unless_missing<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// Reads a copy.
pub(crate) fn read(dir: &Path) -> Result<Kept, Unreadable> {
    let conn = Connection::open(dir.join("signalbox.db"))?;
    let sound: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    if sound != "ok" {
        return Err(Unreadable::Damaged(sound));
    }
    let mut calls = conn.prepare(
        "SELECT c.id, s.name, c.tool, c.status, c.outcome, c.note ->> 'code', c.task_id,
                c.cancel_requested_at IS NOT NULL
         FROM calls c JOIN servers s ON s.id = c.server ORDER BY c.id",
    )?;
    let mut requests = conn.prepare(
        "SELECT id, call, key, state, reason, answer, answer_content, taken_at IS NOT NULL, identity, draft, raw
         FROM requests ORDER BY id",
    )?;
    let mut calls: Vec<Call> = calls.query_map([], call)?.collect::<Result<_, _>>()?;
    for call in &mut calls {
        let payload = |kind| payload(&conn, dir, call.id, kind);
        let arguments: Option<Value> =
            payload("arguments")?.map(|text| serde_json::from_str(&text)).transpose()?;
        let nonce = arguments.and_then(|arguments| Some(arguments["nonce"].as_str()?.to_owned()));
        let (answered, result, error) = (payload("create")?.is_some(), payload("result")?, payload("error")?);
        *call = Call { nonce: nonce.unwrap_or_default(), answered, result, error, ..call.clone() };
    }
    let rows: Vec<_> = requests.query_map([], request)?.collect::<Result<_, _>>()?;
    let requests = rows.into_iter().map(|(mut request, texts)| {
        let Texts { action, content, draft, raw } = texts;
        request.response = action.map(|action| response(action, content)).transpose()?;
        request.draft = draft.map(|draft| serde_json::from_str(&draft)).transpose()?;
        let raw: Value = serde_json::from_str(&raw)?;
        request.ask = raw["params"]["_meta"][ASK].as_str().map(str::to_owned);
        Ok(request)
    });
    let requests = requests.collect::<Result<_, serde_json::Error>>()?;
    let mut log = conn.prepare("SELECT kind, call, request, json, text FROM decisions ORDER BY n")?;
    let log = log.query_map([], |row| {
        let (kind, call, request, text) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(4)?);
        let entry = Decided { kind, call, request, text, json: None };
        Ok((entry, row.get::<_, Option<String>>(3)?))
    })?;
    let log = log.map(|row| {
        let (entry, json) = row?;
        let json = json.map(|json| serde_json::from_str(&json)).transpose()?;
        Ok(Decided { json: json.as_ref().map(answered), ..entry })
    });
    Ok(Kept { calls, requests, log: log.collect::<Result<_, Unreadable>>()? })
}

/// A payload, from the database or from the file that the database names. A file that is not there is lost.
fn payload(conn: &Connection, dir: &Path, call: u32, kind: &str) -> Result<Option<String>, Unreadable> {
    let one = |sql: &str| conn.query_row(sql, params![call, kind], |row| row.get::<_, String>(0)).optional();
    if let Some(json) = one("SELECT json FROM payloads WHERE call = ?1 AND kind = ?2")? {
        return Ok(Some(json));
    }
    let name = one("SELECT name FROM payload_files WHERE call = ?1 AND kind = ?2")?;
    Ok(name.map(|name| fs::read_to_string(dir.join(FILES).join(name))).transpose()?)
}

fn call(row: &Row<'_>) -> rusqlite::Result<Call> {
    Ok(Call {
        id: row.get(0)?,
        server: row.get(1)?,
        tool: row.get(2)?,
        status: row.get(3)?,
        outcome: row.get(4)?,
        note: row.get(5)?,
        task: row.get(6)?,
        cancel_wished: row.get(7)?,
        ..Call::default()
    })
}

/// Columns of a question that hold JSON or a part of some.
struct Texts {
    action: Option<String>,
    content: Option<String>,
    draft: Option<String>,
    raw: String,
}

fn request(row: &Row<'_>) -> rusqlite::Result<(Request, Texts)> {
    let request = Request {
        id: row.get(0)?,
        call: row.get(1)?,
        key: row.get(2)?,
        state: row.get(3)?,
        reason: row.get(4)?,
        taken: row.get(7)?,
        identity: row.get(8)?,
        ..Request::default()
    };
    let texts = Texts { action: row.get(5)?, content: row.get(6)?, draft: row.get(9)?, raw: row.get(10)? };
    Ok((request, texts))
}

/// An answer as it goes over the wire.
fn response(action: String, content: Option<String>) -> Result<Value, serde_json::Error> {
    let mut response = Map::from_iter([("action".to_owned(), Value::from(action))]);
    if let Some(content) = content {
        response.insert("content".to_owned(), serde_json::from_str(&content)?);
    }
    Ok(response.into())
}
