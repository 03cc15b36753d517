//! What is read on one connection at one moment.

use std::sync::atomic::Ordering;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use crate::{column, plan::prepare, pool::Pool};

/// A connection within one read transaction.
pub(crate) struct Snapshot<'a> {
    pub(crate) conn: &'a Connection,
    pub(crate) pool: &'a Pool,
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
