//! Full texts: an index of all words that calls and input requests have, beside the database.
//!
//! It is made anew by each owner that somebody asks for words, out of what the tables have, and goes with it: nothing of it
//! is in a backup, and whoever asks for no words pays nothing. So its file needs no care: no log, no sync, and no name where
//! a file that is open can lose it.
//!
//! What was taken in last is in a second, small index, so that whoever follows what changes never asks the large one.
//!
//! Must never happen: the writer waits for it; it takes the room that the writer needs; a file of it that others can read.

mod place;
mod plain;
mod source;

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use rusqlite::{Connection, ErrorCode, params};

use crate::{Portion, ReadError, Reads, plan::prepare};
use place::Place;

/// What is remembered of its pages, in KiB.
const CACHE: i32 = 8 * 1_024;
/// The table of what was taken in last.
const LAST: &str = "last_texts";

/// What has texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextOf {
    /// Calls: their arguments, result or error, and status message.
    Calls,
    /// Input requests: what they ask, and what was answered.
    Requests,
}

impl TextOf {
    fn table(self) -> &'static str {
        match self {
            Self::Calls => "call_texts",
            Self::Requests => "request_texts",
        }
    }
}

/// The index. Dropping it lets its file go.
///
/// All methods block on the disk: call them from `spawn_blocking` in async code.
#[derive(Debug)]
pub struct Texts {
    reads: Reads,
    conn: Mutex<Connection>,
    // Behind the connection, which has to be closed first where files keep their names.
    _place: Place,
}

impl Texts {
    /// A new, empty one of these tables, beside the database. Where there is little room it is kept in memory, and is small.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn beside(reads: &Reads) -> Result<Self, ReadError> {
        Self::at(reads, Place::beside(reads.dir()))
    }

    /// The same in memory: it is small, and writes nowhere.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn in_memory(reads: &Reads) -> Result<Self, ReadError> {
        Self::at(reads, Place::memory())
    }

    fn at(reads: &Reads, (conn, place): (rusqlite::Result<Connection>, Place)) -> Result<Self, ReadError> {
        let conn = conn.map_err(|error| failed(&error))?;
        let made = conn.execute_batch(&format!(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
             PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -{CACHE};
             PRAGMA max_page_count = {};",
            place.pages()
        ));
        made.map_err(|error| failed(&error))?;
        for table in [TextOf::Calls.table(), TextOf::Requests.table(), LAST] {
            // The texts themselves stay where they are; words are told apart without their accents, as people type them.
            let made = conn.execute_batch(&format!(
                "CREATE VIRTUAL TABLE {table} USING fts5(text, content = '', contentless_delete = 1,
                 tokenize = 'unicode61 remove_diacritics 2')"
            ));
            made.map_err(|error| failed(&error))?;
        }
        Ok(Self { reads: reads.clone(), conn: Mutex::new(conn), _place: place })
    }

    /// What a killed owner left in a data directory that is ours now, where files keep their names.
    pub(crate) fn tidy(dir: &Path) {
        place::tidy(dir);
    }

    /// Takes in a portion of rows with a number below `before`, the newest first: their numbers, and below which one to go
    /// on.
    ///
    /// # Errors
    /// When the database cannot be read, or the index not be written.
    pub fn take_in_below(&self, of: TextOf, before: u64) -> Result<Portion<u32>, ReadError> {
        let Portion { rows, next } = source::below(&self.reads, of, before)?;
        self.put(of, &rows)?;
        Ok(Portion { rows: rows.into_iter().map(|(id, _)| id).collect(), next })
    }

    /// Takes in what the first of these rows have now, and says how many. Of those that are gone nothing stays.
    ///
    /// # Errors
    /// As of [`Self::take_in_below`].
    pub fn take_in(&self, of: TextOf, ids: &[u32]) -> Result<usize, ReadError> {
        let rows = source::of(&self.reads, of, ids)?;
        self.put(of, &rows)?;
        Ok(rows.len())
    }

    /// All rows that have these words one behind the other, the last of them at least as a beginning.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn find(&self, of: TextOf, words: &str) -> Result<Vec<u32>, ReadError> {
        self.find_in(of.table(), words)
    }

    /// The same of those rows that were taken in last.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn find_in_last(&self, words: &str) -> Result<Vec<u32>, ReadError> {
        self.find_in(LAST, words)
    }

    fn find_in(&self, table: &str, words: &str) -> Result<Vec<u32>, ReadError> {
        let phrase = format!("\"{}\"*", words.replace(['"', '\0'], " "));
        let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1");
        self.with(|conn| prepare(conn, &sql)?.query_map([phrase], |row| row.get(0))?.collect())
    }

    /// Each with its text; none of what is gone.
    fn put(&self, of: TextOf, rows: &[(u32, Option<String>)]) -> Result<(), ReadError> {
        let table = of.table();
        self.with(|conn| {
            let transaction = conn.unchecked_transaction()?;
            let clear = format!("INSERT INTO {LAST} ({LAST}) VALUES ('delete-all')");
            prepare(&transaction, &clear)?.execute([])?;
            for (id, text) in rows {
                let sql = format!("DELETE FROM {table} WHERE rowid = ?1");
                prepare(&transaction, &sql)?.execute([id])?;
                let Some(text) = text else { continue };
                for table in [table, LAST] {
                    let sql = format!("INSERT INTO {table} (rowid, text) VALUES (?1, ?2)");
                    prepare(&transaction, &sql)?.execute(params![id, text])?;
                }
            }
            transaction.commit()
        })
    }

    fn with<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, ReadError> {
        let conn = self.conn.lock().unwrap_or_else(PoisonError::into_inner);
        work(&conn).map_err(|error| failed(&error))
    }
}

fn failed(error: &rusqlite::Error) -> ReadError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => ReadError::TextsFull,
        _ => ReadError::Texts(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{Call, CallId, Json, Origin, PayloadKind, Server, ServerId, Timestamp, Transport};

    use super::*;
    use crate::{Batch, BatchKind, Store, Write};

    #[test]
    fn one_that_may_not_grow_says_that_there_is_no_room() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let transport = Transport::Http { url: "http://127.0.0.1:1/mcp".to_owned(), headers: vec![] };
        let call = Call::new(CallId(1), ServerId(1), Origin::Started, Timestamp(1));
        let words: String = (0..100_000).map(|n| format!("{n:x}x ")).collect();
        let writes = vec![
            Write::PutServer(Server::new(ServerId(1), "ci".to_owned(), transport)),
            Write::PutCall(Box::new(call)),
            Write::PutPayload { call: CallId(1), kind: PayloadKind::Arguments, json: Json::of(&words) },
        ];
        let (done, committed) = std::sync::mpsc::channel();
        let done = Box::new(move |result| done.send(result).unwrap());
        store.submit(Batch { writes, kind: BatchKind::Intent, done }).unwrap();
        committed.recv().unwrap().unwrap();

        let reads = store.reads();
        let small = Texts::at(&reads, Place::memory_of(512 << 10)).unwrap();
        let full = small.take_in(TextOf::Calls, &[1]);
        assert_eq!(full, Err(ReadError::TextsFull));
        assert!(ReadError::TextsFull.to_string().contains("no room for the index of full texts"));
        let large = Texts::at(&reads, Place::memory()).unwrap();
        assert_eq!(
            (large.take_in(TextOf::Calls, &[1]), large.find(TextOf::Calls, "ffx")),
            (Ok(1), Ok(vec![1]))
        );
    }
}
