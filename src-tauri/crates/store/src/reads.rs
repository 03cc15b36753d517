//! Reads beside the writer. What is read from a table is in the table's own file.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
};

use rusqlite::Connection;

use crate::{
    ReadError, connection::Way, files::Files, pool::Pool, snapshot::Snapshot, whereabouts::Whereabouts,
};

/// Reads beside the writer: always a committed state, never waiting for it. Clones share the connections.
///
/// All methods block on the disk: call them from `spawn_blocking` in async code.
#[derive(Debug, Clone)]
pub struct Reads {
    pool: Arc<Pool>,
    /// The connection within whose transaction everything is read, see [`Self::at_once`].
    held: Option<Arc<Mutex<Connection>>>,
}

impl Reads {
    pub(crate) fn of(path: &Path, way: Way, files: Arc<Files>, whereabouts: Whereabouts) -> Self {
        Self { pool: Arc::new(Pool::of(path, way, files, whereabouts)), held: None }
    }

    /// Gives `work` reads that all see the same transaction, so that what they bring fits together. The journal cannot
    /// be emptied meanwhile: for what is soon done only.
    ///
    /// # Errors
    /// What `work` returns, or when the database cannot be read.
    pub fn at_once<T>(&self, work: impl FnOnce(&Self) -> Result<T, ReadError>) -> Result<T, ReadError> {
        // Before the transaction begins: what it names stays there.
        let _hold = self.files().hold();
        let mut lease = self.pool.lease()?;
        let conn = lease.conn.take().expect("BUG: a lease is handed out with its connection");
        conn.execute_batch("BEGIN")?;
        let held = Arc::new(Mutex::new(conn));
        let done = work(&Self { pool: Arc::clone(&self.pool), held: Some(Arc::clone(&held)) });
        // A clone that outlives `work` keeps the connection; the pool opens another.
        if let Some(conn) = Arc::into_inner(held) {
            let conn = conn.into_inner().unwrap_or_else(PoisonError::into_inner);
            conn.execute_batch("COMMIT")?;
            lease.conn = Some(conn);
        }
        done
    }

    /// Runs `read` within one read transaction, so that everything it sees fits together.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Snapshot<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, ReadError> {
        let pool = &*self.pool;
        if let Some(held) = &self.held {
            let conn = held.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(read(&Snapshot { conn: &conn, pool })?);
        }
        let lease = self.pool.lease()?;
        let transaction = lease.conn().unchecked_transaction()?;
        Ok(read(&Snapshot { conn: &transaction, pool })?)
    }

    /// Runs `work` outside of a transaction, also of that of [`Self::at_once`].
    pub(crate) fn with<T, E: From<ReadError>>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        work(self.pool.lease()?.conn())
    }

    /// The data directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.path().parent().unwrap_or(Path::new("."))
    }

    /// The database's file.
    pub(crate) fn path(&self) -> &Path {
        &self.pool.path
    }

    /// The payloads that are files.
    pub(crate) fn files(&self) -> &Files {
        &self.pool.files
    }

    /// Counts rows that were left out.
    pub(crate) fn skip(&self, rows: usize) {
        self.pool.skipped.fetch_add(rows as u64, Ordering::Relaxed);
    }

    /// How many damaged rows were left out of answers since the store was opened.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.pool.skipped.load(Ordering::Relaxed)
    }

    /// How many rows were asked for since the store was opened: what looks cost, whatever the machine.
    #[must_use]
    pub fn rows_read(&self) -> u64 {
        self.pool.rows.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Barrier, atomic::AtomicU64},
        thread,
    };

    use super::*;
    use crate::pool::CONNECTIONS;

    #[test]
    fn no_more_read_at_the_same_time_and_all_get_their_turn() {
        let dir = tempfile::tempdir().unwrap();
        let store = crate::Store::open(dir.path()).unwrap();
        let reads = store.reads();
        let (inside, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let together = Barrier::new(4);
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    reads.at_once(|_| {
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        // Four have to be inside for one of them to leave.
                        together.wait();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        Ok(())
                    })
                });
            }
        });
        assert!((4..=CONNECTIONS as u64).contains(&most.load(Ordering::SeqCst)), "{most:?}");
        assert!(reads.pool.idle() <= CONNECTIONS);
    }
}
