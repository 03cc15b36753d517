//! One row: the numbers that must never go back.

use rusqlite::{Connection, params};
use signalbox_model::{CallId, RequestId, ServerId};

use crate::{ReadError, Reads};

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

/// The next free numbers. They only grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ids {
    /// For the next server.
    pub server: ServerId,
    /// For the next call.
    pub call: CallId,
    /// For the next input request.
    pub request: RequestId,
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
}

/// The row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meta {
    pub(crate) seq: u64,
    pub(crate) epoch: u64,
    pub(crate) ids: Ids,
}

pub(crate) fn read(conn: &Connection) -> rusqlite::Result<Meta> {
    let sql = "SELECT seq, epoch, next_server, next_call, next_request FROM meta WHERE one = 1";
    conn.prepare_cached(sql)?.query_row([], |row| {
        Ok(Meta {
            seq: row.get::<_, i64>(0)?.cast_unsigned(),
            epoch: row.get::<_, i64>(1)?.cast_unsigned(),
            ids: Ids {
                server: ServerId(row.get(2)?),
                call: CallId(row.get(3)?),
                request: RequestId(row.get(4)?),
            },
        })
    })
}

pub(crate) fn write(conn: &Connection, meta: &Meta) -> rusqlite::Result<()> {
    let sql = "UPDATE meta SET seq = ?1, epoch = ?2, next_server = ?3, next_call = ?4, next_request = ?5";
    let Ids { server, call, request } = meta.ids;
    let row = params![meta.seq.cast_signed(), meta.epoch.cast_signed(), server.0, call.0, request.0];
    conn.prepare_cached(sql)?.execute(row)?;
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
