//! Read-only connections, a few, shared.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use rusqlite::{Connection, OptionalExtension, Params, Row};
use signalbox_model::{
    Call, CallId, InputRequest, Json, PayloadKind, RequestId, Server, ServerId, Timestamp,
};

use crate::{
    Ids, OpenError, ReadError, Round, StoredSession, Undecided,
    column::{self, Columns},
    files::Files,
    open::{self, Way},
    plan::prepare,
    table::{calls, meta, requests, rounds, servers, sessions, settings, tools},
    whereabouts::Whereabouts,
};

/// More would only wait for each other on the disk.
const CONNECTIONS: usize = 4;

/// Reads beside the writer: always a committed state, never waiting for it. Clones share the connections.
///
/// All methods block on the disk: call them from `spawn_blocking` in async code.
#[derive(Debug, Clone)]
pub struct Reads {
    pool: Arc<Pool>,
    /// The connection within whose transaction everything is read, see [`Self::at_once`].
    held: Option<Arc<Mutex<Connection>>>,
}

#[derive(Debug)]
struct Pool {
    path: PathBuf,
    way: Way,
    whereabouts: Whereabouts,
    files: Arc<Files>,
    state: Mutex<State>,
    freed: Condvar,
    skipped: AtomicU64,
    rows: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Connection>,
    in_use: usize,
}

/// What the engine starts from, consistent with one transaction. Rows that cannot be decoded are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The last transaction.
    pub seq: u64,
    /// The next free numbers.
    pub ids: Ids,
    /// All servers, also removed ones.
    pub servers: Vec<Server>,
    /// Calls that have not ended.
    pub calls: Vec<Call>,
    /// All input requests of those calls, and every other one that is not over. Closed ones come without what they ask
    /// ([`InputRequest::is_bare`]), and so do those of tasks and rounds that ask more than 8 KiB.
    pub requests: Vec<InputRequest>,
    /// Of the long ones that are not closed: the bytes that stay in the store.
    pub stored: HashMap<RequestId, u64>,
    /// Those of them that closed and that nobody answered, the oldest first.
    pub undecided: Vec<Undecided>,
    /// Calls that came to a result while one of those requests was not over.
    pub completed: HashSet<CallId>,
    /// All settings.
    pub settings: Vec<(String, Json)>,
    /// The tools of each server as last listed.
    pub tools: Vec<(ServerId, Json)>,
    /// The last round of each of those calls that has any (MRTR), with the arguments to repeat.
    pub rounds: Vec<OpenRound>,
    /// The last session with each server of the legacy wire.
    pub sessions: Vec<StoredSession>,
    /// When, by the clock of then, something was last told in the log of decisions or a timeline.
    pub newest: Option<Timestamp>,
}

/// Where a call stands that answers in rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRound {
    /// The call.
    pub call: CallId,
    /// Its last round.
    pub round: Round,
    /// The arguments it was made with.
    pub arguments: Option<Json>,
    /// How long its task should be kept, in ms, as the person wished.
    pub ttl_ms: Option<u32>,
}

/// A connection within one read transaction.
pub(crate) struct Snapshot<'a> {
    pub(crate) conn: &'a Connection,
    pool: &'a Pool,
}

impl Snapshot<'_> {
    /// The rows that can be decoded: one damaged row must not hide all others.
    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        self.rows_of_each(sql, [params], map)
    }

    /// The same for one statement with many parameters in turn.
    pub(crate) fn rows_of_each<T, P: Params>(
        &self,
        sql: &str,
        each: impl IntoIterator<Item = P>,
        mut map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        let mut statement = prepare(self.conn, sql)?;
        let mut found = Vec::new();
        for params in each {
            for row in statement.query_map(params, &mut map)? {
                self.pool.rows.fetch_add(1, Ordering::Relaxed);
                match row {
                    Err(error) if column::undecodable(&error) => {
                        self.pool.skipped.fetch_add(1, Ordering::Relaxed);
                        tracing::warn!(%error, "left out a damaged row");
                    }
                    row => found.push(row?),
                }
            }
        }
        Ok(found)
    }

    pub(crate) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        map: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Option<T>> {
        self.pool.rows.fetch_add(1, Ordering::Relaxed);
        prepare(self.conn, sql)?.query_row(params, map).optional()
    }
}

impl Reads {
    /// Reads of a data directory where nothing can be written, as its last owner left it. That nobody else can write there
    /// meanwhile is up to who calls.
    ///
    /// # Errors
    /// When the file is not ours, damaged or of another format, or has a log that cannot be read there.
    pub fn of_read_only(dir: &Path) -> Result<Self, OpenError> {
        let (path, way) = open::read_only(dir)?;
        Ok(Self::of(&path, way, Arc::new(Files::of(dir)), Whereabouts::of(&path)))
    }

