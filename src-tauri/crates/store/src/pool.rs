//! A few read-only connections, shared.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, PoisonError, atomic::AtomicU64},
};

use rusqlite::Connection;

use crate::{
    ReadError,
    connection::{self, Way},
    files::Files,
    whereabouts::Whereabouts,
};

/// More would only wait for each other on the disk.
pub(crate) const CONNECTIONS: usize = 4;

/// The connections, and what is counted on all of them.
#[derive(Debug)]
pub(crate) struct Pool {
    pub(crate) path: PathBuf,
    way: Way,
    whereabouts: Whereabouts,
    pub(crate) files: Arc<Files>,
    state: Mutex<State>,
    freed: Condvar,
    /// Rows that could not be decoded and were left out.
    pub(crate) skipped: AtomicU64,
    /// Rows that were asked for.
    pub(crate) rows: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Connection>,
    in_use: usize,
}

impl Pool {
    /// Opens nothing yet.
    pub(crate) fn of(path: &Path, way: Way, files: Arc<Files>, whereabouts: Whereabouts) -> Self {
        Self {
            path: path.to_owned(),
            way,
            whereabouts,
            files,
            state: Mutex::default(),
            freed: Condvar::new(),
            skipped: AtomicU64::new(0),
            rows: AtomicU64::new(0),
        }
    }

    /// A connection for as long as the lease is held. Waits for one that is free.
    pub(crate) fn lease(&self) -> Result<Lease<'_>, ReadError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.in_use == CONNECTIONS {
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.in_use += 1;
        let conn = state.idle.pop();
        drop(state);
        // From here on the lease gives the place back, also when opening fails.
        let mut lease = Lease { pool: self, conn };
        if lease.conn.is_none() {
            // Another file in its place, with the log of the one before, would be read as what neither of them says.
            if let Some(missing) = self.whereabouts.missing() {
                return Err(missing.into());
            }
            lease.conn = Some(connection::reader_by(&self.path, self.way)?);
        }
        Ok(lease)
    }

    /// How many connections nobody uses.
    #[cfg(test)]
    pub(crate) fn idle(&self) -> usize {
        self.state.lock().unwrap().idle.len()
    }
}

/// A place in the pool with its connection.
pub(crate) struct Lease<'a> {
    pool: &'a Pool,
    /// None while its holder has taken it out; what is here when the lease ends goes back to the pool.
    pub(crate) conn: Option<Connection>,
}

impl Lease<'_> {
    pub(crate) fn conn(&self) -> &Connection {
        self.conn.as_ref().expect("BUG: a lease is handed out with its connection")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.in_use -= 1;
        state.idle.extend(self.conn.take());
        self.pool.freed.notify_one();
    }
}
