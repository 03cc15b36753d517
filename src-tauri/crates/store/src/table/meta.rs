//! One row: the numbers that must never go back.

use rusqlite::{Connection, params};
use serde::Serialize;
use signalbox_model::{CallId, RequestId, ServerId};

use crate::{Digest, ReadError, Reads, column::Columns, plan::prepare};

pub(crate) const SCHEMA: &str = "
CREATE TABLE meta (
    one          INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    seq          INTEGER NOT NULL, -- the last transaction
    epoch        INTEGER NOT NULL, -- how often the database was opened
    next_server  INTEGER NOT NULL, -- the highest number ever written + 1: forgetting gives none back
    next_call    INTEGER NOT NULL,
    next_request INTEGER NOT NULL
) STRICT;
INSERT INTO meta VALUES (1, 0, 0, 1, 1, 1);
";

// The end of the log of decisions, so that a tail that was cut off is missed.
pub(crate) const SINCE_2: &str = "
ALTER TABLE meta ADD COLUMN decisions INTEGER NOT NULL DEFAULT 0; -- the number of its last entry
ALTER TABLE meta ADD COLUMN decisions_hash TEXT; -- of its last entry
";

pub(crate) const SINCE_3: &str = "
ALTER TABLE meta ADD COLUMN next_session INTEGER NOT NULL DEFAULT 1;
";

/// The next free numbers. They only grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ids {
    /// For the next server.
    pub server: ServerId,
    /// For the next call.
    pub call: CallId,
    /// For the next input request.
    pub request: RequestId,
    /// For the next session of the legacy wire.
    pub session: u32,
}

impl Ids {
    pub(crate) fn saw_server(&mut self, id: ServerId) {
        self.server = self.server.max(ServerId(id.0.saturating_add(1)));
    }

    pub(crate) fn saw_call(&mut self, id: CallId) {
        self.call = self.call.max(CallId(id.0.saturating_add(1)));
    }

    pub(crate) fn saw_request(&mut self, id: RequestId) {
        self.request = self.request.max(RequestId(id.0.saturating_add(1)));
    }

    pub(crate) fn saw_session(&mut self, n: u32) {
        self.session = self.session.max(n.saturating_add(1));
    }
}

/// The one row of the table `meta`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meta {
    pub(crate) seq: u64,
    pub(crate) epoch: u64,
    pub(crate) ids: Ids,
    pub(crate) head: Head,
}

/// The last entry of the log of decisions: its number (0 before the first) and hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Head {
    pub(crate) n: u64,
    pub(crate) hash: Digest,
}

pub(crate) fn read(conn: &Connection) -> rusqlite::Result<Meta> {
    let sql = "SELECT seq, epoch, next_server, next_call, next_request, next_session, decisions,
        decisions_hash FROM meta WHERE one = 1";
    prepare(conn, sql)?.query_row([], |row| {
        let mut at = Columns::of(row);
        Ok(Meta {
            seq: at.number()?,
            epoch: at.number()?,
            ids: Ids {
                server: ServerId(at.get()?),
                call: CallId(at.get()?),
                request: RequestId(at.get()?),
                session: at.get()?,
            },
            // What is no hash follows nothing: the next entry shows that the log was broken here.
            head: Head { n: at.number()?, hash: at.maybe_digest().ok().flatten().unwrap_or(Digest::ZERO) },
        })
    })
}

pub(crate) fn write(conn: &Connection, meta: &Meta) -> rusqlite::Result<()> {
    let sql = "UPDATE meta SET seq = ?1, epoch = ?2, next_server = ?3, next_call = ?4, next_request = ?5,
        next_session = ?6, decisions = ?7, decisions_hash = ?8";
    let Ids { server, call, request, session } = meta.ids;
    let (seq, epoch, n) = (meta.seq.cast_signed(), meta.epoch.cast_signed(), meta.head.n.cast_signed());
    let row = params![seq, epoch, server.0, call.0, request.0, session, n, meta.head.hash.to_string()];
    prepare(conn, sql)?.execute(row)?;
    Ok(())
}

impl Reads {
    /// The next free numbers.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn ids(&self) -> Result<Ids, ReadError> {
        self.read(|at| Ok(read(at.conn)?.ids))
    }

    /// The last committed transaction.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn seq(&self) -> Result<u64, ReadError> {
        self.read(|at| Ok(read(at.conn)?.seq))
    }
}
