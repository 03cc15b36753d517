//! The list of calls: which rows, in which order, out of which index.

use signalbox_model::{Call, CallId, ServerId};

use super::of;
use crate::{
    CallQuery, ReadError, Reads, RowPage,
    snapshot::Snapshot,
    table::{counts, meta},
};

/// The statement a page's ids are read with; its parameters are limit, offset and the server, if one is asked for.
///
/// The index is named, so that no statistics ever talk SQLite into sorting 100,000 rows.
fn page_sql(query: &CallQuery) -> &'static str {
    match query.server {
        Some(_) => {
            "SELECT id FROM calls INDEXED BY calls_by_server WHERE server = ?3
            ORDER BY bucket, created_at DESC, id DESC LIMIT ?1 OFFSET ?2"
        }
        None => {
            "SELECT id FROM calls INDEXED BY calls_by_bucket
            ORDER BY bucket, created_at DESC, id DESC LIMIT ?1 OFFSET ?2"
        }
    }
}

/// How many match, from the table of counts.
fn total(at: &Snapshot<'_>, query: &CallQuery) -> rusqlite::Result<u64> {
    let counts = counts::all(at)?;
    let wanted = |id: &ServerId| query.server.is_none_or(|server| server == *id);
    Ok(counts.servers.iter().filter(|(id, _)| wanted(id)).map(|(_, share)| share.calls()).sum())
}

fn page(at: &Snapshot<'_>, query: &CallQuery) -> rusqlite::Result<RowPage<CallId, Call>> {
    let params = [query.limit, query.offset].into_iter().chain(query.server.map(|server| server.0));
    let ids: Vec<CallId> =
        at.rows(page_sql(query), rusqlite::params_from_iter(params), |row| row.get(0).map(CallId))?;
    let total = total(at, query)?;
    let rows = of(at, &ids, query.since.unwrap_or_default())?;
    Ok(RowPage { seq: meta::read(at.conn)?.seq, ids, rows, total })
}

impl Reads {
    /// A window of the list of calls.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn calls_page(&self, query: &CallQuery) -> Result<RowPage<CallId, Call>, ReadError> {
        self.read(|at| page(at, query))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn lists_come_out_of_an_index_in_their_order() {
        let conn = blank();
        for server in [None, Some(ServerId(1))] {
            let plan = plan(&conn, page_sql(&CallQuery { server, ..CallQuery::default() }));
            assert!(plan.contains("COVERING INDEX"), "no row is touched for its place: {server:?}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "nothing is sorted: {server:?}: {plan}");
            let narrowed = server.is_some();
            assert_eq!(plan.contains("SEARCH"), narrowed, "only what matches is walked: {server:?}: {plan}");
        }
    }
}
