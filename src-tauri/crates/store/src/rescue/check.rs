//! Whether everything is sound, down to the last page and file.
//!
//! The check gives way to everything else.

use std::fmt;

use rusqlite::{Connection, Row};

use crate::{FileFault, ReadError, Reads, table::payload_files};

/// Problems that are listed at most, of each kind.
const LISTED: usize = 100;
/// Files looked at at once. What is replaced or dropped meanwhile is deleted after them.
const PORTION: u32 = 8;

/// Something that is not sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// In the database's file, in SQLite's words.
    File(String),
    /// A row that hangs on one that is not there.
    Dangling {
        /// The table that the row is in.
        table: String,
        /// Its number there, if it has one.
        row: Option<i64>,
        /// The table of the one that is missing.
        parent: String,
    },
    /// The file of a large payload.
    Payload {
        /// The name of the payload's file.
        name: String,
        /// What is wrong with it.
        why: FileFault,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(detail) => f.write_str(detail),
            Self::Dangling { table, row: Some(row), parent } => {
                write!(f, "row {row} of {table} hangs on a row of {parent} that is missing")
            }
            Self::Dangling { table, row: None, parent } => {
                write!(f, "a row of {table} hangs on a row of {parent} that is missing")
            }
            Self::Payload { name, why } => write!(f, "payloads/{name}: {why}"),
        }
    }
}

impl Reads {
    /// Checks every page, every reference and every file of a payload, down to its content; lists at most 100 problems of each
    /// kind. Takes seconds per gigabyte, and gives way to whatever else goes on.
    ///
    /// # Errors
    /// When the database cannot even be opened.
    ///
    /// # Panics
    /// When it does so on its thread.
    pub fn check(&self) -> Result<Vec<Problem>, ReadError> {
        std::thread::scope(|scope| {
            let checking = scope.spawn(|| {
                give_way();
                self.checked()
            });
            checking.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn checked(&self) -> Result<Vec<Problem>, ReadError> {
        self.with(|conn| {
            let mut problems = pages(conn);
            if problems.is_empty() {
                problems.extend(self.references_and_files(conn)?);
            }
            Ok(problems)
        })
    }

    fn references_and_files(&self, conn: &Connection) -> Result<Vec<Problem>, ReadError> {
        let mut problems = dangling(conn)?;
        let (mut after, mut missing) = (0, Vec::new());
        loop {
            let _hold = self.files().hold();
            let files = payload_files::portion(conn, after, PORTION)?;
            let Some((last, _)) = files.last() else { break };
            after = *last;
            missing.extend(files.into_iter().filter_map(|(_, file)| {
                let why = self.files().fault(&file)?;
                Some(Problem::Payload { name: file.name, why })
            }));
        }
        missing.truncate(LISTED);
        problems.extend(missing);
        Ok(problems)
    }
}

/// From now on this thread gets little of the machine while others want it. Elsewhere than on Linux that is a matter of whole
/// processes.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 10) {
        tracing::debug!(%error, "a check does not give way");
    }
}

/// What SQLite finds. A damage that stops its search is a finding like any other.
fn pages(conn: &Connection) -> Vec<Problem> {
    let found = || -> rusqlite::Result<Vec<String>> {
        let mut statement = conn.prepare(&format!("PRAGMA integrity_check({LISTED})"))?;
        statement.query_map([], |row| row.get(0))?.collect()
    };
    match found() {
        Ok(lines) => lines.into_iter().filter(|line| line != "ok").map(Problem::File).collect(),
        Err(error) => vec![Problem::File(error.to_string())],
    }
}

fn dangling(conn: &Connection) -> rusqlite::Result<Vec<Problem>> {
    let mut statement = conn.prepare("PRAGMA foreign_key_check")?;
    let read =
        |row: &Row<'_>| Ok(Problem::Dangling { table: row.get(0)?, row: row.get(1)?, parent: row.get(2)? });
    statement.query_map([], read)?.take(LISTED).collect()
}
