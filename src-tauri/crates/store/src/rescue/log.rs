//! The log of decisions is only ever added to, also when another database takes the place of its own.

use rusqlite::Connection;
use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_model::{DecisionKind, Json, Timestamp};

use crate::{
    Chain, Digest,
    table::{
        decisions,
        meta::{self, Head},
    },
};

/// Entries in the memory at once.
const PORTION: u32 = 200;

/// What became of the log of decisions that was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OldLog {
    /// All of it is in the present one, or there was none.
    Contained,
    /// The present one was its beginning; so many entries were added from it.
    CarriedOn(u64),
    /// It goes another way, or cannot be read: a new entry of the present one says so, and names its end if that is known.
    Left {
        /// The number and the hash of its last entry.
        end: Option<(u64, Digest)>,
    },
}

/// The log that was there before, as an entry of the new one names it. Its words are sealed: never change one, only add.
#[skip_serializing_none]
#[derive(Serialize)]
pub(super) struct Before {
    /// How many of its entries a salvage brought over.
    pub(super) kept: Option<u64>,
    /// Its last entry; none when nothing tells it.
    pub(super) end: Option<Head>,
}

/// The end of a log that may be damaged; none when nothing tells it.
pub(super) fn end(conn: &Connection) -> Option<Head> {
    let noted = meta::read(conn).ok().map(|meta| meta.head);
    let last = decisions::last(conn).ok().flatten();
    noted.into_iter().chain(last).max_by_key(|head| head.n)
}

/// Has the log of `old` go on in `new`, the copy that replaces it: adds what it has more, or an entry that names its end.
pub(super) fn carry_on(
    old: Option<&Connection>,
    new: &mut Connection,
    at: Timestamp,
) -> rusqlite::Result<OldLog> {
    let end = old.and_then(end);
    let transaction = new.transaction()?;
    let here = meta::read(&transaction)?.head;
    if let Some(end) = end {
        if end.n == 0
            || end.n <= here.n && decisions::hash(&transaction, end.n).ok().flatten() == Some(end.hash)
        {
            return Ok(OldLog::Contained);
        }
        if let Some(old) = old.filter(|old| end.n > here.n && begins_with(old, here)) {
            // What is added in vain is taken back.
            let added = add_newer(old, &transaction, here, end)?;
            if added {
                note(&transaction, end)?;
                transaction.commit()?;
                return Ok(OldLog::CarriedOn(end.n - here.n));
            }
            transaction.rollback()?;
            return leave(new, Some(end), at);
        }
    }
    drop(transaction);
    leave(new, end, at)
}

fn leave(new: &mut Connection, end: Option<Head>, at: Timestamp) -> rusqlite::Result<OldLog> {
    let transaction = new.transaction()?;
    add_entry(&transaction, at, DecisionKind::Restored, &Before { kept: None, end })?;
    transaction.commit()?;
    Ok(OldLog::Left { end: end.map(|Head { n, hash }| (n, hash)) })
}

/// Adds an entry about the log itself.
pub(super) fn add_entry(
    conn: &Connection,
    at: Timestamp,
    kind: DecisionKind,
    before: &Before,
) -> rusqlite::Result<()> {
    let mut head = meta::read(conn)?.head;
    if let Some(last) = decisions::last(conn)?.filter(|last| last.n > head.n) {
        head = last;
    }
    decisions::add_own(conn, &mut head, at, kind, Json::of(before))?;
    note(conn, head)
}

/// Notes the end of the log; and that the numbers its entries name were given out.
fn note(conn: &Connection, head: Head) -> rusqlite::Result<()> {
    conn.execute(
        "UPDATE meta SET decisions = ?1, decisions_hash = ?2,
             next_server = max(next_server, (SELECT coalesce(max(server), 0) + 1 FROM decisions)),
             next_call = max(next_call, (SELECT coalesce(max(call), 0) + 1 FROM decisions)),
             next_request = max(next_request, (SELECT coalesce(max(request), 0) + 1 FROM decisions))",
        (head.n.cast_signed(), head.hash.to_string()),
    )?;
    Ok(())
}

/// Whether the other log is the beginning of this one.
fn begins_with(log: &Connection, other: Head) -> bool {
    other.n == 0 || decisions::hash(log, other.n).ok().flatten() == Some(other.hash)
}

/// Copies the entries behind `here`. Whether they follow each other up to `end`.
fn add_newer(old: &Connection, new: &Connection, here: Head, end: Head) -> rusqlite::Result<bool> {
    let mut chain = Chain::behind(here.n, here.hash);
    while chain.last() < end.n {
        let Ok(entries) = decisions::portion(old, chain.last(), PORTION) else { return Ok(false) };
        if entries.is_empty() {
            return Ok(false);
        }
        for entry in entries {
            if chain.follow(&entry).is_err() {
                return Ok(false);
            }
            decisions::put(new, &entry)?;
        }
    }
    Ok(chain.ends_at(end.n, end.hash).is_ok())
}