    pub(crate) fn of(path: &Path, way: Way, files: Arc<Files>, whereabouts: Whereabouts) -> Self {
        let pool = Pool {
            path: path.to_owned(),
            way,
            whereabouts,
            files,
            state: Mutex::default(),
            freed: Condvar::new(),
            skipped: AtomicU64::new(0),
            rows: AtomicU64::new(0),
        };
        Self { pool: Arc::new(pool), held: None }
    }

    /// Gives `work` reads that all see the same transaction, so that what they bring fits together. The journal cannot
    /// be emptied meanwhile: for what is soon done only.
    ///
    /// # Errors
    /// What `work` returns, or when the database cannot be read.
    pub fn at_once<T>(&self, work: impl FnOnce(&Self) -> Result<T, ReadError>) -> Result<T, ReadError> {
        // Before the transaction begins: what it names stays there.
        let _hold = self.files().hold();
        let mut lease = self.lease()?;
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
        let lease = self.lease()?;
        let transaction = lease.conn().unchecked_transaction()?;
        Ok(read(&Snapshot { conn: &transaction, pool })?)
    }

    /// Runs `work` outside of a transaction, also of that of [`Self::at_once`].
    pub(crate) fn with<T, E: From<ReadError>>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        work(self.lease()?.conn())
    }

    /// The database's file.
    /// The data directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.path().parent().unwrap_or(Path::new("."))
    }

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

    fn lease(&self) -> Result<Lease<'_>, ReadError> {
        let mut state = self.pool.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.in_use == CONNECTIONS {
            state = self.pool.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.in_use += 1;
        let conn = state.idle.pop();
        drop(state);
        // From here on the lease gives the place back, also when opening fails.
        let mut lease = Lease { pool: &self.pool, conn };
        if lease.conn.is_none() {
            // Another file in its place, with the log of the one before, would be read as what neither of them says.
            if let Some(missing) = self.pool.whereabouts.missing() {
                return Err(missing.into());
            }
            lease.conn = Some(open::reader_by(&self.pool.path, self.pool.way)?);
        }
        Ok(lease)
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

    /// What the engine starts from.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn live(&self) -> Result<Live, ReadError> {
        let mut live = self.read(|at| {
            let meta = meta::read(at.conn)?;
            let calls = calls::live(at)?;
            let (requests, stored): (Vec<_>, Vec<_>) = requests::live(at)?
                .into_iter()
                .map(|(request, stored)| {
                    let id = request.id;
                    (request, (id, stored))
                })
                .unzip();
            let live: HashSet<CallId> = calls.iter().map(|call| call.id).collect();
            let ended =
                requests.iter().filter_map(|request| request.call).filter(|call| !live.contains(call));
            Ok(Live {
                seq: meta.seq,
                ids: meta.ids,
                servers: servers::all(at)?.into_iter().map(|(server, _)| server).collect(),
                completed: calls::completed(at, ended)?,
                undecided: requests::undecided_of_live(at)?,
                calls,
                requests,
                stored: stored.into_iter().filter(|(_, bytes)| *bytes > 0).collect(),
                settings: settings::all(at)?.into_iter().map(|(key, value, _)| (key, value)).collect(),
                tools: tools::all(at)?,
                rounds: rounds::last_of_live(at)?,
                sessions: sessions::all(at)?,
                newest: newest(at)?,
            })
        })?;
        for round in &mut live.rounds {
            round.arguments = self.payload(round.call, PayloadKind::Arguments)?;
        }
        Ok(live)
    }
}

/// The later of the last entries of the log of decisions and of all timelines.
fn newest(at: &Snapshot<'_>) -> rusqlite::Result<Option<Timestamp>> {
    let last = [
        "SELECT at FROM decisions WHERE n > 0 ORDER BY n DESC LIMIT 1",
        "SELECT at FROM events WHERE id > 0 ORDER BY id DESC LIMIT 1",
    ];
    let mut newest = None;
    for sql in last {
        newest = newest.max(at.rows(sql, [], |row| Columns::of(row).time())?.pop());
    }
    Ok(newest)
}

/// A place in the pool with its connection.
struct Lease<'a> {
    pool: &'a Pool,
    conn: Option<Connection>,
}

impl Lease<'_> {
    fn conn(&self) -> &Connection {
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

#[cfg(test)]
mod tests {
    use std::{sync::Barrier, thread};

    use super::*;

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
        assert!(reads.pool.state.lock().unwrap().idle.len() <= CONNECTIONS);
    }
}
