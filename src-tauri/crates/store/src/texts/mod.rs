//! Full texts: an index of all words that calls and input requests have, beside the database.
//!
//! It is made anew by each owner that somebody asks for words, out of what the tables have, and goes with it: nothing of it
//! is in a backup, nothing in it outlives what was deleted, and whoever asks for no words pays nothing. So its file needs no
//! care: no log, no sync, and no name where a file that is open can lose it.
//!
//! Must never happen: the writer waits for it; a file of it that others can read.

mod plain;
mod source;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use rusqlite::{Connection, OpenFlags, params};

use crate::{Portion, ReadError, Reads, data_dir::create_private, plan::prepare};

/// The file within a data directory.
const FILE: &str = "texts.db";
/// What is remembered of its pages, in KiB.
const CACHE: i32 = 8 * 1_024;

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
    /// None once it is dropped.
    conn: Mutex<Option<Connection>>,
    /// Its file, where that could not lose its name.
    named: Option<PathBuf>,
}

impl Texts {
    /// A new, empty one of these tables. Where nothing can be written it is kept in memory.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn of(reads: &Reads) -> Result<Self, ReadError> {
        let (conn, named) = match unnamed(&reads.dir().join(FILE)) {
            Ok(made) => made,
            Err(error) => {
                tracing::info!(%error, "full texts are indexed in memory");
                (Connection::open_in_memory()?, None)
            }
        };
        conn.execute_batch(&format!(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
             PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -{CACHE};"
        ))?;
        for of in [TextOf::Calls, TextOf::Requests] {
            // The texts themselves stay where they are; words are told apart without their accents, as people type them.
            conn.execute_batch(&format!(
                "CREATE VIRTUAL TABLE {} USING fts5(text, content = '', contentless_delete = 1,
                 tokenize = 'unicode61 remove_diacritics 2')",
                of.table()
            ))?;
        }
        Ok(Self { reads: reads.clone(), conn: Mutex::new(Some(conn)), named })
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

    /// Takes in what these rows have now. Of those that are gone nothing stays.
    ///
    /// # Errors
    /// As of [`Self::take_in_below`].
    pub fn take_in(&self, of: TextOf, ids: &[u32]) -> Result<(), ReadError> {
        self.put(of, &source::of(&self.reads, of, ids)?)
    }

    /// The rows that have these words one behind the other, the last of them at least as a beginning; of all, or among these.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn find(&self, of: TextOf, words: &str, among: Option<&[u32]>) -> Result<Vec<u32>, ReadError> {
        let phrase = format!("\"{}\"*", words.replace('"', " "));
        let table = of.table();
        self.with(|conn| {
            let Some(among) = among else {
                let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1");
                return prepare(conn, &sql)?.query_map([phrase], |row| row.get(0))?.collect();
            };
            let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1 AND rowid = ?2");
            let mut statement = prepare(conn, &sql)?;
            let mut found = Vec::new();
            for id in among {
                if statement.exists(params![phrase, id])? {
                    found.push(*id);
                }
            }
            Ok(found)
        })
    }

    /// Each with its text; none of what is gone.
    fn put(&self, of: TextOf, rows: &[(u32, Option<String>)]) -> Result<(), ReadError> {
        let table = of.table();
        self.with(|conn| {
            let transaction = conn.unchecked_transaction()?;
            for (id, text) in rows {
                let sql = format!("DELETE FROM {table} WHERE rowid = ?1");
                prepare(&transaction, &sql)?.execute([id])?;
                if let Some(text) = text {
                    let sql = format!("INSERT INTO {table} (rowid, text) VALUES (?1, ?2)");
                    prepare(&transaction, &sql)?.execute(params![id, text])?;
                }
            }
            transaction.commit()
        })
    }

    fn with<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, ReadError> {
        let conn = self.conn.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(work(conn.as_ref().expect("BUG: used after its end"))?)
    }
}

impl Drop for Texts {
    fn drop(&mut self) {
        drop(self.conn.lock().unwrap_or_else(PoisonError::into_inner).take());
        if let Some(path) = &self.named {
            let _ = fs::remove_file(path);
        }
    }
}

/// A database in a new file at `path`, which loses its name where it can; else its path is there, too.
fn unnamed(path: &Path) -> io::Result<(Connection, Option<PathBuf>)> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_private(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags);
    // SQLite opens the file with the first statement.
    let opened = opened.and_then(|conn| conn.execute_batch("PRAGMA user_version = 1").map(|()| conn));
    let named = match fs::remove_file(path) {
        Ok(()) if cfg!(unix) => None,
        _ => Some(path.to_owned()),
    };
    opened.map(|conn| (conn, named)).map_err(io::Error::other)
}
